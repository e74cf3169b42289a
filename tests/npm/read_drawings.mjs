// Prints a line of JSON for each file: what Mermaid takes `*.mmd` for, what Graphviz makes of `*.dot`, or a
// text that says what is wrong with it.
import { readFileSync } from "node:fs";
import { instance } from "@viz-js/viz";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>");
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import("mermaid");
const graphviz = await instance();

async function read(file) {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".mmd")) return (await mermaid.parse(text)).diagramType;
  return { ...graphviz.renderJSON(text), svg: graphviz.renderString(text, { format: "svg" }) };
}

for (const file of process.argv.slice(2)) {
  console.log(JSON.stringify(await read(file).catch(String)));
}

"use strict";
const run = JSON.parse(document.getElementById("data").textContent);
const byId = new Map(run.executions.map((execution) => [execution.id, execution]));
const items = new Map();
const LEGEND = { model: "model", tool: "tool call", function: "function", wait: "person", timer: "pause" };
const MARKS = { completed: "✓", failed: "✗", limit: "✗", waiting: "?", running: "…" };
let chosen = null;

const $ = (id) => document.getElementById(id);

function made(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/* The head of the page. */

function fillHead() {
  document.title = `${run.id} · ${run.status}`;
  $("run").textContent = run.id;
  $("status").textContent = run.status;
  $("status").classList.add(run.status);
  $("totals").textContent = `${run.team}, begun ${run.began} · ${run.totals}`;
  $("request").textContent = run.request;
  const failed = run.error && !run.answer;
  $("outcome").textContent = failed ? "Error" : "Answer";
  $("answer").textContent = failed ? run.error : run.answer || "There is none.";
  const kinds = new Set(run.executions.flatMap((execution) => execution.parts.map((part) => part.kind)));
  for (const [kind, words] of Object.entries(LEGEND)) {
    if (!kinds.has(kind)) continue;
    const entry = made("li");
    entry.append(made("span", kind), words);
    $("legend").append(entry);
  }
}

/* Light and dark: as the system has it, until a person says otherwise. */

const THEMES = ["system", "light", "dark"];
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let theme = kept("agentctl-theme");

function kept(name) {
  try {
    return THEMES.includes(localStorage.getItem(name)) ? localStorage.getItem(name) : "system";
  } catch {
    return "system"; // a browser may keep nothing for a page from the disk
  }
}

function showTheme() {
  const dark = theme === "dark" || (theme === "system" && prefersDark.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("theme").textContent = `Theme: ${theme}`;
}

function nextTheme() {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  try {
    localStorage.setItem("agentctl-theme", theme);
  } catch {
    // then it lasts as long as the page
  }
  showTheme();
}

/* The tree of executions, each with its share of the timeline. */

function place(element, at, ms) {
  const whole = run.ms || 1;
  element.style.left = `${(at / whole) * 100}%`;
  element.style.width = `${(ms / whole) * 100}%`;
}

function timeline(execution) {
  const track = made("div", "time");
  track.setAttribute("aria-hidden", "true");
  const own = made("span", "whole");
  place(own, execution.at, execution.ms);
  track.append(own);
  for (const part of execution.parts) {
    if (!(part.kind in LEGEND)) continue;
    const bar = made("span", part.kind);
    bar.title = `${part.title} (${part.spent})`;
    place(bar, part.at, part.ms);
    track.append(bar);
  }
  return track;
}

function branch(id, level) {
  const execution = byId.get(id);
  const item = made("li");
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-level", level);
  item.setAttribute("aria-selected", "false");
  item.setAttribute("aria-label", `${execution.title}, ${execution.status}, ${execution.spent}`);
  item.tabIndex = -1;
  item.dataset.id = id;
  const row = made("div", "row");
  const twist = made("span", "twist");
  const name = made("span", "name");
  name.append(twist, made("span", execution.status, MARKS[execution.status] || "-"), ` ${execution.title}`);
  name.style.setProperty("--level", level);
  row.append(name, made("span", "quiet", execution.spent), timeline(execution));
  item.append(row);
  if (execution.children.length) {
    const group = made("ul");
    group.setAttribute("role", "group");
    group.append(...execution.children.map((child) => branch(child, level + 1)));
    item.append(group);
    setOpen(item, true, twist);
    twist.addEventListener("click", (event) => {
      event.stopPropagation();
      setOpen(item, item.getAttribute("aria-expanded") === "false");
    });
  }
  row.addEventListener("click", () => {
    choose(id, true);
    if (matchMedia("(max-width: 60rem)").matches) $("detail").scrollIntoView();
  });
  items.set(id, item);
  return item;
}

function setOpen(item, open, twist = item.querySelector(".twist")) {
  item.setAttribute("aria-expanded", String(open));
  twist.textContent = open ? "▾" : "▸";
}

function visibleItems() {
  return [...document.querySelectorAll("#tree li")].filter((item) => item.offsetParent !== null);
}

function choose(id, focus) {
  if (chosen !== null) {
    items.get(chosen).setAttribute("aria-selected", "false");
    items.get(chosen).tabIndex = -1;
  }
  chosen = id;
  const item = items.get(id);
  for (let above = item.parentElement.closest("li"); above; above = above.parentElement.closest("li")) setOpen(above, true);
  item.setAttribute("aria-selected", "true");
  item.tabIndex = 0;
  if (focus) item.focus();
  showDetail(byId.get(id));
}

function walk(event) {
  const item = event.target.closest("li");
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const shown = visibleItems();
  const at = shown.indexOf(item);
  const open = item.getAttribute("aria-expanded");
  const to = (next) => next && choose(next.dataset.id, true);
  const keys = {
    ArrowDown: () => to(shown[at + 1]),
    ArrowUp: () => to(shown[at - 1]),
    Home: () => to(shown[0]),
    End: () => to(shown[shown.length - 1]),
    ArrowRight: () => (open === "false" ? setOpen(item, true) : open === "true" && to(shown[at + 1])),
    ArrowLeft: () => (open === "true" ? setOpen(item, false) : to(item.parentElement.closest("li"))),
    Enter: () => $("detail").focus(),
    " ": () => open && setOpen(item, open === "false"),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/* One execution in full. */

function named(name, text, className) {
  const block = made("div", className);
  const words = made("pre", "", undefined);
  words.dir = "auto";
  words.append(...marked(text));
  block.append(made("div", "named", name), words);
  return block;
}

function card(part) {
  const article = made("article", `of-${part.kind}`);
  const title = made("h3");
  title.dir = "auto";
  title.append(...marked(part.title));
  article.append(title);
  const about = [part.spent, part.step].filter(Boolean).join(" · ");
  if (about) article.append(made("p", "quiet", about));
  for (const [name, text] of part.texts || []) article.append(named(name, text, name === "error" ? "error" : ""));
  if (part.kind === "delegation") {
    const go = made("button", "", "Show it");
    go.type = "button";
    go.addEventListener("click", () => choose(part.id, true));
    article.append(go);
  }
  return article;
}

function showDetail(execution) {
  const detail = $("detail");
  const title = made("h2", "", execution.title);
  title.id = "conversation";
  const blocks = [title, made("p", "quiet", `${execution.id} · ${execution.status} · ${execution.spent}`)];
  blocks.push(named("request", execution.request));
  if (execution.told) blocks.push(named("told", execution.told));
  blocks.push(...execution.parts.map(card));
  if (execution.error) blocks.push(named("error", execution.error, "error"));
  if (execution.answer) blocks.push(named("answer", execution.answer));
  detail.replaceChildren(...blocks);
}

/* Search: every text of every execution; a match is shown where it stands. */

let query = "";
let hits = [];
let hit = -1;

function textsOf(execution) {
  const own = [execution.request, execution.told, execution.error, execution.answer];
  const parts = execution.parts.flatMap((part) => [part.title, ...(part.texts || []).map(([, text]) => text)]);
  return [...own, ...parts];
}

function placesIn(text) {
  const found = [];
  if (!query) return found;
  const low = text.toLowerCase();
  for (let at = low.indexOf(query); at >= 0; at = low.indexOf(query, at + query.length)) found.push(at);
  return found;
}

function marked(text) {
  const nodes = [];
  let done = 0;
  for (const at of placesIn(text)) {
    nodes.push(text.slice(done, at), made("mark", "", text.slice(at, at + query.length)));
    done = at + query.length;
  }
  return [...nodes, text.slice(done)];
}

function search() {
  query = $("query").value.trim().toLowerCase();
  hits = [];
  for (const execution of run.executions) {
    const count = textsOf(execution).reduce((sum, text) => sum + placesIn(text).length, 0);
    for (let number = 0; number < count; number += 1) hits.push([execution.id, number]);
    const name = items.get(execution.id).firstElementChild.querySelector(".name");
    name.querySelector(".hits")?.remove();
    if (count) name.append(made("span", "hits", String(count)));
  }
  hit = -1;
  if (chosen !== null) showDetail(byId.get(chosen));
  tellFound();
}

function tellFound() {
  const place = hit < 0 ? "" : `${hit + 1} of `;
  $("found").textContent = query ? `${place}${hits.length} found` : "";
}

function goTo(step) {
  if (!hits.length) return;
  hit = hit < 0 && step < 0 ? hits.length - 1 : (hit + step + hits.length) % hits.length;
  const [id, number] = hits[hit];
  choose(id, false);
  const marks = document.querySelectorAll("#detail mark");
  const here = marks[Math.min(number, marks.length - 1)];
  if (here) {
    here.classList.add("here");
    here.scrollIntoView({ block: "center" });
  }
  tellFound();
}

function searchKeys(event) {
  if (event.key === "Enter") goTo(event.shiftKey ? -1 : 1);
  if (event.key === "Escape") {
    $("query").value = "";
    search();
  }
}

function pageKeys(event) {
  if (event.key !== "/" || event.target === $("query")) return;
  event.preventDefault();
  $("query").focus();
}

showTheme();
prefersDark.addEventListener("change", showTheme);
fillHead();
$("tree").append(...run.roots.map((id) => branch(id, 1)));
if (run.roots.length) choose(run.roots[0], false);
$("theme").addEventListener("click", nextTheme);
$("tree").addEventListener("keydown", walk);
$("query").addEventListener("input", search);
$("query").addEventListener("keydown", searchKeys);
$("before").addEventListener("click", () => goTo(-1));
$("after").addEventListener("click", () => goTo(1));
document.addEventListener("keydown", pageKeys);

"""A client of `yaml-language-server` over its standard streams: what an editor asks while one types."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, TypeAlias, cast

Json: TypeAlias = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Message: TypeAlias = dict[str, Json]

_PATIENCE: Final = 30.0
_SETTINGS: Final[Message] = {
    "yaml": {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}
}


class LanguageServer:
    """One server process. Lines and columns count from 0, as the protocol has them."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            ["node", str(program), "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._last = 0
        self._answers: queue.Queue[Message] = queue.Queue()
        self._diagnostics: queue.Queue[tuple[str, list[Message]]] = queue.Queue()
        self._versions: dict[str, int] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> LanguageServer:
        self._ask("initialize", {"processId": None, "rootUri": None, "capabilities": _CAPABILITIES})
        self._send({"method": "initialized", "params": {}})
        self._send({"method": "workspace/didChangeConfiguration", "params": {"settings": _SETTINGS}})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def show(self, path: Path, text: str) -> list[Message]:
        """Opens the file with that text, or changes it, and gives the diagnostics."""
        uri = path.as_uri()
        version = self._versions[uri] = self._versions.get(uri, 0) + 1
        document: Message = {"uri": uri, "version": version}
        if version == 1:
            opened: Message = {"textDocument": {**document, "languageId": "yaml", "text": text}}
            self._send({"method": "textDocument/didOpen", "params": opened})
        else:
            changed: Message = {"textDocument": document, "contentChanges": [{"text": text}]}
            self._send({"method": "textDocument/didChange", "params": changed})
        while True:
            found, diagnostics = self._diagnostics.get(timeout=_PATIENCE)
            if found == uri:
                return diagnostics

    def hover(self, path: Path, line: int, column: int) -> str:
        answer = self._ask("textDocument/hover", _place(path, line, column))
        contents = cast("dict[str, dict[str, str]]", answer or {}).get("contents", {})
        return contents.get("value", "")

    def complete(self, path: Path, line: int, column: int) -> set[str]:
        """The labels of what is suggested."""
        answer = self._ask("textDocument/completion", _place(path, line, column))
        items = answer.get("items", []) if isinstance(answer, dict) else answer
        return {cast("str", item["label"]) for item in cast("list[Message]", items or [])}

    def _ask(self, method: str, params: Message) -> Json:
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            answer = self._answers.get(timeout=_PATIENCE)
            if answer.get("id") == self._last:
                assert "error" not in answer, answer
                return answer.get("result")

    def _send(self, message: Mapping[str, Json]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.partition(b":")[2])
            while stream.readline().strip():
                pass
            self._take(json.loads(stream.read(length)))

    def _take(self, message: Message) -> None:
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            params = cast("Message", message["params"])
            self._diagnostics.put((cast("str", params["uri"]), cast("list[Message]", params["diagnostics"])))
        elif method == "workspace/configuration":
            self._send({"id": message["id"], "result": [_SETTINGS["yaml"], {}, {}, {}, {}]})
        elif "id" in message and method is not None:
            self._send({"id": message["id"], "result": None})
        elif "id" in message:
            self._answers.put(message)


_CAPABILITIES: Final[Message] = {
    "workspace": {"configuration": True},
    "textDocument": {"hover": {"contentFormat": ["plaintext"]}, "completion": {}, "publishDiagnostics": {}},
}


def _place(path: Path, line: int, column: int) -> Message:
    return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}

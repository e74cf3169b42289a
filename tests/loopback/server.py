"""A real HTTP server on 127.0.0.1 that speaks OpenAI's and Anthropic's protocols and answers by a script.

It records every request, counts how many are under way at once, and checks each against the rules.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self, TypeAlias

from agentctl.jsontypes import JsonObject, as_list, as_object, as_text, canonical
from loopback import anthropic_format, openai_format
from loopback.replies import Answer, Drop, Failure, Raw, Scripted
from loopback.rules import check_anthropic, check_body


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as it came in; header names in lower case. `broken` are the rules it breaks."""

    path: str
    headers: dict[str, str]
    body: JsonObject
    broken: list[str] = field(default_factory=list)

    @property
    def messages(self) -> list[JsonObject]:
        return [as_object(message) for message in as_list(self.body.get("messages"))]

    @property
    def tools(self) -> list[str]:
        """Names of the tools offered, in either protocol."""
        offered = [as_object(tool) for tool in as_list(self.body.get("tools"))]
        return [as_text((as_object(tool.get("function")) or tool).get("name")) for tool in offered]


Script: TypeAlias = Callable[[Seen], Scripted]
_NOTHING = Failure(status=400, body={"error": {"message": "the loopback server has no further answer"}})


class LoopbackServer:
    """`base_url` is what an OpenAI client is given; `address` what an Anthropic one is.

    Answers come from `say` in order, or from `script`, which is asked from the threads of the server.
    `lenient` keeps broken rules from failing the test that uses the fixture.
    """

    def __init__(self, script: Script | None = None, *, port: int = 0) -> None:
        self.script = script
        self.requests: list[Seen] = []
        self.lenient = False
        self.most_at_once = 0
        self.connections = 0
        self._answers: deque[Scripted] = deque()
        self.lock = threading.Lock()
        self._under_way = 0
        self._http = _Http(("127.0.0.1", port), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def base_url(self) -> str:
        return f"{self.address}/v1"

    @property
    def broken(self) -> list[str]:
        """Every broken rule of every request so far."""
        return [f"request {i}: {rule}" for i, seen in enumerate(self.requests, 1) for rule in seen.broken]

    def say(self, *answers: Scripted) -> None:
        self._answers.extend(answers)

    def answer(self, seen: Seen) -> Scripted:
        with self.lock:
            self.requests.append(seen)
            if self._answers:
                return self._answers.popleft()
        return self.script(seen) if self.script is not None else _NOTHING

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self.lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            yield
        finally:
            with self.lock:
                self._under_way -= 1


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no event."""


def _handler(server: LoopbackServer) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        owner = server

    return Handler


class _Handler(BaseHTTPRequestHandler):
    owner: LoopbackServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is printed."""

    def setup(self) -> None:
        super().setup()
        with self.owner.lock:
            self.owner.connections += 1

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        data = self.rfile.read(length)
        if len(data) < length:  # whoever was asking died at it
            self.close_connection = True
            return
        value = json.loads(data or b"{}")
        with self.owner.counted():
            self._answer(as_object(value))

    def _answer(self, body: JsonObject) -> None:
        anthropic = self.path.endswith("/messages")
        seen = Seen(
            path=self.path,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=body,
            broken=check_anthropic(body) if anthropic else check_body(body),
        )
        match self.owner.answer(seen):
            case Answer() as answer:
                self._reply(answer, body, anthropic=anthropic)
            case Failure() as failure:
                time.sleep(failure.delay)
                page = isinstance(failure.body, str)
                text = str(failure.body) if page else canonical(failure.body)
                self._send(failure.status, text, "text/html" if page else "application/json", failure.headers)
            case Raw() as raw:
                self._send(raw.status, raw.body, raw.content_type)
            case Drop():
                self._hang_up()

    def _reply(self, answer: Answer, body: JsonObject, *, anthropic: bool) -> None:
        if answer.hold is not None and not answer.hold_after:
            answer.hold.wait()
        time.sleep(answer.delay)
        if not (body.get("stream") is True and answer.stream):
            value = anthropic_format.whole(answer) if anthropic else openai_format.whole(answer)
            self._send(200, canonical(value), "application/json")
        elif anthropic:
            named = (
                f"event: {json.loads(data)['type']}\ndata: {data}\n\n"
                for data in anthropic_format.events(answer)
            )
            self._stream(named, answer)
        else:
            counted = as_object(body.get("stream_options")).get("include_usage") is True
            events = openai_format.events(answer, with_usage=counted)
            self._stream((f"data: {data}\n\n" for data in events), answer)

    def _stream(self, events: Iterable[str], answer: Answer) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for i, event in enumerate(events):
            if i == answer.cut_after:
                self._hang_up()
                return
            if answer.hold is not None and i == answer.hold_after:
                answer.hold.wait()
            time.sleep(answer.pause)
            data = event.encode("utf-8")
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")

    def _send(
        self, status: int, text: str, content_type: str, headers: Mapping[str, str] | None = None
    ) -> None:
        data = text.encode("utf-8")
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

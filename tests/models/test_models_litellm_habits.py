"""litellm as it is: each habit that agentctl is built around, so that a release which drops one is noticed.

A failure here is no fault: it says that something may be done more simply from now on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from agentctl.jsontypes import JsonObject, as_object, as_text
from loopback.replies import Failure
from loopback.server import LoopbackServer

pytestmark = pytest.mark.xdist_group("litellm")  # its import takes seconds: one worker is enough

_BARE = """
import contextlib, io, json, resource, sys
found = {}
import litellm
usage = resource.getrusage(resource.RUSAGE_SELF)
found["cpu"] = usage.ru_utime + usage.ru_stime
found["megabytes"] = usage.ru_maxrss / (1_000_000 if sys.platform == "darwin" else 1_000)

def failure(**more):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            litellm.completion(messages=[{"role": "user", "content": "x"}], **more)
        except Exception as error:
            kind = f"{type(error).__module__}.{type(error).__name__}"
            status = getattr(error, "status_code", None)
            return {"kind": kind, "status": status, "printed": printed.getvalue()}

url = sys.argv[1]
found["refused"] = failure(model="openai/gpt-4o-mini", base_url=url, api_key="x")
found["no_key"] = failure(model="openai/gpt-4o-mini")
sys.modules["tenacity"] = None
found["retried"] = failure(model="openai/gpt-4o-mini", base_url=url, api_key="x", num_retries=1)
found["unmapped"] = litellm.supports_function_calling(model="ollama/nobody-knows-this")
print(json.dumps(found))
"""
_OFFLINE = """
import json, socket, sys
asked = []
def refuse(host, *rest, **more):
    asked.append(str(host))
    raise OSError("no network here")
socket.getaddrinfo = refuse
import litellm
print(json.dumps(asked))
"""


def python(code: str, *words: str, local: bool) -> str:
    """What a process prints last; `local` keeps litellm from fetching its list."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI", "LITELLM"))}
    more = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"} if local else {}
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**kept, **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def bare() -> Iterator[JsonObject]:
    """litellm used as its documentation has it, against a server that fails."""
    with LoopbackServer(lambda _seen: Failure(status=500)) as server:
        yield as_object(json.loads(python(_BARE, server.base_url, local=True)))


def test_its_import_takes_seconds_and_much_memory(bare: JsonObject) -> None:
    cpu, megabytes = bare["cpu"], bare["megabytes"]
    assert isinstance(cpu, float)
    assert isinstance(megabytes, float)
    assert cpu > 1.5, "quick enough now to carry OpenAI's protocol too?"
    assert megabytes > 120


def test_it_prints_to_stdout_on_errors(bare: JsonObject) -> None:
    assert "Give Feedback" in as_text(as_object(bare["refused"])["printed"])


def test_it_takes_a_missing_key_for_a_failing_server(bare: JsonObject) -> None:
    found = as_object(bare["no_key"])
    assert (found["kind"], found["status"]) == ("litellm.exceptions.InternalServerError", 500)


def test_its_own_retries_end_in_a_bare_exception_without_tenacity(bare: JsonObject) -> None:
    assert as_object(bare["retried"])["kind"] == "builtins.Exception"


def test_it_takes_a_model_that_it_does_not_know_for_one_that_calls_no_tools(bare: JsonObject) -> None:
    assert bare["unmapped"] is False


def test_its_import_asks_the_network_unless_it_is_told_not_to() -> None:
    """That it does not when it is told is held where agentctl imports it."""
    assert any("github" in host for host in json.loads(python(_OFFLINE, local=False)))


def test_the_releases_that_were_malicious_cannot_be_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    (wanted,) = [
        Requirement(each) for each in project["project"]["dependencies"] if each.startswith("litellm")
    ]
    assert not any(wanted.specifier.contains(bad) for bad in ("1.82.7", "1.82.8"))
    assert wanted.specifier.contains(version("litellm"))
    assert not wanted.specifier.contains("2.0.0")

"""The openai client is imported without aiohttp, and nobody who asks for that way misses it."""

from __future__ import annotations

import subprocess
import sys

_CODE = """
import asyncio, sys
from agentctl.models import openai_loading
openai_loading.load()
openai_loading.load()
assert "aiohttp" not in sys.modules
import openai
assert "openai._vendor.httpx_aiohttp" not in sys.modules

async def main():
    client = openai.DefaultAioHttpClient(timeout=3)
    assert client.follow_redirects
    await client.aclose()

asyncio.run(main())
assert "aiohttp" in sys.modules
"""


def test_it_loads_less_and_offers_all() -> None:
    done = subprocess.run([sys.executable, "-c", _CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_client_that_is_there_already_is_left_alone() -> None:
    code = (
        "import openai; first = openai.DefaultAioHttpClient\n"
        "from agentctl.models import openai_loading; openai_loading.load()\n"
        "assert openai.DefaultAioHttpClient is first"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


_HALF = """
import importlib, sys, threading
from importlib.abc import MetaPathFinder
from agentctl.models import openai_loading
openai_loading.load()
begun, go = threading.Event(), threading.Event()

class Slow(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "httpx._config":
            begun.set()
            go.wait()

sys.meta_path.insert(0, Slow())
other = threading.Thread(target=importlib.import_module, args=("httpx",))
other.start()
begun.wait()
assert not hasattr(sys.modules["httpx"], "Timeout")
import openai
go.set()
openai.OpenAI(api_key="k", timeout=3.0).close()
other.join()
"""


def test_the_client_does_not_take_up_what_another_thread_has_half_imported() -> None:
    done = subprocess.run([sys.executable, "-c", _HALF], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


_LEAVES = """
import importlib, itertools, threading
from agentctl.models.loading import begin_loading
begun = threading.Event()

def load():
    try:
        for number in itertools.count():
            begun.set()
            try:
                importlib.import_module(f"no_such_module_{number}")
            except Exception:
                pass
    finally:
        print("the import has ended", flush=True)

begin_loading("something", load)
begun.wait()
"""


def test_an_exit_ends_the_import_that_is_under_way() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LEAVES], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "the import has ended\n"), done.stderr

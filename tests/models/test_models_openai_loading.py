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

"""The version that is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    try:
        return installed("agentctl")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "0+source"

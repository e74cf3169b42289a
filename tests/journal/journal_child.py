"""A process of its own that works on a run: `python journal_child.py DUTY RUN …`."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
from pathlib import Path

from journal_runs import KillingDisk, new_run, record_batches

from agentctl.errors import AgentctlError
from agentctl.journal.directory import open_run


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def killed(run: Path, moment: str, batch: str) -> None:
    """Records one batch after another, telling each that is acknowledged, until its disk kills it."""

    async def scene() -> None:
        journal = open_run(run, disk=KillingDisk(batch=int(batch), moment=moment))
        for _ in range(9):
            await record_batches(journal, [2])
            tell(str(len(journal.records)))

    asyncio.run(scene())


def hold(run: Path) -> None:
    """Opens the run when told to, tells how that went, and holds it until its input ends."""
    tell("ready")
    sys.stdin.readline()
    try:
        journal = open_run(run)
    except AgentctlError as error:
        tell(f"{type(error).__name__}: {error.message}")
        return
    tell("won")
    sys.stdin.readline()
    asyncio.run(journal.close())


def orphan(run: Path) -> None:
    """Holds the run, leaves a forked child behind that lives on, and dies of a kill."""
    open_run(run)
    forked, told = os.pipe()
    if os.fork() == 0:
        os.write(told, b".")
        tell(str(os.getpid()))
        sys.stdin.readline()
        os._exit(0)
    os.read(forked, 1)
    os.kill(os.getpid(), 9)


def small(run: Path) -> None:
    """Records until the file may not grow any more, then says why it could not go on."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    async def scene() -> None:
        journal = open_run(run)
        while True:
            await record_batches(journal, [1])
            tell(str(len(journal.records)))

    try:
        asyncio.run(scene())
    except AgentctlError as error:
        tell(f"{type(error).__name__}: {error.message} | {error.hint}")


def unprivileged(run: Path, duty: str) -> None:
    """As somebody who is not root: opens a run, or creates one in the folder."""
    if os.getuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    try:
        if duty == "open":
            open_run(run)
        else:
            new_run(run)
    except AgentctlError as error:
        tell(f"{type(error).__name__}: {error.message} | {error.hint}")


if __name__ == "__main__":
    duty, run, *more = sys.argv[1:]
    if duty == "killed":
        killed(Path(run), *more)
    elif duty == "unprivileged":
        unprivileged(Path(run), *more)
    else:
        {"hold": hold, "orphan": orphan, "small": small}[duty](Path(run))

"""Tests of teams in people's own suites: pytest collects `*.test.yaml`, and team files given to it by name.

It is loaded by every pytest beside which agentctl is installed, so it imports the rest on first use.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from agentctl.jsontypes import JsonObject
    from agentctl.testing.results import Failure, Item, Result
    from agentctl.testing.script_use import ScriptUse

_ENDING: Final = ".test.yaml"
_LIVE: Final = "agentctl_live"
_USE: Final[pytest.StashKey[ScriptUse]] = pytest.StashKey()
_WORKERS: Final[pytest.StashKey[list[JsonObject]]] = pytest.StashKey()
_LEFT: Final[pytest.StashKey[list[Failure]]] = pytest.StashKey()
_ALONE: Final[pytest.StashKey[list[Path]]] = pytest.StashKey()
_TOLD: Final = "agentctl_scripts"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("agentctl")
    group.addoption(
        "--agentctl-live",
        action="store_true",
        dest=_LIVE,
        help="Ask the models of agentctl teams in place of offline; scripts and recordings stay.",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> TeamTests | None:
    if file_path.suffix not in (".yaml", ".yml"):
        return None
    stated = parent.session.isinitpath(file_path)
    if _is_meant(file_path, parent.config, stated=stated):
        return TeamTests.from_parent(parent, path=file_path)
    return None


def _is_meant(path: Path, config: pytest.Config, *, stated: bool) -> bool:
    """Other programs may call their files so too: only tests with a team are taken, or what is given by name
    and looks like a team or its tests.
    """
    if not stated and not path.name.endswith(_ENDING):
        return False
    from agentctl.spec.looks import head, is_like_a_team, is_like_tests, is_test_file
    from agentctl.spec.test_files import has_team

    text = head(path)
    if not is_like_tests(text):
        return stated and is_like_a_team(text)
    if stated:
        return True
    meant = is_test_file(path) and has_team(path)
    if is_test_file(path) and not meant:
        config.stash.setdefault(_ALONE, []).append(path)
    return meant


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """What was left alone is told, and warns nobody whose file it is."""
    return [
        f"agentctl left alone '{_near(path)}': no team stands beside it, and no `team:` in it"
        for path in config.stash.get(_ALONE, [])
    ]


class TeamTests(pytest.File):
    """A file of tests, or a team file with the files beside it."""

    def collect(self) -> Iterator[TeamTest]:
        from agentctl.errors import AgentctlError
        from agentctl.testing.collect import collect

        try:
            items = collect([_near(self.path)], live=bool(self.config.getoption(_LIVE)))
        except AgentctlError as error:
            raise self.CollectError(_told(error)) from None
        use = _use(self.config)
        use.expect(items)
        for item in items:
            yield TeamTest.from_parent(self, name=item.case.name, item=item, use=use)


class TeamTest(pytest.Item):
    """One case. Its tags are words for `-k`."""

    def __init__(self, *, item: Item, use: ScriptUse, **more: Any) -> None:
        super().__init__(**more)
        self.item = item
        self.use = use
        self.extra_keyword_matches.update(item.case.tags)

    def runtest(self) -> None:
        from agentctl.testing.run_case import run_case

        result = asyncio.run(run_case(self.item, self.use.ran, keep_in=self.config.rootpath))
        if result.verdict != "passed":
            raise Unexpected(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A text, or what pytest makes of it, which has no public name."""
        if isinstance(excinfo.value, Unexpected):
            from agentctl.render.tests_text import failure_text

            return f"{excinfo.value}\n{failure_text(excinfo.value.result)}"  # its first line is the summary's
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        span = self.item.case.span
        return self.path, span.line - 1, self.name


class Unexpected(Exception):
    """A team that did not do what its test expects."""

    def __init__(self, result: Result) -> None:
        missed = ", ".join(dict.fromkeys(failure.what for failure in result.failures))
        super().__init__(f"not as expected: {missed}" if missed else result.message.partition("\n")[0])
        self.result = result


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """A process of pytest-xdist has ended: what it knows of scripts, of which others ran tests as well."""
    told = getattr(node, "workeroutput", {}).get(_TOLD)
    if told:
        getattr(node, "config").stash.setdefault(_WORKERS, []).append(told)  # noqa: B009 - xdist is not typed


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The last test of a script fails where it is known which is last; else the session does."""
    config = session.config
    output, told = getattr(config, "workeroutput", None), config.stash.get(_WORKERS, [])
    if output is not None:
        output[_TOLD] = _use(config).as_json() if _USE in config.stash else {}
    elif told:
        from agentctl.testing.script_use import shared_use

        config.stash[_LEFT] = shared_use(told)
        if config.stash[_LEFT] and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left = config.stash.get(_LEFT, [])
    if left:
        from agentctl.render.tests_text import expectation_text

        terminalreporter.section("turns of scripts that no test came to", red=True)
        for failure in left:
            terminalreporter.line(expectation_text(failure))


def _use(config: pytest.Config) -> ScriptUse:
    """One for the session: several files may share a script. Runs that are kept stay as long as it lasts."""
    from agentctl.testing.script_use import ScriptUse
    from agentctl.testing.sessions import session

    if _USE not in config.stash:
        held = ExitStack()
        held.enter_context(session(config.rootpath, clearing=False))
        config.add_cleanup(held.close)
        config.stash[_USE] = ScriptUse()
    return config.stash[_USE]


def _near(path: Path) -> Path:
    """As it is shown: relative where the file is below the working directory."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _told(error: Exception) -> str:
    from agentctl.errors import TeamError
    from agentctl.render.diagnostics_text import diagnostics_text

    if isinstance(error, TeamError) and error.report.found:
        return "\n".join(line.plain for line in diagnostics_text(error.report, width=100, links=False))
    hint = getattr(error, "hint", None)
    return f"{error}\nhint: {hint}" if hint else str(error)

"""Words for modules that are missing, refused, or fail while they are imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from traceback import extract_tb
from typing import Final

from agentctl.diagnostics import nearest, nearest_file
from agentctl.tools.isolation import public_name
from agentctl.tools.problems import Fault
from agentctl.tools.wording import exception_text

_PROGRAM: Final = Path(__file__).parent


def missing_module(name: str, places: Sequence[Path]) -> Fault:
    tried = ", ".join(f'"{place}"' for place in places)
    close = nearest(name, _modules_near(name, places))
    head = name.partition(".")[0]
    return Fault(
        code="module-missing",
        message=f'there is no module "{name}": looked in {tried} and among installed packages',
        hint=f'did you mean "{close}"?' if close else f"write `{head}.py` there, or install it",
    )


def missing_file(text: str, path: Path) -> Fault:
    folder = path.parent
    names = [file.name for file in folder.glob("*.py")] if folder.is_dir() else []
    close = nearest_file(path.name, names)
    shown = f"{text[: len(text) - len(path.name)]}{close}"
    return Fault(
        code="module-missing",
        message=f'there is no file "{text}": looked for "{path}"',
        hint=f'did you mean "{shown}"?' if close else "the path counts from the folder of the team file",
    )


def not_python(text: str) -> Fault:
    return Fault(
        code="function-malformed",
        message=f'"{text}" is no Python file',
        hint="a path to a function ends in `.py` before the colon, as in `./tools.py:check_balance`",
    )


def standard_library(text: str) -> Fault:
    return Fault(
        code="standard-library",
        message=f'"{text}" is part of Python\'s standard library, which a team file may not call',
        hint="write a function of your own that does what you mean, and name that",
    )


def raised(error: BaseException, name: str, places: Sequence[Path]) -> Fault:
    """`name` is the module as the team file calls it; in `places` is the author's own code."""
    if isinstance(error, SyntaxError):
        return _syntax(error, name, places)
    where = _place(error, places)
    if isinstance(error, SystemExit):
        message = f'"{name}" ended the program while it was imported: {exception_text(error)}{where}'
        return Fault(code="import-failed", message=message, hint="keep what ends the program in a function")
    if isinstance(error, ModuleNotFoundError) and error.name:
        missing = public_name(error.name)
        return Fault(
            code="import-failed",
            message=f'"{name}" imports "{missing}", which was not found{where}',
            hint=f'install what has "{missing}" where agentctl is installed, or put its file beside this one',
        )
    return Fault(
        code="import-failed",
        message=f'"{name}" raised {exception_text(error)} while it was imported{where}',
        hint="a module is imported before a run starts; it must not need what only a run has",
    )


def _syntax(error: SyntaxError, name: str, places: Sequence[Path]) -> Fault:
    where = f" ({_shown(error.filename, places)}:{error.lineno})" if error.filename else ""
    line = (error.text or "").strip()
    return Fault(
        code="module-syntax",
        message=f'"{name}" is not valid Python: {error.msg}{where}',
        hint=f"mend this line: {line[:200]}" if line else "mend the file",
    )


def _place(error: BaseException, places: Sequence[Path]) -> str:
    """Where it was raised: in the author's own code if any of it is on the way, else wherever it was."""
    frames = [frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    own = [frame for frame in frames if _home(Path(frame.filename), places)]
    last = (own or frames)[-1:]
    return f" ({_shown(last[0].filename, places)}:{last[0].lineno})" if last else ""


def _shown(filename: str, places: Sequence[Path]) -> str:
    home = _home(Path(filename), places)
    return str(Path(filename).relative_to(home)) if home else filename


def _home(path: Path, places: Sequence[Path]) -> Path | None:
    """The place that `path` is in, unless as part of an environment kept there, or of this program."""
    if "site-packages" in path.parts or path.is_relative_to(_PROGRAM):
        return None
    return next((place for place in places if path.is_relative_to(place)), None)


def _modules_near(name: str, places: Sequence[Path]) -> Iterator[str]:
    package = name.rpartition(".")[0]
    for place in places:
        yield from _modules_in(place, "")
        if package:
            yield from _modules_in(place.joinpath(*package.split(".")), f"{package}.")


def _modules_in(folder: Path, prefix: str) -> Iterator[str]:
    if not folder.is_dir():
        return
    for entry in sorted(folder.iterdir()):
        if entry.suffix == ".py" and entry.stem != "__init__":
            yield f"{prefix}{entry.stem}"
        elif (entry / "__init__.py").is_file():
            yield f"{prefix}{entry.name}"

"""Turns the functions that a team file names into Python callables, or says as data why it cannot.

A name is looked for in the folder of the file it stands in, then in the importer's folders, then in the
working directory, then among installed packages. It knows nothing of tools, schemas or calls.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final

from agentctl.jsontypes import digest
from agentctl.spec.settings import FunctionRef
from agentctl.tools import import_faults as faults
from agentctl.tools.attributes import STANDARD, pick
from agentctl.tools.capture import ToStderr, routed
from agentctl.tools.isolation import Space, SpaceFinder
from agentctl.tools.problems import Fault
from agentctl.tools.targets import Target, read_target

_PROGRAM: Final = "agentctl"


class Importer:
    """Imports each module once, apart from every other importer's.

    `folders` come after the folder that a reference stands in. Modules of the standard library are
    refused unless `allow_stdlib`. What modules print while they are imported goes to stderr. `close`
    forgets the modules; functions got before go on working, as long as they import nothing more.
    """

    def __init__(self, folders: Sequence[Path] = (), *, allow_stdlib: bool = False) -> None:
        places = [folder.resolve() for folder in folders]
        with suppress(FileNotFoundError):  # somebody removed it; the other places remain
            places.append(Path.cwd())
        self._folders = list(dict.fromkeys(places))
        self._allow_stdlib = allow_stdlib
        self._finder = SpaceFinder()
        self._finder.install()
        self._by_folder: dict[Path, Space] = {}
        self._located: dict[tuple[str, Path], Space | None] = {}
        self._modules: dict[str, ModuleType | Fault] = {}

    def load(self, ref: FunctionRef) -> Callable[..., object] | Fault:
        """The callable that `ref` names. Of what its module raises only KeyboardInterrupt comes through."""
        target = read_target(ref.target)
        if isinstance(target, Fault):
            return target
        found = self._module(target, ref)
        if isinstance(found, Fault):
            return found
        with routed(ToStderr()):
            return pick(found, target.attributes, ref.target, guarded=not self._allow_stdlib)

    def absence(self, ref: FunctionRef) -> Fault | None:
        """What keeps `ref` from being imported that shows without running any code."""
        target = read_target(ref.target)
        if isinstance(target, Fault):
            return target
        folder = ref.folder.resolve()
        if target.file is not None:
            path = (folder / target.file).resolve()
            return _unfit_file(target.file, path)
        head = (target.module or "").partition(".")[0]
        places = list(dict.fromkeys([folder, *self._folders]))
        if self._search(head, places) is not None:
            return None
        if head in STANDARD and not self._allow_stdlib:
            return faults.standard_library(ref.target)
        return None if _is_installed(head) else faults.missing_module(target.module or "", places)

    def close(self) -> None:
        self._finder.remove()
        self._by_folder.clear()
        self._located.clear()
        self._modules.clear()

    def _module(self, target: Target, ref: FunctionRef) -> ModuleType | Fault:
        folder = ref.folder.resolve()
        if target.file is not None:
            return self._file(target.file, folder)
        name = target.module or ""
        head = name.partition(".")[0]
        places = list(dict.fromkeys([folder, *self._folders]))
        space = self._search(head, places)
        if space is not None:
            return self._import(space.full(name), name, places)
        if head in STANDARD and not self._allow_stdlib:
            return faults.standard_library(ref.target)
        return self._import(name, name, places)

    def _file(self, text: str, folder: Path) -> ModuleType | Fault:
        path = (folder / text).resolve()
        unfit = _unfit_file(text, path)
        if unfit is not None:
            return unfit
        root = path.parent
        while root != folder and (root / "__init__.py").is_file() and root != root.parent:
            root = root.parent
        space = self._space(root)
        name = self._file_module(path, space)
        usual = name if _is_usual(name, str(path)) else space.full(name)
        return self._import(usual, text, [root])

    def _file_module(self, path: Path, space: Space) -> str:
        parts = path.relative_to(space.folder).with_suffix("").parts
        if len(parts) > 1 and parts[-1] == "__init__":
            parts = parts[:-1]
        if not any("." in part for part in parts):
            return ".".join(parts)
        name = re.sub(r"\W", "_", path.stem) + "_" + digest(str(path))[:6]
        space.add_file(name, path)
        return name

    def _import(self, full: str, shown: str, places: Sequence[Path]) -> ModuleType | Fault:
        if full not in self._modules:
            self._modules[full] = self._import_now(full, shown, places)
        return self._modules[full]

    def _import_now(self, full: str, shown: str, places: Sequence[Path]) -> ModuleType | Fault:
        before, path = self._finder.loaded(), list(sys.path)
        try:
            with routed(ToStderr()):
                module = importlib.import_module(full)
        except BaseException as error:
            self._finder.forget(self._finder.loaded() - before)
            sys.path[:] = path
            if isinstance(error, KeyboardInterrupt):
                raise
            if _is_absent(error, full):
                return faults.missing_module(shown, places)
            return faults.raised(error, shown, places)
        # a module's own folder needs no entry there, and other teams must not find it
        own = {str(folder) for folder in self._by_folder}
        sys.path[:] = [entry for entry in sys.path if entry in path or str(Path(entry).resolve()) not in own]
        return module

    def _space(self, folder: Path) -> Space:
        if folder not in self._by_folder:
            space = Space(folder, self._locate)
            self._by_folder[folder] = space
            self._finder.spaces[space.name] = space
        return self._by_folder[folder]

    def _locate(self, head: str, space: Space) -> Space | None:
        """Where code of `space` gets the top-level module `head` from."""
        key = (head, space.folder)
        if key not in self._located:
            places = [space.folder] if head in STANDARD else [space.folder, *self._folders]
            self._located[key] = None if head in sys.builtin_module_names else self._search(head, places)
        return self._located[key]

    def _search(self, head: str, places: Sequence[Path]) -> Space | None:
        """The first place with a module or package `head`; a mere folder only where nothing else is."""
        if head == _PROGRAM:
            return None
        bare: Space | None = None
        for place in places:
            space = self._space(place)
            spec = space.find(space.full(head))
            if spec is not None and spec.loader is not None:
                return None if _is_usual(head, spec.origin) else space
            if spec is not None and bare is None:
                bare = space
        return None if bare is None or _is_installed(head) else bare


def _unfit_file(text: str, path: Path) -> Fault | None:
    if path.suffix != ".py":
        return faults.not_python(text)
    return None if path.is_file() else faults.missing_file(text, path)


def _is_usual(name: str, origin: str | None) -> bool:
    """Whether this very file is already imported under its usual name; a second copy would not be it."""
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and origin is not None and Path(file).resolve() == Path(origin).resolve()


def _is_installed(head: str) -> bool:
    if head in sys.modules:
        return True
    found: ModuleSpec | None = find_spec(head)
    return found is not None


def _is_absent(error: BaseException, full: str) -> bool:
    """Whether `full` itself, or a package on the way to it, is what was not found."""
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    return name is not None and (full == name or full.startswith(f"{name}."))

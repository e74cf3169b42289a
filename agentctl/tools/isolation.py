"""Loads the modules of one folder under names of its own, so that equal names elsewhere never meet.

`<folder>/tools.py` becomes the module `<space>.tools`. Code inside the folder goes on writing
`import helpers`: its builtins hold an `__import__` that looks in its own folder before anywhere else.
"""

from __future__ import annotations

import builtins
import importlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
    SourcelessFileLoader,
)
from importlib.util import spec_from_file_location
from itertools import count
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final, TypeAlias

from agentctl.jsontypes import digest

_PREFIX: Final = "agentctl_team_"
_SPACE: Final = re.compile(rf"{_PREFIX}[0-9a-f]{{8}}(_\d+)?\.")

Locate: TypeAlias = Callable[[str, "Space"], "Space | None"]
"""From a top-level name and the space whose code imports it to the space that has it, or None."""


class Space:
    """The modules of one folder, `name` being the package they are loaded below."""

    def __init__(self, folder: Path, locate: Locate) -> None:
        self.folder = folder
        self.name = _free_name(folder)
        self._locate = locate
        self._files: dict[str, Path] = {}
        self._builtins = {**vars(builtins), "__import__": self._import}
        root = ModuleType(self.name, f"The modules of {folder}.")
        root.__spec__ = ModuleSpec(self.name, None, is_package=True)
        root.__spec__.submodule_search_locations = [str(folder)]
        root.__path__ = [str(folder)]
        root.__package__ = self.name
        sys.modules[self.name] = root

    def add_file(self, name: str, path: Path) -> None:
        """Makes a file importable as `name`, whatever the file is called."""
        self._files[self.full(name)] = path

    def full(self, name: str) -> str:
        return f"{self.name}.{name}"

    def find(self, full: str, folders: Sequence[str] | None = None) -> ModuleSpec | None:
        """The spec of a module of this space, or None. One without `origin` is a folder without code."""
        if full in self._files:
            spec = spec_from_file_location(full, self._files[full])
            return spec and self._own(spec)
        for folder in [str(self.folder)] if folders is None else folders:
            spec = _finder(folder).find_spec(full)
            if spec is not None:
                return self._own(spec)
        return None

    def _own(self, spec: ModuleSpec) -> ModuleSpec:
        if isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path, self._builtins)
        return spec

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002  the interpreter passes them by these names
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        head = name.partition(".")[0]
        space = self._locate(head, self) if level == 0 else None
        if space is None:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        full = space.full(name)
        if fromlist:
            return builtins.__import__(full, globals, locals, fromlist, 0)
        importlib.import_module(full)
        return sys.modules[space.full(head)]


class SpaceFinder:
    """What `importlib` asks for the modules of the spaces; in place from `install` until `remove`."""

    def __init__(self) -> None:
        self.spaces: dict[str, Space] = {}

    def install(self) -> None:
        sys.meta_path.insert(0, self)

    def remove(self) -> None:
        """Takes the spaces out of `sys.modules`; functions already taken from them go on working."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        self.forget(self.loaded())
        for name in self.spaces:
            sys.modules.pop(name, None)
        self.spaces.clear()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, _target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        space = self.spaces.get(fullname.partition(".")[0])
        return None if space is None or path is None else space.find(fullname, path)

    def loaded(self) -> set[str]:
        """The names of every module of the spaces, whole or being imported."""
        return {
            name
            for name in tuple(sys.modules)
            if name.startswith(_PREFIX) and "." in name and name.partition(".")[0] in self.spaces
        }

    def forget(self, names: set[str]) -> None:
        for name in names:
            module = sys.modules.pop(name, None)
            parent, _, child = name.rpartition(".")
            holder = sys.modules.get(parent)
            if module is not None and holder is not None and vars(holder).get(child) is module:
                delattr(holder, child)


class _Loader(SourceFileLoader):
    """Executes a file with the builtins of its space, always from the source, and leaves no bytecode."""

    def __init__(self, fullname: str, path: str, own_builtins: Mapping[str, object]) -> None:
        super().__init__(fullname, path)
        self._own_builtins = own_builtins

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = self._own_builtins
        super().exec_module(module)

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def public_name(text: str) -> str:
    """A module's name, or a text with such names in it, as the author of the folder knows it."""
    return _SPACE.sub("", text)


def _free_name(folder: Path) -> str:
    base = f"{_PREFIX}{digest(str(folder))[:8]}"
    names = (base if number == 1 else f"{base}_{number}" for number in count(1))
    return next(name for name in names if name not in sys.modules)


def _finder(folder: str) -> FileFinder:
    """A new one each time: those that Python keeps may not have seen a file written just now."""
    return FileFinder(
        folder,
        (ExtensionFileLoader, EXTENSION_SUFFIXES),
        (SourceFileLoader, SOURCE_SUFFIXES),
        (SourcelessFileLoader, BYTECODE_SUFFIXES),
    )


def is_space_module(name: object) -> bool:
    return isinstance(name, str) and name.startswith(_PREFIX)

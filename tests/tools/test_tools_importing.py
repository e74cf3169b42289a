from __future__ import annotations

import asyncio
import dataclasses
import inspect
import pickle
import sys
import threading
from pathlib import Path
from typing import get_type_hints

import pytest
from tools_desk import Desk, desk_fixture

from agentctl.errors import ToolError
from agentctl.tools.problems import Fault

desk = desk_fixture


@pytest.mark.parametrize(
    "target",
    [
        "tools:answer",
        "./tools.py:answer",
        "lib.deep.tools:answer",
        "./lib/deep/tools.py:answer",
        "tools:Desk.answer",
    ],
)
def test_a_function_is_found_by_module_by_file_and_by_dotted_attribute(desk: Desk, target: str) -> None:
    source = """
        def answer():
            return 42
        class Desk:
            @staticmethod
            def answer():
                return 42
    """
    desk.write("tools.py", source)
    desk.write("lib/deep/tools.py", source)
    assert desk.give(target) == 42


def test_the_same_file_by_two_spellings_is_one_module_imported_once(desk: Desk) -> None:
    desk.write(
        "tools.py",
        "from pathlib import Path\nPath(__file__).with_name('once').mkdir()\ndef f(): ...",
    )
    assert desk.function("tools:f") is desk.function("./tools.py:f")
    assert (desk.folder / "once").is_dir()


def test_two_importers_import_apart(desk: Desk) -> None:
    desk.write("tools.py", "def f(): ...")
    first, second = (
        desk.new_importer().load(desk.ref("tools:f")),
        desk.new_importer().load(desk.ref("tools:f")),
    )
    assert first is not second


def test_equal_module_names_of_two_folders_never_meet(desk: Desk) -> None:
    for team in ("a", "b"):
        desk.write(
            f"{team}/tools.py",
            "import helpers\nfrom pack.inner import word\ndef f(): return helpers.NAME + word",
        )
        desk.write(f"{team}/helpers.py", f"NAME = '{team}'")
        desk.write(f"{team}/pack/__init__.py", "")
        desk.write(f"{team}/pack/inner.py", "from .word import word\nfrom . import word as module\n")
        desk.write(f"{team}/pack/word.py", f"word = '{team.upper()}'")
    assert desk.give("tools:f", folder="a") == "aA"
    assert desk.give("tools:f", folder="b") == "bB"
    theirs = [sys.modules.get(name) for name in ("tools", "helpers", "pack", "pack.inner")]
    assert not any(getattr(module, "__file__", None) for module in theirs), (
        "a folder of that name has no file"
    )


def test_an_import_inside_a_function_is_isolated_too_also_in_another_thread(desk: Desk) -> None:
    for team in ("a", "b"):
        desk.write(
            f"{team}/tools.py",
            "def f():\n    import late.part as part\n    import late.part\n    return part.N, late.part.N",
        )
        desk.write(f"{team}/late/part.py", f"N = '{team}'")
    found: list[object] = []
    for team in ("a", "b"):
        work = desk.function("tools:f", folder=team)
        assert callable(work)
        thread = threading.Thread(target=lambda work=work: found.append(work()))
        thread.start()
        thread.join()
    assert found == [("a", "a"), ("b", "b")]


def test_packages_with_relative_imports_and_the_folder_itself_as_a_package(desk: Desk) -> None:
    desk.write("__init__.py", "")
    desk.write("helpers.py", "N = 1")
    desk.write(
        "tools.py",
        (
            "from .helpers import N\n"
            "from . import helpers\n"
            "import helpers as again\n"
            "def f(): return N, helpers is again"
        ),
    )
    desk.write("lib/__init__.py", "")
    desk.write(
        "lib/tools.py", "from .parts.deep import N\nfrom .. import helpers\ndef f(): return N + helpers.N"
    )
    desk.write("lib/parts/__init__.py", "")
    desk.write("lib/parts/deep.py", "N = 2")
    assert desk.give("tools:f") == (1, True)
    assert desk.give("./lib/tools.py:f") == 3
    assert desk.function("./lib/tools.py:f") is desk.function("lib.tools:f")


def test_a_package_outside_the_folder_is_loaded_from_its_own_root(desk: Desk) -> None:
    desk.write("common/pack/__init__.py", "def g(): return 'g'")
    desk.write("common/pack/tools.py", "from . import g\nimport beside\ndef f(): return g() + beside.N")
    desk.write("common/beside.py", "N = '!'")
    desk.write("team/empty.py", "")
    assert desk.give("../common/pack/tools.py:f", folder="team") == "g!"
    assert desk.give("../common/pack/__init__.py:g", folder="team") == "g"


def test_files_that_no_import_could_name(desk: Desk) -> None:
    desk.write("billing-tools.py", "def f(): return 1")
    desk.write(
        "tools.v2.py",
        "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: int\ndef f(): return A(2).x",
    )
    desk.write("tools.v3.py", "def f(): return 3")
    assert [desk.give(f"./{name}.py:f") for name in ("billing-tools", "tools.v2", "tools.v3")] == [1, 2, 3]


def test_the_module_is_where_type_hints_dataclasses_and_pickle_look_for_it(desk: Desk) -> None:
    desk.write(
        "tools.py",
        """
        from __future__ import annotations
        import dataclasses
        @dataclasses.dataclass
        class Money:
            amount: int
            kind: Kind
        class Kind: ...
        def f(m: Money) -> Money: ...
        def make(): return Money(3, 'eur')
        """,
    )
    function = desk.function("tools:f")
    assert callable(function)
    made = desk.give("tools:make")
    assert get_type_hints(function)["m"] is type(made)
    assert dataclasses.asdict(pickle.loads(pickle.dumps(made)))["amount"] == 3
    assert inspect.getsource(function).startswith("def f")


def test_places_in_order_own_folder_team_folder_working_directory(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    team, here = tmp_path / "shared", tmp_path / "here"
    for folder, names in ((desk.folder, "a"), (team, "ab"), (here, "abc")):
        folder.mkdir(exist_ok=True)
        for name in names:
            (folder / f"mod_{name}.py").write_text(f"import mod_c\ndef f(): return {folder.name!r} + mod_c.N")
    (here / "mod_c.py").write_text("N = '.c'\ndef f(): return 'here'")
    monkeypatch.chdir(here)
    importer = desk.new_importer(team)
    found = [importer.load(desk.ref(f"mod_{name}:f")) for name in "abc"]
    assert [each() for each in found if callable(each)] == ["team.c", "shared.c", "here"]


def test_an_installed_package_comes_last(desk: Desk) -> None:
    import jsonschema

    assert desk.function("jsonschema:validate") is jsonschema.validate
    desk.write("jsonschema.py", "def validate(): return 'own'")
    assert desk.new_importer().load(desk.ref("jsonschema:validate")) is not jsonschema.validate


def test_a_mere_folder_hides_neither_packages_nor_the_standard_library(desk: Desk) -> None:
    desk.write("email/welcome.txt", "Hello")
    desk.write("jsonschema/team.json", "{}")
    desk.write(
        "tools.py",
        "import email.message, jsonschema\ndef f(): return jsonschema.validate, email.message.Message",
    )
    import email.message

    import jsonschema

    assert desk.give("tools:f") == (jsonschema.validate, email.message.Message)


def test_own_modules_may_be_called_like_standard_ones(desk: Desk) -> None:
    desk.write("calendar.py", "def f(): return 'own'")
    desk.write("tools.py", "import calendar\nimport time\nimport datetime\ndef f(): return calendar.f()")
    desk.write("time.py", "raise ValueError('built-in modules stay what they are')")
    assert desk.give("tools:f") == "own"
    assert desk.give("calendar:f") == "own"


def test_agentctl_is_always_the_running_one(desk: Desk) -> None:
    desk.write("agentctl/errors.py", "class ToolError(Exception): ...")
    desk.write("agentctl/__init__.py", "")
    desk.write("tools.py", "from agentctl.errors import ToolError\ndef f(): return ToolError")
    assert desk.give("tools:f") is ToolError


def test_a_module_that_is_already_imported_from_that_file_is_not_doubled(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib

    desk.write("own_module_seen.py", "def f(): ...")
    monkeypatch.syspath_prepend(str(desk.folder))
    usual = importlib.import_module("own_module_seen")
    assert desk.function("own_module_seen:f") is usual.f
    assert desk.function("./own_module_seen.py:f") is usual.f
    del sys.modules["own_module_seen"]


def test_a_module_that_fails_leaves_nothing_behind(desk: Desk) -> None:
    desk.write("good.py", "def f(): return 1")
    desk.write("tools.py", "import sys, good, helpers\nsys.path.insert(0, 'nowhere')\nimport broken")
    desk.write("helpers.py", "N = 1")
    desk.write("broken.py", "import helpers\n1 / 0")
    assert desk.give("good:f") == 1
    before, path = set(sys.modules), list(sys.path)
    assert "ZeroDivisionError" in desk.fault("tools:f").message
    assert set(sys.modules) == before
    assert sys.path == path
    assert desk.give("good:f") == 1


def test_a_failing_module_is_tried_once(desk: Desk) -> None:
    desk.write("tools.py", "from pathlib import Path\nPath(__file__).with_name('once').mkdir()\n1 / 0")
    assert desk.fault("tools:f") == desk.fault("tools:g")
    assert (desk.folder / "once").is_dir()


def test_a_folder_put_on_the_path_by_its_own_module_is_not_left_there(desk: Desk) -> None:
    desk.write(
        "a/tools.py",
        (
            "import sys, os\n"
            "sys.path.insert(0, os.path.dirname(__file__))\n"
            "import helpers_of_a\n"
            "def f(): return helpers_of_a.N"
        ),
    )
    desk.write("a/helpers_of_a.py", "N = 1")
    desk.write("b/tools.py", "import helpers_of_a")
    path = list(sys.path)
    assert desk.give("tools:f", folder="a") == 1
    assert sys.path == path
    assert "helpers_of_a" in desk.fault("tools:f", folder="b").message


def test_closing_takes_the_modules_back_and_functions_go_on(desk: Desk) -> None:
    desk.write("tools.py", "import helpers\ndef f(): return helpers.N")
    desk.write("helpers.py", "N = 1")
    before, finders = set(sys.modules), list(sys.meta_path)
    importer = desk.new_importer()
    function = importer.load(desk.ref("tools:f"))
    assert set(sys.modules) > before
    importer.close()
    importer.close()
    assert (set(sys.modules), sys.meta_path) == (before, finders)
    assert not isinstance(function, Fault)
    assert function() == 1


def test_no_bytecode_is_written_and_an_edit_within_the_second_is_seen(desk: Desk) -> None:
    path = desk.write("tools.py", "def f(): return 1")
    assert desk.give("tools:f") == 1
    assert [each.name for each in desk.folder.iterdir()] == ["tools.py"]
    path.write_text("def f(): return 2")
    again = desk.new_importer().load(desk.ref("tools:f"))
    assert not isinstance(again, Fault)
    assert again() == 2


def test_printing_on_import_goes_to_stderr(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write(
        "tools.py",
        "import sys\nprint('loading')\nsys.stdout.flush()\nsys.stdout.buffer.write(b'bytes')\ndef f(): ...",
    )
    desk.function("tools:f")
    out, err = capsys.readouterr()
    assert (out, err) == ("", "loading\nbytes")


def test_the_working_directory_may_be_gone(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    desk.write("tools.py", "def f(): return 1")
    assert desk.give("tools:f") == 1


def test_modules_can_be_imported_while_a_loop_runs(desk: Desk) -> None:
    desk.write("tools.py", "import asyncio\nasyncio.get_running_loop()\ndef f(): return 1")

    async def within_a_loop() -> object:
        return desk.give("tools:f")

    assert asyncio.run(within_a_loop()) == 1

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tools_desk import Desk, desk_fixture

from agentctl.tools.problems import Fault

desk = desk_fixture


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("tools.check", "write `tools:check`, with a colon before the function's name"),
        ("tools", "write `module:function` or `./file.py:function`"),
        ("tools:check()", "write `tools:check`, without parentheses"),
        ("tools:", '"" is no name of a function'),
        ("tools:check balance", '"check balance" is no name of a function'),
        ("my tools:check", '"my tools" is no name of a module'),
        (":check", '"" is no name of a module'),
        (".tools:check", "write `tools:check`, counted from the team file's folder"),
    ],
)
def test_a_malformed_target_is_told_how_to_be_written(desk: Desk, target: str, hint: str) -> None:
    fault = desk.fault(target)
    assert (fault.code, fault.hint) == ("function-malformed", hint)
    assert fault.message == f'"{target}" does not name a Python function'


def test_a_missing_module_says_where_it_was_looked_for(desk: Desk, tmp_path: Path) -> None:
    desk.write("tools.py", "")
    importer = desk.new_importer(tmp_path)
    fault = importer.load(desk.ref("tols:check"))
    assert isinstance(fault, Fault)
    assert fault.code == "module-missing"
    assert fault.message == (
        f'there is no module "tols": looked in "{desk.folder}", "{tmp_path}", '
        f'"{Path.cwd()}" and among installed packages'
    )
    assert fault.hint == 'did you mean "tools"?'


def test_a_missing_module_of_a_package_names_its_neighbours(desk: Desk) -> None:
    desk.write("lib/__init__.py", "")
    desk.write("lib/billing.py", "")
    assert desk.fault("lib.biling:f").hint == 'did you mean "lib.billing"?'
    assert desk.fault("lib.billing.deep:f").code == "module-missing"
    assert desk.fault("jsonschema.nothing_here:f").code == "module-missing"
    assert desk.fault("zzz.yyy:f").hint == "write `zzz.py` there, or install it"


def test_a_missing_file_names_the_nearest(desk: Desk) -> None:
    desk.write("sub/tools.py", "")
    fault = desk.fault("./sub/tool.py:f")
    assert fault.code == "module-missing"
    place = desk.folder / "sub" / "tool.py"
    assert fault.message == f'there is no file "./sub/tool.py": looked for "{place}"'
    assert fault.hint == 'did you mean "./sub/tools.py"?'
    assert desk.fault("./no/x.py:f").hint == "the path counts from the folder of the team file"
    assert desk.fault("./sub/tools:f").code == "function-malformed"


def test_a_missing_attribute_names_the_nearest_or_what_there_is(desk: Desk) -> None:
    desk.write(
        "tools.py",
        (
            "from os.path import join\n"
            "def check_balance(): ...\n"
            "def refund(): ...\n"
            "class Desk:\n"
            "    def ask(self): ..."
        ),
    )
    fault = desk.fault("tools:check_balanc")
    assert (fault.code, fault.message) == ("attribute-missing", 'module "tools" has no "check_balanc"')
    assert fault.hint == 'did you mean "tools:check_balance"?'
    assert desk.fault("tools:zzz").hint == 'it has "check_balance", "refund", "Desk"'
    nested = desk.fault("tools:Desk.aks")
    assert (nested.message, nested.hint) == ('"Desk" has no "aks"', 'did you mean "tools:Desk.ask"?')


def test_attributes_of_values_and_of_folders(desk: Desk) -> None:
    desk.write("tools.py", "from os.path import join\nN = 1\n")
    desk.write("prompts/a.txt", "")
    assert desk.fault("tools:N.zzz").message == '"int" has no "zzz"'
    assert desk.fault("tools:zzz").hint == 'it has "join"'
    assert desk.fault("prompts:f").message == (
        'folder "prompts", which holds no Python code of its own, has no "f"'
    )


def test_what_is_no_function(desk: Desk) -> None:
    desk.write(
        "tools.py",
        "import sub.mod\nN = 1\nf = lambda x: x\nimport functools\ng = functools.partial(lambda x: x, 1)",
    )
    desk.write("sub/mod.py", "")
    value = desk.fault("tools:N")
    assert (value.code, value.message) == (
        "not-callable",
        '"tools:N" is no function but a value of type "int"',
    )
    module = desk.fault("tools:sub.mod")
    assert (module.message, module.hint) == (
        '"tools:sub.mod" is a module, not a function',
        'name the function in it: "sub.mod:function"',
    )
    for name in ("f", "g"):
        fault = desk.fault(f"tools:{name}")
        assert (fault.code, fault.hint) == (
            "lambda",
            "write it as a function with `def`, type hints and a docstring",
        )


@pytest.mark.parametrize(
    "target",
    [
        "os:system",
        "subprocess:run",
        "builtins:eval",
        "os.path:join",
        "tools:os.system",
        "jsonschema:validators.json.loads",
    ],
)
def test_the_standard_library_is_refused(desk: Desk, target: str) -> None:
    desk.write("tools.py", "import os")
    fault = desk.fault(target)
    assert fault.code == "standard-library"
    assert target in fault.message


def test_a_standard_function_under_an_installed_package_is_refused_but_not_under_own_code(desk: Desk) -> None:
    desk.write("tools.py", "from math import sqrt")
    assert desk.function("tools:sqrt")
    assert desk.fault("jsonschema.validators:unquote").code == "standard-library"


def test_the_standard_library_can_be_allowed(desk: Desk) -> None:
    import os

    assert desk.new_importer(allow_stdlib=True).load(desk.ref("os:getcwd")) is os.getcwd


def test_a_module_that_raises_says_what_and_where(desk: Desk) -> None:
    desk.write("tools.py", "import lib.part")
    desk.write("lib/part.py", "\n\nimport json\njson.loads('{')")
    fault = desk.fault("tools:f")
    assert fault.code == "import-failed"
    assert fault.message == (
        '"tools" raised JSONDecodeError: Expecting property name enclosed in double quotes: '
        "line 1 column 2 (char 1) "
        "while it was imported (lib/part.py:4)"
    )


def test_a_module_that_needs_what_is_not_installed(desk: Desk) -> None:
    desk.write("tools.py", "import helpers")
    desk.write("helpers.py", "import json\nimport no_such_package_here.deep")
    fault = desk.fault("tools:f")
    assert fault.message == '"tools" imports "no_such_package_here", which was not found (helpers.py:2)'
    desk.write("other.py", "import helpers2.zzz")
    desk.write("helpers2.py", "")
    assert desk.fault("other:f").message.startswith('"other" imports "helpers2.zzz", which was not found')


def test_a_name_that_cannot_be_imported(desk: Desk) -> None:
    desk.write("tools.py", "from helpers import nothing")
    desk.write("helpers.py", "")
    message = desk.fault("tools:f").message
    assert message.startswith("\"tools\" raised ImportError: cannot import name 'nothing' from 'helpers'")


def test_a_syntax_error_shows_file_line_and_text(desk: Desk) -> None:
    desk.write("tools.py", "import helpers")
    desk.write("helpers.py", "x = 1\ndef f(:\n    pass")
    fault = desk.fault("tools:f")
    assert (fault.code, fault.hint) == ("module-syntax", "mend this line: def f(:")
    assert fault.message == '"tools" is not valid Python: invalid syntax (helpers.py:2)'
    desk.write("bytes.py", "")
    (desk.folder / "bytes.py").write_bytes(b"x = '\xff'")
    assert desk.fault("bytes:f").code == "module-syntax"
    desk.write("raised.py", "raise SyntaxError('by hand')")
    assert desk.fault("raised:f").message == '"raised" is not valid Python: by hand'


def test_a_module_that_ends_the_program(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write("tools.py", "import sys\nprint('bye')\nsys.exit(3)")
    assert desk.fault("tools:f").message == (
        '"tools" ended the program while it was imported: SystemExit: 3 (tools.py:3)'
    )
    assert capsys.readouterr().out == ""


def test_the_keyboard_is_heard_and_nothing_stays(desk: Desk) -> None:
    desk.write("tools.py", "raise KeyboardInterrupt")
    before = set(sys.modules)
    with pytest.raises(KeyboardInterrupt):
        desk.importer.load(desk.ref("tools:f"))
    assert {name for name in set(sys.modules) - before if "." in name} == set()


def test_what_a_module_says_by_itself_of_missing_names(desk: Desk) -> None:
    desk.write("tools.py", "def __getattr__(name):\n    raise RuntimeError('no ' + name)")
    assert desk.fault("tools:f").message == '"tools:f" raised RuntimeError: no f when it was looked up'


def test_an_exception_that_cannot_be_shown_and_groups(desk: Desk) -> None:
    desk.write("tools.py", "class Bad(Exception):\n    def __str__(self): raise ValueError\nraise Bad")
    assert "raised Bad: (what it says cannot be shown) while" in desk.fault("tools:f").message
    desk.write("group.py", "raise ExceptionGroup('both', [ValueError('a'), KeyError('b')])")
    assert "raised ExceptionGroup: both: ValueError: a; KeyError: 'b' while" in desk.fault("group:f").message
    desk.write("long.py", "raise ValueError('x' * 100_000)")
    assert len(desk.fault("long:f").message) < 2_200


def test_the_place_is_in_own_code_wherever_that_is(desk: Desk, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "tools.py").write_text("import json\n\njson.loads('')")
    importer = desk.new_importer(shared)
    fault = importer.load(desk.ref("tools:f"))
    assert isinstance(fault, Fault)
    assert fault.message.endswith("(tools.py:3)")

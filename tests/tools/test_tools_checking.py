from __future__ import annotations

import pytest
from tools_desk import Desk, desk_fixture

from agentctl.jsontypes import Json

desk = desk_fixture

SOURCE = """
from typing import Annotated, Literal
from pydantic import AfterValidator, BaseModel
def even(n: int) -> int:
    print('checking')
    if n == 13: raise KeyError('unlucky')
    if n % 2: raise ValueError('must be even')
    return n
class Line(BaseModel):
    model_config = {'extra': 'forbid'}
    sku: str
    count: Annotated[int, AfterValidator(even)] = 2
def f(account_id: str, amount: float, lines: list[Line] = [], mode: Literal['a', 'b'] = 'a'): ...
def g(): ...
"""


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"account_id": "A", "amount": 1}, None),
        ({"account_id": "A", "amount": "1.5"}, None),
        (
            {"amount": "x"},
            "account_id: field required; "
            "amount: Input should be a valid number, unable to parse string as a number, got 'x'",
        ),
        (
            {"acount_id": "A", "account_id": "A", "amount": 1},
            "acount_id: there is no such parameter, did you mean 'account_id'?",
        ),
        (
            {"account_id": "A", "amount": 1, "zzz": 1},
            "zzz: there is no such parameter, there are 'account_id', 'amount', 'lines', 'mode'",
        ),
        ({"account_id": "A", "amount": 1, "mode": "c"}, "mode: Input should be 'a' or 'b', got 'c'"),
        (
            {"account_id": "A", "amount": 1, "lines": [{"sku": "s"}, {"sku": "s", "count": 3}]},
            "lines.1.count: must be even, got 3",
        ),
        (
            {"account_id": "A", "amount": 1, "lines": [{"sku": "s", "n": 3}]},
            "lines.0.n: there is no such field",
        ),
        (
            {"account_id": "A", "amount": 1, "lines": [{"sku": "s", "count": 13}]},
            "the arguments could not be checked: KeyError: 'unlucky'",
        ),
    ],
)
def test_what_is_wrong_in_a_models_language(desk: Desk, arguments: dict[str, Json], text: str | None) -> None:
    desk.write("tools.py", SOURCE)
    assert desk.tool("tools:f").check(arguments) == text


def test_a_tool_without_parameters_takes_none(desk: Desk) -> None:
    desk.write("tools.py", SOURCE)
    assert desk.tool("tools:g").check({"x": 1}) == "x: there is no such parameter, there is none"


def test_what_is_said_is_bounded(desk: Desk) -> None:
    desk.write("tools.py", SOURCE)
    check = desk.tool("tools:f").check
    many: dict[str, Json] = {f"unknown_{n}" * 40: "x" for n in range(50)}
    text = check(many)
    assert text is not None
    assert len(text) <= 1_000
    assert text.endswith("; and 47 more")
    long = check({"account_id": 5, "amount": "y" * 10_000})
    assert long is not None
    assert len(long) < 300


def test_what_validators_print_is_not_on_stdout(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write("tools.py", SOURCE)
    desk.tool("tools:f").check({"account_id": "A", "amount": 1, "lines": [{"sku": "s", "count": 2}]})
    assert capsys.readouterr() == ("", "checking\n")

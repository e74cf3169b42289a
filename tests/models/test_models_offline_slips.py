"""What offline reads out of ids, slips of the finger, clauses and ties."""

from __future__ import annotations

import pytest

from agentctl.models.offline.findings import findings
from agentctl.models.offline.parts import clauses
from agentctl.models.offline.ranking import id_forms, rank
from agentctl.models.offline.slips import meant


@pytest.mark.parametrize(
    ("word", "other"),
    [("balanc", "balenc"), ("renew", "renw"), ("payslip", "paysilp"), ("order", "oorder")],
)
def test_a_word_with_one_slip_is_the_known_one(word: str, other: str) -> None:
    assert meant(other, ["something", word]) == word


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("lost", ["last"]),  # in short words another letter is another word
        ("cat", ["cart"]),
        ("night", ["light"]),  # a slip is not in the first letter
        ("abc1", ["abc12"]),
        ("statoin", ["station", "statoins"]),  # which of the two?
        ("payslips", ["balance"]),
    ],
)
def test_what_may_be_another_word_is_left_alone(word: str, known: list[str]) -> None:
    assert meant(word, known) is None


def test_ids_of_one_form_speak_for_the_same_thing() -> None:
    assert id_forms("V-3 and RX-51, PX12 but no 4x4") == {"#v": "V-3", "#rx": "RX-51", "#px": "PX12"}
    visits = ("visits", (("The visit's number, such as V-77", 1.0),))
    pills = ("pills", (("The number of it, such as RX-9", 1.0),))
    best = rank("please do RX-240", [visits, pills])[0]
    assert (best.name, best.shared, best.direct) == ("pills", ("RX-240",), True)


def test_clauses_are_parted_only_where_each_can_stand_alone() -> None:
    assert clauses("Cancel V-3 today and renew my prescription") == [
        "Cancel V-3 today",
        "renew my prescription",
    ]
    assert clauses("balances and invoices of ACC-1") == ["balances and invoices of ACC-1"]


@pytest.mark.parametrize("text", ["for 2026-09", "for September 2026", "for Sep 2026"])
def test_months_are_found(text: str) -> None:
    assert [(found.kind, found.value) for found in findings(text)] == [("month", "2026-09")]

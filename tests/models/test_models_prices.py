"""Prices and abilities from litellm's packaged list, which is read without importing litellm."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentctl.models import price_file
from agentctl.models.messages import Usage
from agentctl.models.prices import abilities, cost, rates_of
from agentctl.spec.settings import Price
from loopback.asking import settings

USED = Usage(input=1000, output=100, cached=400, reasoning=50)


def test_cached_tokens_are_priced_as_cached_and_counted_once() -> None:
    rates = rates_of(settings("openai/gpt-4o-mini"))
    assert rates is not None
    assert rates.cached < rates.input
    assert cost(settings("openai/gpt-4o-mini"), USED) == pytest.approx(
        600 * rates.input + 400 * rates.cached + 100 * rates.output
    )


def test_tokens_written_to_a_cache_are_priced_as_such_and_counted_once() -> None:
    model = settings("anthropic/claude-sonnet-4-5")
    rates = rates_of(model)
    assert rates is not None
    assert rates.cached < rates.input < rates.stored < rates.stored_hour
    used = Usage(input=161, output=7, cached=50, stored=100, stored_hour=40)
    spent = (
        11 * rates.input + 50 * rates.cached + 60 * rates.stored + 40 * rates.stored_hour + 7 * rates.output
    )
    assert cost(model, used) == pytest.approx(spent)
    flat = settings("openai/gpt-4o-mini", price=Price(input=1.0, output=2.0))
    assert cost(flat, used) == pytest.approx((161 * 1.0 + 7 * 2.0) / 1_000_000)


def test_the_same_model_costs_the_same_under_each_of_its_names() -> None:
    assert cost(settings("gpt-4o-mini"), USED) == cost(settings("openai/gpt-4o-mini"), USED)
    assert cost(settings("anthropic/claude-sonnet-4-5"), USED) is not None


def test_the_files_price_stands_above_the_list() -> None:
    stated = settings("openai/gpt-4o-mini", price=Price(input=1.0, output=2.0))
    assert cost(stated, USED) == pytest.approx((1000 * 1.0 + 100 * 2.0) / 1_000_000)
    assert cost(settings("my-own", price=Price(input=0.0, output=0.0)), USED) == 0.0


@pytest.mark.parametrize(
    "model", ["openai/no-such-model", "no-such-model", "anthropic/gpt-4o-mini", "sample_spec", "x/y/z"]
)
def test_an_unknown_price_is_unknown_and_never_nothing(model: str) -> None:
    assert cost(settings(model), USED) is None


def test_what_was_used_must_be_known_too() -> None:
    assert cost(settings("openai/gpt-4o-mini"), None) is None


def test_a_model_that_is_not_priced_by_the_token_has_no_known_price() -> None:
    assert rates_of(settings("openai/tts-1")) is None


def test_long_inputs_have_rates_of_their_own() -> None:
    model = settings("gemini/gemini-2.5-pro")
    short, long = rates_of(model, 200_000), rates_of(model, 200_001)
    assert short is not None
    assert long is not None
    assert long.input > short.input
    assert long.output > short.output


def test_a_service_tier_that_the_file_asks_for_has_rates_of_its_own() -> None:
    usual = rates_of(settings("openai/gpt-4o-mini"))
    faster = rates_of(settings("openai/gpt-4o-mini", params={"service_tier": "priority"}))
    assert usual is not None
    assert faster is not None
    assert faster.input > usual.input


def test_reasoning_has_its_own_rate_where_the_list_gives_one() -> None:
    rates = rates_of(settings("perplexity/sonar-deep-research"))
    assert rates is not None
    assert rates.reasoning != rates.output


def test_abilities() -> None:
    known = abilities("openai/gpt-4o-mini")
    assert (known.calls, known.schemas, known.mode) == (True, True, "chat")
    assert known.max_input_tokens == 128_000
    unknown = abilities("openai/no-such-model")
    assert (unknown.calls, unknown.schemas, unknown.mode, unknown.max_input_tokens) == (
        None,
        None,
        None,
        None,
    )


def test_an_entry_cut_out_of_the_file_is_the_entry_that_parsing_finds() -> None:
    every = price_file.ids("anthropic") + price_file.ids("openai") + price_file.ids("gemini")
    assert len(every) > 100
    assert [model for model in every if not price_file.entry(model)] == []
    assert "openai" in price_file.providers()


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        (
            '{"m":{"input_cost_per_token":1.0,"output_cost_per_token":2.0,"litellm_provider":"p"}}',
            "True {'p'} False",
        ),
        ('{\n    "m": {"litellm_provider": "p"},\n    "n": {"alias_of": "m"}\n}', "True {'p'} False"),
        ("[1, 2", "False set() False"),
        (None, "False set() False"),
    ],
)
def test_a_list_laid_out_otherwise_or_broken_or_missing(
    tmp_path: Path, listed: str | None, found: str
) -> None:
    (tmp_path / "litellm").mkdir()
    (tmp_path / "litellm" / "__init__.py").write_text("")
    if listed is not None:
        (tmp_path / "litellm" / "model_prices_and_context_window_backup.json").write_text(listed)
    program = """
from agentctl.models import price_file
print(price_file.entry("p/m") is not None, price_file.providers(), price_file.entry("p/z") is not None)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.stdout.strip() == found


def test_a_price_is_found_without_importing_litellm_and_without_delaying_a_reply() -> None:
    program = """
import sys, time
from agentctl.models import price_file
begun = time.perf_counter()
found = price_file.entry("openai/gpt-4o-mini")
took = time.perf_counter() - begun
assert found and "litellm" not in sys.modules and "openai" not in sys.modules
print(took)
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert float(done.stdout) < 0.1

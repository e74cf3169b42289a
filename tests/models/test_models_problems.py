"""What is found wrong with a model before it is asked, and that no key's value is ever in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agentctl.models.addresses import api_key, secret_variables
from agentctl.models.problems import ModelProblem, model_problems
from agentctl.models.providers import PROVIDERS
from agentctl.spec.settings import ModelSettings
from loopback.asking import settings

KEY = {"OPENAI_API_KEY": "sk-value-never-shown"}


def only(stated: ModelSettings, environ: dict[str, str] | None = None) -> ModelProblem:
    (problem,) = model_problems(stated, environ or {})
    return problem


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/gpt-4o-mini", "OPENAI_API_KEY"),
        ("gpt-4o-mini", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.5-pro", "GEMINI_API_KEY"),
        ("azure/my-deployment", "AZURE_API_KEY"),
        ("bedrock/anthropic.claude-3-haiku-20240307-v1:0", "AWS_ACCESS_KEY_ID"),
    ],
)
def test_a_missing_key_is_named_with_the_way_out(model: str, variable: str) -> None:
    problem = only(settings(model), {variable: ""})
    assert (problem.code, problem.severity) == ("model-key", "error")
    assert f'"{variable}"' in problem.message
    assert "--model offline" in str(problem.hint)


@pytest.mark.parametrize(
    ("model", "environ"),
    [
        ("openai/gpt-4o-mini", KEY),
        ("anthropic/claude-sonnet-4-5", {"ANTHROPIC_AUTH_TOKEN": "x"}),
        ("gemini/gemini-2.5-pro", {"GOOGLE_API_KEY": "x"}),
        ("azure/any-name", {"AZURE_API_KEY": "x", "AZURE_API_BASE": "https://x", "AZURE_API_VERSION": "1"}),
        ("bedrock/x", {"AWS_PROFILE": "x"}),
        ("ollama/anything", {}),
        ("openai/gpt-4o-mini", {"OPENAI_BASE_URL": "http://127.0.0.1:8000/v1"}),
        ("offline", {}),
    ],
)
def test_what_has_all_it_needs_has_no_problem(model: str, environ: dict[str, str]) -> None:
    assert model_problems(settings(model), environ) == []


@pytest.mark.parametrize(
    "url", ["http://localhost:1/v1", "http://127.0.0.1:1", "http://[::1]:1", "http://a.localhost"]
)
def test_a_server_on_this_machine_needs_no_key(url: str) -> None:
    assert model_problems(settings("some-model", base_url=url), {}) == []


def test_a_server_elsewhere_may_want_one() -> None:
    problem = only(settings("some-model", base_url="https://llm.example.com/v1"))
    assert (problem.code, problem.severity) == ("model-key", "warning")
    assert "api_key_env" in str(problem.hint)
    assert not problem.blocks


def test_a_named_variable_must_be_set_wherever_the_server_is() -> None:
    problem = only(settings(base_url="http://localhost:1", api_key_env="MY_KEY"), {**KEY})
    assert problem.blocks
    assert '"MY_KEY"' in problem.message
    assert (
        model_problems(settings(base_url="http://localhost:1", api_key_env="MY_KEY"), {"MY_KEY": "x"}) == []
    )


@pytest.mark.parametrize(
    ("model", "severity", "near"),
    [
        ("openai/gpt-4o-mni", "warning", '"openai/gpt-4o-mini"'),
        ("gpt-4o-mni", "warning", '"openai/gpt-4o-mini"'),
        ("opnai/gpt-4o-mini", "error", '"openai/…"'),
        ("qqqq/zzzz", "error", "PROVIDER/MODEL"),
        ("sonar-proo", "error", '"perplexity/sonar-pro"'),
        ("?!", "error", "PROVIDER/MODEL"),
        ("openai/zzzzzzzzzzzz", "warning", "price"),
    ],
)
def test_an_unknown_id_is_met_with_near_ones(model: str, severity: str, near: str) -> None:
    problem = only(settings(model), KEY)
    assert (problem.code, problem.severity) == ("model-unknown", severity)
    assert f'"{model}"' in problem.message or f'"{model.partition("/")[0]}"' in problem.message
    assert near in str(problem.hint)


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://x", ""])
def test_an_address_must_be_one(url: str) -> None:
    problem = next(
        found for found in model_problems(settings(base_url=url), KEY) if found.code == "model-address"
    )
    assert problem.blocks


def test_fallbacks_are_looked_at_too_and_nothing_is_said_twice() -> None:
    found = model_problems(
        settings(fallbacks=("openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gpt-4o-mini")), {}
    )
    assert [problem.code for problem in found] == ["model-key"] * 4
    assert len({problem.message for problem in found}) == 4


def test_a_script_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "there.yaml").write_text("[]")
    assert model_problems(settings("script:there.yaml", folder=tmp_path), {}) == []
    problem = only(settings("script:gone.yaml", folder=tmp_path))
    assert (problem.code, problem.blocks) == ("model-script", True)
    assert '"gone.yaml"' in problem.message


def test_no_value_of_a_key_is_ever_in_a_problem() -> None:
    environ = {
        name: "sk-value-never-shown" for each in PROVIDERS.values() for group in each.keys for name in group
    }
    for model in [f"{provider}/x-{provider}" for provider in PROVIDERS]:
        assert "never-shown" not in repr(model_problems(settings(model, base_url="https://x"), environ))


def test_which_variables_hold_secrets() -> None:
    assert secret_variables(settings()) == {"OPENAI_API_KEY"}
    assert secret_variables(settings("offline")) == set()
    stated = settings("anthropic/x", api_key_env="MY_VALUE", fallbacks=("bedrock/y", "foo/z"))
    assert secret_variables(stated) >= {"MY_VALUE", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY"}
    assert "AWS_PROFILE" not in secret_variables(stated)


def test_which_key_is_sent() -> None:
    assert api_key(settings(), KEY) == KEY["OPENAI_API_KEY"]
    assert api_key(settings(api_key_env="A"), {**KEY, "A": "a"}) == "a"
    assert api_key(settings(api_key_env="A"), KEY) is None
    assert api_key(settings("some/model", base_url="http://x"), KEY) == KEY["OPENAI_API_KEY"]
    assert api_key(settings("bedrock/x"), {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}) is None
    assert api_key(settings("vertex_ai/x"), {"VERTEXAI_PROJECT": "p"}) is None


def test_problems_are_found_without_either_client() -> None:
    program = """
import sys
from loopback.asking import settings
from agentctl.models.problems import model_problems
assert model_problems(settings("anthropic/claude-typo"), {})
assert not {"openai", "litellm"} & set(sys.modules)
"""
    subprocess.run(
        [sys.executable, "-c", program], check=True, env={"PYTHONPATH": str(Path(__file__).parents[1])}
    )

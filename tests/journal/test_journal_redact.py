from __future__ import annotations

import time
import uuid

import pytest

from agentctl.journal.redact import Redactor
from agentctl.jsontypes import Json

WORD = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3"
KEYS = [
    "sk-" + WORD,
    "sk-proj-" + WORD + "_-" + WORD,
    "sk-ant-api03-" + WORD,
    "sk-or-v1-" + WORD.lower(),
    "AIza" + WORD[:35],
    "ghp_" + WORD,
    "gho_" + WORD,
    "github_pat_" + WORD + "_" + WORD,
    "glpat-" + WORD[:20],
    "xoxb-123456789012-" + WORD,
    "xoxp-123456789012-" + WORD,
    "AKIAIOSFODNN7EXAMPLE",
    "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "gsk_" + WORD,
    "xai-" + WORD,
    "sk_live_" + WORD,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabc=\n",
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("around", ["{}", "key={} rest", '"{}"', "({})", "https://h/?k={}&x=1", "{}."])
def test_keys_of_known_providers_go(key: str, around: str) -> None:
    found = Redactor().text(around.format(key))
    assert "•••" in found
    assert key[8:].strip() not in found
    assert found.startswith(around.partition("{}")[0])


@pytest.mark.parametrize("word", ["Bearer", "bearer", "BEARER"])
def test_the_token_of_a_bearer_goes(word: str) -> None:
    assert Redactor().text(f"Authorization: {word} {WORD}==, x") == f"Authorization: {word} •••, x"


@pytest.mark.parametrize(
    "text",
    [
        "ACC-123",
        "ORD-77",
        "a3f5c2d4e6b7a8f90123456789abcdef0123456789abcdef0123456789abcdef",
        str(uuid.UUID(int=2**127 + 12345)),
        "20261129-131502-support-k3f9",
        "support_supervisor/billing.1~2/turn-2/call-1.check_balance",
        "task-force-of-2026-with-many-words risk-adjusted-returns-2026",
        "sk-is-how-a-slug-in-slovak-begins",
        "the bearer of responsibilities-and-more",
        "5432.10 USD",
        "https://example.com/path?id=12345678901234567890",
        "high through night_ghosts hf_transformers xoxo",
        "eyJust words. and more. of them",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert Redactor(["s3cr3t-value"]).text(text) == text


def test_named_secrets_go_wherever_they_stand() -> None:
    redactor = Redactor(["hunter-22", " spaced-out \n", "hunter-22-longer"])
    assert redactor.text("xhunter-22x") == "x•••x"
    assert redactor.text("hunter-22-longer") == "•••"
    assert redactor.text("a spaced-out b") == "a ••• b"


def test_a_named_secret_goes_as_json_writes_it_too() -> None:
    redactor = Redactor(['quo"te\\d', "grün-straße"])
    assert redactor.text('{"key": "quo\\"te\\\\d"}') == '{"key": "•••"}'
    assert redactor.text('"gr\\u00fcn-stra\\u00dfe" grün-straße') == '"•••" •••'


def test_what_is_too_short_or_only_a_placeholder_is_no_secret() -> None:
    redactor = Redactor(["", "  ", "12345", "ollama", "LM-Studio"])
    assert redactor.text("12345 ollama lm-studio LM-Studio") == "12345 ollama lm-studio LM-Studio"


def test_any_json_is_redacted_and_nothing_else_changed() -> None:
    redactor = Redactor(["s3cr3t"])
    value: Json = {"a": ["s3cr3t", 1, None, True, 1.5], "s3cr3t": {"b": ("x", f"sk-{WORD}")}, "ok": "ACC-123"}
    assert redactor.redact(value) == {
        "a": ["•••", 1, None, True, 1.5],
        "•••": {"b": ["x", "•••"]},
        "ok": "ACC-123",
    }


def test_redacted_twice_is_redacted_once() -> None:
    redactor = Redactor(["s3cr3t-value"])
    once = redactor.text("s3cr3t-value and " + " ".join(KEYS))
    assert redactor.text(once) == once


@pytest.mark.parametrize(
    "piece",
    [
        "sk-",
        "-sk-",
        "eyJ",
        "-eyJaaaaaa",
        "eyJaaaaaa.",
        "bearer ",
        "Bearer \t",
        "-----BEGIN PRIVATE KEY-----",
        "a",
        "ghp_",
        "AKIA",
        "AKIAAAAAAAAAAAAAAAAA",
        "xoxb-",
        "AIza-",
        "github_pat_",
        "hf_a",
        "s3cr3t",
        " ",
    ],
)
def test_a_megabyte_takes_no_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.process_time()
    Redactor(["s3cr3t-value"]).text(text)
    assert time.process_time() - began < 2

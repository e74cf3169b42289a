"""Secrets out of texts and JSON, before anything is shown to a model, recorded or hashed.

Two kinds: values that the team names as keys, and strings that look like keys of known providers. Time
is linear in the text: a pattern is tried only where its telltale stands, and none of them backtracks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final

from agentctl.jsontypes import Json

MASK: Final = "•••"
_SHORTEST: Final = 6
_PLACEHOLDERS: Final = frozenset(
    {"offline", "ollama", "lm-studio", "not-needed", "no-key-required", "unused", "changeme", "placeholder"}
)
"""What people write where a local server wants some key; as a secret it would hide an ordinary word."""

_ORDINARY: Final = re.compile(r"(?=.{1,15}\Z)[A-Za-z]+(?:[ _-][A-Za-z]+)*")
"""A short secret of letters alone may be a part of many a name (`balance` of `check_balance`): it is hidden
where it stands by itself, and not as the key of an object, for then it is a name."""
_BEFORE: Final = r"(?:(?<!\w)|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))"
"""What may stand before a word is a letter too where an escape ends with it."""
_WORD: Final = "[A-Za-z0-9]"
_DASHED: Final = "[A-Za-z0-9_-]"
_KEYS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (telltale, re.compile(f"(?<!{_WORD}){pattern}"))
    for telltale, pattern in (
        ("sk_", rf"sk_(?:live|test)_{_WORD}{{10,}}+"),  # Stripe
        ("rk_", rf"rk_(?:live|test)_{_WORD}{{10,}}+"),
        ("AIza", rf"AIza{_DASHED}{{30,}}+"),  # Google
        *((f"gh{kind}_", rf"gh{kind}_{_WORD}{{20,}}+") for kind in "pousr"),  # GitHub
        ("github_pat_", r"github_pat_[A-Za-z0-9_]{20,}+"),
        ("glpat-", rf"glpat-{_DASHED}{{16,}}+"),  # GitLab
        ("xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,}+"),  # Slack
        ("AKIA", rf"AKIA[0-9A-Z]{{16}}(?!{_WORD})"),  # AWS
        ("ASIA", rf"ASIA[0-9A-Z]{{16}}(?!{_WORD})"),
        ("hf_", rf"hf_{_WORD}{{30,}}+"),  # Hugging Face
        ("gsk_", rf"gsk_{_WORD}{{20,}}+"),  # Groq
        ("xai-", rf"xai-{_WORD}{{20,}}+"),
        ("pplx-", rf"pplx-{_WORD}{{20,}}+"),  # Perplexity
        ("r8_", rf"r8_{_WORD}{{30,}}+"),  # Replicate
        ("npm_", rf"npm_{_WORD}{{30,}}+"),
        # a JSON Web Token may begin only where its characters do, or each of many starts reads to the end
        ("eyJ", rf"(?<!{_DASHED})eyJ{_DASHED}{{6,}}+\.{_DASHED}{{6,}}+\.{_DASHED}{{6,}}+"),
        ("PRIVATE KEY", r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]++"),
    )
)
_SK: Final = re.compile(f"(?<!{_WORD})(sk-)({_DASHED}{{16,}}+)")
"""OpenAI, Anthropic, OpenRouter, DeepSeek and others."""
_BEARER: Final = re.compile(rf"(?<!{_WORD})((?:[Bb]earer|BEARER)\s{{1,4}})([A-Za-z0-9._~+/=-]{{16,}}+)")
_DIGIT: Final = re.compile("[0-9]")


def hides(secret: str) -> bool:
    """Whether a value is hidden at all: a key too short, or one that stands for none, is no secret."""
    return len(secret) >= _SHORTEST and secret.lower() not in _PLACEHOLDERS


def places(secret: str) -> re.Pattern[str]:
    """Finds the secret wherever it is hidden in a text."""
    written = re.escape(secret)
    return re.compile(f"{_BEFORE}{written}(?!\\w)" if _ORDINARY.fullmatch(secret) else written)


class Redactor:
    """`secrets` are values to hide wherever they stand; ones too short to be secrets are passed over."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        found: set[str] = set()
        for secret in secrets:
            value = secret.strip()
            if hides(value):
                found |= {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
        ordered = sorted(found, key=lambda secret: (-len(secret), secret))
        self._words = [(secret, places(secret)) for secret in ordered if _ORDINARY.fullmatch(secret)]
        self._secrets = [secret for secret in ordered if not _ORDINARY.fullmatch(secret)]

    def text(self, text: str) -> str:
        for word, pattern in self._words:
            if word in text:
                text = pattern.sub(MASK, text)
        return self._key(text)

    def _key(self, text: str) -> str:
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, MASK)
        for telltale, pattern in _KEYS:
            if telltale in text:
                text = pattern.sub(MASK, text)
        if "sk-" in text:
            text = _SK.sub(lambda found: MASK if _DIGIT.search(found[2]) else found[0], text)
        if "earer" in text or "BEARER" in text:
            text = _BEARER.sub(lambda found: found[1] + MASK if _DIGIT.search(found[2]) else found[0], text)
        return text

    def redact(self, value: Json) -> Json:
        """The same value with every string in it redacted; keys too, unless they are a word by themselves."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self._key(key): self.redact(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.redact(item) for item in value]
        return value

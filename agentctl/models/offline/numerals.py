"""Numbers as people write them, grouped, with a decimal comma, spelled or multiplied, into decimal text.

What can be read in two ways is `unclear` or `doubtful`, so that it is asked for and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from agentctl.models.offline.everyday import word_list

NUMBER: Final = (
    r"(?P<number>(?<![\d.,'])-?\d{1,3}(?:[ \u00a0\u202f\u2009']\d{3})+(?:[.,]\d+)?(?!\d)|-?\d+(?:[.,]\d+)*)"
)
"""One number in digits; `plain` reads it."""

_UNITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL: Final[Mapping[str, int]] = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
}
SCALES: Final[Mapping[str, int]] = {
    "dozen": 12, "hundred": 100, "thousand": 1_000, "k": 1_000, "million": 1_000_000,
    "billion": 1_000_000_000,
}  # fmt: skip
SCALED: Final = r"(?:(?P<scale>k(?!\w)|[ -]?(?:dozen|hundred|thousand|million|billion)\b(?!-)))?"
_WORD: Final = "|".join([*_SMALL, "dozen", "hundred", "thousand", "million", "billion"])
_SPELT: Final = re.compile(
    rf"(?<![\w-])(?:(?P<half>half a)\s+(?=dozen|hundred|thousand|million)|an?\s+(?=dozen|hundred"
    rf"|thousand|million))?"
    rf"(?P<words>(?:{_WORD})(?:(?:\s+and\s+|\s+|-)(?:{_WORD})(?![\w-]*[^\W\d_]-))*)"
    r"(?P<more>\s+point(?:\s+(?:" + "|".join(_UNITS[:10]) + r"))+|\s+and\s+a\s+half)?(?!\w)",
    re.IGNORECASE,
)
_NO_COUNT: Final = word_list("this that which the no another each every any some either last next same")
_TIMES: Final = re.compile(r"\b(?:twice|thrice)\b|(?<![\w.,/])\d+/\d+(?![\w/])|(?<!\w)[½¼¾]", re.IGNORECASE)
_GROUPED: Final = re.compile(
    r"-?\d{1,3}(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3})+,\d+|(?:\.\d{3}){2,}"
    r"|(?:[ \u00a0\u202f\u2009']\d{3})+(?:[.,]\d+)?)"
)
_DOUBTFUL: Final = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeral:
    """`value` is decimal text, empty where the writing can be read in more than one way."""

    value: str
    start: int
    end: int


def plain(written: str, scale: str | None = None) -> str | None:
    """Decimal text for a number in digits; None for what is none, such as a list `1,2,3` or a version."""
    text = written
    if _GROUPED.fullmatch(written) and not written.lstrip("-").startswith("0,"):
        decimal = "," if re.search(r"\..*,", written) or re.search(r"[^\d.,-].*,", written) else "."
        if written.count(".") > 1 and "," not in written:
            decimal = ","
        text = re.sub(rf"[^\d{decimal}-]", "", written).replace(",", ".")
    elif re.fullmatch(r"-?\d+,\d+", written):
        text = written.replace(",", ".")
    elif not re.fullmatch(r"-?\d+(?:\.\d+)?", written):
        return None
    factor = SCALES[scale.strip(" -").casefold()] if scale else 1
    return text if factor == 1 else _told(Decimal(text) * factor)


def doubtful(written: str) -> bool:
    """`1.250`: a decimal number in English, a whole one elsewhere."""
    return _DOUBTFUL.fullmatch(written) is not None


def spelt(text: str) -> Iterator[Numeral]:
    """Numbers in words, whole: `forty-five`, `one hundred and twenty`, `two and a half`, `half a dozen`."""
    for match in _SPELT.finditer(text):
        start = match.start()
        before = re.search(r"(\w+)\W*$", text[:start])
        if match.group().casefold() == "one" and before and before.group(1).casefold() in _NO_COUNT:
            continue
        for words, begin, stop in _runs(match):
            more = (match["more"] or "") if stop == match.end("words") else ""
            value = _read(words, more, half=bool(match["half"]) and begin == match.start("words"))
            first = start if begin == match.start("words") else begin
            yield Numeral(value=value, start=first, end=stop + len(more))
    for match in _TIMES.finditer(text):
        yield Numeral(value="", start=match.start(), end=match.end())


def _runs(match: re.Match[str]) -> Iterator[tuple[list[str], int, int]]:
    """`seven and eight` are two numbers, `one hundred and eight` is one."""
    offset, written = match.start("words"), match["words"]
    begin, last = 0, ""
    for part in re.finditer(r"[a-z]+", written, re.IGNORECASE):
        word = part.group().casefold()
        if word == "and" and last not in ("hundred", "thousand", "million", "billion"):
            head = written[begin : part.start()].rstrip()
            yield re.findall(r"[a-z]+", head.casefold()), offset + begin, offset + begin + len(head)
            begin = part.end() + len(written[part.end() :]) - len(written[part.end() :].lstrip())
        last = word
    yield re.findall(r"[a-z]+", written[begin:].casefold()), offset + begin, offset + len(written)


def _read(words: list[str], more: str, *, half: bool) -> str:
    """Empty where the words do not make one number, such as `two five`."""
    total, group, last = Decimal(0), Decimal(0), 10**12
    for word in words:
        if word in SCALES:
            factor = SCALES[word]
            if factor >= 1_000:
                total += (group or Decimal(1)) * factor
                group = Decimal(0)
            else:
                group = (group or Decimal(1)) * factor
            last = factor
        elif word != "and":
            number = _SMALL[word]
            if not (last > 19 and number < last) or (20 <= last < 100 and not 0 < number < 10):
                return ""
            group += number
            last = number
    value = (total + group) * (Decimal("0.5") if half else 1)
    if more.split()[:1] == ["point"]:
        return f"{value}.{''.join(str(_SMALL[word]) for word in more.casefold().split()[1:])}"
    return _told(value + (Decimal("0.5") if more else 0))


def _told(value: Decimal) -> str:
    return format(
        value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize(), "f"
    )

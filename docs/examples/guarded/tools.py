"""What the intake of complaints does not take."""


def is_polite(text: str) -> bool | str:
    """True, or the reason why a person has to look at it."""
    return "this is not polite" if "fools" in text.lower() else True

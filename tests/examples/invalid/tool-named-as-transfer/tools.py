def check(word: str) -> str:
    """Check it."""
    return word


def transfer_to_technical(word: str) -> str:
    """Pass it on."""
    return word

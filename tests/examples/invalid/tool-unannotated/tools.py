def check(word, times=1):
    """Check."""
    return word

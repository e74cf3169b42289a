def check(word: str) -> str
    return word

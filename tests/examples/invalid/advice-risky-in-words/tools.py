def deleteAccount(word: str) -> str:
    """Do it."""
    return word


def send_mail(word: str) -> str:
    """Do it."""
    return word


def get_payment(word: str) -> str:
    """Do it."""
    return word


def refund(word: str) -> str:
    """Do it."""
    return word

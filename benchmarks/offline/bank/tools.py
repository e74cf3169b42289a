"""What the desk of bank looks up: the benchmark only sees what is asked for."""

from typing import Literal


def account_balance(account_id: str) -> str:
    """Balance of an account right now.

    Args:
        account_id: The account's number, such as AC-1001.
    """
    return "done"


def account_statement(account_id: str, month: str) -> str:
    """Statement of an account for one month.

    Args:
        account_id: The account's number, such as AC-1001.
        month: The month as YYYY-MM.
    """
    return "done"


def block_card(card_id: str, reason: Literal["lost", "stolen", "damaged"]) -> str:
    """Blocks a card at once.

    Args:
        card_id: The card's number, such as CARD-55.
        reason: Why it is blocked.
    """
    return "done"


def order_pin(card_id: str) -> str:
    """Sends a new PIN by post.

    Args:
        card_id: The card's number, such as CARD-55.
    """
    return "done"


def loan_quote(amount: float, years: int) -> str:
    """Monthly rate of a loan.

    Args:
        amount: How much is borrowed, in euros.
        years: Over how many years it is paid back.
    """
    return "done"

"""What the shop's clerk can do."""

from typing import Annotated, Literal

from pydantic import Field

from agentctl import ToolContext, ToolError

Article = Literal["hammer", "saw", "drill"]

STOCK = {"hammer": 12, "saw": 0, "drill": 3}


def stock(article: Article) -> dict[str, object]:
    """How many of an article are in stock."""
    return {"article": article, "in_stock": STOCK[article]}


def order(
    article: Article, pieces: Annotated[int, Field(ge=1, le=10)], currency: str, context: ToolContext
) -> dict[str, object]:
    """Order pieces of an article for the customer.

    Args:
        article: What is ordered.
        pieces: How many, at most 10.
    """
    if STOCK[article] < pieces:
        raise ToolError(f"There are not {pieces} of {article!r}.")
    orders = [*context.state.get("orders", []), article]
    context.state["orders"] = orders
    return {"order": f"ORD-{len(orders)}", "article": article, "pieces": pieces, "currency": currency}


def refund(order: str, amount: float) -> str:
    """Pay an order back.

    Args:
        order: The order's number, such as ORD-77.
        amount: How much.
    """
    return f"{amount:.2f} of {order} were paid back"

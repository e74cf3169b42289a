"""The catalogue of a small shop."""

from typing import Literal

CATALOGUE = {
    "kettle": {"price": "39.00", "currency": "EUR", "in_stock": 12, "delivery_days": 2},
    "toaster": {"price": "54.00", "currency": "EUR", "in_stock": 0, "delivery_days": 9},
    "grinder": {"price": "89.00", "currency": "EUR", "in_stock": 3, "delivery_days": 2},
}


def product(item: Literal["kettle", "toaster", "grinder"]) -> dict[str, object]:
    """Price, stock and delivery time of a product.

    Args:
        item: The product's name.
    """
    return {"item": item, **CATALOGUE[item]}

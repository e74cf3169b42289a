"""A few facts about markets, competitors and rules, as three researchers look them up."""

from typing import Literal

Product = Literal["e-bikes", "heat pumps"]
Country = Literal["Germany", "France"]

SIZES = {
    ("e-bikes", "Germany"): {"units_sold": 2_100_000, "year": 2025, "growth_percent": 4},
    ("e-bikes", "France"): {"units_sold": 680_000, "year": 2025, "growth_percent": 7},
    ("heat pumps", "Germany"): {"units_sold": 240_000, "year": 2025, "growth_percent": 12},
    ("heat pumps", "France"): {"units_sold": 310_000, "year": 2025, "growth_percent": -3},
}
COMPETITORS = {
    "e-bikes": ["Velomat (18 %)", "Radwerk (11 %)", "Pedalia (6 %)"],
    "heat pumps": ["Thermona (21 %)", "Klimawerk (15 %)"],
}
RULES = {
    "e-bikes": "assistance up to 25 km/h and 250 W; faster ones need a number plate",
    "heat pumps": "a noise limit of 50 dB at night at the neighbour's window",
}


def market_size(product: Product, country: Country) -> dict[str, object]:
    """Units sold a year and growth of a product's market in a country.

    Args:
        product: What is sold.
        country: Where it is sold.
    """
    return {"product": product, "country": country, **SIZES[product, country]}


def competitors(product: Product) -> list[str]:
    """Competitors that sell a product, with their share of the market, the largest first.

    Args:
        product: What is sold.
    """
    return COMPETITORS[product]


def regulations(product: Product) -> dict[str, str]:
    """Laws and rules that a product has to meet.

    Args:
        product: What is sold.
    """
    return {"product": product, "rules": RULES[product]}

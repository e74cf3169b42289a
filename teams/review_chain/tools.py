"""Invoices, the orders behind them, and the case that is opened when the two do not match."""

from decimal import Decimal

from agentctl import ToolError

INVOICES = {
    "INV-204": {"supplier": "Nordpapier", "order": "PO-17", "amount": Decimal("1290.00")},
    "INV-205": {"supplier": "Helio Light", "order": "PO-18", "amount": Decimal("460.00")},
}
ORDERS = {"PO-17": Decimal("1190.00"), "PO-18": Decimal("460.00")}


def read_invoice(invoice_id: str) -> dict[str, object]:
    """Supplier, order and amount of an invoice.

    Args:
        invoice_id: The invoice's number, such as INV-204.
    """
    return {"invoice_id": invoice_id.upper(), **_invoice(invoice_id), "currency": "EUR"}


def compare_with_order(invoice_id: str) -> str:
    """Whether an invoice bills what was ordered; the difference if not.

    Args:
        invoice_id: The invoice's number, such as INV-204.
    """
    invoice = _invoice(invoice_id)
    ordered, billed = ORDERS[str(invoice["order"])], Decimal(str(invoice["amount"]))
    if ordered == billed:
        return f"{invoice_id.upper()} bills what {invoice['order']} ordered: NO ACTION."
    return f"{invoice_id.upper()} bills {billed} EUR, {invoice['order']} ordered {ordered} EUR."


def open_case(invoice_id: str) -> dict[str, object]:
    """Opens a case about an invoice for accounts payable, and gives its number.

    Args:
        invoice_id: The invoice's number, such as INV-204.
    """
    _invoice(invoice_id)
    return {"case": f"AP-{invoice_id.upper().removeprefix('INV-')}", "assigned_to": "accounts payable"}


def _invoice(invoice_id: str) -> dict[str, object]:
    invoice = INVOICES.get(invoice_id.upper())
    if invoice is None:
        raise ToolError(f"There is no invoice {invoice_id}.")
    return dict(invoice)

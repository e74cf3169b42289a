"""What the desk of staff looks up: the benchmark only sees what is asked for."""

from datetime import date


def request_leave(employee_id: str, first_day: date, last_day: date) -> str:
    """Asks for days off.

    Args:
        employee_id: The employee's number, such as E-450.
        first_day: The first day off.
        last_day: The last day off.
    """
    return "done"


def leave_left(employee_id: str) -> str:
    """How many days of holiday are left this year.

    Args:
        employee_id: The employee's number, such as E-450.
    """
    return "done"


def payslip(employee_id: str, month: str) -> str:
    """Sends the payslip of a month.

    Args:
        employee_id: The employee's number, such as E-450.
        month: The month as YYYY-MM.
    """
    return "done"


def claim_expense(employee_id: str, amount: float) -> str:
    """Pays back what an employee spent.

    Args:
        employee_id: The employee's number, such as E-450.
        amount: How much was spent, in euros.
    """
    return "done"


def application_status(application_id: str) -> str:
    """How an application stands.

    Args:
        application_id: The application's number, such as AP-31.
    """
    return "done"

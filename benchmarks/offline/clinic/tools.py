"""What the desk of clinic looks up: the benchmark only sees what is asked for."""

from datetime import date
from typing import Literal


def book_visit(patient_id: str, day: date, doctor: Literal["Alvarez", "Brandt", "Chen"]) -> str:
    """Books a visit.

    Args:
        patient_id: The patient's number, such as P-310.
        day: The day of the visit.
        doctor: Whom the patient wants to see.
    """
    return "done"


def cancel_visit(visit_id: str) -> str:
    """Cancels a booked visit.

    Args:
        visit_id: The visit's number, such as V-77.
    """
    return "done"


def renew_prescription(prescription_id: str) -> str:
    """Renews a prescription for a medicine that is taken regularly.

    Args:
        prescription_id: The prescription's number, such as RX-9.
    """
    return "done"


def lab_result(sample_id: str) -> str:
    """Result of a sample that was taken.

    Args:
        sample_id: The sample's number, such as S-4402.
    """
    return "done"

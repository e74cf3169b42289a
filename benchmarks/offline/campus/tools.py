"""What the desk of campus looks up: the benchmark only sees what is asked for."""


def enrol(student_id: str, course: str) -> str:
    """Enrols a student in a course.

    Args:
        student_id: The student's number, such as ST-5120.
        course: The course's code, such as MATH101.
    """
    return "done"


def exam_grade(student_id: str, course: str) -> str:
    """Grade of a student in an exam.

    Args:
        student_id: The student's number, such as ST-5120.
        course: The course's code, such as MATH101.
    """
    return "done"


def register_exam(student_id: str, course: str) -> str:
    """Registers a student for an exam.

    Args:
        student_id: The student's number, such as ST-5120.
        course: The course's code, such as MATH101.
    """
    return "done"


def dorm_offer(max_rent: int, furnished: bool = False) -> str:
    """Rooms in dormitories that are free.

    Args:
        max_rent: The highest rent a month, in euros.
        furnished: Whether furniture must be in it.
    """
    return "done"

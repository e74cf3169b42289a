LIMIT = 5


class Desk:
    """A desk."""

def book(item: str) -> str:
    """Book an item."""
    return item


class Desk:
    def book(self, item: str) -> str:
        """Book an item at the desk."""
        return item


desk = Desk()

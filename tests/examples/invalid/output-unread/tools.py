class Order:
    number: int

def choose(request, agents):
    """Choose."""
    return "billing"

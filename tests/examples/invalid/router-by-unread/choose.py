def agent(request: str, agents: dict[str, str]) -> str:
    return "billing"

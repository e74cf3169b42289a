def needs_person(tool: str, arguments: dict[str, object]) -> bool:
    return bool(arguments)

"""The changes of a release, and the style rules that its notes are held to."""

from agentctl import ToolError

CHANGES = {
    "REL-24": [
        "Export to CSV",
        "The search finds words with accents",
        "Closing a window no longer loses text",
    ],
    "REL-25": ["Dark theme", "Printing keeps the page order"],
}
JARGON = ("refactor", "bump", "hotfix", "endpoint")


def changes_in(release_id: str) -> list[str]:
    """The changes of a release, one line each, from which its notes are written.

    Args:
        release_id: The release's number, such as REL-24.
    """
    changes = CHANGES.get(release_id.upper())
    if changes is None:
        raise ToolError(f"There is no release {release_id}.")
    return changes


def check_notes(text: str) -> str:
    """Checks release notes against the style rules: no line over 80 characters, no jargon.

    Args:
        text: The notes as the editor wrote them.
    """
    long = [line for line in text.splitlines() if len(line) > 80]
    words = [word for word in JARGON if word in text.lower()]
    faults = [f"This line is too long: {line}" for line in long] + [f"Jargon: {word}" for word in words]
    return "\n".join(faults) or "APPROVED"

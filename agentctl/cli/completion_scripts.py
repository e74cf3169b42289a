"""The scripts by which shells ask for completions, and where each shell finds its own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from agentctl.diagnostics import nearest
from agentctl.errors import UsageError

_BASH: Final = r"""
_agentctl_complete() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("$(printf '%q' "$line")")
    done < <(_AGENTCTL_COMPLETE=bash _AGENTCTL_LINE="${COMP_LINE:0:COMP_POINT}" "$1" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=/] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -F _agentctl_complete agentctl
"""
_ZSH: Final = r"""
#compdef agentctl
_agentctl() {
    local line value
    local -a before whole open
    before=("${(@Q)words[2,CURRENT-1]}")
    for line in "${(@f)$(_AGENTCTL_COMPLETE=zsh ${words[1]} "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        [[ -n $line ]] || continue
        value=${${line%%$'\t'*}//:/\\:}
        [[ $line == *$'\t'* ]] && value+=":${line#*$'\t'}"
        case ${line%%$'\t'*} in
            (*[=/]) open+=("$value") ;;
            (*) whole+=("$value") ;;
        esac
    done
    _describe agentctl whole -- open -S ''
}
if [[ ${funcstack[1]} == _agentctl ]]; then
    _agentctl "$@"
else
    compdef _agentctl agentctl
fi
"""
_FISH: Final = r"""
function __agentctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    _AGENTCTL_COMPLETE=fish $words[1] $words[2..-1] "$current" 2>/dev/null
end
complete --command agentctl --no-files --arguments '(__agentctl_complete)'
"""
SCRIPTS: Final[Mapping[str, str]] = {
    "bash": _BASH.lstrip(),
    "zsh": _ZSH.lstrip(),
    "fish": _FISH.lstrip(),
}


def script(shell: str | None) -> str:
    """Raises UsageError for a shell that has none, or that cannot be told."""
    return SCRIPTS[_known(shell)]


def install(shell: str | None, home: Path, environ: Mapping[str, str]) -> list[Path]:
    """Writes the script where the shell looks for it, and gives the files that were written or changed."""
    name = _known(shell)
    start: tuple[Path, str] | None = None
    match name:
        case "bash":
            place = home / ".local" / "share" / "agentctl" / "completion.bash"
            start = (home / ".bashrc", f"source '{place}'")
        case "zsh":
            place = home / ".zfunc" / "_agentctl"
            folder = Path(environ.get("ZDOTDIR") or home)
            start = (folder / ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit")
        case _:
            settings = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
            place = settings / "fish" / "completions" / "agentctl.fish"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(SCRIPTS[name], encoding="utf-8")
    return [place, *([start[0]] if start and _add_line(*start) else [])]


def _add_line(file: Path, line: str) -> bool:
    """At the end, unless it stands there already; whether it was added."""
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if line in text.splitlines():
        return False
    end = "\n" if text and not text.endswith("\n") else ""
    file.write_text(f"{text}{end}{line}\n", encoding="utf-8")
    return True


def _known(shell: str | None) -> str:
    name = shell or _own_shell()
    listed = ", ".join(SCRIPTS)
    if name in SCRIPTS:
        return name
    if not name:
        raise UsageError("cannot tell which shell this is", hint=f"name it: {listed}")
    near = nearest(name, SCRIPTS)
    hint = f"did you mean '{near}'?" if near else f"it is one of {listed}"
    raise UsageError(f"there is no completion for the shell '{name}'", hint=hint)


def _own_shell() -> str:
    """The shell that this process was started from, else the one a person logs in with, else nothing."""
    import shellingham

    try:
        return str(shellingham.detect_shell()[0])
    except shellingham.ShellDetectionFailure:
        return Path(os.environ.get("SHELL", "")).name

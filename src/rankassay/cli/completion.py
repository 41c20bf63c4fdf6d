"""Command: the script with which a shell completes commands, options and names."""

import argparse
import importlib
from collections.abc import Collection, Mapping

from rankassay.advice.truth import YARDSTICKS
from rankassay.cli.arguments import add_manual
from rankassay.errors import one_of
from rankassay.metrics.catalogue import METRICS
from rankassay.studies import STUDIES

DESCRIPTION = """\
Print a script that makes a shell complete rankassay's commands, options, and the names of metrics,
profiles and studies.
"""

EPILOG = """\
examples:
  eval "$(rankassay completion bash)"      in ~/.bashrc
  eval "$(rankassay completion zsh)"       in ~/.zshrc
  rankassay completion fish > ~/.config/fish/completions/rankassay.fish
"""

# What may stand behind an option, or behind the name of a command, in addition to what options
# declare; files, if it is said nowhere.
NAMES = {
    "--metrics": METRICS,
    "-m": METRICS,
    "--yardstick": YARDSTICKS,
    "--studies": STUDIES,
    "run": (*STUDIES, "claims", "fidelity", "report", "simulations", "splits", "trec", "tune"),
    "completion": ("bash", "zsh", "fish"),
}

BASH = """\
_rankassay() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before i names=
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands} --help --version" -- "$word"))
        return
    fi
    if [ "${{word#-}}" != "$word" ]; then
        case ${{COMP_WORDS[1]}} in
{options}
        esac
    else
        for ((i = COMP_CWORD - 1; i > 0; i--)); do
            before=${{COMP_WORDS[i]}}
            [ "${{before#-}}" = "$before" ] && [ "$i" -gt 1 ] || break
        done
        case $before in
{names}
        esac
    fi
    COMPREPLY=($(compgen -W "$names" -- "$word"))
    [ -n "$names" ] || COMPREPLY=($(compgen -f -- "$word"))
}}
complete -o filenames -F _rankassay rankassay
"""
ZSH = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_manual(parser, DESCRIPTION, EPILOG)
    parser.add_argument("shell", help="bash, zsh or fish")


def run(options: argparse.Namespace) -> None:
    """Print the script for a shell."""
    from rankassay.cli.main import COMMANDS  # on use: it knows of this module

    one_of("shell", options.shell, NAMES["completion"])
    actions = {name: _options(name) for name in COMMANDS}
    found = {name: {word: _about(own[word]) for word in own} for name, own in actions.items()}
    names = dict(NAMES)
    for word, action in (each for own in actions.values() for each in own.items()):
        names[word] = max(names.get(word, ()), getattr(action, "names", ()), key=len)
    names = {word: own for word, own in names.items() if own}
    if options.shell == "fish":
        print(_fish(found, COMMANDS, names), end="")
        return
    script = BASH.format(
        commands=" ".join(found),
        options="\n".join(f"        {n}) names='{' '.join(own)}' ;;" for n, own in found.items()),
        names="\n".join(f"        {n}) names='{' '.join(own)}' ;;" for n, own in names.items()),
    )
    print((ZSH if options.shell == "zsh" else "") + script, end="")


def _options(command: str) -> dict[str, argparse.Action]:
    """Return the options of a command."""
    parser = argparse.ArgumentParser()
    importlib.import_module(f"rankassay.cli.{command.replace('-', '_')}").add_arguments(parser)
    return {word: action for action in parser._actions for word in action.option_strings}


def _about(action: argparse.Action) -> str:
    """Return what an option is for."""
    return " ".join((action.help or "").split("(")[0].split())


def _fish(
    found: dict[str, dict[str, str]], about: dict[str, str], known: Mapping[str, Collection[str]]
) -> str:
    """Return the script for fish."""

    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = [
        f"complete -c rankassay -n __fish_use_subcommand -f -a {name} -d {quoted(what)}"
        for name, what in about.items()
    ]
    for command, options in found.items():
        seen = f"-n '__fish_seen_subcommand_from {command}'"
        if command in known:
            lines.append(f"complete -c rankassay {seen} -f -a {quoted(' '.join(known[command]))}")
        for word, what in options.items():
            kind = "-l" if word.startswith("--") else "-s"
            names = f" -x -a {quoted(' '.join(known[word]))}" if word in known else ""
            lines.append(
                f"complete -c rankassay {seen} {kind} {word.lstrip('-')}{names} -d {quoted(what)}"
            )
    return "\n".join(lines) + "\n"

"""Command: the script with which a shell completes commands, options and names."""

import argparse
import importlib

from rankassay.advice.truth import YARDSTICKS
from rankassay.api.evaluate import UNJUDGED, USERS
from rankassay.cli.printing import add_manual
from rankassay.data.frames import TIES
from rankassay.errors import one_of
from rankassay.metrics.aggregate import AGGREGATES
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.profiles import PROFILES, WITHOUT_RELEVANT
from rankassay.metrics.ties.expected import OVER
from rankassay.statistics.significance import TESTS
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

# What may stand behind an option, or behind the name of a command; files, if not named here.
NAMES = {
    "--metrics": METRICS,
    "-m": METRICS,
    "--profile": PROFILES,
    "--aggregate": AGGREGATES,
    "--users": USERS,
    "--ties": (*TIES, *OVER),
    "--unjudged": UNJUDGED,
    "--without-relevant": WITHOUT_RELEVANT,
    "--test": TESTS,
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
    found = {name: _options(name) for name in COMMANDS}
    if options.shell == "fish":
        print(_fish(found, COMMANDS), end="")
        return
    script = BASH.format(
        commands=" ".join(found),
        options="\n".join(f"        {n}) names='{' '.join(own)}' ;;" for n, own in found.items()),
        names="\n".join(f"        {n}) names='{' '.join(own)}' ;;" for n, own in NAMES.items()),
    )
    print((ZSH if options.shell == "zsh" else "") + script, end="")


def _options(command: str) -> dict[str, str]:
    """Return the options of a command, each with what it is for."""
    parser = argparse.ArgumentParser()
    importlib.import_module(f"rankassay.cli.{command.replace('-', '_')}").add_arguments(parser)
    return {
        word: " ".join((action.help or "").split("(")[0].split())
        for action in parser._actions
        for word in action.option_strings
    }


def _fish(found: dict[str, dict[str, str]], about: dict[str, str]) -> str:
    """Return the script for fish."""

    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = [
        f"complete -c rankassay -n __fish_use_subcommand -f -a {name} -d {quoted(what)}"
        for name, what in about.items()
    ]
    for command, options in found.items():
        seen = f"-n '__fish_seen_subcommand_from {command}'"
        if command in NAMES:
            lines.append(f"complete -c rankassay {seen} -f -a {quoted(' '.join(NAMES[command]))}")
        for word, what in options.items():
            kind = "-l" if word.startswith("--") else "-s"
            names = f" -x -a {quoted(' '.join(NAMES[word]))}" if word in NAMES else ""
            lines.append(
                f"complete -c rankassay {seen} {kind} {word.lstrip('-')}{names} -d {quoted(what)}"
            )
    return "\n".join(lines) + "\n"

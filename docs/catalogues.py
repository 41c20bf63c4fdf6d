"""What pages of the reference list: metrics, recommenders, analyses, keys and commands."""

import argparse
import functools
import importlib
import inspect
import pydoc
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

import rankassay
from rankassay.cli import main as cli
from rankassay.cli.arguments import program
from rankassay.config.reference import markdown
from rankassay.errors import RankassayError
from rankassay.metrics import names
from rankassay.metrics.catalogue import BEYOND_METRICS, DIVERSITY_METRICS, METRICS, PREFERENCES
from rankassay.metrics.profiles import PROFILES
from rankassay.recommenders.catalogue import RECOMMENDERS
from rankassay.studies import STUDIES

CONFIG = Path(__file__).parents[1] / "config"
SECTION = re.compile(r"^(\w[\w ]*)\n---+\n", re.MULTILINE)
LISTED = ("Parameters", "Attributes", "Returns", "Raises")  # sections of names, each with a text


def names_of_pages() -> dict[str, Any]:
    """Return what pages of the reference may use, by name."""
    return {
        "metrics": _functions(METRICS),
        "diversity_metrics": _functions(DIVERSITY_METRICS),
        "beyond_metrics": _functions(BEYOND_METRICS),
        "preferences": _functions(PREFERENCES),
        "recommenders": _functions(RECOMMENDERS),
        "profiles": PROFILES,
        "spellings": names,
        "studies": STUDIES,
        "configured": _read("recommenders")["recommender_catalogue"],
        "paper": _read("config")["recommenders"],
        "keys": markdown,
        "dotted": _dotted,
        "documented": documented,
        "docstring": docstring,
        "methods": methods,
        "options": options,
        "commands": COMMANDS,
        "public": public,
    }


def _functions(catalogue: dict) -> dict[str, str]:
    """Return the full name of what each entry of a catalogue stands for."""
    return {name: _dotted(entry) for name, entry in catalogue.items()}


def _dotted(entry) -> str:
    """Return "module.name" of what is named as "module:name", by itself or by an entry."""
    return getattr(entry, "function", entry).replace(":", ".")


@functools.cache
def _read(name: str) -> dict:
    return yaml.safe_load((CONFIG / f"{name}.yaml").read_text(encoding="utf-8"))


def public() -> list[str]:
    """Return the names of the package for users of Python."""
    return rankassay.__all__


def methods(name: str) -> Iterator[str]:
    """Yield the full names of a class's own methods for users."""
    for own, what in vars(pydoc.locate(name)).items():
        if not own.startswith("_") and inspect.isfunction(what):
            yield f"{name}.{own}"


def documented(name: str) -> str:
    """Return how a function or class is called, and its docstring, as Markdown."""
    try:
        signature = inspect.signature(pydoc.locate(name))
    except ValueError:  # as of errors
        return f"`{name}`\n\n{docstring(name)}"
    bare = [own.replace(annotation=own.empty) for own in signature.parameters.values()]
    bare = [own for own in bare if own.name != "self"]
    called = signature.replace(parameters=bare, return_annotation=signature.empty)
    return f"`{name}{called}`\n\n{docstring(name)}"


def docstring(name: str) -> str:
    """Return the docstring of what has a full name as Markdown."""
    text = inspect.getdoc(pydoc.locate(name))
    if not text:
        raise RankassayError(f"{name} has no docstring.")
    parts = SECTION.split(text)
    found = [_prose(parts[0])]
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        said = _entries(body) if title in LISTED else _prose(body)
        found.append(f"**{title}**\n\n{said}")
    return "\n\n".join(found)


def _entries(body: str) -> str:
    """Return names with their texts as a list; texts without a name as they are."""
    found = []
    for block in re.split(r"\n(?=\S)", body.strip()):
        term, _, text = block.partition("\n")
        names, named, kind = term.partition(" : ")
        if not text and not named:
            found.append(_prose(term))
            continue
        shown = ", ".join(f"`{name}`" for name in names.split(", ")) + (
            f" ({kind})" if kind else ""
        )
        text = _prose(inspect.cleandoc(text))
        found.append(f"- {shown}{': ' if text else ''}{text}".replace("\n", "\n  "))
    return "\n".join(found)


def _prose(text: str) -> str:
    """Return text of a docstring as Markdown: formulas and sessions of Python as code."""
    found = []
    for block in re.split(r"\n\n+(?!\s)", text.strip()):
        prose, _, code = block.partition("::\n\n")
        if block.startswith(">>>"):
            found.append(f"```pycon\n{block}\n```")
        elif code:
            prose = f"{prose.rstrip()}:" if prose.strip() else ""
            found += [prose, f"```text\n{inspect.cleandoc(code)}\n```"]
        else:
            found.append(block)
    return "\n\n".join(own for own in found if own)


COMMANDS = {name: what for name, what in cli.COMMANDS.items() if name != "job"}


def options(command: str) -> str:
    """Return how a command is called, and its arguments, as Markdown."""
    parser = argparse.ArgumentParser(description=f"{cli.COMMANDS[command]}.", add_help=False)
    importlib.import_module(f"rankassay.cli.{command.replace('-', '_')}").add_arguments(parser)
    called = [_called(own) for own in parser._actions if not own.option_strings]
    optional = ["[OPTION ...]"] * (len(called) < len(parser._actions))
    found = [
        f"```\n{' '.join(['rankassay', command, *optional, *called])}\n```",
        parser.description,
    ]
    said = (parser.epilog or "").strip().replace(f"{program()} ", "rankassay ")
    for group in parser._action_groups:
        own = [f"- {_spelled(action)}: {_helped(action)}" for action in group._group_actions]
        found += [f"**{group.title[0].upper()}{group.title[1:]}**", "\n".join(own)] if own else []
    return "\n\n".join([*found, f"```text\n{said}\n```"] if said else found)


def _called(action: argparse.Action) -> str:
    """Return an argument's placeholders."""
    if action.nargs == 0:
        return ""
    choices = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else ""
    dest = action.dest if not action.option_strings else action.dest.upper()
    one = action.metavar or choices or dest
    return {None: one, "+": f"{one} [{one} ...]", "*": f"[{one} ...]", "?": f"[{one}]"}[
        action.nargs
    ]


def _spelled(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    return ", ".join(f"`{f'{own} {_called(action)}'.strip()}`" for own in action.option_strings)


def _helped(action: argparse.Action) -> str:
    return (action.help or "") % (vars(action) | {"prog": "rankassay"})

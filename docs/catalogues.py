"""What pages of the reference list: metrics, recommenders, analyses, keys and commands."""

import argparse
import functools
import importlib
from pathlib import Path
from typing import Any

import yaml

from rankassay.cli import main as cli
from rankassay.config.reference import markdown
from rankassay.metrics import names
from rankassay.metrics.catalogue import BEYOND_METRICS, DIVERSITY_METRICS, METRICS, PREFERENCES
from rankassay.metrics.profiles import PROFILES
from rankassay.recommenders.catalogue import RECOMMENDERS
from rankassay.studies import STUDIES

CONFIG = Path(__file__).parents[1] / "config"


def names_of_pages() -> dict[str, Any]:
    """Return what the templates of docs/templates/reference may use, by name."""
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


def commands() -> argparse.ArgumentParser:
    """Return one parser of all commands for people."""
    parser = argparse.ArgumentParser(prog="python -m rankassay", add_help=False)
    each = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, what in cli.COMMANDS.items():
        module = importlib.import_module(f"rankassay.cli.{name.replace('-', '_')}")
        module.add_arguments(each.add_parser(name, description=f"{what}.", add_help=False))
    return parser

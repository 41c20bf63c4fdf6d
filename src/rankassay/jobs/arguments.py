"""The arguments that several jobs take: the type and meaning of each."""

import argparse
import json
from typing import Any
from urllib.parse import unquote

import pandas as pd

from rankassay.artifacts.shards import WHOLE, Shard
from rankassay.lookup import load
from rankassay.recommenders.catalogue import recommender


def json_object(text: str) -> dict:
    """Read an argument that is a JSON object."""
    return _json(text, dict, "object")


def json_objects(text: str) -> list[dict]:
    """Read an argument that is a JSON array of objects."""
    value = _json(text, list, "array of objects")
    if not all(isinstance(each, dict) for each in value):
        raise argparse.ArgumentTypeError(f"expected a JSON array of objects, found {text}")
    return value


def _json(text: str, kind: type, name: str) -> Any:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"expected a JSON {name} ({error})") from None
    if not isinstance(value, kind):
        raise argparse.ArgumentTypeError(f"expected a JSON {name}, found {text}")
    return value


def named_path(text: str) -> tuple[str, str]:
    """Read an argument NAME=PATH, of which `rankassay.plan.arguments` quotes the name."""
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"expected NAME=PATH, found '{text}'")
    return unquote(name), path


def shard(text: str) -> Shard:
    """Read an argument of the form NUMBER/COUNT."""
    number, slash, count = text.partition("/")
    if not (slash and number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"expected a shard as in 2/7, found '{text}'")
    return Shard(int(number), int(count))


COMMON: dict[str, dict[str, Any]] = {
    "dataset": {"help": "name of the dataset"},
    "ratings": {"help": "the dataset, with the ids of its users and items (npz)"},
    "train": {"help": "training matrix (npz)"},
    "test": {"help": "test matrix (npz)"},
    "record": {"help": "what `fetch` wrote"},
    "--source": {"type": json_object, "required": True, "help": "catalogue entry (JSON)"},
    "--steps": {
        "type": json_objects,
        "default": [],
        "help": "steps of a filter, in their order (JSON)",
    },
    "--test-fraction": {
        "type": float,
        "required": True,
        "help": "share of each user's ratings for testing",
    },
    "--rounding": {
        "required": True,
        "help": "how the number of a user's test ratings is made whole",
    },
    "--method": {
        "required": True,
        "help": "name of a recommender in the catalogue, or module:class of your own",
    },
    "--settings": {"type": json_object, "default": {}, "help": "settings by name (JSON)"},
    "--depth": {"type": int, "required": True, "help": "length of the lists"},
    "--candidates": {"required": True, "help": "what is ranked: items of the test set, or all"},
    "--dataset": {"help": "name of the dataset that the threshold is of"},
    "--threshold": {
        "type": float,
        "help": "least relevant rating: it is an error if no test rating reaches it",
    },
    "--evaluation": {
        "type": json_object,
        "required": True,
        "help": "how users' values are made: threshold, profile, measures, ... (JSON)",
    },
    "--seed": {"type": int, "required": True, "help": "seed of all that is drawn at random"},
    "--shard": {"type": shard, "default": WHOLE, "help": "which part of the work, as in 2/7"},
}


def add(parser: argparse.ArgumentParser, *common: str, **texts: str) -> None:
    """Declare common arguments, and options (by name, with their help) whose values are texts."""
    for name in common:
        parser.add_argument(name, **COMMON[name])
    for name, meaning in texts.items():
        parser.add_argument(f"--{name}", required=True, help=meaning)


def add_paths(
    parser: argparse.ArgumentParser, name: str, form: str, meaning: str, nargs="+", **more: Any
) -> None:
    """Declare an argument of paths that have names, of a form such as SYSTEM=RANKINGS."""
    parser.add_argument(name, nargs=nargs, type=named_path, metavar=form, help=meaning, **more)


def made(options: argparse.Namespace) -> Any:
    """Return the recommender that --method and --settings ask for, not fitted."""
    return load(recommender(options.method))(**options.settings)


def joined(tables: dict[str, pd.DataFrame], kind: str = "dataset") -> pd.DataFrame:
    """Return the tables of several datasets, or protocols, as one with their names in `kind`.

    A table that has such a column, because it is about several, keeps it.
    """
    named = (t if kind in t else t.assign(**{kind: name}) for name, t in tables.items())
    return pd.concat(named)

"""Kinds of arguments that several stages take."""

import argparse
import json

import pandas as pd

from assayer.artifacts.shards import Shard


def json_object(text: str) -> dict:
    """Read an argument that is a JSON object."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"expected a JSON object ({error})") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError(f"expected a JSON object, found {text}")
    return value


def named_path(text: str) -> tuple[str, str]:
    """Read an argument of the form NAME=PATH."""
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise argparse.ArgumentTypeError(f"expected NAME=PATH, found '{text}'")
    return name, path


def shard(text: str) -> Shard:
    """Read an argument of the form NUMBER/COUNT."""
    number, slash, count = text.partition("/")
    if not (slash and number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"expected a shard as in 2/7, found '{text}'")
    return Shard(int(number), int(count))


def joined(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the tables of several datasets as one, with the dataset's name in `dataset`."""
    return pd.concat([table.assign(dataset=name) for name, table in tables.items()])

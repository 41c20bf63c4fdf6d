"""Job: write one table of a study."""

import argparse
import inspect
import logging
from pathlib import Path

import pandas as pd

from rankassay.artifacts.tables import read_table
from rankassay.drawing.table import Table, write
from rankassay.errors import NothingToShowError
from rankassay.jobs.arguments import add, add_paths, joined, json_object
from rankassay.jobs.cutoffs import cutoff
from rankassay.lookup import find, load
from rankassay.studies import TABLES

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the job's arguments."""
    parser.add_argument("name", help="study and table, as in robustness/table-1")
    add_paths(parser, "tables", "NAME:DATASET=TABLE", "what it shows (csv)")
    parser.add_argument(
        "--settings", type=json_object, required=True, help="settings of the study (JSON)"
    )
    add(parser, output="csv to write; md and tex go next to it")


def run(options: argparse.Namespace) -> None:
    """Make the table from the inputs of its function, and save it in each format."""
    entry = find("table", options.name, TABLES)
    function = load(entry.function)
    parts: dict[str, dict] = {}
    for key, path in options.tables:
        name, _, dataset = key.partition(":")
        parts.setdefault(name, {})[dataset] = read_table(path)
    given = options.settings | {"cutoff": cutoff(options.settings["cutoff"])}
    if given["published"]:
        given["published"] = read_table(given["published"])
    given |= dict.fromkeys(entry.optional)
    given |= {name: joined(tables) for name, tables in parts.items()}
    wanted = inspect.signature(function).parameters
    try:
        table = function(**{name: given[name] for name in wanted})
    except NothingToShowError as why:
        log.warning("%s", why)
        table = Table(pd.DataFrame({"Nothing to show": [why.sentence()]}), "Nothing to show.")
    write(table, Path(options.output).with_suffix(""))

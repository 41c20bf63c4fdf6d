"""Jobs: draw a figure of a study, and write a table."""

import inspect
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from rankassay.artifacts.tables import read_table, read_tables
from rankassay.drawing import style
from rankassay.drawing.layout import saying
from rankassay.drawing.table import Table, write
from rankassay.errors import NothingToShowError
from rankassay.jobs import cutoffs
from rankassay.lookup import find, load
from rankassay.studies import FIGURES, TABLES

log = logging.getLogger(__name__)


def figure(
    name: str,
    tables: Mapping[str, str],
    panels: Sequence[Mapping[str, Any]],
    output: str,
    cutoff: int | Mapping[str, Any] | None = None,
) -> None:
    """Draw a figure of an analysis's tables by dataset; svg and png go next to the pdf.

    Each panel has of dataset, title and metric what it shows, and all have the `cutoff`.
    """
    if cutoff is not None:
        at = cutoffs.cutoff(cutoff)
        panels = [{**panel, "cutoff": at} for panel in panels]
    draw, table = load(find("figure", name, FIGURES).function), read_tables(tables)
    try:
        found = draw(table, [*panels])
    except NothingToShowError as why:
        log.warning("%s", why)
        found = saying(why.sentence())
    style.save(found, Path(output).with_suffix(""))


def table(
    name: str, tables: Mapping[str, Mapping[str, str]], settings: Mapping[str, Any], output: str
) -> None:
    """Write a table of analyses' tables by input and dataset; md and tex go next to the csv.

    `settings` are the other parameters of its function.
    """
    entry = find("table", name, TABLES)
    function = load(entry.function)
    given = {**settings} | {"cutoff": cutoffs.cutoff(settings["cutoff"])}
    if given["published"]:
        given["published"] = read_table(given["published"])
    given |= dict.fromkeys(entry.optional)
    given |= {key: read_tables(paths) for key, paths in tables.items()}
    wanted = inspect.signature(function).parameters
    try:
        found = function(**{parameter: given[parameter] for parameter in wanted})
    except NothingToShowError as why:
        log.warning("%s", why)
        found = Table(pd.DataFrame({"Nothing to show": [why.sentence()]}), "Nothing to show.")
    write(found, Path(output).with_suffix(""))

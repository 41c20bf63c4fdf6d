"""Stage: put the verdicts on all datasets into one table, with claims that no data could test."""

import argparse
import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from assayer.artifacts.files import read_table, write_table
from assayer.claims.judge import COLUMNS as CLAIM_COLUMNS
from assayer.claims.judge import VERDICTS
from assayer.claims.lists import read, untested
from assayer.claims.totals import parts, totals
from assayer.jobs.arguments import named_path

log = logging.getLogger(__name__)

COLUMNS = ["study", *CLAIM_COLUMNS, "counted_as"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the stage's arguments."""
    parser.add_argument(
        "verdicts",
        nargs="*",
        type=named_path,
        metavar="STUDY=VERDICTS",
        help="of one dataset (csv)",
    )
    parser.add_argument(
        "--claims", nargs="+", type=named_path, metavar="STUDY=CLAIMS", required=True
    )
    parser.add_argument("--output", required=True, help="table of verdicts to write (csv)")
    parser.add_argument("--totals", required=True, help="table of their numbers to write (csv)")


def run(options: argparse.Namespace) -> None:
    """Collect the verdicts and save them."""
    lists = {study: read(path) for study, path in options.claims}
    table = collect(lists, [(study, read_table(path)) for study, path in options.verdicts])
    write_table(table, options.output)
    write_table(totals(table), options.totals)
    counts = table["verdict"].value_counts()
    log.info(", ".join(f"{counts.get(verdict, 0)} {verdict}" for verdict in VERDICTS))


def collect(
    lists: Mapping[str, list[dict]], verdicts: Sequence[tuple[str, pd.DataFrame]]
) -> pd.DataFrame:
    """Return the verdicts study by study and claim by claim, with claims that were not tested.

    The columns are those of `assayer.claims.judge.judge`, study, and counted_as, see
    `assayer.claims.totals`.

    Parameters
    ----------
    lists : mapping
        The claims of each study.
    verdicts : sequence of (str, DataFrame)
        Of a study on one dataset.
    """
    frames = []
    for study, claims in lists.items():
        tested = [table for name, table in verdicts if name == study]
        datasets = {dataset for table in tested for dataset in table["dataset"]}
        table = pd.concat([*tested, untested(claims, datasets)], ignore_index=True)
        order = {claim["id"]: place for place, claim in enumerate(claims)}
        table = table.sort_values("id", key=lambda ids, order=order: ids.map(order), kind="stable")
        counted = [parts(own) for _, own in table.groupby("dataset", sort=False)]
        counted_as = pd.concat(counted) if counted else pd.Series(dtype=object)
        frames.append(table.assign(study=study, counted_as=counted_as))
    return pd.concat(frames).reindex(columns=COLUMNS)

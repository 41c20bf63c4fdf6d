"""Jobs: order the points of recommenders' grids by their scores, and write the best of them."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from rankassay.artifacts.files import atomic
from rankassay.artifacts.tables import read_table, write_table
from rankassay.drawing import style
from rankassay.errors import RankassayError
from rankassay.tuning import figure as tuning
from rankassay.tuning.grid import as_configuration, chosen, ordered, points

log = logging.getLogger(__name__)

HEADING = """\
# The best points of the grids on {dataset}, by {measure} on a part of the training ratings.
# To use them, name this file behind your own: rankassay run --configfile YOURS {path}
"""


def order_grid(
    scores: Sequence[str],
    grid: Mapping[str, Sequence[Any]],
    title: str,
    table: str,
    figure: str,
) -> None:
    """Order the points of a recommender's grid, and draw them; `scores` are in the grid's order.

    `figure` is a pdf; svg and png go next to it.
    """
    expected = len(points(grid))
    if len(scores) != expected:
        raise RankassayError(
            f"expected the scores of the grid's {expected} points, found {len(scores)}."
        )
    found = ordered(grid, pd.concat(map(read_table, scores), ignore_index=True))
    failed = found[found["score"].isna()]
    if len(failed) == expected:
        raise RankassayError(
            f"{table}: expected a score for one of the grid's {expected} points, found "
            f"none; change the grid or leave it out. The first: {failed['error'].iloc[0]}"
        )
    if len(failed):
        log.warning(
            "warning: %d of %d points without a score: see the column error", len(failed), expected
        )
    write_table(found, table)
    style.save(tuning.draw(found, title), Path(figure).with_suffix(""))


def write_best(
    dataset: str,
    tables: Mapping[str, str],
    grids: Mapping[str, Mapping[str, Sequence[Any]]],
    output: str,
) -> None:
    """Write the best point of each recommender's grid as a configuration."""
    read = {name: read_table(path) for name, path in tables.items()}
    best = {name: chosen(grids[name], table) for name, table in read.items()}
    measure = next(iter(read.values()))["measure"].iloc[0]
    with atomic(output, "w") as file:
        file.write(
            HEADING.format(dataset=dataset, measure=measure, path=output)
            + yaml.safe_dump(as_configuration(dataset, best), sort_keys=False)
        )
    for name, point in best.items():
        log.info("%s: %s", name, ", ".join(f"{key} {value}" for key, value in point.items()))

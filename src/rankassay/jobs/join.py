"""Job: join the results of several jobs: rankings of users, scores, or rows of a table."""

from collections.abc import Sequence

import numpy as np

from rankassay.artifacts.arrays import Rankings, Replicates, Scores
from rankassay.artifacts.mapped import StoredScores
from rankassay.artifacts.shards import join_tables
from rankassay.errors import RankassayError


def join(
    kind: str,
    parts: Sequence[str],
    output: str,
    within: Sequence[str] = (),
    replicates: Sequence[str] = (),
    joined_replicates: str | None = None,
) -> None:
    """Join parts, in their order, to what one job would have written, byte for byte.

    Tables are ordered by the columns `within` first, and may have `replicates` of their rows.
    """
    if kind == "rankings":
        Rankings.joined([Rankings.load(part) for part in parts]).save(output)
    elif kind == "scores":
        stored = [StoredScores.load(part) for part in parts]
        measures = np.concatenate([part.measures for part in stored])
        Scores.write((some for part in stored for some in part.parts()), measures, output)
    else:
        order = join_tables(parts, output, within)
        if replicates:
            _join_replicates(replicates, joined_replicates, order)


def _join_replicates(parts: Sequence[str], output: str | None, order: Sequence[int]) -> None:
    """Join the replicates of the rows of tables in the order that the rows have now."""
    found = Replicates.joined([Replicates.load(part) for part in parts])
    if len(order) != len(found.values):
        raise RankassayError(
            f"join: expected replicates of {len(order)} rows, found {len(found.values)}; "
            f"delete {', '.join(parts)} and run again."
        )
    Replicates(found.column, found.values[order]).save(output)

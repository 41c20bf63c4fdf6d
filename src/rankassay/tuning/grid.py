"""Tuning: the points of a grid, their order, and the best of them."""

import itertools

import pandas as pd

Grid = dict[str, list | None]
Point = dict[str, object]


def points(grid: Grid) -> list[Point]:
    """Return all combinations of a grid's values, the last setting changing fastest.

    A setting whose values are None is left out; if no setting has values, there are none.

    >>> points({"neighbours": [50, 100], "estimate": ["mle"]})
    [{'neighbours': 50, 'estimate': 'mle'}, {'neighbours': 100, 'estimate': 'mle'}]
    """
    values = {setting: tried for setting, tried in grid.items() if tried is not None}
    if not values:
        return []
    return [dict(zip(values, point, strict=True)) for point in itertools.product(*values.values())]


def ordered(grid: Grid, scores: pd.DataFrame) -> pd.DataFrame:
    """Return the points of a grid with their scores, best first, ties in the grid's order.

    `scores` has the columns measure, score (higher is better; NaN for a point without one, which
    comes last) and error (why it has none), in the order of `points(grid)`. The result adds point
    (its number in that order, from 1) and the settings.
    """
    # As objects the values stay what the configuration says: 100 in a column with null does not
    # become 100.0.
    table = pd.DataFrame(points(grid), dtype=object)
    table.insert(0, "point", range(1, len(table) + 1))
    table = table.join(scores[["measure", "score", "error"]])
    return table.sort_values("score", ascending=False, kind="stable", ignore_index=True)


def chosen(grid: Grid, table: pd.DataFrame) -> Point:
    """Return the best point of a grid: the first row of `ordered`.

    The settings come from the grid, because a table read from a file has lost their types.
    """
    return points(grid)[int(table["point"].iloc[0]) - 1]


def as_configuration(dataset: str, best: dict[str, Point]) -> dict:
    """Return the configuration that gives some recommenders these settings on one dataset."""
    return {
        "recommender_catalogue": {
            recommender: {"datasets": {dataset: point}} for recommender, point in best.items()
        }
    }

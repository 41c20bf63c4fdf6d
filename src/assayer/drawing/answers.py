"""A table of answers: what a study says of each dataset, in sentences."""

from collections.abc import Iterable, Mapping

import pandas as pd

from assayer.drawing.table import Table

COLUMNS = ["Dataset", "Question", "Answer"]


def answered(
    said: Iterable[tuple[str, str, str]], titles: Mapping[str, str], caption: str
) -> Table:
    """Return answers by dataset, in the order of the titles, and then as they come.

    Parameters
    ----------
    said : iterable of (title of a dataset, question, answer)
    titles
        See `assayer.drawing.table`.
    """
    frame = pd.DataFrame(said, columns=COLUMNS)
    place = {title: i for i, title in enumerate(titles.values())}
    frame = frame.sort_values("Dataset", key=lambda names: names.map(place), kind="stable")
    return Table(frame.reset_index(drop=True), caption)

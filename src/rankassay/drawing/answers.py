"""A table of answers: a study's findings on each dataset, in sentences."""

from collections.abc import Callable, Iterable, Mapping

import pandas as pd

from rankassay.drawing.measures import shown
from rankassay.drawing.sentences import plain
from rankassay.drawing.table import Table, at_cutoff, by_dataset

COLUMNS = ["Dataset", "Question", "Answer"]
# Rankings are said to agree from this tau on: Voorhees, Information Processing and Management 36,
# 2000
ALIKE = 0.9


def answered_at(
    cutoff: int,
    asked: Iterable[tuple[str, pd.DataFrame | None, Callable[[pd.DataFrame], str]]],
    titles: Mapping[str, str],
    caption: str,
) -> Table:
    """Return answers of each dataset's rows at a cut-off, or of whole lists.

    Parameters
    ----------
    cutoff : int
    asked : iterable of (question, table, answer)
        A table with the columns dataset, cutoff, and metric or metric_a and metric_b, or None,
        which leaves the question out; and what makes the answer of a dataset's rows.
    titles
        See `rankassay.drawing.table`.
    """
    said = []
    for question, table, answer in asked:
        if table is not None:
            rows = shown(table, cutoff) if "metric" in table else at_cutoff(table, cutoff)
            said += [(title, question, answer(own)) for title, own in by_dataset(rows, titles)]
    return answered(said, titles, caption)


def answered(
    said: Iterable[tuple[str, str, str]], titles: Mapping[str, str], caption: str
) -> Table:
    """Return answers by dataset, in the order of the titles, and then of the answers.

    Parameters
    ----------
    said : iterable of (title of a dataset, question, answer)
    titles
        See `rankassay.drawing.table`.
    """
    frame = pd.DataFrame(said, columns=COLUMNS)
    frame["Answer"] = frame["Answer"].map(plain)
    place = {title: i for i, title in enumerate(titles.values())}
    frame = frame.sort_values("Dataset", key=lambda names: names.map(place), kind="stable")
    return Table(frame.reset_index(drop=True), caption)

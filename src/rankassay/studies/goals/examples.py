"""The constructed rankings of Schröder, Thiele and Lehner, 2011, figures 1 to 5.

"Setting goals and choosing metrics for recommender system evaluations", UCERSTI 2011. A ranking is
written as a text, best item first: "r" is a relevant item, "i" an irrelevant one. The paper shows
its rankings in pictures only. Those of figures 2 and 3 follow from the captions: one relevant item
at each place, and perfect and inverse lists at each share of relevant items. Those of figures 1, 4
and 5 are reconstructed to be what captions and text say, and are settings.
"""

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate, grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.studies.goals import variants as variants_of
from rankassay.types import Floats

N_ITEMS = 10  # in all figures
PERFECT, INVERSE, CHANCE = "perfect", "inverse", "chance"
LETTERS = "abcdefghij"


def run(
    metrics: Sequence[str],
    variants: Sequence[str],
    length: int,
    figure_1: str,
    figure_4: Sequence[str],
) -> pd.DataFrame:
    """Compute all metrics, and variants of them, on the rankings of figures 1 to 4.

    The settings are those of `rankassay.studies.goals.study.Examples`; the list of figure 1 is
    from one to ten items long.

    Returns
    -------
    DataFrame
        A row for each figure, example, recommender and metric, with the columns figure, example (a
        letter), recommender (figure 3: perfect, inverse, and chance, the mean over all rankings;
        otherwise empty), ranking (empty for chance), length, relevant (items), metric (or variant,
        see `rankassay.studies.goals.variants`) and value.
    """
    n = len(figure_1)
    cases = [(1, LETTERS[k], "", figure_1, k + 1) for k in range(n)]
    cases += [
        (2, LETTERS[k], "", "i" * k + "r" + "i" * (N_ITEMS - 1 - k), length) for k in range(N_ITEMS)
    ]
    for relevant in range(1, N_ITEMS):
        best = "r" * relevant + "i" * (N_ITEMS - relevant)
        letter = LETTERS[relevant - 1]
        cases += [(3, letter, PERFECT, best, length), (3, letter, INVERSE, best[::-1], length)]
    cases += [
        (4, letter, "", ranking, length) for letter, ranking in zip(LETTERS, figure_4, strict=False)
    ]
    names, rows = [*metrics, *variants], []
    for figure, example, recommender, ranking, k in cases:
        head = {"figure": figure, "example": example, "recommender": recommender}
        head |= {"ranking": ranking, "length": k, "relevant": ranking.count("r")}
        found = _all([ranking], metrics, variants, k)[0]
        rows += [head | {"metric": m, "value": v} for m, v in zip(names, found, strict=True)]
    chance = _by_chance(metrics, variants, length)
    return pd.concat([pd.DataFrame(rows), chance], ignore_index=True)


def roc(ranking: str, length: int) -> pd.DataFrame:
    """Trace the ROC curve of figure 5, of the whole ranking and limited to its first items.

    From the point reached at `length`, the limited curve is straight to (1, 1).

    Returns
    -------
    DataFrame
        Columns curve (whole or limited), step (items seen; the last one of the limited curve is
        the number of items), ranking, length, fallout, recall and area (of the metric AUC or LAUC).
    """
    seen = np.array([item == "r" for item in ranking])
    recall = np.concatenate(([0.0], np.cumsum(seen) / max(seen.sum(), 1)))
    fallout = np.concatenate(([0.0], np.cumsum(~seen) / max((~seen).sum(), 1)))
    steps = {
        "whole": np.arange(len(ranking) + 1),
        "limited": np.array([*range(length + 1), len(ranking)]),
    }
    areas = dict(zip(steps, values([ranking], ["AUC", "LAUC"], length)[0], strict=True))
    columns = {"ranking": ranking, "length": length}
    return pd.concat(
        [
            pd.DataFrame({"curve": curve, "step": step, **columns}).assign(
                fallout=fallout[step], recall=recall[step], area=areas[curve]
            )
            for curve, step in steps.items()
        ],
        ignore_index=True,
    )


def values(rankings: Iterable[str], metrics: Sequence[str], length: int) -> Floats:
    """Return metrics of lists of the first items of rankings, float64 (n_rankings, n_metrics).

    Raises RankassayError for a ranking that holds anything but r and i, or is shorter than the
    list.
    """
    rankings = list(rankings)
    for ranking in rankings:
        if set(ranking) - {"r", "i"} or len(ranking) < length:
            raise RankassayError(
                f"expected a ranking of at least {length} letters r (relevant) and i (irrelevant), "
                f"found '{ranking}'."
            )
    places = [[k for k, item in enumerate(own, start=1) if item == "r"] for own in rankings]
    count = [len(own) for own in places]
    judgements = Judgements(
        np.arange(len(rankings), dtype=np.int32),
        np.cumsum([0, *count]).astype(np.int64),
        np.ones(sum(count)),
        1.0,
    )
    n_items = np.array([len(ranking) for ranking in rankings], dtype=np.int32)
    ranks = np.array([place for own in places for place in own], dtype=np.int32)
    lists = Lists(ranks, n_items, n_items)
    return evaluate(judgements, [lists], grid(metrics, [length]))[:, 0]


def all_rankings(n_items: int, n_relevant: int) -> list[str]:
    """Return all rankings of a number of items, of which a given number is relevant."""
    return [
        "".join("r" if k in places else "i" for k in range(n_items))
        for places in itertools.combinations(range(n_items), n_relevant)
    ]


def _all(
    rankings: list[str], metrics: Sequence[str], variants: Sequence[str], length: int
) -> Floats:
    """Return the metrics and then the variants, float64 (n_rankings, n_metrics + n_variants)."""
    found = values(rankings, metrics, length)
    return np.hstack([found, variants_of.values(rankings, variants, length)])


def _by_chance(metrics: Sequence[str], variants: Sequence[str], length: int) -> pd.DataFrame:
    """Return the means over all rankings for each number of relevant items, for figure 3."""
    frames = []
    for relevant in range(1, N_ITEMS):
        rankings = all_rankings(N_ITEMS, relevant)
        found = _all(rankings, metrics, variants, length).mean(axis=0)
        head = {"figure": 3, "example": LETTERS[relevant - 1], "recommender": CHANCE, "ranking": ""}
        head |= {"length": length, "relevant": relevant}
        frames.append(pd.DataFrame(head | {"metric": [*metrics, *variants], "value": found}))
    return pd.concat(frames)

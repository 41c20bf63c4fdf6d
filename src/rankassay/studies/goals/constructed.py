"""Constructed rankings of Schröder, Thiele and Lehner, 2011: figures 1 to 5, statements, claims.

"Setting goals and choosing metrics for recommender system evaluations", UCERSTI 2011. A ranking is
written as a text, best item first: "r" is a relevant item, "i" an irrelevant one. The paper shows
its rankings in pictures only. Those of figures 2 and 3 follow from the captions: one relevant item
at each place, and perfect and inverse lists at each share of relevant items. Those of figures 1, 4
and 5 are reconstructed to be what captions and text say.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd

from rankassay.errors import RankassayError
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.evaluate import evaluate, grid
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.rank_correlation import tau_b
from rankassay.types import Booleans, Floats

N_ITEMS = 10  # in all figures
LENGTH = 4  # of the lists in figures 2 to 5
TRIED = 8  # items, all of whose rankings are tried
METRICS = (
    *("P", "R", "F1", "InversePrecision", "InverseRecall", "Fallout", "MissRate"),
    *("Markedness", "Informedness", "MCC", "KendallTau", "AP", "AUC", "LAUC"),
)
# Printed as pictures only: any ranking with four relevant items; and rankings with three, each of
# which differs in one respect from another.
FIGURE_1 = "rririiriii"
FIGURE_4 = (
    *("rrriiiiiii", "rririiiiii", "irrriiiiii", "rriiriiiii", "riririiiii"),
    *("riirriiiii", "riiriiiiir", "riiirriiii", "iriiriiiir", "iiiiiiirrr"),
)
PERFECT, INVERSE, CHANCE = "perfect", "inverse", "chance"
LETTERS = "abcdefghij"


def examples() -> pd.DataFrame:
    """Compute all metrics, and variants of them, on the rankings of figures 1 to 4.

    Returns
    -------
    DataFrame
        A row for each figure, example, recommender and metric, with the columns figure, example (a
        letter), recommender (figure 3: perfect, inverse, and chance, the mean over all rankings;
        otherwise empty), ranking (empty for chance), length, relevant (items), metric (or one of
        `VARIANTS`) and value.
    """
    cases = [(1, LETTERS[k], "", FIGURE_1, k + 1) for k in range(N_ITEMS)]
    cases += [
        (2, LETTERS[k], "", "i" * k + "r" + "i" * (N_ITEMS - 1 - k), LENGTH) for k in range(N_ITEMS)
    ]
    for relevant in range(1, N_ITEMS):
        best = "r" * relevant + "i" * (N_ITEMS - relevant)
        letter = LETTERS[relevant - 1]
        cases += [(3, letter, PERFECT, best, LENGTH), (3, letter, INVERSE, best[::-1], LENGTH)]
    cases += [(4, letter, "", own, LENGTH) for letter, own in zip(LETTERS, FIGURE_4, strict=True)]
    names, rows = [*METRICS, *VARIANTS], []
    for figure, example, recommender, ranking, k in cases:
        head = {"figure": figure, "example": example, "recommender": recommender}
        head |= {"ranking": ranking, "length": k, "relevant": ranking.count("r")}
        found = _all([ranking], k)[0]
        rows += [head | {"metric": m, "value": v} for m, v in zip(names, found, strict=True)]
    return pd.concat([pd.DataFrame(rows), _by_chance()], ignore_index=True)


def roc(ranking: str = FIGURE_1, length: int = LENGTH) -> pd.DataFrame:
    """Trace the ROC curve of figure 5, of the whole ranking and limited to its first items.

    From the point reached at `length`, the limited curve is straight to (1, 1).

    Returns
    -------
    DataFrame
        Columns curve (whole or limited), step (items seen; the last one of the limited curve is
        the number of items), ranking, length, fallout, recall and area (of the metric AUC or LAUC).
    """
    seen = np.array([item == "r" for item in ranking])
    recall = np.concatenate(([0.0], np.cumsum(seen) / seen.sum()))
    fallout = np.concatenate(([0.0], np.cumsum(~seen) / (~seen).sum()))
    n = len(ranking)
    steps = {"whole": np.arange(n + 1), "limited": np.array([*range(length + 1), n])}
    areas = dict(zip(steps, values([ranking], ["AUC", "LAUC"], length)[0], strict=True))
    curves = []
    for curve, step in steps.items():
        head = {"curve": curve, "step": step, "ranking": ranking, "length": length}
        own = {"fallout": fallout[step], "recall": recall[step], "area": areas[curve]}
        curves.append(pd.DataFrame(head | own))
    return pd.concat(curves, ignore_index=True)


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


def _all(rankings: list[str], length: int) -> Floats:
    """Return the metrics and then the variants, float64 (n_rankings, n_metrics + n_variants)."""
    relevant = [np.array([item == "r" for item in ranking]) for ranking in rankings]
    variants = [[variant(own, length) for variant in VARIANTS.values()] for own in relevant]
    return np.hstack([values(rankings, METRICS, length), np.array(variants)])


def _by_chance() -> pd.DataFrame:
    """Return the means over all rankings for each number of relevant items, for figure 3."""
    frames = []
    for relevant in range(1, N_ITEMS):
        found = _all(all_rankings(N_ITEMS, relevant), LENGTH).mean(axis=0)
        head = {"figure": 3, "example": LETTERS[relevant - 1], "recommender": CHANCE, "ranking": ""}
        head |= {"length": LENGTH, "relevant": relevant}
        frames.append(pd.DataFrame(head | {"metric": [*METRICS, *VARIANTS], "value": found}))
    return pd.concat(frames)


# Section 4.2 says of mean average precision that "various other means including the geometric mean
# (GMAP), harmonic mean (HMAP) and quadratic mean (QMAP) can be applied instead". Of many users they
# are the setting `metrics.aggregate`; here each is the mean of the precisions at the relevant items
# of one ranking, which is the only one that a figure of single rankings can show.


def mean_of_precisions(relevant: np.ndarray, length: int, how: str) -> float:
    """Return a mean of the precisions at the relevant items of a ranking, bool (n_items,).

    ::

        geometric:  (prod_r P_r)^(1 / |R|)
        harmonic:   |R| / sum_r (1 / P_r)
        quadratic:  sqrt(sum_r P_r^2 / |R|)

    with P_r the precision down to the relevant item r, and 0 for one beyond the list. The geometric
    and the harmonic mean raise that to 0.00001, see `rankassay.metrics.aggregate.aggregate`.
    """
    precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
    precision[length:] = 0.0
    return float(aggregate(precision[relevant], how))


def limited_tau(relevant: np.ndarray, length: int) -> float:
    """Return Kendall's tau-b between the order of a list and relevance, bool (n_items,).

    The items beyond the list are tied below it: "a similar variation of the boolean Kendall's tau,
    which considers only the top-k recommendations" (section 5.2). As LAUC does, it takes the order
    within the list into account, and none beyond it. 0 where no pair counts.
    """
    places = np.minimum(np.arange(len(relevant)), length)
    return float(np.nan_to_num(tau_b(-places.astype(np.float64), relevant.astype(np.float64))))


VARIANTS: dict[str, Callable[[np.ndarray, int], float]] = {
    "GMAP": partial(mean_of_precisions, how="geometric"),
    "HMAP": partial(mean_of_precisions, how="harmonic"),
    "QMAP": partial(mean_of_precisions, how="quadratic"),
    "LimitedTau": limited_tau,
}


# Statements with the cases to which they apply and their exceptions, counted one by one. A case is
# a ranking with a length of the list, or two of them that are compared.
Counts = tuple[int, int]  # cases and exceptions

STATED = ("P", "R", "Markedness", "Informedness", "MCC", "KendallTau", "AUC", "LAUC")
CLOSE = 1e-12  # values nearer than this are equal

STATEMENTS = {
    "lauc-retrieved": ("5.2", "LAUC is 1 if all relevant items are in the list, in any order"),
    "lauc-first": ("5.2", "LAUC is 1 if all relevant items come first and fit in the list"),
    "lauc-only-first": ("5.2", "LAUC is 1 in no other case"),
    "lauc-relevant-only": ("5.2", "LAUC is 1 if the list holds nothing but relevant items"),
    "lauc-minimal": ("5.2", "LAUC is least if, and only if, no relevant item is in the list"),
    "lauc-zero": ("5.2", "LAUC is 0 if all irrelevant items come first and fit in the list"),
    "lauc-more": ("5.2", "more relevant items in the list make LAUC higher, up to half the items"),
    "lauc-more-long": ("5.2", "the same for longer lists, where exceptions are foreseen"),
    "lauc-up": ("5.2", "LAUC rises if a relevant item moves up within the list"),
    "lauc-even": ("5.2", "a swap at the top of the list changes LAUC as much as one at its bottom"),
    "lauc-beyond": ("5.2", "changes beyond the end of the list leave LAUC as it is"),
    "auc-even": ("5.2", "a swap at the top of a ranking changes AUC as much as one at its end"),
    "range": ("5.1", "markedness, informedness and correlation lie between -1 and 1"),
    "geometric-mean": ("5.1", "correlation is the geometric mean of the two, with their sign"),
    "chance": ("5.1", "at random, markedness, informedness and correlation are 0 on average"),
    "recall-grows": ("4.2", "a longer list does not lower recall"),
    "precision-falls": (
        "4.2",
        "a longer list lowers precision in most cases (of those in which it changes, with at most "
        "half of the items relevant)",
    ),
    "tau-is-correlation": ("4.3", "boolean Kendall's tau-b equals the Matthews correlation"),
    "tau-follows-auc": ("4.3", "of two rankings with one relevant item, tau puts none in reverse"),
    "tau-follows-auc-all": ("4.3", "of any two rankings of the same relevant items, nor there"),
}


def properties(items: int = TRIED) -> pd.DataFrame:
    """Count the exceptions to every property over all rankings of a number of items.

    Rankings have from one relevant item to all but one, lists from one place to all. The columns
    are property, section, statement, cases, exceptions and share (of exceptions).
    """
    found: dict[str, list[int]] = {name: [0, 0] for name in STATEMENTS}
    for relevant in range(1, items):
        rankings = all_rankings(items, relevant)
        seen = np.array([[item == "r" for item in ranking] for ranking in rankings])
        by_length = [
            dict(zip(STATED, values(rankings, STATED, length).T, strict=True))
            for length in range(1, items + 1)
        ]
        for name, (cases, exceptions) in _counted(rankings, seen, by_length):
            found[name][0] += int(cases)
            found[name][1] += int(exceptions)
    rows = [(name, *stated, *found[name]) for name, stated in STATEMENTS.items()]
    columns = ["property", "section", "statement", "cases", "exceptions"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(share=table["exceptions"] / table["cases"].clip(lower=1))


def _counted(rankings, seen: Booleans, by_length: list) -> Iterator[tuple[str, Counts]]:
    """Yield the counts of all properties for rankings with the same number of relevant items."""
    n_relevant = int(seen[0].sum())
    for length, found in enumerate(by_length, start=1):
        hits = seen[:, :length].sum(axis=1)
        yield from _of_area(seen, hits, length, n_relevant, found)
        yield from _of_classification(length < seen.shape[1], found)
        yield from _of_tau(n_relevant, found)
        yield from _of_swaps(rankings, length, found)
    for shorter, longer in itertools.pairwise(by_length):
        yield "recall-grows", _if(longer["R"] >= shorter["R"] - CLOSE)
        change = longer["P"] - shorter["P"]
        if 2 * n_relevant <= seen.shape[1]:
            yield "precision-falls", _if(change[np.abs(change) > CLOSE] < 0)


def _of_area(seen: Booleans, hits, length: int, n_relevant: int, found: Mapping):
    """Yield the counts of the properties of LAUC that concern single rankings, or the lists."""
    area, n_irrelevant = found["LAUC"], seen.shape[1] - n_relevant
    is_one, least = np.abs(area - 1) < CLOSE, np.abs(area - area.min()) < CLOSE
    first = seen[:, :n_relevant].all(axis=1) & (n_relevant <= length)
    yield "lauc-retrieved", _if(is_one[hits == n_relevant])
    yield "lauc-first", _if(is_one[first])
    yield "lauc-only-first", _if(~is_one[~first])
    yield "lauc-relevant-only", _if(is_one[hits == length])
    if length <= n_irrelevant:
        yield "lauc-minimal", _if(least == (hits == 0))
    else:
        yield "lauc-zero", _if(np.abs(area[~seen[:, :n_irrelevant].any(axis=1)]) < CLOSE)
    more = hits[:, None] > hits
    name = "lauc-more" if 2 * length <= seen.shape[1] else "lauc-more-long"
    yield name, _if((area[:, None] > area + CLOSE)[more])
    same_list = (seen[:, None, :length] == seen[None, :, :length]).all(axis=2)
    yield "lauc-beyond", _if((np.abs(area[:, None] - area) < CLOSE)[same_list])


def _of_classification(shorter: bool, found: Mapping):
    """Yield the counts of the properties of the metrics that see lists as classifications."""
    marked, informed, both = found["Markedness"], found["Informedness"], found["MCC"]
    yield "range", _if(np.abs(np.concatenate([marked, informed, both])) <= 1 + CLOSE)
    if shorter:  # a list of all items makes no distinction
        mean = np.sign(marked) * np.sqrt(np.maximum(marked * informed, 0))
        yield "geometric-mean", _if(np.abs(both - mean) < 1e-9)
        means = np.array([marked.mean(), informed.mean(), both.mean()])
        yield "chance", _if(np.abs(means) < 1e-9)


def _of_tau(n_relevant: int, found: Mapping):
    """Yield the counts of the properties of the boolean Kendall's tau."""
    tau, auc = found["KendallTau"], found["AUC"]
    yield "tau-is-correlation", _if(np.abs(tau - found["MCC"]) < CLOSE)
    first, second = np.triu_indices(len(tau), k=1)
    product = _sign(tau[first] - tau[second]) * _sign(auc[first] - auc[second])
    yield "tau-follows-auc-all", _if(product >= 0)
    if n_relevant == 1:
        yield "tau-follows-auc", _if(product >= 0)


def _of_swaps(rankings: list[str], length: int, found: Mapping):
    """Yield the counts of the effect of swapping a relevant item with the one above."""
    place = {ranking: i for i, ranking in enumerate(rankings)}
    limited, whole = [], []
    for ranking in rankings:
        for k in range(len(ranking) - 1):
            if ranking[k : k + 2] == "ir":
                i, j = place[ranking], place[f"{ranking[:k]}ri{ranking[k + 2 :]}"]
                whole.append(found["AUC"][j] - found["AUC"][i])
                if k + 2 <= length:
                    limited.append(found["LAUC"][j] - found["LAUC"][i])
    rises, whole = np.array(limited), np.array(whole)
    yield "lauc-up", _if(rises > CLOSE)
    yield "lauc-even", _if(np.abs(rises - np.append(rises, 0)[0]) < CLOSE)
    yield "auc-even", _if(np.abs(whole - whole[0]) < CLOSE)


def _sign(x: Floats) -> Floats:
    return np.where(np.abs(x) < CLOSE, 0.0, np.sign(x))


def _if(holds: Booleans) -> Counts:
    """Return how many cases there are, and in how many a property does not hold."""
    return len(holds), int((~holds).sum())


def bias(examples: pd.DataFrame) -> pd.DataFrame:
    """Sum figure 3 up by metric, from the table of `examples`.

    Returns
    -------
    DataFrame
        Columns metric, statistic and value; the statistics, over the shares of relevant items, are

        - chance: by how much the mean over all rankings, which is chance, varies
        - span: by how much the distance from the inverse to the perfect recommender varies
        - confusion: the best value of the inverse recommender less the worst of the perfect one;
          above 0, the value alone does not distinguish them
    """
    shown = examples[examples["figure"] == 3]
    rows = []
    for metric, own in shown.groupby("metric", sort=False):
        by = own.pivot(index="relevant", columns="recommender", values="value")
        span = by[PERFECT] - by[INVERSE]
        statistics = {
            "chance": by[CHANCE].max() - by[CHANCE].min(),
            "span": span.max() - span.min(),
            "confusion": by[INVERSE].max() - by[PERFECT].min(),
        }
        rows += [{"metric": metric, "statistic": s, "value": v} for s, v in statistics.items()]
    return pd.DataFrame(rows)

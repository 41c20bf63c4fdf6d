"""Properties of metrics stated by Schröder et al., 2011, tested on all rankings of few items.

Each property is a statement with the cases to which it applies and its exceptions, counted one by
one. A case is a ranking with a length of the list, or two of them that are compared.
"""

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from rankassay.studies.goals.examples import all_rankings, values
from rankassay.types import Booleans, Floats

Counts = tuple[int, int]  # cases and exceptions

METRICS = ("P", "R", "Markedness", "Informedness", "MCC", "KendallTau", "AUC", "LAUC")
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


def run(items: int) -> pd.DataFrame:
    """Count the exceptions to every property over all rankings of a number of items.

    Rankings have from one relevant item to all but one, lists from one place to all. The columns
    are property, section, statement, cases, exceptions and share (of exceptions).
    """
    found: dict[str, list[int]] = {name: [0, 0] for name in STATEMENTS}
    for relevant in range(1, items):
        rankings = all_rankings(items, relevant)
        seen = np.array([[item == "r" for item in ranking] for ranking in rankings])
        by_length = [
            dict(zip(METRICS, values(rankings, METRICS, length).T, strict=True))
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

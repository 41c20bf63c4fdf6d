"""Which metric satisfies which axiom: table 1 of Parapar and Radlinski, RecSys 2021, computed.

An axiom holds for a metric if the metric values the better list higher in every one of many random
instances; one in which it does not is printed, and is the proof that the axiom does not hold. That
it holds in all is no proof that it always does.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import pandas as pd

from rankassay.errors import one_of
from rankassay.metrics.evaluate import diversity_values
from rankassay.seeds import generator
from rankassay.studies.diversity.instances import AXIOMS, Pairs
from rankassay.types import Booleans, Floats

LONG = ("TopHeav", "TopHeavComp")  # the lists of these are thousands of items long
EQUAL = 1e-12  # values nearer than this are equal


def run(
    seed: int,
    *,
    metrics: Sequence[str],
    instances: int,
    long_instances: int,
    axioms: Sequence[str] | None,
) -> pd.DataFrame:
    """Test every axiom on random instances, the same for every metric.

    The settings are those of `rankassay.studies.diversity.study.Axioms`; axioms are named as in
    `rankassay.studies.diversity.instances.AXIOMS`.

    Returns
    -------
    DataFrame
        Columns axiom, metric, instances, satisfied (in how many), holds (1 if in all),
        counterexample (the instance in which the value of the better list is furthest below that
        of the worse one; of an axiom that says that something exists, with what comes nearest to
        it; empty where the axiom holds).
    """
    rows = []
    for axiom in axioms or AXIOMS:
        one_of("axiom", axiom, AXIOMS)
        n = long_instances if axiom in LONG else instances
        drawn = AXIOMS[axiom](generator(seed, "axioms", axiom), n)
        batches = [(pairs, pairs.lists()) for pairs in drawn]
        for metric in metrics:
            satisfied, example = _test(metric, batches)
            counts = (len(satisfied), satisfied.sum(), int(satisfied.all()))
            rows.append((axiom, metric, *counts, example))
    columns = ["axiom", "metric", "instances", "satisfied", "holds", "counterexample"]
    return pd.DataFrame(rows, columns=columns)


def _test(metric: str, batches) -> tuple[Booleans, str]:
    """Find the instances that satisfy the axiom in some batch, and describe the worst other one."""
    values = [[_values(metric, lists) for lists in both] for _, both in batches]
    gaps = np.array([better - worse for better, worse in values])
    satisfied = (gaps > EQUAL).any(axis=0)
    if satisfied.all():
        return satisfied, ""
    i = int(np.argmin(gaps.max(axis=0)))
    nearest = int(np.argmax(gaps[:, i]))  # the batch that comes nearest to what the axiom asks
    better, worse = values[nearest]
    return satisfied, describe(batches[nearest][0], i, better[i], worse[i])


def _values(metric: str, lists) -> Floats:
    return diversity_values(lists, [metric], [lists.items.shape[1]])[:, 0, 0]


def describe(pairs: Pairs, i: int, high: float, low: float) -> str:
    """Write an instance in words: both lists, item by item, the weights, and the two values.

    An item is its rating and its aspects, as in 4ab; - is an item without a rating.
    """
    names = "abcdefghijklmnopqrstuvwxyz"[: pairs.weights.shape[1]]
    weights = " ".join(f"{n} {w:.4f}" for n, w in zip(names, pairs.weights[i], strict=True))

    def item(j: int) -> str:
        rating = pairs.rating[i, j]
        aspects = "".join(n for n, s in zip(names, pairs.shown[i, j], strict=True) if s)
        return ("-" if np.isnan(rating) else f"{rating:g}") + aspects

    def ranking(items) -> str:
        runs = [(text, len([*same])) for text, same in groupby(map(item, items))]
        return " ".join(text if n == 1 else f"{n}x{text}" for text, n in runs)

    better, worse = ranking(pairs.better[i]), ranking(pairs.worse[i])
    return f"[{better}] {high:.6g}, but [{worse}] {low:.6g}; weights {weights}"

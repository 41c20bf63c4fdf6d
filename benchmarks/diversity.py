"""The diversity metrics against plain Python and pyndeval (TREC's ndeval), in one run.

    ./run python benchmarks/diversity.py [--users 6040]

Judgements, aspects and lists of the size of MovieLens 1M are simulated: 6,040 users with 33
judgements each, 3,706 items that show 1.7 of 18 aspects on average, lists of 100. All take the same
arrays or their dicts; making those, and compiling, is no part of the times. One thread, CPU
seconds, one warm-up and the median of five. What is slow is run for a part of the users and scaled,
as the table says. pyndeval is no dependency: without it, its rows are left out. Its cut-offs end at
20, so that lists of 20 are compared.
"""

import argparse
import dataclasses
import math
import time
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from rankassay.metrics.catalogue import DIVERSITY_METRICS
from rankassay.metrics.diversity.lists import AspectLists, Aspects, Interests
from rankassay.metrics.evaluate import diversity_values

N_ITEMS, N_ASPECTS, N_JUDGED, DEPTH = 3706, 18, 33, 100
PART = 100  # users whom plain Python evaluates
REPEATS = 5
NDEVAL_DEPTH = 20
NDEVAL = {
    "alpha-nDCG@20": "alpha_nDCG(gain='binary', alpha=0.5)",
    "nERR-IA@20": "ERR_IA(gain='binary', stop=0.5, weights='uniform', normalise='ideal')",
    "strec@20": "S_Recall(aspects='relevant', relevant_only=True)",
}


def main() -> None:
    """Print the comparison as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--users", type=int, default=6040)
    n_users = parser.parse_args().users
    judged, shown, items = made_up(n_users)
    print("| what | seconds | beside ours |")
    print("| --- | ---: | ---: |")
    everything = [*DIVERSITY_METRICS]
    interests = Interests.of(judged, judged, Aspects.of(shown), 4)
    first = timed(lambda: ours(fresh(interests), items, everything))
    print(
        f"| ours, all {len(everything)} metrics, {n_users:,} lists of {DEPTH} | {first:.3f} | 1 |"
    )
    again = timed(lambda: ours(interests, items, everything))
    print(f"| ours, a further system (ideal lists known) | {again:.3f} | {again / first:.2f} |")
    for name in everything:
        alone = timed(lambda name=name: ours(fresh(interests), items, [name]))
        print(f"| ours, {name} alone | {alone:.3f} | {alone / first:.2f} |")
    against_plain(judged, shown, items, interests)
    against_ndeval(judged, shown, items, interests)


def made_up(n_users: int) -> tuple[sp.csr_matrix, np.ndarray, np.ndarray]:
    """Return judgements, aspects and lists, a fifth of which is judged."""
    rng = np.random.default_rng(0)
    shown = rng.random((N_ITEMS, N_ASPECTS)) < 1.7 / N_ASPECTS
    shown[np.arange(N_ITEMS), rng.integers(N_ASPECTS, size=N_ITEMS)] = True
    row = np.repeat(np.arange(n_users), N_JUDGED)
    item = np.array([rng.choice(N_ITEMS, N_JUDGED, replace=False) for _ in range(n_users)])
    rating = rng.integers(1, 6, row.size).astype(np.float64)
    judged = sp.csr_matrix((rating, (row, item.ravel())), shape=(n_users, N_ITEMS))
    judged.sort_indices()
    lists = np.empty((n_users, DEPTH), dtype=np.int32)
    for u in range(n_users):
        others = np.setdiff1d(rng.choice(N_ITEMS, 2 * DEPTH, replace=False), item[u])
        lists[u] = rng.permutation(np.concatenate([item[u][:20], others[: DEPTH - 20]]))
    return judged, shown, lists


def fresh(interests: Interests) -> Interests:
    """Return interests of which no ideal list is known yet."""
    return dataclasses.replace(interests, _remembered={})


def name_of(item: int) -> str:
    """Return an item's name: ndeval's ideal takes the last one by name of those that gain most."""
    return f"{N_ITEMS - item:05d}"


def ours(interests: Interests, items: np.ndarray, metrics: list[str], depth: int = DEPTH):
    """Return the values of the metrics at two cut-offs."""
    return diversity_values(AspectLists.of(items[:, :depth], interests), metrics, [10, depth])


def timed(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median CPU seconds of a piece of work, after one warm-up."""
    seconds = []
    for _ in range(repeats + 1):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return float(np.median(seconds[1:]))


def against_plain(judged, shown, items, interests) -> None:
    """Print what alpha-beta-nDCG takes in plain Python that recomputes nothing either."""
    aspects = [np.flatnonzero(row).tolist() for row in shown]
    ratings = [dict(zip(row.indices.tolist(), row.data.tolist(), strict=True)) for row in judged]
    weights, lists = interests.weights.tolist(), items.tolist()

    def plain() -> list[float]:
        users = range(PART)
        return [unified(lists[u], ratings[u], aspects, weights[u]) for u in users]

    found = ours(interests, items, ["alpha_beta_nDCG"])[:PART, 0, 1]
    assert np.allclose(plain(), found, atol=1e-12)
    slow = timed(plain, 3) * len(items) / PART
    fast = timed(lambda: ours(fresh(interests), items, ["alpha_beta_nDCG"]))
    print(
        f"| plain Python, alpha_beta_nDCG, scaled from {PART} users | {slow:.2f} "
        f"| {slow / fast:.1f} |"
    )


def unified(ranking, ratings, aspects, weights) -> float:
    """Return alpha-beta-nDCG@100 of one user."""

    def gain(item, left):
        p = 0.1 * ratings[item] if item in ratings else 0.005
        missed = 1.0
        for a in aspects[item]:
            missed *= 1 - p * left[a]
        return 1 - missed, p

    def walk(choose):
        left, total = weights.copy(), 0.0
        for k in range(DEPTH):
            item = choose(k, left)
            if item is None:
                break
            found, p = gain(item, left)
            total += found / math.log2(k + 2)
            for a in aspects[item]:
                left[a] *= 1 - p
        return total

    unused = dict.fromkeys(ratings)

    def greedily(k, left):
        best = max(unused, key=lambda item: gain(item, left)[0], default=None)
        unused.pop(best, None)
        return best

    return walk(lambda k, left: ranking[k]) / walk(greedily)


def against_ndeval(judged, shown, items, interests) -> None:
    """Print what TREC's ndeval takes for what both have, and check that the values agree."""
    try:
        import pyndeval
    except ImportError:
        print("| pyndeval (not installed) | | |")
        return
    qrels = [
        pyndeval.SubtopicQrel(str(u), str(a), name_of(i), 1)
        for u, row in enumerate(judged)
        for i, rating in zip(row.indices, row.data, strict=True)
        if rating >= 4
        for a in np.flatnonzero(shown[i])
    ]
    run = [
        pyndeval.ScoredDoc(str(u), name_of(i), float(-k))
        for u, row in enumerate(items[:, :NDEVAL_DEPTH])
        for k, i in enumerate(row)
    ]
    measures = [*NDEVAL]
    evaluator = pyndeval.RelevanceEvaluator(qrels, measures=measures)
    theirs = evaluator.evaluate(run)
    names = [*NDEVAL.values()]
    found = ours(fresh(interests), items, names, NDEVAL_DEPTH)[:, :, 1]
    same = [
        np.isclose([theirs[str(u)][name] for u in range(len(found))], found[:, m], atol=1e-9).mean()
        for m, name in enumerate(measures)
    ]
    slow = timed(lambda: evaluator.evaluate(run), 3)
    fast = timed(lambda: ours(fresh(interests), items, names, NDEVAL_DEPTH))
    what = ", ".join(measures)
    print(f"| ours, {what} | {fast:.3f} | 1 |")
    print(f"| pyndeval, {what} | {slow:.2f} | {slow / fast:.1f} |")
    shares = ", ".join(f"{100 * share:.1f}%" for share in same)
    print(f"\nUsers to whom pyndeval gives the same value: {shares}.")


if __name__ == "__main__":
    main()

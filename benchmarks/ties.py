"""Evaluation over all orders of tied items, against evaluation in one order."""

import time

import numpy as np
import pandas as pd

import rankassay
from rankassay.seeds import generator

METRICS = ["P@10", "R@10", "AP@10", "nDCG@10", "RR@10", "Bpref@10", "ERR@10", "RBP@10"]
N_USERS, N_ITEMS, LISTED, JUDGED, REPEATS = 6040, 3000, 100, 30, 5


def rows(random: np.random.Generator, n: int, column: str, values: np.ndarray) -> pd.DataFrame:
    """Return n rows for each user, of different items."""
    item = np.concatenate([random.choice(N_ITEMS, n, replace=False) for _ in range(N_USERS)])
    return pd.DataFrame({"user": np.repeat(np.arange(N_USERS), n), "item": item, column: values})


def main() -> None:
    """Print the least time of each rule of ties, without ties and with 20 different scores."""
    random = generator(1, "ties benchmark")
    judged = rows(random, JUDGED, "rating", random.integers(1, 6, N_USERS * JUDGED))
    qrels = rankassay.judged(judged)
    n = N_USERS * LISTED
    for what, scores in (("no ties", random.random(n)), ("20 scores", random.integers(0, 20, n))):
        run = rows(random, LISTED, "score", scores)
        for ties in ("item", "expected", "worst", "best"):
            times = []
            for _ in range(REPEATS):
                begin = time.perf_counter()
                rankassay.evaluate(qrels, run, METRICS, ties=ties)
                times.append(time.perf_counter() - begin)
            print(f"{what}, {ties}: {1000 * min(times):.0f} ms")


if __name__ == "__main__":
    main()

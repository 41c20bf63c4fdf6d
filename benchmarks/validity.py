"""How long the study of validity takes on data with a truth: agreement and diagnostics.

    ./run python benchmarks/validity.py

A simulated dataset of 1,000 users, 1,000 items and 21 systems; each user judged 9% of the items at
random, of which those that the user knew are observed, but for a quarter (`benchmarks/truth.py`).
77 measures and three weighed ones, under all yardsticks and estimators, with 200 resamples.
"""

import time
from types import SimpleNamespace

import numpy as np
from truth import DISCOVERY, World

from rankassay.metrics.evaluate import grid
from rankassay.recommenders.rank import rank
from rankassay.seeds import generator
from rankassay.studies.validity import agreement, diagnostics
from rankassay.studies.validity.settings import PLAIN, Agreement, Section

SIZE, SYSTEMS, DEPTH, CUTOFFS = (1000, 1000), 21, 100, (5, *range(10, 101, 10))


class Fixed:
    """A recommender whose scores are given."""

    def __init__(self, scores: np.ndarray) -> None:
        self.scores = scores

    def score(self, users: np.ndarray) -> np.ndarray:
        """Return the scores of some users."""
        return self.scores[users].copy()


def main() -> None:
    """Make the data, and print CPU seconds and seconds of each analysis."""
    world = World(1.0, DISCOVERY["taste"], size=SIZE)
    drawn = world.draw(0.09, generator(0, "judgements"))
    rng = generator(0, "systems")
    rankings = {}
    for n in range(SYSTEMS):
        a, b, c = rng.random(3)
        scores = a * world.taste + b * world.quality + c * rng.normal(size=SIZE)
        rankings[f"system-{n}"] = rank(Fixed(scores), drawn.train, drawn.test, DEPTH, "all_items")
    told = {"threshold": 4, "measures": grid(PLAIN, CUTOFFS), "recommenders": {}}
    told |= {"profile": "paper", "without_relevant": None, "aggregate": "mean"}
    propensities = drawn.test.astype(np.float64)
    propensities.data[:] = 0.5
    own = Section()
    of_truth = {"yardstick_cutoffs": own.yardstick_cutoffs, "inclusion": own.inclusion}
    of_both = of_truth | {"resamples": own.resamples} | Agreement().model_dump()
    common = (drawn.train, drawn.test, drawn.truth(), rankings)
    more = (SimpleNamespace(item_ids=range(SIZE[1])), propensities)
    analyses = {
        "agreement": lambda: agreement.run(*common, *more, told, 0, **of_both).table,
        "diagnostics": lambda: diagnostics.run(*common, told, 0, **of_truth),
    }
    for name, analysis in analyses.items():
        for which in ("first", "again"):
            cpu, start = time.process_time(), time.perf_counter()
            rows = len(analysis())
            spent = time.process_time() - cpu, time.perf_counter() - start
            print(f"{name}, {which}: {spent[0]:.1f} CPU s, {spent[1]:.1f} s, {rows} rows")


if __name__ == "__main__":
    main()

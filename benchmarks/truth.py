"""Is a truth that was set aside unbiased, and do its intervals hold what they are of?

    ./run python benchmarks/truth.py --output docs/measured/ml-1m/constructed/validity

Worlds of 240 users and 600 items have a complete truth: who likes what, and who knows what. Popular
items are known by most. Liking goes against, is independent of, or goes with popularity; users come
across items by the item alone, also by liking, or also by taste. A share of the items is judged by
each user (a random part of fixed size); of the judged pairs that the user knew, a quarter is set
aside as the truth, with all that the user had not known, and of the rest 80% train. Eight systems
mix popularity in training, taste, quality and what similar users rated; so lists change with what
trains. A draw is one set of judgements, one division and one training; bias is the mean over draws
of an estimate less the value of the same lists by the complete truth, over the same users.

Tables written: coverage.csv, a row for each world, share of judged pairs, yardstick and estimator.
- z_systems, z_pairs: the largest |bias| of the systems and of differences of two, in Monte Carlo
  errors; bias_systems, bias_pairs the largest ones themselves, and level the mean true value
- coverage_systems, coverage_pairs: how often 95% intervals over resampled users hold the complete
  value; the least of all systems, of all pairs
- tau_true, tau: of observed P@10 with the complete truth, and with the estimated; coverage_tau: how
  often the interval of the latter holds the former; agreement: tau of estimated and complete truth

Some 40 minutes on one core for 1,000 draws (`--draws`).
"""

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp

from assayer.artifacts.arrays import Rankings, Truth
from assayer.artifacts.tables import write_table
from assayer.progress import progress
from assayer.seeds import generator
from assayer.statistics.draws import Draws
from assayer.statistics.rank_correlation import tau_b
from assayer.statistics.replicated import CORRELATION, interval
from assayer.statistics.test_sets import means_of_values
from assayer.studies.validity.yardsticks import (
    AS_PUBLISHED,
    ESTIMATORS,
    LIKED,
    NEW,
    Estimates,
    Sample,
    Yardstick,
    as_published,
    places,
    sample,
)

USERS, ITEMS, DEPTH = 240, 600, 10
ASIDE, TRAINS, RESAMPLES = 0.25, 0.8, 200
LIKING = {"against popularity": -1.0, "independent": 0.0, "with popularity": 1.0}
DISCOVERY = {"item": (0.0, 0.0), "liking": (1.5, 0.0), "taste": (0.0, 1.0)}
SHARES = (0.09, 0.3, 1.0)
MIXES = ((0, 0, 1), (0, 1, 0), (0.5, 0.5, 0), (1, 0, 0), (1, 1, 0), (0.5, 0, 0.5), (0.3, 1, 0.5))
FIRST = "HT"
WITH_INTERVALS = ("HT", "Hajek", "DR")


class World:
    """Who likes and knows what, and systems whose lists depend on what trains."""

    def __init__(
        self,
        liking: float,
        discovery: tuple[float, float],
        seed: int = 0,
        size: tuple[int, int] = (USERS, ITEMS),
    ) -> None:
        rng = generator(seed, "world-with-a-truth", str(liking), str(discovery))
        users, items = size
        by_liking, by_taste = discovery
        known = rng.beta(0.5, 2.5, items) * 0.95
        popular = (known - known.mean()) / known.std()
        self.quality = liking * 0.6 * popular + rng.normal(0, 0.7, items) - 0.6
        taste = sum(rng.normal(size=(users, 1)) * rng.normal(size=items) for _ in range(4)) * 0.35
        self.taste = taste / taste.std()
        self.like = rng.random(size) < _logistic(self.quality + taste)
        odds = np.log(known / (1 - known)) + by_liking * self.like + by_taste * self.taste
        self.known = rng.random(size) < _logistic(odds)
        self.noise = rng.normal(0, 0.6, (len(MIXES), *size))

    def scores(self, train: np.ndarray) -> Iterator[np.ndarray]:
        """Yield each system's scores of all pairs."""
        popularity = train.sum(axis=0).astype(np.float64)
        popularity = (popularity - popularity.mean()) / max(popularity.std(), 1e-9)
        for (a, b, c), noise in zip(MIXES, self.noise, strict=True):
            yield a * popularity + b * self.taste + c * self.quality + noise
        own = train.astype(np.float32)
        yield own @ (own.T @ own) + 1e-3 * self.noise[0]  # what is rated together: whole numbers

    def draw(self, share: float, rng: np.random.Generator) -> "Draw":
        """Judge, set aside and train once."""
        size = self.like.shape
        n_judged = round(share * size[1])
        order = np.argsort(rng.random(size), axis=1)
        judged = np.zeros(size, dtype=bool)
        np.put_along_axis(judged, order[:, :n_judged], True, axis=1)
        aside = judged & (~self.known | (rng.random(size) < ASIDE))
        observed = judged & ~aside
        train = observed & (rng.random(size) < TRAINS)
        return Draw(self, train, observed & ~train, aside, n_judged)


class Draw:
    """One set of judgements, and the systems' lists."""

    def __init__(self, world: World, train, test, aside, n_judged: int) -> None:
        self.world, self.n_judged = world, n_judged
        rating = np.where(world.like, 5, 1).astype(np.float32)
        self.train, self.test, self.aside = (
            sp.csr_matrix((rating[own], own.nonzero()), shape=own.shape)
            for own in (train, test, aside)
        )
        none = np.zeros(len(train), dtype=np.int32)
        self.rankings = {}
        for n, scores in enumerate(world.scores(train)):
            scores = np.where(train, -np.inf, scores)
            top = np.argpartition(-scores, DEPTH, axis=1)[:, :DEPTH].astype(np.int32)
            self.rankings[str(n)] = Rankings(top, none[:0], none)

    def truth(self, judged: sp.csr_matrix | None = None) -> Truth:
        """Return the truth that was set aside, or other judgements of the same design."""
        matrix = self.aside if judged is None else judged
        return Truth.of(
            matrix,
            known=self.world.known[matrix.nonzero()],
            judged=np.full(matrix.shape[0], self.n_judged),
            aside=ASIDE,
            scale=(1, 5),
            design="set-aside",
        )

    def samples(self) -> dict[str, Sample]:
        """Return the judgements as each estimator takes them."""
        own = (self.train, self.test, self.truth(), 4)
        weighed = sample(*own)
        counts = {"HT, counts": sample(*own, inclusion="counts")}
        return dict.fromkeys(ESTIMATORS, weighed) | counts | {AS_PUBLISHED: as_published(*own)}

    def complete(self, yardstick: str, users: np.ndarray) -> np.ndarray:
        """Return P@10 by the complete truth, (n_users, n_systems)."""
        gain = self.world.like & ~(self.world.known & (yardstick == NEW))
        lists = [own.items[users] for own in self.rankings.values()]
        return np.stack([gain[users[:, None], own].mean(axis=1) for own in lists], axis=1)

    def observed(self, users: np.ndarray) -> np.ndarray:
        """Return observed P@10, (n_users, n_systems)."""
        user, item = self.test.nonzero()
        hit = self.test.data >= 4
        row = np.searchsorted(users, user)
        ranks = [places(own.items[users], row, item) for own in self.rankings.values()]
        sums = [np.bincount(row, hit & (own > 0), minlength=len(users)) for own in ranks]
        return np.stack(sums, axis=1) / DEPTH


def _logistic(odds: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-odds))


def pairs(values: np.ndarray) -> np.ndarray:
    """Return the systems' values and all differences of two, (..., n_systems + n_pairs)."""
    first, second = np.triu_indices(values.shape[-1], k=1)
    return np.concatenate([values, values[..., first] - values[..., second]], axis=-1)


def measured(world: World, share: float, n_draws: int, seed: int, intervals: bool = True) -> list:
    """Return the rows of a world at one share of judged pairs."""
    names = [*ESTIMATORS, "HT, counts", AS_PUBLISHED]
    cases = [*itertools.product((LIKED, NEW), names)]
    bias = {case: [] for case in cases}
    level = {case: [] for case in cases}
    held = {case: [] for case in cases}
    taus = {case: [] for case in cases}
    for n in range(n_draws):
        drawn = world.draw(share, generator(seed, "judgements", str(share), n))
        samples = drawn.samples()
        shared = {
            id(own): Estimates.of(own, drawn.rankings, world.like.shape[1], n)
            for own in samples.values()
        }
        users = samples[FIRST].users
        draws = Draws.of(len(world.like), RESAMPLES if intervals else 0, n)
        seen = means_of_values(drawn.observed(users)[:, :, None], draws.of_users(users))[:, 0]
        for case in cases:
            yardstick, name = case
            true = drawn.complete(yardstick, users).mean(axis=0)
            by = Yardstick(yardstick, "P", DEPTH, FIRST if "counts" in name else name)
            first = name in WITH_INTERVALS and intervals
            found = shared[id(samples[name])].means(by, draws if first else None)[:, 0]
            bias[case].append(pairs(found[0]) - pairs(true))
            level[case].append(true)
            tau = tau_b(seen[: len(found)], found)
            taus[case].append((tau[0], *tau_b(np.stack([seen[0], found[0]]), true[None])))
            if first:
                low, high = interval(pairs(found[0]), pairs(found[1:]).T)
                low_tau, high_tau = interval(tau[:1], tau[None, 1:], bounds=CORRELATION)
                within = (low <= pairs(true)) & (pairs(true) <= high)
                held[case].append([*within, (low_tau <= taus[case][-1][1] <= high_tau)[0]])
    rows = []
    for case in cases:
        errors = np.array(bias[case])
        mean, error = errors.mean(axis=0), errors.std(axis=0, ddof=1) / np.sqrt(n_draws)
        z = np.abs(mean) / np.maximum(error, 1e-12)
        n_systems = len(level[case][0])
        row = {"yardstick": case[0], "estimator": case[1], "level": np.mean(level[case])}
        for name, own in {"systems": slice(n_systems), "pairs": slice(n_systems, None)}.items():
            at = np.argmax(np.abs(mean[own]))
            row |= {f"bias_{name}": mean[own][at], f"z_{name}": z[own].max()}
            row[f"error_{name}"] = error[own].mean()
        tau, true, same = np.nanmean(np.array(taus[case]), axis=0)
        row |= {"tau_true": true, "tau": tau, "agreement": same}
        if held[case]:
            share_held = np.mean(held[case], axis=0)
            row |= {
                "coverage_systems": share_held[:n_systems].min(),
                "coverage_pairs": share_held[n_systems:-1].min(),
                "coverage_tau": share_held[-1],
            }
        rows.append(row)
    return rows


def main() -> None:
    """Measure all worlds, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    rows = []
    cases = [*itertools.product(LIKING, DISCOVERY, SHARES)]
    for liking, discovery, share in progress(cases, "worlds"):
        world = World(LIKING[liking], DISCOVERY[discovery], options.seed)
        head = {"liking": liking, "discovery": discovery, "judged": share}
        found = measured(world, share, options.draws, options.seed)
        rows += [head | row | {"draws": options.draws} for row in found]
        print(pd.DataFrame([head | row for row in found]).round(3).to_string(), flush=True)
        write_table(pd.DataFrame(rows).round(5), options.output / "coverage.csv")


if __name__ == "__main__":
    main()

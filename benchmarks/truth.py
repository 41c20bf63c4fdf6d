"""Is a truth that was set aside unbiased, and do its intervals hold what they are of?

    ./run python benchmarks/truth.py --output docs/measured/ml-1m/constructed/validity

Worlds of 200 users and 500 items have a complete truth: who likes what, and who knows what. Popular
items are known by most. Liking goes against, is independent of, or goes with popularity; users come
across items by the item alone, also by liking, or also by taste. A share of the items is judged by
each user (a random part of fixed size); of the judged pairs that the user knew, a quarter is set
aside as the truth, with all that the user had not known, and of the rest 80% train. Eight systems
mix popularity in training, taste, quality and what similar users rated; so lists change with what
trains. A draw is one set of judgements, one division and one training; bias is the mean over draws
of an estimate less the value of the same lists by the complete truth, over the same users.

Tables written: coverage.csv, a row for each world, share of judged pairs, yardstick and estimator.
- z_systems, z_pairs: the largest |bias| of the systems and of differences of two, in Monte Carlo
  errors; bias_systems, bias_pairs the largest ones themselves, error_systems, error_pairs the mean
  Monte Carlo error, and level the mean true value
- coverage_systems, coverage_pairs: how often 95% intervals over resampled users hold the complete
  value; the least of all systems, of all pairs
- tau_true, tau: of observed P@10 with the complete truth, and with the estimated; coverage_tau: how
  often the interval of the latter holds the former; agreement: tau of estimated and complete truth

Some 40 minutes on one core for 1,000 draws (`--draws`).
"""

import argparse
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Truth
from rankassay.artifacts.tables import write_table
from rankassay.declared.columns import CORRELATION
from rankassay.progress import progress
from rankassay.seeds import generator
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import means_of_values
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import interval
from rankassay.studies.validity.yardsticks import (
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

USERS, ITEMS, DEPTH = 200, 500, 10
ASIDE, TRAINS, RESAMPLES = 0.25, 0.8, 200
LIKING = {"against popularity": -1.0, "independent": 0.0, "with popularity": 1.0}
DISCOVERY = {"item": (0.0, 0.0), "liking": (1.5, 0.0), "taste": (0.0, 1.0)}
SHARES = (0.09, 0.3, 1.0)
MIXES = ((0, 0, 1), (0, 1, 0), (0.5, 0.5, 0), (1, 0, 0), (1, 1, 0), (0.5, 0, 0.5), (0.3, 1, 0.5))
FIRST, COUNTED = "HT", "HT, counts"
MAIN = ("HT", "DR")  # estimators that are looked at in all draws, the others in a quarter


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

    def samples(self, names: Sequence[str]) -> dict[str, Sample]:
        """Return the judgements as each estimator takes them."""
        own = (self.train, self.test, self.truth(), 4)
        samples = dict.fromkeys(ESTIMATORS, sample(*own))
        if COUNTED in names:
            samples[COUNTED] = sample(*own, inclusion="counts")
        if AS_PUBLISHED in names:
            samples[AS_PUBLISHED] = as_published(*own)
        return samples

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


def measured(
    world: World, share: float, n_draws: int, seed: int, resamples: int = RESAMPLES
) -> list[dict]:
    """Return the rows of a world at one share of judged pairs."""
    cases = [*itertools.product((LIKED, NEW), (*ESTIMATORS, COUNTED, AS_PUBLISHED))]
    seen: dict[tuple, list] = {case: [] for case in cases}
    draws = Draws.of(len(world.like), resamples, seed)
    for n in range(n_draws):
        drawn = world.draw(share, generator(seed, "judgements", str(share), n))
        names = MAIN if 4 * n >= n_draws else (*ESTIMATORS, COUNTED, AS_PUBLISHED)
        for case, found in estimated(drawn, names, draws, n).items():
            seen[case].append(found)
    return [
        {"yardstick": case[0], "estimator": case[1]} | summary(found)
        for case, found in seen.items()
    ]


def estimated(drawn: "Draw", names: Sequence[str], draws: Draws, seed: int) -> dict[tuple, dict]:
    """Return each estimator's value of each yardstick, next to the true one."""
    samples = drawn.samples(names)
    estimates: dict[int, Estimates] = {}
    users = samples[FIRST].users
    rows = drawn.observed(users)[:, :, None]
    seen = means_of_values(rows, draws.of_users(users))[:, 0]
    found = {}
    for yardstick, name in itertools.product((LIKED, NEW), names):
        true = drawn.complete(yardstick, users).mean(axis=0)
        of = samples[name]
        if id(of) not in estimates:
            estimates[id(of)] = Estimates.of(of, drawn.rankings, drawn.train.shape[1], seed)
        by = Yardstick(yardstick, "P", DEPTH, FIRST if name == COUNTED else name)
        values = estimates[id(of)].means(by, draws if name == FIRST else None)[:, 0]
        tau = tau_b(seen[: len(values)], values)
        own = {"true": pairs(true), "estimate": pairs(values[0]), "tau": tau[0]}
        own |= {"tau_true": tau_b(seen[0], true), "agreement": tau_b(values[0], true)}
        if len(values) > 1:
            low, high = interval(pairs(values[0]), pairs(values[1:]).T)
            own["held"] = (low <= own["true"]) & (own["true"] <= high)
            low, high = interval(tau[:1], tau[None, 1:], bounds=CORRELATION.bounds)
            own["tau_held"] = (low <= own["tau_true"]) & (own["tau_true"] <= high)
        found[yardstick, name] = own
    return found


def summary(found: list[dict]) -> dict[str, float]:
    """Return bias, its Monte Carlo error, and coverage, of all systems and of all pairs."""
    errors = np.array([own["estimate"] - own["true"] for own in found])
    mean, error = errors.mean(axis=0), errors.std(axis=0, ddof=1) / np.sqrt(len(found))
    n_systems = len(MIXES) + 1
    row = {"draws": len(found), "level": np.mean([own["true"][:n_systems] for own in found])}
    for name, own in {"systems": slice(n_systems), "pairs": slice(n_systems, None)}.items():
        row[f"bias_{name}"] = mean[own][np.argmax(np.abs(mean[own]))]
        row[f"error_{name}"] = error[own].mean()
        row[f"z_{name}"] = (np.abs(mean[own]) / np.maximum(error[own], 1e-12)).max()
        if "held" in found[0]:
            row[f"coverage_{name}"] = np.mean([f["held"][own] for f in found], axis=0).min()
    for name in ("tau_true", "tau", "agreement"):
        row[name] = np.nanmean([own[name] for own in found])
    if "held" in found[0]:
        row["coverage_tau"] = np.mean([own["tau_held"] for own in found])
    return row


def main() -> None:
    """Measure all worlds, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    rows = []
    cases = [*itertools.product(SHARES, LIKING, DISCOVERY)]
    for share, liking, discovery in progress(cases, "worlds"):
        world = World(LIKING[liking], DISCOVERY[discovery], options.seed)
        head = {"liking": liking, "discovery": discovery, "judged": share}
        found = measured(world, share, options.draws, options.seed)
        rows += [head | row for row in found]
        print(pd.DataFrame([head | row for row in found]).round(3).to_string(), flush=True)
        write_table(pd.DataFrame(rows).round(5), options.output / "coverage.csv")


if __name__ == "__main__":
    main()

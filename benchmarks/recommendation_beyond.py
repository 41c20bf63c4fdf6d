"""What picks a measure better than one measure for all: other measures, mixes, the data themselves?

    ./run python benchmarks/recommendation_beyond.py --output FOLDER

Worlds of the medium size with graded feedback, of other seeds than those of the shipped table. Each
strategy is tried on kinds of worlds that it has not seen: it learns from all kinds but one, and is
judged by that one. `beyond.csv` has a row for each strategy: takes (what it takes most often),
others (worlds in which it takes another), least (the least mean tau of a kind), tau (the mean, with
true P@10, over the kinds left out) and gain (over one measure for all, of the usual ones), both
with the bounds _low and _high of a 95 % interval, over worlds.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from recommendation import CHOSEN_BY, CUTOFFS, DECIMALS, METRICS, SIZES

from rankassay.advice.worlds import mean_and_half
from rankassay.config.sections import configuration
from rankassay.metrics.evaluate import Measure, grid
from rankassay.metrics.names import direction
from rankassay.progress import progress
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import means_of_values
from rankassay.statistics.orders import settled
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.validity import kinds_worlds
from rankassay.studies.validity.kinds import drawn

SIZE = "medium"
WORLDS = 20  # of each kind
SEEDS_AWAY = 2  # from the seed of the shipped table; the check has the one in between
PRIOR = 4.0  # judged items that a smoothed list is given in addition
RIDGE = 1.0  # penalty of the coefficients of standardised facts
CORRECTED = ("CP", "IPS(gain='P', centred=True)", "IPS(gain='P', power=0.5, centred=True)")
NEW = (*CORRECTED, "IPS(gain='P', power=0.5)")
USUAL = tuple(metric for metric in METRICS["graded"] if metric not in NEW)
MIXED = (
    "nDCG@10",
    "P(denominator='judged')@50",
    "Bpref@100",
    "IPS(gain='P')@10",
    "IPS(gain='P')@50",
    "CP@20",
    "CP@50",
    "IPS(gain='P', centred=True)@20",
    "IPS(gain='P', power=0.5, centred=True)@50",
)
FACTS = ("liked", "spread", "judged", "overlap")


@dataclass(frozen=True)
class Seen:
    """What worlds say: tau by candidate, and facts of the data, each with a row a world."""

    kind: np.ndarray  # (n_worlds,)
    number: np.ndarray  # (n_worlds,)
    tau: pd.DataFrame
    facts: pd.DataFrame


def one_world(case: tuple[str, int, int]) -> dict[str, object]:
    """Return tau of all candidates in a world, and facts of its data."""
    kind, number, seed = case
    own = SIZES[SIZE]
    world = drawn(kind, own.users, own.items, own.relevant, own.density, seed, SIZE, number)
    seen = kinds_worlds.observed(world, seed, SIZE, "graded", kind, number)
    measures = [str(Measure.parse(own)) for own in grid(METRICS["graded"], CUTOFFS)]
    values = kinds_worlds.values_of(seen.lists, measures)
    signs = np.array([[direction(measure)] for measure in measures])
    means = dict(
        zip(measures, signs * means_of_values(values, Draws.none(len(values)))[0], strict=True)
    )
    means |= dict(smoothed(seen)) | dict(mixed(means))
    tau = tau_b(np.array([*means.values()]), seen.true)
    return {"kind": kind, "number": number, **facts(seen), **dict(zip(means, tau, strict=True))}


def smoothed(seen: kinds_worlds.Observed) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the means of smoothed judged-only precision, weighed by 1 / popularity or not.

    (sum of w y + a p) / (sum of w + a) over the judged items listed, with the user's share p of
    relevant ones and weights w of mean 1 for each user: a list with few judged items is near p.
    """
    own = seen.judgements
    p = own.n_relevant / np.diff(own.start)
    for name, power in (("smoothed", 0.0), ("smoothed, by 1/popularity", 1.0)):
        weight = own.propensity**-power
        weight /= (np.bincount(own.row, weight) / np.diff(own.start))[own.row]
        for cutoff in (20, 50):
            found = []
            for judged in seen.lists:
                listed = (judged.ranks > 0) & (judged.ranks <= cutoff)
                hits = np.bincount(own.row, weight * (listed & own.relevant), own.n_users)
                count = np.bincount(own.row, weight * listed, own.n_users)
                found.append(((hits + PRIOR * p) / (count + PRIOR)).mean())
            yield f"{name}@{cutoff}", settled(np.array([found]), own.n_users)[0]


def mixed(means: dict[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the sums of two measures' means, each standardised over the systems."""
    names = [str(Measure.parse(measure)) for measure in MIXED]
    for a, b in combinations(names, 2):
        both = [(own - own.mean()) / (own.std() or 1.0) for own in (means[a], means[b])]
        yield f"{a} + {b}", np.round(both[0] + both[1], 12)


def facts(seen: kinds_worlds.Observed) -> dict[str, float]:
    """Return features that could distinguish kinds of data: no system's score."""
    own, n = seen.judgements, seen.judgements.n_users
    top = [(judged.ranks > 0) & (judged.ranks <= kinds_worlds.CUTOFF) for judged in seen.lists]
    pairs = [*combinations(top, 2)]
    return {
        "liked": own.relevant.mean(),  # of what is judged
        "spread": np.log(seen.popularity + 1).std(),  # of popularity
        "judged": np.mean([some.sum() / n for some in top]),  # items among the first ten
        "overlap": np.mean([(a & b).sum() / max((a | b).sum(), 1) for a, b in pairs]),
    }


Strategy = Callable[[Seen, np.ndarray, np.ndarray], Sequence[str]]


def best_of(names: Sequence[str]) -> Strategy:
    """Return the strategy that takes the measure with the least worst loss in known kinds."""

    def takes(seen: Seen, known: np.ndarray, asked: np.ndarray) -> Sequence[str]:
        means = seen.tau[known].groupby(seen.kind[known]).mean()
        lost = (means.max(axis=1).to_numpy()[:, None] - means[list(names)]).max()
        return [lost.idxmin()] * int(asked.sum())

    return takes


def by_facts(names: Sequence[str], columns: Sequence[str]) -> Strategy:
    """Return the strategy that predicts tau from facts, by ridge regression, and takes the best."""

    def takes(seen: Seen, known: np.ndarray, asked: np.ndarray) -> Sequence[str]:
        x = seen.facts[list(columns)].to_numpy()
        middle, scale = x[known].mean(axis=0), x[known].std(axis=0)
        x = (x - middle) / scale
        y = seen.tau.loc[known, list(names)].to_numpy()
        inner = x[known].T @ x[known] + RIDGE * np.eye(len(columns))
        slope = np.linalg.solve(inner, x[known].T @ (y - y.mean(axis=0)))
        predicted = y.mean(axis=0) + x[asked] @ slope
        return [names[j] for j in predicted.argmax(axis=1)]

    return takes


def tried(seen: Seen, strategy: Strategy) -> tuple[np.ndarray, list[str]]:
    """Return tau in each world of what the strategy takes without knowing its kind, and that."""
    tau, taken = np.empty(len(seen.kind)), np.empty(len(seen.kind), dtype=object)
    for kind in dict.fromkeys(seen.kind):
        asked = seen.kind == kind
        taken[asked] = strategy(seen, ~asked, asked)
    for row, name in enumerate(taken):
        tau[row] = seen.tau[name].iloc[row]
    return tau, [*taken]


def strategies(seen: Seen) -> pd.DataFrame:
    """Return the rows of `beyond.csv`."""
    usual, everything = (
        [str(Measure.parse(measure)) for measure in grid(metrics, CUTOFFS)]
        for metrics in (USUAL, METRICS["graded"])
    )
    pairs = [name for name in seen.tau if " + " in name]
    smooth = [name for name in seen.tau if name.startswith("smoothed")]
    given = {
        "nDCG@10": best_of(["nDCG@10"]),
        "one, usual": best_of(usual),
        "one, all": best_of(everything),
        "one, smoothed": best_of(smooth),
        "a mix of two": best_of(pairs),
        "by facts, usual": by_facts(usual, FACTS),
        "by facts, all": by_facts(everything, FACTS),
        **{f"by {fact}, all": by_facts(everything, [fact]) for fact in FACTS},
    }
    compared, _ = tried(seen, given["one, usual"])
    rows = []
    for name, strategy in given.items():
        tau, taken = tried(seen, strategy)
        by_kind = pd.Series(tau).groupby(seen.kind).mean()
        said = {"strategy": name, "takes": pd.Series(taken).mode().iloc[0]}
        said |= {"others": int((pd.Series(taken) != said["takes"]).sum()), "least": by_kind.min()}
        for column, own in (("tau", tau), ("gain", tau - compared)):
            mean, half = mean_and_half(pd.Series(own).groupby(seen.number).mean().to_numpy())
            said |= {column: mean, f"{column}_low": mean - half, f"{column}_high": mean + half}
        rows.append(said)
    return pd.DataFrame(rows)


def main() -> None:
    """Simulate, try the strategies, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=configuration()().seed + SEEDS_AWAY)
    parser.add_argument("--worlds", type=int, default=WORLDS, help="of each kind")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    given = parser.parse_args()
    cases = [(kind, n, given.seed) for kind in CHOSEN_BY for n in range(1, given.worlds + 1)]
    with ProcessPoolExecutor(given.jobs) as pool:
        futures = [pool.submit(one_world, case) for case in cases]
        rows = pd.DataFrame([future.result() for future in progress(futures, "worlds")])
    tau = rows.drop(columns=["kind", "number", *FACTS]).fillna(0.0)
    seen = Seen(rows["kind"].to_numpy(), rows["number"].to_numpy(), tau, rows[list(FACTS)])
    table = strategies(seen)
    given.output.mkdir(parents=True, exist_ok=True)
    table.round(DECIMALS).to_csv(given.output / "beyond.csv", index=False)
    print(table.round(3).to_string())


if __name__ == "__main__":
    main()

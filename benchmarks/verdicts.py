"""How often are verdicts wrong, and how often are they given? Simulated papers of the paper's size.

A paper has 21 systems in 7 families of 3, seven metrics at eleven cut-offs, and ten splits of the
ratings. A system's quality by a metric is that of its family and its own, partly in common to all
metrics; what is measured adds the noise of users, which the splits share in part. From it follow
numbers of the kinds that claims are made of. Their true values are known: with the same systems the
mean over many other users and splits, and with other systems that over all simulated papers.

Of each number sentences are made that are true or false by so much: at the edge of their margin,
where an error is most likely, and at twice the margin. They are judged by
`rankassay.claims.verdicts.interval` and `rankassay.claims.conditions`, as a run judges claims.

    ./run python benchmarks/verdicts.py --output docs/measured/simulated-verdicts.csv
"""

import argparse
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.stats

from rankassay.claims.conditions import FAILS, HOLDS, INCONCLUSIVE, Condition
from rankassay.claims.verdicts import common, interval
from rankassay.statistics.families import Families, jackknife_error

FAMILIES, EACH, METRICS, CUTOFFS, SPLITS = 7, 3, 7, 11, 10
SYSTEMS = FAMILIES * EACH
PARTS = 10  # random parts of the test ratings
FIRST, SECOND = np.triu_indices(SYSTEMS, k=1)
NAMES = {f"system {s}": f"family {s // EACH}" for s in range(SYSTEMS)}
ALL_BUT = Families.of([*NAMES], NAMES).kept
# Noise of a system's mean by a metric, where the qualities of families and systems have variance 1:
# metrics differ in it, and deeper cut-offs have less.
NOISE = np.linspace(0.02, 0.06, METRICS)[:, None] * np.linspace(1.6, 1.0, CUTOFFS)
OWN, OWN_AT = 0.15, 0.05  # of a metric, and of its cut-offs, beside what metrics have in common
OF_SPLIT = 0.9  # its share that other splits draw anew: on MovieLens 1M .9 of the variance, too
OF_TRAINING = 0.3  # of the noise, which other splits have in addition and no resample of users sees
SPARSE = 3.0  # times the noise, with a part of the test ratings


@dataclass(frozen=True)
class Kind:
    """A kind of numbers: the margin of its claims, and what these say."""

    margin: float
    predicate: str


KINDS = {
    "tau of two metrics, reaches a threshold": Kind(0.05, "at_least"),
    "tau of two metrics, near a number": Kind(0.05, "near"),
    "lowest tau of several, reaches a threshold": Kind(0.05, "at_least"),
    "difference of robustness": Kind(0.01, "above"),
    "lead over the best other": Kind(0.01, "above"),
    "difference of power": Kind(1.0, "above"),
    "trend over cut-offs": Kind(0.2, "above"),
    "share of rows": Kind(0.1, "at_least"),
    "least lead in margins": Kind(1.0, "above"),
}


def qualities(rng: np.random.Generator) -> np.ndarray:
    """Return the true means of systems drawn by family, (METRICS, CUTOFFS, SYSTEMS)."""

    def draw(*shape: int) -> np.ndarray:
        of_family = np.repeat(rng.standard_normal((*shape, FAMILIES)), EACH, axis=-1)
        return 0.5**0.5 * (of_family + rng.standard_normal((*shape, SYSTEMS)))

    own = draw(METRICS, 1) * OWN + draw(METRICS, CUTOFFS) * OWN_AT
    return draw(1, 1) + own


def noise(users: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return noise of users and of their test ratings, of which splits have the first in common."""
    own = rng.standard_normal(users.shape)
    return NOISE[..., None] * ((1 - OF_SPLIT) ** 0.5 * users + OF_SPLIT**0.5 * own)


def measured(quality: np.ndarray, users: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the means on one split, with the noise of users, of test and of training ratings."""
    trained = OF_TRAINING * NOISE[..., None] * rng.standard_normal(quality.shape)
    return quality + noise(users, rng) + trained


def tau(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return Kendall's tau along the last axis, which has no ties."""
    n = x.shape[-1]
    first, second = np.triu_indices(n, k=1)
    signs = [np.sign(side[..., first] - side[..., second]) for side in (x, y)]
    return (signs[0] * signs[1]).mean(axis=-1)


def numbers(means: np.ndarray, parts: np.ndarray) -> dict[str, float]:
    """Return a number of each kind from the systems' means, (METRICS, CUTOFFS, n)."""
    at = means[:, -1]
    between = tau(at[:, None], at[None])[np.triu_indices(METRICS, k=1)]
    kept = means + SPARSE * NOISE[..., None] * parts
    robust = tau(kept, means).mean(axis=0)  # (METRICS, CUTOFFS)
    n = means.shape[-1]
    first, second = np.triu_indices(n, k=1)
    z = np.abs(means[..., first] - means[..., second]) / (2**0.5 * NOISE[..., None])
    pairs = SYSTEMS * (SYSTEMS - 1) / 2
    power = -2 * scipy.stats.norm.sf(z).mean(axis=-1) * pairs
    trends = [tau(own[-1:] * 0 + own, np.arange(CUTOFFS)) for own in (*robust, *power)]
    deepest = [*(robust[:, -1] - robust[:, 0]) / 0.01, *(power[:, -1] - power[:, 0])]
    rows = np.array([*(np.array(trends) / 0.2), *deepest])
    others = robust[1:, -1].max()
    leads = np.array([robust[0, -1] - others, robust[0, -1] - robust[1:, -1].mean()]) / 0.01
    return {
        "tau of two metrics, reaches a threshold": between[0],
        "tau of two metrics, near a number": between[1],
        "lowest tau of several, reaches a threshold": between.min(),
        "difference of robustness": robust[0, -1] - robust[3, -1],
        "lead over the best other": robust[0, -1] - others,
        "difference of power": power[0, -1] - power[3, -1],
        "trend over cut-offs": trends[3],
        "share of rows": (rows > 0).mean(),
        "least lead in margins": leads.min(),
    }


def paper(seed: int, resamples: int, truth: int) -> pd.DataFrame:
    """Return by kind the estimate, its errors, and the true value for these systems."""
    rng = np.random.default_rng(seed)
    quality = qualities(rng)
    users = rng.standard_normal(quality.shape)
    drawn = rng.standard_normal((resamples, *quality.shape))
    by_split, of_users, of_systems = [], [], []
    for _ in range(SPLITS):
        means, parts = measured(quality, users, rng), rng.standard_normal((PARTS, *quality.shape))
        by_split.append(numbers(means, parts))
        # As users are resampled, so are their test ratings: the noise of both is in it.
        again = [numbers(means + noise(own, rng), parts) for own in drawn]
        of_users.append(pd.DataFrame(again))
        without = [numbers(means[..., own], parts[..., own]) for own in ALL_BUT]
        of_systems.append(pd.DataFrame(without))
    true = []
    for _ in range(truth):
        anew = rng.standard_normal(quality.shape)
        true.append(numbers(measured(quality, anew, rng), rng.standard_normal(parts.shape)))
    splits = pd.DataFrame(by_split)
    return pd.DataFrame(
        {
            "mean": splits.mean(),
            "error_splits": splits.std(ddof=1) / SPLITS**0.5,
            "error_users": {
                name: common([own[name].to_numpy() for own in of_users]) for name in splits
            },
            "error_systems": (sum(of_systems) / SPLITS).apply(
                lambda own: jackknife_error(own.to_numpy())
            ),
            "reproduced": pd.DataFrame(true).mean(),
        }
    ).rename_axis("kind")


def sentences(kind: Kind, theta: float) -> dict[str, Condition]:
    """Return sentences about a number whose true value is theta, by what they are."""
    m = kind.margin
    at = {
        "above": {"true": -m, "false": 0.0, "true, twice": -2 * m, "false, twice": 2 * m},
        "at_least": {"true": 0.0, "false": m, "true, twice": -2 * m, "false, twice": 2 * m},
        "near": {"true": m, "false": m, "true, twice": 0.0, "false, twice": 2 * m},
    }[kind.predicate]
    return {name: Condition(kind.predicate, theta + by, m) for name, by in at.items()}


def verdicts(papers: pd.DataFrame) -> pd.DataFrame:
    """Return how often each question is answered how, by kind, with the coverage of intervals."""
    rows = []
    general = papers.groupby("kind")["mean"].mean()
    for row in papers.reset_index().to_dict("records"):
        errors = [(row["error_users"], 400), (row["error_splits"], SPLITS - 1)]
        beyond = [*errors, (row["error_systems"], FAMILIES - 1)]
        for question, own, theta in (
            ("reproduced", errors, row["reproduced"]),
            ("general", beyond, general[row["kind"]]),
        ):
            low, high = interval(row["mean"], own, (-np.inf, np.inf))
            kind = KINDS[row["kind"]]
            for name, condition in sentences(kind, theta).items():
                found = condition.verdict(low, high)
                rows.append(
                    {"kind": row["kind"], "question": question, "sentence": name}
                    | {verdict: found == verdict for verdict in (HOLDS, INCONCLUSIVE, FAILS)}
                    | {"covered": low <= theta <= high, "half": (high - low) / 2 / kind.margin}
                )
    table = pd.DataFrame(rows).groupby(["question", "kind", "sentence"], sort=False)
    return table.mean().reset_index()


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return by question and kind the shares that matter."""
    found = []
    for (question, kind), own in table.groupby(["question", "kind"], sort=False):
        by = own.set_index("sentence")
        found.append(
            {
                "question": question,
                "kind": kind,
                "covered": by["covered"].iloc[0],
                "true does not hold": by.loc["true", FAILS],
                "false holds": by.loc["false", HOLDS],
                "decided at twice": (
                    1 - by.loc[["true, twice", "false, twice"], INCONCLUSIVE].mean()
                ),
                "half width in margins": by["half"].iloc[0],
            }
        )
    return pd.DataFrame(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", type=int, default=150)
    parser.add_argument("--resamples", type=int, default=60)
    parser.add_argument("--truth", type=int, default=150)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--output", help="table to write (csv), which the pages show")
    options = parser.parse_args()
    seeds = np.random.SeedSequence(options.seed).generate_state(options.papers)
    papers = pd.concat([paper(int(s), options.resamples, options.truth) for s in seeds])
    pd.set_option("display.width", 200)
    print(papers.groupby("kind", sort=False).mean().round(4).to_string())
    found = summary(verdicts(papers)).round(3)
    print(found.to_string(index=False))
    if options.output:
        found.to_csv(options.output, index=False)


if __name__ == "__main__":
    main()

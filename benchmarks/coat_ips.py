"""Why does inverse propensity scoring fail on Coat? One ingredient is replaced at a time.

    ./run python benchmarks/coat_ips.py --raw-dir FOLDER --output docs/measured/ml-1m/coat/validity

FOLDER/coat has the files that the catalogue names. The 24 ratings that each user chose are dealt
into six folds of four, ten times; 21 recommenders train on five folds. A list's true value is the
number of its first ten coats that the user likes among the 16 random ones that the user judged;
training pairs are not listed and leave the truth. What is observed is the tested fold, without the
pairs that the truth judges, too: a rating of 4 or 5 counts w_ui / 10, with a weight of its own in
each row of the table `ips`::

    IPS@10 = mean over users of 1/10 sum_{i in list, liked in the tested fold} w_ui

The weights are 1 / P with P as `CHOICES` says; factors that all pairs share change no order of
systems. The rows of the ingredient `simulated` draw liking from a model of the judgements and the
tested ratings by the shipped propensities, which then are right.

The table `ips-systems` asks each system's lists what right propensities have to say of them, with
no truth: with P the probability that a pair that does not train is tested, the mean over users of
sum_{i in list, rated in the tested fold} 1 / P_ui is the length of the list.

Takes a minute; prints both tables. Coat: Schnabel et al., ICML 2016.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
import yaml
from scipy.special import expit, logit

from rankassay.artifacts.tables import write_table
from rankassay.lookup import load
from rankassay.recommenders.catalogue import recommender
from rankassay.recommenders.rank import rank
from rankassay.seeds import derive, generator
from rankassay.statistics.rank_correlation import tau_b
from rankassay.types import Booleans, Floats, Integers

ROOT = Path(__file__).parents[1]
LIKED, LENGTH = 4, 10
FOLDS, REPEATS, RESAMPLES, DRAWS = 6, 10, 1000, 10
CLIP = 10.0
CLASSES = (slice(0, 2), slice(2, 18), slice(18, 31), slice(31, 33))  # gender, type, colour, page
BINS = (0, 0.02, 0.05, 0.1, 0.15, 0.2, 1)


@dataclass(frozen=True)
class Coat:
    """The data: matrices of all users and coats, and what is known of both."""

    chosen: Floats  # ratings of coats that users chose, 0 for none
    judged: Floats  # ratings of random coats, 0 for none
    shipped: Floats  # propensities as the authors estimated them
    users: Floats  # features, 0 or 1
    items: Floats

    @classmethod
    def read(cls, folder: Path) -> "Coat":
        """Read the five files."""
        names = ("train", "test", "propensities", "user_features", "item_features")
        return cls(*(np.loadtxt(folder / f"{name}.ascii") for name in names))

    @cached_property
    def liked(self) -> Booleans:
        """The random coats that users like."""
        return self.judged >= LIKED


@dataclass(frozen=True)
class Split:
    """One tested fold: who rated what in training and test, and the systems' lists."""

    train: Booleans
    test: Booleans
    lists: Integers  # (n_systems, n_users, LENGTH)

    @property
    def share(self) -> float:
        """The share of the chosen ratings that is tested."""
        return float(self.test.sum() / (self.train | self.test).sum())

    def values(self, gains: Floats, places: Floats | float = 1 / LENGTH) -> Floats:
        """Return the value of each user's list of each system, (n_users, n_systems)."""
        return (np.take_along_axis(gains[None], self.lists, 2) * places).sum(axis=2).T

    def listed(self) -> Floats:
        """Return which system lists which pair, (n_systems, n_users, n_items)."""
        found = np.zeros((len(self.lists), *self.train.shape))
        np.put_along_axis(found, self.lists, 1, 2)
        return found


def main() -> None:
    """Print and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--raw-dir", type=Path, required=True, help="folder that has coat/")
    parser.add_argument("--output", type=Path, help="folder of ips.csv and ips-systems.csv")
    options = parser.parse_args()
    coat = Coat.read(options.raw_dir / "coat")
    catalogue, names = configured()
    sixths = [*splits(coat, FOLDS, catalogue, names)]
    halves = [*splits(coat, 2, catalogue, names)]
    tables = {
        "ips": ingredients(coat, sixths, halves),
        "ips-systems": by_system(coat, sixths, [catalogue[name]["label"] for name in names]),
        "ips-inclusion": inclusion(coat),
    }
    for name, table in tables.items():
        print(f"\n{name}\n{table.round(3).to_string(index=False)}")
        if options.output:
            write_table(table, options.output / f"{name}.csv")


def configured() -> tuple[dict, list[str]]:
    """Return the catalogue of recommenders, and the names of those of config.yaml."""
    read = {
        name: yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))
        for name in ("recommenders", "config")
    }
    return read["recommenders"]["recommender_catalogue"], read["config"]["recommenders"]


def splits(coat: Coat, folds: int, catalogue: dict, names: list[str]) -> Iterator[Split]:
    """Deal each user's ratings into folds, `REPEATS` times; train on all but one of them."""
    rated = coat.chosen > 0
    for repeat in range(REPEATS):
        random = generator(1, "coat-folds", folds, repeat).random(rated.shape)
        place = np.where(rated, random, 2).argsort(axis=1).argsort(axis=1)
        for fold in range(folds):
            test = rated & (place % folds == fold)
            train = rated & ~test
            known, asked = (sp.csr_matrix(np.float32(coat.chosen * own)) for own in (train, test))
            lists = []
            for name in names:
                model = load(recommender(catalogue[name]["method"]))(
                    **catalogue[name].get("settings", {})
                )
                model.fit(known, derive(1, "coat", repeat, fold, name))
                lists.append(rank(model, known, asked, LENGTH, "all_items").items)
            yield Split(train, test, np.array(lists, dtype=np.int64))


def tested(propensity: Floats, share: float) -> Floats:
    """Return the probability that a pair that does not train is tested, f P / (1 - (1 - f) P)."""
    return share * propensity / (1 - (1 - share) * propensity)


# Weights of tested ratings, each a function of the data and the split.


def shipped(coat: Coat, split: Split) -> Floats:
    """1 / P, of user and coat features, as the data bring it."""
    return 1 / coat.shipped


def constant(coat: Coat, split: Split) -> Floats:
    """1: plain P@10."""
    return np.ones_like(coat.shipped)


def popularity(coat: Coat, split: Split) -> Floats:
    """1 / the coat's number of training ratings."""
    return np.broadcast_to(1 / np.maximum(split.train.sum(axis=0), 1), coat.shipped.shape)


def by_rating(coat: Coat, split: Split) -> Floats:
    """P(r) / P(r | rated), naive Bayes as in Schnabel et al.; P(r) from the random coats."""
    weight = np.ones_like(coat.shipped)
    for r in range(1, 6):
        among = (coat.chosen == r)[split.train].mean()
        weight[coat.chosen == r] = (coat.judged == r)[coat.judged > 0].mean() / among
    return weight


def of_coats(coat: Coat, split: Split) -> Floats:
    """1 / P of a logistic regression on the coat's features alone."""
    features = np.broadcast_to(coat.items, (*coat.shipped.shape, coat.items.shape[1]))
    return 1 / regressed(split, [*np.moveaxis(features, 2, 0)], penalty=1.0)


def of_coats_and_rating(coat: Coat, split: Split) -> Floats:
    """1 / P as shipped, corrected among liked pairs by the random ones (`inclusion`)."""
    correction = inclusion(coat)
    places = np.digitize(coat.shipped, BINS[1:-1], right=True)
    return 1 / (coat.shipped * correction["ratio_liked"].to_numpy()[places])


def of_tastes(coat: Coat, split: Split) -> Floats:
    """1 / P of a regression on the shipped P and on what the user rated in training."""
    return 1 / regressed(split, [logit(coat.shipped), *tastes(coat, split)])


def of_lists(coat: Coat, split: Split) -> Floats:
    """1 / P of a regression on the shipped P and on which systems list the pair."""
    return 1 / regressed(split, [logit(coat.shipped), *split.listed()], penalty=1e-2)


def exact(coat: Coat, split: Split) -> Floats:
    """1 / P of being tested, of a pair that does not train."""
    return 1 / tested(coat.shipped, split.share)


def clipped(coat: Coat, split: Split) -> Floats:
    """1 / P as shipped, at most `CLIP`."""
    return np.minimum(1 / coat.shipped, CLIP)


CHOICES: list[tuple[str, str, Callable[[Coat, Split], Floats]]] = [
    ("as shipped", "user and item features", shipped),
    ("propensities", "constant (plain P@10)", constant),
    ("propensities", "popularity in training", popularity),
    ("propensities", "the rating (naive Bayes)", by_rating),
    ("propensities", "item features", of_coats),
    ("propensities", "shipped, and the user's training ratings", of_tastes),
    ("propensities", "shipped, and the systems' lists", of_lists),
    ("link with the rating", "shipped, corrected among liked pairs", of_coats_and_rating),
    ("split", "probability of test given no training", exact),
    ("variance", "weights of at most 10", clipped),
]


def regressed(split: Split, features: list[Floats], penalty: float = 1e-3) -> Floats:
    """Return P(tested | not trained) by a ridge logistic regression; 1 for training pairs."""
    candidates = ~split.train
    design = np.stack([np.ones(candidates.sum()), *(own[candidates] for own in features)], axis=1)
    found = np.ones(candidates.shape)
    weights = logistic(design, split.test[candidates].astype(float), penalty)
    found[candidates] = np.maximum(expit(design @ weights), 1e-4)
    return found


def logistic(design: Floats, outcome: Floats, penalty: Floats | float) -> Floats:
    """Return the coefficients of a ridge logistic regression, by Newton's method."""
    ridge = np.full(design.shape[1], penalty) if np.isscalar(penalty) else np.asarray(penalty)
    weights = np.zeros(design.shape[1])
    for _ in range(30):
        p = expit(design @ weights)
        slope = design.T @ (outcome - p) - ridge * weights
        curvature = (design * (p * (1 - p))[:, None]).T @ design + np.diag(ridge)
        step = np.linalg.solve(curvature, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def tastes(coat: Coat, split: Split) -> list[Floats]:
    """Return what a user's training ratings say of each coat: its classes, and its neighbours."""
    train = split.train.astype(float)
    found = []
    for own in CLASSES:
        features = coat.items[:, own]
        share = (train @ features + 2 * features.mean(axis=0)) / (train.sum(axis=1)[:, None] + 2)
        found.append(np.log(share) @ features.T)
    together = train.T @ train
    own = np.diag(together).copy()
    np.fill_diagonal(together, 0)
    near = np.log(train @ (together / (np.sqrt(np.outer(own, own)) + 5)) + 0.05)
    counts = np.broadcast_to(np.log1p(train.sum(axis=0)), near.shape)
    return [*found, near, near**2, counts]


def ingredients(coat: Coat, sixths: list[Split], halves: list[Split]) -> pd.DataFrame:
    """Return the agreement of the systems' order with the true one, a row for each choice.

    Columns ingredient, choice, tau (the mean over single tested folds) with low and high (the
    middle 95% of them), tau_all (of the systems' means over all folds and repeats, in which every
    rating is tested) with low_all and high_all, over resampled users, and how much tau_all is above
    that of the first row, which is IPS as shipped: gain, with low_gain and high_gain, of the same
    resampled users. Simulated rows have no gain.
    """
    cases = [
        *((ingredient, name, sixths, weights, {}) for ingredient, name, weights in CHOICES),
        ("split", "half of the ratings tested", halves, shipped, {}),
        ("split", "half of the ratings tested, constant", halves, constant, {}),
        ("gain", "DCG@10", sixths, shipped, {"places": 1 / np.log2(np.arange(2, LENGTH + 2))}),
        ("variance", "divided by the same of all ratings", sixths, shipped, {"normalised": True}),
        ("variance", "divided by the same, constant", sixths, constant, {"normalised": True}),
    ]
    rows, first = [], np.zeros(1 + RESAMPLES)
    for ingredient, name, own, weights, more in cases:
        found, taus = agreement(*valued(coat, own, weights, **more))
        first = taus if not rows else first
        low, high = np.quantile((taus - first)[1:], [0.025, 0.975])
        gain = {"gain": taus[0] - first[0], "low_gain": low, "high_gain": high}
        rows.append({"ingredient": ingredient, "choice": name} | found | gain)
    return pd.DataFrame([*rows, *simulated(coat, sixths)])


def valued(
    coat: Coat,
    own: list[Split],
    weights: Callable[[Coat, Split], Floats],
    places: Floats | float = 1 / LENGTH,
    normalised: bool = False,
) -> tuple[Floats, Floats, Floats | None]:
    """Return true and observed values, (n_splits, n_users, n_systems), and the latter's divisors.

    Normalised, what is observed is a ratio of means: that of liked ratings to that of all.
    """
    true, seen, divisor = [], [], []
    for split in own:
        weight = weights(coat, split) * (split.test & (coat.judged == 0))
        true.append(split.values(np.float64(coat.liked & ~split.train)))
        seen.append(split.values(weight * (coat.chosen >= LIKED), places))
        divisor.append(split.values(weight, places))
    return np.array(true), np.array(seen), np.array(divisor) if normalised else None


def agreement(true: Floats, seen: Floats, divisor: Floats | None) -> tuple[dict, Floats]:
    """Return tau with its intervals, as `ingredients` has them, and tau_all for resampled users.

    The latter are float64 (1 + RESAMPLES,), that of the users as they are first.
    """
    n_users = true.shape[1]
    random, once = generator(1, "coat-users"), np.ones(n_users)
    drawn = random.multinomial(n_users, once / n_users, RESAMPLES).astype(float)
    sides = [true, seen] if divisor is None else [true, seen, divisor]
    single = [tau_of(once, *parts) for parts in zip(*sides, strict=True)]
    means = [side.mean(0) for side in sides]
    taus = np.array([tau_of(times, *means) for times in (once, *drawn)])
    (low, high), (low_all, high_all) = (np.quantile(x, [0.025, 0.975]) for x in (single, taus[1:]))
    one = {"tau": np.mean(single), "low": low, "high": high}
    return one | {"tau_all": taus[0], "low_all": low_all, "high_all": high_all}, taus


def tau_of(times: Floats, true: Floats, seen: Floats, divisor: Floats | None = None) -> float:
    """Return Kendall's tau-b of true and observed means over users who count `times` times.

    Values are (n_users, n_systems).
    """
    observed = times @ seen / (1 if divisor is None else times @ divisor)
    return float(tau_b(observed, times @ true))


def simulated(coat: Coat, own: list[Split]) -> list[dict]:
    """Return rows of what would be, were the shipped propensities right and liking no part of it.

    Liking is drawn from a model of the judgements, and the tested ratings by the propensities; the
    truth are the liked pairs among those judged (`sample`), or among all (`complete`). tau_all is
    of the six folds of one repeat, and its interval, too, the middle 95% of the draws.
    """
    liking, random = liking_model(coat, own), generator(1, "coat-simulated")
    taus: dict[tuple[str, str], list[list[float]]] = {}
    for _ in range(DRAWS):
        values = drawn_values(coat, own, random.random(liking.shape) < liking, random)
        for seen in ("constant (plain P@10)", "shipped, which are right"):
            for truth in ("sample", "complete"):
                pairs = zip(values[seen], values[truth], strict=True)
                sixes = [values[name].reshape(-1, FOLDS, values[name].shape[1]).mean(1)
                         for name in (seen, truth)]  # fmt: skip
                single, whole = taus.setdefault((seen, truth), [[], []])
                single += [float(tau_b(a, b)) for a, b in pairs]
                whole += [float(tau_b(a, b)) for a, b in zip(*sixes, strict=True)]
    rows = []
    for (seen, truth), (single, whole) in taus.items():
        row = {"ingredient": "simulated", "choice": f"{seen}; truth: {truth}"}
        for values, suffix in ((single, ""), (whole, "_all")):
            low, high = np.quantile(values, [0.025, 0.975])
            row |= {f"tau{suffix}": np.mean(values), f"low{suffix}": low, f"high{suffix}": high}
        rows.append(row)
    return rows


def drawn_values(
    coat: Coat, own: list[Split], likes: Booleans, random: np.random.Generator
) -> dict[str, Floats]:
    """Return the systems' means in every split of one draw, (n_splits, n_systems), by name."""
    found: dict[str, list[Floats]] = {}
    for split in own:
        right = tested(coat.shipped, split.share)
        true = likes & ~split.train
        seen = (random.random(likes.shape) < right) & true & (coat.judged == 0)
        gains = {
            "complete": true,
            "sample": true & (coat.judged > 0),
            "constant (plain P@10)": seen,
            "shipped, which are right": seen / coat.shipped,
        }
        for name, gain in gains.items():
            found.setdefault(name, []).append(split.values(np.float64(gain)).mean(0))
    return {name: np.array(values) for name, values in found.items()}


def liking_model(coat: Coat, own: list[Split]) -> Floats:
    """Return P(liked) of each pair, by a ridge regression of the judgements of random coats.

    On the features of users and coats, their products, the shipped propensity, and how often each
    system lists the pair, so that systems differ in it about as they do in truth.
    """
    listed = np.mean([split.listed() for split in own], axis=0)

    def design(user: int) -> Floats:
        crossed = np.outer(coat.users[user], np.ones(len(coat.items)))
        both = [own * feature for own in crossed for feature in coat.items.T]
        single = [np.ones(len(coat.items)), *coat.items.T, *crossed, logit(coat.shipped[user])]
        return np.stack([*single, *both, *listed[:, user]], axis=1)

    n, m, k = coat.items.shape[1], coat.users.shape[1], len(listed)
    ridge = np.concatenate([[1e-6], np.full(n + m + 1, 2.0), np.full(n * m, 6.0), np.full(k, 2.0)])
    rows = [design(user)[coat.judged[user] > 0] for user in range(len(coat.users))]
    outcome = np.concatenate([coat.liked[u][coat.judged[u] > 0] for u in range(len(coat.users))])
    weights = logistic(np.concatenate(rows), outcome.astype(float), ridge)
    return np.array([expit(design(user) @ weights) for user in range(len(coat.users))])


def by_system(coat: Coat, own: list[Split], labels: list[str]) -> pd.DataFrame:
    """Return what the shipped propensities say of each system's lists, means over all folds.

    Columns system, true (P@10, the sampled hits times 300 / 16), observed (plain P@10), ips (IPS@10
    by the probability of being tested), overstated (ips / true), rated (sum of the weights of all
    tested ratings in the list, over its length: 1 where propensities are right), hits (liked tested
    ratings in the lists of one fold) and effective (the number of equally weighed ones that vary as
    much, (sum w)^2 / sum w^2, over hits; means over folds).
    """
    judged = coat.judged.shape[1] / (coat.judged > 0).sum(axis=1).mean()
    parts = {
        "true": lambda split: judged * (coat.liked & ~split.train),
        "observed": lambda split: split.test * (coat.chosen >= LIKED),
        "ips": lambda split: exact(coat, split) * split.test * (coat.chosen >= LIKED),
        "rated": lambda split: exact(coat, split) * split.test,
    }
    found = {
        name: np.mean([split.values(np.float64(part(split))).mean(0) for split in own], axis=0)
        for name, part in parts.items()
    }
    table = pd.DataFrame({"system": labels} | found)
    table.insert(4, "overstated", table["ips"] / table["true"])
    sums = []
    for split in own:
        weight = exact(coat, split) * split.test * (coat.chosen >= LIKED)
        sums.append(
            [split.values(gains, 1.0).sum(axis=0) for gains in (weight > 0, weight, weight**2)]
        )
    hits, weights, squares = np.float64(sums).transpose(1, 0, 2)
    share = weights**2 / squares / hits
    table = table.assign(hits=hits.mean(axis=0), effective=share.mean(axis=0))
    return table.sort_values("true", ascending=False, kind="stable")


def inclusion(coat: Coat) -> pd.DataFrame:
    """Return how often random pairs were rated by choice, by shipped propensity, liked or not.

    Columns low, high (of the propensity), pairs, expected (its mean), rated (the share that was),
    pairs_liked, ratio_liked (rated over expected among those that are liked), ratio_disliked.
    """
    judged, chosen = coat.judged > 0, coat.chosen > 0
    rows = []
    for low, high in pairwise(BINS):
        of = judged & (coat.shipped > low) & (coat.shipped <= high)
        ratio = [
            chosen[m].sum() / coat.shipped[m].sum() for m in (of & coat.liked, of & ~coat.liked)
        ]
        shares = {"expected": coat.shipped[of].mean(), "rated": chosen[of].mean()}
        likes = {"pairs_liked": int((of & coat.liked).sum())}
        ratios = dict(zip(("ratio_liked", "ratio_disliked"), ratio, strict=True))
        rows.append({"low": low, "high": high, "pairs": int(of.sum())} | shares | likes | ratios)
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main()

"""The simulations behind `rankassay judge`: what a measure, and what one writes, is worth.

    ./run python benchmarks/answer.py worlds FOLDER --jobs 2    # draws worlds, writes their rows
    ./run python benchmarks/answer.py tables FOLDER ...         # sums them up, writes what ships
    ./run python benchmarks/answer.py check                     # draws a few again, and compares

A world is a family of tastes, a kind of exposure (`rankassay.studies.validity.kinds`), and a number
of ratings. Three sets of systems compete in each: mixed ones with baselines, close ones, and one
method with several settings. They learn from the training ratings of all users and are evaluated on
the test ratings of some, so that a small test set is a sample of users. The truth is of all users:
the share of each list's first ten items that they like (P@10), and nDCG@10 of all items.

Families differ in what makes users like items; one takes no part in any choice:

- factors: products of 8 latent factors, as in the study of validity;
- points: users and items are points in a cube, and near items are liked;
- tree: a user's preferences for branches of a tree of items, drawn for each user alone;
- prototypes (left out): each user is like few of 30, whose liking of items has no structure.

Measures are summed up over worlds of one seed, and what one writes over those of another, which had
no part in finding the rule. `tables` also writes what docs/recommendation.md shows of them; for
constructed exposures, which ship in no table, name the folder of
`worlds FOLDER --seeds found --sizes 600 --exposures independent seen-liked-less`, too.
"""

import argparse
import resource
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from rankassay import advice
from rankassay.advice import references
from rankassay.advice.rule import JUDGED, SMOOTHED
from rankassay.advice.simulated import CLASSES, FEEDBACK, TRUTHS, apart
from rankassay.advice.words_names import RANDOM
from rankassay.data.parts import split_as_given
from rankassay.metrics.evaluate import Measure, measure_values
from rankassay.metrics.judged import judge
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.metrics.names import direction
from rankassay.progress import progress
from rankassay.recommenders.rank import rank
from rankassay.seeds import derive, generator
from rankassay.statistics.draws import Draws
from rankassay.statistics.incomplete import popularity
from rankassay.statistics.judged_systems import means_of_values
from rankassay.statistics.orders import settled
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.significance import permuted
from rankassay.studies.validity import kinds
from rankassay.studies.validity.kinds import MIXED, PREDICTORS, fitted
from rankassay.studies.validity.worlds import LENIENCY, NOISE, QUALITY, RELEVANT, in_stars, standard

REFERENCE = Path(advice.__file__).parent / "reference"
PAGES = Path(__file__).parents[1] / "docs/measured/ml-1m/constructed/answer"
SEEDS = {"found": 2018, "fresh": 54322}
LEFT_OUT = "prototypes"
EXPOSURES = (
    *("base", "suits", "liking", "popular-fans", "niche-fans", "deployed", "mostly-liked"),
    "unequal",
)
# Constructed ones, by the correlation of an item's exposure and quality: 68% of all are liked.
CONSTRUCTED = {"independent": 0.0, "seen-liked-less": -0.6}
LIKED_THERE = 0.68
TASTE = 0.8  # its weight in what users say; those of the rest are as in other worlds
DENSITY, LIKED = (0.03, 0.12), (0.08, 0.25)  # shares of all ratings, uniform in the logarithm
PROTOTYPES = 30
TOP, DEPTH, TEST = 10, 100, 0.2  # places of the truth and of the lists; test ratings
PERMUTATIONS, ALPHA = 1000, 0.05
SEED_OF_TESTS = derive(0, "answer: tests")
EQUAL = ("EASE, 200", "Item kNN, 30")  # each user's list is of one of these, at random
N_EQUAL = 8
BASELINES = ("Random", "Popularity", "Average rating")
RARE = 0.025  # of worlds, which the range leaves out by each of two statistics
HALF = 0.0005  # of the last digit of a table
USUAL = "nDCG(gain='binary')@10"
IPS = "IPS({}gain='{}'{})@{}"
POWERS = {0: ", power=0", 0.5: ", power=0.5", 1: ""}  # of weights, as measures are written


@dataclass(frozen=True)
class Size:
    """Users and items of worlds, the users of the test sets, and how many worlds of a family."""

    users: int
    items: int
    tested: tuple[int, ...]
    worlds: int


SIZES = {"600": Size(600, 400, (40, 120, 250, 600), 64), "2000": Size(2000, 1000, (2000,), 16)}


def _several(name, method, setting, values, **more):
    """Return systems of one method, by their names."""
    return {
        f"{name}, {value}": {"method": method, "settings": {setting: value, **more}}
        for value in values
    }


CLOSE = {
    **_several("PureSVD", "puresvd", "factors", (8, 12, 16)),
    **_several("WRMF", "wrmf", "factors", (6, 12), iterations=5),
    **_several("iALS", "ials", "factors", (8, 16), iterations=5),
    **_several("EASE", "ease", "regularization", (50, 200), binary=True),
    **_several("User kNN", "user-knn", "neighbours", (40,)),
    **_several("Item kNN", "item-knn", "neighbours", (30,), weighting="tfidf"),
    **_several("RP3beta", "rp3beta", "beta", (0.4,), neighbours=50, alpha=1),
}
SWEEPS = (
    _several("EASE", "ease", "regularization", (1, 4, 12, 36, 110, 330, 1000, 3000), binary=True),
    _several("Item kNN", "item-knn", "neighbours", [2**k for k in range(1, 9)], weighting="tfidf"),
    _several("PureSVD", "puresvd", "factors", (1, 2, 4, 6, 10, 20, 40, 80)),
    _several(
        "RP3beta",
        "rp3beta",
        "beta",
        (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05),
        neighbours=100,
        alpha=1,
    ),
)


def _ips(centred, gain, power, cutoffs):
    return [IPS.format("centred=True, " * centred, gain, POWERS[power], k) for k in cutoffs]


PLAIN = (USUAL, "nDCG@10", "P@10", "R@20", "AP@100", "RR@10", "Bpref@100", "P@100")
MEASURES = {
    "graded": [
        *(*PLAIN, JUDGED.format(50), SMOOTHED.format(20)),
        *_ips(False, "P", 0.5, (10,)),
        *_ips(False, "DCG", 0.5, (10, 20, 50)),
        *_ips(True, "P", 0.5, (10, 20, 50)),
        *_ips(True, "P", 0, (50,)),
        *_ips(True, "P", 1, (50,)),
        *_ips(True, "DCG", 0.5, (5, 10, 20, 50, 100)),
        *_ips(True, "DCG", 0, (10, 20, 50)),
    ],
    "positive": [
        *PLAIN,
        *_ips(False, "P", 1, (10,)),
        *_ips(False, "P", 0.5, (10,)),
        *_ips(False, "DCG", 0.5, (5, 10, 20, 50, 100)),
        *_ips(False, "DCG", 0, (10, 20, 50)),
    ],
}
MEASURES = {name: [str(Measure.parse(own)) for own in some] for name, some in MEASURES.items()}
# The measure with weights and without, and those under which a difference has to be significant.
REPORTED = {
    "graded": [str(Measure.parse(own)) for p in (0.5, 0) for own in _ips(True, "DCG", p, (50,))],
    "positive": [str(Measure.parse(own)) for p in (0.5, 0) for own in _ips(False, "DCG", p, (20,))],
}
WRITTEN = {
    "graded": [REPORTED["graded"][0], JUDGED.format(50), SMOOTHED.format(20)],
    "positive": REPORTED["positive"][:1],
}


def factors(rng, users, items):
    """Return products of 8 latent factors."""
    return rng.standard_normal((users, 8)) @ rng.standard_normal((items, 8)).T


def points(rng, users, items):
    """Return minus the distances of users and items in a cube."""
    own, there = rng.uniform(0, 1, (users, 3)), rng.uniform(0, 1, (items, 3))
    return -np.sqrt(((own[:, None] - there[None]) ** 2).sum(axis=2))


def tree(rng, users, items):
    """Return sums of a user's preferences for the branches, of 4 levels, on the way to an item.

    Each user's are drawn alone, a few of them large: no factors are shared.
    """
    leaf, found = rng.permutation(items), np.zeros((users, items))
    for weight, branches in ((1.0, 4), (1.3, 12), (1.6, 40), (1.2, 130)):
        own = rng.standard_gamma(0.3, (users, branches))
        found += weight * own[:, leaf * branches // items]
    return found


def prototypes(rng, users, items):
    """Return mixtures of few of 30 prototypes, whose liking of each item is drawn alone."""
    own = rng.standard_normal((PROTOTYPES, items))
    return rng.dirichlet(np.full(PROTOTYPES, 0.05), users) @ own


FAMILIES = {own.__name__: own for own in (factors, points, tree, prototypes)}


@dataclass(frozen=True)
class World:
    """A world: which family, exposure and number, of which size, and what is seen of it."""

    size: str
    feedback: str
    family: str
    exposure: str
    number: int
    seed: int

    @property
    def names(self):
        """What names its random streams: all that users do, but not what is seen of it."""
        return self.size, self.family, self.exposure, self.number

    @property
    def head(self):
        """The columns that name it."""
        keys = ("size", "feedback", "family", "exposure", "number")
        return {key: getattr(self, key) for key in keys}

    @property
    def sets(self):
        """The systems by set; with likes alone, none predicts ratings."""
        graded = self.feedback == "graded"
        mixed = {name: own for name, own in MIXED.items() if graded or name not in PREDICTORS}
        return {"mixed": mixed, "close": CLOSE, "sweep": SWEEPS[self.number % len(SWEEPS)]}

    def drawn(self):
        """Return the users, and the probability that each rating is seen."""
        size, rng = SIZES[self.size], generator(self.seed, "answer: world", *self.names)
        density, liked = (float(np.exp(rng.uniform(*np.log(own)))) for own in (DENSITY, LIKED))
        constructed = self.exposure in CONSTRUCTED
        users = self._users(rng, size, LIKED_THERE if constructed else liked)
        drive = users.found
        if not constructed:
            drive = kinds.KIND[self.exposure].drive(users, density, self.seed, self.names)
        found = kinds.propensity_of(drive, density)
        return users, found if self.feedback == "graded" else np.where(users.liked, found, 0.0)

    def _users(self, rng, size, liked):
        """Draw users of the family; see `rankassay.studies.validity.kinds.users_of`."""
        taste = standard(FAMILIES[self.family](rng, size.users, size.items))
        quality = rng.standard_normal(size.items)
        z = TASTE * taste + QUALITY * quality
        z += LENIENCY * rng.standard_normal(size.users)[:, None]
        z += NOISE * rng.standard_normal(z.shape)
        exposure, activity = rng.standard_normal(size.items), rng.standard_normal(size.users)
        spread, good = rng.uniform(*kinds.SPREADS), rng.uniform(*kinds.GOOD)
        good = CONSTRUCTED.get(self.exposure, good)
        exposure = good * quality + np.sqrt(1 - good**2) * exposure
        found = in_stars(z, liked)
        return kinds.Users(found, taste, standard(exposure), spread, standard(activity))


@dataclass(frozen=True)
class Seen:
    """What is seen of a world: values of users with a relevant item, and what is true.

    `values` and `reference` are float64 (n_users, n_systems, n_measures), `true` (2, n_systems).
    """

    values: np.ndarray
    reference: np.ndarray
    systems: list
    references: list
    true: np.ndarray
    judged: np.ndarray
    relevant: np.ndarray


def seen_of(world):
    """Draw what is seen of a world, fit all systems, and evaluate their lists."""
    users, propensity = world.drawn()
    rng = generator(world.seed, "answer: observed", *world.names, world.feedback)
    seen = rng.random(propensity.shape) < propensity
    ratings = sp.csr_matrix(np.where(seen, users.rating, np.float32(0)))
    train, test = split_as_given(ratings, rng.random(ratings.nnz) < TEST)
    row = np.repeat(np.arange(len(seen)), np.diff(test.indptr))
    listed = np.diff(test.indptr) > 0
    counted = np.bincount(row[test.data >= RELEVANT], minlength=len(seen)) > 0
    known = counted[row]
    own = sp.csr_matrix((test.data[known], (row[known], test.indices[known])), test.shape)
    counts = popularity(train)
    share = (counts[own.indices] + 1) / (counts.max() + 1)
    judgements = Judgements.of(
        own, RELEVANT, sp.csr_matrix((share, own.indices, own.indptr), test.shape)
    )
    left, measures = users.liked & ~(train.toarray() > 0), MEASURES[world.feedback]
    values, true, systems = [], [], {}
    for some in world.sets.values():
        systems |= some
    for name, entry in systems.items():
        model = fitted(entry, train, derive(world.seed, "answer", name))
        ranking = rank(model, train, test, DEPTH, "all_items")
        ranks = np.where(ranking.ranks > DEPTH, 0, ranking.ranks)[known]
        lists = Lists(ranks, np.minimum(ranking.n_ranked[judgements.users], DEPTH))
        values.append(measure_values(judge(judgements, lists, DEPTH), measures, "paper", "nan"))
        true.append(truths(left, ranking.items[:, :TOP], listed))
    of = references.Ratings(train, own, np.arange(own.nnz), judgements.users)
    fitted_ = references.lists_of(of, RELEVANT, DEPTH, derive(world.seed, "answer: references"))
    reported = REPORTED[world.feedback]
    reference = [
        measure_values(judge(judgements, lists, DEPTH), reported, "paper", "nan")
        for lists in fitted_.values()
    ]
    return Seen(
        np.stack(values, axis=1),
        np.stack(reference, axis=1),
        [*systems],
        [*fitted_],
        settled(np.array(true).T, len(seen)),
        np.diff(judgements.start),
        judgements.n_relevant,
    )


def truths(left, items, listed):
    """Return true P@10 and nDCG@10 of the first ten items, of users with test ratings."""
    first, of = items[listed], left[listed]
    hits = np.take_along_axis(of, np.maximum(first, 0), 1) & (first >= 0)
    discount = 1 / np.log2(np.arange(2, TOP + 2))
    ideal = np.concatenate([[0.0], np.cumsum(discount)])[np.minimum(of.sum(axis=1), TOP)]
    share = np.divide(hits @ discount, ideal, out=np.zeros(len(ideal)), where=ideal > 0)
    return hits.mean(), share.mean()


def simulated(world) -> dict[str, list]:
    """Return the rows of a world: taus, pairs, references, and systems that are equal in truth."""
    own, size = seen_of(world), SIZES[world.size]
    found: dict[str, list] = {"taus": [], "pairs": [], "range": [], "equal": []}
    n_all, measures = len(own.values), MEASURES[world.feedback]
    shuffled = generator(world.seed, "answer: users", *world.names).permutation(n_all)
    signs = np.array([[direction(measure)] for measure in measures])
    tested = (*WRITTEN[world.feedback], REPORTED[world.feedback][1], USUAL)
    tested = [measures.index(name) for name in tested]
    place = {name: n for n, name in enumerate(own.systems)}
    draw = generator(world.seed, "answer: equal", *world.names).integers(0, 2, (n_all, N_EQUAL))
    for n in size.tested:
        some = shuffled[: round(n * n_all / size.users)]
        x, told = own.values[some], {**world.head, "tested": n, "users": len(some)}
        for name, systems in world.sets.items():
            at = [place[system] for system in systems]
            means = signs * means_of_values(x[:, at], Draws.none(len(x)))[0]
            for truth, true in zip(TRUTHS, own.true, strict=True):
                tau = np.nan_to_num(tau_b(means, true[at]))
                taus = dict(zip(measures, tau, strict=True))
                found["taus"].append({**told, "set": name, "truth": truth, **taus})
            head = {**told, "set": name}
            found["pairs"] += pairs(head, x[:, at][:, :, tested], [*systems], own.true[0, at])
        two = np.where(draw[some, :, None] == 0, *(x[:, [place[name]]] for name in EQUAL))
        found["equal"].append({**told, **wrongly_written(two[:, :, tested])})
        found["range"].append({**told, **differences(own.reference[some], own.references)})
    return found


def _signs(x):
    """Return the significant sign of each pair of systems, by measure, (n_pairs, n_measures)."""
    result = permuted(np.ascontiguousarray(x), PERMUTATIONS, SEED_OF_TESTS)
    p = result.p_values if result.adjusted is None else result.adjusted
    a, b = np.triu_indices(x.shape[1], 1)
    means = np.nanmean(x, axis=0)
    return np.where(p[:, a, b] < ALPHA, np.sign(means[a] - means[b]).T, 0).T


def pairs(head, x, systems, true) -> Iterator[dict]:
    """Yield by pair of systems what is written, by the rule and by the conventional measure.

    `x` has the values under the measure, the others of the rule, the measure without weights, and
    the conventional one.
    """
    signs = _signs(x)
    a, b = np.triu_indices(len(systems), 1)
    written, unweighed = _agreed(signs)
    for n, (i, j) in enumerate(zip(a, b, strict=True)):
        kind = CLASSES[systems[i] in BASELINES or systems[j] in BASELINES]
        right = int(np.sign(true[i] - true[j]))
        said = {"written": int(written[n]), "unweighed": int(unweighed[n])}
        yield {**head, "class": kind, "true": right, **said, "usual": int(signs[n, -1])}


def _agreed(signs):
    """Return the sign that is written of each pair, by the rule with weights and without."""
    rest = signs[:, 1:-2]
    return [
        np.where((rest == signs[:, [m]]).all(axis=1), signs[:, m], 0)
        for m in (0, signs.shape[1] - 2)
    ]


def wrongly_written(x) -> dict[str, int]:
    """Return whether any pair of equal systems is significant, by measure, and whether written."""
    signs = _signs(x)
    found = {f"measure {m}": int((signs[:, m] != 0).any()) for m in range(signs.shape[1])}
    written, unweighed = _agreed(signs)
    return found | {"written": int(written.any()), "unweighed": int(unweighed.any())}


def differences(x, names) -> dict[str, float]:
    """Return the greatest t of a reference system over Random, and the share of significant pairs.

    Under the measure with weights (0) and without (1).
    """
    found = {}
    for m in range(x.shape[2]):
        t, share = apart(x[:, :, [m]], names.index(RANDOM), ALPHA, PERMUTATIONS, SEED_OF_TESTS)
        found |= {f"t {m}": t, f"share {m}": share}
    return found


def worlds(given) -> list[World]:
    """Return the worlds that are asked for, those of one number after another."""
    exposures = given.exposures or EXPOSURES
    return [
        World(size, feedback, family, exposures[number % len(exposures)], number, SEEDS[seed])
        for seed in given.seeds
        for size in given.sizes
        for number in range(given.worlds or SIZES[size].worlds)
        for feedback in FEEDBACK
        for family in FAMILIES
    ]


def simulate(cases, jobs) -> dict[str, pd.DataFrame]:
    """Return the rows of worlds, with the name of their seed."""
    found: dict[str, list] = {}
    named = {seed: name for name, seed in SEEDS.items()}
    with ProcessPoolExecutor(jobs, initializer=threadpool_limits, initargs=(1,)) as pool:
        made = pool.map(simulated, cases)
        for world in progress(cases, "worlds"):
            for name, rows in next(made).items():
                found.setdefault(name, []).extend(
                    {"seed": named[world.seed], **row} for row in rows
                )
    return {name: pd.DataFrame(rows) for name, rows in found.items()}


def tables(rows) -> dict[str, pd.DataFrame]:
    """Return what ships: of measures and range by the first seed, of writing by the fresh one."""
    taus = rows["taus"]
    users = taus.groupby(["feedback", "tested"])["users"].median().round().astype(int)
    found: dict[str, list] = {"measures": [], "writing": [], "range": []}
    keys = ["feedback", "tested", "set", "truth"]
    for (feedback, tested, of, truth), own in taus[taus["seed"] == "found"].groupby(keys):
        means = own.groupby("family")[MEASURES[feedback]].mean()
        three = means.drop(index=LEFT_OUT)
        head = {"feedback": feedback, "users": users[feedback, tested], "set": of, "truth": truth}
        for name in MEASURES[feedback]:
            numbers = {"tau": three[name].mean(), "low": three[name].min()}
            numbers |= {"high": three[name].max(), "left_out": means.at[LEFT_OUT, name]}
            found["measures"].append({**head, "measure": name, **numbers})
    fresh = rows["pairs"][rows["pairs"]["seed"] == "fresh"]
    for (feedback, tested, of), own in fresh.groupby(["feedback", "tested", "class"]):
        head = {"feedback": feedback, "users": users[feedback, tested]}
        for rule in ("written", "unweighed", "usual"):
            decided = own[rule] != 0
            wrong = decided & (own[rule] != own["true"])
            by = pd.DataFrame({"decided": decided, "wrong": wrong}).groupby(own["family"]).sum()
            numbers = {"decided": decided.mean(), "wrong": wrong.sum() / max(decided.sum(), 1)}
            numbers["worst"] = (by["wrong"] / by["decided"].clip(lower=1)).max()
            found["writing"].append({**head, "rule": rule, "class": of, **numbers})
    own = rows["range"]  # of both seeds: no rule is found by it
    for (feedback, tested), some in own.groupby(["feedback", "tested"]):
        for m, weighed in enumerate((True, False)):
            # Rounded down: many worlds have the very share that is the limit.
            low = {name: some[f"{name} {m}"].quantile(RARE) - HALF for name in ("t", "share")}
            low = {name: max(limit, 0) for name, limit in low.items()}
            head = {"feedback": feedback, "users": users[feedback, tested]}
            found["range"].append({**head, "weighed": weighed, **low})
    made = {name: pd.DataFrame(some).round(3) for name, some in found.items()}
    sample = taus[(taus["seed"] == "found") & (taus["number"] == 0) & (taus["size"] == "600")]
    made["sample"] = _sample(sample)
    return made


def of_pages(rows) -> dict[str, pd.DataFrame]:
    """Return what pages show: tau by exposure, and how often something is written of equals."""
    taus = rows["taus"]
    taus = taus[(taus["seed"] == "found") & (taus["truth"] == TRUTHS[0])]
    taus = taus[taus["tested"] == max(SIZES["600"].tested)]
    found: dict[str, list] = {"exposures": [], "equal": []}
    for (feedback, exposure, of), own in taus.groupby(["feedback", "exposure", "set"]):
        head = {"feedback": feedback, "exposure": exposure, "set": of, "worlds": len(own)}
        for name in (*REPORTED[feedback], USUAL, "P@10"):
            found["exposures"].append({**head, "measure": name, "tau": own[name].mean()})
    equal = rows["equal"][rows["equal"]["exposure"].isin(EXPOSURES)]
    for (feedback, _), own in equal.groupby(["feedback", "tested"]):
        head = {"feedback": feedback, "users": round(own["users"].median()), "worlds": len(own)}
        last = f"measure {len(WRITTEN[feedback]) + 1}"  # behind the one without weights
        of = {"reported": "measure 0", "written": "written", "usual": last}
        found["equal"].append({**head, **{key: own[name].mean() for key, name in of.items()}})
    return {name: pd.DataFrame(some).round(3) for name, some in found.items()}


def _sample(taus) -> pd.DataFrame:
    """Return the taus of two measures in the first world of each family, with all users."""
    own = taus[(taus["tested"] == max(SIZES["600"].tested)) & (taus["truth"] == TRUTHS[0])]
    rows = []
    for row in own.to_dict("records"):
        head = {key: row[key] for key in ("feedback", "family", "set")}
        names = REPORTED[row["feedback"]][0], USUAL
        rows.append({**head, **dict(zip(("measure", "usual"), map(row.get, names), strict=True))})
    keys = ["feedback", "family", "set"]
    return pd.DataFrame(rows).sort_values(keys, ignore_index=True).round(3)


NEAR = 0.02  # by which taus may differ on average, where another BLAS breaks ties of scores


def main() -> None:
    """Simulate, sum up, or check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("worlds", "tables", "check"))
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=[*SIZES])
    parser.add_argument("--seeds", nargs="+", choices=SEEDS, default=[*SEEDS])
    parser.add_argument("--exposures", nargs="+", choices=(*EXPOSURES, *CONSTRUCTED))
    parser.add_argument("--worlds", type=int, help="of a family, for all sizes")
    given = parser.parse_args()
    if given.what == "check":
        given.sizes, given.seeds, given.worlds = ["600"], ["found"], 1
        here = _sample(simulate(worlds(given), given.jobs)["taus"])
        shipped = pd.read_csv(REFERENCE / "sample.csv")
        numbers = ["measure", "usual"]
        off = (here[numbers] - shipped[numbers]).abs().to_numpy()
        print(f"{off.size} correlations differ by {off.mean():.3f}, by {off.max():.3f} at most")
        assert off.mean() <= NEAR, "the simulations are not those that ship: make the tables again"
    elif given.what == "worlds":
        [folder] = given.folders
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in simulate(worlds(given), given.jobs).items():
            table.to_parquet(folder / f"{name}.parquet")
    else:
        rows = {
            name: pd.concat(pd.read_parquet(path / f"{name}.parquet") for path in given.folders)
            for name in ("taus", "pairs", "range", "equal")
        }
        usual = {name: own[own["exposure"].isin(EXPOSURES)] for name, own in rows.items()}
        for folder, made in ((REFERENCE, tables(usual)), (PAGES, of_pages(rows))):
            folder.mkdir(parents=True, exist_ok=True)
            for name, table in made.items():
                table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"{sum(own.ru_utime + own.ru_stime for own in used):.0f} CPU seconds")


if __name__ == "__main__":
    main()

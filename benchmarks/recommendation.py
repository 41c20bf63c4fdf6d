"""The table of simulated worlds that `rankassay judge` chooses by, and whether the choice holds.

    ./run python benchmarks/recommendation.py                    # writes the table
    ./run python benchmarks/recommendation.py --check FOLDER     # tries the rule on other worlds
    ./run python benchmarks/recommendation.py --pages FOLDER     # what the page shows of the table

The worlds are those of `rankassay.studies.validity.kinds`, of several sizes and with two kinds of
feedback: graded, where disliked items are rated, too, and positive, where only what a user likes is
observed and no system predicts ratings. `worlds.csv` has a row for each world and a column for each
measure: Kendall's tau, times 100, of the systems' means under it and their true P@10. `sizes.csv`
says what they were made with, and what such data look like to whoever has a test set.

The check draws other worlds, of other seeds, and asks in each what `rankassay.advice.choice`
chooses. `check.csv` has the mean tau of the chosen measure by size, feedback and kind of world,
that of nDCG@10, and that of the best fixed measures, which are known afterwards only: the one with
the greatest mean tau over kinds, and the one with the least worst loss. The kinds that are reported
apart are there, too: the choice knows nothing of them. `bar.csv` sums up how far behind the best
fixed measures the chosen one is.
"""

import argparse
import resource
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

import rankassay
from rankassay import advice
from rankassay.advice.candidates import weighs_wholly
from rankassay.advice.choice import Facts, choose
from rankassay.advice.worlds import FEEDBACK, mean_and_half, sizes
from rankassay.advice.worlds import worlds as shipped
from rankassay.config.sections import configuration
from rankassay.metrics.evaluate import Measure, grid
from rankassay.metrics.names import direction
from rankassay.progress import progress
from rankassay.statistics.draws import Draws
from rankassay.statistics.judged_systems import means_of_values
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.validity import kinds_worlds
from rankassay.studies.validity.kinds import drawn
from rankassay.studies.validity.kinds_recommenders import MIXED, WITHOUT_PREDICTORS
from rankassay.studies.validity.settings import APART, KINDS
from rankassay.studies.validity.words_kinds import ALL

REFERENCE = Path(advice.__file__).parent / "reference"
CHOSEN_BY = tuple(kind for kind in KINDS if kind not in APART)
# What the page shows: the usual measures, and those that are chosen or nearly so.
SHOWN = (
    *("nDCG@10", "P@10", "Bpref@100", "P(denominator='judged')@50", "IPS(gain='P')@10", "CP@50"),
    *("IPS(gain='P', power=0.5)@10", "IPS(centred=True, gain='P')@20"),
    *("IPS(centred=True, gain='P')@50", "IPS(centred=True, gain='P', power=0.5)@50"),
)
FRESH = 54322  # seed of the check: the rule was as it is before these worlds were looked at
USUAL, BELOW = "nDCG@10", 0.05  # what is compared with, and how far below is too far
DECIMALS = 4
KEYS = ["size", "feedback", "kind", "world"]
LOOKS = ["users", "relevant_median", "judged_median"]
CUTOFFS = (5, 10, 20, 50, 100)
MOST_FILL = CUTOFFS[0]  # the cut-off at which plain precision always competes
# By feedback, the metrics that say something: without dislikes, judged-only forms say nothing.
METRICS = {
    "positive": (*kinds_worlds.PAPER, "IPS(gain='P')", "IPS(gain='P', power=0.5)", "SNIPS"),
}
METRICS["graded"] = (
    *(*METRICS["positive"], "P(denominator='judged')", "CP", "IPS(gain='P', centred=True)"),
    "IPS(gain='P', power=0.5, centred=True)",
)
OTHERS = {
    "positive": ("nDCG(gain='binary')@10",),
    "graded": (
        *("nDCG(gain='binary')@10", "P(denominator='judged_nan')@50"),
        *("FP@10", "FP@50", "FP@100", "FP(denominator='nonrelevant')@50"),
    ),
}


@dataclass(frozen=True)
class Size:
    """How large the worlds are, and how many there are of each kind and feedback."""

    users: int
    items: int
    density: float
    worlds: int
    relevant: float = 0.15


SIZES = {
    "small": Size(users=200, items=300, density=0.04, worlds=48),
    "medium": Size(users=500, items=400, density=0.08, worlds=40),
    "large": Size(users=2000, items=1000, density=0.10, worlds=8),
}


CHECKED = {"small": 10, "medium": 20, "large": 3}  # worlds of each kind on which the rule is tried


def measures_of(feedback: str) -> list[str]:
    """Return the measures that are simulated with a kind of feedback."""
    given = [*grid(METRICS[feedback], CUTOFFS), *OTHERS[feedback]]
    return [str(Measure.parse(measure)) for measure in given]


def simulated(case: tuple) -> dict[str, object]:
    """Return what is measured in one world, and what its test set looks like."""
    size, feedback, kind, world, seed = case
    own = SIZES[size]
    sizes = (own.users, own.items, own.relevant, own.density)
    drawn_world = drawn(kind, *sizes, seed, size, world)
    if feedback == "positive":
        known = np.where(drawn_world.users.liked, drawn_world.propensity, 0.0)
        systems = drawn_world.recommenders
        systems = WITHOUT_PREDICTORS if systems is MIXED else systems
        drawn_world = replace(drawn_world, propensity=known, recommenders=systems)
    seen = kinds_worlds.observed(drawn_world, seed, size, feedback, kind, world)
    judgements, measures = seen.judgements, measures_of(feedback)
    signs = np.array([[direction(measure)] for measure in measures])
    values = kinds_worlds.values_of(seen.lists, measures)
    means = means_of_values(values, Draws.none(len(values)))[0]
    tau = tau_b(signs * means, seen.true)
    of_users = {
        "users": judgements.n_users,
        "relevant_median": np.median(judgements.n_relevant),
        "judged_median": np.median(np.diff(judgements.start)),
        "negative": not judgements.relevant.all(),
    }
    head = {"size": size, "feedback": feedback, "kind": kind, "world": world}
    return head | of_users | dict(zip(measures, tau, strict=True))


def simulate(
    seed: int,
    worlds: Mapping[str, int],
    jobs: int,
    feedbacks: Sequence[str] = FEEDBACK,
    kinds: Sequence[str] = CHOSEN_BY,
) -> pd.DataFrame:
    """Return a row for each world: its kind, what its test set looks like, and tau by measure."""
    cases = [
        (size, feedback, kind, world, seed)
        for size, count in worlds.items()
        for feedback in feedbacks
        for kind in kinds
        for world in range(1, count + 1)
    ]
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(simulated, case) for case in cases]
        return pd.DataFrame([future.result() for future in progress(futures, "worlds")])


def written(worlds: pd.DataFrame, seed: int, folder: Path) -> None:
    """Write the two tables."""
    numbers = measures_of("graded")
    table = worlds[[*KEYS, *numbers]].copy()
    table[numbers] = (100 * table[numbers]).round().astype("Int64")
    table.to_csv(folder / "worlds.csv", index=False)
    rows = []
    for (size, feedback), own in worlds.groupby(["size", "feedback"], sort=False):
        made = {"size": size, "feedback": feedback, "worlds": own["world"].max()}
        simulated_ = {f"simulated_{key}": value for key, value in vars(SIZES[size]).items()}
        rows.append(made | own[LOOKS].median().to_dict() | simulated_)
    looks = pd.DataFrame(rows).drop(columns="simulated_worlds")
    looks.assign(seed=seed, version=rankassay.__version__).to_csv(folder / "sizes.csv", index=False)


def competing(feedback: str, relevant: float) -> list[str]:
    """Return the measures that compete where users have this median number of relevant items.

    Plain precision does at cut-offs that most users can fill, and with liked items alone no whole
    weights of 1/popularity do; see `rankassay.advice.candidates`.
    """
    fills, parsed = max(relevant, MOST_FILL), [*map(Measure.parse, measures_of(feedback))]
    if feedback == "positive":
        parsed = [own for own in parsed if not weighs_wholly(own)]
    return [str(own) for own in parsed if own.name != "P" or own.cutoff <= fills]


def chosen_in(worlds: pd.DataFrame) -> list[str]:
    """Return the measure that is chosen in each world, by what its test set looks like."""
    found = []
    for row in worlds.itertuples():
        measures = competing(FEEDBACK[not row.negative], row.relevant_median)
        of = Facts(
            users=row.users,
            relevant=row.relevant_median,
            judged=row.judged_median,
            depth=kinds_worlds.DEPTH,
            negative=row.negative,
            weights="popularity",
        )
        found.append(choose(measures, of, USUAL).measure or USUAL)
    return found


def check(worlds: pd.DataFrame) -> pd.DataFrame:
    """Return how the chosen measure agrees with the truth, by size, feedback and kind of world.

    Columns size, feedback, kind (and `all`, the mean over the kinds that count), worlds, chosen
    (the measure chosen in most worlds), others (worlds in which another one is chosen), tau (the
    mean of the chosen measures) with tau_low and tau_high (a 95 % interval over worlds), usual (the
    mean tau of nDCG@10), below (the share of worlds in which the chosen measure has a tau more than
    .05 below that of nDCG@10), best_mean and best_worst (the best fixed measures, over the kinds
    that count), tau_best_mean and tau_best_worst.
    """
    tables = []
    for (size, feedback), own in worlds.groupby(["size", "feedback"], sort=False):
        measures = measures_of(feedback)
        tau = own[measures].fillna(0.0)
        chosen = pd.Series(chosen_in(own), own.index)
        picked = pd.Series([tau.at[row, name] for row, name in chosen.items()], own.index)
        means = tau.groupby(own["kind"]).mean()
        counted = means[~means.index.isin(APART)]
        best = {
            "best_mean": counted.mean().idxmax(),
            "best_worst": (counted.max(axis=1).to_numpy()[:, None] - counted).max().idxmin(),
        }
        count = ~own["kind"].isin(APART)
        for kind in (ALL, *dict.fromkeys(own["kind"])):
            some = own.index[count if kind == ALL else own["kind"] == kind]
            mean, half = mean_and_half(_by_number(own, picked, some))
            often = chosen[some].mode().iloc[0]
            said = {"size": size, "feedback": feedback, "kind": kind, "worlds": len(some)}
            said |= {"chosen": often, "others": int((chosen[some] != often).sum())}
            said |= {"tau": mean, "tau_low": mean - half, "tau_high": mean + half}
            said |= {"usual": tau.loc[some, USUAL].mean()}
            said |= {"below": (picked[some] < tau.loc[some, USUAL] - BELOW).mean(), **best}
            said |= {f"tau_{which}": tau.loc[some, name].mean() for which, name in best.items()}
            tables.append(said)
    return pd.DataFrame(tables)


def _by_number(own: pd.DataFrame, values: pd.Series, some: pd.Index) -> np.ndarray:
    """Return means over kinds of the worlds of one number: these share what users think."""
    return values[some].groupby(own.loc[some, "world"]).mean().to_numpy()


def verdict(table: pd.DataFrame) -> pd.DataFrame:
    """Return how far the chosen measure is from the best fixed ones: the bar of the rule.

    By size and feedback: against each of the two best fixed measures, the mean difference of tau
    over the kinds that count and the least difference of any such kind; and the share of worlds
    below nDCG@10.
    """
    rows = []
    for (size, feedback), own in table.groupby(["size", "feedback"], sort=False):
        whole = own[own["kind"] == ALL].iloc[0]
        single = own[~own["kind"].isin((ALL, *APART))]
        said = {"size": size, "feedback": feedback, "below": whole["below"]}
        for which in ("best_mean", "best_worst"):
            said |= {which: whole[which], f"{which}_mean": whole["tau"] - whole[f"tau_{which}"]}
            said[f"{which}_least"] = (single["tau"] - single[f"tau_{which}"]).min()
        rows.append(said)
    return pd.DataFrame(rows)


def shown() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return what the shipped table says of the measures of `SHOWN`, for the page.

    By size and feedback: the rows of `rankassay.advice.worlds.Worlds.by_kind`; and those of its
    summary, with what is chosen on data like these with training ratings and without.
    """
    kinds, summaries = [], []
    for size in sizes():
        for feedback in FEEDBACK:
            own = shipped(size, feedback)
            head = {"size": size, "feedback": feedback}
            by_kind = own.by_kind()
            summary = own.summary().drop(columns="taus").reset_index()
            kinds.append(by_kind[by_kind["measure"].isin(SHOWN)].assign(**head))
            looks = [own.looks[name] for name in LOOKS]
            for column, weights in (("chosen", "popularity"), ("chosen_without_train", "none")):
                of = Facts(*looks, kinds_worlds.DEPTH, feedback == "graded", weights)
                chosen = choose(competing(feedback, of.relevant), of, USUAL)
                head |= {column: chosen.measure, f"{column}_tied": len(chosen.tied)}
            taken = (*SHOWN, head["chosen"], head["chosen_without_train"])
            summaries.append(summary[summary["measure"].isin(taken)].assign(**head, **own.looks))
    return pd.concat(kinds, ignore_index=True), pd.concat(summaries, ignore_index=True)


def main() -> None:
    """Simulate, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, help="of the worlds; else the default or FRESH")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=REFERENCE)
    parser.add_argument(
        "--sizes", nargs="+", choices=SIZES, default=[*SIZES], help="those to write"
    )
    parser.add_argument(
        "--worlds", type=int, help="of a kind, for all sizes; else as this file says"
    )
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="try the rule instead")
    parser.add_argument("--pages", type=Path, metavar="FOLDER", help="write the page's tables")
    given = parser.parse_args()
    if given.pages:
        given.pages.mkdir(parents=True, exist_ok=True)
        for name, table in zip(("kinds", "measures"), shown(), strict=True):
            table.round(DECIMALS).to_csv(given.pages / f"{name}.csv", index=False)
        return
    usual = CHECKED if given.check else {size: own.worlds for size, own in SIZES.items()}
    worlds = {size: given.worlds or usual[size] for size in given.sizes}
    seed = FRESH if given.check else configuration()().seed
    seed, folder = given.seed if given.seed is not None else seed, given.check or given.folder
    kinds = tuple(KINDS) if given.check else CHOSEN_BY
    found = simulate(seed, worlds, given.jobs, FEEDBACK, kinds)
    folder.mkdir(parents=True, exist_ok=True)
    if given.check:
        table = check(found)
        table.round(DECIMALS).to_csv(folder / "check.csv", index=False)
        bar = verdict(table).round(DECIMALS)
        bar.to_csv(folder / "bar.csv", index=False)
        print(bar.T.to_string(header=False))
    else:
        written(found, seed, folder)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"{sum(own.ru_utime + own.ru_stime for own in used):.0f} CPU seconds")


if __name__ == "__main__":
    main()

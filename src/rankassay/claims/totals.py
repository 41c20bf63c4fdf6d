"""All claims of a run, the sentences that they are rows of, and the totals of the sentences.

A hundred rows are not a hundred findings: sentences are counted, those of papers apart from ours.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from rankassay.claims import judge
from rankassay.claims.conditions import OURS, QUESTIONS, WORDS, Condition
from rankassay.claims.judge import VERDICTS, judged
from rankassay.claims.lists import SOURCES, untested
from rankassay.drawing.table import MISSING
from rankassay.statistics.families import FEWEST as FEWEST_FAMILIES
from rankassay.statistics.families import jackknife_error
from rankassay.statistics.replicated import Replicated
from rankassay.types import Floats

FEWEST = 40  # resamples that all splits must have for a covariance


@dataclass(frozen=True)
class Run:
    """A dataset or variant: the data that it is of, its settings, and whether its split is another.

    `settings` is the name of the dataset or variant whose settings its systems have.
    """

    data: str
    settings: str
    split: bool

    @classmethod
    def of(cls, name: str, variants: Mapping[str, Mapping]) -> "Run":
        """Return the run of a name; variants have of, settings and split, others are data."""
        own = variants.get(name)
        if own is None:
            return cls(name, name, False)
        return cls(own["of"], own["settings"], own["split"])


def over_splits(claims: pd.DataFrame, variants: Mapping[str, Mapping]) -> pd.DataFrame:
    """Return the claims about each dataset with the verdicts over all of its splits.

    A resample of users has two parts: who they are, which all splits have in common, and which of
    their ratings are tested, which is a part of the scatter of the splits, too. The first alone is
    the users' error of a mean over splits: it is what resamples of the same users have in common,
    their covariance between splits.

    Parameters
    ----------
    claims : DataFrame
        The rows of `rankassay.claims.judge.judge` on several datasets; and by choice the column
        draws, in each row the numbers of resampled users, float64 (n_resamples,). They are of the
        same resamples where splits have the same users.
    variants : mapping
        By name of a dataset that is another one in a different form: of, the dataset whose data it
        is; settings, the name of the dataset or variant whose settings the systems have; and split,
        whether it is split otherwise.

    Returns
    -------
    DataFrame
        The same rows without those of further splits. Where a dataset, or a variant with other
        settings, has these, mean is over all splits, holds is of it, splits is their number,
        error_splits the standard error of the mean, error_users the root of the mean covariance of
        two splits, or without draws of the same users that of their mean variance, which is an
        upper bound, and error_systems that of the mean; the verdicts are by these
        (`rankassay.claims.judge.judged`). Exact numbers stay as they are.
    """
    claims = claims.reset_index(drop=True)  # of several tables: a number may be there twice
    runs = {name: Run.of(name, variants) for name in claims["dataset"].unique()}
    settings = claims["dataset"].map({name: run.settings for name, run in runs.items()})
    further = claims["dataset"].map({name: run.split for name, run in runs.items()}).astype(bool)
    found = claims[~further].copy()
    changed = []
    for _, own in claims[claims["measured"].notna() & ~claims["exact"].astype(bool)].groupby(
        [claims["id"], settings], sort=False
    ):
        usual = own.index[~further[own.index]]
        n = len(own)
        if n < 2 or not len(usual):
            continue
        changed.append(usual[0])
        mean = own["measured"].mean()
        found.loc[usual[0], ["mean", "splits"]] = mean, n
        condition = Condition(*own.loc[usual[0], ["predicate", "bound", "margin"]])
        found.loc[usual[0], "holds"] = bool(condition.holds(np.array(mean)))
        found.loc[usual[0], "error_splits"] = own["measured"].std(ddof=1) / np.sqrt(n)
        of_users = np.sqrt((own["error_users"].astype(float) ** 2).mean(skipna=False))
        found.loc[usual[0], "error_users"] = of_users
        found.loc[usual[0], ["error_systems", "families"]] = without_families(own["without"])
        if "draws" in own and own["users"].notna().all() and own["users"].nunique() == 1:
            # NaN where that of some split is not known.
            error = np.minimum(common([*own["draws"]]), of_users)
            found.loc[usual[0], "error_users"] = error
    if changed:
        rows = found.loc[changed].assign(verdict="")
        # Of a table that was read, a question that no row answers is a column of numbers.
        found = found.astype(dict.fromkeys(QUESTIONS, object))
        found.loc[changed] = judged(rows).drop(columns="verdict")
    return found.drop(columns="draws", errors="ignore").reset_index(drop=True)


def without_families(
    without: Sequence[str], weights: Sequence[float] | None = None
) -> tuple[float, int]:
    """Return the error over families of systems of a mean of numbers, and the number of families.

    Parameters
    ----------
    without : sequence of str
        Of each the numbers without each family, by name (JSON), as `rankassay.claims.judge.judge`
        has them. A family counts that all have; with fewer than five of these, the error is NaN.
    weights : sequence of float, or None
        Of the numbers in their mean; all alike if not given.
    """
    known = [json.loads(text) for text in without if isinstance(text, str) and text]
    if len(known) < len(without) or not known:
        return np.nan, 0
    names = [name for name in known[0] if all(name in own for own in known)]
    if len(names) < FEWEST_FAMILIES:
        return np.nan, 0
    table = np.array([[own[name] for name in names] for own in known]).reshape(len(known), -1)
    return float(jackknife_error(np.average(table, axis=0, weights=weights))), len(names)


def common(draws: Sequence[Floats]) -> float:
    """Return the error of users that all splits have in common, of a mean over the splits.

    It is the root of the mean covariance of two splits over resamples of the same users ::

        (K var(mean over splits) - mean of the K variances) / (K - 1)

    and 0 where that is negative. It is infinite where fewer than 40 resamples are known of all
    splits.

    Parameters
    ----------
    draws : sequence of float64 (n_resamples,)
        Of each split the numbers of resampled users; the first of all are of the same resample.
    """
    if any(own is None or np.ndim(own) == 0 for own in draws):
        return np.inf
    n, drawn = len(draws), min(map(len, draws))
    table = np.array([own[:drawn] for own in draws])
    known = table[:, ~np.isnan(table).any(axis=0)]
    if known.shape[1] < FEWEST:
        return np.inf
    of_mean, own = known.mean(axis=0).var(ddof=1), known.var(axis=1, ddof=1).mean()
    return float(np.sqrt(max((n * of_mean - own) / (n - 1), 0.0)))


def runs(
    found: pd.DataFrame, titles: Mapping[str, str], variants: Mapping[str, Mapping]
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Yield dataset and settings of each run in words, and its rows.

    Runs with settings that were chosen by validation, or otherwise, come before those with the
    dataset's own; those of further splits have no rows.
    """
    there = {*found["dataset"]}
    names = dict.fromkeys([*(name for name in titles if name in there), *found["dataset"]])
    known = {name: Run.of(name, variants) for name in names}
    data = [*dict.fromkeys(run.data for run in known.values())]
    order = sorted(known, key=lambda name: (data.index(known[name].data), name not in variants))
    for name in order:
        own = found[found["dataset"] == name]
        settings = variants[name]["label"] if name in variants else MISSING
        if own["calibrated"].any():
            settings = "calibrated"
        title = titles.get(known[name].data, known[name].data)
        yield {"Dataset": title, "Settings": settings}, own


def interval(low: float, high: float) -> str:
    """Return an interval for readers, or a dash for none."""
    return MISSING if pd.isna(low) else f"{number(low)} to {number(high)}"


def number(value: float) -> str:
    """Return a number with four significant digits, whole numbers in full."""
    if pd.isna(value):
        return MISSING
    text = f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"
    return text.replace("-", "−")


# The columns of a row about its sentence, which are in a separate table.
OF_SENTENCE = ["says", "said_in"]
COLUMNS = ["study", *(name for name in judge.COLUMNS if name not in OF_SENTENCE)]
SENTENCES = ["study", "dataset", "sentence", "source", "said_in", "says", "kind", "calibrated"]
SENTENCES += ["decided_by", "claim", "expected", "measured", "mean", "splits", *VERDICTS]
SENTENCES += ["rows", "rows_hold", "exceptions", "reason"]
TOTALS = ["study", "dataset", "source", "kind", "question", "sentences", *WORDS]


def collect(
    lists: Mapping[str, list[dict]],
    verdicts: Sequence[tuple[str, pd.DataFrame | Replicated]],
    left_out: Sequence[tuple[str, str]] = (),
    variants: Mapping[str, Mapping] | None = None,
) -> pd.DataFrame:
    """Return the verdicts study by study and claim by claim, with claims that were not tested.

    `lists` are the claims of each study, `verdicts` those of a study on one dataset, with the
    numbers of resampled users where there are any, `left_out` the analyses that would have judged
    them on a dataset, with its name, and `variants` the datasets that are others in a different
    form, see `rankassay.claims.totals.over_splits`. The columns are those of `COLUMNS` and
    `OF_SENTENCE`: study, and those of `rankassay.claims.judge.judge`.
    """
    frames = []
    for study, claims in lists.items():
        tested = [_drawn(verdict) for name, verdict in verdicts if name == study]
        datasets = {dataset for table in tested for dataset in table["dataset"]}
        own = {dataset: name for name, dataset in left_out if name.partition("/")[0] == study}
        rows = [*tested, untested(claims, datasets, own)]
        table = pd.concat(rows, ignore_index=True).reindex(columns=[*judge.COLUMNS, "draws"])
        order = {claim["sentence"]: place for place, claim in reversed([*enumerate(claims)])}
        by = {"key": lambda names, order=order: names.map(order), "kind": "stable"}
        frames.append(over_splits(table.sort_values("sentence", **by), variants or {}))
        frames[-1].insert(0, "study", study)
    return pd.concat(frames).reindex(columns=[*COLUMNS, *OF_SENTENCE])


def _drawn(verdict: pd.DataFrame | Replicated) -> pd.DataFrame:
    """Return the verdicts on a dataset with their numbers of resampled users as a column."""
    if isinstance(verdict, Replicated):
        return verdict.table.assign(draws=[*verdict.replicates])
    return verdict


def sentences(claims: pd.DataFrame) -> pd.DataFrame:
    """Return both verdicts on each sentence about each dataset.

    `claims` are what `collect` returns. Columns study, dataset, sentence, source (of the deciding
    row), said_in (its place), says (its words), kind, calibrated; decided_by, the id of the row
    that decides, and what this says of it: claim (in words), expected, measured, mean, splits, the
    verdicts with their intervals, and reason; and rows, of the sentence, rows_hold, how many hold
    for what was measured, and exceptions, the ids of those that do not, which decide nothing.
    """
    found = []
    ours = (claims["source"] == OURS).rename("ours")
    for _, own in claims.groupby(["study", "dataset", "sentence", ours], sort=False):
        [decides] = own.index[own["decides"].astype(bool)]
        row = own.loc[decides]
        rows = own[~own["id"].str.contains(":", regex=False)]
        holds = rows["holds"].astype("boolean")
        found.append(
            {name: row[name] for name in SENTENCES if name in row}
            | {"decided_by": row["id"], "rows": len(rows), "rows_hold": int(holds.sum())}
            | {"exceptions": " ".join(rows.loc[(~holds).fillna(False), "id"])}
        )
    return pd.DataFrame(found, columns=SENTENCES)


def totals(claims: pd.DataFrame) -> pd.DataFrame:
    """Count the sentences of each study about each dataset by both verdicts.

    `claims` are what `collect` returns. Columns study, dataset, source (paper or ours), kind
    (finding or fact), question (reproduced or general), sentences (that have an answer to it), and
    a column for each verdict (`rankassay.claims.conditions.WORDS`).
    """
    rows = []
    for (study, dataset), own in sentences(claims).groupby(["study", "dataset"], sort=False):
        for source, kind in product(SOURCES, ("finding", "fact")):
            part = own[((own["source"] == OURS) == (source == OURS)) & (own["kind"] == kind)]
            for question in QUESTIONS if len(part) else ():
                counts = part[question].value_counts()
                found = {word: int(counts.get(word, 0)) for word in WORDS}
                head = dict(zip(TOTALS, (study, dataset, source, kind, question), strict=False))
                rows.append(head | {"sentences": sum(found.values())} | found)
    return pd.DataFrame(rows, columns=TOTALS)

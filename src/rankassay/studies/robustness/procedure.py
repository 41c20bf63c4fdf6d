"""What the paper's procedure takes for granted: judgements, gains, users, p-values, systems.

Valcarce et al., RecSys 2018, sections 3 and 4.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings, Scores
from rankassay.metrics.evaluate import grid
from rankassay.progress import progress
from rankassay.statistics.correlation import between_metrics
from rankassay.statistics.draws import Draws
from rankassay.statistics.families import Families
from rankassay.statistics.identical import named, placed, same_lists, same_values
from rankassay.statistics.incomplete import best_first, mean_of_defined, random_parts
from rankassay.statistics.judged_systems import (
    UNJUDGED_USERS,
    TestSet,
    evaluated_parts,
    means_of_values,
)
from rankassay.statistics.rank_correlation import correlation as correlation_of
from rankassay.statistics.replicated import Replicated

GAINS = ("rating", "exp", "binary")  # the rating, 2^rating - 1, or 1 for a relevant item
# "With 100,000 samples, we can compute a two-sided p-value of 0.05 with an estimated error of
# +-0.001 and a p-value of 0.01 with an error of +-0.00045" (section 4).
P_VALUES, PERMUTATIONS = (0.05, 0.01), 100_000


def judgements(train: sp.csr_matrix, test: sp.csr_matrix, evaluation: dict) -> pd.DataFrame:
    """Measure the assumptions in which recommendation differs from information retrieval.

    Returns
    -------
    DataFrame
        Columns fact and value, with the facts
        judged: the share of the pairs of a test user and a candidate item that are judged, the
        candidates being the test set's items that the user did not rate in training;
        disputed: the share of the items with at least two judgements that are relevant to one
        user and non-relevant to another.
    """
    in_test = np.bincount(test.indices, minlength=test.shape[1]) > 0
    users = np.flatnonzero(np.diff(test.indptr))
    seen = train[users][:, in_test].nnz
    judged = test.nnz / max(len(users) * in_test.sum() - seen, 1)

    relevant = np.bincount(
        test.indices, weights=test.data >= evaluation["threshold"], minlength=test.shape[1]
    )
    count = np.bincount(test.indices, minlength=test.shape[1])
    several = count >= 2
    disputed = (relevant > 0) & (relevant < count) & several
    facts = {"judged": judged, "disputed": disputed.sum() / max(several.sum(), 1)}
    return pd.DataFrame({"fact": facts.keys(), "value": facts.values()})


def gains(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    seed: int,
    resamples: int,
    families: Families | None = None,
) -> Replicated:
    """Correlate the rankings of systems under nDCG with each pair of gain functions.

    The paper found "no meaningful differences" among them (section 3). The replicates are of
    resampled users or, if they are given, of the systems without each of `families`.

    Returns
    -------
    Replicated
        Columns cutoff, gain_a, gain_b, undefined (1 where one side ties all systems, so that tau is
        undefined) and tau (Kendall's tau-b of the two rankings; it is replicated).
    """
    cutoffs = evaluation["cutoffs"]
    measures = grid([f"nDCG(gain='{gain}')" for gain in GAINS], cutoffs)
    draws = Draws.of(np.count_nonzero(np.diff(test.indptr)), 0 if families else resamples, seed)
    parts = evaluated_parts(test, rankings, evaluation, measures)
    means = [means_of_values(values, draws, evaluation["aggregate"]) for values in parts]
    names = [(gain, cutoff) for gain in GAINS for cutoff in cutoffs]  # in the order of the grid
    found = between_metrics(np.concatenate(means, axis=1), names, families)
    renamed = {"metric_a": "gain_a", "metric_b": "gain_b"}
    return Replicated(found.table.rename(columns=renamed), found.column, found.replicates)


def unjudged_users(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    levels: Sequence[float],
    samples: int,
    seed: int,
    stratified: bool,
    round_means: int | None,
    correlation: str,
    persistence: float,
) -> pd.DataFrame:
    """Evaluate random parts of the test set with and without users who lose all judgements.

    The paper does not say which; in trec_eval such users leave. An arithmetic mean with them is the
    mean without them times the share of users with a judgement, for all systems alike: the values
    differ, but not the ranking of systems nor its correlation. Under medians over users and rounded
    means the ranking may differ.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, level, unjudged_users (drop or zero), samples, users (with a
        judgement, mean over samples), mean (of the metric's values over samples and systems),
        undefined (samples without a correlation), tau (mean over the others), correlation.
    """
    rows: list[dict] = []
    judged = TestSet.of(test, rankings, evaluation, round_means=round_means)
    for how in UNJUDGED_USERS:
        whole = replace(judged, unjudged_users=how)
        correlate = best_first(correlation_of(correlation, persistence), whole.measures)
        user, reference = whole.judgements.row, whole.means()[0]
        parts = random_parts(whole.judgements.start, levels, samples, seed, stratified)
        for level, masks in progress(parts.items(), f"parts of the test set, {how}"):
            found = [(len(np.unique(user[keep])), whole.means(keep)[0]) for keep in masks]
            users = np.mean([n for n, _ in found])
            taus = np.array([correlate(means, reference) for _, means in found])
            means = np.array([means.mean(axis=-1) for _, means in found])
            for column, measure in enumerate(whole.measures):
                head = measure | {"level": level, "unjudged_users": how, "samples": len(found)}
                head |= {"users": users, "mean": means[:, column].mean()}
                own = taus[:, column]
                head["undefined"] = int(np.isnan(own).sum())
                rows.append(head | {"tau": float(mean_of_defined(own))})
    table = pd.DataFrame(rows).assign(correlation=correlation)
    return table.sort_values("level", kind="stable", key=lambda column: column.map(levels.index))


def identical(scores: Scores, rankings: Mapping[str, Rankings] | None = None) -> pd.DataFrame:
    """Name the pairs of systems with the same value for every user under every measure.

    Systems whose lists are the same are two names of one; those whose lists differ recommend the
    same judged items, or equally good ones. `rankings` are None where values were computed by
    others.

    Returns
    -------
    DataFrame
        Columns system_a and system_b, in the order of the systems, and lists (whether they
        recommend the same lists, too; empty where there are none). No rows without such pairs.
    """
    same = same_values(part.values for part in scores.parts())
    pairs = named(scores.systems, same)
    if rankings is None:
        return pairs.assign(lists=pd.array([pd.NA] * len(pairs), dtype="boolean"))
    alike = placed(scores.systems, named(rankings, same_lists(rankings)))
    return pairs.assign(lists=pd.array(alike[same], dtype="boolean"))


def p_value_errors(
    p_values: Sequence[float] = P_VALUES, samples: int = PERMUTATIONS
) -> pd.DataFrame:
    """Return the standard error of a two-sided p-value p from B random permutations.

    ::

        both:     sqrt(p (1 - p) / B)
        doubled:  2 sqrt((p / 2) (1 - p / 2) / B)

    `both` is of a test that counts the permutations beyond the observed difference on either side,
    as this project does; `doubled` is of one that counts those on one side, a share of p / 2, and
    doubles it. The paper does not say which its numbers are of; they are those of `doubled`.

    Returns
    -------
    DataFrame
        Columns p_value, samples, tails (both or doubled) and standard_error.

    References
    ----------
    The binomial error of an achieved significance level: Efron and Tibshirani, 1993 ("An
    introduction to the bootstrap"), chapter 15.
    """
    p = np.array(p_values, dtype=np.float64)
    errors = {"both": _error(p, samples), "doubled": 2 * _error(p / 2, samples)}
    columns = ["p_value", "samples", "tails", "standard_error"]
    tables = [
        pd.DataFrame({"p_value": p, "samples": samples, "tails": tails, "standard_error": error})
        for tails, error in errors.items()
    ]
    return pd.concat(tables, ignore_index=True)[columns]


def _error(share: np.ndarray, samples: int) -> np.ndarray:
    """Return the standard error of a share of random samples."""
    return np.sqrt(share * (1 - share) / samples)

"""One choice in a metric's definition: its effect on values and on conclusions.

"Evaluation metrics for recommender systems", a blog post of 2017, section 4.3, lists denominators
of average precision, section 6.2 ideals of nDCG, and section 1.3 what users without relevant items
may be worth. Here the same lists of the same systems are evaluated under each of them. Two systems
are turned significantly where each is significantly better than the other under one definition.
Section 5.3 calls one mean reciprocal rank wrong: the formula of MRR over queries was taken for one
over the relevant items of a single user, "and the resulting quantity would then need to be averaged
again over all the users".
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
import scipy.sparse as sp

from rankassay.artifacts.arrays import Rankings
from rankassay.artifacts.shards import successive
from rankassay.metrics.aggregate import aggregate
from rankassay.metrics.evaluate import Measure, grid
from rankassay.metrics.judged import Judged
from rankassay.metrics.names import direction
from rankassay.metrics.profiles import WITHOUT_RELEVANT
from rankassay.metrics.totals import Total
from rankassay.statistics.effect_sizes import effects
from rankassay.statistics.identical import same_lists
from rankassay.statistics.judged_systems import evaluated
from rankassay.statistics.orders import DECIMALS
from rankassay.statistics.permutation import TEST_COPIES
from rankassay.statistics.rank_correlation import spearman
from rankassay.statistics.significance import blocks_of_pairs, permuted
from rankassay.studies.definitions.discrepancies import changes_of_order
from rankassay.types import Floats, Integers

Choices = Mapping[str, Sequence[Mapping]]

COUNTED, LEFT_OUT = WITHOUT_RELEVANT  # what becomes of users without relevant items
KEYS = ["metric", "cutoff", "definition", "without_relevant"]
OF_ALL = f"{__name__}:of_all_relevant"


def choices(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Choices,
    cutoffs: Sequence[int],
    samples: int,
    seed: int,
) -> pd.DataFrame:
    """Test all pairs of systems by every definition of some metrics.

    The `profile` of `evaluation` says what a definition leaves open.

    Returns
    -------
    DataFrame
        A row for each metric, cut-off, definition, choice for users without relevant items (value:
        counted with the formula's value; nan: left out) and pair of systems, with value_a, value_b
        (arithmetic means over users), difference, p_value (paired permutation test, two-sided),
        adjusted (the p-value that holds for all pairs of systems at once), identical (whether the
        two recommend the same lists) and the effect sizes of
        `rankassay.statistics.effect_sizes.effects`.
    """
    measures = definitions(metrics, cutoffs)
    n_relevant, values = _values(test, rankings, evaluation, measures)
    frames, same = [], same_lists(rankings)
    for choice in (COUNTED, LEFT_OUT):
        if choice == LEFT_OUT:
            values[n_relevant == 0] = np.nan
        tested = _tested(values, measures, [*rankings], samples, seed)
        for measure, columns in zip(measures, tested, strict=True):
            key = (measure.metric, measure.cutoff, measure.name, choice)
            columns |= {"identical": same}
            frames.append(pd.DataFrame(dict(zip(KEYS, key, strict=True)) | columns))
    return pd.concat(frames, ignore_index=True)


def _tested(
    values: Floats, measures: Sequence[Measure], names: Sequence[str], samples: int, seed: int
) -> Iterator[dict]:
    """Yield the results for all pairs of systems under each measure, the columns of `choices`."""
    systems = np.array(names)
    first, second = np.triu_indices(len(systems), k=1)
    means = aggregate(values).T  # (n_measures, n_systems)
    n_users, n_systems, _ = values.shape
    parts = []
    for some in successive(measures, TEST_COPIES * n_users * n_systems):
        result = permuted(values[:, :, some], samples, seed)
        parts.append((result.p_values, result.adjusted))
    p_values, adjusted = (np.concatenate(own) for own in zip(*parts, strict=True))
    several = blocks_of_pairs(n_users, len(first))
    for m, measure in enumerate(measures):
        sign, x = direction(measure.metric), values[:, :, m]
        effect = [effects(x[:, first[some]], x[:, second[some]], sign) for some in several]
        columns = {
            "system_a": systems[first],
            "system_b": systems[second],
            "value_a": means[m, first],
            "value_b": means[m, second],
            "difference": means[m, first] - means[m, second],
            "p_value": p_values[m, first, second],
            "adjusted": adjusted[m, first, second],
        }
        yield columns | {name: np.concatenate([own[name] for own in effect]) for name in effect[0]}


def orders(choices: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Compare the rankings of systems under all pairs of definitions of a metric.

    Definitions are compared with users without relevant items included, and each definition with
    itself with these users excluded.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, definition_a, without_relevant_a, definition_b, without_relevant_b,
        ratio (of the means of all systems, b to a), tau (Kendall's tau-b), pairs (of different
        systems), turned (pairs in opposite order), turned_significantly (those that are significant
        under both), turned_adjusted (those that are by adjusted p-values), and pair (the
        significantly turned one with the smallest larger p-value, better under a first).
    """
    heads = KEYS[:2] + [f"{key}_{side}" for side in "ab" for key in KEYS[2:]]
    rows = []
    for measure, own in choices.groupby(KEYS[:2], sort=False):
        variants = [*own.groupby(KEYS[2:], sort=False)]
        for (a, rows_a), (b, rows_b) in combinations(variants, 2):
            if a[0] == b[0] or a[1] == b[1] == COUNTED:
                head = dict(zip(heads, (*measure, *a, *b), strict=True))
                rows.append(head | _compared(rows_a, rows_b, alpha))
    return pd.DataFrame(rows)


def labels(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    metrics: Choices,
    cutoffs: Sequence[int],
) -> pd.DataFrame:
    """Measure how far a user's value depends on how many relevant items the user has.

    Section 4.3 of the post holds against one denominator that it makes average precision depend on
    "something other" than precision and ranking.

    Returns
    -------
    DataFrame
        Columns metric, cutoff, definition, correlation (Spearman's, over the users with relevant
        items, between the number of relevant items and the value, mean over the systems; a system
        whose value is the same for all users counts as 0; NaN of no users), users, and empty_share
        (of the users with test ratings, those without relevant items).
    """
    measures = definitions(metrics, cutoffs)
    n_relevant, values = _values(test, rankings, evaluation, measures)
    counted = n_relevant > 0
    number = n_relevant[counted]
    rows = []
    for m, measure in enumerate(measures):
        # Of no users there is no correlation; of some, a constant has one of 0.
        rho = np.nan
        if counted.any():
            rho = np.nan_to_num(spearman(values[counted, :, m].T, number)).mean()
        key = (measure.metric, measure.cutoff, measure.name)
        rows.append((*key, rho, len(counted), 1 - counted.mean()))
    return pd.DataFrame(rows, columns=[*KEYS[:3], "correlation", "users", "empty_share"])


def definitions(metrics: Choices, cutoffs: Sequence[int]) -> list[Measure]:
    """Return every definition of every metric at every cut-off."""
    return [
        Measure(metric, tuple(sorted(parameters.items())), cutoff)
        for metric, choices in metrics.items()
        for cutoff in cutoffs
        for parameters in choices
    ]


def _values(
    test: sp.csr_matrix,
    rankings: Mapping[str, Rankings],
    evaluation: dict,
    measures: Sequence[Measure],
) -> tuple[Floats, Floats]:
    """Return the number of relevant items of each user, and values with all users counted.

    These are float64 (n_users,) and (n_users, n_systems, n_measures).
    """
    counting = evaluation | {"without_relevant": COUNTED}
    judgements, values = evaluated(test, rankings, counting, [*map(str, measures)])
    return judgements.n_relevant, values


def _compared(a: pd.DataFrame, b: pd.DataFrame, alpha: float) -> dict:
    """Compare the pairs of systems under two definitions."""
    opposite = _signs(a) * _signs(b) < 0
    largest, adjusted = (
        np.maximum(a[name].to_numpy(), b[name].to_numpy()) for name in ("p_value", "adjusted")
    )
    turned = opposite & (largest < alpha)
    values_a, values_b = _by_system(a), _by_system(b)
    tau, n_opposite = changes_of_order(values_a, values_b)
    found = {
        "ratio": values_b.sum() / values_a.sum() if values_a.any() else np.nan,
        "tau": float(tau),
        "pairs": int((~a["identical"].astype(bool)).sum()),
        "turned": int(n_opposite),
        "turned_significantly": int(turned.sum()),
        "turned_adjusted": int((opposite & (adjusted < alpha)).sum()),
        "pair": "",
    }
    if turned.any():
        clearest = a.iloc[np.flatnonzero(turned)[largest[turned].argmin()]]
        names = [clearest["system_a"], clearest["system_b"]]
        found["pair"] = ", ".join(names if clearest["difference"] > 0 else names[::-1])
    return found


def _signs(pairs: pd.DataFrame) -> Floats:
    """Return 1 where the first system of a pair is better, -1 where the second is, and 0."""
    return np.sign(np.round(pairs["difference"].to_numpy(), DECIMALS))


def _by_system(pairs: pd.DataFrame) -> Floats:
    """Return the systems' values, in the order of the systems, (n_systems,)."""
    first = pairs.iloc[0]
    others = pairs.loc[pairs["system_a"] == first["system_a"], "value_b"]
    return np.array([first["value_a"], *others])


def of_all_relevant(judged: Judged, cutoffs: Integers) -> Total:
    """Mean of one over the place of each relevant item, 0 for one that is not in the list.

    ::

        (1 / |R_u|) sum_{k <= n} rel(L_u[k]) / k

    The post does not give the divisor of the sum; the formula of MRR divides by the number of
    summands. Range [0, 1]; 0 for a user without relevant items.
    """
    return judged.hits.total(1 / judged.hits.rank, cutoffs, judged.n_relevant)


def reciprocal_ranks(
    test: sp.csr_matrix, rankings: Mapping[str, Rankings], evaluation: dict
) -> pd.DataFrame:
    """Evaluate the systems by both means of reciprocal ranks, at the cut-offs of the metrics.

    Returns
    -------
    DataFrame
        A row for each cut-off and system, with first (MRR: of the first relevant item), all (of all
        relevant items), place_first and place_all (1 is the best), tau (Kendall's tau-b of the two
        orders of the systems) and reordered (pairs of systems that are reversed).
    """
    cutoffs = evaluation["cutoffs"]
    _, values = evaluated(test, rankings, evaluation, grid(["RR", OF_ALL], cutoffs))
    means = aggregate(values, evaluation["aggregate"]).T.reshape(2, len(cutoffs), len(rankings))
    first, every = np.round(means, 12)  # values that are equal to 12 decimals tie
    tau, reordered = changes_of_order(every, first)
    tables = [
        pd.DataFrame({"cutoff": cutoff, "system": [*rankings], "first": first[c], "all": every[c]})
        .assign(
            place_first=lambda own: _places(own["first"]),
            place_all=lambda own: _places(own["all"]),
        )
        .assign(tau=tau[c], reordered=reordered[c])
        for c, cutoff in enumerate(cutoffs)
    ]
    return pd.concat(tables, ignore_index=True)


def _places(means: pd.Series) -> pd.Series:
    """Return the places of the systems, the highest mean first; systems that tie share theirs."""
    return means.rank(method="min", ascending=False).astype("Int64")

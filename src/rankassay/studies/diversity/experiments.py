"""Experiments 1 and 2: do metrics see that a list was made worse, and is it significant?

Parapar and Radlinski, RecSys 2021, sections 5.2 and 5.3, figures 1 to 3.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import scipy  # its parts are imported on use: scipy.stats takes half a second
import scipy.sparse as sp

from rankassay.artifacts.arrays import Ratings, together
from rankassay.metrics.diversity.lists import AspectLists, Aspects, Interests
from rankassay.metrics.evaluate import diversity_values
from rankassay.progress import progress
from rankassay.statistics.effect_sizes import cohens_d_z, moments
from rankassay.statistics.orders import DECIMALS
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.diversity.ideal import IdealOrder
from rankassay.types import Floats


def perturbations(
    train: sp.csr_matrix,
    test: sp.csr_matrix,
    aspects: Ratings,
    evaluation: dict,
    *,
    metrics: Sequence[str],
    cutoffs: Sequence[int],
    steps: Mapping[str, int],
    depth: int,
    ground_truth: str,
    alternative: str,
    exhausted: str,
) -> pd.DataFrame:
    """Evaluate the ideal lists, and lists that are worse step by step in three scenarios.

    The settings are those of `rankassay.studies.diversity.study.Perturbations`; the scenarios
    are explained in `rankassay.studies.diversity.ideal.IdealOrder.perturbed`. A depth of 100 leaves
    room for 50 exchanges of both ends. With the alternative `greater`, p is near 1 where a metric
    sees the loss: the paper's null hypothesis is that the perturbed system is worse.

    Returns
    -------
    DataFrame
        Columns scenario, metric, cutoff, step (0 is the ideal system), value (the mean over users),
        p_value (of Wilcoxon's one-sided test against the ideal system; empty for step 0 and where
        no user's value differs), d_z (Cohen's effect size of perturbed less ideal values, 0 where
        no user's value differs), alternative.
    """
    interests = ground_truth_of(train, test, aspects, evaluation, ground_truth)
    order = IdealOrder.of(interests)
    rows = []
    for scenario, n_steps in progress(steps.items(), "scenarios"):
        ideal = None
        for step, items in enumerate(order.perturbed(scenario, n_steps, depth, exhausted)):
            values = diversity_values(AspectLists.of(items, interests), metrics, cutoffs)
            ideal = values if ideal is None else ideal
            means = values.mean(axis=0).round(DECIMALS)
            p = p_values(values, ideal, alternative) if step else np.full(means.shape, np.nan)
            d_z = cohens_d_z(moments(values - ideal))
            rows += [
                (scenario, metric, cutoff, step, means[m, c], p[m, c], d_z[m, c])
                for m, metric in enumerate(metrics)
                for c, cutoff in enumerate(cutoffs)
            ]
    columns = ["scenario", "metric", "cutoff", "step", "value", "p_value", "d_z"]
    return pd.DataFrame(rows, columns=columns).assign(alternative=alternative)


swaps = perturbations  # figure 1 is the same with other metrics and steps


def ground_truth_of(
    train: sp.csr_matrix, test: sp.csr_matrix, aspects: Ratings, evaluation: dict, ground_truth: str
) -> Interests:
    """Collect the ground truth of the users with test ratings.

    With the ground truth `test`, judgements are the test ratings, and users' weights of aspects are
    those of the training ratings; with `all`, both come from all that a user rated.
    """
    highest = float(max(train.data.max(), test.data.max()))
    users = np.flatnonzero(np.diff(test.indptr))
    train, test = train[users], test[users]
    if ground_truth == "all":
        train = test = together(train, test)
    shown = Aspects.of(aspects.aspects)
    return Interests.of(test, train, shown, evaluation["threshold"], highest)


def p_values(values: Floats, ideal: Floats, alternative: str) -> Floats:
    """Return Wilcoxon's one-sided p-values of values (n_users, ...) against the ideal system's.

    Users whose values are equal are excluded, ties share the mean of their ranks, and p is that of
    the normal approximation; NaN where all users are excluded.
    """
    difference = (values - ideal).reshape(len(values), -1)
    difference[np.abs(difference) < 10.0**-DECIMALS] = 0.0
    p = np.full(difference.shape[1], np.nan)
    differs = difference.any(axis=0)
    if differs.any():
        test = {"alternative": alternative, "zero_method": "wilcox", "method": "asymptotic"}
        p[differs] = scipy.stats.wilcoxon(difference[:, differs], **test).pvalue
    return p.reshape(values.shape[1:])


def order_correlation(perturbations: pd.DataFrame) -> pd.DataFrame:
    """Correlate the ranking of systems under each metric with the order in which they get worse.

    Returns
    -------
    DataFrame
        Columns scenario, metric, cutoff, systems, distinct (how many different values they have),
        undefined (1 where all are equal), tau (Kendall's tau-b with the known order, 1 is perfect;
        empty where undefined), reversals (how many steps have a lower p-value than the step before
        them, though more was made worse; with the alternative `less`, read it the other way round).
    """
    rows = []
    by = ["scenario", "metric", "cutoff"]
    for key, own in perturbations.groupby(by, sort=False):
        step, value = own["step"].to_numpy(float), own["value"].to_numpy(float)
        tau = float(tau_b(value, -step))
        reversals = (np.diff(own["p_value"].dropna()) < 0).sum()
        rows.append((*key, len(own), len(np.unique(value)), int(np.isnan(tau)), tau, reversals))
    columns = ["systems", "distinct", "undefined", "tau", "reversals"]
    return pd.DataFrame(rows, columns=[*by, *columns])

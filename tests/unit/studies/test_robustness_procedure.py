"""What the paper says of its own procedure: gain functions, errors of p-values, samples enough."""

import made_up
import numpy as np
import pytest
import scipy.stats
from settings_of import settings_of

from rankassay.statistics import incomplete
from rankassay.studies.robustness.procedure import gains, p_value_errors

EVALUATION = made_up.evaluation(["nDCG@5", "nDCG@20"])


@pytest.fixture(scope="module")
def study():
    """Return the test ratings and the rankings of six systems."""
    return made_up.study(n_systems=6)[1:]


def ndcg(test, ranking, of_gain, k):
    """Return the mean nDCG@k of a system from the formula, over users with test ratings."""
    values = []
    for user in range(test.shape[0]):
        gained = {i: of_gain(r) for i, r in zip(test[user].indices, test[user].data, strict=True)}
        if not gained:
            continue
        shown = [gained.get(item, 0.0) for item in ranking.items[len(values)][:k]]
        best = sorted(gained.values(), reverse=True)[:k]
        discount = 1 / np.log2(np.arange(2, k + 2))
        ideal = (best * discount[: len(best)]).sum()
        values.append((shown * discount[: len(shown)]).sum() / ideal if ideal else 0.0)
    return np.mean(values)


@pytest.mark.slow
def test_gains_are_compared_by_the_formula(study):
    test, rankings = study
    at = EVALUATION | {"cutoffs": [5, 20]}
    found = gains(test, rankings, at, seed=1, **settings_of("robustness/gains"))
    formulas = {"rating": lambda r: r, "exp": lambda r: 2**r - 1, "binary": lambda r: float(r >= 4)}
    for row in found.table.itertuples():
        means = [
            [ndcg(test, ranking, formulas[gain], row.cutoff) for ranking in rankings.values()]
            for gain in (row.gain_a, row.gain_b)
        ]
        assert row.tau == pytest.approx(scipy.stats.kendalltau(*np.round(means, 12)).statistic)
    assert found.replicates.shape == (len(found.table), 2000)
    assert (found.table["tau"] < 1).any()


def test_errors_of_p_values_are_those_of_many_tests():
    """Draw p-values of both kinds of tests, each from 500 permutations."""
    table = p_value_errors([0.3, 0.05], 500).set_index(["p_value", "tails"])["standard_error"]
    rng = np.random.default_rng(0)
    for p in (0.3, 0.05):
        both = rng.binomial(500, p, 200_000) / 500
        doubled = 2 * rng.binomial(500, p / 2, 200_000) / 500
        assert table[p, "both"] == pytest.approx(both.std(), rel=0.01)
        assert table[p, "doubled"] == pytest.approx(doubled.std(), rel=0.01)


def test_the_printed_errors_are_those_of_a_doubled_p_value():
    table = p_value_errors()
    doubled = table[table["tails"] == "doubled"].set_index("p_value")["standard_error"]
    assert round(doubled[0.05], 3) == 0.001
    assert round(doubled[0.01], 5) == 0.00045
    both = table[table["tails"] == "both"].set_index("p_value")["standard_error"]
    assert round(both[0.01], 5) != 0.00045


def test_standard_error_of_the_mean_tau_is_that_of_repeated_studies(study):
    test, rankings = study
    given = {"levels": [100, 30], "samples": 12}
    runs = [
        incomplete.sparsity_bias(test, rankings, EVALUATION, seed=seed, **given).table
        for seed in range(60)
    ]
    lost = [table[table["level"] == 30] for table in runs]
    drawn = np.std([table["tau"] for table in lost], axis=0, ddof=1)
    said = np.sqrt(np.mean([table["standard_error"] ** 2 for table in lost], axis=0))
    np.testing.assert_allclose(said, drawn, rtol=0.3)
    assert runs[0].loc[runs[0]["level"] == 100, "standard_error"].isna().all()

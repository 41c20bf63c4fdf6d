"""Table 3 as the authors ran it: definitions, both orders of a pair, and its replicates."""

import made_up
import numpy as np
import pytest
import scipy.stats
from matplotlib.text import Text
from settings_of import settings_of

from rankassay.metrics.evaluate import evaluate
from rankassay.metrics.judgements import Judgements, Lists
from rankassay.statistics.discriminative_power import resampled_power
from rankassay.studies.robustness import as_run, views

EVALUATION = made_up.evaluation(["nDCG@5", "nDCG@20", "R@5"])


@pytest.fixture(scope="module")
def study():
    """Return the test ratings and the rankings of four systems."""
    return made_up.study(n_systems=4, trained=0.2, tested=0.6)[1:]


def run(study, evaluation=EVALUATION, replicates=0, **changes):
    settings = settings_of("robustness/as-run-p-values", **changes)
    p_values = as_run.as_run_p_values(*study, evaluation, 1, **settings)
    return as_run.as_run(*study, evaluation, p_values, 1, replicates)


def values(study, profile, depth, measures=("nDCG", "R")):
    test, rankings = study
    judgements = Judgements.of(test, 4)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    return evaluate(judgements, lists, [*measures], profile, depth)


def test_both_orders_of_a_pair_are_summed(study):
    found = run(study, samples=2000, replicates=0).table
    assert found["metric"].tolist() == ["nDCG", "R"]
    assert found["pairs"].tolist() == [12, 12]
    assert found["cutoff"].tolist() == [20, 20]
    # About twice the sum over unordered pairs, but not twice a sum of the same permutations.
    extreme = (found["dp"] * 2000).round().astype(int)
    assert (extreme % 2 == 1).any()


def test_the_profile_of_the_authors_is_used_whatever_the_configured_one(study):
    found = run(study, EVALUATION | {"profile": "blog"}, samples=500, replicates=40)
    moved = found.replicates[0] - found.replicates[0].mean()
    for profile, used in (("as-run", True), ("blog", False)):  # whose nDCG has exponential gains
        drawn = resampled_power(values(study, profile, 20)[:, :, :1], 40, 1)[:, 0]
        assert np.allclose(moved, 2 * (drawn - drawn.mean()), atol=1e-9) == used


def test_replicates_are_of_both_orders(study):
    found = run(study, samples=500, replicates=60)
    drawn = 2 * resampled_power(values(study, "as-run", 20), 60, 1)
    deviation = found.replicates.std(axis=1)
    np.testing.assert_allclose(deviation, drawn.std(axis=0), rtol=1e-9)
    assert (found.table["low"] <= found.table["dp"]).all()
    assert (found.table["dp"] <= found.table["high"]).all()


def test_cutoffs_are_tested_with_ideal_lists_that_end_there(study):
    settings = settings_of("robustness/as-run-cutoffs", samples=4000)
    at = EVALUATION | {"cutoffs": [5, 20]}
    found = as_run.as_run_cutoffs(*study, at, 1, **settings)
    assert found["metric"].unique().tolist() == ["nDCG"]
    names = [*study[1]]
    for cutoff in (5, 20):
        users = values(study, "paper", 20, [f"nDCG(truncate_ideal=True)@{cutoff}"])[:, :, 0]
        for row in found[found["cutoff"] == cutoff].itertuples():
            pair = [users[:, names.index(name)] for name in (row.system_a, row.system_b)]
            p = scipy.stats.permutation_test(
                *(pair, lambda x, y, axis: (x - y).mean(axis=axis)),
                permutation_type="samples",
                n_resamples=4000,
                vectorized=True,
                rng=1,
            ).pvalue
            assert row.p_value == pytest.approx(p, abs=0.04)


def test_correlations_are_of_the_authors_definitions_and_rounded_means(study, monkeypatch):
    monkeypatch.setattr(as_run, "DECIMALS", 2)
    settings = settings_of("robustness/as-run-correlation")
    found = as_run.as_run_correlation(*study, EVALUATION, 1, **settings)
    means = values(study, "as-run", 20).mean(axis=0)  # systems, metrics
    taus = found.table.set_index(["metric_a", "metric_b"])["tau"]
    expected = scipy.stats.kendalltau(*means.round(2).T).statistic
    assert taus["nDCG", "R"] == taus["R", "nDCG"] == pytest.approx(expected)
    assert expected != pytest.approx(scipy.stats.kendalltau(*means.T).statistic)
    assert set(found.table["cutoff"]) == {20}
    assert found.replicates.shape == (4, settings["resamples"]) == (4, 2000)


def test_figures_in_the_authors_form_show_both_orders_and_the_tables_own_cutoff(study):
    panel = {"dataset": "d", "title": "D", "cutoff": 7}
    tests = settings_of("robustness/as-run-p-values", samples=50)
    whole = as_run.as_run_p_values(*study, EVALUATION, 1, **tests).assign(dataset="d")
    cuts = as_run.as_run_cutoffs(
        *study,
        EVALUATION | {"cutoffs": [5, 20]},
        1,
        **settings_of("robustness/as-run-cutoffs", samples=50),
    ).assign(dataset="d")
    for figure, labels in (
        (views.as_run_p_values(whole, [panel]), ["Recall", "nDCG"]),
        (views.as_run_cutoffs(cuts, [panel]), ["@5", "@20"]),
    ):
        [axes] = [axes for axes in figure.axes if axes.get_title()]
        drawn = {line.get_label(): line.get_ydata() for line in axes.lines}
        assert sorted(labels) == sorted(set(drawn) & set(labels))
        assert all(len(drawn[name]) <= 12 for name in labels)
        assert any("ordered pair (of 12)" in text for text in texts(figure))
    settings = settings_of("robustness/as-run-correlation")
    table = as_run.as_run_correlation(*study, EVALUATION, 1, **settings).table.assign(dataset="d")
    drawn = texts(views.as_run_correlation(table, [panel]))
    assert {"D", "nDCG", "Recall", "1"} <= set(drawn)


def texts(figure):
    return [text.get_text() for text in figure.findobj(Text)]


def test_each_order_of_a_pair_has_a_row_and_permutations_of_its_own(study):
    found = as_run.as_run_p_values(
        *study, EVALUATION, 1, **settings_of("robustness/as-run-p-values", samples=500)
    )
    names = [*study[1]]
    ordered = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    ordered += [(b, a) for a, b in ordered]
    for metric in ("nDCG", "R"):
        own = found[found["metric"] == metric]
        assert [*zip(own["system_a"], own["system_b"], strict=True)] == ordered
        sums = own["p_value"][:6].sum() + own["p_value"][6:].sum()
        row = run(study, samples=500).table.set_index("metric").loc[metric]
        assert row["dp"] == pytest.approx(sums, abs=1e-12)
        assert (own["p_value"][:6].to_numpy() != own["p_value"][6:].to_numpy()).any()
        np.testing.assert_allclose(own["p_value"][:6], own["p_value"][6:], atol=0.15)
    assert set(found["profile"]) == {"as-run"}
    assert set(found["cutoff"]) == {20}

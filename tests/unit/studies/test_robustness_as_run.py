"""Table 3 as the authors ran it: definitions, both orders of a pair, and its replicates."""

import made_up
import numpy as np
import pytest
from settings_of import settings_of

from assayer.metrics.evaluate import evaluate
from assayer.metrics.judgements import Judgements, Lists
from assayer.statistics.discriminative_power import resampled_power
from assayer.studies.robustness import as_run, as_run_p_values

EVALUATION = made_up.evaluation(["nDCG@5", "nDCG@20", "R@5"])


@pytest.fixture(scope="module")
def study():
    """Return the test ratings and the rankings of four systems."""
    return made_up.study(n_systems=4, trained=0.2, tested=0.6)[1:]


def run(study, evaluation=EVALUATION, replicates=0, **changes):
    settings = settings_of("robustness/as-run-p-values", **changes)
    p_values = as_run_p_values.run(*study, evaluation, 1, **settings)
    return as_run.run(*study, evaluation, p_values, 1, replicates)


def values(study, profile, depth):
    test, rankings = study
    judgements = Judgements.of(test, 4)
    lists = [Lists.of(ranking, judgements) for ranking in rankings.values()]
    return evaluate(judgements, lists, ["nDCG", "R"], profile, depth)


def test_both_orders_of_a_pair_are_summed(study):
    found = run(study, samples=2000, replicates=0).table
    assert found["metric"].tolist() == ["nDCG", "R"]
    assert found["pairs"].tolist() == [12, 12]
    assert found["cutoff"].tolist() == [20, 20]
    # About twice the sum over unordered pairs, but not twice a sum of the same permutations.
    extreme = (found["dp"] * 2000).round().astype(int)
    assert (extreme % 2 == 1).any()


def test_the_profile_of_the_authors_is_used_and_another_can_be(study):
    at = {"cutoff": 3, "samples": 500, "replicates": 40}
    own = run(study, EVALUATION | {"profile": "blog"}, **at)
    blog = run(study, profile="blog", **at)
    assert own.table["cutoff"].tolist() == [3, 3]
    assert own.table["dp"].iloc[0] != blog.table["dp"].iloc[0]  # of nDCG with exponential gains
    for profile, found in (("as-run", own), ("blog", blog)):
        drawn = resampled_power(values(study, profile, 3)[:, :, :1], 40, 1)[:, 0]
        moved = found.replicates[0] - found.replicates[0].mean()
        np.testing.assert_allclose(moved, 2 * (drawn - drawn.mean()), atol=1e-9)


def test_replicates_are_of_both_orders(study):
    found = run(study, samples=500, replicates=60)
    drawn = 2 * resampled_power(values(study, "as-run", 20), 60, 1)
    deviation = found.replicates.std(axis=1)
    np.testing.assert_allclose(deviation, drawn.std(axis=0), rtol=1e-9)
    assert (found.table["low"] <= found.table["dp"]).all()
    assert (found.table["dp"] <= found.table["high"]).all()


def test_each_order_of_a_pair_has_a_row_and_permutations_of_its_own(study):
    found = as_run_p_values.run(
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

"""The study of robustness: judgements, and users who lose all of theirs."""

import made_up
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from settings_of import settings_of

from rankassay.metrics.evaluate import grid
from rankassay.statistics import incomplete
from rankassay.studies.robustness import views
from rankassay.studies.robustness.procedure import judgements, unjudged_users

MEASURES = grid(["P", "nDCG", "Bpref"], [5, 10])
EVALUATION = made_up.evaluation(MEASURES)


@pytest.fixture(scope="module")
def study():
    return made_up.study()


def unjudged_of(test, rankings, evaluation, **changes):
    settings = settings_of("robustness/unjudged-users", **changes)
    return unjudged_users(test, rankings, evaluation, seed=1, **settings)


def test_judgement_facts_by_hand():
    train = sp.csr_matrix(np.array([[5, 0, 0, 0], [0, 0, 0, 1], [0, 2, 0, 0]], dtype=np.float32))
    test = sp.csr_matrix(np.array([[0, 5, 3, 0], [0, 2, 3, 0], [0, 0, 4, 0]], dtype=np.float32))
    facts = judgements(train, test, {"threshold": 4}).set_index("fact").value
    # Items 1 and 2 are in the test set; user 2 has item 1 in training: 5 pairs, all judged.
    assert facts["judged"] == 1.0
    # Item 1: 5 and 2. Item 2: 3, 3 and 4.
    assert facts["disputed"] == 1.0


@pytest.mark.parametrize("aggregate", ["mean", "geometric", "harmonic", "quadratic"])
def test_unjudged_users_change_means_and_not_the_orders_by_them(study, aggregate):
    """A mean of some kind adds up; users who score 0 by all systems add the same to each."""
    _, test, rankings = study
    evaluation = EVALUATION | {"aggregate": aggregate}
    table = unjudged_of(test, rankings, evaluation, levels=[100, 20, 5], samples=6)
    by_choice = {k: t.reset_index(drop=True) for k, t in table.groupby("unjudged_users")}
    drop, zero = by_choice["drop"], by_choice["zero"]
    few = drop.level < 100
    assert (drop[few].users < 60).all()
    assert (zero["mean"][few] < drop["mean"][few]).all()
    np.testing.assert_allclose(zero["mean"][~few], drop["mean"][~few])
    np.testing.assert_array_equal(drop.tau, zero.tau)
    study_of = incomplete.sparsity_bias(
        test, rankings, evaluation, [100, 20, 5], samples=6, seed=1
    ).table
    merged = study_of.merge(drop, on=["metric", "cutoff", "level"])
    np.testing.assert_allclose(merged.tau_x, merged.tau_y)


def test_unjudged_users_change_medians_and_orders_by_them(study):
    _, test, rankings = study
    evaluation = EVALUATION | {"aggregate": "median"}
    table = unjudged_of(test, rankings, evaluation, levels=[100, 20], samples=6)
    by_choice = {k: t.reset_index(drop=True) for k, t in table.groupby("unjudged_users")}
    drop, zero = by_choice["drop"], by_choice["zero"]
    whole = drop.level == 100
    np.testing.assert_array_equal(drop.tau[whole], zero.tau[whole])
    assert (drop.tau[~whole] != zero.tau[~whole]).all()
    assert (zero.undefined > drop.undefined).any()  # with too many zeros all medians are 0


@pytest.mark.parametrize("name", ["tau_ap", "tau_ap_b", "rbo"])
def test_unjudged_users_take_a_correlation_by_name(study, name):
    _, test, rankings = study
    changes = {"levels": [50], "samples": 2, "correlation": name}
    table = unjudged_of(test, rankings, EVALUATION, **changes)
    assert (table.correlation == name).all()
    assert table.tau.between(-1, 1).all()


def test_a_variant_has_the_row_of_its_test_set_in_table_2():
    known = pd.DataFrame({"dataset": "a", "statistic": [*views.HEADINGS], "published": np.nan})
    known["value"] = 3.0
    split = pd.DataFrame({"dataset": ["a", "b", "b"], "part": ["test", "test", "train"]})
    split["users"] = [7, 8, 9]
    split = split.assign(**dict.fromkeys(views.QUARTILES.values(), 1.0))
    removed = pd.DataFrame({"dataset": ["a", "b", "b"], "step": [0, 0, 1]})
    removed["ratings_removed"] = [0, 0, 5]
    frame = views.statistics(known, split, removed, {"a": "A", "b": "A, split 1"}).frame
    assert frame["Test users"].tolist() == [7, 8]
    assert frame[views.REMOVED].tolist() == [0, 5]
    assert frame["Ratings"].isna().tolist() == [False, True]

"""A copy of a system: its pair with the first one is in no discriminative power of any study."""

import itertools

import made_up
import numpy as np
import pandas as pd
import pytest
from settings_of import analysis, settings_of

from rankassay.artifacts.arrays import Scores
from rankassay.claims.lists import expand
from rankassay.statistics import significance
from rankassay.statistics.bootstrap import Pairs
from rankassay.statistics.discriminative_power import normal_p
from rankassay.statistics.draws import Draws
from rankassay.statistics.identical import same_lists
from rankassay.statistics.judged_systems import TestSet
from rankassay.statistics.replicated import Replicated
from rankassay.studies.aggregation import groups
from rankassay.studies.definitions import choices
from rankassay.studies.reliability.differences import effect_sizes
from rankassay.studies.robustness.claims import run as robustness_claims
from rankassay.studies.sampling import systems as sampling
from rankassay.studies.unjudged.incomplete import bounds, pairs
from rankassay.studies.validity.agreement import _Side

EVALUATION = made_up.evaluation(["nDCG@5", "P@5"])
COPY, FIRST = "copy", "system-0"


@pytest.fixture(scope="module")
def study():
    """Return train, test, and the rankings of four systems and a copy of the first."""
    train, test, rankings = made_up.study(n_systems=4, trained=0.2, tested=0.6)
    assert FIRST in rankings
    return train, test, rankings | {COPY: rankings[FIRST]}


def test_the_study_of_goals(study):
    _, test, rankings = study
    found = analysis("goals/discriminative-power")(
        **{"test": test, "rankings": rankings, "evaluation": EVALUATION, "seed": 1},
        **{"metrics": ["P", "nDCG"], "cutoffs": [5], "samples": 200},
    ).table
    assert found["pairs"].tolist() == [9, 9]
    assert found["identical"].tolist() == [1, 1]
    np.testing.assert_allclose(found["dp_all"] - found["dp"], 1, rtol=1e-12)


def test_the_study_of_averages(study):
    train, test, rankings = study
    settings = settings_of(
        "aggregation/groups", metrics=["P"], cutoffs=[5], resamples=0, samples=2, tests=200
    )
    found = groups.run(train, test, rankings, EVALUATION, 1, **settings).table
    rows = found[(found["criterion"] == "power") & (found["statistic"] == "value")]
    # Nine p-values, of which none is the 1 of the pair itself.
    assert (rows["value"] <= 9).all()
    whole = TestSet.of(test, rankings, EVALUATION | {"measures": ["P@5"], "aggregate": "mean"})
    p = groups.p_values(whole.values(), "mean", 200, 1)[0]
    names = [*rankings]
    first, second = np.triu_indices(5, k=1)
    sides = [{names[a], names[b]} for a, b in zip(first, second, strict=True)]
    assert p[sides.index({FIRST, COPY})] == 1
    # The arithmetic mean over all users comes first.
    assert rows["value"].iloc[0] == pytest.approx(p.sum() - 1)


def test_the_study_of_sampled_metrics(study):
    train, test, rankings = study
    settings = settings_of(
        "sampling/systems",
        **{"metrics": ["P", "nDCG"], "cutoffs": [5], "sizes": [5], "samplers": ["uniform"]},
        samples=200,
    )
    found = sampling.systems(EVALUATION, 1, **settings, train=train, test=test, rankings=rankings)
    assert (found["pairs"] == 9).all()
    assert (found["identical"] == 1).all()
    np.testing.assert_allclose(found["dp_all"] - found["dp"], 1, rtol=1e-12)
    alone = {name: own for name, own in rankings.items() if name != COPY}
    apart = sampling.systems(EVALUATION, 1, **settings, train=train, test=test, rankings=alone)
    assert (found["tied"] >= apart["tied"]).all()
    assert (found["tied"] <= 2 * apart["tied"]).all()  # the pair itself is not among them


def test_the_study_of_unjudged_items(study):
    _, test, rankings = study
    given = {"test": test, "rankings": rankings, "evaluation": EVALUATION}
    settings = settings_of("unjudged/bounds", metrics=["P"], cutoffs=[5])
    of = bounds(**given, **settings)
    found = pairs(**given, bounds=of)
    assert (found["pairs"] == 9).all()
    # The bounds of two copies are the same, and overlap.
    own = of[of["metric"] == "P"][["least", "greatest"]].to_numpy()
    every = sum(a[0] < b[1] and b[0] < a[1] for a, b in itertools.combinations(own, 2))
    assert found.loc[found["metric"] == "P", "overlapping"].tolist() == [every - 1]


def test_the_study_of_definitions(study):
    _, test, rankings = study
    given = (test, rankings, EVALUATION, {"AP": [{}, {"denominator": "listed"}]}, [5], 200, 1)
    found = choices.orders(choices.choices(*given), alpha=0.05)
    assert (found["pairs"] == 9).all()


def test_validity_compares_power_without_the_pair(study):
    _, test, rankings = study
    whole = TestSet.of(test, rankings, EVALUATION | {"aggregate": "mean"})
    draws = Draws.none(1 + int(whole.judgements.users.max()))
    side, of_lists = (_Side.of(whole, draws, same) for same in (None, same_lists(rankings)))
    assert (side.different == of_lists.different).all()
    values = whole.values()
    for m in range(values.shape[2]):
        p = normal_p(Pairs.of(values[:, :, m]).sums())[0]
        assert side.p[m, side.different].sum() == pytest.approx(p.sum() - 1)


def test_effect_sizes_count_nine_pairs_and_one_apart(study):
    _, test, rankings = study
    measures = ["P@5", "nDCG@5"]
    scores = made_up.scores(test, rankings, measures)
    assert isinstance(scores, Scores)
    settings = settings_of("robustness/p-values", samples=200)
    p_values = significance.p_values(scores, seed=1, **settings)
    found = effect_sizes(p_values, alpha=0.05)
    assert found["pairs"].tolist() == [9, 9]
    assert found["identical"].tolist() == [1, 1]
    counted = found[["significant", "equivalent", "open"]].sum(axis=1) - found["small"]
    assert counted.tolist() == [9, 9]
    # Without the column's sign, the pair would be one that is shown to be equivalent.
    every = effect_sizes(p_values.assign(identical=False), alpha=0.05)
    assert (every["equivalent"] >= found["equivalent"]).all()
    assert every["pairs"].tolist() == [10, 10]


def test_claims_name_them_where_no_row_has_another_reason():
    value = {"table": "discriminative-power", "rows": {"metric": "P"}}
    said = {"id": "a", "where": "w", "claim": "c", "datasets": ["d"], "holds": {"above": 0}}
    dp = pd.DataFrame({"metric": ["P"], "dp": [1.2]})
    power = Replicated(dp, "dp", 1.2 + np.random.default_rng(0).random((1, 50)))
    pair = pd.DataFrame({"system_a": [FIRST], "system_b": [COPY]})
    given = {"statistics": None, "sparsity": None, "discriminative_power": power}
    found = robustness_claims(expand([said | {"value": value}]), "d", pair, **given).table
    assert found["reproduced"].to_list() == ["holds"]
    assert found["reason"].to_list() == [f"without the identical systems {FIRST} = {COPY}"]

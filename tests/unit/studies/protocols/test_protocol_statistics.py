"""Components, agreement and winners of protocols, against analyses of variance and loops."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, rankdata
from settings_of import settings_of

from rankassay.artifacts.arrays import Scores
from rankassay.artifacts.replicate import Replicate
from rankassay.errors import RankassayError
from rankassay.studies.protocols.orders import agreement as protocol_agreement
from rankassay.studies.protocols.orders import components as protocol_components
from rankassay.studies.protocols.orders import winners

MEAN = {"aggregate": "mean"}


def ran(analysis, replicates, **given):
    """Return what an analysis finds with the settings of a run, but for those given."""
    chosen = settings_of(f"protocols/{analysis.__name__}", **given)
    return analysis(replicates, MEAN, 0, **chosen)


def replicate(values, protocol, number=1, kind="seed", split=None, filter="[]", ids=None):
    values = np.asarray(values, dtype=np.float64)
    if values.ndim == 2:
        values = values[:, :, None]
    n_users, n_systems, n_measures = values.shape
    systems = np.array([f"s{k}" for k in range(n_systems)])
    measures = np.array([f"P@{5 * (m + 1)}" for m in range(n_measures)])
    scores = Scores(values, np.arange(n_users, dtype=np.int32), systems, measures)
    ids = np.array([f"u{k}" for k in range(n_users)]) if ids is None else np.asarray(ids)
    names = (protocol, split or protocol, filter, kind, number)
    return Replicate(*names, scores, ids, *[pd.DataFrame()] * 3)


def crossed(random, protocols=3, replicates=4, systems=6, users=8):
    """Replicates whose systems, protocols and luck all have effects."""
    own = random.normal(size=systems)
    found = []
    for p in range(protocols):
        of_protocol = 0.7 * random.normal(size=systems) + random.normal()
        for r in range(replicates):
            luck = 0.3 * random.normal(size=(1, systems)) + random.normal()
            noise = 0.01 * random.normal(size=(users, systems))
            found.append(replicate(own + of_protocol + luck + noise, f"p{p}", r + 1))
    return found


def anova(x):
    """Estimate the components of systems crossed with protocols, replicates nested in these.

    x is (n_systems, n_protocols, n_replicates); the mean squares are summed up as in a textbook.
    """
    n, k, r = x.shape
    cells, rows = x.mean(axis=2), x.mean(axis=(1, 2))
    columns, nested, grand = x.mean(axis=(0, 2)), x.mean(axis=0), x.mean()
    ms_system = k * r * ((rows - grand) ** 2).sum() / (n - 1)
    interaction = cells - rows[:, None] - columns + grand
    ms_interaction = r * (interaction**2).sum() / ((n - 1) * (k - 1))
    residual = x - cells[:, :, None] - nested + columns[:, None]
    ms_residual = (residual**2).sum() / ((n - 1) * k * (r - 1))
    return {
        "system": (ms_system - ms_interaction) / (k * r),
        "protocol": (ms_interaction - ms_residual) / r,
        "seed": ms_residual,
    }


def of_factors(table):
    return table[table["protocol"] == "*"].set_index("factor")


@pytest.mark.parametrize("values", ["means", "ranks", "standard"])
def test_components_are_those_of_the_analysis_of_variance(values):
    replicates = crossed(np.random.default_rng(3))
    found = ran(protocol_components, replicates, values=values, resamples=0).table
    means = np.array([own.scores.values[:, :, 0].mean(axis=0) for own in replicates])
    if values == "ranks":
        means = rankdata(means, axis=1)
    if values == "standard":
        means = (means - means.mean(axis=1, keepdims=True)) / means.std(1, ddof=1, keepdims=True)
    expected = anova(means.reshape(3, 4, 6).transpose(2, 0, 1))
    measured = of_factors(found)
    for factor, variance in expected.items():
        assert measured.loc[factor, "variance"] == pytest.approx(variance, rel=1e-9)
    shares = measured.loc[["system", "protocol", "seed"], "share"]
    assert shares.sum() == pytest.approx(1)
    assert measured.loc["seed", "variance"] == pytest.approx(
        found[found["protocol"] != "*"]["variance"].mean()
    )


def test_split_and_filter_are_told_apart_by_pairs_that_differ_in_one_of_them():
    random = np.random.default_rng(4)
    own = 3 * random.normal(size=8)
    split = {"a": np.zeros(8), "b": 0.5 * random.normal(size=8)}
    filters = {"all": np.zeros(8), "core": 2 * random.normal(size=8)}
    replicates = [
        replicate((own + split[s] + filters[f])[None].repeat(3, 0), f"{s}-{f}", n, "seed", s, f)
        for s, f, n in itertools.product(split, filters, (1, 2))
    ]
    table = ran(protocol_components, replicates, values="means", resamples=0).table
    found = of_factors(table)["variance"]
    assert found["split"] == pytest.approx(np.var(split["b"], ddof=1) / 2)
    assert found["filter"] == pytest.approx(np.var(filters["core"], ddof=1) / 2)
    assert found["seed"] == pytest.approx(0, abs=1e-12)
    assert of_factors(table)["pairs"].to_dict() == {
        "system": 6, "protocol": 6, "split": 2, "filter": 2, "seed": 4
    }  # fmt: skip


def test_a_single_replicate_has_no_luck_of_its_own():
    random = np.random.default_rng(5)
    replicates = [replicate(random.random((5, 4)), name) for name in ("a", "b")]
    found = ran(protocol_components, replicates, resamples=0).table
    assert set(found["factor"]) == {"system", "protocol", "split"}  # their filters are the same
    agreement = ran(protocol_agreement, replicates, resamples=0).table
    assert agreement[["protocol_a", "protocol_b"]].to_numpy().tolist() == [["a", "b"]]
    assert agreement["within"].isna().all()


def test_systems_that_all_tie_have_no_order():
    random = np.random.default_rng(6)
    replicates = [replicate(random.random((5, 4)), "a"), replicate(np.ones((5, 4)), "b")]
    found = ran(protocol_components, replicates, resamples=40).table
    assert found["share"].isna().all()
    agreement = ran(protocol_agreement, replicates, resamples=40).table
    assert agreement[["tau", "low", "lowest", "highest"]].isna().all(axis=None)


def test_agreement_is_the_mean_over_pairs_of_replicates():
    replicates = crossed(np.random.default_rng(7), replicates=3)
    found = ran(protocol_agreement, replicates, resamples=40).table
    found = found.set_index(["protocol_a", "protocol_b"])
    means = [own.scores.values[:, :, 0].mean(axis=0) for own in replicates]
    for a, b in itertools.combinations_with_replacement(range(3), 2):
        pairs = [(3 * a + i, 3 * b + j) for i in range(3) for j in range(3) if a != b or i < j]
        taus = [kendalltau(means[i], means[j]).statistic for i, j in pairs]
        row = found.loc[(f"p{a}", f"p{b}")]
        assert row["tau"] == pytest.approx(np.mean(taus))
        assert (row["lowest"], row["highest"]) == pytest.approx((min(taus), max(taus)))
        assert row["pairs"] == len(pairs)
        assert row["low"] <= row["tau"] <= row["high"]
    within = (found.loc[("p0", "p0"), "tau"] + found.loc[("p2", "p2"), "tau"]) / 2
    assert found.loc[("p0", "p2"), "within"] == pytest.approx(within)
    assert found.loc[("p0", "p2"), "shortfall"] == pytest.approx(
        within - found.loc[("p0", "p2"), "tau"]
    )


def test_users_are_resampled_together_by_their_ids():
    """The same users in another order, under another protocol, agree in every resample."""
    random = np.random.default_rng(8)
    values, order = random.random((30, 5, 2)), random.permutation(30)
    ids = np.array([f"u{k}" for k in range(30)])
    replicates = [replicate(values, "a", ids=ids), replicate(values[order], "b", ids=ids[order])]
    found = ran(protocol_agreement, replicates, resamples=50)
    assert (found.replicates == 1).all()
    won = ran(winners, replicates, resamples=50)
    assert not won["changed"].any()
    assert won.groupby("cutoff")["in_resamples"].nunique().eq(1).all()


def test_users_whom_no_two_protocols_share_are_drawn_by_themselves():
    random = np.random.default_rng(9)
    replicates = [
        replicate(random.random((20, 4)), "a", ids=[f"a{k}" for k in range(20)]),
        replicate(random.random((10, 4)), "b", ids=[f"b{k}" for k in range(10)]),
    ]
    found = ran(protocol_agreement, replicates, resamples=60)
    assert np.isfinite(found.replicates).all()


def test_winners_are_told_with_ties_and_places():
    values = np.array([[0.5, 0.5, 0.1], [0.5, 0.5, 0.2]])
    turned = np.array([[0.1, 0.2, 0.9], [0.3, 0.2, 0.8]])
    replicates = [replicate(values, "a"), replicate(turned, "b"), replicate(turned, "b", 2)]
    found = ran(winners, replicates, resamples=40).set_index("protocol")
    assert found["winner"].to_dict() == {"a": "s0, s1", "b": "s2"}
    assert found["second"].to_dict() == {"a": "s2", "b": "s0, s1"}
    assert found["reference_winner"].to_dict() == {"a": "s0, s1", "b": "s0, s1"}
    assert found["place"].to_dict() == {"a": 1, "b": 2}
    assert found["changed"].to_dict() == {"a": False, "b": True}
    assert found["beyond_luck"].to_dict() == {"a": False, "b": True}
    assert found.loc["b", ["in_replicates", "in_resamples", "behind"]].tolist() == [1, 1, 1]


def test_another_winner_by_luck_is_no_finding():
    random = np.random.default_rng(10)
    first, second = random.random((2, 50, 2))
    replicates = [replicate(first, "a"), replicate(second, "b")]
    means = np.array([first.mean(axis=0), second.mean(axis=0)])
    found = ran(winners, replicates, resamples=100).set_index("protocol")
    expected = means.argmax(axis=1)
    assert found["winner"].tolist() == [f"s{k}" for k in expected]
    assert found.loc["b", "changed"] == (expected[0] != expected[1])
    assert found.loc["b", "beyond_luck"] == (
        found.loc["b", "changed"] and found.loc["b", "behind"] >= 0.95
    )


def test_without_resamples_nothing_is_sure():
    random = np.random.default_rng(11)
    replicates = [replicate(random.random((5, 3)), name) for name in ("a", "b")]
    found = ran(winners, replicates, resamples=0)
    assert found[["in_resamples", "behind"]].isna().all(axis=None)
    assert not found["beyond_luck"].any()


@pytest.mark.parametrize("what", ["systems", "measures"])
def test_replicates_of_other_systems_or_measures_are_refused(what):
    shape = {"systems": (3, 5), "measures": (3, 4, 2)}[what]
    replicates = [replicate(np.ones((3, 4)), "a"), replicate(np.ones(shape), "b", 2)]
    with pytest.raises(RankassayError, match=f"b, seed 2: expected the {what} of a"):
        ran(winners, replicates, resamples=0)


@pytest.mark.parametrize("analysis", [protocol_components, protocol_agreement, winners])
@pytest.mark.parametrize(("numbers", "found"), [([], r"found 0\."), ([1, 2], r"found 1 \(a\)")])
def test_fewer_than_two_protocols_are_refused_in_one_line(analysis, numbers, found):
    replicates = [replicate(np.eye(3), "a", number) for number in numbers]
    with pytest.raises(RankassayError, match=f"expected replicates of two protocols.*{found}"):
        ran(analysis, replicates, resamples=0)


def test_the_lowest_wins_where_less_is_better():
    first, second = np.array([[0.1, 0.4, 0.2]] * 2), np.array([[0.3, 0.5, 0.1]] * 2)
    replicates = [replicate(first, "a"), replicate(second, "b")]
    fallout = np.array(["Fallout@5"])
    lower = [replace(own, scores=replace(own.scores, measures=fallout)) for own in replicates]
    found = ran(winners, lower, resamples=40).set_index("protocol")
    assert found["winner"].tolist() == ["s0", "s2"]
    assert found["second"].tolist() == ["s2", "s0"]
    assert found["place"].tolist() == [1, 2]
    assert found["behind"].tolist() == [0, 1]
    higher = ran(winners, replicates, resamples=40)
    assert higher["winner"].tolist() == ["s1", "s1"]


@pytest.mark.parametrize("correlation", ["rbo", "tau_ap"])
def test_the_best_weigh_most_where_less_is_better(correlation):
    random = np.random.default_rng(4)
    values = [random.random((3, 6)) for _ in range(2)]
    higher, lower = (
        [replicate(sign * own, name) for own, name in zip(values, "ab", strict=True)]
        for sign in (1, -1)
    )
    fallout = np.array(["Fallout@5"])
    lower = [replace(own, scores=replace(own.scores, measures=fallout)) for own in lower]
    taus = [
        ran(protocol_agreement, of, correlation=correlation, resamples=0).table["tau"]
        for of in (higher, lower)
    ]
    assert taus[0].tolist() == taus[1].tolist()


def test_an_overlap_is_not_below_0():
    """Other users might well reverse a ranking, which is the opposite of the other's."""
    first = np.array([[1.0, 0.0]] * 6)
    second = np.array([[0.0, 1.0]] * 3 + [[0.9, 0.0]] * 3)
    how = {"correlation": "rbo", "persistence": 0.1, "resamples": 200}
    table = ran(protocol_agreement, [replicate(first, "a"), replicate(second, "b")], **how)
    assert table.table["tau"].tolist() == pytest.approx([0.1])
    assert table.table["low"].tolist() == [0]


def test_users_without_values_do_not_count():
    """NaN is a user's undefined value: means are over the others, and 0 over none."""
    random = np.random.default_rng(12)
    values = random.random((9, 4))
    with_none = np.vstack([values, np.full((3, 4), np.nan)])
    whole = [replicate(values, "a"), replicate(values[:5], "b")]
    partly = [replicate(with_none, "a"), replicate(with_none[[0, 1, 2, 3, 4, 10]], "b")]
    for analysis in (protocol_components, protocol_agreement):
        expected, found = (ran(analysis, of, resamples=0).table for of in (whole, partly))
        pd.testing.assert_frame_equal(found, expected)
    nobody = [replicate(np.full((3, 4), np.nan), name) for name in ("a", "b")]
    assert ran(protocol_agreement, nobody, resamples=40).table["tau"].isna().all()
    assert ran(winners, nobody, resamples=40)["winner"].tolist() == ["s0, s1, s2, s3"] * 2


def test_two_systems_have_an_order():
    first, second = np.array([[0.2, 0.1]] * 3), np.array([[0.1, 0.2]] * 3)
    replicates = [replicate(first, "a"), replicate(first, "a", 2), replicate(second, "b")]
    found = ran(protocol_components, replicates, resamples=40)
    shares = of_factors(found.table)["share"]
    assert shares.to_dict() == {"system": -1, "protocol": 2, "split": 2, "seed": 0}
    taus = ran(protocol_agreement, replicates, resamples=40).table.set_index("protocol_b")
    assert taus["tau"].to_dict() == {"a": 1, "b": -1}


def test_seeds_and_folds_have_rows_of_their_own():
    """Where protocols have replicates of both kinds, each kind has its own rows."""
    random = np.random.default_rng(13)
    replicates = [replicate(random.random((6, 4)), "a", k) for k in (1, 2)]
    replicates += [replicate(random.random((6, 4)), "b", k, "fold") for k in (1, 2, 3)]
    table = ran(protocol_components, replicates, resamples=0).table
    assert table[["factor", "protocol", "pairs"]].to_numpy().tolist() == [
        ["system", "*", 1], ["protocol", "*", 1], ["split", "*", 1],
        ["seed", "*", 1], ["seed", "a", 1], ["fold", "*", 1], ["fold", "b", 1],
    ]  # fmt: skip

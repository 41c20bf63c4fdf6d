"""Worlds of several kinds: how they are drawn, what is observed of them, what they say together."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats
import yaml
from declared import check_ends

from rankassay.artifacts.tables import read_table
from rankassay.config.sections import configuration
from rankassay.errors import RankassayError
from rankassay.statistics.sensitivity import DEFAULT_GAMMA
from rankassay.statistics.sensitivity_pairs import largest_p_values
from rankassay.studies.validity import figures, kinds, kinds_summary, kinds_worlds, tables
from rankassay.studies.validity.kinds import KIND, drawn, users_of
from rankassay.studies.validity.kinds_worlds import (
    BOUNDS,
    JUDGED,
    MEASURES,
    PAPER,
    at,
    measured,
    metrics_of,
    observed,
    pairs,
)
from rankassay.studies.validity.names import APART, KINDS, SHOWN
from rankassay.studies.validity.settings import Kinds

SIZES = {"users": 60, "items": 80, "relevant": 0.2, "density": 0.15}


@pytest.fixture(scope="module", autouse=True)
def _few_parts():
    """Take few parts of each test set: robustness costs most of a world's time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kinds_worlds, "PERCENTAGES", (80,))
        patch.setattr(kinds_worlds, "LEVELS", (50,))
        yield


@pytest.fixture(scope="module")
def few():
    """Return a few recommenders, so that a world takes no time."""
    return {
        name: KIND["base"].recommenders[name]
        for name in ("Random", "Popularity", "SVD", "User kNN")
    }


@pytest.fixture(scope="module")
def world():
    return drawn("base", *SIZES.values(), 4, "choose", 1)


@pytest.fixture(scope="module")
def seen(world):
    return observed(world, 4, "base", "choose", 1)


def test_the_settings_name_the_kinds_in_their_order():
    assert tuple(KIND) == tuple(KINDS)
    assert {*APART} < {*KIND}
    with pytest.raises(ValueError, match="besides only-liked, liking, no-"):
        Kinds(kinds=[*APART])


def by_formula(kind, users):
    """Return g of a kind from its formula, of those that draw nothing more."""
    e, a, y = users.exposure[None, :], users.activity[:, None], users.rating >= 4
    g = users.spread * e + 0.5 * a
    h = scipy.stats.rankdata(users.exposure)[None, :] - 1
    h = h / h.max()
    return {
        **dict.fromkeys(("base", "alike", "many", "no-predictors", "all-ratings"), g + 0 * y),
        "liking": g + np.log(4) * y,
        "suits": g + users.taste,
        "niche-fans": g + (np.log(2) + np.log(8) * (1 - h)) * y,
        "popular-fans": g + (np.log(2) + np.log(8) * h) * y,
        "mostly-liked": g + np.log(30) * y,
        "only-liked": np.where(y, g, -np.inf),
    }[kind]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("deployed", "unequal")])
def test_propensities_are_those_of_the_formula(kind):
    """P = min(1, c exp(g)), of one c for all pairs, whose mean is the density."""
    found = drawn(kind, *SIZES.values(), 4, "choose", 1)
    p, g = found.propensity, by_formula(kind, found.users)
    assert p.mean() == pytest.approx(0.15 * (4 if kind == "many" else 1), abs=1e-9)
    inside = (p > 0) & (p < 1)
    assert ((p == 0) == np.isinf(g)).all()
    assert np.ptp(np.log(p[inside]) - g[inside]) < 1e-9
    assert (g[p == 1] >= g[inside].max() - 1e-9).all()


def test_users_differ_in_how_much_liking_drives_rating():
    found = drawn("unequal", *SIZES.values(), 4, "choose", 1)
    own = found.users
    inside = np.where(found.propensity < 1, np.log(found.propensity), np.nan)
    excess = inside - own.spread * own.exposure
    with np.errstate(all="ignore"):
        b = np.nanmean(np.where(own.liked, excess, np.nan), 1) - np.nanmean(
            np.where(own.liked, np.nan, excess), 1
        )
    assert np.nanmean(b) == pytest.approx(np.log(4), abs=3 / np.sqrt(60))
    assert np.nanstd(b) == pytest.approx(1, abs=0.25)


def test_a_deployed_recommender_shows_its_first_items_more_often():
    found = drawn("deployed", *SIZES.values(), 4, "choose", 1)
    base = drawn("base", *SIZES.values(), 4, "choose", 1)
    assert found.propensity.mean() == pytest.approx(0.15, abs=1e-9)
    own = found.users
    left = np.log(found.propensity) - (own.spread / 2 * own.exposure + 0.5 * own.activity[:, None])
    # What is left is a falling function of a rank, so that each user has the same values.
    left = np.where(found.propensity < 1, left, np.inf)
    levels = np.sort(left, axis=1)[:, :40]
    assert np.ptp(levels, axis=0).max() < 1e-9
    assert (np.diff(levels[0]) > 0).all()
    assert (base.users.rating == own.rating).all()


def test_what_users_think_has_the_stated_moments():
    """Taste and exposure are standardised; exposure goes with quality by the correlation drawn."""
    rates, spreads = [], []
    for n in range(40):
        own = users_of(60, 80, 0.2, 4, "choose", n)
        assert own.liked.mean() == pytest.approx(0.2, abs=0.001)
        assert abs(own.taste.mean()) < 1e-12
        assert own.exposure.std() == pytest.approx(1)
        rates.append(np.corrcoef(own.exposure, own.rating.mean(axis=0))[0, 1])
        spreads.append(own.spread)
    assert 0.8 <= min(spreads) < 1 < 1.6 < max(spreads) <= 1.8
    assert 0.1 < np.mean(rates) < 0.35  # .3 times what of the mean rating is quality


def test_too_many_ratings_are_told():
    with pytest.raises(
        RankassayError, match=r"density: expected less than 0.2, as in worlds of the"
    ):
        drawn("only-liked", 60, 80, 0.2, 0.3, 4, "choose", 1)
    with pytest.raises(RankassayError, match=r"density: expected less than 0.25, .* the kind many"):
        drawn("many", 60, 80, 0.2, 0.3, 4, "choose", 1)
    scarce = drawn("base", 60, 80, 0.2, 1e-5, 4, "choose", 1)
    with pytest.raises(RankassayError, match="raise density, users or items"):
        observed(scarce, 4, "base", "choose", 1)


def lists_of(seen):
    """Return of each system and user the judged places: rank, rating and popularity."""
    own = seen.judgements
    for judged in seen.lists:
        users = []
        for u in range(own.n_users):
            some = slice(own.start[u], own.start[u + 1])
            users.append([*zip(judged.ranks[some], own.rating[some], seen.item[some], strict=True)])
        yield users


BY_HAND = {
    "P@10": lambda user, pop: sum(0 < k <= 10 and r >= 4 for k, r, _ in user) / 10,
    "P(denominator='judged')@50": lambda user, pop: np.divide(
        *map(
            float,
            (
                sum(0 < k <= 50 and r >= 4 for k, r, _ in user),
                max(sum(0 < k <= 50 for k, r, _ in user), 1),
            ),
        )
    ),
    "FP@10": lambda user, pop: sum(0 < k <= 10 and r < 4 for k, r, _ in user) / 10,
    "condensed P@10": lambda user, pop: (
        sum(r >= 4 for _, r, _ in sorted(each for each in user if each[0] > 0)[:10]) / 10
    ),
}


def test_measures_are_means_over_users_with_a_relevant_test_rating(seen):
    assert (np.bincount(seen.judgements.row, seen.judgements.relevant) > 0).all()
    values = kinds_worlds.values_of(seen.lists, [*BY_HAND])
    for m, by_hand in enumerate(BY_HAND.values()):
        expected = [[by_hand(user, None) for user in system] for system in lists_of(seen)]
        np.testing.assert_allclose(values[:, :, m].T, expected, atol=1e-12)


def test_weighing_by_popularity_divides_hits_by_training_counts(seen):
    found = kinds_worlds.values_of(seen.lists, ["IPS(gain='P')@10"])[:, :, 0]
    most = seen.popularity.max() + 1
    for s, system in enumerate(lists_of(seen)):
        for u, user in enumerate(system):
            weights = [
                most / (seen.popularity[i] + 1) for k, r, i in user if r >= 4 and 0 < k <= 10
            ]
            assert found[u, s] == pytest.approx(sum(weights) / 10)


def test_the_truth_is_what_users_like_of_their_first_ten_items(world, seen):
    """From the share of liked items that is left at random: that of the system that is random."""
    names = [*world.recommenders]
    liked = world.users.liked.mean()
    assert seen.true[names.index("Random")] == pytest.approx(liked, abs=0.06)
    assert seen.true.max() > liked + 0.1
    items = np.array([[0, 1, 2, -1, -1, -1, -1, -1, -1, -1, 3]])
    some = np.array([[True, False, True, True]])
    assert kinds_worlds._true_precision(some, items, np.array([True])) == 2 / 10


def test_agreement_and_loss_are_by_true_precision(seen):
    table = measured(seen, 4, "choose", 1)
    assert list(zip(table["metric"], table["cutoff"], strict=True)) == metrics_of(MEASURES)
    row = table[(table["metric"] == "P") & (table["cutoff"] == 10)].iloc[0]
    observed_means = np.array([hits.sum() for hits in seen.hits], np.float64)
    tau = scipy.stats.kendalltau(observed_means, seen.true).statistic
    assert row["tau"] == pytest.approx(tau)
    best = observed_means == observed_means.max()
    expected = (seen.true.max() - seen.true[best].mean()) / seen.true.max()
    assert row["loss"] == pytest.approx(expected)
    mistakes = table[(table["metric"] == "FP") & (table["cutoff"] == 10)].iloc[0]
    values = kinds_worlds.values_of(seen.lists, ["FP@10"])[:, :, 0].mean(axis=0)
    tau = scipy.stats.kendalltau(-np.round(values, 12), seen.true).statistic
    assert mistakes["tau"] == pytest.approx(tau)
    empty = table[table["metric"] == JUDGED].set_index("cutoff")["no_judged"]
    bare = [not any(0 < k <= 50 for k, _, _ in user) for user in itertools.chain(*lists_of(seen))]
    assert empty[50] == pytest.approx(np.mean(bare))
    assert table["no_judged"].notna().sum() == 3
    assert table[["popularity", "sparsity"]].stack().between(-1, 1).all()


def test_pairs_are_tested_as_scipy_does(seen):
    table = pairs(seen)
    row, n = seen.judgements.row, seen.judgements.n_users
    at_row = 0
    for a, b in itertools.combinations(range(len(seen.hits)), 2):
        if seen.hits[a].sum() == seen.hits[b].sum():
            continue
        if seen.hits[a].sum() < seen.hits[b].sum():
            a, b = b, a
        up, down = seen.hits[a] & ~seen.hits[b], seen.hits[b] & ~seen.hits[a]
        own = table.iloc[at_row]
        at_row += 1
        assert own["right"] == np.sign(seen.true[a] - seen.true[b])
        for gamma in BOUNDS:
            x, y = (np.bincount(row[some], minlength=n) * 1.0 for some in (up, down))
            s = x / gamma - gamma * y
            p = scipy.stats.ttest_1samp(s, 0).pvalue
            assert own[at(gamma)] <= (p < 0.05 and s.mean() > 0)  # these weights are allowed
            if gamma == 1:
                assert own[at(gamma)] == (p < 0.05)
            assert own[at(gamma)] == (largest_p_values(x[None], y[None], [gamma])[0, 0] < 0.05)
        if up.any() and down.any():
            ratio = np.sqrt(seen.weight[down].mean() / seen.weight[up].mean())
            assert own["ratio"] == pytest.approx(ratio)
    assert at_row == len(table) > 50


def test_systems_learn_from_liked_ratings_unless_they_compare_them(few):
    """And from all of them in worlds where that is what distinguishes these."""
    fitted_on = {}

    class Spy:
        def __init__(self, **settings):
            pass

        def fit(self, train, seed):
            fitted_on[train.nnz] = train.data.min()
            return self

    ratings = sp.csr_matrix(np.array([[5, 1, 0], [4, 0, 2]], dtype=np.float32))
    for method, liked_only, expected in (
        ("ease", True, {2: 4}),
        ("ease", False, {4: 1}),
        ("svd", True, {4: 1}),
    ):
        fitted_on.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kinds, "load", lambda name: Spy)
            kinds.fitted({"method": method, "settings": {}}, ratings, 1, liked_only)
        assert fitted_on == expected
    sizes = (*SIZES.values(), 4, "choose", 1)
    assert not drawn("all-ratings", *sizes).liked_only
    assert drawn("base", *sizes).liked_only


def test_true_weights_bring_observed_hits_to_what_is_true(few):
    """Weighed by what is known of a world, hits estimate what users would like; unweighed not."""
    off, plain = [], []
    for n in range(12):
        world = drawn("popular-fans", 200, 80, 0.2, 0.15, 9, "choose", n)
        seen = observed(replace(world, recommenders=few), 9, "popular-fans", "choose", n)
        weighed = np.array([seen.weight[hits].sum() for hits in seen.hits])
        raw = np.array([hits.sum() for hits in seen.hits])
        off.append(np.log(weighed / weighed.mean()) - np.log(seen.true / seen.true.mean()))
        plain.append(np.log(raw / raw.mean()) - np.log(seen.true / seen.true.mean()))
    assert np.abs(np.mean(off, axis=0)).mean() < np.abs(np.mean(plain, axis=0)).mean() / 2


@pytest.fixture(scope="module")
def cases():
    return kinds_worlds.run(3, kinds=["base", "only-liked"], worlds=1, **SIZES)


def test_a_kind_is_the_same_alone_and_among_others(cases):
    alone = kinds_worlds.run(3, kinds=["only-liked"], worlds=1, **SIZES)
    among = cases[cases["kind"] == "only-liked"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, among, check_dtype=False)


def made_up(rng, kinds_of=("base", "suits", "only-liked")):
    """Return rows of measures as of some worlds."""
    names = metrics_of(["nDCG@10", "P@10", f"{JUDGED}@50"])
    return pd.DataFrame(
        {"of": "measure", "kind": kind, "half": half, "world": w, "metric": m, "cutoff": c}
        | dict(zip(["tau", "loss", "popularity", "sparsity", "power"], rng.random(5), strict=True))
        | {"no_judged": np.nan}
        for kind in kinds_of
        for half in ("choose", "report")
        for w in range(1, 6)
        for m, c in names
    )


def test_intervals_are_students_over_worlds():
    rows = made_up(np.random.default_rng(1))
    table = kinds_summary.kinds(rows)
    own = rows[(rows["kind"] == "suits") & (rows["half"] == "report") & (rows["metric"] == "P")]
    found = table[
        (table["kind"] == "suits") & (table["half"] == "report") & (table["metric"] == "P")
    ]
    low, high = scipy.stats.t.interval(0.95, 4, own["tau"].mean(), scipy.stats.sem(own["tau"]))
    row = found.iloc[0]
    assert (row["tau"], row["tau_low"], row["tau_high"]) == pytest.approx(
        (own["tau"].mean(), max(low, -1), min(high, 1))
    )
    # Kinds share the users of a world, so that the mean over kinds is taken in each world first.
    both = rows[rows["kind"].isin(["base", "suits"]) & (rows["half"] == "report")]
    means = both[both["metric"] == "P"].groupby("world")["loss"].mean()
    low, high = scipy.stats.t.interval(0.95, 4, means.mean(), scipy.stats.sem(means))
    row = table[(table["kind"] == "all") & (table["half"] == "report") & (table["metric"] == "P")]
    assert row["worlds"].item() == 5
    assert row["loss_high"].item() == pytest.approx(min(high, 1))


def test_the_chosen_measure_is_chosen_on_one_half_alone():
    rows = made_up(np.random.default_rng(2))
    table = kinds_summary.kinds(rows)
    mean = rows.groupby(["kind", "half", "metric"])["tau"].mean()
    worst = {}
    for kind in ("base", "suits", "only-liked"):
        best = mean[kind, "choose"].idxmax()
        for half in ("choose", "report"):
            own = table[(table["kind"] == kind) & (table["half"] == half)].set_index("metric")
            assert own.index[own["chosen"]].tolist() == [best]
            for metric in own.index:
                regret = mean[kind, half, best] - mean[kind, half, metric]
                assert own.loc[metric, "regret"] == pytest.approx(regret)
                if kind != "only-liked":
                    worst[half, metric] = max(worst.get((half, metric), -9), regret)
    for half in ("choose", "report"):
        own = table[(table["kind"] == "all") & (table["half"] == half)].set_index("metric")
        for metric in own.index:
            assert own.loc[metric, "regret"] == pytest.approx(worst[half, metric])
        least = min(own.index, key=lambda metric: worst["choose", metric])
        assert own.index[own["chosen"]].tolist() == [least]


def test_strategies_take_what_is_best_by_their_criterion():
    rows = made_up(np.random.default_rng(3), ("base",))
    table = kinds_summary.strategies(rows).set_index(["kind", "among", "strategy"])
    taken, goes = {}, []
    for _, own in rows.groupby(["half", "world"]):
        seven = own[own["metric"].isin(PAPER)]
        ranks = own[["sparsity", "popularity"]].rank(ascending=False).sum(axis=1)
        ranks += own["power"].rank()
        for among, some in (("all measures", own), ("the seven metrics", seven)):
            taken.setdefault((among, "power"), []).append(some.loc[some["power"].idxmin(), "tau"])
            best = some["sparsity"].idxmax()
            taken.setdefault((among, "sparsity"), []).append(some.loc[best, "tau"])
        taken.setdefault(("all measures", "mean rank"), []).append(
            own.loc[ranks == ranks.min(), "tau"].mean()
        )
        fixed = own.loc[own["metric"] == "nDCG", "tau"].item()
        taken.setdefault(("the seven metrics", "nDCG@10"), []).append(fixed)
        goes.append(scipy.stats.kendalltau(-own["power"], own["tau"]).statistic)
    for key, taus in taken.items():
        for kind in ("base", "all"):
            assert table.loc[(kind, *key), "tau"] == pytest.approx(np.mean(taus))
    found = table.loc[("base", "all measures", "power"), "correlation"]
    assert found == pytest.approx(np.mean(goes))
    assert np.isnan(table.loc[("base", "all measures", "nDCG@10"), "correlation"])


def test_wrong_signs_are_a_share_of_the_significant_pairs():
    rng = np.random.default_rng(5)
    n = 400
    rows = pd.DataFrame(
        {
            "of": "pair",
            "kind": rng.choice(["base", "suits", "only-liked"], n),
            "half": rng.choice(["choose", "report"], n),
            "world": rng.integers(1, 9, n),
            "ratio": rng.random(n),
            "right": rng.choice([-1, 0, 1], n, p=[0.2, 0.1, 0.7]),
        }
        | {at(gamma): rng.random(n) < 1 / gamma for gamma in BOUNDS}
    )
    table = kinds_summary.gamma(rows).set_index(["kind", "half", "gamma"])
    own = rows[(rows["kind"] == "suits") & (rows["half"] == "report")]
    some = own[own["at_2"]]
    found = table.loc[("suits", "report", 2.0)]
    assert (found["pairs"], found["significant"]) == (len(own), len(some))
    assert found["wrong"] == pytest.approx((some["right"] < 0).mean())
    assert found["ratio_95"] == pytest.approx(np.percentile(own["ratio"], 95))
    both = rows[rows["kind"] != "only-liked"]
    assert table.loc[("all", "all", 3.0), "significant"] == both["at_3"].sum()
    # The interval of a ratio of sums: that of a bootstrap over worlds is about as wide.
    clusters = both.groupby(["half", "world"])
    sums = np.array([[c["at_1"].sum(), (c["at_1"] & (c["right"] < 0)).sum()] for _, c in clusters])
    drawn_ones = sums[rng.integers(0, len(sums), (4000, len(sums)))].sum(axis=1)
    spread = (drawn_ones[:, 1] / drawn_ones[:, 0]).std()
    found = table.loc[("all", "all", 1.0)]
    width = (found["high"] - found["low"]) / 2 / scipy.stats.t.ppf(0.975, len(sums) - 1)
    assert width == pytest.approx(spread, rel=0.1)
    check_ends(table, "wrong")


def shares(**wrong):
    """Return a table of wrong signs, by kind a share for each bound in each half."""
    return pd.DataFrame(
        {"kind": kind, "half": half, "gamma": gamma, "wrong": share}
        for kind, own in wrong.items()
        for half in ("choose", "report", "all")
        for gamma, share in zip(BOUNDS, own, strict=True)
    )


def test_the_default_bound_is_the_least_that_keeps_to_the_shares():
    default = kinds_summary.default_gamma
    keeps = [0.3, 0.05, 0.04, 0.03, 0.02]
    assert default(shares(all=keeps, base=[0.5, 0.1, 0, 0, np.nan])) == (1.5, True)
    assert default(shares(all=keeps, base=[0.5, 0.11, 0.1, 0, 0])) == (2.0, True)
    one = shares(all=keeps, base=[0.5, 0.1, 0, 0, 0])
    one.loc[(one["half"] == "report") & (one["gamma"] == 1.5), "wrong"] = 0.2
    assert default(one) == (2.0, True)
    apart = {"all": keeps, "only-liked": [0.9] * 5}
    assert default(shares(**apart)) == (1.5, True)
    assert default(shares(all=[0.3] * 5)) == (4.0, False)


def test_figure_and_tables_show_all_kinds(cases):
    table = kinds_summary.kinds(cases).assign(dataset="constructed")
    figure = figures.kinds(table, [{"dataset": "constructed", "title": "", "cutoff": 10}])
    (axes,) = figure.axes
    names = [text.get_text().replace("\n", " ") for text in axes.get_yticklabels()]
    assert names[0] == "Base"
    assert names[-1] == "All together"
    first = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == len(names)]
    reported = table[(table["half"] == "report") & (table["kind"] == "base")]
    keys = reported.set_index(["metric", "cutoff"])["tau"]
    np.testing.assert_allclose(first, [keys[key] for key in SHOWN])
    made = tables.kinds(table)
    assert made.frame["Worlds"].tolist() == names
    printed = made.frame.loc[0, "P@10"]
    assert printed == f"{keys['P', 10]:.2f} / {100 * reported.iloc[0]['loss']:.0f} %"
    strategies = tables.strategies(kinds_summary.strategies(cases))
    assert len(strategies.frame) == 10
    gamma = tables.gamma(kinds_summary.gamma(cases))
    assert [*gamma.frame][1:6] == ["Γ = 1", "Γ = 1.5", "Γ = 2", "Γ = 3", "Γ = 4"]


def test_a_measure_without_a_value_in_a_kind_is_not_chosen_for_all():
    rows = made_up(np.random.default_rng(2))
    rows.loc[rows["metric"] == "P", "tau"] = 0.99
    rows.loc[(rows["metric"] == "P") & (rows["kind"] == "base"), "tau"] = np.nan
    table = kinds_summary.kinds(rows)
    assert table.loc[(table["kind"] == "all") & table["chosen"], "metric"].unique() != ["P"]


REFERENCE = Path(kinds_summary.__file__).parent / "reference"


def test_the_shipped_default_bound_is_that_of_the_shipped_table():
    table = read_table(REFERENCE / "gamma.csv")
    bound, keeps = kinds_summary.default_gamma(table)
    assert bound == DEFAULT_GAMMA
    said = yaml.safe_load((REFERENCE / "settings.yaml").read_text(encoding="utf-8"))
    assert (said["default_gamma"], said["keeps_to_the_shares"]) == (bound, keeps)
    assert {key: said[key] for key in Kinds.model_fields} == Kinds().model_dump()
    assert said["seed"] == configuration()().seed


def test_the_shipped_tables_are_of_one_run_with_the_measures_of_now():
    table = read_table(REFERENCE / "kinds.csv")
    assert {*table["kind"]} == {*KINDS, "all"}
    assert (table["worlds"] <= Kinds().worlds).all()
    first = table[(table["kind"] == "base") & (table["half"] == "choose")]
    assert [*zip(first["metric"], first["cutoff"], strict=True)] == metrics_of(MEASURES)
    shares = read_table(REFERENCE / "gamma.csv")
    own = shares[shares["half"] == "all"]
    together = own[own["kind"] == "all"].set_index("gamma")
    single = own[~own["kind"].isin(["all", *APART])]
    sums = single.groupby("gamma")[["pairs", "significant"]].sum()
    assert (sums == together[["pairs", "significant"]]).all(axis=None)
    assert {*read_table(REFERENCE / "strategies.csv")["kind"]} == {*KINDS, "all"}

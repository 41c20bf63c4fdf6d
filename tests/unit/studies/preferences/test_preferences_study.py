"""The study of preferences: its analyses on synthetic data, and its sentences on them."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats
from settings_of import analysis, settings_of

import rankassay
from rankassay.artifacts import anew, shards
from rankassay.artifacts.arrays import Rankings, Scores
from rankassay.drawing.text import sum_of_p_values
from rankassay.errors import RankassayError
from rankassay.jobs.analyse import function_of
from rankassay.metrics.preferences import differences, signs
from rankassay.statistics import discriminative_power, significance
from rankassay.statistics.draws import Draws
from rankassay.statistics.incomplete import random_part
from rankassay.statistics.judged_systems import evaluated
from rankassay.statistics.pairwise_orders import circular_triads, scores_of_means
from rankassay.statistics.rank_correlation import tau_b
from rankassay.statistics.replicated import interval
from rankassay.studies import ANALYSES
from rankassay.studies.preferences import views
from rankassay.studies.preferences.comparisons import (
    _is_clear,
    _of_preferences,
    _ordered,
    _tested,
    aggregation,
    p_values,
    power,
    power_differences,
)
from rankassay.studies.preferences.settings import Section
from rankassay.studies.preferences.systems import Compared
from rankassay.studies.preferences.views import told_apart

EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": "value"}
TITLES = {"made-up": "Made up"}
PANEL = {"dataset": "made-up", "title": "Made up", "cutoff": 4}
N_USERS, N_ITEMS, DEPTH = 8, 14, 6
KINDS = {
    "preferences": ["RPP", "lexirecall"],
    "metrics": ["AP", "Fallout"],
    "signs": ["AP", "Fallout"],
    "cutoffs": [4],
}


@pytest.fixture(scope="module")
def data():
    """Return few test ratings, with a user who likes nothing, and four systems."""
    rng = np.random.default_rng(5)
    stars = rng.integers(1, 6, (N_USERS, N_ITEMS)) * (rng.random((N_USERS, N_ITEMS)) < 0.6)
    stars[2] = np.minimum(stars[2], 3)
    test = sp.csr_matrix(stars, dtype=np.float32)
    rankings = {}
    for name, taste in (("good", 1.0), ("fair", 0.3), ("bad", -0.5)):
        order = np.argsort(rng.random((N_USERS, N_ITEMS)) - taste * (stars > 3), axis=1)
        rank = (np.argsort(order, axis=1) + 1)[test.nonzero()].astype(np.int32)
        n = np.full(N_USERS, N_ITEMS, dtype=np.int32)
        rankings[name] = Rankings(order[:, :DEPTH].astype(np.int32), rank, n, n)
    rankings["again"] = rankings["good"]
    return {"test": test, "rankings": rankings}


def settings(name, **changes):
    return settings_of(f"preferences/{name}", **(KINDS | changes))


def popularity(train, data, how):
    found = analysis("preferences/popularity")
    return found(train=train, evaluation=EVALUATION, seed=1, **data, **how).table


def with_dataset(table):
    return table.assign(dataset="made-up")


@pytest.fixture(scope="module")
def tested(data):
    how = settings("power", samples=2**N_USERS, resamples=40)
    return power(EVALUATION, 1, **data, **how)


@pytest.fixture(scope="module")
def alike(data):
    return analysis("preferences/orders")(
        evaluation=EVALUATION, seed=1, **data, **settings("orders", resamples=40)
    )


@pytest.fixture(scope="module")
def made(data):
    return aggregation(EVALUATION, **data, **settings("aggregation"))


@pytest.fixture(scope="module")
def without(data):
    how = settings("sparsity", levels=[100, 50, 10], samples=3)
    return analysis("preferences/sparsity")(evaluation=EVALUATION, seed=1, **data, **how)


@pytest.fixture(scope="module")
def public(data):
    """Return what the public function says of each pair, by kind."""
    test = data["test"].tocoo()
    qrels = pd.DataFrame({"user": test.row, "item": test.col, "rating": test.data})
    runs = {}
    for name, own in data["rankings"].items():
        rows = [(u, int(i), -k) for u in range(N_USERS) for k, i in enumerate(own.items[u])]
        runs[name] = pd.DataFrame(rows, columns=["user", "item", "score"])
    how = {"cutoff": 4, "n_items": N_ITEMS, "n_permutations": 2**N_USERS}
    kinds = ("RPP", "lexirecall", "sign of AP", "sign of Fallout")
    return {kind: rankassay.preferences(qrels, runs, kind, **how) for kind in kinds}


def test_power_is_that_of_the_public_function(tested, public):
    table = tested.table.set_index("metric")
    for kind, pairs in public.items():
        assert table.loc[kind, "dp_all"] == pytest.approx(pairs["p_value"].sum())
        # Two systems are the same: their pair has p = 1 and does not count.
        assert table.loc[kind, "dp"] == pytest.approx(pairs["p_value"].sum() - 1)
        assert tuple(table.loc[kind, ["pairs", "identical"]]) == (5, 1)
        assert table.loc[kind, "significant_05"] == (pairs["p_value"] < 0.05).sum()
        assert table.loc[kind, "users"] == N_USERS - 1
        assert table.loc[kind, "tied"] == pytest.approx(pairs["ties"].mean())
        means = pairs["preference"][pairs["p_value"] < 1]
        assert table.loc[kind, "undecided"] >= (means.abs() < 1e-12).sum()
    assert 0 < table.loc["lexirecall", "tied"] <= table.loc["sign of Fallout", "tied"]
    assert table["dp"].between(table["low"], table["high"]).all()


def test_a_metric_is_tested_as_by_other_libraries(data, tested):
    systems = Compared.of(EVALUATION, **data, **KINDS)
    values = systems.values()
    assert np.isnan(values[2, :, 2:]).all()  # of the user who likes nothing
    for m, metric in enumerate(KINDS["metrics"]):
        p = [
            scipy.stats.permutation_test(
                (a, b), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=np.inf
            ).pvalue
            for a, b in itertools.combinations(values[:, :, m].T, 2)
        ]
        row = tested.table.set_index("metric").loc[metric]
        assert row["dp_all"] == pytest.approx(np.sum(p))
        assert row["dp"] == pytest.approx(np.sum(p) - 1)
        assert row["users"] == N_USERS


def test_metrics_have_the_numbers_of_the_study_of_robustness(data):
    """Bit for bit: p-values, their sum, its interval, and how many are significant."""
    values, _, _ = evaluated_values(data)
    how = settings("power", samples=100, resamples=40)  # not all permutations
    table = power(EVALUATION, 1, **data, **how).table
    measures = np.array([f"{metric}@4" for metric in KINDS["metrics"]])
    scores = Scores(values, np.arange(N_USERS), np.array([*data["rankings"]]), measures)
    tested = significance.p_values(scores, 100, 1, "permutation", True)
    theirs = discriminative_power.run(scores, tested, 1, 40, 0.95).table
    for column in ("metric", "dp", "low", "high", "significant_05", "significant_01"):
        assert table[column][:2].tolist() == theirs[column].tolist(), column


def evaluated_values(data):
    measures = [f"{metric}@4" for metric in KINDS["metrics"]]
    judgements, values = evaluated(
        data["test"], data["rankings"], EVALUATION | {"aggregate": "mean"}, measures
    )
    return values, judgements, measures


@pytest.fixture
def many():
    """Return the preferences of 400 users, some of whom have none, from unclear pairs to clear."""
    rng = np.random.default_rng(3)
    own = np.sign(rng.normal(size=(400, 12)) + np.arange(12) / 6)
    own[rng.random(own.shape) < 0.1] = np.nan
    return own


def test_clear_pairs_have_the_p_value_that_all_permutations_would_count(many, monkeypatch):
    clear = _is_clear(many, 2000)
    assert 0 < clear.sum() < len(clear)
    found = p_values(many, 2000, 5)
    monkeypatch.setattr("rankassay.studies.preferences.comparisons.CHANCE", 0.0)
    np.testing.assert_array_equal(p_values(many, 2000, 5), found)
    assert (found[clear] == 1 / 2001).all()


def test_no_pair_is_clear_where_all_permutations_are_enumerated():
    all_prefer = np.ones((80, 1))
    assert _is_clear(all_prefer, 2**20)
    # 2000 * 2 exp(-n / 2) is 1.02e-9 and 6.2e-10.
    assert not _is_clear(all_prefer[:58], 2000)
    assert _is_clear(all_prefer[:59], 2000)
    assert not _is_clear(all_prefer[:10], 2**10)
    assert p_values(all_prefer[:10], 2**10, 1) == 2 / 2**10


def test_resampled_sums_are_those_of_users_drawn_one_by_one(many):
    same = np.arange(many.shape[1]) == 1
    p, drawn = _of_preferences(many, same, 500, 40, 7)
    draws = Draws.of(len(many), 40, 7)

    def normal(weights):
        total = np.nansum(weights[:, None] * many, axis=0)
        root = np.sqrt(np.nansum(weights[:, None] * many**2, axis=0))
        return 2 * scipy.stats.norm.sf(np.abs(total) / root)

    everybody = normal(np.ones(len(many)))
    moved = [normal(own[draws.group]) + p - everybody for own in draws.times[1:]]
    expected = [own[~same].sum() for own in moved]
    np.testing.assert_allclose(drawn, expected, atol=1e-12)


def test_differences_of_power_are_paired_by_the_users_drawn(tested):
    found = power_differences(tested).set_index(["metric_a", "metric_b"])
    names = [*tested.table["metric"]]
    preferences = [name for name in names if name not in KINDS["metrics"]]
    assert {*found.index} == {*itertools.product(preferences, KINDS["metrics"])}
    for (a, b), row in found.iterrows():
        x, y = (tested.numbers[names.index(name)] for name in (a, b))
        assert (row["difference"], row["dp_a"], row["dp_b"]) == (x[0] - y[0], x[0], y[0])
        ends = interval(x[0] - y[0], (x - y)[1:])
        assert (row["low"], row["high"]) == ends
    fewer = tested.table.assign(pairs=[1, *tested.table["pairs"][1:]])
    left = power_differences(replace(tested, table=fewer))
    assert "AP" not in {*left["metric_b"]}  # sums over fewer pairs are not compared
    assert power_differences(replace(tested, table=fewer.assign(dp=np.nan))).empty


@pytest.mark.parametrize(
    ("differences", "ends", "said"),
    [
        ([-1, -1, 2], [(-2, -0.5), (-3, 1), (1, 3)], ("Some do: p", "2", " (1 {})", "1 (1 {})")),
        ([-1, 1], [(-2, 0), (0, 2)], ("Not significantly: p", "1", " (none {})", "1 (none {})")),
        ([0.5], [(0.1, 1)], ("No: p", "none", " (none {})", "1 (1 {})")),
        ([0, -1], [(np.nan, np.nan)] * 2, ("P", "1", "", "none")),
    ],
)
def test_preferences_are_better_significantly_uncertainly_or_not(differences, ends, said):
    low, high = zip(*ends, strict=True)
    rows = pd.DataFrame({"difference": differences, "low": low, "high": high}, dtype=float)
    start, lower, sure, higher = said
    expected = (
        f"{start}references have the lower DP (sum of p-values) in {lower} of {len(rows)} "
        f"comparison{'s' if len(rows) > 1 else ''} with metrics{sure.format('significantly')}. "
        f"Metrics have the lower DP in {higher.format('significantly')}."
    )
    if np.isnan(low[0]):
        expected += " No difference is tested without resamples of the users."
    assert told_apart(rows) == expected
    assert told_apart(rows[:0]).startswith("Unknown: ")


def test_systems_are_in_order_by_their_mean_preference(data, public):
    systems = Compared.of(EVALUATION, **data, **KINDS)
    means = systems.means()[0]
    for row, kind in zip(means[2:], public, strict=True):
        square = np.zeros((4, 4))
        square[np.triu_indices(4, 1)] = public[kind]["preference"]
        expected = (square - square.T).sum(axis=1) / 3
        np.testing.assert_allclose(row - row.mean(), expected - expected.mean(), atol=1e-12)
        assert row[0] == row[3]
    fallout = systems.whole.means()[0, 1]
    np.testing.assert_array_equal(means[1], fallout)


def test_orders_are_those_of_the_means(data, alike):
    systems = Compared.of(EVALUATION, **data, **KINDS)
    lower = np.array([name == "Fallout" for name, _ in systems.names])  # its best values come first
    means = np.where(lower[:, None], -1, 1) * systems.means()[0]
    table = alike.table.set_index(["metric_a", "metric_b"])
    names = ["AP", "Fallout", "RPP", "lexirecall", "sign of AP", "sign of Fallout"]
    for (i, a), (j, b) in itertools.product(enumerate(names), repeat=2):
        assert table.loc[(a, b), "tau"] == pytest.approx(tau_b(means[i], means[j]))
    known = alike.table.dropna()
    assert known["tau"].between(known["low"], known["high"]).all()


def test_parts_of_the_test_set_are_those_of_the_other_studies(data, without):
    test = data["test"]
    systems = Compared.of(EVALUATION, **data, **KINDS)
    whole = systems.means()[0]
    taus = []
    for number in range(3):
        keep = random_part(systems.judgements.start, 50, number, 1)
        kept = test.copy()
        kept.data = kept.data * keep
        kept.eliminate_zeros()
        rankings = {
            name: Rankings(own.items, own.ranks[keep], own.n_ranked, own.n_candidates)
            for name, own in data["rankings"].items()
        }
        part = Compared.of(EVALUATION, test=kept, rankings=rankings, **KINDS).means()[0]
        taus.append(tau_b(part, whole))
    half = without.table[without.table["level"] == 50]["tau"].to_numpy()
    np.testing.assert_allclose(half, np.nanmean(taus, axis=0))
    assert (without.table[without.table["level"] == 100]["tau"] == 1).all()
    assert (half < 1).any()


def test_popular_items_are_left_out(data):
    train = sp.csr_matrix(np.tril(np.ones((N_ITEMS, N_ITEMS))))
    how = settings("popularity", percentages=[100, 50])
    found = popularity(train, data, how)
    assert (found[found["percentage"] == 100]["tau"] == 1).all()
    # The later half of the items, of which there are fewer training ratings.
    late = data["test"].copy()
    late.data[late.indices < N_ITEMS // 2] = 0
    assert (found[found["percentage"] == 50]["ratings"] == np.count_nonzero(late.data)).all()


def test_ways_to_make_an_order_agree_on_what_is_clear(data, made):
    assert {*made["method"]} == {"mean", "wins", "borda", "copeland", "mc4"}
    assert (made[made["method"] == "mean"]["tau"] == 1).all()
    clear = made[(made["metric"] == "lexirecall") & (made["method"] == "wins")]
    assert clear["winner"].item() == "good, again"
    assert clear["tau"].item() == pytest.approx(1)
    assert (made[made["metric"] == "Fallout"]["winner"] == "good, again").all()


@pytest.mark.parametrize(
    ("name", "changes"),
    [("orders", {}), ("power", {"samples": 20}), ("aggregation", {})],
)
def test_systems_that_are_judged_again_have_the_same_preferences(data, name, changes, monkeypatch):
    asked, found, parts = settings(name, **changes), [], []
    function, wanted = function_of(ANALYSES[f"preferences/{name}"])
    seed = {"seed": 1} if "seed" in wanted else {}
    by_one = Compared._measured
    monkeypatch.setattr(
        Compared, "_measured", lambda self, chosen: parts.append(chosen) or by_one(self, chosen)
    )
    for held, at_once in ((2**30, 2**29), (0, 8 * (4 + 6) * N_USERS)):
        monkeypatch.setattr(anew, "HELD", held)
        monkeypatch.setattr(shards, "AT_ONCE", at_once)
        made = Compared.of(EVALUATION, **data, **KINDS)
        assert isinstance(made.whole.systems, list) == bool(held)
        parts.clear()
        assert len([*made.pairs()]) == len(made.names)
        assert [*map(len, parts)] == ([2, 2] if held else [1, 1, 1, 1])
        own = function(evaluation=EVALUATION, **seed, **asked, **data)
        found.append(own.table if hasattr(own, "table") else own)
    pd.testing.assert_frame_equal(*found, check_exact=True)


def test_what_is_rounding_orders_no_systems():
    tiny = np.array([[1e-17], [1e-17], [1.0]])
    scores, _ = _ordered(tiny.copy(), tied=np.abs(tiny) < 1e-12)
    np.testing.assert_allclose(scores["wins"], [2 / 3, 1 / 3])
    assert _ordered(np.full((2, 1), np.nan), tied=np.zeros((2, 1), dtype=bool)) == ({}, 0)


def test_users_with_a_preference_between_some_pair_are_counted():
    own = np.array([[1.0, np.nan, 0.0], [np.nan, np.nan, np.nan], [-1.0, 1.0, 0.0]])
    how = {"samples": 8, "resamples": 0, "seed": 1}
    _, row, _ = _tested((own, own == 0), None, same=np.zeros(3, bool), **how)
    assert (row["users"], row["tied"], row["undecided"]) == (2, 2 / 5, 2)
    # The last pair is a tie of identical systems: it is excluded, where another tie stays a pair.
    same = np.array([False, False, True])
    p, row, _ = _tested((own, own == 0), None, same=same, **how)
    columns = discriminative_power.summed_up(p[None], same)
    assert (columns["pairs"], columns["identical"], row["undecided"]) == (2, 1, 1)
    assert columns["dp_all"] == pytest.approx(3.0)


def test_preferences_can_go_round():
    # Three systems: 0 beats 1, 1 beats 2 and 2 beats 0 for two of three users each.
    by_user = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0]])
    assert circular_triads(by_user) == 1
    assert circular_triads(by_user[:1]) == 0
    np.testing.assert_allclose(scores_of_means(by_user.mean(axis=0), 3), [0, 0, 0], atol=1e-15)


def test_rounding_is_no_preference():
    a = 0.1 + 0.2
    found, tied = differences(np.array([[0.3, a, 0.3 + 1e-9], [0.0, 0.0, np.nan]]))
    assert found[0, 0] != 0
    assert tied.tolist() == [[True, False, False], [True, False, False]]
    assert signs(np.array([[0.3, a, 0.3 + 1e-9]])).tolist() == [[0, -1, -1]]


def test_differences_are_those_of_each_pair():
    values = np.random.default_rng(1).integers(-2, 3, (9, 5)) / 3
    values[4, 1], values[5, 2:4] = np.nan, np.inf
    found, tied = differences(values[:, ::2])
    pairs = [*itertools.combinations(range(0, 5, 2), 2)]
    expected = np.array([values[:, a] - values[:, b] for a, b in pairs]).T
    np.testing.assert_array_equal(found, expected)
    assert tied.tolist() == ((expected == 0) | np.isinf(expected)).tolist()
    assert tied.any()


def test_settings_refuse_what_is_no_preference():
    with pytest.raises(ValueError, match="did you mean 'RPP'"):
        Section(preferences=["RP"])
    assert Section(preferences=["rpp(weights = 'log')"]).preferences == ["RPP(weights='log')"]


def test_tables_have_a_row_for_each_preference(data, tested, without, made):
    table = views.power_table(with_dataset(tested.table), 4, TITLES)
    assert len(table.frame) == 6
    assert "sign of AP@4" in table.frame["Preference"].tolist()
    how = settings("popularity", percentages=[50])
    popular = popularity(sp.csr_matrix((3, N_ITEMS)), data, how)
    stays = views.robustness(with_dataset(without.table), with_dataset(popular), 4, TITLES)
    assert "50 % of ratings" in stays.frame
    assert "50 % of items" in stays.frame
    ways = views.aggregation(with_dataset(made), 4, TITLES).frame
    assert ways.columns.tolist()[-5:] == ["Win rate", "Borda", "Copeland", "MC4", "Circular"]
    for each in (views.power_table, views.aggregation):
        with pytest.raises(RankassayError, match="expected rows at cut-off 7"):
            each(with_dataset(tested.table), 7, TITLES)


def test_ties_have_no_first():
    """Whatever is best by several is said of all of them, or of each."""
    rows = pd.DataFrame({"metric": ["RPP", "lexirecall", "AP", "P", "nDCG"], "cutoff": 4})
    rows = rows.assign(measure=["RPP@4", "lexirecall@4", "MAP@4", "P@4", "nDCG@4"], pairs=3)
    said = views._more_discriminative(rows.assign(dp=[1, 2, 1.5, 1.5, 2]))
    assert said == (
        "MAP@4 and P@4 have the best discriminative power of the metrics (DP 1.50 over 3 pairs "
        "of systems). RPP@4 has a lower DP."
    )
    fewer = rows.assign(dp=[1, 2, 1.5, 1.5, 0.1], pairs=[3, 3, 3, 3, 1])
    assert views._more_discriminative(fewer) == said
    alike = views._more_discriminative(rows.assign(dp=1.0, pairs=1))
    assert alike == (
        "All metrics have the same discriminative power (DP 1.00 over 1 pair of systems). No "
        "preference has a lower DP."
    )
    tied = views._tied(rows.assign(tied=[0.1, 0.1002, 0.1, 0.1, 0.1]))
    assert tied.endswith(
        "10.0% of the users' comparisons of two systems are ties under each preference and metric."
    )
    stays = views._robustness(rows.assign(level=10, tau=[1, 1, 0.9, 0.9, 0.8]))
    assert stays == (
        "All preferences are equally robust to sparsity (mean τ = 1.000 with 10% of the test "
        "ratings). MAP@4 and P@4 are the metrics most robust to sparsity (mean τ = 0.900)."
    )
    made = rows[:2].assign(method="wins", tau=1.0, circular=0)
    assert views._made(made) == (
        "No preference is intransitive. Every aggregation has τ = 1.00 with the ranking by mean "
        "preferences."
    )
    without = made.assign(tau=[1.0, np.nan], circular=[0, 3])
    assert "lexirecall@4 is intransitive for some triples" in views._made(without)


def test_the_answers_follow_from_the_tables(tested, alike, without, made):
    tables = (tested.table, alike.table, without.table, made)
    four = [with_dataset(table).assign(systems=5) for table in tables]
    compared = with_dataset(power_differences(tested))
    answers = views.answers(*four, compared, 4, TITLES).frame["Answer"]
    better, apart, tied, order, stays, ways = answers
    assert better == told_apart(compared)
    table = tested.table.set_index("metric")
    sums = table.loc[KINDS["metrics"], "dp"]
    best, n = sums.idxmin(), table["pairs"].max()
    value = f"(DP {sum_of_p_values(sums.min(), 2)} over {n} pairs of systems)"
    if sums.nunique() == 1:
        assert apart.startswith(f"All metrics have the same discriminative power {value}")
    else:
        name = "MAP" if best == "AP" else best
        start = f"{name}@4 has the best discriminative power of the metrics {value}"
        assert apart.startswith(start)
    better = [name for name in table.index if table.loc[name, "dp"] < table.loc[best, "dp"]]
    assert ("No preference has a lower DP" in apart) != bool(better)
    assert all(f"{name}@4" in apart for name in better)
    assert f"({100 * table['tied'].max():.1f}% of the users' comparisons" in tied
    own = alike.table[(alike.table["metric_b"] == "AP")].iloc[2:]
    assert f"The lowest τ is {own['tau'].min():.2f}" in order
    level = without.table[without.table["level"] == 10].set_index("metric")["tau"]
    assert f"(mean τ = {level.iloc[2:].max():.3f} with 10%" in stays
    preferences = made[~made["metric"].isin(KINDS["metrics"]) & (made["method"] != "mean")]
    round_ = {*preferences.loc[preferences["circular"] > 0, "metric"]}
    assert ("No preference is intransitive." in ways) == (not round_)
    assert all(f"{name}@4" in ways.partition(" intransitive for")[0] for name in round_)
    gone = [table.iloc[:0] for table in four]
    assert views.answers(*gone, compared.iloc[:0], 4, TITLES).frame.empty


def test_answers_where_nothing_is_known(tested, alike, without, made):
    unknown = [
        with_dataset(tested.table.assign(dp=np.nan, tied=np.nan)),
        *(
            with_dataset(table.assign(tau=np.nan, systems=5))
            for table in (alike.table, without.table, made)
        ),
    ]
    said = views.answers(*unknown, None, 4, TITLES).frame["Answer"]
    assert all(answer.startswith("Unknown: ") for answer in said)
    assert len(said) == 5


def test_figures_are_drawn(tested):
    figure = views.power(with_dataset(tested.table), [PANEL])
    apart, tied = figure.axes
    assert [label.get_text() for label in apart.get_yticklabels()][:2] == ["MAP@4", "Fallout@4"]
    assert len(apart.patches) == len(tied.patches) == 6

"""The audit of significance tests: its rates, its comparison with published ones, its sentences."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankassay.artifacts.arrays import Scores
from rankassay.errors import RankassayError
from rankassay.studies.reliability import answers, figures, tables, type_errors
from rankassay.studies.reliability.settings import TypeErrors

PUBLISHED = Path(type_errors.__file__).parent / "published/type-errors.csv"
TRACKS = ["one", "two"]


def scores(n_users=40, n_systems=6, seed=3):
    rng = np.random.default_rng(seed)
    values = rng.beta(1, 2, (n_users, 1, 2)) + 0.2 * rng.random((n_users, n_systems, 2))
    values = np.clip(values + 0.03 * np.arange(n_systems)[:, None], 0, 1)
    values[:, :, 1] = np.round(values[:, :, 1], 1)
    systems = np.array([f"s{i}" for i in range(n_systems)])
    return Scores(values, np.arange(n_users, dtype=np.int32), systems, np.array(["AP", "P@10"]))


def alone_of(m):
    """Return the scores by one of the measures."""
    both = scores()
    own = slice(m, m + 1)
    return Scores(both.values[:, :, own], both.users, both.systems, both.measures[own])


def run(given=None, cutoffs=(10,), **settings):
    chosen = TypeErrors(**{"trials": 200, "samples": 200} | settings).model_dump()
    return type_errors.type_errors(given or scores(), {"cutoffs": [*cutoffs]}, **chosen, seed=1)


@pytest.fixture(scope="module")
def table():
    return run(users=[25, 40], deltas=[0.05])


def test_every_cell_has_every_test_and_error(table):
    sizes = table.groupby(["metric", "users", "null", "delta", "error"], dropna=False).size()
    assert (sizes == 5).all()
    assert len(sizes) == 2 * 2 * (3 + 2)
    assert ((table["low"] <= table["rate"]) & (table["rate"] <= table["high"])).all()
    assert (table["systems"] == 5).all()  # the lowest tenth of six systems is one
    assert (table[table["delta"] > 0]["null"] == "simulation").all()


def test_exchanged_labels_reject_as_often_as_tests_say():
    rates = run(alone_of(0), users=[40], trials=2000, deltas=[])
    own = rates[(rates["null"] == "exchange") & rates["test"].isin(["t", "permutation"])]
    assert own["rate"].between(0.03, 0.07).all(), own  # four standard errors


def test_same_seed_gives_the_same_and_another_measure_does_not_matter(table):
    again = run(users=[25, 40], deltas=[0.05])
    pd.testing.assert_frame_equal(again, table)
    alone = run(users=[25, 40], deltas=[0.05], given=alone_of(1))
    same = table[table["metric"] == "P"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, same, check_dtype=False)


def test_users_without_a_value_take_no_part():
    given = scores()
    gaps = given.values.copy()
    gaps[:3, 2, 0] = np.nan
    found = run(Scores(gaps, given.users, given.systems, given.measures), deltas=[])
    assert found.groupby("metric")["users"].first().to_dict() == {"AP": 37, "P": 40}


@pytest.mark.parametrize("part", [np.s_[:1], np.s_[:, :1], np.s_[:, [0, 0]]])
def test_too_little_has_no_rows(part, table):
    given = scores()
    values = given.values[part]
    users, systems = given.users[: len(values)], given.systems[: values.shape[1]]
    found = run(Scores(values, users, systems, given.measures))
    assert found.empty
    assert [*found] == [*table]
    with pytest.raises(RankassayError, match="expected a metric by which two users"):
        figures.type_errors(found.assign(dataset="a"), [{"dataset": "a"}])


def test_a_run_without_the_cutoffs_is_audited_at_its_first():
    given = scores()
    measures = np.array(["P@5", "P@20"])
    other = Scores(given.values, given.users, given.systems, measures)
    assert set(run(other, (5, 20), deltas=[])["cutoff"]) == {5}
    part = Scores(given.values[:, :, 1:], given.users, given.systems, measures[1:])
    assert run(part, (5, 20), deltas=[]).empty  # the first is in another part


def cells(rates, systems):
    same = {"metric": "AP", "cutoff": np.nan, "users": 25, "null": "simulation", "delta": 0.0}
    same |= {"alpha": 0.05, "test": "t", "trials": 100, "error": "I"}
    rows = zip(TRACKS, rates, systems, strict=True)
    return pd.DataFrame(same | {"dataset": d, "rate": r, "systems": s} for d, r, s in rows)


def test_tracks_count_by_their_systems_beside_what_was_published():
    known = pd.read_csv(PUBLISHED)
    found = type_errors.type_errors_published(cells([0.02, 0.06], [30, 10]), known, TRACKS)
    row = found.iloc[0]
    assert len(found) == 1
    assert row["rate"] == pytest.approx(0.03)
    error = np.sqrt(0.75**2 * 0.02 * 0.98 / 100 + 0.25**2 * 0.06 * 0.94 / 100)
    assert row["standard_error"] == pytest.approx(error)
    assert (row["published"], row["deviation"]) == pytest.approx((0.05092, 0.03 - 0.05092))


def test_nothing_is_compared_without_all_tracks():
    both = cells([0.02, 0.06], [30, 10])
    for other in (both.iloc[:1], both.assign(alpha=0.01), both.assign(users=26)):
        said = r"one of MAP, P@10, MRR, nDCG@20, ERR@20 at alpha .05 with one of 25, 50, 100 users"
        with pytest.raises(RankassayError, match=said):
            type_errors.type_errors_published(other, pd.read_csv(PUBLISHED), TRACKS)


def test_published_cells_are_complete():
    known = pd.read_csv(PUBLISHED)
    assert known.groupby("error").size().to_dict() == {"I": 75, "II": 750, "III": 750}
    assert (known.groupby(["metric", "users", "error"]).size().unstack() == [5, 50, 50]).all(
        axis=None
    )
    web = known.query("metric == 'ERR' and cutoff == 20 and users == 100 and error == 'I'")
    assert web.set_index("test")["published"].round(4).to_dict() == {
        **{"t": 0.0498, "wilcoxon": 0.0732, "sign": 0.0822},
        **{"bootstrap": 0.0538, "permutation": 0.0505},
    }
    first = known.query("metric == 'AP' and users == 50 and error == 'I'").set_index("test")
    assert first["published"].round(4).to_dict() == {
        **{"t": 0.0512, "wilcoxon": 0.0722, "sign": 0.0779},
        **{"bootstrap": 0.0596, "permutation": 0.0522},
    }


def said_of(own):
    return answers.sentences(own, "Made up")


def test_sentences_follow_the_table(table):
    own = table[(table["metric"] == "P") & (table["users"] == 25)].copy()
    null = (own["delta"] == 0) & (own["null"] == "simulation")
    own.loc[null, ["rate", "low", "high"]] = 0.04, 0.01, 0.07
    own.loc[null & (own["test"] == "t"), ["rate", "high"]] = 0.055, 0.092
    assert said_of(own) == [
        "No test has a false-positive rate above α = .05 on Made up by more than chance explains. "
        "The highest is 5.5% (the t-test, P@10 with 25 users; 95% interval 1% to 9.2%)."
    ]
    bad = null & (own["test"] == "wilcoxon")
    own.loc[bad, ["rate", "low", "high"]] = 0.14, 0.12, 0.16
    control = (own["null"] == "control") & (own["test"] == "wilcoxon")
    own.loc[control, ["rate", "low"]] = 0.06, 0.04
    rate = "14% (P@10 with 25 users; 95% interval 12% to 16%)"
    start = "The false-positive rate of Wilcoxon's test at α = .05 on Made up"
    once = f"{start} is {rate}. Simulated exchangeable systems give 6% there."
    assert said_of(own) == [once]
    # Where the control is above the level, the simulation is at fault, too.
    upper = own.copy()
    upper.loc[control, "low"] = 0.051
    assert said_of(upper) == [
        f"{start} is {rate}. Simulated exchangeable systems give 6% there, so the rate may be too "
        "high."
    ]
    # Of very many rates, one that far above the level is no surprise.
    many = pd.concat([own.assign(users=25 + i) for i in range(1000)])
    many.loc[many["rate"] == 0.14, "rate"] = 0.1
    assert "No test has a false-positive rate above α = .05" in said_of(many)[0]
    shown = tables.type_errors(own.assign(dataset="tiny"), {"tiny": "Tiny"})
    assert once.replace("Made up", "Tiny") in shown.note
    # Metrics, sizes and levels.
    fewer = own.assign(rate=own["rate"] / 2, low=0.0, users=50)
    strict = own.assign(alpha=0.001, rate=0.004, low=0.0)
    said = said_of(pd.concat([fewer, upper, strict]))
    assert "above α = .001 on Made up by more than chance explains. The highest is 0.4%" in said[0]
    assert said[1:] == [
        f"{start} reaches {rate}. Simulated exchangeable systems give 6% there, so the highest "
        "rate may be too high. The lowest is 7% (P@10 with 50 users)."
    ]


def test_lower_is_better_where_a_metric_says_so():
    given = scores()
    lower = Scores(1 - given.values, given.users, given.systems, np.array(["MAE", "RMSE"]))
    mirrored = run(lower, deltas=[0.05], samples=50)
    for error in ("II", "III"):
        rates = mirrored[(mirrored["error"] == error) & (mirrored["test"] == "t")]["rate"]
        assert (rates < (0.9 if error == "II" else 0.02)).all()


def test_a_difference_out_of_reach_is_shown_as_such():
    found = run(deltas=[2.0], users=[25])
    assert found.loc[found["delta"] == 2, "rate"].isna().all()
    shown = tables.type_errors(found.assign(dataset="tiny"), {"tiny": "Tiny"})
    assert shown.frame.query("Delta == 2")["sign"].isna().all()
    assert "–: no system can be better by delta." in shown.note


def test_two_systems_are_audited():
    given = scores()
    two = Scores(given.values[:, :2], given.users, given.systems[:2], given.measures)
    assert set(run(two, deltas=[])["systems"]) == {2}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"samples": 100, "alphas": [0.05, 0.001]}, "expected at least 999, found 100"),
        ({"samples": 18}, "expected at least 19, found 18"),
        ({"deltas": [0.1, 0.05, 0.1]}, "found 0.1 twice"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, said):
    with pytest.raises(ValueError, match=said):
        TypeErrors(**settings)
    assert TypeErrors(samples=19).samples == 19


def test_figures_and_tables_show_all(table):
    named = table.assign(dataset="tiny")
    drawn = figures.type_errors(named, [{"dataset": "tiny", "title": "Tiny", "cutoff": 10}])
    titles = [axes.get_title(loc="left") for axes in drawn.axes if axes.get_title(loc="left")]
    assert drawn.get_suptitle() == "Tiny"
    assert titles == ["MAP, 25 users", "MAP, 40 users", "P@10, 25 users", "P@10, 40 users"]
    shown = tables.type_errors(named, {"tiny": "Tiny"}).frame
    assert len(shown) == len(table) / 5
    cell = table.query("metric == 'AP' and users == 25 and error == 'II' and test == 'sign'")
    row = shown.query("Metric == 'MAP' and Users == 25 and Error == 'II'")
    assert row["sign"].item() == cell["rate"].item()


def test_published_table_counts_what_differs():
    measured = type_errors.type_errors_published(
        cells([0.02, 0.06], [30, 10]), pd.read_csv(PUBLISHED), TRACKS
    ).assign(dataset="across")
    found = tables.type_errors_published(measured)
    assert "type I, 1 of 1 by more than 0.01" in found.caption
    assert found.marked["Deviation"] == [True]
    drawn = figures.type_errors_published(
        measured, [{"dataset": "across", "title": "", "cutoff": 10}]
    )
    assert drawn.axes[0].get_title(loc="left") == "Type I, MAP"

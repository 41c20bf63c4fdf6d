"""The truth and the outcomes of the judge, from what people have: files, frames, ids."""

import re
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import scipy.stats
from made_up import DEPTH, evaluation, study

import rankassay
from rankassay.advice.apart import SHARE, UNKNOWN_KNOWN
from rankassay.advice.exclusion import NO_AGREEMENT, exclusions, yardsticks
from rankassay.advice.given import Given, Settings
from rankassay.api.judge_truth import read_outcomes, read_truth
from rankassay.artifacts.arrays import Truth as StudyTruth
from rankassay.data.frames import lists_of
from rankassay.data.sources import rows_of
from rankassay.data.truth_source import outcome_rows, truth_rows
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import evaluate
from rankassay.statistics.draws import Draws
from rankassay.studies.validity import agreement

MEASURES = ["P@5", "nDCG@10", "R@10", "Bpref@10"]
CHOICES = Settings(seed=3, resamples=40)


@dataclass(frozen=True)
class Data:
    """Training, test and true ratings, which of these were known, and systems."""

    train: sp.csr_matrix
    test: sp.csr_matrix
    rankings: dict
    truth: sp.csr_matrix
    known: np.ndarray
    runs: dict


def frame(matrix, value="rating", **more):
    """Return the entries of a matrix as a frame; `more` are of its entries."""
    matrix = sp.csr_matrix(matrix)
    user = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    columns = {"user": [f"u{u}" for u in user], "item": [f"i{i}" for i in matrix.indices]}
    return pd.DataFrame(columns | {value: matrix.data.astype(np.float64)} | more)


def run_of(ranking):
    users, places = np.nonzero(ranking.items >= 0)
    items = ranking.items[users, places]
    columns = {"user": [f"u{u}" for u in users], "item": [f"i{i}" for i in items]}
    return rows_of(pd.DataFrame(columns | {"rank": places + 1}), "the run", "score")


@pytest.fixture(scope="module")
def data():
    """Return a synthetic study with judgements of random items, and flags of these."""
    train, test, rankings = study(n_systems=9)
    rng = np.random.default_rng(11)
    judged = rng.random(train.shape) < 0.4
    judged[1::2] = False
    truth = sp.csr_matrix(np.where(judged, rng.integers(1, 6, train.shape), 0).astype(np.float32))
    known = rng.random(truth.nnz) < 0.5
    runs = {name: run_of(own) for name, own in rankings.items()}
    return Data(train, test, rankings, truth, known, runs)


def read(data, truth, qrels=None, train=None, **how):
    """Return what `read_truth` does of the synthetic study."""
    qrels = rows_of(frame(data.test) if qrels is None else qrels, "the judgements", "rating")
    train = rows_of(frame(data.train) if train is None else train, "the training ratings", "rating")
    return read_truth(truth, qrels, data.runs, train, **({"threshold": 4} | how))


def given(data, left):
    lists = {name: lists_of(rows, left, "trec") for name, rows in data.runs.items()}
    return Given(left.judgements, left.item, lists)


def ranked(own, name, measure):
    """Return a system's mean over users with a relevant item, rounded so that ties are ties."""
    how = (own.judgements, [own.systems[name]], [measure], "paper", 20, "nan")
    return np.nanmean(evaluate(*how)).round(12)


def of_study(data, inclusion=None):
    """Return the study's rows by true P@10 of the same lists and judgements."""
    told = evaluation(MEASURES) | {"recommenders": {}, "without_relevant": "nan"}
    propensities = sp.csr_matrix(
        (np.full(data.test.nnz, 0.5), data.test.indices, data.test.indptr), data.test.shape
    )
    table = agreement.run(
        data.train,
        data.test,
        StudyTruth.of(data.truth, known=data.known, inclusion=inclusion),
        data.rankings,
        SimpleNamespace(item_ids=np.arange(data.test.shape[1])),
        propensities,
        told,
        seed=3,
        resamples=0,
        yardstick_cutoffs=[min(10, DEPTH)],
        estimators=["HT"],
        inclusion="design",
    ).table
    table = table[~table["metric"].isin(agreement.UNBIASED) & (table["utility"] == "P")]
    return table[(table["candidates"] == "all items") & (table["estimator"] == "HT")]


@pytest.mark.parametrize("said", [False, True])
def test_taus_are_those_of_the_study(data, said):
    inclusion = np.random.default_rng(2).uniform(0.2, 0.9, data.truth.nnz) if said else None
    more = {"inclusion": inclusion} if said else {}
    left, truth = read(data, frame(data.truth, known=data.known, **more))
    found = exclusions(given(data, left), MEASURES, CHOICES, truth)
    expected = of_study(data, inclusion)
    assert [own.by for own in found.grounds] == ["liked", "new"]
    for own in found.grounds:
        rows = expected[expected["yardstick"] == own.by]
        assert own.table["tau"].tolist() == rows["tau"].tolist()
        assert found.measures[f"truth_{own.by}"].tolist() == rows["tau"].tolist()
    assert found.grounds[0].table["tau"].tolist() != found.grounds[1].table["tau"].tolist()
    judged = expected["judged"].iloc[0]
    assert any(f"{judged:,} judgements" in note for note in truth.notes)


def test_users_without_a_truth_are_not_said_to_have_no_part_in_the_result(data, caplog):
    with caplog.at_level("INFO", logger="rankassay"):
        _, truth = read(data, frame(data.truth, known=data.known))
    assert len(truth.sample.users) < data.test.shape[0]
    assert "no part in the result" not in caplog.text


def test_the_same_bytes_from_a_file_and_from_a_frame(data, tmp_path):
    table = frame(data.truth, known=data.known, inclusion=0.4)
    table.to_csv(tmp_path / "truth.csv", index=False)
    table.to_json(tmp_path / "truth.json", orient="records")
    found = [
        read(data, source) for source in (table, tmp_path / "truth.csv", tmp_path / "truth.json")
    ]
    for left, truth in found[1:]:
        assert left.item.tobytes() == found[0][0].item.tobytes()
        assert truth.sample.weight.tobytes() == found[0][1].sample.weight.tobytes()
        assert truth.sample.known.tobytes() == found[0][1].sample.known.tobytes()
        assert truth.notes == found[0][1].notes


def test_qrels_that_are_judgements_are_divided_and_users_without_any_stay_in_the_truth(data):
    qrels, train = frame(data.test), frame(data.train)
    both = pd.concat([qrels, train], ignore_index=True)
    others = frame(data.truth).merge(both[["user", "item"]], how="left", indicator=True)
    others = others[others["_merge"] == "left_only"].drop(columns="_merge")
    truth = pd.concat([both.assign(known=1), others.assign(known=0)], ignore_index=True)
    left, found = read(data, truth)
    assert found.share == SHARE
    in_truth = {(u, i) for u, i in zip(*_ids(left, found), strict=True)}
    asked = set(map(tuple, qrels[["user", "item"]].to_numpy()))
    users = {*qrels["user"]}
    never = {pair for pair in map(tuple, others[["user", "item"]].to_numpy()) if pair[0] in users}
    assert never <= in_truth
    kept = {
        (left.users[r], left.items[i]) for r, i in zip(left.judgements.row, left.item, strict=True)
    }
    assert kept == asked - in_truth
    assert kept
    assert asked - kept
    assert any("divided at random" in note for note in found.notes)
    assert [own.by for own in exclusions(given(data, left), MEASURES, CHOICES, found).grounds] == [
        "liked",
        "new",
    ]


def _ids(left, truth):
    """Return the ids of the truth's users and items, all of which the qrels have, too."""
    names, row = [*left.users], truth.sample.users[truth.sample.row]
    assert row.max() < len(names), "this is about users who keep qrels"
    return [names[u] for u in row], [*left.items[truth.sample.item]]


def test_without_flags_the_qrels_stay_whole_and_nothing_is_told(data):
    left, truth = read(data, frame(data.test))
    assert len(left.item) == data.test.nnz
    assert truth.why == UNKNOWN_KNOWN
    found = exclusions(given(data, left), MEASURES, CHOICES, truth)
    assert found.by_yardstick() == {"liked": ((), UNKNOWN_KNOWN)}
    assert found.measures["truth_liked"].isna().all()
    assert "known" in found.notes[0]


def test_users_whose_qrels_are_all_in_the_truth_stay_in_it(data):
    first = frame(data.test)
    first = first[first["user"] == "u0"]
    rest = frame(data.truth)
    rest = rest[rest["user"] != "u0"]
    left, truth = read(data, pd.concat([first, rest], ignore_index=True))
    assert "u0" not in left.users
    assert truth.sample.users.max() == len(left.users)
    assert (np.diff(truth.sample.users) > 0).all()
    own = truth.sample.row == len(truth.sample.users) - 1
    assert own.sum() == len(first)
    exclusions(given(data, left), MEASURES, CHOICES, truth)


def test_a_truth_on_another_scale_has_its_own_threshold(data):
    qrels = frame(data.test).query("rating >= 4").assign(rating=1.0)
    left, truth = read(data, frame(data.truth), qrels, threshold=None)
    assert (left.judgements.threshold, truth.sample.threshold) == (1, 4)
    assert any("another scale" in note for note in truth.notes)
    same = read(data, frame(data.truth), threshold=None)[1]
    assert same.sample.threshold == 4
    assert not any("another scale" in note for note in same.notes)


def test_qrels_that_were_taken_out_of_the_judgements_are_noticed(data):
    pairs = set(map(tuple, frame(data.test)[["user", "item"]].to_numpy()))
    truth = frame(data.truth)
    apart = truth[[pair not in pairs for pair in map(tuple, truth[["user", "item"]].to_numpy())]]
    said = ["taken out of these" in note for note in read(data, apart)[1].notes]
    assert sum(said) == 1
    assert not any("taken out of these" in note for note in read(data, truth)[1].notes)
    told = read(data, apart.assign(inclusion=0.4))[1]
    assert not any("taken out of these" in note for note in told.notes)


def test_judgements_of_popular_items_are_warned_of_on_the_screen(data):
    """Also where all else is well, and nothing is said twice."""
    rng = np.random.default_rng(0)
    share = np.where(np.arange(data.train.shape[1]) < 10, 0.9, 0.1)
    judged = rng.random(data.train.shape) < share
    rating = np.where(judged, rng.integers(1, 6, judged.shape), 0)
    # Popular by what everybody else rated in training.
    popular = np.zeros(data.train.shape)
    popular[:, :10] = 3
    train = frame(popular).assign(user=lambda own: "other " + own["user"])
    even = np.where(rng.random(judged.shape) < 0.3, rng.integers(1, 6, judged.shape), 0)
    assert read(data, frame(even), train=train)[1].warnings == ()
    [warning] = read(data, frame(rating), train=train)[1].warnings
    assert re.search(r"stand for \.\d\d to \d\.\d\d of the items instead of all alike", warning)
    runs = {
        name: {
            f"u{u}": [f"i{i}" for i in own[:10]] for u, own in enumerate(data.rankings[name].items)
        }
        for name in [*data.rankings][:2]
    }
    how = {"train": train, "truth": frame(rating), "threshold": 4, "references": False}
    found = rankassay.judge(frame(data.test), runs, **how).to_dict()
    assert warning in found["data"]["warnings"]
    assert len({*found["notes"]}) == len(found["notes"])


def test_a_column_of_the_qrels_may_be_their_propensities_next_to_a_truth(data):
    runs = {
        name: {f"u{u}": [f"i{i}" for i in own[:10]] for u, own in enumerate(ranking.items)}
        for name, ranking in [*data.rankings.items()][:2]
    }
    qrels = frame(data.test).assign(seen=0.5)
    how = {"truth": frame(data.truth), "propensities": "seen", "threshold": 4, "metrics": ["P@5"]}
    assert rankassay.judge(qrels, runs, **how).to_dict()["data"]["weights"] == "given"


def test_judgements_that_train_or_are_of_others_are_left_out_and_said(data):
    stranger = pd.DataFrame({"user": ["x", "x", "y"], "item": ["i1", "i2", "i1"], "rating": 5.0})
    _, truth = read(data, pd.concat([frame(data.truth), stranger], ignore_index=True))
    assert any(note.startswith("2 users have judgements in the truth") for note in truth.notes)
    both = frame(data.truth).merge(frame(data.train), on=["user", "item"])
    n = f"{len(both)} judgements are also training ratings"
    assert any(note.startswith(n) for note in truth.notes)


def test_means_of_the_new_count_what_was_not_known(data):
    _, truth = read(data, frame(data.truth, known=data.known))
    sample = truth.sample
    draws = Draws.none(1 + sample.users.max())
    for yardstick, counts in (("liked", True), ("new", ~sample.known)):
        gain = (sample.rating >= 4) & counts
        expected = [
            (sample.weight * gain * ((own.ranks > 0) & (own.ranks <= 7))).sum()
            for own in truth.systems.values()
        ]
        found = truth.means(yardstick, 7, draws)[0]
        assert found == pytest.approx(np.array(expected) / 7 / len(sample.users))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.assign(user="x" + t["user"]), "expected users of the qrels, as 'u0', found"),
        (lambda t: t.assign(item="x" + t["item"]), "expected items of the qrels, as 'i"),
        (lambda t: t.assign(rating=t["rating"].clip(upper=3)), "judgements of at least 4"),
        (lambda t: t.assign(inclusion=0.0), "row 0: expected a probability above 0 and at most 1"),
        (lambda t: t.assign(inclusion=1.5), "found 1.5"),
        (lambda t: t.assign(known=[2, *[0] * (len(t) - 1)]), "row 0: expected 1 for an item"),
        (lambda t: t.assign(known=[*[True] * 5, *[None] * (len(t) - 5)]), "row 5: .* no flag"),
        (lambda t: t.assign(inclusion=[*[0.5] * 5, *[np.nan] * (len(t) - 5)]), "row 5: .*nan"),
        (lambda t: pd.concat([t, t[:1]]), "stands there twice, the second time in row"),
        (lambda t: t[:0], "expected rows with ratings, found none"),
        (lambda t: t.drop(columns="rating"), "expected the columns user, item and rating"),
    ],
)
def test_bad_truths_are_one_line(data, change, message):
    with pytest.raises(RankassayError, match=message) as error:
        read(data, change(frame(data.truth)))
    assert "\n" not in str(error.value)


def test_flags_of_a_part_of_a_file_name_the_line(tmp_path):
    path = tmp_path / "truth.csv"
    path.write_text("user,item,rating,known\na,x,5,1\na,y,4,\n", encoding="utf-8")
    with pytest.raises(RankassayError, match=r"truth.csv, line 3: expected a number as known"):
        truth_rows(path)
    path.write_text("user,item,rating,known\na,x,5,1\na,y,4,3\n", encoding="utf-8")
    with pytest.raises(RankassayError, match=r"truth.csv, line 3: expected 1 for an item"):
        truth_rows(path)
    path.write_text("user,item,rating,inclusion\na,x,5,.5\na,y,4,0\n", encoding="utf-8")
    with pytest.raises(RankassayError, match=r"truth.csv, line 3: expected a probability"):
        truth_rows(path)


def test_judgements_that_all_train_and_that_no_run_lists(data):
    with pytest.raises(RankassayError, match="did not rate in training, found none among"):
        read(data, frame(data.train))
    short = {name: _first(own, 3) for name, own in data.runs.items()}
    listed = {pair for own in short.values() for pair in _pairs(own)}
    truth = frame(data.truth)
    unlisted = [pair not in listed for pair in map(tuple, truth[["user", "item"]].to_numpy())]
    with pytest.raises(
        RankassayError, match="liked items that a run lists for the same user, found none"
    ):
        read(replace(data, runs=short), truth[unlisted])


def _first(rows, k):
    keep = rows.value >= -k
    return replace(rows, user=rows.user[keep], item=rows.item[keep], value=rows.value[keep])


def _pairs(rows):
    return zip(rows.users[rows.user], rows.items[rows.item], strict=True)


def test_yardsticks_that_cannot_be_told(data):
    with pytest.raises(RankassayError, match="no column known"):
        yardsticks(read(data, frame(data.truth))[1], "new")
    with pytest.raises(RankassayError, match="found none in any list"):
        yardsticks(read(data, frame(data.truth, known=True))[1], "new")
    known = read(data, frame(data.truth, known=True))[1]
    assert yardsticks(known, None) == ["liked"]
    assert any("nothing can be said of items new" in note for note in known.notes)
    assert yardsticks(read(data, frame(data.truth, known=data.known))[1], None) == ["liked", "new"]
    with pytest.raises(RankassayError, match="give truth="):
        yardsticks(None, "liked")
    with pytest.raises(RankassayError, match="did you mean 'liked'"):
        yardsticks(read(data, frame(data.truth))[1], "like")
    assert yardsticks(read(data, frame(data.truth))[1], None) == ["liked"]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json"])
def test_outcomes_from_files_frames_and_dicts(tmp_path, suffix):
    table = pd.DataFrame({"model": ["b", "a"], "outcome": [0.5, 0.25], "se": [0.1, 0.2]})
    path = tmp_path / f"outcomes.{suffix}"
    if suffix == "json":
        table.to_json(path, orient="records")
    else:
        table.to_csv(path, sep="," if suffix == "csv" else "\t", index=False)
    for source in (table, path):
        found = outcome_rows(source)
        assert found.to_dict() == {"value": {"b": 0.5, "a": 0.25}, "error": {"b": 0.1, "a": 0.2}}
    for source in ({"b": 0.5, "a": 0.25}, pd.Series({"b": 0.5, "a": 0.25})):
        found = outcome_rows(source)
        assert found["value"].to_dict() == {"b": 0.5, "a": 0.25}
        assert found["error"].isna().all()


def test_an_empty_file_has_no_outcomes(tmp_path):
    path = tmp_path / "online.csv"
    path.write_text("", encoding="utf-8")
    with pytest.raises(RankassayError, match=r"the columns system and value, .* found none;"):
        outcome_rows(path)


def test_errors_that_are_missing_are_not_drawn_and_said(tmp_path):
    path = tmp_path / "online.csv"
    path.write_text("system,value,error\na,1,.1\nb,2,\nc,3,.2\n", encoding="utf-8")
    outcomes = read_outcomes(path, ["c", "d", "b", "a"])
    assert (outcomes.drawn(["b"], 40, 0) == 2).all()
    assert any("The outcome of 1 system has no standard error" in n for n in outcomes.notes)
    assert any(
        "Without an outcome, and not compared with the outcomes: d." in n for n in outcomes.notes
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system,value,error\na,1,-.1\nb,2,.1\n", "online.csv, line 2: expected a standard error"),
        ("system,value\na,1\nb,2\na,3\n", "online.csv, line 4: expected each system once"),
        ("system,value\na,1\nbb,2\n", "unknown system among the outcomes 'bb'; did you mean 'b'"),
        ("system,value\na,1\n", "those of at least two runs, found 1"),
        ("system,value\na,1\nb,\n", "line 3: expected a number as value"),
        ("system,value\na,1\nb,inf\n", "line 3: expected a system and its outcome"),
        ("a,1\nb,2\n", "expected the columns system and value"),
        ("run,score\na,1\nb,2\n", "expected the columns system and value"),
    ],
)
def test_bad_outcomes_are_one_line(tmp_path, text, message):
    path = tmp_path / "online.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RankassayError, match=message):
        read_outcomes(path, ["a", "b", "c"])


def test_outcomes_order_the_runs_that_have_any_and_exclude_from_six_on(data):
    left, _ = read(data, frame(data.truth))
    runs = [*data.runs]
    own = given(data, left)
    best = exclusions(
        own, MEASURES, CHOICES, None, read_outcomes({r: -n for n, r in enumerate(runs)}, runs)
    )
    [ground] = best.grounds
    assert (ground.by, ground.systems, ground.used) == ("outcomes", 9, True)
    assert ground.table["tau"].min() > 0.6
    assert best.by_yardstick() == {None: ((), "")}
    few = read_outcomes({r: n for n, r in enumerate(runs[:5])}, runs)
    [ground] = exclusions(own, MEASURES, CHOICES, None, few).grounds
    assert (ground.systems, ground.used, ground.why) == (5, False, "")
    assert ground.table["tau"].max() < -0.5
    last = read_outcomes({r: -n for n, r in enumerate(runs[3:])}, runs)
    [ground] = exclusions(own, ["P@10"], CHOICES, None, last).grounds
    values = [-n for n in range(6)]
    means = [ranked(own, name, "P@10") for name in runs[3:]]
    assert ground.table["tau"].iloc[0] == pytest.approx(scipy.stats.kendalltau(means, values)[0])
    against = read_outcomes({r: n for n, r in enumerate(runs)}, runs)
    found = exclusions(own, MEASURES, CHOICES, None, against)
    assert found.by_yardstick() == {None: ((), NO_AGREEMENT)}
    assert found.grounds[0].numbers()["most"] < -0.6


def test_reference_systems_have_no_part(data):
    left, truth = read(data, frame(data.truth))
    own = given(data, left)
    first, *rest = own.systems.items()
    few = replace(own, systems=dict(rest), references=dict([first]))
    told = replace(truth, systems={n: s for n, s in truth.systems.items() if n != first[0]})
    found = [
        exclusions(each, MEASURES, CHOICES, told) for each in (few, replace(few, references={}))
    ]
    assert found[0].grounds[0].systems == len(rest)
    assert found[0].grounds[0].table.equals(found[1].grounds[0].table)


def test_a_measure_that_ranks_the_other_way_is_excluded_for_all_yardsticks():
    """Systems with a hit at the top for more users, and with fewer hits below."""
    users, systems = range(70), range(7)
    qrels = {f"u{u}": {f"good {n}": 5 for n in range(10)} for u in users}
    runs = {
        f"system {s}": {
            f"u{u}": [
                "good 0" if (u + s) % 7 <= s else "bad",
                *(f"good {n}" for n in range(1, 10 - s)),
                *(f"bad {n}" for n in range(s)),
            ]
            for u in users
        }
        for s in systems
    }
    rows = {name: rows_of(run, name, "score") for name, run in runs.items()}
    truth = pd.DataFrame(
        [(f"u{u}", f"good {n}", 5.0) for u in users for n in range(1, 10) if (u + n) % 3 == 0],
        columns=["user", "item", "rating"],
    )
    left, told = read_truth(truth, rows_of(qrels, "the judgements", "rating"), rows, threshold=4)
    own = Given(left.judgements, left.item, {n: lists_of(r, left, "trec") for n, r in rows.items()})
    measures = ["P@1", "P@10"]
    found = exclusions(
        own, measures, CHOICES, told, read_outcomes({n: -s for s, n in enumerate(runs)}, [*runs])
    )
    assert found.measures["outcomes"].tolist() == [-1, 1]
    assert found.measures["truth_liked"].tolist() == [-1, 1]
    assert found.measures["excluded"].tolist() == ["liked, outcomes", None]
    assert found.by_yardstick() == {"liked": (("P@1",), "")}
    assert found.grounds[0].best == "P@10"

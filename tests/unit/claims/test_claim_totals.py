"""What the verdicts add up to, study by study and sentence by sentence."""

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from claims_made_up import NOISE, PAPER, bare, claim, cube, judge

from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.conditions import WORDS
from rankassay.claims.lists import expand
from rankassay.claims.totals import (
    COLUMNS,
    OF_SENTENCE,
    SENTENCES,
    TOTALS,
    collect,
    sentences,
    totals,
)
from rankassay.claims.verdicts import common
from rankassay.statistics.replicated import Replicated

SPLITS = {f"{name}-1": {"of": name, "settings": name, "split": True} for name in "de"}


def both(name="a", datasets="de", **said):
    """Return a claim about two datasets."""
    return claim({}, {"above": 0.5}, name=name, **said) | {"datasets": dict.fromkeys(datasets)}


def verdicts(claims, dataset, number, noise=NOISE):
    """Return the verdicts on claims about the one number of a dataset."""
    own = [one | {"datasets": {dataset: None}} for one in claims]
    return judge(own, {"sparsity": cube([("P", 5, number)], noise)}, dataset)


# ---- Collected -----------------------------------------------------------------------------------


def test_claims_are_in_the_order_of_the_studies_and_of_their_lists():
    """Whatever the order in which the datasets were judged."""
    lists = {"two": [both("b"), both("a")], "one": [both("a"), both("b")]}
    judged = [
        (study, verdicts(lists[study], dataset, 0.7))
        for study, dataset in (("one", "e"), ("two", "d"), ("one", "d"), ("two", "e"))
    ]
    found = collect(lists, judged)
    assert [*zip(found["study"], found["id"], found["dataset"], strict=True)] == [
        *(("two", "b", "d"), ("two", "b", "e"), ("two", "a", "d"), ("two", "a", "e")),
        *(("one", "a", "e"), ("one", "a", "d"), ("one", "b", "e"), ("one", "b", "d")),
    ]
    assert [*found] == [*COLUMNS, *OF_SENTENCE]


def test_claims_of_an_analysis_that_is_left_out_are_not_asked_and_others_not_testable():
    found = collect({"one": [both()], "two": [both()]}, [], [("one/claims", "d")])
    assert [*zip(found.study, found.dataset, found.reproduced, found.reason, strict=True)] == [
        (
            *("one", "d", "not asked"),
            "not computed: the configuration leaves out one/claims, or all that it reads",
        ),
        ("one", "e", "not testable", "the dataset was not studied"),
        ("two", "d", "not testable", "the dataset was not studied"),
        ("two", "e", "not testable", "the dataset was not studied"),
    ]
    assert found["general"].isna().all()


def test_each_study_is_judged_over_its_own_splits():
    """Two studies may have claims of the same name."""
    lists = {"one": [both()], "two": [both()]}
    judged = [
        ("one", verdicts(lists["one"], "d", 0.7)),
        ("one", verdicts(lists["one"], "d-1", 0.6)),
        ("two", verdicts(lists["two"], "d", 0.2)),
    ]
    found = collect(lists, judged, variants=SPLITS).set_index(["study", "dataset"])
    assert found["splits"].dropna().to_dict() == {("one", "d"): 2, ("two", "d"): 1}
    assert found["mean"].dropna().to_dict() == pytest.approx(
        {("one", "d"): 0.65, ("two", "d"): 0.2}
    )
    assert found["reproduced"].to_dict() == {
        ("one", "d"): "inconclusive",
        ("one", "e"): "not testable",
        ("two", "d"): "does not hold",
        ("two", "e"): "not testable",
    }
    # As it is without being told which are splits.
    assert len(collect(lists, judged)) == 5


def test_a_sentence_is_decided_over_splits_by_its_own_number(tmp_path):
    """From files, as a run collects them: both rows hold on one split, and one on the other."""
    deep = {"deep": {"where": "section 6", "says": "Deep."}}
    rows = [({"above": 0.5}, "a"), ({"above": 0.25}, "b")]
    claims = expand(
        [bare({}, holds, name=name, sentence="deep") for holds, name in rows], PAPER, deep
    )
    claims = [one | {"datasets": {"d": None}} for one in claims]
    judged = []
    for dataset, number in (("d", 0.7), ("d-1", 0.3)):
        write_table(verdicts(claims, dataset, number, NOISE / 50), tmp_path / "verdicts.csv")
        judged.append(("s", read_table(tmp_path / "verdicts.csv")))
    found = collect({"s": claims}, judged, variants=SPLITS)
    assert found["id"].tolist() == ["a", "b", "deep:share"]
    (row,) = sentences(found).to_dict("records")
    assert (row["decided_by"], row["measured"], row["mean"], row["splits"]) == (
        *("deep:share", 1.0, 0.75, 2),
    )
    assert (row["rows"], row["rows_hold"], row["exceptions"]) == (2, 1, "a")  # mean .5
    assert (row["reproduced"], row["low"]) == ("inconclusive", 0)


def test_each_row_keeps_its_own_numbers_of_resampled_users():
    """Those of a study's table, in whatever order its rows are: see `runs.common`."""
    rng = np.random.default_rng(11)
    claims = [both(name, "d") for name in "ba"]
    draws = {
        dataset: {name: 0.7 + rng.normal(0, 0.01, 50) + shared[name] for name in "ab"}
        for shared in [{"a": rng.normal(0, 0.01, 50), "b": rng.normal(0, 0.05, 50)}]
        for dataset in ("d", "d-1")
    }
    judged = []
    for dataset, own in draws.items():
        table = verdicts(claims[::-1], dataset, 0.7).assign(users=9)
        judged.append(("s", Replicated(table, "measured", np.array([own["a"], own["b"]]))))
    # That of a study which keeps none is where it was.
    judged.append(("s", verdicts(claims, "e", 0.7)))
    found = collect({"s": claims}, judged, variants=SPLITS)
    assert found["dataset"].tolist() == ["d", "e"] * 2
    errors = found[found["dataset"] == "d"].set_index("id")["error_users"].to_dict()
    expected = {name: common([own[name] for own in draws.values()]) for name in "ab"}
    pooled = np.std(NOISE, ddof=1)
    assert errors == pytest.approx({name: min(own, pooled) for name, own in expected.items()})
    assert 2 * expected["a"] < pooled < expected["b"]
    assert [*found] == [*COLUMNS, *OF_SENTENCE]


# ---- Sentences and totals ------------------------------------------------------------------------


def framed(sentence, kinds, holds, words, decides, generals=None, source=PAPER, where=("s", "d")):
    """Return the rows of a sentence; where there are more words than kinds, the last decides it."""
    n = len(words)
    ids = [f"{sentence}-{i}" if i < len(kinds) else f"{sentence}:share" for i in range(n)]
    return pd.DataFrame(
        {
            **dict(zip(("study", "dataset"), where, strict=True)),
            **{"sentence": sentence, "id": ids, "source": source, "kind": [*kinds, kinds[0]][:n]},
            **{"says": f"It says {sentence}.", "said_in": "section 6"},
            "claim": [f"In words: {name}." for name in ids],
            "holds": pd.array([*holds, None][:n], dtype="boolean"),
            **{"reproduced": words, "general": generals or [""] * n},
            "decides": np.arange(n) == decides,
            **{"measured": np.arange(n), "low": 0.1, "calibrated": False},
        }
    )


def test_a_sentence_has_the_verdict_of_the_row_that_decides():
    table = pd.concat(
        [
            framed(
                *("by-share", ["finding"] * 3, [True, False, None]),
                *(["holds", "does not hold", "not asked", "inconclusive"], 3),
            ),
            framed(
                *("by-row", ["finding"] * 3, [True, False, False]),
                *(["holds", "does not hold", "inconclusive"], 1, ["", "inconclusive", "holds"]),
            ),
            framed("alone", ["fact"], [True], ["holds"], 0, source="ours"),
        ],
        ignore_index=True,
    )
    found = sentences(table)
    assert [*found] == SENTENCES
    told = ["sentence", "decided_by", "claim", "reproduced", "measured", "kind", "source"]
    assert found[told].to_numpy().tolist() == [
        [
            *("by-share", "by-share:share", "In words: by-share:share."),
            *("inconclusive", 3, "finding", PAPER),
        ],
        [
            *("by-row", "by-row-1", "In words: by-row-1.", "does not hold"),
            *(1, "finding", PAPER),
        ],
        ["alone", "alone-0", "In words: alone-0.", "holds", 0, "fact", "ours"],
    ]
    assert found["general"].tolist() == ["", "inconclusive", ""]
    counts = ["rows", "rows_hold", "exceptions"]
    assert found[counts].to_numpy().tolist() == [
        [3, 1, "by-share-1"],
        [3, 1, "by-row-1 by-row-2"],
        [1, 1, ""],
    ]
    assert found.loc[0, ["says", "said_in"]].tolist() == ["It says by-share.", "section 6"]


def random_rows(seed):
    """Return the rows of random sentences, and what a recount needs of each."""
    rng = np.random.default_rng(seed)
    frames, recount = [], []
    for study, dataset, number in product("ts", "ed", range(10)):  # of the same names everywhere
        n = int(rng.integers(1, 5))
        source = str(rng.choice([f"{PAPER}, table 1", "ours"]))
        kinds = rng.choice(["finding", "fact"], n).tolist()
        holds = [(True, False, None)[i] for i in rng.integers(0, 3, n)]
        further = n > 1 and rng.random() < 0.5
        words = rng.choice(WORDS, n + further).tolist()
        generals = rng.choice([*WORDS[:3], ""], n + further).tolist()
        decides = n if further else int(rng.integers(n))
        said = {"source": source, "where": (study, dataset)}
        frames.append(framed(f"{number}", kinds, holds, words, decides, generals, **said))
        decided = [*kinds, kinds[0]][decides], words[decides], generals[decides]
        recount.append((study, dataset, source, holds, decided))
    return pd.concat(frames, ignore_index=True), recount


def test_an_independent_recount_gives_the_totals():
    table, recount = random_rows(55)
    expected: Counter = Counter()
    for study, dataset, source, _, (kind, reproduced, general) in recount:
        head = (study, dataset, "ours" if source == "ours" else "paper", kind)
        expected[(*head, "reproduced", reproduced)] += 1
        if general:
            expected[(*head, "general", general)] += 1
    found: Counter = Counter()
    for row in totals(table).to_dict("records"):
        assert [*row] == TOTALS
        head = [row[name] for name in ("study", "dataset", "source", "kind", "question")]
        found.update({(*head, word): row[word] for word in WORDS if row[word]})
        assert row["sentences"] == sum(row[word] for word in WORDS)
    assert found == expected
    order = totals(table)[["study", "dataset"]].drop_duplicates().to_numpy().tolist()
    assert order == [["t", "e"], ["t", "d"], ["s", "e"], ["s", "d"]]


def test_an_independent_recount_gives_the_rows_of_sentences_in_their_order():
    table, recount = random_rows(56)
    found = sentences(table).to_dict("records")
    for row, (study, dataset, source, holds, decided) in zip(found, recount, strict=True):
        assert (row["study"], row["dataset"], row["source"]) == (study, dataset, source)
        assert (row["kind"], row["reproduced"], row["general"]) == decided
        assert (row["rows"], row["rows_hold"]) == (len(holds), holds.count(True))
        exceptions = [f"{row['sentence']}-{i}" for i, hold in enumerate(holds) if hold is False]
        assert row["exceptions"].split() == exceptions


def test_no_sentence_is_counted_where_there_is_none():
    found = totals(random_rows(57)[0][:0])
    assert [*found] == TOTALS
    assert found.empty


def test_questions_of_ours_are_never_in_a_sentence_of_a_paper():
    paper = framed("both", ["finding"], [True], ["holds"], 0)
    ours = framed("both", ["finding"], [False], ["does not hold"], 0, source="ours")
    for frames in ([paper, ours], [ours, paper]):
        own = pd.concat(frames, ignore_index=True)
        found = sentences(own).set_index("source")["reproduced"].to_dict()
        assert found == {PAPER: "holds", "ours": "does not hold"}
        found = totals(own).query("question == 'reproduced'").set_index("source")
        assert found["sentences"].to_dict() == {"paper": 1, "ours": 1}
        assert found["holds"].to_dict() == {"paper": 1, "ours": 0}
        assert found["does not hold"].to_dict() == {"paper": 0, "ours": 1}

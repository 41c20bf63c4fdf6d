"""Stages that write, join and read replicates, and the one that adds verdicts up."""

import numpy as np
import pandas as pd
import pytest
import yaml

from rankassay.answers.criteria import summary
from rankassay.artifacts.arrays import Replicates, Scores
from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.conditions import WORDS
from rankassay.claims.totals import COLUMNS
from rankassay.cli.job import do
from rankassay.errors import RankassayError
from rankassay.statistics import correlation
from rankassay.statistics.replicated import Replicated

EVALUATION = {"threshold": 4, "profile": "paper", "without_relevant": None, "aggregate": "mean"}


@pytest.fixture(scope="module")
def scores():
    values = np.random.default_rng(0).random((30, 4, 4))
    measures = np.array(["P@5", "P@10", "RR@5", "RR@10"])
    return Scores(values, np.arange(30, dtype=np.int32), np.array([*"abcd"]), measures)


def analyse(name, inputs, outputs, settings=None):
    given = {"name": name, "dataset": "d", "inputs": inputs, "evaluation": {**EVALUATION}}
    do("analyse", given | {"settings": settings or {}, "seed": 7, "output": outputs})


def test_an_analysis_writes_its_replicates_beside_its_table(tmp_path, scores):
    scores.save(tmp_path / "scores.npz")
    outputs = [tmp_path / "table.csv", tmp_path / "table.npz"]
    inputs = {"scores": tmp_path / "scores.npz"}
    analyse("robustness/metric-correlation", inputs, outputs, {"resamples": 40})
    expected = correlation.metric_correlation(scores, EVALUATION, resamples=40, seed=7)
    found = Replicates.load(outputs[1])
    assert str(found.column) == "tau"
    np.testing.assert_array_equal(found.values, expected.replicates)
    np.testing.assert_array_equal(read_table(outputs[0])["tau"], expected.table["tau"])
    # One that is asked for the table alone writes the same table; without resamples none are held.
    analyse("robustness/metric-correlation", inputs, [tmp_path / "a.csv"])
    assert (tmp_path / "a.csv").read_bytes() == outputs[0].read_bytes()
    none = [tmp_path / "b.csv", tmp_path / "b.npz"]
    analyse("robustness/metric-correlation", inputs, none, {"resamples": 0})
    assert Replicates.load(none[1]).values.shape == (len(expected.table), 0)


def test_an_analysis_without_replicates_writes_none(tmp_path, scores):
    scores.save(tmp_path / "scores.npz")
    outputs = [tmp_path / "table.csv", tmp_path / "table.npz"]
    inputs = {"scores": tmp_path / "scores.npz"}
    analyse("robustness/p-values", inputs, outputs, {"samples": 20})
    found = Replicates.load(outputs[1])
    assert (found.values.shape, str(found.column)) == ((24, 0), "")


@pytest.fixture
def compared(tmp_path):
    """Return the inputs of a summary, and what they are in memory."""
    rng = np.random.default_rng(1)
    measures = pd.DataFrame({"metric": ["P", "RR"], "cutoff": [5, 5]})
    given, inputs = [], {}
    for name, key, column in (
        ("sparsity", {"level": 50}, "tau"),
        ("popularity", {"percentage": 90}, "tau"),
        ("discriminative-power", {}, "dp"),
    ):
        table = measures.assign(**key, correlation="tau_b", pairs=10, identical=0)
        table = table.assign(**{column: [0.25, 0.5]})
        result = Replicated(table, column, rng.random((2, 40)))
        given.append(result)
        path = tmp_path / f"{name}.csv"
        write_table(result.table, path)
        Replicates(np.array(column), result.replicates).save(path.with_suffix(".npz"))
        # In either order: replicates join the table that they are of.
        parameter = name.replace("-", "_")
        inputs[f"{parameter}_replicates"] = path.with_suffix(".npz")
        inputs[parameter] = path
    split = pd.DataFrame({"part": ["test"], "users": 9, "ratings_median": 4.5})
    inputs["split"] = tmp_path / "split.csv"
    write_table(split, inputs["split"])
    return inputs, [*given, split]


def test_an_analysis_that_compares_reads_replicates(tmp_path, compared):
    inputs, given = compared
    analyse("robustness/summary", inputs, [tmp_path / "summary.csv"])
    found = read_table(tmp_path / "summary.csv")
    write_table(summary(*given), tmp_path / "expected.csv")
    assert (tmp_path / "summary.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()
    assert found["behind_low"].notna().all()


def test_replicates_of_another_table_are_refused(tmp_path, compared):
    inputs, given = compared
    path = inputs["sparsity_replicates"]
    Replicates(np.array("tau"), given[0].replicates[:1]).save(path)
    said = "sparsity.npz: expected replicates of 2 rows, found 1; delete the file"
    with pytest.raises(RankassayError, match=said):
        analyse("robustness/summary", inputs, [tmp_path / "summary.csv"])
    assert not (tmp_path / "summary.csv").exists()


def joined(folder):
    return {"output": folder / "joined.csv", "joined_replicates": folder / "joined.npz"}


@pytest.mark.parametrize("sizes", [(3,), (1, 2), (0, 3, 0)])
def test_replicates_of_some_measures_join_to_those_of_all(tmp_path, sizes):
    values = np.random.default_rng(0).random((3, 40))
    values[1, 7] = np.nan
    Replicates(np.array("tau"), values).save(tmp_path / "one.npz")
    tables, paths, first = [], [], 0
    for number, size in enumerate(sizes):
        tables.append(str(tmp_path / f"{number}.csv"))
        write_table(pd.DataFrame({"tau": values[first : first + size, 0]}), tables[-1])
        paths.append(str(tmp_path / f"{number}.npz"))
        Replicates(np.array("tau"), values[first : first + size]).save(paths[-1])
        first += size
    do("join", {"kind": "table", "parts": tables, "replicates": paths} | joined(tmp_path))
    assert (tmp_path / "joined.npz").read_bytes() == (tmp_path / "one.npz").read_bytes()


def test_rows_that_are_ordered_by_other_columns_first_join_so(tmp_path):
    whole = pd.DataFrame(
        [
            (size, f'a "quoted", {name}', metric, "")
            for size in (5, 10)
            for name in "xy"
            for metric in "PRA"
        ],
        columns=["m", "group", "metric", "nothing"],
    ).assign(tau=np.arange(12) / 7)
    replicates = np.random.default_rng(0).random((12, 40))
    write_table(whole, tmp_path / "whole.csv")
    Replicates(np.array("tau"), replicates).save(tmp_path / "whole.npz")
    tables, paths = [], []
    for number, metrics in enumerate(("PR", "A")):
        own = whole["metric"].isin([*metrics])
        tables.append(str(tmp_path / f"{number}.csv"))
        write_table(whole[own], tables[-1])
        paths.append(str(tmp_path / f"{number}.npz"))
        Replicates(np.array("tau"), replicates[own]).save(paths[-1])
    given = {"kind": "table", "parts": tables, "within": ["m", "group"], "replicates": paths}
    do("join", given | joined(tmp_path))
    for ending in ("csv", "npz"):
        made, expected = (tmp_path / f"{name}.{ending}" for name in ("joined", "whole"))
        assert made.read_bytes() == expected.read_bytes()


def test_parts_that_do_not_belong_together_are_not_joined(tmp_path):
    write_table(pd.DataFrame({"m": [1, 1], "tau": [0.5, 1.0]}), tmp_path / "part.csv")
    Replicates(np.array("tau"), np.ones((3, 40))).save(tmp_path / "part.npz")
    given = {"kind": "table", "parts": [tmp_path / "part.csv"]} | joined(tmp_path)
    of_rows = {"within": ["m"], "replicates": [str(tmp_path / "part.npz")]}
    for more, said in (
        ({"within": ["n"]}, "unknown column 'n'"),
        (of_rows, "expected replicates of 2 rows, found 3; delete"),
    ):
        with pytest.raises(RankassayError, match=said):
            do("join", given | more)
    assert not (tmp_path / "joined.npz").exists()


HEAD = ["study", "dataset", "source", "kind", "question"]


@pytest.mark.slow
def test_verdicts_are_collected_and_added_up(tmp_path):
    def claim(name, **said):
        base = {"where": "table 1", "claim": "Something.", "datasets": ["d", "e"]}
        return {"id": name} | base | {"value": {"table": "t"}, "holds": {"above": 0}} | said

    both = {"both": {"where": "section 6", "says": "Both are so."}}
    first = [claim(name, sentence="both") for name in "ab"] + [claim("c", kind="fact")]
    lists = {
        "robustness": {"paper": "Author, 2018", "sentences": both, "claims": first},
        "goals": [claim("a"), claim("b")],
    }
    judged = {
        "robustness": [
            ("a", "holds", "holds", True),
            ("b", "does not hold", "inconclusive", False),
            ("both:share", "holds", "inconclusive", True),
            ("c", "does not hold", "", False),
        ],
        "goals": [("a", "inconclusive", "", True), ("b", "undefined", "", None)],
    }
    paths = {}
    for study, verdicts in judged.items():
        (tmp_path / f"{study}.yaml").write_text(yaml.safe_dump(lists[study]))
        rows = [
            {"id": name, "dataset": "d", "reproduced": reproduced, "general": general}
            | {"sentence": "both" if name[0] in "ab" and study != "goals" else name}
            | {"decides": study == "goals" or name not in ("a", "b"), "holds": holds}
            | {"kind": "fact" if name == "c" else "finding", "calibrated": False, "exact": False}
            | {"source": "ours" if study == "goals" else "Author, 2018, table 1"}
            | {"says": "It is so.", "said_in": "section 6", "measured": 0.5, "mean": 0.5}
            for name, reproduced, general, holds in verdicts
        ]
        write_table(pd.DataFrame(rows[::-1]), tmp_path / f"{study}.csv")
        paths[study] = tmp_path / f"{study}.csv"
    given = {"verdicts": [*paths.items()], "left_out": [], "variants": {}}
    given |= {"claims": {study: tmp_path / f"{study}.yaml" for study in lists}}
    files = {"output": "claims", "totals": "totals", "sentences": "sentences"}
    do("collect_claims", given | {key: tmp_path / f"{own}.csv" for key, own in files.items()})
    table = read_table(tmp_path / "claims.csv")
    # Sentence by sentence, whatever the order of the rows, and those about data that was not there.
    assert [*zip(table["study"], table["sentence"], table["dataset"], strict=True)] == [
        *[("robustness", "both", "d")] * 3,
        *[("robustness", "both", "e")] * 2,
        *(("robustness", "c", dataset) for dataset in "de"),
        *(("goals", name, dataset) for name in "ab" for dataset in "de"),
    ]
    assert (table.loc[table["dataset"] == "e", "reproduced"] == "not testable").all()
    assert list(table.columns) == COLUMNS
    told = read_table(tmp_path / "sentences.csv").set_index(["study", "dataset", "sentence"])
    said = ["decided_by", "rows", "rows_hold", "reproduced", "general", "exceptions"]
    assert told.loc[("robustness", "d", "both"), said].tolist() == [
        *("both:share", 2, 1, "holds", "inconclusive", "b")
    ]
    assert told.loc[("robustness", "e", "both"), "says"] == "Both are so."
    assert told.loc[("goals", "d", "a"), "source"] == "ours"
    assert len(told) == 2 * 4
    totals = read_table(tmp_path / "totals.csv")
    assert list(totals.columns) == [*HEAD, "sentences", *WORDS]
    counted = {
        tuple(row[HEAD]): {word: n for word, n in row[[*WORDS]].items() if n}
        for _, row in totals[totals["sentences"] > 0].iterrows()
    }
    untested = {"not testable": 1}
    assert counted == {
        ("robustness", "d", "paper", "finding", "reproduced"): {"holds": 1},
        ("robustness", "d", "paper", "finding", "general"): {"inconclusive": 1},
        ("robustness", "d", "paper", "fact", "reproduced"): {"does not hold": 1},
        ("robustness", "e", "paper", "finding", "reproduced"): untested,
        ("robustness", "e", "paper", "fact", "reproduced"): untested,
        ("goals", "d", "ours", "finding", "reproduced"): {"inconclusive": 1, "undefined": 1},
        ("goals", "e", "ours", "finding", "reproduced"): {"not testable": 2},
    }
    asked = totals[totals["question"] == "reproduced"]
    assert asked["sentences"].sum() == len(told) == asked[[*WORDS]].to_numpy().sum()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"inputs": {"scroes": "s.npz"}}, "unknown input 'scroes'; did you mean 'scores'"),
        ({"inputs": {}}, "expected inputs.scores, which the analysis reads"),
        ({"evaluation": {}}, "expected evaluation.aggregate, which"),
        ({"shard": 5}, "shard: expected a part"),
        ({"inputs": None}, "inputs: expected what there is by name, found None"),
        ({"name": "beyond/claims", "inputs": {}}, "expected inputs.claims, which"),
        ({"shard": [1]}, "shard: expected a part and how many there are"),
        (
            {"name": "beyond/values", "inputs": {"train": "a", "test": "b"}},
            "expected rankings, which the analysis reads",
        ),
    ],
)
def test_what_an_analysis_lacks_is_told_before_it_is_loaded(tmp_path, change, said):
    given = {"name": "robustness/metric-correlation", "dataset": "d", "settings": {}, "seed": 1}
    given |= {"inputs": {"scores": "scores.npz"}, "evaluation": EVALUATION, "output": ["a.csv"]}
    with pytest.raises(RankassayError, match=said):
        do("analyse", given | change)

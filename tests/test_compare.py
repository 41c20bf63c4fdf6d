"""`permutation_test` and `discriminative_power` in Python, and the command `compare`."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from called import called

import rankassay
from rankassay import RankassayError
from rankassay.cli.main import main
from rankassay.data.trec import write_qrels, write_run
from rankassay.statistics import significance
from rankassay.statistics.corrections import holm
from rankassay.statistics.effect_sizes import superiority

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
RUNS = ["good.run", "fair.run", "poor.run"]


@pytest.fixture(scope="module")
def values():
    rng = np.random.default_rng(2)
    return rng.random((60, 4, 3)) + np.linspace(0, 0.2, 4)[:, None]


def test_p_values_have_the_axes_of_the_values(values):
    every = rankassay.permutation_test(values, 2000, seed=1)
    one = rankassay.permutation_test(values[:, :, 1], 2000, seed=1)
    p, adjusted = significance.permutation(values, 2000, 1)
    assert every.p_values.shape == (4, 4, 3)
    assert one.p_values.shape == (4, 4)
    np.testing.assert_array_equal(every.p_values, np.moveaxis(p, 0, 2))
    np.testing.assert_array_equal(every.adjusted, np.moveaxis(adjusted, 0, 2))
    np.testing.assert_array_equal(one.p_values, every.p_values[:, :, 1])
    assert (one.n_permutations, one.exact) == (2000, False)
    with pytest.raises(AttributeError):
        one.exact = True


def test_frames_and_lists_are_values_too(values):
    frame = pd.DataFrame(values[:, :, 0], columns=[*"abcd"])
    expected = rankassay.permutation_test(values[:, :, 0], 500).p_values
    for given in (frame, values[:, :, 0].tolist()):
        np.testing.assert_array_equal(rankassay.permutation_test(given, 500).p_values, expected)


def test_one_sided_p_values_are_of_the_row_against_the_column(values):
    few = values[:10, :2, 0]
    theirs = {
        alternative: scipy.stats.permutation_test(
            (few[:, 0], few[:, 1]),
            lambda a, b, axis: np.mean(a - b, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf,
            alternative=alternative,
        ).pvalue
        for alternative in ("greater", "less")
    }
    for alternative, p in theirs.items():
        found = rankassay.permutation_test(few, alternative=alternative)
        assert found.exact
        assert found.adjusted is None
        assert found.p_values[0, 1] == pytest.approx(p)
    assert found.p_values[1, 0] == pytest.approx(theirs["greater"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"values": np.zeros(3)}, r"found the shape \(3,\)"),
        ({"values": np.zeros((3, 1))}, "two systems or more"),
        ({"values": [["a", "b"]]}, "expected an array of numbers"),
        ({"values": np.full((3, 2), np.inf)}, "found infinity"),
        (
            {"values": np.zeros((3, 2)), "n_permutations": 0},
            "n_permutations: expected a whole number from 1",
        ),
        ({"values": np.zeros((3, 2)), "alternative": "grater"}, "did you mean 'greater'"),
    ],
)
def test_what_cannot_be_tested_is_refused(given, message):
    with pytest.raises(RankassayError, match=message):
        rankassay.permutation_test(**given)


def test_discriminative_power_is_the_sum_of_the_p_values(values):
    table = rankassay.discriminative_power(values, ["x", "y", "z"], 1000, seed=1, replicates=50)
    p = rankassay.permutation_test(values, 1000, seed=1).p_values
    first, second = np.triu_indices(4, k=1)
    assert table.index.to_list() == ["x", "y", "z"]
    assert table.dp.to_numpy() == pytest.approx(p[first, second].sum(axis=0))
    alone = rankassay.discriminative_power(values[:, :, 1], None, 1000, seed=1, replicates=50)
    pd.testing.assert_series_equal(alone.loc[0], table.loc["y"], check_names=False)
    with pytest.raises(RankassayError, match="expected 3 names"):
        rankassay.discriminative_power(values, ["x"])
    with pytest.raises(
        RankassayError, match="confidence: expected a finite number between 0 and 1"
    ):
        rankassay.discriminative_power(values, confidence=95)


def test_intervals_of_discriminative_power_need_some_resamples(values):
    table = rankassay.discriminative_power(values, ["x", "y", "z"], 100, seed=1, replicates=40)
    assert (table.low < table.dp).all()
    assert (table.dp < table.high).all()
    none = rankassay.discriminative_power(values, ["x", "y", "z"], 100, seed=1, replicates=0)
    assert none[["low", "high"]].isna().all(axis=None)
    pd.testing.assert_series_equal(none.dp, table.dp)
    for few, message in ((-1, "found -1"), (1, "at least 40, found 1"), (39, "40, found 39")):
        with pytest.raises(RankassayError, match=message):
            rankassay.discriminative_power(values, n_permutations=100, replicates=few)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return a folder with judgements and three runs that find ever fewer of the good items."""
    folder, rng = tmp_path_factory.mktemp("compare"), np.random.default_rng(6)
    user, item = (x.ravel() for x in np.mgrid[:60, :20])
    rating = rng.integers(1, 6, user.shape)
    write_qrels(pd.DataFrame({"user": user, "item": item, "rating": rating}), folder / "qrels.txt")
    for noise, name in enumerate(RUNS):
        score = rating + (2 * noise + 1) * rng.normal(size=rating.shape)
        run = pd.DataFrame({"user": user, "item": item, "rank": 1, "score": score})
        write_run(run, folder / name, "tag")
    return folder


def compare(files, *options, runs=RUNS):
    return called(files, "compare", "qrels.txt", *runs, *options)


@pytest.fixture(scope="module")
def expected(files):
    tables = [
        rankassay.evaluate(files / "qrels.txt", files / run, ["nDCG@5", "P@5"], per_user=True)
        for run in RUNS
    ]
    return np.stack([table[["nDCG@5", "P@5"]].to_numpy() for table in tables], axis=1)


def test_the_pairs_as_csv(files, expected):
    process = compare(files, "-m", "nDCG@5", "P@5", "--csv", "--permutations", 3000, "--seed", 4)
    assert process.returncode == 0, process.stderr
    rows = [*csv.DictReader(io.StringIO(process.stdout))]
    p, adjusted = significance.permutation(expected, 3000, 4)
    assert [(r["metric"], r["run_a"], r["run_b"]) for r in rows] == [
        (metric, a, b)
        for metric in ("nDCG@5", "P@5")
        for a, b in [("good", "fair"), ("good", "poor"), ("fair", "poor")]
    ]
    pairs = [(m, i, j) for m in range(2) for i, j in [(0, 1), (0, 2), (1, 2)]]
    for row, (m, i, j) in zip(rows, pairs, strict=True):
        means = expected[:, :, m].mean(axis=0)
        assert float(row["difference"]) == pytest.approx(means[i] - means[j])
        assert float(row["p_value"]) == p[m, i, j]
        assert float(row["corrected"]) == adjusted[m, i, j]
        assert row["correction"] == "max-t"
        assert float(row["superiority"]) == superiority(expected[:, i, m] - expected[:, j, m])
        assert float(row["low"]) < float(row["difference"]) < float(row["high"])


def test_the_results_as_json(files, expected):
    process = compare(files, "-m", "nDCG@5", "--json", "--test", "t", runs=["poor.run", "good.run"])
    assert process.returncode == 0, process.stderr
    found = json.loads(process.stdout)
    assert [(row["run"], row["rank"]) for row in found["means"]] == [("good", 1), ("poor", 2)]
    assert found["means"][0]["mean"] == pytest.approx(expected[:, 0, 0].mean())
    theirs = scipy.stats.ttest_rel(expected[:, 0, 0], expected[:, 2, 0]).pvalue
    (pair,) = found["pairs"]
    assert pair["p_value"] == pytest.approx(theirs)
    assert pair["corrected"] == holm(np.array([pair["p_value"]]))[0]
    assert pair["correction"] == "holm"


def test_the_command_ranks_as_the_function_does_where_lower_is_better(files):
    """A miss rate is one less the recall: its lowest is the best."""
    process = compare(files, "-m", "MissRate@5", "R@5", "--json", "--permutations", 500)
    found = json.loads(process.stdout)
    own = rankassay.compare(
        files / "qrels.txt",
        {Path(run).stem: files / run for run in RUNS},
        ["MissRate@5", "R@5"],
        n_permutations=500,
    )
    for metric in ("MissRate@5", "R@5"):
        ranks = {row["run"]: row["rank"] for row in found["means"] if row["metric"] == metric}
        theirs = own.means[own.means["metric"] == metric].set_index("run")["rank"]
        assert ranks == theirs.to_dict() == {"good": 1, "fair": 2, "poor": 3}
        pairs = [row for row in found["pairs"] if row["metric"] == metric]
        columns = ["run_a", "run_b", "p_value", "corrected"]
        expected = own.pairs.loc[own.pairs["metric"] == metric, columns].to_dict("records")
        assert [{key: row[key] for key in columns} for row in pairs] == expected


def test_the_text_lists_the_means_and_explains_the_stars(files):
    process = compare(files, "-m", "nDCG@5", "--permutations", 2000)
    assert process.returncode == 0, process.stderr
    verdict, _, *lines = process.stdout.splitlines()
    assert verdict.startswith("Under nDCG@5, good has the highest mean (0.")
    assert verdict.endswith(") and is significantly better than all 2 others (p < 0.05).")
    assert lines[0] == "nDCG@5"
    assert lines[2].split() == ["rank", "run", "mean"]
    assert [line.split()[0] for line in lines[3:6]] == ["1", "2", "3"]
    assert [line.split()[1] for line in lines[3:6]] == ["good", "fair", "poor"]
    assert "holds for all 3 pairs at once (max-t)" in lines[7]
    assert "*** below 0.001, ** below 0.01, * below 0.05" in lines[7]
    sizes = ["low", "high", "d_z", "superiority"]
    assert lines[9].split() == ["run_a", "run_b", "difference", *sizes, "p", "corrected"]
    assert lines[10].endswith("0.0005***")
    assert len(lines) == 13


def test_the_text_says_what_is_equivalent(files):
    process = compare(files, "-m", "nDCG@5", "--permutations", 500, "--equivalence", "90%")
    assert process.returncode == 0, process.stderr
    lines = process.stdout.splitlines()[2:]
    assert "shown to be below 90% of the better mean, at the level 0.05 for all 3 pairs" in lines[8]
    assert [line.split()[-1] for line in lines[10:]] == ["equivalent", "yes", "yes", "yes"]
    process = compare(files, "-m", "nDCG@5", "--permutations", 500, "--equivalence", "0.001")
    assert [line.split()[-1] for line in process.stdout.splitlines()[13:]] == ["no"] * 3


def test_runs_of_different_depths_are_compared_where_both_go(files, tmp_path, capsys):
    lines = (files / "good.run").read_text().splitlines(keepends=True)
    ranked = sorted(lines, key=lambda line: (line.split()[0], -float(line.split()[4])))
    (tmp_path / "whole.run").write_text("".join(ranked))
    first = [line for place, line in enumerate(ranked) if place % 20 < 12]
    (tmp_path / "cut.run").write_text("".join(first))
    given = [
        str(files / "qrels.txt"),
        *(str(tmp_path / f"{name}.run") for name in ("whole", "cut")),
    ]
    few = ["--permutations", "200"]
    assert main(["compare", *given, "-m", "nDCG@20", "R@20", *few]) == 0
    said = capsys.readouterr()
    assert "Under R@12, whole has the highest mean" in said.out
    assert said.out.count("statistically indistinguishable from cut (p ≥ 0.05)") == 2
    assert "Lists were cut to 12 items before anything else." in said.err
    assert "Run cut: The longest list has 12 items." in said.err
    assert main(["plan", *given, "-m", "R@20"]) == 0
    assert "Unknown under Recall@12: the difference of any two runs" in capsys.readouterr().out
    assert main(["compare", *given, "-m", "R@20", *few, "--unequal-depths"]) == 0
    assert "(1.0000) and is significantly better than cut" in capsys.readouterr().out
    assert main(["plan", *given, "-m", "R@20", "--unequal-depths"]) == 0
    said = capsys.readouterr()
    assert "Detecting a 1% difference under Recall@20" in said.out
    assert "Each number" not in said.err  # that of users is none of a user


@pytest.mark.parametrize(
    ("options", "runs", "message"),
    [
        (["--test", "bootsrap"], RUNS, "did you mean 'bootstrap'"),
        ([], RUNS[:1], "expected two runs or more"),
        ([], [*RUNS, RUNS[0]], "twice; name each once"),
        (["--permutations", 0], RUNS, "--permutations: expected a whole number from 1"),
        (["-m", "nDGC@5"], RUNS, "did you mean 'nDCG'"),
        (["--equivalence", "1 percent"], RUNS, "equivalence: expected a difference above 0"),
        (["--equivalence", "nan"], RUNS, "equivalence: expected a difference above 0"),
    ],
)
def test_wrong_usage_is_one_line(files, options, runs, message):
    process = compare(files, *options, runs=runs)
    assert process.returncode == 1
    assert message in process.stderr
    assert "Traceback" not in process.stderr
    assert len(process.stderr.splitlines()) == 1

"""`rankassay.reliability`, `rankassay.required_users` and `python -m rankassay plan`."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay import RankassayError
from rankassay.cli.main import main
from rankassay.data.trec import write_qrels, write_run
from rankassay.statistics.generalizability import Components
from rankassay.statistics.power_analysis import required


@pytest.fixture(scope="module")
def values():
    rng = np.random.default_rng(2)
    return rng.random((60, 1)) + rng.normal(size=(60, 5)) + np.linspace(1, 2, 5)


def test_reliability_is_that_of_the_components(values):
    found, own = rankassay.reliability(values, confidence=0.8), Components.of([values])
    assert (found.n_users, found.n_systems, found.left_out, found.confidence) == (60, 5, 0, 0.8)
    assert found.e_rho2 == pytest.approx(own.e_rho2(60)[0], rel=1e-12)
    assert found.phi == pytest.approx(own.phi(60)[0], rel=1e-12)
    assert found.variances["users"] == pytest.approx(own.variance_users[0], rel=1e-12)
    assert found.variances["systems"] == pytest.approx(own.variance_systems[0], rel=1e-12)
    assert found.variances["residual"] == found.mean_squares["residual"]
    assert found.mean_squares["systems"] == pytest.approx(own.systems[0], rel=1e-12)
    for low, inside, high in (
        (found.e_rho2_interval[0], found.e_rho2, found.e_rho2_interval[1]),
        (found.phi_interval[0], found.phi, found.phi_interval[1]),
    ):
        assert low < inside < high


def test_at_and_needed_belong_together(values):
    found = rankassay.reliability(values)
    assert found.at(60).e_rho2 == found.e_rho2
    assert found.at(60).phi_interval == found.phi_interval
    for level in (0.8, 0.99):
        needed = found.needed(level)
        for name in ("e_rho2", "phi"):
            n = getattr(needed, name)
            assert n == int(n)
            assert getattr(found.at(int(n)), name) >= level > getattr(found.at(int(n) - 1), name)
            few, many = getattr(needed, f"{name}_interval")
            assert few <= n <= many
            # With this number of users the lower end is at the level.
            assert getattr(found.at(int(many)), f"{name}_interval")[0] >= level


def test_frames_and_units_make_no_difference(values):
    found = rankassay.reliability(values)
    assert rankassay.reliability(pd.DataFrame(values)).e_rho2 == found.e_rho2
    tiny = rankassay.reliability(values * 2.0**-600)
    assert tiny.e_rho2 == found.e_rho2
    larger = rankassay.reliability(values * 8)
    assert larger.variances["systems"] == 64 * found.variances["systems"]


def test_users_without_a_value_are_left_out(values):
    some = values.copy()
    some[:7, 2] = np.nan
    found = rankassay.reliability(some)
    assert (found.n_users, found.left_out) == (53, 7)
    assert found.e_rho2 == rankassay.reliability(values[7:]).e_rho2


def test_what_does_not_vary_has_no_reliability():
    assert math.isnan(rankassay.reliability(np.full((5, 3), 0.3)).e_rho2)
    assert math.isnan(rankassay.reliability(np.full((5, 3), 0.3)).needed(0.9).phi)
    constant = rankassay.reliability(np.tile([0.1, 0.2, 0.4], (5, 1)))
    assert (constant.e_rho2, constant.phi, constant.needed(0.95).phi) == (1, 1, 1)


NAN = np.where(np.arange(6)[:, None] > 0, np.nan, np.ones((6, 3)))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (np.ones((1, 3)), r"two or more of each; found the shape \(1, 3\)"),
        (np.ones((3, 1)), r"two or more of each; found the shape \(3, 1\)"),
        (np.ones(3), r"found the shape \(3,\)"),
        (np.ones((2, 3, 4)), r"found the shape \(2, 3, 4\)"),
        ([[1, np.inf], [1, 2]], "expected finite numbers"),
        ([["a", "b"]], "expected an array of numbers"),
        (NAN, "two users or more with a value by every system, found 1 of 6"),
    ],
)
def test_reliability_refuses_what_it_cannot_use(given, said):
    with pytest.raises(RankassayError, match=said):
        rankassay.reliability(given)


def test_bad_levels_are_refused(values):
    found = rankassay.reliability(values)
    for call in (
        lambda: rankassay.reliability(values, confidence=1),
        lambda: found.needed(1.0),
        lambda: found.needed(0),
        lambda: found.at(0),
        lambda: found.at(2.5),
    ):
        with pytest.raises(RankassayError, match="expected"):
            call()


def test_required_users_of_values_and_of_differences(values):
    two = values[:, [4, 0]]
    d = two[:, 0] - two[:, 1]
    expected = required(0.3 / d.std(ddof=1), 0.05, 0.8)
    assert rankassay.required_users(two, difference=0.3) == expected
    assert rankassay.required_users(d, difference=0.3) == expected
    assert rankassay.required_users(sd=d.std(ddof=1), difference=0.3) == expected
    assert rankassay.required_users(two * 2.0**-500, difference=0.3 * 2.0**-500) == expected
    of_mean = rankassay.required_users(two, percent=100 * 0.3 / two.mean(axis=0).max())
    assert of_mean == pytest.approx(expected, abs=1)
    bonferroni = rankassay.required_users(two, difference=0.3, pairs=10)
    assert bonferroni == required(0.3 / d.std(ddof=1), 0.005, 0.8)
    drawn = rankassay.required_users(two, difference=0.3, method="resampling", samples=3000)
    assert drawn == pytest.approx(expected, rel=0.08)


def test_the_worst_pair_needs_most(values):
    numbers = [
        rankassay.required_users(values, percent=5, pair=pair)
        for pair in ("worst", "median", "neighbours")
    ]
    assert max(numbers) == numbers[0] > numbers[1]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "either difference or percent"),
        ({"difference": 1, "percent": 1}, "either difference or percent"),
        ({"difference": 1, "sd": 1}, "either values or sd"),
        ({"difference": 0}, "difference: expected a finite number between 0 and inf"),
        ({"percent": -1}, "percent: expected"),
        ({"percent": 1, "alpha": 0}, "alpha: expected"),
        ({"percent": 1, "power": 1}, "power: expected"),
        ({"percent": 1, "pairs": 0}, "pairs: expected"),
        ({"percent": 1, "pair": "medien"}, "did you mean 'median'"),
        ({"percent": 1, "method": "exact"}, "unknown method 'exact'"),
        ({"difference": 1e-200}, "ask for a larger one"),
        ({"difference": 1e-5, "method": "resampling", "samples": 10}, "at most 1,000,000 users"),
    ],
)
def test_required_users_refuses_what_it_cannot_use(values, more, said):
    with pytest.raises(RankassayError, match=said):
        rankassay.required_users(values, **more)


def test_required_users_refuses_values_it_cannot_use(values):
    for given, more, said in (
        (None, {"difference": 1}, "either values or sd"),
        (values[:1], {"percent": 1}, r"found the shape \(1, 5\)"),
        (values[:, :1], {"percent": 1}, r"found the shape \(60, 1\)"),
        (values[:, 0], {"percent": 1}, "give difference in the place of percent"),
        (values[:1, 0], {"difference": 1}, "expected two users or more, found 1"),
        (np.ones((5, 2)), {"difference": 1}, "there is nothing to test"),
        (np.full((5, 2), np.nan), {"difference": 1}, "there is nothing to test"),
        (values * np.inf, {"percent": 1}, "found infinity"),
        (None, {"percent": 1, "sd": 1}, "found sd alone"),
    ):
        with pytest.raises(RankassayError, match=said):
            rankassay.required_users(given, **more)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write judgements and three runs, of which each is noisier than the one before it."""
    folder = tmp_path_factory.mktemp("plan")
    rng = np.random.default_rng(0)
    user, item = (x.ravel() for x in np.mgrid[:30, :20])
    rating = rng.integers(1, 6, user.shape)
    write_qrels(pd.DataFrame({"user": user, "item": item, "rating": rating}), folder / "qrels.txt")
    for name, noise in (("good", 1.0), ("fair", 2.0), ("poor", 4.0)):
        score = rating + noise * rng.normal(size=rating.shape)
        run = pd.DataFrame({"user": user, "item": item, "rank": 1, "score": score})
        write_run(run, folder / f"{name}.run", "tag")
    return [str(folder / name) for name in ("qrels.txt", "good.run", "fair.run", "poor.run")]


def values_of(files, metric):
    return np.column_stack(
        [rankassay.evaluate(files[0], run, [metric], per_user=True)[metric] for run in files[1:]]
    )


def test_plan_says_a_sentence_for_each_metric(files, capsys):
    assert main(["plan", *files, "-m", "nDCG@10", "R@5", "--percent", "2"]) == 0
    said = capsys.readouterr().out
    n = rankassay.required_users(values_of(files, "nDCG@10"), percent=2)
    most = rankassay.required_users(values_of(files, "nDCG@10"), percent=2, pair="worst")
    first = (
        f"Detecting a 2% difference under nDCG@10 with 80% power takes {n:,} users for half of the "
        f"3 pairs of systems that vary. All pairs take {most:,}. You have 30 users."
    )
    assert said.splitlines()[0] == first
    assert "of the pair in the middle, " in said
    assert "difference under Recall@5 with" in said


def test_plan_takes_its_options(files, capsys):
    how = ["--difference", "0.05", "--alpha", "0.01", "--power", "0.9", "--all-pairs"]
    how += ["--pair", "worst", "--resampling", "500", "--json"]
    assert main(["plan", *files, "-m", "nDCG@10", *how]) == 0
    (row,) = json.loads(capsys.readouterr().out)["metrics"]
    x = values_of(files, "nDCG@10")
    more = {"alpha": 0.01, "power": 0.9, "pairs": 3, "pair": "worst"}
    assert row["required"] == rankassay.required_users(x, difference=0.05, **more)
    assert row["resampled"] == pytest.approx(row["required"], rel=0.15)
    assert (row["tests"], row["users"], row["percent"]) == (3, 30, None)


def test_plan_prints_csv(files, capsys):
    assert main(["plan", *files, "--csv"]) == 0
    header, row, end = capsys.readouterr().out.split("\n")
    assert header.startswith("metric,percent,difference,alpha,power,tests,pair,pairs,run_a,run_b")
    assert row.startswith("nDCG@10,1.0,")
    assert end == ""


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--percent", "0"], "--percent: expected a finite number between 0"),
        (["--difference", "nan"], "--difference: expected a finite number between 0"),
        (["--alpha", "1"], "--alpha: expected a finite number between 0 and 1, found 1"),
        (["--power", "2"], "--power: expected a finite number between 0 and 1, found 2"),
        (["--pair", "wurst"], "did you mean 'worst'"),
        (["--resampling", "-1"], "--resampling: expected a whole number from 0"),
        (["-m", "nDGC@10"], "nDCG"),
        (["-m", "RR", "--difference", "5"], "expected --difference up to 1, as values of RR are"),
        (["--percent", "120"], "expected --percent up to 100, as values of nDCG@10 are not below"),
        (["--ties", "itme"], "did you mean 'item'"),
    ],
)
def test_plan_refuses_what_it_cannot_use(files, capsys, more, said):
    assert main(["plan", *files, *more]) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert said in line


def test_plan_needs_two_runs_that_vary(files, tmp_path, capsys):
    assert main(["plan", *files[:2]]) == 1
    assert "two runs or more" in capsys.readouterr().err
    copy = tmp_path / "copy.run"
    copy.write_bytes(Path(files[1]).read_bytes())
    assert main(["plan", *files[:2], str(copy)]) == 0
    assert "Unknown under nDCG@10: the difference of any two runs" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["plan", "evaluate"])
def test_a_run_is_named_once(files, capsys, command):
    assert main([command, files[0], files[1], files[1]]) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.endswith(f"expected different runs, found {files[1]} twice; name each once.")


def test_plan_knows_no_percentage_of_nothing(tmp_path, capsys):
    """Of MissRate lower is better: the better run misses nothing, and the other one varies."""
    qrels, good, bad = (tmp_path / name for name in ("qrels", "good.run", "bad.run"))
    qrels.write_text("".join(f"{u} 0 a 5\n" for u in range(9)))
    good.write_text("".join(f"{u} Q0 a 1 1 t\n" for u in range(9)))
    bad.write_text("".join(f"{u} Q0 {'ab'[u % 2]} 1 1 t\n" for u in range(9)))
    files = [str(qrels), str(good), str(bad), "-m", "MissRate@10"]
    assert main(["plan", *files]) == 0
    assert (
        "or the better one has the mean 0, of which there is no percentage"
        in capsys.readouterr().out
    )
    assert main(["plan", *files, "--difference", "0.1"]) == 0
    assert "have 9 users" in capsys.readouterr().out


def test_plan_does_not_print_numbers_beyond_all_measure(files, capsys):
    for difference in ("1e-30", "1e-300"):
        assert main(["plan", *files, "--difference", difference]) == 0
        assert "takes more than 1,000,000,000,000 users" in capsys.readouterr().out

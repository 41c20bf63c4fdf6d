"""`rankassay.evaluate` and `python -m rankassay evaluate`, as a user would call them."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from called import called

import rankassay
import rankassay.api.evaluate
from rankassay import RankassayError
from rankassay.artifacts.arrays import Rankings, read_matrix
from rankassay.data.trec import write_qrels, write_run
from rankassay.metrics import evaluate as core
from rankassay.metrics.judgements import Judgements, Lists

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
CUTOFFS = [5, 10, 20]
TREC = {"P": "P", "R": "recall", "AP": "map_cut", "nDCG": "ndcg_cut"}


def random_dictionaries(seed, n_users=40, n_items=30):
    """Return judgements and a run with ties, and with users in only one of them."""
    rng = np.random.default_rng(seed)
    qrels, run = {}, {}
    for user in range(n_users):
        judged = rng.permutation(n_items)[: rng.integers(1, 12)]
        qrels[f"u{user}"] = {f"i{i}": int(rng.integers(1, 6)) for i in judged}
        listed = rng.permutation(n_items)[: rng.integers(0, 25)]
        run[f"u{user + 3}"] = {f"i{i}": float(rng.integers(0, 9)) for i in listed}
    return qrels, run


def frame(nested, value):
    rows = [(u, i, v) for u, items in nested.items() for i, v in items.items()]
    return pd.DataFrame(rows, columns=["user", "item", value])


def by_trec_eval(qrels, run, metrics, threshold=4):
    """Return a frame of trec_eval's values, for the users who are in both."""
    measures = {f"{TREC[m]}.{','.join(map(str, CUTOFFS))}" for m in TREC}
    measures |= {"recip_rank", "bpref", "infAP", "map", "ndcg"}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=threshold)
    names = {"RR": "recip_rank", "Bpref": "bpref", "infAP": "infAP", "AP": "map", "nDCG": "ndcg"}
    for metric in metrics:
        name, _, cutoff = metric.partition("@")
        if cutoff:
            names[metric] = f"{TREC[name]}_{cutoff}"
    found = evaluator.evaluate({u: items for u, items in run.items() if items})
    table = pd.DataFrame({m: {u: v[names[m]] for u, v in found.items()} for m in metrics})
    return table.rename_axis("user")


METRICS = [*core.grid(TREC, CUTOFFS), "RR", "Bpref", "infAP", "AP", "nDCG"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("form", ["dict", "frame", "file"])
def test_the_profile_trec_agrees_with_trec_eval(seed, form, tmp_path):
    qrels, run = random_dictionaries(seed)
    expected = by_trec_eval(qrels, run, METRICS)
    given = (qrels, run)
    if form != "dict":
        given = frame(qrels, "rating"), frame(run, "score")
    if form == "file":
        write_qrels(given[0], tmp_path / "q")
        write_run(given[1].assign(rank=0), tmp_path / "r", "me")
        given = tmp_path / "q", str(tmp_path / "r")
    choices = {"profile": "trec", "users": "listed"}
    users = rankassay.evaluate(*given, METRICS, per_user=True, **choices).set_index("user")
    assert set(users.index) == set(expected.index)
    pd.testing.assert_frame_equal(users.loc[expected.index], expected, rtol=0, atol=1e-12)
    means = rankassay.evaluate(*given, METRICS, **choices)
    np.testing.assert_allclose(means, expected.mean(), rtol=0, atol=1e-12)
    everyone = rankassay.evaluate(*given, METRICS, profile="trec")
    np.testing.assert_allclose(everyone, expected.sum() / len(qrels), rtol=0, atol=1e-12)


def test_results_are_named_as_asked_and_users_are_in_the_order_of_judgements():
    qrels, run = random_dictionaries(9)
    shuffled = frame(qrels, "rating").sample(frac=1, random_state=1)
    names = [" nDCG@10", "P( denominator='listed' )@5", "P@5"]
    users = rankassay.evaluate(shuffled, run, names, per_user=True)
    assert users.columns.tolist() == ["user", *names]
    assert users.user.tolist() == shuffled.user.drop_duplicates().tolist()
    assert rankassay.evaluate(shuffled, run, names).index.tolist() == names
    assert rankassay.evaluate(shuffled, run, "P@5").index.tolist() == ["P@5"]


def test_ties_go_by_item_by_string_or_by_row():
    qrels = {"u": {2: 5}}
    run = pd.DataFrame({"user": "u", "item": [10, 2, 9], "score": 1.0})
    rr = {ties: rankassay.evaluate(qrels, run, "RR", ties=ties)["RR"] for ties in rankassay_ties()}
    assert rr == {"item": 1.0, "trec": 1 / 2, "input": 1 / 2}
    assert rankassay.evaluate(qrels, run, "RR")["RR"] == 1 / 2
    assert rankassay.evaluate(qrels, run, "RR", profile="trec")["RR"] == 1 / 2


def rankassay_ties():
    from rankassay.data.frames import TIES

    return TIES


def test_depth_cuts_lists_and_users_without_relevant_items_may_be_left_out():
    qrels = {"a": {"x": 5}, "b": {"x": 1}}
    run = {"a": {"y": 2, "x": 1}, "b": {"x": 1}}
    assert rankassay.evaluate(qrels, run, "RR")["RR"] == 0.25
    assert rankassay.evaluate(qrels, run, "RR", depth=1)["RR"] == 0
    assert rankassay.evaluate(qrels, run, "RR", without_relevant="nan")["RR"] == 0.5
    assert rankassay.evaluate(qrels, run, "RR", profile="rendle")["RR"] == 0.5


@pytest.mark.parametrize("how", ["mean", "geometric", "harmonic", "quadratic", "median"])
def test_aggregates_are_those_of_the_core_whatever_the_blocks(how, monkeypatch):
    from rankassay.metrics.aggregate import aggregate

    qrels, run = random_dictionaries(5)
    users = rankassay.evaluate(qrels, run, METRICS, "rendle", per_user=True)
    expected = aggregate(users[METRICS].to_numpy(), how)
    for block in (65536, 7):
        monkeypatch.setattr(rankassay.api.evaluate, "BLOCK", block)
        found = rankassay.evaluate(qrels, run, METRICS, "rendle", aggregate=how)
        np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_confidence_intervals_hold_the_value():
    qrels, run = random_dictionaries(6)
    table = rankassay.evaluate(qrels, run, ["P@5", "nDCG@10"], confidence=0.9)
    assert table.columns.tolist() == ["value", "low", "high"]
    assert (table.low < table.value).all()
    assert (table.value < table.high).all()
    assert table.value.equals(rankassay.evaluate(qrels, run, ["P@5", "nDCG@10"]).rename("value"))
    again = rankassay.evaluate(qrels, run, ["P@5", "nDCG@10"], confidence=0.9, seed=1)
    assert not again.low.equals(table.low)


def test_scores_are_predicted_ratings():
    qrels = {"a": {"x": 5, "y": 3, "z": 1}}
    run = {"a": {"x": 4.0, "y": 3.5}}
    found = rankassay.evaluate(qrels, run, ["MAE", "RMSE"])
    assert found["MAE"] == 0.75
    assert found["RMSE"] == pytest.approx(np.sqrt((1 + 0.25) / 2))
    ranked = pd.DataFrame({"user": ["a"], "item": ["x"], "rank": [1]})
    with pytest.raises(RankassayError, match="MAE needs predicted ratings"):
        rankassay.evaluate(qrels, ranked, "MAE")


def test_the_number_of_items_may_differ_by_user():
    qrels = {"a": {"x": 5}, "b": {"x": 5}}
    run = {"a": {"y": 2, "x": 1}, "b": {"x": 1}}
    with pytest.raises(RankassayError, match="give n_items"):
        rankassay.evaluate(qrels, run, "AUC")
    assert rankassay.evaluate(qrels, run, "AUC", n_items=3)["AUC"] == 0.75
    numbers = pd.Series({"b": 10, "a": 2})
    assert rankassay.evaluate(qrels, run, "AUC", n_items=numbers)["AUC"] == 0.5
    table = pd.DataFrame({"user": ["b", "a"], "n_items": [10, 2]})
    assert rankassay.evaluate(qrels, run, "AUC", n_items=table)["AUC"] == 0.5
    for wrong in (1, numbers.drop("a")):
        with pytest.raises(RankassayError, match="user 'a' has 2 items listed"):
            rankassay.evaluate(qrels, run, "AUC", n_items=wrong)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"metrics": ["nDGC@10"]}, "did you mean 'nDCG'"),
        ({"metrics": ["P(denominator='list')@10"]}, "did you mean 'listed'"),
        ({"metrics": []}, "metrics: expected one or more names"),
        ({"metrics": "P@5", "profile": "terc"}, "did you mean 'trec'"),
        ({"metrics": "P@5", "aggregate": "means"}, "did you mean 'mean'"),
        ({"metrics": "P@5", "users": "judge"}, "did you mean 'judged'"),
        ({"metrics": "P@5", "ties": "items"}, "did you mean 'item'"),
        ({"metrics": "P@5", "without_relevant": "values"}, "did you mean 'value'"),
        ({"metrics": "P@5", "depth": 0}, "depth: expected a whole number from 1"),
        ({"metrics": "P@5", "confidence": 95}, "between 0 and 1"),
        ({"metrics": "P@5", "confidence": 0.9, "per_user": True}, "exclude each other"),
    ],
)
def test_wrong_choices_are_named(choices, message):
    with pytest.raises(RankassayError, match=message):
        rankassay.evaluate({"u": {"i": 5}}, {"u": {"i": 1}}, **choices)


def test_other_objects_are_refused():
    with pytest.raises(RankassayError, match=r"expected a frame .* found 1 \(int\) at place 0"):
        rankassay.evaluate([1], {"u": {"i": 1}})
    judgements = Judgements(np.zeros(1, np.int32), np.array([0, 1]), np.array([5.0]), 4.0)
    with pytest.raises(RankassayError, match="expected Lists or Rankings, found dict"):
        rankassay.evaluate(judgements, {"u": {"i": 1}})


@pytest.mark.slow
def test_the_package_is_imported_at_once_and_the_rest_on_use():
    code = "import sys, rankassay as r; print(len(dir(r)), 'numpy' in sys.modules, r.evaluate)"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    said = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert "False <function evaluate" in said
    assert set(rankassay.__all__) <= set(dir(rankassay))
    assert all(getattr(rankassay, name) for name in rankassay.__all__)
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        rankassay.evalute  # noqa: B018


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the folder of TREC files of two systems, and what they hold."""
    folder = tmp_path_factory.mktemp("trec")
    qrels, first = random_dictionaries(1)
    _, second = random_dictionaries(2)
    write_qrels(frame(qrels, "rating"), folder / "qrels.txt")
    for name, run in (("first", first), ("second", second)):
        write_run(frame(run, "score").assign(rank=0), folder / f"{name}.run", name)
    return folder, qrels, {"first": first, "second": second}


@pytest.fixture
def command(files):
    """Return a function that runs `python -m rankassay evaluate` on the files."""

    def call(*arguments, runs=("first.run", "second.run")):
        return called(files[0], "evaluate", "qrels.txt", *runs, *arguments)

    return call


def test_the_command_prints_a_table(command, files):
    process = command("-m", "P@5", "nDCG@10", "--profile", "trec")
    assert process.returncode == 0, process.stderr
    lines = process.stdout.splitlines()
    assert lines[0].split() == ["run", "P@5", "nDCG@10"]
    _, qrels, runs = files
    for line, (name, run) in zip(lines[1:], runs.items(), strict=True):
        values = rankassay.evaluate(qrels, run, ["P@5", "nDCG@10"], "trec")
        assert line.split() == [name, *(f"{value:.4f}" for value in values)]
    assert len({len(line) for line in lines}) == 1
    table = rankassay.evaluate(qrels, runs, ["P@5", "nDCG@10"], "trec")
    assert process.stderr.endswith(f"\n\n{rankassay.describe(table)}\n")


def test_the_command_prints_csv_and_json_with_all_digits(command, files):
    _, qrels, runs = files
    options = ["-m", "P(denominator='listed')@5", "RBP@10"]
    table = pd.read_csv(io.StringIO(command(*options, "--csv").stdout)).set_index("run")
    rows = json.loads(command(*options, "--json").stdout)
    for row, (name, run) in zip(rows, runs.items(), strict=True):
        expected = rankassay.evaluate(qrels, run, [options[1], options[2]])
        assert table.loc[name].to_dict() == expected.to_dict()
        assert row == {"run": name} | expected.to_dict()


def test_the_command_prints_users_and_intervals(command):
    process = command("-m", "P@5", "--per-user", "--csv", "--users", "listed")
    table = pd.read_csv(io.StringIO(process.stdout))
    assert table.columns.tolist() == ["run", "user", "P@5"]
    assert set(table.run) == {"first", "second"}
    process = command("-m", "P@5", "RR", "--confidence", "0.9")
    lines = process.stdout.splitlines()
    assert lines[0].split() == ["run", "metric", "value", "low", "high"]
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("arguments", "runs", "message"),
    [
        (["-m", "nDGC@5"], ["first.run"], "did you mean 'nDCG'"),
        (["--profile", "terc"], ["first.run"], "did you mean 'trec'"),
        ([], ["nowhere.run"], "nowhere.run"),
        ([], ["qrels.txt"], "line 1: expected 6 columns"),
    ],
)
def test_the_command_tells_of_mistakes_in_one_line(command, arguments, runs, message):
    process = command(*arguments, runs=runs)
    assert process.returncode == 1
    assert process.stderr.count("\n") == 1
    assert process.stderr.startswith("rankassay evaluate: ")
    assert message in process.stderr


def test_the_commands_manual_has_an_example(command):
    process = command("--help")
    assert "python -m rankassay evaluate qrels.txt mine.run" in process.stdout
    assert "AverageInformedness" in process.stdout


SYSTEMS = {"random": "Random", "popularity": "Popularity", "puresvd": "PureSVD"}


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory, snakemake):
    """Return the folder of a small run with TREC files."""
    folder = tmp_path_factory.mktemp("run")
    targets = ["trec", "results/tiny/means.csv"]
    chosen = ['datasets=["tiny"]', f"recommenders={json.dumps([*SYSTEMS])}"]
    config = ["--configfile", ROOT / "config/test.yaml", "--config", *chosen]
    process = snakemake(folder, *targets, "--cores", 1, *config)
    assert process.returncode == 0, process.stderr + process.stdout
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("recommender", SYSTEMS)
def test_exported_files_give_the_pipelines_means(run_folder, recommender):
    means = pd.read_csv(run_folder / "results/tiny/means.csv")
    means = means[means.system == SYSTEMS[recommender]]
    metrics = [f"{row.metric}@{row.cutoff}" for row in means.itertuples()]
    qrels, run = (run_folder / "results/tiny/trec" / n for n in ("qrels.txt", f"{recommender}.run"))
    found = rankassay.evaluate(qrels, run, metrics)
    np.testing.assert_allclose(found, means["mean"], rtol=0, atol=1e-12)
    # trec_eval has cut-offs for these only.
    nested = [
        {
            u: dict(zip(own.item, own[value].astype(kind), strict=True))
            for u, own in table.groupby("user")
        }
        for table, value, kind in (
            (rankassay.read_qrels(qrels), "rating", int),
            (rankassay.read_run(run), "score", float),
        )
    ]
    own = [metric for metric in metrics if metric.partition("@")[0] in TREC]
    theirs = by_trec_eval(*nested, own).sum() / len(nested[0])
    np.testing.assert_allclose(found[own], theirs, rtol=0, atol=1e-12)


def test_the_pipelines_arrays_give_the_same(run_folder):
    test = read_matrix(run_folder / "results/tiny/split/test.npz")
    rankings = Rankings.load(run_folder / "results/tiny/rankings/puresvd.npz")
    judgements = Judgements.of(test, 4)
    folder = run_folder / "results/tiny/trec"
    metrics = ["P@5", "nDCG@10", "Bpref", "Judged"]
    expected = rankassay.evaluate(folder / "qrels.txt", folder / "puresvd.run", metrics)
    for run, depth in ((rankings, None), (Lists.of(rankings, judgements), rankings.depth)):
        found = rankassay.evaluate(judgements, run, metrics, depth=depth)
        np.testing.assert_allclose(found, expected, rtol=1e-13)
    users = rankassay.evaluate(judgements, rankings, metrics, per_user=True)
    assert users.user.tolist() == judgements.users.tolist()


def test_files_of_another_run_are_refused(run_folder):
    from rankassay.artifacts.arrays import Ratings
    from rankassay.data.trec import judgements, lists

    ratings = Ratings.load(run_folder / "data/processed/tiny/ratings.npz")
    rankings = Rankings.load(run_folder / "results/tiny/rankings/random.npz")
    with pytest.raises(RankassayError, match="expected 59 users"):
        lists(rankings, ratings.user_ids[1:], ratings.item_ids)
    with pytest.raises(RankassayError, match="expected 60 users and 7 items"):
        judgements(ratings.matrix, ratings.user_ids, ratings.item_ids[:7])

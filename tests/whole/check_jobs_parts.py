"""Jobs that take some measures, pairs or users at a time write the bytes of those that take all."""

import made_up
import numpy as np
import pandas as pd
import pytest
from settings_of import settings_of

from rankassay.artifacts import shards
from rankassay.artifacts.arrays import Ratings, read_matrix, write_matrix
from rankassay.artifacts.mapped import StoredScores
from rankassay.artifacts.shards import Shard
from rankassay.artifacts.tables import read_table
from rankassay.cli.job import do
from rankassay.errors import RankassayError
from rankassay.jobs import analyse
from rankassay.jobs.analyse import LOADERS, shares
from rankassay.statistics import bootstrap, paired_tests, power_analysis, significance
from rankassay.studies.sampling import systems as sampled

MEASURES = ["P@5", "P@20", "nDCG@5", "nDCG@20", "AP@20", "RR"]
NAMES = [f"system-{number}" for number in range(5)]
ANALYSES = {
    "robustness/cutoff-correlation": (["scores"], {"resamples": 40}),
    "robustness/metric-correlation": (["scores"], {"resamples": 40}),
    "robustness/p-values": (["scores"], {"samples": 300}),
    "robustness/discriminative-power": (["scores", "p_values"], {"replicates": 50}),
    "robustness/power-differences": (["scores", "p_values"], {"replicates": 50}),
    "robustness/as-run-p-values": (["test"], {"samples": 300}),
    "robustness/as-run": (["test", "p_values"], {"replicates": 50}),
    "reliability/generalizability": (["scores"], {}),
    "reliability/split-half": (["scores"], {"repetitions": 5}),
    "reliability/swap-rates": (["scores"], {"repetitions": 5}),
    "reliability/required-users": (["scores"], {"samples": 50, "resampled_cutoffs": [5]}),
    "reliability/power": (["scores"], {}),
    "reliability/type-errors": (["scores"], {"trials": 20, "samples": 30, "audited_cutoffs": [5]}),
    "aggregation/groups": (
        ["train", "test"],
        {"samples": 2, "cutoffs": [5], "tests": 9, "groups": 2, "levels": [50], "resamples": 40},
    ),
    "definitions/choices": (["test"], {"samples": 50, "cutoffs": [5]}),
    "goals/discriminative-power": (["test"], {"samples": 50, "cutoffs": [5]}),
    "goals/metric-correlation": (["test"], {"cutoffs": [5]}),
    "sampling/values": (["train", "test"], {"cutoffs": [5], "sizes": [3]}),
}


def test_a_share_goes_on_in_the_next_setting_and_repetitions_are_numbered():
    settings = {"metrics": ["P", "R"], "definitions": {"AP": 1, "RR": 2}, "repetitions": 3}
    assert shares(settings, Shard(2, 3)) == {
        "metrics": [],
        "definitions": {"AP": 1, "RR": 2},
        "repetitions": range(0),
    }
    for count in (1, 4, 7, 9):
        parts = [shares(settings, Shard(n, count)) for n in range(1, count + 1)]
        assert [m for part in parts for m in part["metrics"]] == ["P", "R"]
        assert [m for part in parts for m in part["definitions"].items()] == [("AP", 1), ("RR", 2)]
        assert [n for part in parts for n in part["repetitions"]] == [0, 1, 2]


@pytest.fixture(scope="module")
def split(tmp_path_factory):
    """Write a test matrix and the rankings of five systems, and return the folder."""
    folder = tmp_path_factory.mktemp("split")
    train, test, rankings = made_up.study(n_systems=5, trained=0.2, tested=0.6)
    write_matrix(train, folder / "train.npz")
    write_matrix(test, folder / "test.npz")
    for name, ranking in zip(NAMES, rankings.values(), strict=True):
        ranking.save(folder / f"{name}.npz")
    return folder


def analysed(split, name, inputs, changes, output, evaluation, **more):
    """Run an analysis with some settings on the files of its inputs, which have the systems'."""
    given = {"name": name, "dataset": "mine", "inputs": inputs, "evaluation": {**evaluation}}
    if "test" in inputs:
        given["rankings"] = {own: split / f"{own}.npz" for own in NAMES}
    do("analyse", given | {"settings": settings_of(name, **changes), "seed": 1} | more | output)


def written(split, folder):
    """Run the jobs, and return the bytes of what they write by name."""
    evaluation = made_up.evaluation(MEASURES) | {"metrics": ["P", "nDCG", "RR"], "cutoffs": [5, 20]}
    rankings = {name: split / f"{name}.npz" for name in NAMES}
    paths = {"scores": folder / "scores.npz", "p_values": folder / "p-values.csv"}
    paths |= {name: split / f"{name}.npz" for name in ("train", "test")}
    given = {"test": paths["test"], "rankings": rankings, "evaluation": evaluation}
    do("score", given | {"output": paths["scores"]})
    output = folder / "means.csv"
    do("means", {"scores": paths["scores"], "aggregate": "mean", "output": output})
    for name, (inputs, changes) in ANALYSES.items():
        own = paths | {"p_values": folder / "as-run-p-values.csv"} if "as-run" in name else paths
        short = name.removeprefix("robustness/").replace("/", "-")
        output = {"output": [folder / f"{short}.csv", folder / f"{short}.npz"]}
        analysed(split, name, {key: own[key] for key in inputs}, changes, output, evaluation)
    return {path.name: path.read_bytes() for path in folder.glob("[a-z]*")}


@pytest.mark.parametrize("together", [1, 2])
def test_what_is_looked_at_at_a_time_changes_no_byte(split, tmp_path, monkeypatch, together):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    whole.mkdir()
    parts.mkdir()
    expected = written(split, whole)
    n_users = len(StoredScores.load(whole / "scores.npz").users)
    monkeypatch.setattr(shards, "AT_ONCE", 8 * n_users * 5 * together)
    monkeypatch.setattr(sampled, "BLOCK", 7)
    monkeypatch.setattr(significance, "CELLS", 3 * n_users)
    monkeypatch.setattr(bootstrap, "CELLS", 70)
    monkeypatch.setattr(bootstrap, "DRAWN", 70)
    monkeypatch.setattr(paired_tests, "SIGNS", 3 * n_users)
    monkeypatch.setattr(power_analysis, "CELLS", 3 * n_users)
    sizes = [len(part.measures) for part in StoredScores.load(whole / "scores.npz").parts()]
    assert sizes == [together] * (6 // together)
    found = written(split, parts)
    assert sorted(found) == sorted(expected)
    assert len(found) == 2 + 2 * len(ANALYSES)
    for name, content in expected.items():
        assert found[name] == content, name


@pytest.mark.parametrize("count", [1, 4, 6])
def test_jobs_that_share_the_p_values_read_the_file_of_all_scores(split, tmp_path, count):
    whole = written(split, tmp_path)["p-values.csv"]
    inputs, names = {"scores": tmp_path / "scores.npz"}, []
    for number in range(1, count + 1):
        names.append(tmp_path / f"part-{number}.csv")
        more = {"shard": [number, count], "output": {"output": [names[-1]]}, "evaluation": {}}
        analysed(split, "robustness/p-values", inputs, {"samples": 300}, **more)
    shards.join_tables(names, tmp_path / "joined.csv")
    assert (tmp_path / "joined.csv").read_bytes() == whole


def test_values_of_a_part_are_those_of_its_measures(split, tmp_path):
    written(split, tmp_path)
    whole = StoredScores.load(tmp_path / "scores.npz")
    part = StoredScores.load(tmp_path / "scores.npz", shards.Shard(2, 3))
    assert part.measures.tolist() == whole.measures[2:4].tolist()
    np.testing.assert_array_equal(part.values, whole.values[:, :, 2:4])
    [only] = part.parts()
    np.testing.assert_array_equal(only.values, part.values)


def test_what_is_done_in_turn_is_some_metrics_and_then_the_next_ones(split, tmp_path, monkeypatch):
    n_users = read_matrix(split / "test.npz").shape[0]
    monkeypatch.setattr(shards, "AT_ONCE", 8 * n_users * 5 * 2)  # two metrics at a cut-off
    asked = []

    def bounds(test, rankings, evaluation, *, metrics, cutoffs, beyond_list):
        asked.append(metrics)
        rows = [(metric, cutoff) for metric in metrics for cutoff in cutoffs]
        return pd.DataFrame(rows, columns=["metric", "cutoff"])

    monkeypatch.setattr(analyse, "load", lambda name: bounds)
    changes = {"metrics": ["P", "R", "AP", "RR", "ERR"], "cutoffs": [5]}
    inputs, output = {"test": split / "test.npz"}, {"output": [tmp_path / "bounds.csv"]}
    analysed(split, "unjudged/bounds", inputs, changes, output, made_up.evaluation(MEASURES))
    assert asked == [["P", "R"], ["AP", "RR"], ["ERR"]]
    assert read_table(tmp_path / "bounds.csv")["metric"].tolist() == ["P", "R", "AP", "RR", "ERR"]


def test_a_share_of_a_metric_that_samplers_by_popularity_do_not_have_is_a_table_without_rows(
    split, tmp_path
):
    inputs = {key: split / f"{key}.npz" for key in ("train", "test")}
    output = tmp_path / "out.csv"
    for name, more in (("values", {}), ("systems", {"samples": 20})):
        changes = {"metrics": ["AUC"], "cutoffs": [5], "sizes": [3]} | more
        given = (inputs, changes, {"output": [output]}, made_up.evaluation(MEASURES))
        heads = []
        for number in (1, 2):
            analysed(split, f"sampling/{name}", *given, shard=[number, 2])
            heads.append([*read_table(output).columns])
        assert heads[0] == heads[1]
        assert read_table(output).empty


def rough(rng, kind):
    """Return values of 300 users by four systems: plain, with gaps, or with small differences."""
    x = rng.random((300, 4)) ** 3
    if kind == "gaps":
        x[rng.random(x.shape) < 0.2] = np.nan
    if kind == "small":
        x[:, 1] = x[:, 0] + 1e-9 * rng.random(300)
        x[7] *= 100
    return x


@pytest.mark.parametrize("kind", ["plain", "gaps", "small"])
def test_sums_of_groups_are_those_of_their_users(kind, monkeypatch):
    """They are exact: the same bits as of users one by one, for any number of users at a time."""
    rng = np.random.default_rng(4)
    x, group = rough(rng, kind), rng.integers(0, 20, 300)
    times = rng.integers(0, 4, (9, 20)).astype(np.float64)
    pairs = bootstrap.Pairs.of(x)
    assert pairs.ragged == (kind != "plain")
    one_by_one, grouped = pairs.sums(times[:, group]), pairs.sums(times, group)
    monkeypatch.setattr(bootstrap, "CELLS", 41)
    in_blocks = bootstrap.Pairs.of(x).sums(times, group)
    first, second = np.triu_indices(4, k=1)
    d = x[:, first] - x[:, second]
    expected = {"count": ~np.isnan(d), "total": np.nan_to_num(d), "squares": np.nan_to_num(d) ** 2}
    for name, values in expected.items():
        np.testing.assert_allclose(
            getattr(grouped, name), times[:, group] @ values, rtol=1e-9, atol=1e-15
        )
        for other in (one_by_one, in_blocks):
            np.testing.assert_array_equal(getattr(grouped, name), getattr(other, name))


REFUSED = "expected no more parts than"


@pytest.mark.parametrize(
    ("name", "part", "said"),
    [
        ("robustness/p-values", [1, 9], REFUSED),  # there are six measures
        ("robustness/as-run-p-values", [1, 9], REFUSED),  # and three metrics
        ("robustness/metric-correlation", [1, 2], "has nothing that jobs can share"),
    ],
)
def test_a_part_that_has_nothing_to_do_is_refused(split, tmp_path, name, part, said):
    written(split, tmp_path)
    evaluation = made_up.evaluation(MEASURES) | {"metrics": ["P", "nDCG", "RR"]}
    inputs, changes = ANALYSES[name]
    paths = {"scores": tmp_path / "scores.npz", "test": split / "test.npz"}
    output = {"output": [tmp_path / "part.csv", tmp_path / "part.npz"]}
    given = ({key: paths[key] for key in inputs}, changes, output, evaluation)
    with pytest.raises(RankassayError, match=said):
        analysed(split, name, *given, shard=part)
    assert not (tmp_path / "part.csv").exists()
    if name == "robustness/p-values":  # the scores of a part alone
        analysed(split, name, *given, shard=part, own_scores=True)


def test_of_a_dataset_that_is_read_for_its_aspects_the_ratings_are_let_go(tmp_path):
    ids, has = np.array(["1", "2", "3"]), np.array([[True], [False], [True]])
    number = np.arange(3, dtype=np.int32)
    stars = number.astype(np.float32)
    Ratings(number, number, stars, ids, ids, None, has, np.array(["old"])).save(tmp_path / "r.npz")
    found = LOADERS["aspects"](tmp_path / "r.npz")
    np.testing.assert_array_equal(found.aspects, has)
    for array in (found.user, found.item, found.rating):
        assert len(array) == 0
        assert array.base is None  # a view would keep all of it

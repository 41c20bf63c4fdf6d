"""Results of finished runs as frames, figures from them, and the examples of public functions."""

import inspect
import shutil
import sys

import numpy as np
import pandas as pd
import pytest

import rankassay
from rankassay.artifacts.arrays import Scores
from rankassay.artifacts.files import checksum, record_of, write_json
from rankassay.artifacts.tables import write_table
from rankassay.errors import RankassayError
from rankassay.studies import ANALYSES, FIGURES

finished = sys.modules[rankassay.results.__module__]

LEVELS = [100, 60, 20]


def sparsity(tau):
    rows = [(metric, cutoff, level) for metric in "PR" for cutoff in (10, 5) for level in LEVELS]
    return pd.DataFrame(rows, columns=["metric", "cutoff", "level"]).assign(tau=tau)


CONFIG = {
    "datasets": ["other", "made"],
    "variants": {"again": {"of": "made", "label": "another split"}},
    "dataset_catalogue": {"made": {"kind": "synthetic", "label": "Made"}},
    "robustness": {"cutoff": 5},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a folder that holds what a run on two datasets might have left."""
    folder = tmp_path_factory.mktemp("run")
    for dataset, tau in (("made", 0.9), ("again", 0.8)):
        write_table(sparsity(tau), folder / f"results/{dataset}/robustness/sparsity.csv")
        own = pd.DataFrame({"dataset": "made", "statistic": ["users"], "value": [3]})
        write_table(own, folder / f"results/{dataset}/statistics.csv")
    values = np.arange(12.0).reshape(2, 3, 2)
    scores = Scores(values, np.array([4, 7], np.int32), np.array([*"abc"]), np.array(["P@5", "RR"]))
    scores.save(folder / "results/made/scores.npz")
    write_table(pd.DataFrame({"k": [1]}), folder / "results/constructed/goals/properties.csv")
    write_table(pd.DataFrame({"no": [1]}), folder / "results/tables/robustness/sparsity.csv")
    verdicts = {
        "study": "goals",
        "dataset": ["made", "again"],
        "reproduced": ["inconclusive", "holds"],
    }
    write_table(pd.DataFrame(verdicts), folder / "results/claims.csv")
    write_json({"config": CONFIG, "artifacts": {}}, folder / "results/manifest.json")
    return folder


def test_an_analysis_is_one_frame_of_all_datasets(run):
    table = rankassay.results("robustness/sparsity", run)
    assert [*table.columns] == ["dataset", "metric", "cutoff", "level", "tau"]
    assert table.groupby("dataset")["tau"].unique().to_dict() == {"made": [0.9], "again": [0.8]}
    assert len(table) == 2 * len(sparsity(0))
    assert table.index.is_unique
    one = rankassay.results("robustness/sparsity", run, "made")
    pd.testing.assert_frame_equal(one.drop(columns="dataset"), sparsity(0.9))
    two = rankassay.results("robustness/sparsity", run, ["again", "made"])
    assert [*two["dataset"].unique()] == ["again", "made"]


def test_what_needs_no_dataset_is_constructed(run):
    assert rankassay.results("goals/properties", run).values.tolist() == [["constructed", 1]]


def test_statistics_of_a_variant_are_called_by_its_name(run):
    table = rankassay.results("statistics", run)
    assert table["dataset"].tolist() == ["made", "again"]
    assert [*table.columns] == ["dataset", "statistic", "value"]


def test_scores_have_a_row_for_each_user_and_system(run):
    table = rankassay.results("scores", run)
    assert [*table.columns] == ["dataset", "user", "system", "P@5", "RR"]
    assert table["user"].tolist() == [4, 4, 4, 7, 7, 7]
    assert table["system"].tolist() == [*"abcabc"]
    assert table["P@5"].tolist() == [0, 2, 4, 6, 8, 10]
    assert table["RR"].tolist() == [1, 3, 5, 7, 9, 11]


def test_claims_are_those_of_all_studies(run):
    assert rankassay.results("claims", run)["reproduced"].tolist() == ["inconclusive", "holds"]
    assert rankassay.results("claims", run, "again")["reproduced"].tolist() == ["holds"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("robustness/sparsty",), ["did you mean 'robustness/sparsity'?", "goals/roc", "means"]),
        (("robustness/popularity",), ["no results of", "snakemake --cores 2 robustness"]),
        (("diversity/axioms",), ["snakemake --cores 2 diversity"]),
        (("means",), ["snakemake --cores 2 robustness"]),
        (("goals/constructed-claims",), ["snakemake --cores 2 claims"]),
        (("fidelity",), ["snakemake --cores 2 fidelity"]),
        (("robustness/sparsity", "mode"), ["did you mean 'made'?", "again"]),
    ],
)
def test_what_is_not_there_is_said_with_what_to_do(run, arguments, words):
    with pytest.raises(RankassayError) as error:
        rankassay.results(arguments[0], run, *arguments[1:])
    assert all(word in str(error.value) for word in words)


def test_every_name_of_a_result_can_be_asked_for(tmp_path):
    for name in [*ANALYSES, *finished.OF_DATASETS, "claims"]:
        with pytest.raises(RankassayError, match=f"no results of {name}"):
            rankassay.results(name, tmp_path)


def titles(figure):
    return [axes.get_title() for axes in figure.axes if axes.get_title()]


def drawn_lines(axes):
    """Return the last value of every line that has a name."""
    lines = {line.get_label(): line.get_ydata()[-1] for line in axes.lines}
    return {name: value for name, value in lines.items() if not name.startswith("_")}


def test_a_figure_is_that_of_the_run_as_it_was_configured(run):
    figure = rankassay.draw("robustness/figure-6", run)
    assert titles(figure) == ["Made (synthetic)", "Made (synthetic), another split"]
    assert [drawn_lines(axes) for axes in figure.axes[:2]] == [
        *({"P": 0.9, "Recall": 0.9}, {"P": 0.8, "Recall": 0.8})
    ]
    assert figure.get_layout_engine() is None  # it is laid out, even if it is not used
    assert figure._repr_png_().startswith(b"\x89PNG")
    one = rankassay.draw("robustness/figure-6", run, "made", titles={"made": "Mine"})
    assert titles(one) == ["Mine"]


def test_a_cut_off_that_follows_the_data_is_that_of_the_advice_on_all_datasets(tmp_path):
    table = sparsity(0.9)
    table.loc[table["cutoff"] == 5, "tau"] = 0.7
    for dataset in ("made", "other"):
        write_table(table, tmp_path / f"results/{dataset}/robustness/sparsity.csv")
    auto = {"robustness": {"cutoff": "auto"}, "metrics": {"cutoffs": [5, 10]}}
    write_json({"config": CONFIG | auto, "artifacts": {}}, tmp_path / "results/manifest.json")

    def tau():
        figure = rankassay.draw("robustness/figure-6", tmp_path, "made")
        return drawn_lines(figure.axes[0])["P"]

    assert tau() == 0.9  # no advice: the deepest
    for dataset, cutoff in (("other", 50), ("made", 5)):
        write_json({"data": {"cutoff": cutoff}}, tmp_path / f"results/{dataset}/advice.json")
        assert tau() == (0.9 if dataset == "other" else 0.7)


def test_a_panel_for_each_metric_or_for_those_asked_for(run):
    assert len(titles(rankassay.draw("robustness/figure-2", run, "made"))) == 2
    assert titles(rankassay.draw("robustness/figure-2", run, "made", metrics="R")) == [
        "Recall · Made (synthetic)"
    ]
    with pytest.raises(RankassayError, match="has no panel for each metric"):
        rankassay.draw("robustness/figure-6", run, metrics="R")


def test_a_frame_is_drawn_at_its_deepest_cutoff_or_the_one_asked_for():
    table = sparsity(0.5)
    table.loc[table["cutoff"] == 10, "tau"] = 0.75
    for cutoff, tau in ((None, 0.75), (10, 0.75), (5, 0.5)):
        figure = rankassay.draw("robustness/figure-6", table, cutoff=cutoff)
        assert drawn_lines(figure.axes[0]) == {"P": tau, "Recall": tau}


def test_a_result_without_rows_is_told(tmp_path):
    table = pd.DataFrame(columns=["metric", "cutoff", "low", "high"])
    write_table(table, tmp_path / "results/across/reliability/metrics-across.csv")
    with pytest.raises(RankassayError, match="expected rows at a cut-off to show, found none"):
        rankassay.draw("reliability/metrics-across", tmp_path)


def test_the_robustness_of_ones_own_runs_is_drawn():
    qrels = {f"u{u}": {f"i{i}": 5 - (u + i) % 3 for i in range(6)} for u in range(5)}
    runs = {
        name: {user: {item: hash_of(name, item) for item in items} for user, items in qrels.items()}
        for name in "abc"
    }
    table = rankassay.robustness(qrels, runs, ["P@3", "RR@3"], levels=[100, 50], samples=3)
    figure = rankassay.draw("robustness/figure-6", table)
    assert [*drawn_lines(figure.axes[0])] == ["P", "MRR"]
    assert len(figure.axes[0].collections) == 2  # the bands of the samples


def hash_of(name, item):
    return ord(name) * ord(item[1]) % 7


def test_a_figure_of_one_dataset_asks_which(run):
    table = pd.DataFrame({"dataset": ["one", "two"], "cutoff": 10})
    with pytest.raises(RankassayError, match="shows one dataset; give datasets= one of one, two"):
        rankassay.draw("sampling/power", table)
    with pytest.raises(RankassayError, match="did you mean 'robustness/figure-6'"):
        rankassay.draw("robustness/figure6", run)


def test_panels_are_those_that_the_entry_of_a_figure_gives():
    entry = FIGURES["robustness/figure-2"]
    assert entry.shown({"a": "A"}, 10) == [{"dataset": "a", "title": "A", "cutoff": 10}]
    shown = entry.shown({"a": "A", "b": "B"}, 10, ["P", "R"])
    assert [(panel["dataset"], panel["metric"]) for panel in shown] == [
        *(("a", "P"), ("a", "R"), ("b", "P"), ("b", "R"))
    ]


@pytest.mark.parametrize("name", rankassay.__all__)
def test_every_public_function_has_an_example(name):
    public = getattr(rankassay, name)
    if inspect.isfunction(public):
        assert "\nExamples\n--------\n" in inspect.getdoc(public)
    else:
        assert public is RankassayError


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        {"config": 5},
        {"config": {"datasets": None, "variants": {}, "dataset_catalogue": {}}},
        {"config": CONFIG | {"variants": {"x": {"of": "none", "label": "y"}}}},
        {"config": CONFIG | {"robustness": None}},
        {"config": CONFIG | {"robustness": {"cutoff": "auto"}}},
        {"config": CONFIG | {"robustness": {"cutoff": "auto"}, "metrics": {"cutoffs": []}}},
        {"config": CONFIG | {"robustness": {"cutoff": "car"}}},
        {"config": CONFIG | {"datasets": [[]]}},
    ],
)
def test_what_is_no_manifest_is_refused_in_one_line(tmp_path, content):
    write_table(sparsity(0.9), tmp_path / "results/made/robustness/sparsity.csv")
    write_json(content, tmp_path / "results/manifest.json")
    uses = {"robustness/sparsity": rankassay.results, "robustness/figure-6": rankassay.draw}
    for name, use in uses.items():
        with pytest.raises(RankassayError, match="expected the manifest of a run") as error:
            use(name, tmp_path)
        assert len(str(error.value).splitlines()) == 1


@pytest.fixture
def certified(tmp_path):
    """Return two tables of a run, by level, that its manifest names."""
    paths = [tmp_path / f"results/{name}/robustness/sparsity.csv" for name in ("made", "again")]
    for path, tau in zip(paths, (0.9, 0.8), strict=True):
        write_table(sparsity(tau), path)
    artifacts = {path.relative_to(tmp_path).as_posix(): checksum(path) for path in paths}
    write_json({"config": CONFIG, "artifacts": artifacts}, tmp_path / "results/manifest.json")
    return paths


def without_record(one, other):
    """Alter a table whose record is gone."""
    record_of(one).unlink()
    one.write_text(one.read_text().replace("0.9", "0.8"))


def swapped(one, other):
    """Put a table and its record in the place of another with its own."""
    for first, second in ((one, other), (record_of(one), record_of(other))):
        contents = first.read_bytes(), second.read_bytes()
        second.write_bytes(contents[0])
        first.write_bytes(contents[1])


def altered(one, other):
    """Write other numbers and their record, as a later run that did not end."""
    write_table(sparsity(0.7), one)


@pytest.mark.parametrize("fault", [without_record, swapped, altered])
def test_what_the_manifest_contradicts_is_not_read_whatever_its_record_says(
    certified, tmp_path, fault
):
    assert set(rankassay.results("robustness/sparsity", tmp_path)["tau"]) == {0.9, 0.8}
    fault(*certified)
    for name, use in {
        "robustness/sparsity": rankassay.results,
        "robustness/figure-6": rankassay.draw,
    }.items():
        with pytest.raises(
            RankassayError, match=r"sparsity\.csv: expected the bytes that results/manifest\.json"
        ) as error:
            use(name, tmp_path)
        assert len(str(error.value).splitlines()) == 1


def test_claims_and_scores_are_those_of_the_manifest_too(run, tmp_path):
    shutil.copytree(run, tmp_path, dirs_exist_ok=True)
    for name, path in (("claims", "claims.csv"), ("scores", "made/scores.npz")):
        artifacts = {f"results/{path}": "0" * 64}
        write_json({"config": CONFIG, "artifacts": artifacts}, tmp_path / "results/manifest.json")
        with pytest.raises(
            RankassayError, match=f"{path}: expected the bytes that results/manifest"
        ):
            rankassay.results(name, tmp_path)


def test_what_the_manifest_does_not_name_is_read(certified, tmp_path):
    write_table(sparsity(0.6), tmp_path / "results/third/robustness/sparsity.csv")
    assert 0.6 in set(rankassay.results("robustness/sparsity", tmp_path)["tau"])

"""The whole study on the smallest configuration, run as a user would run it."""

import base64
import hashlib
import itertools
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from declared import faults

import rankassay
from rankassay.answers import findings, words
from rankassay.artifacts.arrays import Replicates, read_matrix
from rankassay.drawing import style
from rankassay.errors import RankassayError
from rankassay.plan.steps import BY_MEASURE
from rankassay.studies import ANALYSES

ROOT = Path(__file__).parents[2]
# One study whole and a table of another: .ci/run makes all of them, on the demo's data.
TARGETS = ["robustness", "results/tables/definitions/discrepancies.md"]
TEST = ["--configfile", ROOT / "config/test.yaml"]
KINDS = ("results", "figures", "data")


def contents(folder):
    """Return the checksum of every artifact, without run times and the list of all artifacts."""
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
        for kind in KINDS
        for path in sorted((folder / kind).rglob("*"))
        if path.is_file() and "benchmarks" not in path.parts and path.name != "manifest.json"
    }


def planned(process):
    """Return the rules, and how many jobs of each, of a dry run, or one that is not short."""
    text = process.stdout + process.stderr
    table = re.search(r"^job +count\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    if not table:
        return {}
    rows = (line.split() for line in table[1].splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory, copy_of_the_code):
    """Return a copy of the project's code, in a folder whose name is not plain."""
    folder = tmp_path_factory.mktemp("a place") / "assäyer"
    copy_of_the_code(folder)
    return folder


@pytest.fixture(scope="module")
def finished(checkout, snakemake):
    """Return the folder of a finished run on one core."""
    process = snakemake(
        checkout, *TARGETS, "--cores", 1, *TEST, snakefile=checkout / "workflow/Snakefile"
    )
    assert process.returncode == 0, process.stderr + process.stdout
    return checkout


def rerun(folder, snakemake, *arguments):
    options = ["--cores", 1, *TEST, *arguments]
    return snakemake(folder, *TARGETS, *options, snakefile=folder / "workflow/Snakefile")


def test_every_figure_and_table_is_there(finished):
    for number in range(1, 9):
        for kind in ("pdf", "svg", "png"):
            assert (finished / f"figures/robustness/figure-{number}.{kind}").stat().st_size > 1000
            if number <= 4:
                for dataset in ("tiny", "other"):
                    path = finished / f"figures/robustness/{dataset}/figure-{number}.{kind}"
                    assert path.stat().st_size > 1000
    for number in (1, 2, 3):
        for kind in ("csv", "md", "tex"):
            path = finished / f"results/tables/robustness/table-{number}.{kind}"
            assert path.stat().st_size > 50


def test_one_figure_and_one_table_sum_up_all_datasets(finished):
    for path in ("figures/robustness/summary.png", "results/tables/robustness/summary.md"):
        assert (finished / path).stat().st_size > 1000
    assert "Other data (synthetic)" in (finished / "figures/robustness/summary.svg").read_text()
    table = pd.read_csv(finished / "results/tiny/robustness/summary.csv")
    assert set(table.criterion) == {"sparsity", "popularity", "power", "overall", "validity"}
    assert len(table) == 5 * 7 * 3
    # There is no truth, but it is said how much selection would change the winner.
    without = table[table.criterion == "validity"]
    assert without["value"].isna().all()
    assert without["sensitivity_leader"].notna().all()


def test_python_says_what_the_summary_says(finished):
    said = rankassay.summary(finished, cutoff=5)
    table = pd.read_csv(finished / "results/tiny/robustness/summary.csv")
    assert [*said.sentences] == ["Tiny data (synthetic)", "Other data (synthetic)"]
    assert said.sentences["Tiny data (synthetic)"] == words.sentences(table, 5)
    assert str(said).startswith("Tiny data (synthetic)\n  ")
    assert set(rankassay.summary(finished, "robustness", "tiny").table["dataset"]) == {"tiny"}
    with pytest.raises(RankassayError, match="no results of goals/summary"):
        rankassay.summary(finished, "goals")
    with pytest.raises(RankassayError, match="expected one of 5, 10, 20, found 7"):
        rankassay.summary(finished, cutoff=7)


def test_the_split_counts_the_ratings_of_users(finished):
    table = pd.read_csv(finished / "results/tiny/split/summary.csv").set_index("part")
    for part in ("train", "test"):
        matrix = read_matrix(finished / f"results/tiny/split/{part}.npz")
        counts = np.bincount(matrix.nonzero()[0])
        counts = counts[counts > 0]
        quartiles = ["ratings_q1", "ratings_median", "ratings_q3"]
        assert list(table.loc[part, quartiles]) == list(np.percentile(counts, [25, 50, 75]))
        assert table.loc[part, "users"] == len(counts)


def test_python_draws_what_the_workflow_drew(finished, tmp_path):
    figure = rankassay.draw("robustness/figure-6", finished)
    style.save(figure, tmp_path / "figure-6")
    for kind in ("pdf", "svg", "png"):
        made = finished / f"figures/robustness/figure-6.{kind}"
        assert made.read_bytes() == (tmp_path / made.name).read_bytes()


def test_the_definitions_of_the_metrics_are_compared(finished):
    for dataset in ("tiny", "other"):
        table = pd.read_csv(finished / f"results/{dataset}/definitions/discrepancies.csv")
        profiles = table[table.source.isin(["paper", "trec", "as-run", "blog", "rendle"])]
        assert len(profiles) == 5 * 8 * 2 * 4
        assert (table.unexplained.fillna(0) == 0).all()
        assert (table[table.source == "blog"].reason != "same definition").all()
    for kind in ("csv", "md", "tex"):
        assert (finished / f"results/tables/definitions/discrepancies.{kind}").stat().st_size > 50


def test_nothing_was_published_about_synthetic_data(finished):
    assert len(pd.read_csv(finished / "results/tiny/robustness/published.csv")) == 0
    for kind in ("md", "tex"):
        path = finished / f"results/tables/robustness/published.{kind}"
        assert "No dataset of this run has published numbers" in path.read_text()


def test_synthetic_data_is_called_synthetic(finished):
    assert "(synthetic)" in (finished / "results/tables/robustness/table-2.md").read_text()
    assert "(synthetic)" in (finished / "figures/robustness/figure-8.svg").read_text()


def test_means_and_correlations_are_complete(finished):
    means = pd.read_csv(finished / "results/tiny/means.csv")
    assert len(means) == 4 * 7 * 3
    assert set(means.system) == {"Random", "Popularity", "Rocchio's Weights", "PureSVD"}
    ndcg = means[(means.metric == "nDCG") & (means.cutoff == 20)].set_index("system")["mean"]
    assert ndcg["Random"] < ndcg["Popularity"]


def test_columns_are_declared_and_their_values_lie_in_their_bounds(finished):
    tables = [*finished.glob("results/tiny/*/*.csv"), *finished.glob("results/other/*/*.csv")]
    assert len(tables) > 40
    assert [fault for path in tables for fault in faults(path)] == []


def test_rows_that_jobs_may_share_are_in_the_order_of_the_measures(finished):
    """The rows of each measure stand together, so that those of some measures can be joined."""
    cutoffs = [5, 10, 20]
    metrics = ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP"]
    shared = [name for name, analysis in ANALYSES.items() if analysis.shared == ("measures",)]
    shared = [name for name in shared if name.startswith("robustness/")]
    assert len(shared) == 4
    for name in ("means", *shared):
        table = pd.read_csv(finished / f"results/tiny/{name}.csv")
        measures = table[["metric", "cutoff"]].itertuples(index=False, name=None)
        blocks = [measure for measure, _ in itertools.groupby(measures)]
        assert blocks == list(itertools.product(metrics, cutoffs))


def test_replicates_lie_beside_the_tables_that_they_are_of(finished):
    replicated = {name for name, entry in ANALYSES.items() if entry.replicated}
    own = {name for name in replicated if name.startswith("robustness/")}
    own -= {"robustness/families", "robustness/claims"}  # of which there are none about the data
    assert len(own) == 8
    for dataset in ("tiny", "other"):
        for name in own:
            path = finished / f"results/{dataset}/{name}"
            table = pd.read_csv(path.with_suffix(".csv"))
            found = Replicates.load(path.with_suffix(".npz"))
            assert str(found.column) in table
            assert len(found.values) == len(table)
            assert found.values.shape[1] >= 40
        # The others write none.
        files = (finished / f"results/{dataset}/robustness").glob("*.npz")
        assert {f"robustness/{path.stem}" for path in files} == own
    # What compares reads them: there are intervals, and no ranks of metrics judged by four systems.
    table = pd.read_csv(finished / "results/tiny/robustness/summary.csv")
    assert (
        table.loc[table["criterion"].isin(findings.CRITERIA), ["low", "high"]]
        .notna()
        .all(axis=None)
    )
    ranked = ["rank", "behind", "behind_low", "apart", "cutoff_rank", "cutoff_apart"]
    assert table[ranked].isna().all(axis=None)


def test_one_job_collects_verdicts_and_adds_them_up(finished, snakemake):
    made = [f"results/{name}.csv" for name in ("claims", "claims-totals", "claims-sentences")]
    options = ["--cores", 1, "-n", "-p", *TEST]
    process = snakemake(finished, *made, *options, snakefile=finished / "workflow/Snakefile")
    assert planned(process)["collect_claims"] == 1, process.stderr + process.stdout


def test_the_manifest_names_every_artifact(finished):
    manifest = json.loads((finished / "results/manifest.json").read_text())
    assert manifest["artifacts"] == {
        path.as_posix(): sha
        for path, sha in contents(finished).items()
        if not path.name.startswith(".")
    }
    assert "tiny/train" in manifest["splits"]
    assert "src/rankassay/jobs/score.py" in manifest["code"]


def test_a_second_run_has_nothing_to_do(finished, snakemake):
    process = rerun(finished, snakemake)
    assert process.returncode == 0
    assert "Nothing to be done" in process.stdout + process.stderr


def test_two_cores_shards_and_another_folder_give_the_same_bytes(finished, snakemake, tmp_path):
    """Of what shards make; tests/dependability/determinism.py compares all other results."""

    def of_dataset(folder):
        found = contents(folder).items()
        own = {path: sha for path, sha in found if path.parts[:2] == ("results", "tiny")}
        # Without the records of files of shards, which are gone.
        return {path: sha for path, sha in own.items() if "shards" not in path.parts}

    targets = [f"results/tiny/{name}.csv" for name in BY_MEASURE if name.startswith("robustness")]
    targets += ["results/tiny/means.csv", "results/tiny/robustness/unjudged-users.csv"]
    options = ["--cores", 2, *TEST, "--config", "shards=2", "--printshellcmds"]  # and its plan
    process = snakemake(tmp_path, *targets, *options)
    assert process.returncode == 0, process.stderr + process.stdout
    shared = {"rank", "score_shard", "robustness_sparsity_part", "robustness_sparsity"}
    assert shared <= set(planned(process))
    made, expected = of_dataset(tmp_path), of_dataset(finished)
    assert made == {path: expected[path] for path in made}
    assert len(made) > 20


def test_a_changed_setting_reruns_one_system_and_what_depends_on_it(finished, snakemake, tmp_path):
    changed = tmp_path / "changed.yaml"
    changed.write_text("recommender_catalogue: {rocchio: {settings: {neighbours: 11}}}")
    process = snakemake(
        finished,
        *(*TARGETS, "--cores", 1, "-n", "-p", "--configfile", ROOT / "config/test.yaml", changed),
        snakefile=finished / "workflow/Snakefile",
    )
    jobs = planned(process)
    assert jobs["recommend"] == 2  # one a dataset
    assert jobs["score"] == 2
    assert not {"fetch", "prepare", "split"} & set(jobs)


def analysed(process):
    """Return the steps of a dry run, with their datasets, whether jobs share them or not."""
    jobs = re.findall(r"^Job \d+: Analyse (\w+): (.*?)(?:, part \d+)?$", process.stdout, re.M)
    return {f"{dataset}/{name}" for dataset, name in jobs}


# What reads values by the configured metrics.
OF_MEASURES = {"correlations", "sparsity", "popularity", "discriminative-power", "summary"}
OF_MEASURES |= {"selection", "reciprocal-ranks"}  # the latter reads their cut-offs


@pytest.mark.parametrize(
    ("changes", "again", "steps"),
    [
        # A metric: everything that reads the configured ones, and not the judgements or the
        # definitions.
        (
            {"metrics": {"names": ["P", "R", "AP", "nDCG", "RR", "Bpref", "infAP", "F1"]}},
            {"score": 2, "means": 2},
            OF_MEASURES,
        ),
        (
            {
                "metrics": {"cutoffs": [5, 10]},
                "robustness": {"cutoff": 10},
                "reliability": {"cutoff": 10},
            },
            {"score": 2},
            OF_MEASURES,
        ),
        # The mean over users: no user's value, and no p-value.
        (
            {"metrics": {"aggregate": "median"}},
            {"means": 2},
            {"correlations", "sparsity", "popularity", "summary", "choices", "reciprocal-ranks"},
        ),
        # A system: all but what reads no system.
        (
            {"recommenders": ["random", "popularity", "rocchio", "puresvd", "chi2"]},
            {"recommend": 2, "score": 2},
            OF_MEASURES | {"choices"},
        ),
        (
            {"definitions": {"cutoffs": [10]}},
            {},
            {"choices"},
        ),
    ],
)
def test_a_change_costs_what_reads_it(finished, snakemake, tmp_path, changes, again, steps):
    changed = tmp_path / "changed.yaml"
    changed.write_text(json.dumps(changes))
    options = ["--cores", 1, "-n", "-p", "--configfile", ROOT / "config/test.yaml", changed]
    process = snakemake(finished, *TARGETS, *options, snakefile=finished / "workflow/Snakefile")
    jobs = planned(process)
    assert again.items() <= jobs.items(), process.stdout
    kinds = {"fetch", "prepare", "split", "recommend", "score", "means"}
    assert kinds & {*jobs} == {*again} | ({"means"} if "score" in again else set())
    found = analysed(process)
    assert {name.rpartition("/")[2] for name in found} == steps
    assert len(found) == 2 * len(steps)  # on either dataset


@pytest.mark.parametrize("shards", [1, 2])
def test_a_threshold_above_all_ratings_is_found_when_they_are_split(snakemake, tmp_path, shards):
    changes = "dataset_catalogue={tiny: {threshold: 9}}", "datasets=[tiny]", f"shards={shards}"
    process = snakemake(tmp_path, "robustness", "--cores", 1, *TEST, "--config", *changes)
    assert process.returncode == 1
    said = "dataset_catalogue.tiny.threshold: no test rating reaches the threshold 9, the highest"
    assert f"{said} is 5: " in process.stdout + process.stderr
    assert not (tmp_path / "results/tiny/split/test.npz").exists()
    assert not (tmp_path / "results/tiny/rankings").exists()


def test_a_change_of_the_threshold_fits_no_model_again(finished, snakemake):
    changed = "dataset_catalogue={tiny: {threshold: 5}}"
    jobs = planned(rerun(finished, snakemake, "-n", "-p", "--config", changed))
    kinds = {"fetch", "prepare", "split", "recommend", "score"}
    assert kinds & {*jobs} == {"score"}
    assert jobs["score"] == 1


@pytest.mark.parametrize(
    ("module", "again", "untouched"),
    [
        ("recommenders/factorization.py", {"recommend": 2, "score": 2}, {"prepare", "split"}),
        ("metrics/average_precision.py", {"score": 2}, {"recommend", "split"}),
        (
            "drawing/incomplete.py",
            {"robustness_figures": 1},
            {"robustness_discriminative_power", "goals_figures"},
        ),
    ],
)
def test_an_edited_module_reruns_its_dependants(finished, snakemake, module, again, untouched):
    path = finished / "src/rankassay" / module
    before = path.read_bytes()
    try:
        path.write_bytes(before + b"\n# edited\n")
        jobs = planned(rerun(finished, snakemake, "-n", "-p"))
    finally:
        path.write_bytes(before)
    assert {rule: jobs.get(rule) for rule in again} == again
    assert not untouched & set(jobs)


def test_without_records_results_are_taken_only_where_the_manifest_says_so(
    finished, snakemake, tmp_path
):
    for kind in KINDS:
        shutil.copytree(finished / kind, tmp_path / kind)
    options = ["-n", "-p", "--cores", 1, *TEST]
    same = snakemake(tmp_path, *TARGETS, *options, snakefile=finished / "workflow/Snakefile")
    assert "Nothing to be done" in same.stdout + same.stderr
    other = [*options, "--config", "seed=77"]
    process = snakemake(tmp_path, *TARGETS, *other, snakefile=finished / "workflow/Snakefile")
    assert process.returncode == 1
    assert "the manifest is of another configuration" in process.stderr
    forced = snakemake(tmp_path, *TARGETS, *other, "-F", snakefile=finished / "workflow/Snakefile")
    assert planned(forced)["split"] == 2


def test_what_was_begun_is_made_again_without_being_asked_for(finished, snakemake, tmp_path):
    for kind in (*KINDS, ".snakemake/metadata"):
        shutil.copytree(finished / kind, tmp_path / kind)
    begun = base64.urlsafe_b64encode(b"results/tiny/means.csv").decode()
    (tmp_path / ".snakemake/incomplete").mkdir()
    (tmp_path / ".snakemake/incomplete" / begun).touch()
    options = ["-n", "-p", "--cores", 1, *TEST]
    process = snakemake(tmp_path, *TARGETS, *options, snakefile=finished / "workflow/Snakefile")
    assert process.returncode == 0, process.stderr
    assert planned(process)["means"] == 1


def test_the_report_is_one_page_with_all_figures(finished, snakemake):
    # What it embeds of jobs' parameters ends no script of its own.
    marked = 'dataset_catalogue={tiny: {label: "A </script><script>alert(1)</script> {x}"}}'
    process = rerun(finished, snakemake, "--config", marked, "--report", "report.html")
    assert process.returncode == 0, process.stderr
    text = (finished / "report.html").read_text()
    assert "figure-8.svg" in text
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert "table-3.csv" in text


def test_the_report_is_made_of_the_studies_that_it_is_asked_for(finished, snakemake):
    options = ["--cores", 1, *TEST, "--config", 'studies=["robustness"]', "--printshellcmds"]
    process = snakemake(finished, "report", *options, snakefile=finished / "workflow/Snakefile")
    assert process.returncode == 0, process.stderr + process.stdout
    # The summary is made anew: without the study of validity it says nothing of selection.
    made = {"report_contents", "report_page", "report"}
    made |= {"robustness_summary", "robustness_figures"}
    assert {*planned(process)} == {*made, "total"}
    assert planned(process)["robustness_summary"] == 2  # of either dataset
    page = (finished / "results/report.html").read_text(encoding="utf-8")
    assert re.findall("<h2>(.*)</h2>", page) == [
        *("Overview", "Robustness", "How it was run"),  # no paper is about the data
    ]
    figures = list((finished / "figures/robustness").rglob("*.svg"))
    # And the order of the runs on each dataset, which opens its card.
    assert page.count("<img ") == len(figures) + page.count('class="paper slopes"') > len(figures)
    manifest = json.loads((finished / "results/manifest.json").read_text())
    assert "results/report.html" not in manifest["artifacts"]
    (finished / "results/report.html").unlink()

"""The plan of a run, without Snakemake: what each job reads and is told."""

import copy
import functools
import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from each import each
from snakemake.rules import InputFiles, OutputFiles
from snakemake.utils import QuotedFormatter

from rankassay.artifacts.files import checksum, write_json
from rankassay.cli.job import read
from rankassay.config import layers
from rankassay.errors import RankassayError
from rankassay.plan import Plan
from rankassay.plan.analyses import of
from rankassay.plan.rules import files_and
from rankassay.studies import ANALYSES, STUDIES, TABLES
from rankassay.studies.entries import READABLE, Analysis, Table

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@functools.cache
def _read(name):
    return yaml.safe_load((ROOT / f"config/{name}.yaml").read_text())


@functools.cache
def _shipped():
    return layers.shipped(ROOT)


def shipped(*changes):
    """Return the configuration as it is shipped, with some changes."""
    own = functools.reduce(layers.over, changes, {})
    return copy.deepcopy(layers.whole(_shipped(), own))


def configured(*changes):
    """Return the configuration of the tests' data, with some changes."""
    return shipped(_read("test"), *changes)


@pytest.fixture(scope="module")
def plan():
    return Plan(configured(), ROOT)


def planned(*changes):
    return Plan(configured(*changes), ROOT)


def test_an_analysis_gets_what_it_declares_by_the_names_of_its_parameters(plan):
    found = plan.analyses.inputs(of("tiny", "robustness/discriminative-power"))
    assert found == {
        "scores": "results/tiny/scores.npz",
        "p_values": "results/tiny/robustness/p-values.csv",
    }
    summary = plan.analyses.inputs(of("tiny", "goals/summary"))
    assert summary["sparsity"] == "results/tiny/goals/sparsity.csv"
    assert summary["sparsity_replicates"] == "results/tiny/goals/sparsity.npz"


def reading(entry, inputs, optional=()):
    """Return an entry whose function has other inputs."""
    found = replace(entry)
    vars(found).update(inputs=inputs, optional=optional)
    return found


def test_two_inputs_of_one_name_are_told_apart(monkeypatch, plan):
    inputs = {"first": "robustness/summary", "second": "goals/summary"}
    entry = reading(ANALYSES["sampling/agreement"], inputs)
    monkeypatch.setitem(ANALYSES, "sampling/agreement", entry)
    assert plan.analyses.inputs(of("tiny", "sampling/agreement")) == {
        "first": "results/tiny/robustness/summary.csv",
        "second": "results/tiny/goals/summary.csv",
    }


def test_constructed_results_have_a_place_of_their_own(plan):
    assert plan.analyses.table("goals/examples", "tiny") == "results/constructed/goals/examples.csv"
    bias = plan.analyses.inputs(of("constructed", "goals/bias"))
    assert bias == {"examples": "results/constructed/goals/examples.csv"}


def test_what_trains_recommenders_is_left_out_where_there_are_none():
    """And so is what reads it."""
    none = planned({"datasets": ["tiny"]})
    none.systems.config["recommenders"] = []
    trains = [name for name, entry in ANALYSES.items() if entry.trains]
    assert len(trains) == 5
    for name in (*trains, "validity/worlds", "validity/constructed-claims"):
        assert not none.analyses.configured(name)
    assert none.analyses.configured("validity/closed-world")
    with pytest.raises(SystemExit):
        none.analyses.inputs(of("constructed", "validity/worlds-mixed"))


@each("name", ANALYSES)
def test_a_job_is_told_of_the_metrics_what_its_analysis_declares(plan, name):
    dataset = ANALYSES[name].place or "tiny"
    told = plan.analyses.evaluation(of(dataset, name))
    assert {*told} == {*ANALYSES[name].evaluation}
    assert {*told} <= {*READABLE}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "keys"),
    [
        ({"metrics": {"names": ["P", "nDCG"]}}, ("measures", "metrics")),
        ({"metrics": {"cutoffs": [5, 10, 15, 20]}}, ("measures", "cutoffs")),
        ({"metrics": {"profile": "trec"}}, ("profile",)),
        ({"metrics": {"aggregate": "median"}}, ("aggregate",)),
        ({"metrics": {"without_relevant": "nan"}}, ("without_relevant",)),
        ({"dataset_catalogue": {"tiny": {"threshold": 5}}}, ("threshold",)),
    ],
)
def test_a_change_is_told_to_those_who_declare_it_and_to_no_others(plan, change, keys):
    changed = planned(change, {"robustness": {"featured": {"metric": "P"}}})
    for name in filter(plan.analyses.configured, ANALYSES):
        entry = ANALYSES[name]
        dataset = entry.place or "tiny"
        wildcards = of(dataset, name)
        same = plan.analyses.evaluation(wildcards) == changed.analyses.evaluation(wildcards)
        assert same == {*keys}.isdisjoint(entry.evaluation), name
        assert plan.analyses.settings(wildcards) == changed.analyses.settings(wildcards)
        # Made-up data has no truth, and nobody claims anything about it.
        if entry.constructed or (not entry.place and not plan.systems.lacking(name, dataset)):
            assert plan.analyses.inputs(wildcards) == changed.analyses.inputs(wildcards)


def test_a_job_is_told_of_its_files_by_name(plan):
    found = plan.analyses.for_analyse(of("tiny", "robustness/sparsity"))
    assert found["inputs"] == {"test": "results/tiny/split/test.npz"}
    assert found["rankings"]["Rocchio's Weights"] == "results/tiny/rankings/rocchio.npz"


NAMES = [
    *(chr(code) for code in range(0x20, 0x7F)),
    *("SLIM (l2=100)", "--depth", "-x=%3D", "100 %", "%41", "{wildcards.dataset}", "${HOME} $(id)"),
    *("'", '"', "'\"\\", " blanks ", "é😀\u200d\u00a0", "a:b=c", "=", "==", "%"),
]


def test_names_that_people_give_reach_a_job_as_they_are(plan):
    """Through Snakemake's formatting of the command, and the shell."""
    rankings = {name: f"a=b %20/{number}.npz" for number, name in enumerate(NAMES)}
    text = plan.job("score", lambda wildcards: {"rankings": rankings})["job"](None)
    formatter = QuotedFormatter()
    command = formatter.format("cat <<< {job:q}$'\\n'{files:q}", job=text, files='{"output": "x"}')
    found = subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout
    assert read(found) == [("score", {"output": "x", "rankings": rankings})]


def test_no_name_or_title_is_markup_in_snakemakes_report(plan):
    script = "</script><script>alert(1)</script>"
    given = {"title": script, "tables": {script: [script]}}
    one = plan.job("figure", lambda wildcards: given)["job"](None)
    several = plan.jobs(lambda wildcards: [("figure", given)], None)["job"](None)
    assert not {*"<>"} & {*one, *several}
    assert [json.loads(one)] == json.loads(several) == [{"figure": given}]


def test_the_files_of_a_rule_are_told_by_its_names():
    several = InputFiles(toclone=["a.npz", "b.npz", "c.npz"])
    for name, start, end in (("test", 0, None), ("parts", 1, 2), ("none", 3, 3)):
        several._set_name(name, start, end=end)
    one, two = OutputFiles(toclone=["d.npz"]), OutputFiles(toclone=["d.npz", "e.csv"])
    two._set_name("table", 1)
    told = {"test": "a.npz", "parts": ["b.npz"]}
    found = files_and(lambda wildcards: {})(None, several, one)
    assert json.loads(found) == told | {"output": "d.npz"}
    found = files_and(lambda wildcards: {"threshold": 4})(None, several, two)
    assert json.loads(found) == told | {"table": "e.csv", "threshold": 4}


def test_what_a_dataset_is_without_ends_the_run_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("qrels.txt", "a.run", "b.run"):
        (tmp_path / name).write_text("")
    entry = {"kind": "qrels", "path": "qrels.txt", "threshold": 1}
    changes = {
        "datasets": ["judged"],
        "dataset_catalogue": {"judged": entry},
        "recommenders": [],
        "systems": {"runs": "*.run"},
    }
    plan = planned(changes)
    assert plan.analyses.datasets("robustness/popularity") == []
    assert "results/judged/robustness/sparsity.csv" in plan.report.inputs()
    with pytest.raises(SystemExit, match="'judged' is without training ratings"):
        plan.analyses.inputs(of("judged", "robustness/popularity"))
    assert "without training ratings: robustness/judgements" in plan.systems.left_out()
    said = plan.systems.left_out(["goals"])
    assert "without training ratings" not in said
    assert "without the number of items that could be listed: goals/groups," in said
    assert plan.systems.left_out([]) == ""
    rest = {"robustness": {"analyses": {"p-values": None}}}
    resting = planned(changes, rest).analyses.left_out()  # what it lacks anyway is said above
    assert "robustness/discriminative-power, robustness/power-differences, reli" in resting


def test_what_nobody_asked_for_by_name_is_counted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_text("u Q0 i 1 1 t\n")
    (tmp_path / "qrels.txt").write_text("u 0 i 5\n")
    entry = {"kind": "qrels", "label": "J", "path": "qrels.txt", "threshold": 4}
    changes = {"datasets": ["judged"], "dataset_catalogue": {"judged": entry}, "recommenders": []}
    plan = planned(changes | {"systems": {"runs": "*.run"}})
    first, second = plan.systems.left_out_in_short().splitlines()
    whole = plan.systems.left_out()
    names = re.search("without training ratings: (.*)", whole)[1].split(", ")
    assert f"Analyses skipped on judged: {len(names)} without training ratings, " in first
    assert "claims" not in first
    assert "docs/own-runs.md says how to give what is missing" in second
    assert planned({}).systems.left_out_in_short() == ""


def test_an_analysis_that_is_left_out_takes_what_reads_it_along():
    plan = planned({"robustness": {"analyses": {"p-values": None}}})
    outputs = plan.publications.of_study("robustness")
    assert "results/tables/robustness/table-1.csv" in outputs
    assert not [path for path in outputs if "figure-8." in path or "summary" in path]
    with pytest.raises(SystemExit, match="leaves this analysis out"):
        plan.analyses.settings(of("tiny", "robustness/p-values"))


def test_the_configured_studies_are_made_and_no_others():
    plan = planned({"studies": ["goals"]})
    assert {path.split("/")[1] for path in plan.targets if path.startswith("figures")} == {"goals"}
    assert plan.claims.files.keys() == {"goals"}
    assert [study["name"] for study in plan.report.contents["studies"]] == ["goals"]
    assert "results/report.html" in plan.targets


# Others take many times as long, and are made by runs that name them.
USUAL = [name for name, study in STUDIES.items() if not study.on_request]


def test_analyses_are_shared_where_the_configuration_has_shards():
    assert planned({"shards": 1}).shards.shared == []
    shards = planned({"shards": 2}).shards
    assert {"robustness/sparsity", "validity/semi-synthetic"} <= {*shards.shared}
    assert "robustness/summary" not in shards.shared
    one = {"validity": {"analyses": {"semi-synthetic": {"biases": ["mixed"]}}}}
    assert "validity/semi-synthetic" not in planned({"shards": 2}, one).shards.shared


def test_a_part_reads_the_scores_of_its_measures():
    shards = planned({"shards": 3}).shards
    wildcards = SimpleNamespace(dataset="tiny", name="robustness/p-values", shard="2")
    read, told = shards.inputs(wildcards)["scores"], shards.for_analyse(wildcards)
    assert read == told["inputs"]["scores"] == "results/tiny/shards/scores/2.npz"
    assert (told["shard"], told["own_scores"]) == ((2, 3), True)
    measures = SimpleNamespace(dataset="tiny", shard="2")
    assert shards.for_score(measures)["shard"] == (2, 3)
    users = SimpleNamespace(dataset="tiny", shard="2", recommender="slim")
    assert shards.for_rank(users)["shard"] == (2, 3)


def test_every_study_is_made_unless_others_are_chosen(plan):
    assert plan.studies == USUAL
    made = {path.split("/")[1] for path in plan.targets if path.startswith("figures")}
    assert made == {*USUAL}


def shown(plan):
    """Return what a run shows of papers without being asked."""
    return [path for path in plan.targets if "claims" in path], plan.report.contents["claims"]


CLAIM = """
- {id: a, where: w, claim: c, datasets: [ml-1m], value: {table: groups}, holds: {above: 0}}
"""


def test_of_data_that_no_paper_is_about_nothing_is_said_of_papers(plan, tmp_path):
    assert shown(plan) == ([], [])
    assert "results/claims.csv" in plan.claims_targets  # for who asks
    own = tmp_path / "mine.yaml"
    own.write_text(CLAIM)
    paths, studies = shown(planned({"claims": {"goals": str(own)}}))
    assert studies == ["goals"]
    assert "results/claims.csv" in paths
    assert not [path for path in paths if path.startswith("figures")]  # its claims have none


def test_claims_are_shown_of_data_that_they_are_about_and_of_what_is_judged_by_them():
    paths, studies = shown(planned({"datasets": ["ml-20m"]}))
    assert studies == ["diversity"]
    assert "figures/diversity/claims.svg" in paths
    assert "figures/robustness/claims.svg" not in paths
    claiming = [name for name in USUAL if STUDIES[name].claims.is_file()]
    assert shown(planned({"datasets": ["ml-100k"]}))[1] == claiming  # its entry names another


def test_a_file_of_claims_goes_before_that_of_the_study(tmp_path):
    own = tmp_path / "mine.yaml"
    own.write_text(CLAIM)
    plan = planned({"claims": {"goals": str(own)}})
    assert Path(plan.claims.path("goals")).resolve() == own
    assert Path(plan.claims.path("sampling")).resolve() == STUDIES["sampling"].claims


@pytest.mark.parametrize("table", ["constraints", "targets"])
def test_a_plan_depends_on_the_configuration_alone(plan, table):
    assert getattr(plan, table) == getattr(planned(), table)


def test_a_truth_is_read_where_a_dataset_has_one_and_all_its_items_are_ranked():
    again = {"of": "coat", "label": "again", "split_seed": 1}
    plan = planned({"datasets": ["tiny", "coat", "again"], "variants": {"again": again}})
    assert plan.systems.lacking("truth", "tiny") == "judgements of random items"
    for dataset in ("coat", "again"):
        wildcards = of(dataset, "any")
        assert plan.systems.lacking("truth", dataset) == ""
        assert plan.data.companion("truth", dataset) == "data/processed/coat/truth.npz"
        assert plan.data.candidates(wildcards) == "all_items"
        assert plan.analyses.table("truth", dataset) == "results/coat/truth.csv"
    assert plan.data.candidates(of("tiny", "any")) == "test_items"
    assert plan.analyses.datasets("truth") == ["coat"]
    assert plan.analyses.datasets("statistics") == ["tiny", "coat"]


@pytest.mark.parametrize(
    ("dataset", "files"),
    [
        ("coat", {name: f"data/processed/coat/{name}.npz" for name in ("truth", "propensities")}),
        ("yahoo-r3", {"truth": "data/processed/yahoo-r3/truth.npz"}),
    ],
)
def test_an_analysis_gets_propensities_only_where_they_are_known(monkeypatch, dataset, files):
    plan = planned({"datasets": [dataset]})
    name = "robustness/sparsity"
    read = {"truth": "truth", "propensities": "propensities"}
    entry = reading(ANALYSES[name], read, ("propensities",))
    monkeypatch.setitem(ANALYSES, name, entry)
    assert plan.analyses.inputs(of(dataset, name)) == files


def test_an_analysis_of_a_truth_is_left_out_where_there_is_none(monkeypatch):
    plan = planned()
    name = "robustness/sparsity"
    monkeypatch.setitem(ANALYSES, name, reading(ANALYSES[name], {"truth": "truth"}))
    assert plan.analyses.datasets(name) == []
    with pytest.raises(SystemExit, match="'tiny' is without judgements of random items"):
        plan.analyses.inputs(of("tiny", name))


def test_ratings_are_read_again_after_a_change_of_the_threshold_only_if_it_draws_them():
    def source(threshold, discovery):
        entry = {"threshold": threshold, "truth": {"known": 3, "discovery": discovery}}
        plan = planned(
            {"datasets": ["cm100k"], "dataset_catalogue": {"cm100k": entry | {"extends": "cm100k"}}}
        )
        data, words = plan.data, of("cm100k", "any")
        return data.for_prepare(words)["source"], data.for_truth(words)["source"]

    assert source(3, "as-is") == source(2, "as-is")
    drawn = [source(threshold, "item-independent") for threshold in (3, 2)]
    # Both jobs draw: with another threshold one would set aside what the other observes.
    assert [[own["threshold"] for own in both] for both in drawn] == [[3, 3], [2, 2]]


def test_ratings_are_read_again_after_a_change_of_what_is_set_aside_and_of_nothing_else():
    def source(**change):
        entry = {"truth": {"known": 3} | change}
        data = planned(
            {"datasets": ["cm100k"], "dataset_catalogue": {"cm100k": entry | {"extends": "cm100k"}}}
        ).data
        wildcards = of("cm100k", "any")
        return data.for_prepare(wildcards)["source"], data.for_truth(wildcards)["source"]

    plain = source()
    assert plain[0]["truth"]["set_aside"] == 0.25
    assert source(unknown="error")[0] == plain[0] != source(set_aside=0.5)[0]
    assert plain[0] != source(design="as-published")[0]
    assert plain[1] != source(unknown="error")[1]


def test_a_change_of_how_a_truth_or_propensities_are_read_reads_no_ratings_again():
    def coat(**change):
        return planned(
            {"datasets": ["coat"], "dataset_catalogue": {"coat": change | {"extends": "coat"}}}
        ).data

    dataset, plain = of("coat", "any"), coat()
    changed = coat(truth={"unknown": "skip"}), coat(propensities={"encoding": "latin-1"})
    assert all(data.for_prepare(dataset) == plain.for_prepare(dataset) for data in changed)
    truths = [data.for_truth(dataset) for data in (plain, *changed)]
    assert truths[0] == truths[2] != truths[1]
    weights = [data.for_propensities(dataset) for data in (plain, *changed)]
    assert weights[0] == weights[1] != weights[2]


@pytest.mark.parametrize(
    ("part", "lacked"),
    [("truth", "judgements of random items"), ("propensities", "known propensities")],
)
def test_what_a_dataset_lacks_is_told_before_any_job(part, lacked):
    plan = planned()
    with pytest.raises(SystemExit, match=f"dataset 'tiny' is without {lacked}; ask for"):
        getattr(plan.data, f"{part}_code")(of("tiny", "any"))


ACROSS = reading(
    Analysis("rankassay.studies.sampling.corrections:none", about="All datasets.", across=True),
    {"means": "means", "summary": "goals/summary"},
)
ONE, TWO = {"datasets": ["tiny"]}, {"datasets": ["tiny", "other"]}


@pytest.fixture
def across(monkeypatch):
    monkeypatch.setitem(ANALYSES, "sampling/agreement", ACROSS)


def test_an_analysis_of_all_datasets_reads_a_result_of_each(across):
    found = planned(TWO).analyses
    assert found.datasets("sampling/agreement") == ["across"]
    assert found.table("sampling/agreement", "tiny") == "results/across/sampling/agreement.csv"
    paths = found.inputs(of("across", "sampling/agreement"))
    summaries = [f"results/{name}/goals/summary.csv" for name in TWO["datasets"]]
    assert paths["summary"] == summaries
    assert found.for_analyse(of("across", "sampling/agreement"))["inputs"] == {
        "means": {name: f"results/{name}/means.csv" for name in TWO["datasets"]},
        "summary": dict(zip(TWO["datasets"], summaries, strict=True)),
    }


def test_variants_of_a_dataset_are_no_more_datasets(across):
    variants = {"tiny-2": {"of": "tiny", "label": "split 2", "split_seed": 2}}
    found = planned({"datasets": ["tiny", "tiny-2"], "variants": variants}).analyses
    assert found.behind("sampling/agreement") == ["tiny"]
    assert found.datasets("sampling/agreement") == []
    with pytest.raises(SystemExit, match=r"two datasets or more .* found \['tiny'\]"):
        found.inputs(of("across", "sampling/agreement"))


def test_without_one_of_the_datasets_it_names_an_analysis_of_all_is_left_out():
    name = "reliability/type-errors-published"
    assert planned(TWO).analyses.datasets(name) == []
    with pytest.raises(SystemExit, match="expected the datasets trec-5, trec-6, trec-7, trec-8"):
        planned(TWO).analyses.inputs(of("across", name))
    named = {"type-errors-published": {"datasets": ["tiny", "other"]}}
    found = planned(TWO | {"reliability": {"analyses": named}}).analyses
    assert found.datasets(name) == ["across"]


def test_what_some_datasets_lack_is_optional_across(monkeypatch):
    entry = reading(ACROSS, {"means": "means", "truth": "validity/agreement"}, ("truth",))
    monkeypatch.setitem(ANALYSES, "sampling/agreement", entry)
    found = planned(TWO).analyses
    assert [*found.inputs(of("across", "sampling/agreement"))] == ["means"]
    assert len(found.inputs(of("across", "sampling/agreement"))["means"]) == 2


def test_a_table_can_do_without_what_is_optional(monkeypatch):
    inputs = {"agreement": "sampling/agreement", "systems": "sampling/systems"}
    entry = reading(Table("tables:agreement"), inputs, ("systems", "agreement"))
    monkeypatch.setitem(TABLES, "sampling/table-1", entry)
    wildcards = SimpleNamespace(study="sampling", table="table-1")
    path = "results/tables/sampling/table-1.csv"
    agreement, systems = (f"results/tiny/{name}.csv" for name in inputs.values())
    found = planned(ONE)
    assert found.publications.table_inputs(wildcards) == {
        "agreement": [agreement],
        "systems": [systems],
    }
    left_out = ONE | {"sampling": {"analyses": {"agreement": None}}}
    found = planned(left_out)
    assert found.publications.table_inputs(wildcards) == {"systems": [systems]}
    assert path in found.targets
    assert agreement not in found.report.inputs()
    left_out["sampling"]["analyses"]["systems"] = None
    assert path not in planned(left_out).targets


def test_worlds_come_last_and_what_takes_longest_first(plan):
    steps = {step.rule: step for step in plan.steps.all}
    late = [step.name for step in steps.values() if step.priority < 0]
    assert late == [name for name in ANALYSES if name.startswith("validity/worlds-")]
    assert steps["robustness_sparsity"].priority == 1
    assert steps["reliability_split_half"].priority == 0


def test_systems_are_calibrated_where_all_have_the_settings_that_were_chosen_to_match():
    variants = {
        "split": {"of": "ml-1m", "label": "split", "split_seed": 1},
        "tuned": {"of": "ml-1m", "label": "tuned"},
        "same": {"of": "ml-1m", "label": "same"},
    }
    slim = _read("recommenders")["recommender_catalogue"]["slim"]
    own = {"tuned": {"l1": 11}, "same": {"l1": slim["settings"]["l1"]}}
    changes = {
        "datasets": ["ml-1m", "ml-100k", *variants],
        "variants": variants,
        "recommender_catalogue": {"slim": slim | {"datasets": own}},
    }
    plan = Plan(shipped(changes), ROOT)
    claims = {"claims": "claims.yaml"}
    for dataset, fitted in {
        **dict.fromkeys(("ml-1m", "split", "same"), True),
        **dict.fromkeys(("ml-100k", "tuned", "constructed"), False),
    }.items():
        told = plan.analyses.reading(of(dataset, "robustness/claims"), claims)
        assert told.get("claims", {}).get("calibrated", False) == fitted, dataset
    # Without the recommender that differs, nothing does; and somebody else's lists fit nothing.
    few = Plan(shipped(changes, {"recommenders": ["popularity", "rsv"]}), ROOT)
    assert few.recommenders.calibrated("tuned")
    assert not Plan(shipped(changes, {"calibrated": []}), ROOT).recommenders.calibrated("ml-1m")


def test_what_takes_longest_is_first_also_by_a_name_of_ones_own():
    own = {"mine": {"method": "ht", "label": "Mine"}}
    slow = planned({"recommender_catalogue": own}).recommenders.slow.split("|")
    assert slow == ["lda", "plsa", "ht", "bprmf", "mine"]


def test_a_raw_file_that_was_altered_is_refused_before_any_job(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    raw = tmp_path / "raw/ml-100k/u.data"
    raw.parent.mkdir(parents=True)
    raw.write_text("1\t2\t5\t0\n")
    plan = planned({"datasets": ["ml-100k"], "raw_dir": str(tmp_path / "raw")})
    plan.data.check_raw()  # nothing has been read yet
    place = tmp_path / "data/processed/ml-100k/source.json"
    place.parent.mkdir(parents=True)
    file = {"path": str(raw), "sha256": checksum(raw), "size": raw.stat().st_size}
    write_json({"ratings": file}, place)
    plan.data.check_raw()
    os.utime(raw, (4e9, 4e9))  # it was only touched
    plan.data.check_raw()
    raw.write_text("1\t2\t4\t0\n")
    os.utime(raw, (4e9, 4e9))
    with pytest.raises(
        RankassayError, match=r"u\.data: expected the file that was fetched"
    ) as said:
        plan.data.check_raw()
    assert "and its record in data/first-use" in str(said.value)
    os.utime(raw, (1, 1))  # an older file of another size
    raw.write_text("1\t2\t44\t0\n")
    os.utime(raw, (1, 1))
    with pytest.raises(RankassayError, match="expected the file that was fetched"):
        plan.data.check_raw()
    raw.unlink()
    plan.data.check_raw()  # the job says that it is missing


def test_a_file_that_the_configuration_names_no_more_is_of_no_concern(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("old.csv", "new.csv"):
        Path(name).write_text("user,item,rating\n1,2,5\n")
    place = Path("data/processed/mine/source.json")
    place.parent.mkdir(parents=True)
    file = {"path": "old.csv", "sha256": checksum("old.csv"), "size": 26}
    write_json({"ratings": file, "propensities": file}, place)
    Path("old.csv").write_text("user,item,rating\n1,2,4\n")
    os.utime("old.csv", (4e9, 4e9))
    entry = {"kind": "file", "label": "Mine", "path": "new.csv", "threshold": 4}
    entry |= {"format": "delimited", "columns": {"user": 0, "item": 1, "rating": 2}}
    config = {"dataset_catalogue": {"mine": entry}, "datasets": ["mine"]}
    planned(config).data.check_raw()


def test_a_fold_and_a_seed_that_trade_values_are_others():
    """Snakemake compares the values of all parameters of a rule as a set."""

    def values(fold, seed):
        catalogue = {
            "five": {"label": "f", "split": {"method": "folds", "folds": 5, "unit": "user"}}
        }
        own = {"of": "tiny", "label": "fold", "protocol": "five", "fold": fold, "split_seed": seed}
        plan = planned({"variants": {"tiny-f": own}, "protocol_catalogue": catalogue})
        wildcards = of("tiny-f", "any")
        return plan.job("split", plan.data.for_split)["job"](wildcards)

    assert values(2, 3) != values(3, 2)


def test_families_are_told_by_the_labels_of_the_recommenders(plan):
    told = plan.analyses.evaluation(of("tiny", "robustness/families"))
    assert told["families"] == {
        "Random": "baselines",
        "Popularity": "baselines",
        "Rocchio's Weights": "relevance feedback",
        "PureSVD": "factorisation",
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "text", "threshold"),
    [
        ("qrels", "u 0 a 1\nu 0 b 0\n", 1),
        ("qrels", "u 0 a 3\nu 0 b -1\nu 0 c 0\n", 1),
        ("qrels", "u 0 a 5\nu 0 b 1\n", 4),
        ("file", "user,item,rating\n1,2,4.5\n1,3,5\n", 4),
        ("file", "user,item,rating\n1,2,1\n1,3,1\n", 1),
        ("file", "user,item,rating\n1,2,1\n1,3,10\n", None),
        ("qrels", "u 0 a 1\nu 0 b 2\n", None),
    ],
)
def test_a_threshold_that_is_not_given_is_the_usual_one(
    kind, text, threshold, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.csv", "mine.txt", "a.run", "b.run"):
        Path(name).write_text(text)
    entry = {"kind": kind, "path": "mine.txt" if kind == "qrels" else "mine.csv"}
    changes = {"datasets": ["mine"], "dataset_catalogue": {"mine": entry}}
    changes |= {"recommenders": [], "systems": {"runs": "*.run"}}
    if threshold is None:
        message = "config: dataset_catalogue.mine: mine.*, found .*, by the key 'threshold'"
        with pytest.raises((RankassayError, SystemExit), match=message):
            planned(changes).data.threshold("mine")
        return
    plan = planned(changes)
    assert plan.data.threshold("mine") == threshold
    own = plan.report._settings()["dataset_catalogue"]["mine"]
    assert own["default_for"].startswith("ratings") or "trec_eval" in own["default_for"]
    given = planned(changes | {"dataset_catalogue": {"mine": entry | {"threshold": threshold}}})
    mine = SimpleNamespace(dataset="mine")
    assert plan.data.for_prepare(mine) == given.data.for_prepare(mine)

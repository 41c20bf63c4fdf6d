from pathlib import Path
from types import SimpleNamespace

import pytest

from rankassay.artifacts import yaml_files
from rankassay.errors import RankassayError
from rankassay.plan import Plan

PROJECT = Path(__file__).parents[3]


def plan_of(**changed):
    config = {}
    for name in ("config", "datasets", "recommenders", "tuning", "protocols"):
        config |= yaml_files.read(PROJECT / f"config/{name}.yaml")
    config |= {"datasets": ["ml-100k"], "studies": ["robustness", "protocols"]} | changed
    shipped = yaml_files.read(PROJECT / "config/recommenders.yaml")
    config["variants"] = shipped["variants"] | config["variants"]
    return Plan(config, PROJECT)


def section(**changed):
    return {"protocols": ["random-80-20", "leave-last-one", "five-folds"], "seeds": 2} | changed


@pytest.fixture(scope="module")
def plan():
    return plan_of(protocols=section())


def names(plan, dataset="ml-100k"):
    return [replicate.name for replicate in plan.data.protocols.of(dataset)]


def test_each_seed_and_fold_is_a_variant_of_the_dataset(plan):
    place = "ml-100k/protocols"
    assert names(plan) == [
        "ml-100k",  # the dataset's own split is that of the first seed
        f"{place}/random-80-20/seed-2",
        f"{place}/leave-last-one/seed-1",
        f"{place}/leave-last-one/seed-2",
        *(f"{place}/five-folds/fold-{number}" for number in range(1, 6)),
    ]
    for name in names(plan)[1:]:
        assert plan.data.of(name) == "ml-100k"
        assert plan.data.entry(name) is plan.data.catalogue["ml-100k"]


def test_the_seed_of_a_replicate_is_that_of_a_run_with_that_seed(plan):
    again = plan_of(seed=2019, studies=["robustness"])
    own = SimpleNamespace(dataset="ml-100k/protocols/random-80-20/seed-2", recommender="bprmf")
    other = SimpleNamespace(dataset="ml-100k", recommender="bprmf")
    for data, wildcards in ((plan.data, own), (again.data, other)):
        assert data.for_split(wildcards)["seed"] == 2019
    assert plan.recommenders.seed(own) == again.recommenders.seed(other)
    fold = SimpleNamespace(dataset="ml-100k/protocols/five-folds/fold-3", recommender="bprmf")
    told = plan.data.for_split(fold)
    assert (told["fold"], told["seed"]) == (3, 2018)


def test_what_draws_nothing_is_trained_once(plan):
    place = "results/ml-100k/protocols/leave-last-one"

    def lists(name):
        return set(plan.systems.rankings(SimpleNamespace(dataset=name)))

    second = lists("ml-100k/protocols/leave-last-one/seed-2")
    assert f"{place}/seed-1/rankings/slim.npz" in second
    assert f"{place}/seed-2/rankings/bprmf.npz" in second
    # A random split is another one for each seed and fold.
    for name in ("random-80-20/seed-2", "five-folds/fold-2"):
        own = f"results/ml-100k/protocols/{name}/rankings/"
        assert all(path.startswith(own) for path in lists(f"ml-100k/protocols/{name}"))


@pytest.mark.slow
@pytest.mark.parametrize(("when", "maker"), [("before", 1), ("after", 2)])
def test_users_sampled_before_the_split_are_the_same_for_all_seeds(when, maker):
    catalogue = yaml_files.read(PROJECT / "config/protocols.yaml")["protocol_catalogue"]
    steps = [{"kind": "sample_users", "users": 30, "when": when}]
    catalogue["few"] = {"label": "Few", "split": {"method": "leave_last", "n": 1}, "filter": steps}
    few = section(protocols=["random-80-20", "few"])
    protocols = plan_of(protocol_catalogue=catalogue, protocols=few).data.protocols
    place = "ml-100k/protocols/few/seed-"
    assert protocols.maker(f"{place}2", "slim") == f"{place}{maker}"


def test_recommenders_of_the_users_own_may_draw():
    catalogue = yaml_files.read(PROJECT / "config/recommenders.yaml")["recommender_catalogue"]
    catalogue["own"] = {"method": "rankassay.recommenders.baselines:Popularity", "label": "own"}
    plan = plan_of(
        recommender_catalogue=catalogue, recommenders=["popularity", "own"], protocols=section()
    )
    second = "ml-100k/protocols/leave-last-one/seed-2"
    assert plan.data.protocols.maker(second, "own") == second
    assert plan.data.protocols.maker(second, "popularity").endswith("seed-1")


def test_a_protocol_that_needs_timestamps_is_left_out_without_them():
    catalogue = yaml_files.read(PROJECT / "config/datasets.yaml")["dataset_catalogue"]
    plan = plan_of(datasets=["librarything"], protocols=section(), dataset_catalogue=catalogue)
    assert plan.data.protocols.names("librarything") == ["random-80-20", "five-folds"]
    assert "leave-last-one, without timestamps" in plan.systems.left_out()


def test_one_protocol_is_no_study():
    catalogue = yaml_files.read(PROJECT / "config/datasets.yaml")["dataset_catalogue"]
    few = section(protocols=["random-80-20", "leave-last-one"])
    plan = plan_of(datasets=["librarything"], protocols=few, dataset_catalogue=catalogue)
    assert "two protocols" in plan.systems.lacking("protocols/criteria", "librarything")
    assert plan.systems.left_out() == (
        "Left out on librarything, if asked for:\n"
        "  the protocol leave-last-one, without timestamps\n"
        "  the study of protocols, without two protocols that are possible"
    )


def test_data_that_comes_split_is_not_studied(tmp_path):
    file = tmp_path / "mine.qrels"
    file.write_text("u 0 i 1\n")
    catalogue = yaml_files.read(PROJECT / "config/datasets.yaml")["dataset_catalogue"]
    catalogue["mine"] = {"kind": "qrels", "path": str(file), "train": str(file)}
    plan = plan_of(datasets=["mine", "coat"], protocols=section(), dataset_catalogue=catalogue)
    assert names(plan, "mine") == []
    assert plan.data.protocols.names("coat") == ["random-80-20", "five-folds"]
    said = plan.systems.left_out()
    assert "on mine, if asked for:\n  the study of protocols, as it comes with its own" in said


def test_what_is_observed_of_random_judgements_is_split_as_other_ratings_are():
    catalogue = yaml_files.read(PROJECT / "config/datasets.yaml")["dataset_catalogue"]
    plan = plan_of(datasets=["cm100k"], protocols=section(), dataset_catalogue=catalogue)
    assert plan.data.protocols.names("cm100k") == ["random-80-20", "five-folds"]
    variant = {"kept": {"of": "cm100k", "label": "Kept", "protocol": "five-core"}}
    with pytest.raises(RankassayError, match="'cm100k' has truth of all its users and items"):
        plan_of(datasets=["kept"], variants=variant, dataset_catalogue=catalogue)


def test_variants_are_not_split_anew():
    variants = {"other": {"of": "ml-100k", "label": "Other", "split_seed": 7}}
    plan = plan_of(datasets=["ml-100k", "other"], variants=variants, protocols=section())
    assert names(plan, "other") == []
    assert plan.systems.left_out() == (
        "Left out on other, if asked for:\n"
        "  the study of protocols, as variants are not split anew, but their datasets"
    )


def test_the_study_may_have_fewer_recommenders():
    plan = plan_of(protocols=section(recommenders=["popularity", "slim"]))
    assert [*plan.systems.of("ml-100k/protocols/leave-last-one/seed-1")] == ["popularity", "slim"]
    assert len(plan.systems.of("ml-100k")) == 21


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"protocols": ["leave-last-on"]}, "unknown protocol 'leave-last-on'.*leave-last-one"),
        ({"recommenders": ["slim", "popularty"]}, "popularty.*popularity"),
        ({"recommenders": ["slim"]}, r"protocols\.recommenders: expected at least 2.*slim"),
        ({"protocols": ["five-folds"]}, r"protocols\.protocols: expected at least 2.*five-folds"),
    ],
)
def test_mistakes_are_named_before_any_job(wrong, message):
    with pytest.raises(RankassayError, match=message):
        plan_of(protocols=section(**wrong))


def test_without_the_study_there_are_no_replicates():
    assert plan_of(studies=["robustness"]).data.protocols.variants == {}


def test_metrics_are_judged_under_each_protocol_and_another_seed_of_the_reference(plan):
    assert plan.data.protocols.judged("ml-100k") == {
        "random-80-20": "ml-100k",
        "random-80-20/seed-2": "ml-100k/protocols/random-80-20/seed-2",
        "leave-last-one": "ml-100k/protocols/leave-last-one/seed-1",
        "five-folds": "ml-100k/protocols/five-folds/fold-1",
    }
    wildcards = SimpleNamespace(dataset="ml-100k", name="protocols/criteria")
    paths = plan.analyses.inputs(wildcards)["summary"]
    assert paths[1] == "results/ml-100k/protocols/random-80-20/seed-2/robustness/summary.csv"
    told = plan.analyses.for_analyse(wildcards)["inputs"]["summary"]
    assert told["random-80-20/seed-2"] == paths[1]
    once = plan_of(protocols=section(seeds=1)).data.protocols
    assert [*once.judged("ml-100k")] == ["random-80-20", "leave-last-one", "five-folds"]


def test_runs_of_others_are_those_of_the_dataset(plan):
    assert plan.data.protocols.maker("ml-100k", "my-run") == "ml-100k"


@pytest.mark.slow
def test_findings_are_shown_of_data_that_they_are_about():
    def figures(plan):
        return [path for path in plan.targets if "protocols" in path and "conclusions" in path]

    assert figures(plan_of(protocols=section()))
    own = yaml_files.read(PROJECT / "config/datasets.yaml")["dataset_catalogue"]
    own["mine"] = {"kind": "synthetic", "label": "Mine", "threshold": 4}
    own["mine"]["parameters"] = {"users": 9, "items": 9, "ratings": 40, "gini": 0.1}
    seeds = section(protocols=["random-80-20", "five-folds"])
    assert not figures(plan_of(datasets=["mine"], dataset_catalogue=own, protocols=seeds))

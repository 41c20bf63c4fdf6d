"""Steps: which analyses one job makes, and by which rule."""

from graphlib import TopologicalSorter
from types import SimpleNamespace

import pytest
from unit.plan.test_plan import planned

from rankassay.plan.analyses import outputs
from rankassay.plan.steps import rule_of
from rankassay.studies import ANALYSES, STUDIES, of_study

POWER = "robustness_discriminative_power"


def by_rule(plan):
    """Return the steps of a plan by the names of their rules."""
    return {step.rule: step for step in plan.steps.all}


@pytest.mark.parametrize("shards", [1, 7])
def test_each_analysis_is_made_by_one_rule(shards):
    plan = planned({"shards": shards})
    steps = [*plan.steps.all, *plan.steps.shared]
    made = [name for step in steps for name in step.analyses]
    assert sorted(made) == sorted(ANALYSES)
    assert len({step.rule for step in steps}) == len(steps)


OF_THEIR_STEPS_NAME = [
    f"{study.name}/{step}"
    for study in STUDIES.values()
    for step, names in study.steps.items()
    if step in names
]


@pytest.mark.parametrize("name", OF_THEIR_STEPS_NAME)
def test_no_two_rules_have_a_name_where_an_analysis_is_left_out(name):
    study, _, short = name.partition("/")
    plan = planned({study: {"analyses": {short: None}}})
    rules = [step.rule for step in [*plan.steps.all, *plan.steps.shared]]
    assert len({*rules}) == len(rules)
    assert f"{rule_of(name)}_left_out" in rules


def test_of_values_alone_no_jobs_share_an_analysis(tmp_path):
    (tmp_path / "p10.csv").write_text("x,y\n1,2\n2,1\n")
    entry = {"kind": "scores", "tables": {"P_10": str(tmp_path / "p10.csv")}}
    own = {"dataset_catalogue": {"own": entry}, "datasets": ["own"], "recommenders": []}
    plan = planned(own, {"shards": 7, "studies": ["robustness"], "robustness": {"cutoff": 10}})
    whole = by_rule(plan)[f"{POWER}_of_values"]
    assert "own" in plan.steps.places(whole).split("|")
    assert whole.outputs == outputs("robustness/discriminative-power")


@pytest.mark.parametrize("shards", [1, 7])
def test_no_two_steps_wait_for_each_other(shards):
    plan = planned({"shards": shards})
    steps = [*plan.steps.all, *plan.steps.shared]
    maker = {name: step.rule for step in steps for name in step.analyses}
    waits = {
        step.rule: {
            maker[read]
            for name in step.analyses
            for read in ANALYSES[name].inputs.values()
            if read in maker and maker[read] != step.rule
        }
        for step in steps
    }
    assert [*TopologicalSorter(waits).static_order()]


def test_steps_name_analyses_of_their_study_once_and_of_one_place():
    for study in STUDIES.values():
        named = [name for names in study.steps.values() for name in names]
        assert len({*named}) == len(named)
        assert {*named} <= {*of_study(ANALYSES, study.name)}
        for step, names in study.steps.items():
            assert len({study.analyses[name].place for name in names}) == 1, step
            others = {*study.analyses} - {*names}
            assert step not in others, f"{step} is an analysis with a job of its own"


def test_a_job_makes_the_analyses_of_a_step_in_their_order():
    plan = planned()
    step = by_rule(plan)[POWER]
    own = SimpleNamespace(dataset="tiny")
    jobs = [given for _, given in plan.steps.jobs(step)(own)]
    assert [given["name"] for given in jobs] == step.analyses
    files = [path.format(dataset="tiny") for name in step.analyses for path in outputs(name)]
    assert [path for given in jobs for path in given["output"]] == files
    read = plan.steps.inputs(step)(own)
    assert "results/tiny/scores.npz" in read
    assert {*read}.isdisjoint(files)
    assert len({*read}) == len(read)


def test_what_the_configuration_leaves_out_is_by_itself_for_who_asks():
    change = {"robustness": {"analyses": {"power-differences": None}}}
    steps = by_rule(planned(change))
    assert "robustness/power-differences" not in steps[POWER].analyses
    assert steps["robustness_power_differences_left_out"].members == ("power-differences",)


def test_analyses_are_by_themselves_where_a_dataset_has_some_of_them(monkeypatch):
    plan = planned()
    lacking = plan.analyses.systems.lacking
    monkeypatch.setattr(
        plan.analyses.systems,
        "lacking",
        lambda name, of: "x" if name.endswith("as-run") and of == "other" else lacking(name, of),
    )
    steps = by_rule(plan)
    assert steps[POWER].members == ("discriminative-power",)
    assert steps["robustness_correlations"].members[0] == "cutoff-correlation"


def test_a_job_asks_for_the_most_memory_and_the_sum_of_the_times(monkeypatch):
    plan = planned()
    step = by_rule(plan)["robustness_correlations"]
    amounts = dict(zip(step.analyses, (300, 500, 200, 100), strict=True))
    for kind in ("memory", "runtime"):
        monkeypatch.setattr(
            plan.resources, f"analyse_{kind}", lambda own, attempt: amounts[own.name] * attempt
        )
    own = SimpleNamespace(dataset="tiny")
    asked = plan.steps.asked(step)
    assert asked["mem_mb"](own, 1) == 500
    assert asked["runtime"](own, 2) == 2200

"""A plan of a narrowed configuration: what is left out takes with it what rests on it."""

import functools
import re
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from narrowed import narrowing
from test_plan import ROOT, planned, shipped

from rankassay import plan as planning
from rankassay.config.check import filled
from rankassay.errors import RankassayError
from rankassay.plan import Plan
from rankassay.plan.analyses import of
from rankassay.studies import ANALYSES, FIGURES, STUDIES, TABLES

pytestmark = pytest.mark.slow

# Judged by the claims about MovieLens 1M; and synthetic, which no claim is about.
WITH_CLAIMS = {"datasets": ["ml-100k", "tiny"], "studies": [*STUDIES]}
PUBLICATION = re.compile(r"(figures|results/tables)/([^/]+)/(?:([^/]+)/)?([^/]+)\.\w+")


@pytest.fixture(autouse=True, scope="module")
def code():
    """Let all plans find the code of jobs once; none of these tests changes a file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planning, "Code", functools.cache(planning.Code))
        yield


def walked(plan):
    """Look up all that the rules would, from the targets back to the systems, as Snakemake does."""
    asked = [
        *plan.targets,
        *plan.claims_targets,
        *plan.report.inputs(),
        *plan.publications.verdicts(),
    ]
    known = {
        plan.analyses.table(name, dataset): (name, dataset)
        for name, entry in ANALYSES.items()
        for dataset in ([entry.place] if entry.place else plan.config["datasets"])
    }
    jobs = set()
    while asked:
        path = asked.pop()
        if path in jobs:
            continue
        jobs.add(path)
        if path in known:
            asked += _of_analysis(plan, *known[path])
        elif path.endswith("/advice.json"):
            asked += _of_advice(plan, SimpleNamespace(dataset=path.split("/")[1]))
        elif found := PUBLICATION.fullmatch(path):
            asked += _of_publication(plan, *found.groups())
    plan.publications.for_collect_claims(None)
    plan.report.summaries(), plan.report.answers(), plan.systems.left_out()
    return {known[path][0] for path in jobs if path in known}


def _of_analysis(plan, name, dataset):
    wildcards = of(dataset, name)
    paths = plan.analyses.inputs(wildcards)
    for lookup in ("for_analyse", "code"):
        getattr(plan.analyses, lookup)(wildcards)
    return [
        each for path in paths.values() for each in (path if isinstance(path, list) else [path])
    ]


def _of_advice(plan, wildcards):
    paths = plan.advice.inputs(wildcards)
    for lookup in ("for_advise", "code"):
        getattr(plan.advice, lookup)(wildcards)
    rankings = paths.pop("rankings")
    return [*paths.values(), *rankings]


def _of_publication(plan, kind, study, dataset, name):
    own = {"dataset": dataset} if dataset else {}
    shown = plan.publications
    if kind == "figures" and f"{study}/{name}" in FIGURES:
        wildcards = SimpleNamespace(study=study, figure=name, **own)
        shown.panels(wildcards)
        return shown.figure_tables(wildcards)
    if kind != "figures" and f"{study}/{name}" in TABLES:
        wildcards = SimpleNamespace(study=study, table=name)
        shown.table_settings(wildcards)
        return [path for paths in shown.table_inputs(wildcards).values() for path in paths]
    return []


def without(*names):
    """Return the change of a configuration that leaves analyses out."""
    found = {}
    for name in names:
        study, _, short = name.partition("/")
        found.setdefault(study, {"analyses": {}})["analyses"][short] = None
    return found


def test_the_walk_sees_all_analyses():
    assert walked(planned(WITH_CLAIMS)) >= {
        name for name in ANALYSES if name.startswith("robustness/")
    }


MOST = max(len(study.analyses) for study in STUDIES.values())


@pytest.mark.parametrize("place", range(MOST))
def test_every_analysis_can_be_left_out(place):
    out = [f"{name}/{own}" for name in STUDIES for own in [*STUDIES[name].analyses][place:][:1]]
    assert walked(planned(WITH_CLAIMS, without(*out))).isdisjoint(out)


@pytest.mark.parametrize("seed", range(20))
def test_random_narrowings_are_planned(seed):
    change = narrowing(np.random.default_rng(seed))
    datasets = {"datasets": ["ml-100k", "synthetic-ml-1m"]}
    plan = Plan(shipped(WITH_CLAIMS, datasets, change), ROOT)
    left_out = {
        f"{study}/{name}"
        for study in STUDIES
        for name, settings in change[study]["analyses"].items()
        if settings is None
    }
    assert left_out.isdisjoint(walked(plan))


# ---- Cut-offs ------------------------------------------------------------------------------------


def cutoffs(*changes):
    """Return all cut-offs that a configuration comes to, by their keys."""
    found = {}

    def look(key, values):
        for name, value in values.items():
            if isinstance(value, dict):
                look(f"{key}{name}.", value)
            elif name == "cutoff" or name.endswith("cutoffs"):
                found[key + name] = value

    config = Plan(shipped({"datasets": ["ml-100k"]}, *changes), ROOT).config
    look("", {key: config[key] for key in ("metrics", *STUDIES)})
    return found


def test_cutoffs_that_nobody_set_follow_those_of_the_metrics():
    usual = cutoffs()
    assert usual["robustness.cutoff"] == 100
    assert usual["unjudged.analyses.bounds.cutoffs"] == [5, 10, 20]
    found = cutoffs({"metrics": {"cutoffs": [5, 10]}})
    assert usual.keys() == found.keys()
    assert found["robustness.cutoff"] == found["definitions.cutoff"] == 10
    assert found["unjudged.analyses.bounds.cutoffs"] == [5, 10]
    assert found["goals.cutoffs"] == [10]
    assert found["reliability.analyses.type-errors.audited_cutoffs"] == [10]
    between = cutoffs({"metrics": {"cutoffs": [7, 30]}})
    assert between["robustness.cutoff"] == 30
    assert between["definitions.cutoff"] == 7
    assert between["definitions.cutoffs"] == [7, 30]
    deep = cutoffs({"metrics": {"cutoffs": [50]}})
    assert {str(value).strip("[]") for value in deep.values()} == {"50"}


def test_cutoffs_of_metrics_that_nobody_set_follow_the_length_of_lists():
    assert cutoffs({"depth": 20})["metrics.cutoffs"] == [5, 10, 20]
    assert cutoffs({"depth": 20})["robustness.cutoff"] == 20
    assert cutoffs({"depth": 3})["metrics.cutoffs"] == [3]
    assert cutoffs({"depth": 3})["validity.cutoffs"] == [3]
    assert cutoffs({"depth": 200}) == cutoffs()


def test_cutoffs_that_somebody_set_stay_and_are_checked():
    change = {"metrics": {"cutoffs": [5, 10]}, "studies": ["unjudged"]}
    own = {"unjudged": {"analyses": {"orders": {"cutoffs": [5]}}}}
    found = cutoffs(change, own)
    assert found["unjudged.analyses.orders.cutoffs"] == [5]
    assert found["unjudged.cutoff"] == 5  # the one that bounds and orders both have
    with pytest.raises(
        RankassayError, match=r"unjudged\.cutoff: expected one of .* \[5\], found 10"
    ):
        cutoffs(change, own, {"unjudged": {"cutoff": 10}})
    fifty = cutoffs({"studies": ["goals"], "goals": {"cutoff": 50}})
    assert fifty["goals.cutoffs"] == [10, 50, 100]
    with pytest.raises(RankassayError, match=r"metrics\.cutoffs: 10 is deeper than the lists"):
        cutoffs(change, {"depth": 7})


def test_the_file_of_defaults_sets_no_cutoff():
    text = (ROOT / "config/config.yaml").read_text()
    assert "# cutoff: 100" in text
    assert filled(yaml.safe_load(text)) == filled({})


@pytest.mark.parametrize(
    ("analyses", "message"),
    [
        (
            {"goals": {"analyses": {"bias-measured": {"metrics": ["P", "RR"]}}}},
            r"goals\.analyses\.groups\.metrics: expected those of bias-measured.* RR is missing",
        ),
    ],
)
def test_what_an_analysis_reads_is_of_its_metrics_too(analyses, message):
    with pytest.raises(RankassayError, match=message):
        Plan(shipped({"datasets": ["ml-100k"]}, analyses), ROOT)


# ---- What is said --------------------------------------------------------------------------------


def test_the_plan_says_in_a_line_what_rests_on_what_is_left_out():
    assert planned(WITH_CLAIMS, {"validity": {"analyses": {"like": {}}}}).analyses.left_out() == ""
    plan = planned(WITH_CLAIMS, without("robustness/p-values", "goals/examples"))
    first, second = plan.analyses.left_out().splitlines()
    assert first.startswith("Left out, as the configuration leaves out robustness/p-values (null):")
    assert "robustness/discriminative-power, robustness/power-differences" in first
    assert "protocols/criteria" in first  # which reads the summary of robustness
    assert "robustness/claims" not in first  # claims about other analyses are judged
    assert second.endswith("goals/examples (null): goals/bias")
    one = planned(WITH_CLAIMS, {"studies": ["goals"]}, without("robustness/p-values"))
    assert one.analyses.left_out() == ""


def test_claims_are_judged_by_what_is_left():
    plan = planned(WITH_CLAIMS, without("robustness/p-values"))
    found = plan.analyses.inputs(of("ml-100k", "robustness/claims"))
    assert "discriminative_power" not in found
    assert found["sparsity_replicates"] == "results/ml-100k/robustness/sparsity.npz"
    rest = without("definitions/orders", "definitions/labels")
    assert not planned(WITH_CLAIMS, rest).analyses.configured("definitions/claims")
    verdicts = planned(WITH_CLAIMS, rest).publications.verdicts()
    assert "results/ml-100k/definitions/claims.csv" not in verdicts
    assert "results/constructed/definitions/constructed-claims.csv" in verdicts


def test_claims_that_nothing_judges_are_said_to_be_left_out():
    assert planned(WITH_CLAIMS).publications.for_collect_claims(None)["left_out"] == []
    rest = without("definitions/orders", "definitions/labels", "diversity/axioms", "goals/claims")
    assert planned(WITH_CLAIMS, rest).publications.for_collect_claims(None)["left_out"] == [
        ("definitions/claims", "ml-100k"),
        ("diversity/constructed-claims", "constructed"),
        ("goals/claims", "ml-100k"),
    ]


def test_who_asks_for_what_is_left_out_is_told_what_reads_it_and_what_to_do():
    plan = planned(WITH_CLAIMS, without("goals/examples"))
    with pytest.raises(SystemExit) as error:
        plan.analyses.settings(of("ml-100k", "goals/examples"))
    assert str(error.value) == (
        "rankassay: goals/examples: the configuration leaves this analysis out (null), which "
        "goals/bias, goals/constructed-claims read; give goals.analyses.examples settings, such as "
        "{}, or ask for results that do not depend on it."
    )


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("figures/goals/figure-99.png", r"unknown figure of goals 'figure-99'.*Known: "),
        ("results/tables/goals/examples.md", r"goals/examples: the configuration leaves this"),
        ("results/tables/goals/bias.md", r"goals/examples: the configuration leaves this"),
        (
            "figures/goals/other/figure-5.png",
            r"expected a file of goals/figure-5, found 'figures/goals/other/figure-5.png'. Known: ",
        ),
    ],
)
def test_why_no_job_makes_a_figure_or_table(path, said):
    lookup = planned(WITH_CLAIMS, without("goals/examples")).publications
    assert re.match(said, lookup.why_not(path))


@pytest.mark.parametrize("path", ["results/goals/x.csv", "figures/nothing/x.png", "goals"])
def test_of_other_paths_nothing_is_said(path):
    assert planned(WITH_CLAIMS).publications.why_not(path) is None


@pytest.mark.parametrize("kind", ["figure", "table"])
def test_a_figure_or_table_that_is_none_is_named(kind):
    lookup = planned().publications
    lookup = lookup.figure_tables if kind == "figure" else lookup.table_inputs
    with pytest.raises(SystemExit, match=f"unknown {kind} 'goals/table-9'"):
        lookup(SimpleNamespace(study="goals", **{kind: "table-9"}))

"""The atlas: verdicts of datasets and their variants are read, and what they are is told."""

from types import SimpleNamespace

import pytest
from test_plan import planned

from rankassay.plan.analyses import of

ATLAS = {
    "datasets": ["ml-1m", "coat"],
    "studies": ["atlas"],
    "dataset_catalogue": {"coat": {"extends": "coat", "claims_of": ["ml-1m", "librarything"]}},
}


@pytest.fixture(scope="module")
def plan():
    return planned(ATLAS)


def told(plan, name, dataset="across"):
    return plan.analyses.for_analyse(of(dataset, name))


def test_verdicts_of_variants_are_read_with_those_of_their_datasets(plan):
    paths = plan.analyses.inputs(of("across", "atlas/findings"))["verdicts"]
    assert paths == [
        f"results/{name}/robustness/claims.csv" for name in ("ml-1m", "coat", "ml-1m-tuned")
    ]
    # Of all else, a variant is no further dataset.
    assert len(plan.analyses.inputs(of("across", "atlas/places"))["summary"]) == 2


def test_the_job_is_told_what_the_runs_are(plan):
    runs = told(plan, "atlas/findings")["runs"]
    assert {name: run["of"] for name, run in runs.items()} == {
        "ml-1m": "ml-1m",
        "coat": "coat",
        "ml-1m-tuned": "ml-1m",
    }
    assert runs["ml-1m-tuned"]["label"] == "settings chosen by validation"
    assert runs["ml-1m-tuned"]["settings"] == "ml-1m-tuned"
    assert not any(run["split"] or run["implicit"] for run in runs.values())
    assert runs["coat"]["title"] == "Coat"
    # A dataset that names no source is one of its own, and a variant has that of its dataset.
    sources = {name: run["source"] for name, run in runs.items()}
    assert sources == {"ml-1m": "MovieLens", "coat": "Coat", "ml-1m-tuned": "MovieLens"}
    for name in ("atlas/metrics-across", "reliability/metrics-across"):
        assert told(plan, name)["runs"] == runs
    # Where ratings come from is no reason to read them again.
    assert "MovieLens" not in str(plan.data.for_prepare(SimpleNamespace(dataset="ml-1m")))


def test_conclusions_read_what_other_analyses_say_across_datasets(plan):
    paths = plan.analyses.inputs(of("across", "atlas/conclusions"))
    assert paths == {"findings": "results/across/atlas/findings.csv"}


def test_one_dataset_has_no_atlas_nor_has_data_that_no_claim_is_about(plan):
    shown = plan.publications.of_study("atlas")
    assert "figures/atlas/findings.svg" in shown
    assert "results/tables/atlas/conclusions.csv" in shown
    assert (
        planned({"datasets": ["ml-1m"], "studies": ["atlas"]}).publications.of_study("atlas") == []
    )
    # On synthetic data, metrics and datasets are compared and nothing is said of the paper.
    synthetic = planned({"studies": ["atlas"]}).publications.of_study("atlas")
    assert {path.rpartition("/")[2].partition(".")[0] for path in synthetic} == {
        "datasets",
        "metrics-across",
        "places",
    }


def test_a_dataset_is_judged_by_the_claims_about_several(plan):
    own = told(plan, "robustness/claims", "coat")["claims"]
    assert (own["of"], own["published"]) == (["ml-1m", "librarything"], False)
    first = told(plan, "robustness/claims", "ml-1m")["claims"]
    assert (first["of"], first["published"]) == (["ml-1m"], True)
    both = {
        "dataset_catalogue": {"ml-1m": {"extends": "ml-1m", "claims_of": ["librarything", "ml-1m"]}}
    }
    again = told(planned(ATLAS, both), "robustness/claims", "ml-1m-tuned")["claims"]
    # The data's own numbers first.
    assert (again["of"], again["published"]) == (["ml-1m", "librarything"], True)

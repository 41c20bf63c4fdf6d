"""Simulations that read no data: which shipped tables a run takes, and what makes the others."""

import hashlib
from pathlib import Path
from types import SimpleNamespace

import pytest
from unit.plan.test_plan import ROOT, shipped

from rankassay.artifacts.shards import join_tables
from rankassay.plan import Plan
from rankassay.plan.analyses import REPLICATED
from rankassay.studies import ANALYSES, needs

pytestmark = pytest.mark.slow

AXIOMS = ["diversity/axioms"]
WORLDS = [
    f"validity/worlds-{bias}"
    for bias in ("item-independent", "popularity-driven", "relevance-driven", "mixed")
]
KINDS = ["validity/kinds", "validity/strategies", "validity/gamma"]
ALL = [*AXIOMS, *WORLDS, *KINDS]
RAW = "validity/kinds-worlds"


def planned(*changes):
    return Plan(shipped(*changes), ROOT)


@pytest.fixture(scope="module")
def plan():
    return planned()


def validity(**settings):
    return {"validity": {"analyses": {k.replace("_", "-"): v for k, v in settings.items()}}}


def test_tables_of_the_shipped_settings_are_taken(plan):
    """Where this fails after a change of settings: tests/simulations.py says how to make them."""
    assert plan.simulations.shipped == [*plan.simulations.known] == ALL


def test_tables_are_those_of_their_checksums_and_small(plan, tmp_path):
    own = plan.simulations
    there = (ROOT / "src/rankassay/studies").glob("*/simulated/*")
    assert {path.resolve() for path in there} == {own.file(name).resolve() for name in ALL}
    for name in ALL:
        [table] = own.table(SimpleNamespace(simulation=name))
        path = Path(table)
        assert path.stat().st_size < 200_000
        join_tables([path], tmp_path / "table.csv")
        content = (tmp_path / "table.csv").read_bytes()
        assert hashlib.sha256(content).hexdigest() == own.known[name]["sha256"]


def test_no_data_enter_and_no_other_shipped_table(plan):
    for name in ALL:
        read = [each for each in needs(name) if not each.startswith("published/")]
        assert all(ANALYSES[each].constructed for each in (name, *read))
        assert not {*read} & {*ALL}  # it would be the shipped one that is simulated from
        assert name not in REPLICATED  # one file each
        assert not ANALYSES[name].judges  # claims may be the user's


SIMULATED = {
    "a setting": ({"validity": {"repetitions": 5}}, WORLDS),
    "a setting of what is read": (validity(kinds_worlds={"worlds": 2}), KINDS),
    "what is read, left out": (validity(kinds_worlds=None), KINDS),
    "left out": (validity(gamma=None), ["validity/gamma"]),
    "seed": ({"seed": 3}, ALL),
    "how metrics are computed": ({"metrics": {"aggregate": "median"}}, WORLDS),
    "cut-offs, which settings follow": ({"metrics": {"cutoffs": [10, 100]}}, WORLDS),
    "fewer recommenders": ({"recommenders": ["random", "popularity", "slim"]}, WORLDS),
    "a recommender's settings": (
        {"recommender_catalogue": {"slim": {"settings": {"l2": 7}}}},
        WORLDS,
    ),
    "data": ({"datasets": ["ml-100k"], "raw_dir": "elsewhere"}, []),
    "a recommender's settings on data": (
        {"recommender_catalogue": {"slim": {"datasets": {"ml-100k": {"l2": 7}}}}},
        [],
    ),
    "other analyses": (
        validity(closed_world={"worlds": 10}) | {"shards": 7},
        [],
    ),
}


@pytest.mark.parametrize("what", SIMULATED)
def test_other_settings_or_seeds_are_simulated(what):
    changes, simulated = SIMULATED[what]
    own = planned(changes).simulations
    assert own.shipped == [name for name in ALL if name not in simulated]


def test_without_recommenders_what_trains_them_is_not_shipped_either(plan, monkeypatch):
    monkeypatch.setitem(plan.config, "recommenders", [])
    assert [name for name in ALL if plan.simulations.made_with(name) is None] == WORLDS


@pytest.mark.parametrize("shards", [1, 7])
@pytest.mark.parametrize("seed", [{}, {"seed": 3}])
def test_each_analysis_is_made_by_one_rule_or_shipped(shards, seed):
    plan = planned({"shards": shards} | seed)
    steps = [*plan.steps.all, *plan.steps.shared]
    made = [name for step in steps for name in step.analyses]
    assert sorted([*made, *plan.simulations.shipped]) == sorted(ANALYSES)


def test_the_target_simulates_all_and_next_to_shipped_tables(plan):
    assert plan.simulations.targets == [
        f"results/constructed/simulations/{name}.csv" for name in ALL
    ]
    other = planned(validity(kinds_worlds={"worlds": 2}, worlds_mixed=None))
    assert other.simulations.targets == [
        *(f"results/constructed/simulations/{name}.csv" for name in [*AXIOMS, *WORLDS[:3]]),
        *(f"results/constructed/{name}.csv" for name in KINDS),
    ]


def test_the_report_does_not_ask_for_what_shipped_tables_were_made_from(plan):
    table = "results/constructed/{}.csv".format
    found = {*plan.report.inputs()}
    assert {*map(table, ALL)} <= found
    assert table(RAW) not in found
    assert table(RAW) in planned(validity(kinds_worlds={"worlds": 2})).report.inputs()

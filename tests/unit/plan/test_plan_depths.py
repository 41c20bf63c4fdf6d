"""Run files that end before the depth: nothing is compared below, unless it is asked for."""

import gzip
from pathlib import Path

import pytest

from rankassay.artifacts import yaml_files
from rankassay.config import systems
from rankassay.config.check import filled
from rankassay.plan import Plan

PROJECT = Path(__file__).parents[3]
RUN = "runs/a.run"


def written(path, lengths, order=None):
    """Write a run whose users have lists of some lengths, rank by rank if the order is so."""
    rows = [(u, k) for u, length in enumerate(lengths) for k in range(length)]
    lines = [f"u{u} Q0 i{k} {k} {-k} t\n" for u, k in (sorted(rows, key=order) if order else rows)]
    path.parent.mkdir(exist_ok=True)
    text = "".join(lines).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


@pytest.fixture
def planned(tmp_path, monkeypatch):
    """Return what makes plans in a folder with judgements and two runs, of 12 and 40 items."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("u0 0 i1 5\n")
    written(tmp_path / RUN, [3, 12, 0, 7])
    written(tmp_path / "runs/b.run", [40, 2])

    def of(**systems):
        config = {}
        for name in ("config", "datasets", "protocols", "recommenders", "tuning"):
            config |= yaml_files.read(PROJECT / f"config/{name}.yaml")
        config |= {"datasets": ["judged"], "recommenders": [], "depth": 30}
        config |= {"variants": {}, "calibrated": []}
        config["dataset_catalogue"] = {
            "judged": {"kind": "qrels", "path": "qrels.txt", "threshold": 4}
        }
        config["metrics"] = {"cutoffs": [5, 10, 20, 30]}
        for study in ("robustness", "reliability"):
            config[study] = {"cutoff": 20}
        config["studies"] = ["robustness", "reliability"]
        config["systems"] = {"runs": "runs/*.run"} | systems
        for study, section in filled(config).items():
            if isinstance(section, dict) and "analyses" in section:
                own = {
                    name: settings
                    for name, settings in section["analyses"].items()
                    if "cutoffs" in settings
                }
                config.setdefault(study, {"cutoff": 20})["analyses"] = {
                    name: {"cutoffs": [10, 20, 30]} for name in own
                }
        return Plan(config, PROJECT)

    return of


def cutoffs(value, key=""):
    """Yield all cut-offs of a configuration."""
    if isinstance(value, dict):
        for name, own in value.items():
            yield from cutoffs(own, name)
    elif "cutoff" in key:
        yield from (value if isinstance(value, list) else [] if value is None else [value])


def test_cut_offs_end_where_the_first_run_does(planned):
    plan = planned()
    assert plan.systems.ends == {"judged": {"a": 12}}
    assert plan.config["depth"] == 12
    assert plan.config["metrics"]["cutoffs"] == [5, 10, 12]
    assert {plan.config[study]["cutoff"] for study in ("robustness", "reliability")} == {12}
    assert max(cutoffs({name: plan.config[name] for name in ("metrics", *systems.STUDIES)})) == 12
    said = plan.systems.shortened()
    assert "a (judged) at 12. All systems are compared in the first 12 places" in said
    assert plan.report.contents["settings"]["longest_lists_of_runs"] == {"judged": {"a": 12}}


def test_deeper_on_request(planned):
    plan = planned(unequal_depths=True)
    assert plan.config["depth"] == 30
    assert plan.config["metrics"]["cutoffs"] == [5, 10, 20, 30]
    assert "no hits below" in plan.systems.shortened()


@pytest.mark.slow
def test_runs_that_go_on_change_nothing(planned, tmp_path):
    written(tmp_path / RUN, [30, 2])
    plan = planned()
    assert (plan.config["depth"], plan.systems.shortened()) == (30, "")
    (tmp_path / RUN).write_text("")  # of no list there is no end; its job says what is wrong
    assert planned().config["depth"] == 30


@pytest.mark.parametrize("name", ["x.run", "x.run.gz"])
def test_the_longest_list_is_found_in_any_order(tmp_path, name):
    path = tmp_path / name
    written(path, [3, 12, 7], order=lambda row: (row[1], row[0]))
    assert systems.longest_list(str(path), 100) == 12
    assert systems.longest_list(str(path), 5) == 5
    path.write_bytes(b"\x1f\x8bdamaged")
    assert systems.longest_list(str(path), 100) == 100
    assert systems.longest_list(str(tmp_path / "nowhere"), 100) == 100


@pytest.mark.parametrize(
    "text",
    [
        "user,item,score\nu,a,3\nv,a,2\nu,b,1\n",
        "Ann Lee,The Big Bad Film,3\nbob,a,2\nAnn Lee,b,1\n",
        "Ann Lee\tThe Big Bad Film\t3\nbob\ta\t2\nAnn Lee\tb\t1\n",
        '{"u": {"a": 3, "b": 1}, "v": {"a": 2}}',
        "\nu Q0 a,1 1 3 t\nu Q0 b 2 1 t\n",
    ],
)
def test_runs_in_tables_end_where_their_lists_do(tmp_path, text):
    path = tmp_path / "a.csv"
    path.write_text(text)
    assert systems.longest_list(str(path), 30) == 2
    assert systems.longest_list(str(path), 1) == 1


def test_a_byte_order_mark_begins_no_other_user(tmp_path):
    path = tmp_path / "a.run"
    written(path, [5, 2])
    path.write_bytes("\ufeff".encode() + path.read_bytes())
    assert systems.longest_list(str(path), 30) == 5

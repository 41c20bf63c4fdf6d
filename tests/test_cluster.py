"""What jobs ask a scheduler for covers what they were measured to need; the profiles fit the rules.

The workflow on a real scheduler is run by tests/cluster/check_slurm.py, which takes minutes.
"""

import csv
import importlib.util
import json
import re
import tomllib
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from packaging.requirements import Requirement

from rankassay.plan.recommenders import SLOW, Recommenders
from rankassay.plan.resources import Resources

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "workflow/rules").glob("*.smk"))
# A rule that a loop makes for each step or study: analyse_step_rule, shards_f_step_rule_part, ...
IN_A_LOOP = re.compile(r"^    rule:\n        name:\n            (.*)\n", re.MULTILINE)
MEASURED = list(csv.DictReader((ROOT / "tests/reference/benchmarks.csv").open()))
FUNCTIONS = {"fidelity": "analyse", "score": "analyse", "split": "prepare"}


def load(path):
    """Return the module of a file that no package holds."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


scheduler = load(ROOT / "tests/cluster/scheduler.py")


def _named(file, found):
    """Return the head of a rule that is made in a loop with a name, as other rules have it."""
    return f"rule {file}_{re.sub(r'[^a-z]+', '_', found[1]).strip('_')}:\n"


def rules():
    """Return the text of each rule that runs a command, by name."""
    whole = ""
    for path in FILES:
        named = partial(_named, path.stem)
        whole += IN_A_LOOP.sub(named, path.read_text())
    texts = re.split(r"^(?:use )?rule (?:(\w+)|(\w+) as (\w+) with):\n", whole, flags=re.MULTILINE)
    found = {
        own or derived: (base, text)
        for own, base, derived, text in zip(*(texts[i::4] for i in (1, 2, 3, 4)), strict=True)
    }
    whole = {name: text + (found[base][1] if base else "") for name, (base, text) in found.items()}
    return {name: text for name, text in whole.items() if "    shell:" in text}


@pytest.fixture(scope="module")
def asked():
    """Return what jobs ask for, where only the sizes of datasets and systems are known."""
    synthetic = {"kind": "synthetic", "parameters": {"ratings": 1_000_000}}
    data = SimpleNamespace(
        of=lambda dataset: dataset,
        entry=lambda dataset: synthetic,
        has_lists=lambda dataset: dataset != "topics",
    )
    systems = SimpleNamespace(of=lambda dataset: range(21), data=data)
    data.config = yaml.safe_load((ROOT / "config/recommenders.yaml").read_text())
    return Resources(systems, Recommenders(data))


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", MEASURED, ids=lambda row: f"{row['rule']}-{row['dataset']}-{row['job']}"
)
def test_a_job_asks_for_what_it_was_measured_to_need_and_not_for_much_more(
    row, asked, tmp_path, monkeypatch
):
    folder = tmp_path / "results" / row["dataset"] / "split"
    folder.mkdir(parents=True)
    (folder / "summary.csv").write_text(
        "part,ratings,users,users_without,items,items_without\n"
        f"train,{row['ratings']},{row['users']},0,{int(row['items']) - 5},5\n"
    )
    monkeypatch.chdir(tmp_path)
    stage = FUNCTIONS.get(row["rule"], row["rule"])
    names = {"name" if "/" in row["job"] else "recommender": row["job"]}
    wildcards = SimpleNamespace(dataset=row["dataset"], **names)
    memory = getattr(asked, f"{stage}_memory")(wildcards, 1)
    runtime = getattr(asked, f"{stage}_runtime")(wildcards, 1)
    assert 1.2 * float(row["megabytes"]) <= memory <= 12 * float(row["megabytes"])
    assert runtime * 60 >= 3 * float(row["seconds"])
    assert getattr(asked, f"{stage}_memory")(wildcards, 2) == pytest.approx(2 * memory, abs=100)
    assert getattr(asked, f"{stage}_runtime")(wildcards, 2) == 2 * runtime


@pytest.mark.parametrize(("size", "megabytes"), [(1_979_173, 156), (13_725_182, 241)])
def test_reading_asks_for_what_the_size_of_the_files_needs(
    size, megabytes, asked, tmp_path, monkeypatch
):
    """The megabytes were measured on MovieLens 100K and 1M."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(asked.data, "entry", lambda dataset: {"kind": "download"})
    wildcards = SimpleNamespace(dataset="mine")
    floor = asked.prepare_memory(wildcards, 1)
    (tmp_path / "data/processed/mine").mkdir(parents=True)
    record = json.dumps({"ratings": {"size": size}})
    (tmp_path / "data/processed/mine/source.json").write_text(record)
    memory = asked.prepare_memory(wildcards, 1)
    assert max(floor, 1.2 * megabytes) <= memory <= 4 * megabytes


def test_values_of_metrics_ask_for_what_the_size_of_their_files_needs(asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wildcards = SimpleNamespace(dataset="topics")
    monkeypatch.setattr(asked.data, "entry", lambda dataset: {"kind": "scores"})
    floor = asked.analyse_memory(wildcards, 1)
    (tmp_path / "data/processed/topics").mkdir(parents=True)
    record = json.dumps({"AP": {"size": 30_000_000}, "RR": {"size": 20_000_000}})
    (tmp_path / "data/processed/topics/source.json").write_text(record)
    assert asked.analyse_memory(wildcards, 1) - floor == pytest.approx(1.5 * 20 * 50, abs=100)


def test_a_larger_dataset_asks_for_more_and_one_that_is_not_there_for_little(
    asked, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    large = SimpleNamespace(dataset="large", recommender="slim")
    before = [getattr(asked, f"{stage}_memory")(large, 1) for stage in ("recommend", "analyse")]
    assert all(300 <= memory <= 700 for memory in before)
    (tmp_path / "results/large/split").mkdir(parents=True)
    (tmp_path / "results/large/split/summary.csv").write_text(
        "part,ratings,users,users_without,items,items_without\ntrain,20000000,130000,0,26000,0\n"
    )
    after = [getattr(asked, f"{stage}_memory")(large, 1) for stage in ("recommend", "analyse")]
    assert all(new > 4 * old for new, old in zip(after, before, strict=True))
    assert asked.recommend_runtime(large, 1) > 60


def test_every_rule_says_what_it_needs():
    both = r"\*\*plan\.(resources\.of|steps\.asked)\("
    each = r"mem_mb=plan\.resources\.\w+_memory,\s+runtime=plan\.resources\.\w+_runtime\b"
    for name, text in rules().items():
        if "localrule: True" not in text:
            assert re.search(f"{both}|{each}", text), name


def test_the_profiles_group_the_rules_that_there_are():
    profiles = [
        yaml.safe_load((ROOT / f"workflow/profiles/{name}/profile.yaml").read_text())
        for name in ("slurm", "generic")
    ]
    groups = profiles[0]["groups"]
    assert profiles[1]["groups"] == groups
    assert profiles[1]["group-components"] == profiles[0]["group-components"]
    submitted = {name for name, text in rules().items() if "localrule: True" not in text}
    # A single job, those of shards, which are there because a job would be too big, and those of a
    # target of its own.
    alone = {"collect_claims", "fit", "rank", "score_shard", "shards_f_step_rule_part", "simulate"}
    # These name their group themselves, that of the scores, unless there are `shards`.
    own = {name for name, text in rules().items() if "    group:" in text}
    assert own == {"analyse_step_rule"}
    assert submitted - set(groups) == alone | own
    assert set(groups) <= submitted
    assert set(profiles[0]["group-components"]) < set(groups.values())
    default = yaml.safe_load((ROOT / "workflow/profiles/default/profile.yaml").read_text())
    for profile in profiles:
        assert default.items() <= profile.items()
        assert profile["retries"] >= 1
        assert profile["cores"] == 1  # so that a group does not ask for the sum of its jobs


def test_submissions_with_25_million_ratings_take_from_a_minute_to_an_hour():
    """On paper, whichever recommenders come together."""
    profile = yaml.safe_load((ROOT / "workflow/profiles/slurm/profile.yaml").read_text())
    own = [row for row in MEASURED if row["dataset"] == "synthetic-ml-25m"]
    of = {row["job"]: float(row["seconds"]) for row in own if row["rule"] == "recommend"}
    assert set(SLOW) < set(of)
    assert "slow_{dataset}" not in profile["group-components"]  # each alone
    together = profile["group-components"]["recommend_{dataset}"]
    others = sorted(seconds for name, seconds in of.items() if name not in SLOW)
    left = len(others) % together or together
    analyses = sum(float(row["seconds"]) for row in own if row["rule"] in ("score", "analyse"))
    p_values = 809  # benchmarks/README.md: four jobs
    single = [of[name] for name in SLOW]
    assert min(*single, sum(others[:left]), analyses) >= 60
    assert max(*single, sum(others[-together:]), analyses + p_values) <= 3600


def test_the_lock_of_the_cluster_adds_what_the_project_names():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    text = (ROOT / "requirements-cluster.lock").read_text()
    pinned = dict(re.findall(r"^([a-z0-9-]+)==([^ ;\\]+)", text, re.MULTILINE))
    own = [text for text in extras["cluster"] if not text.startswith("rankassay[")]
    for requirement in map(Requirement, own):
        assert requirement.specifier.contains(pinned[requirement.name])
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", text)) >= len(pinned)
    assert "://" not in text
    ordinary = (ROOT / "requirements.lock").read_text()
    assert not any(re.search(f"^{name}==", ordinary, re.MULTILINE) for name in pinned)


@pytest.mark.skipif(bool(scheduler.missing()), reason=scheduler.missing())
def test_a_scheduler_starts_takes_a_job_and_stops(tmp_path):
    folder = tmp_path / "slurm"
    scheduler.up(folder)
    try:
        assert scheduler.run(folder, "srun", "--nodes=2", "echo", "here") == "here\nhere\n"
    finally:
        scheduler.down(folder)
    for path in folder.glob("*.pid"):
        assert not Path(f"/proc/{path.read_text().strip()}").exists()


def test_what_is_missing_is_said(monkeypatch):
    monkeypatch.setattr(scheduler, "SYSTEM_PATH", "")
    assert "apt-get install slurm-wlm munge" in scheduler.missing()

"""benchmarks/recommendation.py in short: it makes what is shipped, and tries the rule."""

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankassay.advice import worlds
from rankassay.metrics.evaluate import Measure
from rankassay.statistics.rank_correlation import tau_b
from rankassay.studies.validity import kinds_worlds
from rankassay.studies.validity.kinds import drawn
from rankassay.studies.validity.settings import APART, KINDS

pytestmark = pytest.mark.slow

BENCHMARK = Path(__file__).parents[3] / "benchmarks/recommendation.py"
FOLDER = worlds.FOLDER


@pytest.fixture(scope="module")
def script():
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("recommendation", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def shipped():
    return pd.read_csv(FOLDER / "worlds.csv"), pd.read_csv(FOLDER / "sizes.csv")


def test_the_shipped_table_has_all_kinds_sizes_and_measures(script, shipped):
    table, sizes = shipped
    assert [*table] == [*script.KEYS, *script.measures_of("graded")]
    assert {*table["kind"]} == {*KINDS} - {*APART} == {*script.CHOSEN_BY}
    assert {*zip(sizes["size"], sizes["feedback"], strict=True)} == {
        (size, feedback) for size in script.SIZES for feedback in worlds.FEEDBACK
    }
    for row in sizes.itertuples():
        own = table[(table["size"] == row.size) & (table["feedback"] == row.feedback)]
        assert (own.groupby("kind")["world"].apply(list).map(len) == row.worlds).all()
        assert own["world"].max() == row.worlds == script.SIZES[row.size].worlds
        said = own.columns[4:][own[own.columns[4:]].notna().any()]
        assert [*said] == [m for m in script.measures_of("graded") if m in said]
        assert {*said} == {*script.measures_of(row.feedback)}
    numbers = table[table.columns[4:]].to_numpy(np.float64)
    assert (np.nan_to_num(np.abs(numbers)) <= 100).all()
    assert [str(Measure.parse(m)) for m in table.columns[4:]] == [*table.columns[4:]]
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 600_000


@pytest.mark.parametrize(("kind", "feedback"), [("popular-fans", "graded"), ("many", "positive")])
def test_a_world_made_anew_is_the_one_in_the_table(script, shipped, kind, feedback):
    table, sizes = shipped
    found = script.simulated(("small", feedback, kind, 2, int(sizes["seed"].iloc[0])))
    own = table[(table["size"] == "small") & (table["feedback"] == feedback)]
    row = own[(own["kind"] == kind) & (own["world"] == 2)].iloc[0]
    for measure in script.measures_of(feedback):
        assert round(100 * found[measure]) == row[measure], measure


def test_tau_is_that_of_the_worlds_of_kinds(script, shipped):
    """By the study's own functions, measure by measure."""
    seed = int(shipped[1]["seed"].iloc[0])
    own = script.SIZES["small"]
    world = drawn("base", own.users, own.items, own.relevant, own.density, seed, "small", 1)
    seen = kinds_worlds.observed(world, seed, "small", "graded", "base", 1)
    table = kinds_worlds.measured(seen, seed, "base", 1)
    found = script.simulated(("small", "graded", "base", 1, seed))
    by_name = {f"{row.metric}@{row.cutoff}": row.tau for row in table.itertuples()}
    shared = [name for name in by_name if name in found]
    assert len(shared) > 20
    for name in shared:
        assert found[name] == pytest.approx(by_name[name], nan_ok=True), name
    hits = np.array([own_hits.sum() for own_hits in seen.hits], dtype=float)
    assert found["P@10"] == pytest.approx(tau_b(hits, seen.true))


def test_the_command_writes_the_form_that_is_shipped_and_the_same_bytes(
    script, shipped, tmp_path, monkeypatch
):
    monkeypatch.setattr(script, "CHOSEN_BY", ("suits",))
    monkeypatch.setattr(script, "ProcessPoolExecutor", ThreadPoolExecutor)
    for name in ("a", "b"):
        given = ["--sizes", "small", "--worlds", "2", "--seed", "3", "--jobs", "1", "--folder"]
        monkeypatch.setattr("sys.argv", ["recommendation.py", *given, str(tmp_path / name)])
        script.main()
    for name, own in zip(("worlds.csv", "sizes.csv"), shipped, strict=True):
        same = [(tmp_path / folder / name).read_bytes() for folder in ("a", "b")]
        assert same[0] == same[1]
        table = pd.read_csv(tmp_path / "a" / name)
        assert [*table] == [*own]
        assert len(table) == (4 if name == "worlds.csv" else 2)


def test_the_check_says_what_the_rule_takes_and_misses(script):
    """Two kinds and two worlds each, by hand."""
    measures = script.measures_of("graded")
    looks = {"users": 400, "relevant_median": 3.0, "judged_median": 7.0, "negative": True}
    rows = []
    for kind, world, tau in (
        ("base", 1, 0.5),
        ("base", 2, 0.7),
        ("only-liked", 1, 0.1),
        ("only-liked", 2, 0.1),
    ):
        row = {"size": "medium", "feedback": "graded", "kind": kind, "world": world, **looks}
        rows.append(row | dict.fromkeys(measures, tau) | {"nDCG@10": 0.56, "P@10": 0.65})
    found = script.check(pd.DataFrame(rows)).set_index("kind")
    assert found.loc["base", ["tau", "usual", "below"]].tolist() == pytest.approx([0.6, 0.56, 0.5])
    assert found.loc["all", "tau"] == pytest.approx(0.6)
    assert found.loc["all", "best_mean"] == "P@10"
    assert found.loc["base", "tau_best_mean"] == pytest.approx(0.65)
    assert found.loc["only-liked", "tau"] == pytest.approx(0.1)
    verdict = script.verdict(found.reset_index())
    assert verdict["best_mean_mean"].iloc[0] == pytest.approx(-0.05)

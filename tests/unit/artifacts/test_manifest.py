"""Manifests say what is there and what made it; `verify` says what differs and why."""

import ast
import importlib.metadata
import json
import re
from pathlib import Path

import pytest

import rankassay
from rankassay.artifacts import manifest
from rankassay.artifacts.files import checksum, record_of, write_json
from rankassay.artifacts.manifest import PACKAGES, STAGES, describe, ordered, stage_of
from rankassay.cli.main import main
from rankassay.cli.verify import distance
from rankassay.errors import RankassayError

ROOT = Path(__file__).parents[3]

PATHS = [
    "data/processed/tiny/source.json",
    "data/processed/tiny/ratings.npz",
    "results/tiny/statistics.csv",
    "results/tiny/split/train.npz",
    "results/tiny/rankings/slim.npz",
    "results/tiny/scores.npz",
    "results/tiny/robustness/sparsity.csv",
    "results/claims.csv",
    "results/tables/robustness/table-1.md",
    "figures/robustness/figure-1.png",
]
ALL = [*PATHS, "results/tiny/split/summary.csv"]
CONFIG = {"seed": 1, "split": {"test_fraction": 0.2}, "datasets": ["tiny"]}


def write_record(path):
    """Write the checksum of an artifact next to it, as jobs do."""
    record_of(path).write_text(checksum(path))


@pytest.fixture
def run(tmp_path):
    """Return a function that makes a folder of results with its manifest."""

    def make(name, config=CONFIG, changed=(), code="a"):
        folder, project = tmp_path / name, tmp_path / f"code of {name}"
        for path in PATHS:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text("new" if path in changed else "old")
            write_record(folder / path)
        split = "part,sha256\ntrain,{}\n".format("0" * 64)
        (folder / "results/tiny/split/summary.csv").write_text(split)
        write_record(folder / "results/tiny/split/summary.csv")
        (folder / "results/benchmarks").mkdir()
        (folder / "results/benchmarks/score.tsv").write_text(name)
        (folder / "results/.table.csv.77.tmp").write_text("half")
        (project / "src/rankassay").mkdir(parents=True)
        (project / "src/rankassay/one.py").write_text(code)
        manifest.write(folder, config, project, ALL)
        return folder

    return make


def verify(capsys, *arguments):
    """Return the exit status of `verify` and what it printed."""
    status = main(["verify", *map(str, arguments)])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return status, captured.out, captured.err


def test_every_artifact_is_in_the_manifest_and_nothing_else(run):
    folder = run("one")
    content = json.loads((folder / manifest.MANIFEST).read_text())
    assert [*content["artifacts"]] == sorted([*PATHS, "results/tiny/split/summary.csv"])
    assert content["splits"] == {"tiny/train": "0" * 64}
    assert content["packages"]["numpy"] == importlib.metadata.version("numpy")
    assert [*content["code"]] == ["src/rankassay/one.py"]


def test_the_same_results_have_the_same_manifest(run):
    config = dict(reversed(CONFIG.items()))
    one, two = (run(name, c) / manifest.MANIFEST for name, c in (("one", CONFIG), ("two", config)))
    assert one.read_bytes() == two.read_bytes()
    manifest.write(one.parents[2], CONFIG, one.parents[3] / "code of one", ALL)
    assert one.read_bytes() == two.read_bytes()  # it is no artifact itself


def test_equal_runs(run, capsys):
    status, out, _ = verify(capsys, run("one"), run("two"))
    assert status == 0
    assert out == f"{len(PATHS) + 1} artifacts have the same bytes.\n"


def test_a_difference_is_explained(run, capsys):
    changed = ["figures/robustness/figure-1.png", "results/tiny/scores.npz"]
    config = CONFIG | {"split": {"test_fraction": 0.3}, "depth": 5}
    one, two = run("one"), run("two", config, changed, code="b")
    (two / "results/claims.csv").unlink()
    manifest.write(two, config, two.parent / "code of two", ALL)
    status, out, error = verify(capsys, one, two / manifest.MANIFEST)
    assert status == 1
    assert "are not the same" in error
    lines = out.splitlines()
    assert lines[1:4] == [
        "2 have other bytes, in the order of the pipeline:",
        "  scores: results/tiny/scores.npz",
        "  figures: figures/robustness/figure-1.png",
    ]
    assert "  verdicts: results/claims.csv" in lines
    assert "1 is only in the old run, in the order of the pipeline:" in lines
    assert (
        "The difference begins with the scores; everything that depends on them may follow."
        in lines
    )
    assert "The splits hold the same ratings." in lines
    assert "  split.test_fraction: 0.2 -> 0.3" in lines
    assert "  depth: none -> 5" in lines
    assert any(line.startswith("  src/rankassay/one.py: ") for line in lines)
    assert "versions of packages differ:" not in lines


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a,b\nx,1.0\ny,2.0\n", "a,b\nx,1.0\ny,2.25\n", " (1 of 2 numbers, by at most 0.25)"),
        ("a,b\nx,1.0\ny,\n", "a,b\nx,1.5\ny,3.0\n", " (2 of 2 numbers, by at most 0.5)"),
        ("a,b\nx,1.0\n", "a,b\nx,1.0\ny,2.0\n", " (other rows or columns)"),
        ("a,b\nx,1.0\n", "a,b\ny,1.0\n", " (other texts)"),
    ],
)
def test_tables_say_how_far_they_are_apart(tmp_path, old, new, said):
    folders = tmp_path / "old", tmp_path / "new"
    for folder, text in zip(folders, (old, new), strict=True):
        folder.mkdir()
        (folder / "t.csv").write_text(text)
    assert distance(*folders, "t.csv") == said
    assert distance(*folders, "other.csv") == ""


def test_a_difference_that_nothing_explains_is_said(run, capsys):
    status, out, _ = verify(capsys, run("one"), run("two", changed=PATHS[:1]))
    assert status == 1
    assert "Nothing else that the manifests record differs" in out


def test_a_file_that_was_changed_after_the_run_is_found(run, capsys):
    folder = run("one")
    assert verify(capsys, folder)[:2] == (0, "11 artifacts are as the manifest says.\n")
    (folder / "results/tiny/scores.npz").write_text("touched")
    status, out, error = verify(capsys, folder)
    assert status == 1
    assert out == "  results/tiny/scores.npz\n"
    assert "1 artifact is not as its manifest says" in error
    status, out, _ = verify(capsys, folder, run("two"))
    assert status == 1
    assert "1 artifact is not as its manifest says" in out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "expected a manifest at"),
        ("{", "found something else"),
        ("[]", "found a file without its"),
        ('{"packages": {}}', "found a file without its 'config'"),
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path, capsys, content, message):
    path = tmp_path / "manifest.json"
    if content is not None:
        path.write_text(content)
    status, _, error = verify(capsys, path, path)
    assert status == 1
    assert message in error
    assert len(error.splitlines()) == 1


def test_paths_are_in_the_order_of_the_pipeline():
    assert [stage_of(path) for path in PATHS] == list(STAGES)
    assert ordered(PATHS[::-1]) == PATHS


@pytest.mark.slow
def test_the_versions_of_all_packages_that_the_code_imports_are_recorded():
    imported = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module.partition(".")[0])
    providers = importlib.metadata.packages_distributions()
    names = {name for module in imported for name in providers.get(module, [])}
    brought = {"urllib3", "snakemake-interface-logger-plugins"}  # by others of them
    names = {name.lower().replace("_", "-") for name in names} - {"rankassay"} - brought
    assert names <= set(PACKAGES)
    assert len(names) > 8
    assert all(re.fullmatch("[a-z0-9-]+", name) for name in PACKAGES)


def test_json_is_written_for_any_configuration(tmp_path):
    write_json(describe({"path": Path("x"), "n": float("inf")}, {}, {}, {}), tmp_path / "m.json")
    assert manifest.read(tmp_path / "m.json")["config"] == {"path": "x", "n": float("inf")}


def code_of(folder):
    return folder.parent / f"code of {folder.name}"


def check_known(folder, config, known=()):
    manifest.check_known(folder, config, code_of(folder), known)


def test_artifacts_without_records_have_to_be_of_the_configuration(run):
    folder, other = run("one"), CONFIG | {"seed": 2}
    check_known(folder, CONFIG)
    with pytest.raises(
        RankassayError, match=r"none for 11 artifacts .* is of another configuration"
    ):
        check_known(folder, other)
    (code_of(folder) / "src/rankassay/one.py").write_text("b")
    with pytest.raises(RankassayError, match="the manifest is of other code"):
        check_known(folder, CONFIG)
    (folder / manifest.MANIFEST).unlink()
    with pytest.raises(RankassayError, match="there is no manifest"):
        check_known(folder, CONFIG)


def test_artifacts_with_records_are_known(run):
    folder, other = run("one"), CONFIG | {"seed": 2}
    with pytest.raises(RankassayError, match=rf"none for 1 artifact \({ALL[1]}\)"):
        check_known(folder, other, {ALL[0], *ALL[2:]})
    check_known(folder, other, ALL)


def test_an_empty_folder_needs_no_records(tmp_path):
    manifest.check_known(tmp_path, CONFIG, tmp_path, ())


def test_a_run_of_one_target_does_not_speak_for_all_artifacts(run, capsys):
    folder = run("one")
    earlier = lambda: json.loads((folder / manifest.MANIFEST).read_text())["earlier"]  # noqa: E731
    assert earlier() == []
    other = CONFIG | {"seed": 2}
    manifest.write(folder, other, code_of(folder), ALL[:4])
    assert earlier() == sorted(ALL[4:])
    status, out, _ = verify(capsys, folder)
    assert status == 0
    assert "7 of them are of earlier runs, of another configuration or other code" in out
    # A second target of the same configuration leaves the first one as it is.
    manifest.write(folder, other, code_of(folder), ALL[4:5])
    assert earlier() == sorted(ALL[5:])
    with pytest.raises(RankassayError, match="none for 6 artifacts"):
        check_known(folder, other, ALL[:5])
    manifest.write(folder, other, code_of(folder), ALL)
    assert earlier() == []
    check_known(folder, other, ALL[:5])
    assert "earlier" not in verify(capsys, folder)[1]
    manifest.write(folder, CONFIG, code_of(folder), [])
    assert earlier() == sorted(ALL)


def test_what_no_job_wrote_needs_no_record(run):
    folder = run("one")
    (folder / "results/notes.txt").write_text("mine")
    (folder / "results/tiny/means.csv~").write_text("an editor's")
    check_known(folder, CONFIG | {"seed": 2}, ALL)
    manifest.write(folder, CONFIG, code_of(folder), ALL)  # notes are of no run
    check_known(folder, CONFIG, ALL)


def test_what_is_of_earlier_runs_is_called_so(run):
    folder = run("one")
    other = CONFIG | {"seed": 2}
    manifest.write(folder, other, code_of(folder), ALL[:4])
    with pytest.raises(
        RankassayError, match=r"none for 7 artifacts .* has them as of earlier runs"
    ):
        check_known(folder, other)
    check_known(folder, other, ALL[4:])


def test_the_folder_of_a_run_by_the_former_name_is_refused_at_every_door(run, capsys):
    folder = run("former")
    place = folder / manifest.MANIFEST
    content = json.loads(place.read_text())
    content["former"] = content.pop("rankassay")
    place.write_text(json.dumps(content))
    write_record(place)
    doors = {
        "verify": lambda: manifest.read(folder),
        "a new run": lambda: manifest.check_known(folder, CONFIG, folder, []),
        "a run that makes all again": lambda: manifest.former(folder),
        "the end of a run": lambda: manifest.check(folder),
        "results": lambda: rankassay.results("means", folder, "tiny"),
    }
    (folder / "results/tiny/means.csv").write_text("metric,mean\n")
    for call in doors.values():
        with pytest.raises(RankassayError, match=r"without the key 'rankassay'.* move data, res"):
            call()
    assert main(["verify", str(folder)]) == 1
    assert "of an earlier program" in capsys.readouterr().err
    record_of(place).unlink()  # as in a copy without hidden files
    for call in doors.values():
        with pytest.raises(RankassayError, match=r"without the key 'rankassay'.* move data, res"):
            call()

"""The command `demo-data`: small synthetic files that other commands read."""

import numpy as np
import pytest

import rankassay
from rankassay.cli.main import main
from rankassay.data.tables import SYNTHETIC, read

pytestmark = pytest.mark.slow

RUNS = ("ease", "popularity", "puresvd", "user-knn")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "demo"
    assert main(["demo-data", str(folder)]) == 0
    return folder


def test_it_writes_judgements_runs_and_training_ratings(folder):
    names = {path.name for path in folder.iterdir()}
    assert names == {"qrels.txt", "train.csv", *(f"{run}.run" for run in RUNS)}
    qrels = rankassay.read_qrels(folder / "qrels.txt")
    train = read(folder / "train.csv", "rating")
    assert {*qrels["rating"]} == {*train["rating"]} == {1, 2, 3, 4, 5}
    assert len(qrels) + len(train) == 30_000
    pairs = [set(zip(own["user"], own["item"], strict=True)) for own in (qrels, train)]
    assert not pairs[0] & pairs[1]
    for run in RUNS:
        listed = rankassay.read_run(folder / f"{run}.run")
        assert (listed.groupby("user").size() == 50).all()
        assert {*listed["user"]} == {*qrels["user"]}
        assert not set(zip(listed["user"], listed["item"], strict=True)) & pairs[1]


def test_all_that_is_made_up_says_so(folder):
    for path in folder.iterdir():
        lines = path.read_text().splitlines()
        assert all(line.startswith(SYNTHETIC) for line in lines[path.suffix == ".csv" :]), path


def test_the_personalised_runs_are_better_than_popularity(folder):
    found = rankassay.evaluate(
        folder / "qrels.txt", {run: folder / f"{run}.run" for run in RUNS}, "nDCG@10"
    )["nDCG@10"]
    assert found.idxmin() == "popularity"
    assert np.all(found > 0.1)


def test_another_seed_gives_other_files(folder, tmp_path):
    assert main(["demo-data", str(tmp_path / "other"), "--seed", "1"]) == 0
    for path in folder.iterdir():
        assert (tmp_path / "other" / path.name).read_bytes() != path.read_bytes()


def test_it_says_what_to_do_with_them_and_gives_the_same_bytes(
    folder, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert main(["demo-data", "demo", "--seed", "0"]) == 0
    for path in folder.iterdir():
        assert (tmp_path / "demo" / path.name).read_bytes() == path.read_bytes()
    said = capsys.readouterr()
    assert said.out.endswith(" judge demo/qrels.txt demo/*.run --train demo/train.csv\n")
    assert "synthetic data in demo: ease.run, " in said.err


def test_files_of_others_are_left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine\n")
    assert main(["demo-data", str(tmp_path)]) == 1
    [line] = capsys.readouterr().err.strip().splitlines()
    assert "expected an empty folder or a new one, found files" in line
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert main(["demo-data", str(tmp_path / "mine.txt")]) == 1
    assert main(["demo-data", str(tmp_path / "x"), "--seed", "-1"]) == 1

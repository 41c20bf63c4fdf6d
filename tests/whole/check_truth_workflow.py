"""A small dataset with judgements of random items, from its files to the lists."""

import numpy as np
import pandas as pd
import pytest

from rankassay.artifacts.arrays import Rankings, Ratings, Truth, read_matrix

CONFIG = """
datasets: [random-too, again]
variants: {again: {of: random-too, label: again, split_seed: 1}}
recommenders: [random, popularity]
dataset_catalogue:
  random-too:
    kind: file
    path: chosen.ascii
    truth_path: random.ascii
    propensities_path: propensities.csv
    format: matrix
    scale: [1, 5]
    propensities: {format: delimited}
    threshold: 4
"""
N_USERS, N_ITEMS = 12, 30
PROCESSED = "data/processed/random-too"
OUTPUTS = (
    *(f"{PROCESSED}/{name}.npz" for name in ("truth", "propensities")),
    *(f"results/{name}/rankings/popularity.npz" for name in ("random-too", "again")),
    *(f"results/{name}/trec/truth.txt" for name in ("random-too", "again")),
)


def made_up(folder):
    """Write the files; return the matrices of ratings and judgements."""
    rng = np.random.default_rng(5)
    chosen, judged = (
        np.where(rng.random((N_USERS, N_ITEMS)) < share, rng.integers(1, 6, (N_USERS, N_ITEMS)), 0)
        for share in (0.4, 0.3)
    )
    chosen[:, 0] = 3  # every item and user is known to training
    chosen[0] = 2
    for name, matrix in (("chosen", chosen), ("random", judged)):
        np.savetxt(folder / f"{name}.ascii", matrix, fmt="%d")
    lines = [
        f"{u + 1},{i + 1},{(u + i + 1) / 99!r}" for u in range(N_USERS) for i in range(N_ITEMS)
    ]
    (folder / "propensities.csv").write_text("\n".join(["user,item,propensity", *lines]) + "\n")
    return chosen, judged


@pytest.fixture(scope="module")
def run(tmp_path_factory, snakemake):
    """Return a function that makes the outputs, or as many as it can."""
    folder = tmp_path_factory.mktemp("truth")
    (folder / "mine.yaml").write_text(CONFIG)

    def call(*outputs):
        words = ("--cores", 1, "--configfile", folder / "mine.yaml", "--keep-going", "--")
        return snakemake(folder, *words, *outputs)

    call.folder = folder
    call.chosen, call.judged = made_up(folder)
    return call


@pytest.fixture(scope="module")
def finished(run):
    """Return the finished run."""
    process = run(*OUTPUTS)
    assert process.returncode == 0, process.stderr + process.stdout
    return run


def test_what_is_in_the_files_is_in_the_matrices(finished):
    processed = finished.folder / PROCESSED
    ratings = Ratings.load(processed / "ratings.npz")
    assert (ratings.matrix.toarray() == finished.chosen).all()
    assert (Truth.load(processed / "truth.npz").matrix.toarray() == finished.judged).all()
    propensities = read_matrix(processed / "propensities.npz")
    assert (propensities.indices == ratings.matrix.indices).all()
    assert propensities.data.tolist() == ((ratings.user + ratings.item + 1) / 99).tolist()


@pytest.mark.parametrize("dataset", ["random-too", "again"])
def test_the_truth_is_exported_for_other_tools(finished, dataset):
    lines = (finished.folder / f"results/{dataset}/trec/truth.txt").read_text().splitlines()
    user, item = np.nonzero(finished.judged)
    rating = finished.judged[user, item]
    there = zip(user + 1, item + 1, rating, strict=True)
    assert sorted(lines) == sorted(f"{u} 0 {i} {value}" for u, i, value in there)


def test_judgements_are_counted(finished):
    row = pd.read_csv(finished.folder / "results/random-too/truth.csv").iloc[0]
    judged = finished.judged > 0
    assert row["ratings"] == judged.sum()
    assert row["users_without"] == (~judged.any(axis=1)).sum()
    assert row["shared"] == (judged & (finished.chosen > 0)).sum()
    assert row["unknown"] == 0


@pytest.mark.parametrize("dataset", ["random-too", "again"])
def test_all_items_are_ranked(finished, dataset):
    train, test = (
        read_matrix(finished.folder / f"results/{dataset}/split/{part}.npz")
        for part in ("train", "test")
    )
    rankings = Rankings.load(finished.folder / f"results/{dataset}/rankings/popularity.npz")
    judged = np.diff(test.indptr) > 0
    assert (rankings.n_candidates == N_ITEMS - np.diff(train.indptr))[judged].all()


def test_a_bad_judgement_ends_in_one_line_and_what_was_made_stays(finished):
    path = finished.folder / "random.ascii"
    before = path.read_text()
    path.write_text(before.replace("5", "7", 1))
    try:
        process = finished(*OUTPUTS)
        assert process.returncode == 1
        line = next(i for i, text in enumerate(path.read_text().splitlines(), 1) if "7" in text)
        assert f"random.ascii, line {line}: expected a rating from 1 to 5" in process.stdout
        assert "Traceback" not in process.stdout + process.stderr
        for output in OUTPUTS[2:]:
            assert (finished.folder / output).exists()
    finally:
        path.write_text(before)


FLAGGED = """
datasets: [flagged, again]
variants: {again: {of: flagged, label: again, split_seed: 1}}
recommenders: [random, popularity, rocchio]
metrics: {names: [P, nDCG], cutoffs: [5, 10]}
dataset_catalogue:
  flagged:
    label: Made-up judgements
    kind: file
    path: judged.csv
    columns: {user: user, item: item, rating: rating}
    scale: [1, 4]
    truth: {known: known}
    threshold: 3
"""
RESULTS = (
    "data/processed/flagged/truth.npz",
    "results/flagged/truth.csv",
    *(f"results/{name}/validity/agreement.csv" for name in ("flagged", "again")),
)


def test_known_judgements_are_set_aside_before_the_split(tmp_path, snakemake):
    """Ratings and truth share no pair, on all variants; and all has the same bytes twice."""
    rng = np.random.default_rng(6)
    user, item = np.nonzero(rng.random((60, 40)) < 0.6)
    rows = pd.DataFrame({"user": user, "item": item, "rating": rng.integers(1, 5, len(user))})
    rows["known"] = (rng.random(len(user)) < 0.2 + 0.6 * item / 40).astype(int)
    (tmp_path / "flagged.yaml").write_text(FLAGGED)
    written = []
    for name, order in (("first", rows), ("second", rows.sample(frac=1, random_state=1))):
        folder = tmp_path / name
        folder.mkdir()
        order.to_csv(folder / "judged.csv", index=False)
        words = ("--cores", 1, "--configfile", tmp_path / "flagged.yaml", "--")
        process = snakemake(folder, *words, *RESULTS)
        assert process.returncode == 0, process.stderr + process.stdout
        written.append([(folder / path).read_bytes() for path in RESULTS])
    assert written[0] == written[1]
    truth = Truth.load(folder / RESULTS[0])
    true = truth.matrix.toarray() > 0
    splits = []
    for dataset in ("flagged", "again"):
        train, test = (
            read_matrix(folder / f"results/{dataset}/split/{part}.npz").toarray() > 0
            for part in ("train", "test")
        )
        assert not (true & (train | test)).any()
        assert true.sum() + train.sum() + test.sum() == truth.judged.sum()
        splits.append(train)
    assert (splits[0] != splits[1]).any()
    counts = pd.read_csv(folder / RESULTS[1]).iloc[0]
    assert (counts["shared"], counts["aside"], counts["design"]) == (0, 0.25, "set-aside")
    assert counts["known"] == truth.flags.sum()
    agreement = pd.read_csv(folder / RESULTS[2])
    assert agreement["tau"].notna().any()

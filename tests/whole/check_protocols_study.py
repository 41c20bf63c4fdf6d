"""The study of protocols on a small dataset, from the splits to the page."""

import json
from pathlib import Path

import pandas as pd
import pytest

from rankassay.artifacts.arrays import Rankings, Scores
from rankassay.artifacts.tables import read_table

ROOT = Path(__file__).parents[2]
PROTOCOLS = ["random-80-20", "leave-last-one"]
SETTINGS = {
    "datasets": ["tiny"],
    "studies": ["protocols"],
    "recommenders": ["random", "popularity"],
    # What robustness says under each is left to the demo: it takes as long as all else together.
    "protocols": {
        "protocols": PROTOCOLS,
        "seeds": 2,
        "analyses": {"criteria": None, "conclusions": None, "claims": None},
    },
    "metrics": {"names": ["P", "RR"], "cutoffs": [5, 10]},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, snakemake):
    """Return the folder of a run of the study."""
    folder = tmp_path_factory.mktemp("study-of-protocols")
    (folder / "mine.yaml").write_text(json.dumps(SETTINGS))
    files = ("--configfile", ROOT / "config/test.yaml", folder / "mine.yaml")
    process = snakemake(folder, "--cores", 2, *files)
    assert process.returncode == 0, process.stderr + process.stdout
    return folder


def test_replicates_are_made_beside_the_dataset(folder):
    place = folder / "results/tiny/protocols"
    assert {path.name for path in (place / "leave-last-one").iterdir()} == {"seed-1", "seed-2"}
    # The first random split is that of the dataset.
    assert {path.name for path in (place / "random-80-20").iterdir()} == {"seed-2"}
    trained = {path.stem for path in (place / "leave-last-one/seed-2/rankings").glob("[!.]*")}
    assert trained == {"random"}  # popularity draws nothing
    own = Scores.load(place / "leave-last-one/seed-2/scores.npz")
    assert own.systems.tolist() == ["Random", "Popularity"]


def test_the_seed_of_a_replicate_trains_other_models(folder):
    place = "protocols/leave-last-one/seed-{}/rankings/random.npz"
    first, second = (Rankings.load(folder / "results/tiny" / place.format(n)) for n in (1, 2))
    assert (first.items != second.items).any()


def test_the_parts_of_each_replicate_are_counted(folder):
    table = read_table(folder / "results/tiny/protocols/splits.csv").set_index("protocol")
    assert table["number"].tolist() == [1, 2, 1, 2]
    assert (table["removed"] == 0).all()
    assert (table.loc["leave-last-one", "test_ratings"] == 60).all()


def test_the_order_is_divided_among_its_sources(folder):
    table = read_table(folder / "results/tiny/protocols/components.csv")
    own = table[(table["metric"] == "P") & (table["cutoff"] == 10) & (table["protocol"] == "*")]
    shares = own.set_index("factor")["share"]
    assert {*shares.index} == {"system", "protocol", "split", "seed"}
    assert shares[["system", "protocol", "seed"]].sum() == pytest.approx(1)


def test_the_page_shows_the_study(folder):
    page = (folder / "results/report.html").read_text()
    assert "What depends on the protocol, in short" in page
    answers = pd.read_csv(folder / "results/tables/protocols/answers.csv")
    variance, agreement, winner = answers["Answer"]
    assert " of the variance of P@10 " in variance
    assert " under P@10 " in winner
    assert agreement.startswith("With two systems, orders cannot be compared")
    for name in ("components", "agreement", "winners"):
        assert (folder / f"figures/protocols/tiny/{name}.png").stat().st_size > 5000
    # Of synthetic data no claim is judged.
    assert not (folder / "results/tiny/protocols/claims.csv").exists()

"""How near our systems are to the published ones: numbers by hand, the figure, the target."""

import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import yaml

from rankassay.artifacts.arrays import Rankings, write_matrix
from rankassay.artifacts.tables import read_table
from rankassay.cli.job import do
from rankassay.drawing import style
from rankassay.errors import RankassayError
from rankassay.metrics.evaluate import Measure
from rankassay.studies.fidelity import views
from rankassay.studies.fidelity.means import DECISIVE, NDCG, compare, summarise

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PATH = ROOT / "src/rankassay/studies/fidelity/published/system-means.csv"
PUBLISHED = pd.read_csv(PATH)


def value(dataset, recommender, measure):
    rows = PUBLISHED.set_index(["dataset", "recommender", "measure"])["mean"]
    return rows.loc[dataset, recommender, measure]


def made_up(ours):
    """Return a comparison of systems whose decisive measures were all published as 0.1, 0.2..."""
    rows = [
        (name, name.upper(), measure, mean)
        for name, means in ours.items()
        for measure, mean in zip(DECISIVE, means, strict=True)
    ]
    means = pd.DataFrame(rows, columns=["recommender", "system", "metric", "ours"])
    published = pd.DataFrame(
        [(name, m, (i + 1) / 10) for i, name in enumerate(ours) for m in DECISIVE],
        columns=["recommender", "measure", "mean"],
    )
    return compare(means, published)


def test_the_published_means_are_complete():
    assert len(PUBLISHED) == 3 * 21 * 48
    assert not PUBLISHED.duplicated(["dataset", "recommender", "measure"]).any()
    assert PUBLISHED["mean"].between(0, 1).all()
    assert set(PUBLISHED.dataset) == {"ml-1m", "librarything", "beeradvocate"}
    assert PUBLISHED.recommender.nunique() == 21
    measures = PUBLISHED.measure.unique()
    assert len(measures) == 48
    assert [str(Measure.parse(measure)) for measure in measures] == list(measures)


def test_the_published_recommenders_are_in_the_catalogue():
    catalogue = yaml.safe_load((ROOT / "config/recommenders.yaml").read_text())
    assert set(PUBLISHED.recommender) <= set(catalogue["recommender_catalogue"])


@pytest.mark.parametrize(
    ("dataset", "recommender", "measure", "mean"),
    [
        ("ml-1m", "slim", "P@10", 0.3057),
        ("ml-1m", "slim", NDCG, 0.4555),
        ("ml-1m", "popularity", "P@100", 0.0621),
        ("ml-1m", "rocchio", "P@10", 0.2545),
        ("ml-1m", "bprmf", "R@100", 0.6427),
        ("ml-1m", "bprmf", "AP@10", 0.1197),
        ("ml-1m", "bprmf", "nDCG@5", 0.3865),
        ("ml-1m", "ht", "RR@100", 0.0319),
        ("ml-1m", "ht", "Bpref@100", 0.1384),
        ("ml-1m", "chi2", "infAP@100", 0.4272),
        ("librarything", "ht", NDCG, 0.0734),
        ("beeradvocate", "ht", NDCG, 0.0139),
        ("beeradvocate", "nncosngbr-ub", NDCG, 0.0273),
    ],
)
def test_published_values(dataset, recommender, measure, mean):
    assert value(dataset, recommender, measure) == mean


def test_compare_by_hand():
    means = pd.DataFrame(
        {
            "recommender": ["b", "b", "a", "mine"],
            "system": ["B", "B", "A", "Mine"],
            "metric": ["P@10", "P@7", "P@10", "P@10"],
            "ours": [0.11, 0.5, 0.2, 0.9],
        }
    )
    published = pd.DataFrame(
        {"recommender": ["a", "b", "c"], "measure": "P@10", "mean": [0.0, 0.1, 0.3]}
    )
    table = compare(means, published)
    assert list(table.columns) == [
        *("system", "metric", "ours", "published", "difference", "relative"),
    ]
    assert list(table.system) == ["B", "A"]
    np.testing.assert_allclose(table.difference, [0.01, 0.2])
    np.testing.assert_allclose(table.relative, [0.1, np.nan])


def test_summarise_by_hand():
    # Published 0.1, 0.2, 0.3, 0.4; by nDCG c and d change places: 5 pairs agree and 1 does not.
    table = made_up({"a": (0.1, 0.102), "b": (0.21, 0.2), "c": (0.299, 0.5), "d": (0.4, 0.401)})
    summary = summarise(table).set_index("quantity")["value"]
    assert list(summary)[:4] == [4, 3, 3, 2]
    assert summary.iloc[4] == pytest.approx(4 / 6)
    assert "3%" in summary.index[1]


def test_a_single_system_has_no_order():
    assert math.isnan(summarise(made_up({"a": (0.1, 0.1)}))["value"].iloc[4])


def test_the_figure_shows_both_values_and_marks_what_is_far():
    table = made_up({"a": (0.1, 0.102), "b": (0.3, 0.2), "c": (0.299, 0.5)})
    table = table.assign(dataset="d")
    drawn = views.systems(table, [{"dataset": "d", "title": "Data"}])
    first, second = [axes for axes in drawn.axes if axes.get_title()]
    assert [label.get_text() for label in first.get_yticklabels()] == ["A", "B", "C"]
    published, ours = first.get_lines()
    np.testing.assert_allclose(published.get_xdata(), [0.1, 0.2, 0.3])
    np.testing.assert_allclose(ours.get_xdata(), [0.1, 0.3, 0.299])
    texts = {text.get_text(): text.get_fontweight() for text in first.texts}
    assert texts["0.0 %"] == texts["−0.3 %"] == "normal"
    assert texts["+50 %"] == "bold"
    assert "nDCG" in second.get_title()


def test_the_figure_of_all_published_systems_is_saved(tmp_path):
    part = PUBLISHED[(PUBLISHED.dataset == "beeradvocate") & PUBLISHED.measure.isin(DECISIVE)]
    means = part.rename(columns={"measure": "metric"}).assign(
        system=part.recommender, ours=part["mean"] * 1.05
    )
    table = compare(means[["recommender", "system", "metric", "ours"]], part)
    panels = [{"dataset": "beeradvocate", "title": "BeerAdvocate"}]
    style.save(views.systems(table.assign(dataset="beeradvocate"), panels), tmp_path / "plot")
    for kind in ("pdf", "svg", "png"):
        assert (tmp_path / f"plot.{kind}").stat().st_size > 1000


@pytest.mark.parametrize(
    ("relative", "text"),
    [(0.0123, "+1.2 %"), (-0.254, "−25 %"), (0.0001, "0.0 %"), (0.09996, "+10 %")],
)
def test_percentage(relative, text):
    assert views.percentage(relative) == text
    assert views.percentage(math.nan) == "–"


def call(tmp_path, depth, dataset="ml-1m"):
    """Run the stage on two users with two test items each; the ranks are 1 and 3, 2 and none."""
    test = sp.csr_matrix(np.array([[5, 0, 4, 0], [0, 4, 0, 2]], dtype=np.float32))
    write_matrix(test, tmp_path / "test.npz")
    items = np.full((2, depth), -1, dtype=np.int32)
    count = np.full(2, 3, dtype=np.int32)
    ranks = np.array([1, 3, 2, 0], dtype=np.int32)
    Rankings(items, ranks, count, count).save(tmp_path / "slim.npz")
    systems = {"slim": {"label": "A label: x", "rankings": tmp_path / "slim.npz"}}
    given = {"test": tmp_path / "test.npz", "published": PATH, "dataset": dataset, "threshold": 4}
    files = {name: tmp_path / f"{name}.csv" for name in ("table", "summary")}
    do("fidelity", given | files | {"systems": systems})


def test_the_stage_evaluates_every_published_measure(tmp_path):
    call(tmp_path, depth=100)
    table = read_table(tmp_path / "table.csv")
    assert len(table) == 48
    assert set(table.system) == {"A label: x"}
    rows = table.set_index("metric")
    assert rows.loc["P@10", "ours"] == pytest.approx((0.2 + 0.1) / 2)
    assert rows.loc["RR@100", "ours"] == pytest.approx((1 + 1 / 2) / 2)
    assert rows.loc["P@10", "published"] == 0.3057
    log2 = np.log2
    first = (5 + 4 / log2(4)) / (5 + 4 / log2(3))
    second = (4 / log2(3)) / (4 + 2 / log2(3))
    assert rows.loc[NDCG, "ours"] == pytest.approx((first + second) / 2)
    assert read_table(tmp_path / "summary.csv")["value"].iloc[0] == 1


def test_lists_that_are_too_short_are_an_error(tmp_path):
    with pytest.raises(RankassayError, match="lists of 100 items, found lists of 20"):
        call(tmp_path, depth=20)


def test_an_unknown_dataset_is_an_error(tmp_path):
    with pytest.raises(RankassayError, match="has no means for the dataset tiny"):
        call(tmp_path, depth=100, dataset="tiny")


def test_the_target_compares_what_was_published(snakemake, tmp_path):
    process = snakemake(
        tmp_path,
        *("fidelity", "--dry-run", "-p", "--config", 'datasets=["ml-1m"]'),
        'recommenders=["random", "ease", "slim"]',
    )
    assert process.returncode == 0, process.stderr
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", process.stdout, re.MULTILINE))
    wanted = {"recommend": "2", "compare_systems": "1", "fidelity": "1"}
    assert wanted.items() <= jobs.items()
    assert "analyse" not in jobs


def test_the_target_says_when_nothing_was_published(snakemake, tmp_path):
    process = snakemake(
        tmp_path, "fidelity", "--dry-run", "-p", "--configfile", ROOT / "config/test.yaml"
    )
    assert process.returncode == 1
    lines = process.stderr.strip().splitlines()
    assert lines[-1].startswith("rankassay: fidelity: no configured dataset has published means")
    assert "Traceback" not in process.stderr + process.stdout

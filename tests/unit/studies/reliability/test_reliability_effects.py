"""Effect sizes of the study of reliability: counts, letters, sentences and their tables."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from rankassay.artifacts.arrays import Scores
from rankassay.artifacts.tables import read_table, write_table
from rankassay.drawing.table import printed, write
from rankassay.drawing.text import latex, markdown
from rankassay.errors import RankassayError
from rankassay.statistics.corrections import holm
from rankassay.statistics.significance import p_values
from rankassay.studies.reliability import differences, tables, words

SYSTEMS = ["01", "1", "near", "poor"]
MEASURES = ["nDCG@10", "RMSE", "P@5"]
TITLES = {"one": "Data one", "two": "Data two (synthetic)"}


@pytest.fixture(scope="module")
def scores():
    """Return scores of 400 users: "01" and "near" are all but equal, "poor" is worse."""
    rng = np.random.default_rng(5)
    base = 0.5 + 0.1 * rng.random((400, 1, 3))
    shift = np.array([0.0, -0.02, 0.0002, -0.1])[:, None]
    values = base + shift + 0.01 * rng.random((400, 4, 3))
    return Scores(values, np.arange(400), np.array(SYSTEMS), np.array(MEASURES))


@pytest.fixture(scope="module")
def tested(scores):
    return p_values(scores, 0, 0, "t", True, equivalence="1%")


@pytest.fixture(scope="module")
def means(scores):
    rows = [
        {
            "system": system,
            "metric": metric,
            "cutoff": cutoff,
            "mean": scores.values[:, i, m].mean(),
        }
        for m, (metric, cutoff) in enumerate([("nDCG", 10), ("RMSE", None), ("P", 5)])
        for i, system in enumerate(SYSTEMS)
    ]
    return pd.DataFrame(rows)


def counted(scores, m, alpha):
    """Return what scipy's tests say of each pair: significant, and equivalent."""
    x, p, same = scores.values[:, :, m], [], []
    for i in range(4):
        for j in range(i + 1, 4):
            d = x[:, i] - x[:, j]
            # Of errors the lower mean is the better one.
            better = min if MEASURES[m] == "RMSE" else max
            e = 0.01 * better(x[:, i].mean(), x[:, j].mean())
            p.append(scipy.stats.ttest_1samp(d, 0).pvalue)
            sides = [
                scipy.stats.ttest_1samp(d, -e, alternative="greater").pvalue,
                scipy.stats.ttest_1samp(d, e, alternative="less").pvalue,
            ]
            same.append(max(sides))
    return holm(np.array(p)) < alpha, holm(np.array(same)) < alpha


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_pairs_are_counted_as_by_scipy(scores, tested, alpha):
    table = differences.effect_sizes(tested, alpha=alpha)
    assert table["metric"].to_list() == ["nDCG", "RMSE", "P"]
    for m, row in enumerate(table.itertuples()):
        significant, same = counted(scores, m, alpha)
        assert (row.users, row.pairs) == (400, 6)
        assert row.significant == significant.sum()
        assert row.small == (significant & same).sum()
        assert row.equivalent == same.sum() > 0
        assert row.open == (~significant & ~same).sum()
        assert (row.correction, row.equivalence, row.alpha) == ("holm", "1%", alpha)
        assert 0.5 < row.superiority <= 1


def test_p_values_have_effect_sizes_and_what_they_were(scores, tested):
    plain = p_values(scores, 0, 0, "t", True)
    pd.testing.assert_frame_equal(tested[[*plain]], plain)
    assert {*tested} - {*plain} == {"p_equivalence", "equivalence"}
    row = tested.iloc[0]
    d = scores.values[:, 0, 0] - scores.values[:, 1, 0]
    interval = scipy.stats.ttest_1samp(d, 0).confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
    assert row["superiority"] == pytest.approx((d > 0).mean())
    # Of errors, who has the lower value is better off.
    other = tested[tested["metric"] == "RMSE"].iloc[0]
    d = scores.values[:, 0, 1] - scores.values[:, 1, 1]
    assert other["superiority"] == pytest.approx((d < 0).mean())


def test_letters_name_the_systems_that_one_beats(means, tested, tmp_path):
    table = differences.systems(means, tested, alpha=0.05)
    write_table(table, tmp_path / "systems.csv")
    again = read_table(tmp_path / "systems.csv").fillna({"beats": ""})
    pd.testing.assert_frame_equal(again, table, check_dtype=False)
    by_system = {name: own.set_index("system") for name, own in table.groupby("metric")}
    assert by_system["nDCG"]["beats"].to_dict() == {
        "01": "b,d",
        "1": "d",
        "near": "b,d",
        "poor": "",
    }
    assert by_system["RMSE"]["beats"].to_dict() == {
        "01": "",
        "1": "a,c",
        "near": "",
        "poor": "a,b,c",
    }
    assert by_system["RMSE"].loc["poor", "rank"] == 1
    assert by_system["nDCG"].loc["poor", "rank"] == 4
    none = differences.systems(means, tested.assign(p_value=1.0), alpha=0.05)
    assert (none["beats"] == "").all()
    equal = np.where(np.arange(len(means)) % 2, 0.3, 0.1 + 0.2)  # but for rounding
    ranks = differences.systems(means.assign(mean=equal), tested, alpha=0.05)["rank"]
    assert (ranks == 1).all()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"significant": 205, "small": 30, "equivalent": 30, "open": 5},
            "205 of 210 pairs of systems differ significantly under nDCG@10 (p < 0.05, corrected "
            "for all pairs by max-T). 30 of these are shown to differ by less than 1% of the "
            "better mean. 5 pairs are inconclusive: neither different nor equivalent. The sample "
            "is 6,040 users.",
        ),
        (
            {"significant": 209, "small": 0, "equivalent": 1, "open": 0, "equivalence": "0.01"},
            "209 of 210 pairs of systems differ significantly under nDCG@10 (p < 0.05, corrected "
            "for all pairs by max-T). None of these is shown to differ by less than 0.01. 1 other "
            "pair is equivalent: shown to differ by less than 0.01. The sample is 6,040 users.",
        ),
        (
            {"significant": 0, "small": 0, "equivalent": 209, "open": 1, "correction": "holm"},
            "0 of 210 pairs of systems differ significantly under nDCG@10 (p < 0.05, corrected for "
            "all pairs by Holm's method). 209 other pairs are equivalent: shown to differ by less "
            "than 1% of the better mean. 1 pair is inconclusive: neither different nor equivalent. "
            "The sample is 6,040 users.",
        ),
    ],
)
def test_sentences_say_the_counts(changes, expected):
    row = {"users": 6040, "pairs": 210, "measure": "nDCG@10", "equivalence": "1%"}
    row |= {"alpha": 0.05, "correction": "max-t"} | changes
    assert words.of_effects(pd.Series(row)) == expected


@pytest.fixture(scope="module")
def results(means, tested):
    """Return the tables of both analyses for two datasets, as the table job joins them."""
    found = differences.effect_sizes(tested, alpha=0.05)
    both = found, differences.systems(means, tested, alpha=0.05)
    return [pd.concat([t.assign(dataset=name) for name in TITLES]) for t in both]


def test_the_table_of_effects_counts_by_metric(results):
    table = tables.effect_sizes(results[0], 10, TITLES)
    assert table.frame["Dataset"].to_list() == [t for t in TITLES.values() for _ in range(2)]
    assert table.frame["Metric"].to_list() == ["nDCG@10", "RMSE"] * 2
    row = results[0].iloc[0]
    first = table.frame.iloc[0]
    assert (first["Significant"], first["Of these small"]) == (row["significant"], row["small"])
    assert "Data two (synthetic): " in table.note
    assert "The sample is 400 users." in table.note
    assert "by less than 1% of the better mean" in table.caption
    with pytest.raises(RankassayError, match="no effect sizes to show"):
        tables.effect_sizes(results[0][results[0]["metric"] == "P"], 10, TITLES)


def test_the_table_of_systems_has_raised_letters(results, tmp_path):
    table = tables.systems(results[1], 10, TITLES)
    text = markdown(printed(table))
    values = results[1][results[1]["dataset"] == "one"]
    for row in values[values["metric"] == "nDCG"].itertuples():
        mean = f"{row.mean:.4f}"
        shown = f"**{mean}**" if row.rank == 1 else mean
        raised = row.beats.replace(",", "")
        assert (f"{shown}<sup>{raised}</sup>" if raised else f"{shown} ") in text
    assert "P@5" not in text
    tex = latex(printed(table), "systems")
    assert tex.count("{") == tex.count("}")
    assert r"\textsuperscript{bd}" in tex
    assert "corrected for all pairs (holm)" in table.note
    write(table, tmp_path / "systems")
    written = pd.read_csv(tmp_path / "systems.csv", dtype={"System": str}).fillna("")
    assert written["nDCG@10 beats"].to_list() == ["bd", "d", "bd", ""] * 2
    assert written["System"].to_list() == SYSTEMS * 2
    with pytest.raises(RankassayError, match="no systems to show: expected rows at cut-off 10"):
        tables.systems(results[1][results[1]["metric"] == "P"], 10, TITLES)


def test_of_more_systems_than_letters_their_number_is_raised():
    names = [f"s{i:02}" for i in range(28)]
    letter = [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab"]
    rows = pd.DataFrame(
        {"dataset": "one", "metric": "P", "cutoff": 5, "letter": letter, "system": names}
    ).assign(mean=np.linspace(1, 0, 28), rank=range(1, 29), correction="max-t", alpha=0.05)
    rows["beats"] = ["b,c,aa", "c", *[""] * 26]
    table = tables.systems(rows, 5, TITLES)
    assert table.raised["P@5"][:3] == ["3", "1", ""]
    assert "Raised numbers count the systems" in table.note

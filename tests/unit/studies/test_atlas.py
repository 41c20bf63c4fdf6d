"""The atlas: findings by dataset and settings, the verdicts over all datasets, and their figure."""

import json
import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from axes_checked import check_axes
from matplotlib.colors import to_rgba as colour

from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.conditions import SIGNS
from rankassay.claims.figure import COLOURS
from rankassay.claims.lists import read
from rankassay.drawing.table import printed
from rankassay.errors import NothingToShowError
from rankassay.studies import STUDIES
from rankassay.studies.atlas import views
from rankassay.studies.atlas.across import (
    COLUMNS,
    ELSEWHERE,
    OVER_ALL,
    conclusions,
    datasets,
    findings,
    places,
)
from rankassay.studies.atlas.views import SHORT, said, short

PANELS = [{"dataset": "across", "title": "Across datasets", "cutoff": 10}]
TUNED = "chosen by validation"
WORDS = ("holds", "inconclusive", "does not hold")


def runs_of(*names, tuned=(), **sources):
    """Return the datasets of a run, some of them with a variant of other settings.

    Each has a source of its own, but for those that `sources` has.
    """
    found = {
        name: {"title": name.upper(), "source": sources.get(name, name), "implicit": name[0] == "i"}
        | {"of": name, "label": "", "settings": name, "split": False}
        for name in names
    }
    for name in tuned:
        found[f"{name}-tuned"] = found[name] | {"label": TUNED, "settings": f"{name}-tuned"}
    return found


def claim(dataset, sentence="x", mean=0.5, spread=0.01, **said):
    """Return a row that decides its sentence, above 0 by a margin of .1, as `judge` returns it.

    Without the families of systems its numbers are `spread` apart.
    """
    return {
        "dataset": dataset,
        "id": sentence,
        "sentence": sentence,
        "says": f"About {sentence}.",
        "said_in": "section 7",
        "source": "Author, 2018, section 7",
        "kind": "finding",
        "decides": True,
        "claim": f"The number of {sentence}.",
        "expected": "above 0 (margin 0.1)",
        "predicate": "above",
        "bound": 0.0,
        "margin": 0.1,
        "least": -1.0,
        "greatest": 1.0,
        "holds": mean > 0,
        "mean": mean,
        "low": mean - 0.05,
        "high": mean + 0.05,
        "reproduced": "holds",
        "without": json.dumps({f"family {i}": mean + spread * i for i in range(7)}),
        "general": "holds",
    } | said


def found_of(rows, runs):
    """Return the findings of rows of claims."""
    return findings(pd.DataFrame(rows), runs)


# ---- Findings on each dataset.


def test_a_finding_is_the_number_that_decides_it_on_each_dataset_and_with_each_settings():
    runs = runs_of("a", "b", tuned=("b",), b="Another")
    rows = [
        claim(
            "b-tuned", mean=-0.3, id="x:share", reproduced="inconclusive", general="inconclusive"
        ),
        claim("b", mean=0.2, id="x:share"),
        claim("a", mean=-0.1, id="x:share", reproduced="does not hold", without=""),
    ]
    table = found_of(rows, runs)
    assert [*table] == COLUMNS
    # In the order of the runs, a dataset's settings in the order of their rows.
    assert table[["dataset", "settings"]].to_numpy().tolist() == [
        ["a", ""],
        ["b", TUNED],
        ["b", ""],
    ]
    assert table["title"].to_list() == ["A", "B", "B"]
    assert table["source"].to_list() == ["a", "Another", "Another"]
    for row, own in zip(table.to_dict("records"), (rows[2], rows[0], rows[1]), strict=True):
        kept = {*own} & {*COLUMNS} - {"dataset", "source"}
        assert {name: row[name] for name in kept} == {name: own[name] for name in kept}


def test_what_decides_no_finding_of_the_paper_takes_no_part():
    """Nor what needs a published number, which data of the paper alone has."""
    other = {"a": [], "b": []}
    for dataset, rows in other.items():
        rows += [
            claim(dataset),
            claim(dataset, id="x-detail", decides=False),
            claim(dataset, "fact", kind="fact"),
            claim(dataset, "ours", source="ours"),
            claim(dataset, "number", predicate="near", expected="0.5 within 0.1"),
            claim(dataset, "numbers", id="numbers:distance", predicate="at_most"),
        ]
    lacking = ("undefined", "not asked", "not testable")
    for word in lacking:
        other["a"].append(claim("a", word))
        other["b"].append(claim("b", word, reproduced=word, mean=np.nan, holds=None))
    table = found_of(other["a"] + other["b"], runs_of("a", "b"))
    assert table[["dataset", "id"]].to_numpy().tolist() == [["a", "x"], ["b", "x"]]


def test_neither_a_variant_nor_another_split_is_a_second_dataset():
    runs = runs_of("a", tuned=("a",))
    assert found_of([claim("a"), claim("a-tuned")], runs).empty
    runs = runs_of("a", "b")
    runs["a-split"] = runs["a"] | {"label": "another split", "split": True}
    table = found_of([claim("a"), claim("a-split", mean=0.9), claim("b")], runs)
    assert table["dataset"].to_list() == ["a", "b"]
    assert 0.9 not in [*table["mean"]]


def test_what_the_paper_says_of_its_other_data_is_marked():
    rows = [claim(name, sentence) for name in "ab" for sentence in ("sparsity-map", "deeper")]
    table = found_of(rows, runs_of("a", "b")).set_index("sentence")["elsewhere"]
    assert table.to_dict() == {"sparsity-map": True, "deeper": False}


def test_names_are_of_the_findings_of_the_paper():
    claims = [own for own in read(STUDIES["robustness"].claims) if own["kind"] == "finding"]
    assert {own["sentence"] for own in claims} == {*SHORT}
    of_first = {own["sentence"] for own in claims if "ml-1m" in own["datasets"]}
    assert {*SHORT} - of_first == {*ELSEWHERE}
    assert max(map(len, SHORT.values())) <= 50
    assert short("of-mine") == "of mine"


# ---- Over all datasets.


def mean_of_sources(values):
    """Return the mean over sources of the means of their datasets; values are (source, number)."""
    by_source = {}
    for source, value in values:
        by_source.setdefault(source, []).append(value)
    means = [sum(own) / len(own) for own in by_source.values()]
    return sum(means) / len(means), means


def again(rows):
    """Return mean, low, high and the verdict that it is above 0 by .1, computed once more.

    `rows` are pairs of a source, and a number with those without each family, by name.
    """
    mean, means = mean_of_sources([(source, own) for source, (own, _) in rows])
    n = len(means)
    of_sources = sum((own - mean) ** 2 for own in means) / (n - 1) / n
    # A family that one dataset does not have cannot be left out of all.
    names = {*rows[0][1][1]}.intersection(*(own for _, (_, own) in rows))
    left = [
        mean_of_sources([(source, own[name]) for source, (_, own) in rows])[0] for name in names
    ]
    of_all = sum(left) / len(left)
    of_systems = (len(left) - 1) / len(left) * sum((own - of_all) ** 2 for own in left)
    df = (of_sources + of_systems) ** 2
    df /= of_sources**2 / (n - 1) + of_systems**2 / (len(left) - 1)
    reach = scipy.stats.t.isf(0.025, df) * math.sqrt(of_sources + of_systems)
    low, high = max(mean - reach, -1), min(mean + reach, 1)
    if low > 0:
        return mean, low, high, "holds"
    return mean, low, high, "does not hold" if high < 0.1 else "inconclusive"


def drawn(seed):
    """Return nine datasets of a few sources: their numbers as `again` takes them, and findings."""
    rng = np.random.default_rng(seed)
    names = [f"d{i}" for i in range(9)]
    sources = ["p", "q", "r", *rng.choice([*"pqrstuv"], 6)]
    centre, scale = rng.choice([-0.1, 0.02, 0.06, 0.2]), rng.choice([0.02, 0.1, 0.2])
    common = rng.normal(0, scale / 3, 8)  # what a family does on all datasets
    numbers = []
    for mean in rng.normal(centre, scale, 9).clip(-1, 1).round(3).tolist():
        left = mean + common + rng.normal(0, scale / 3, 8)
        without = {f"family {i}": own for i, own in enumerate(left.tolist())}
        del without[f"family {rng.choice(2)}"]
        numbers.append((mean, without))
    rows = [
        claim(name, mean=mean, without=json.dumps(without))
        for name, (mean, without) in zip(names, numbers, strict=True)
    ]
    found = found_of(rows, runs_of(*names, **dict(zip(names, sources, strict=True))))
    return [*zip(sources, numbers, strict=True)], found


def test_the_verdict_is_by_the_mean_of_the_sources_and_of_all_but_one():
    seen, changes = set(), set()
    for seed in range(30):
        numbers, found = drawn(seed)
        [row] = conclusions(found).to_dict("records")
        mean, low, high, verdict = again(numbers)
        assert [row["mean"], row["low"], row["high"]] == pytest.approx([mean, low, high])
        assert row["general"] == verdict
        sources = {source for source, _ in numbers}
        assert (row["sources"], row["datasets"]) == (len(sources), 9)
        assert row["hold"] == sum(own[0] > 0 for _, own in numbers)
        without = {one: again([own for own in numbers if own[0] != one])[3] for one in sources}
        # The one that is farthest from the verdict over all; of those as far, the better word.
        at = WORDS.index(verdict)
        changed = [(WORDS.index(word), name) for name, word in without.items() if word != verdict]
        place, name = min(changed, key=lambda own: (-abs(own[0] - at), own), default=(at, ""))
        assert (row["verdict_without"], row["without"]) == (WORDS[place], name)
        seen.add(verdict)
        changes.add((verdict, row["verdict_without"]))
    # Were all of them alike, this would say little.
    assert seen == {*WORDS}
    assert len(changes) > 4


def concluded(means, runs=None, **words):
    """Return the conclusion of numbers by dataset; None where there is none."""
    rows = [claim(name, mean=mean, **words) for name, mean in means.items()]
    found = conclusions(found_of(rows, runs or runs_of(*means)))
    return found.to_dict("records")[0] if len(found) else None


def test_three_datasets_of_one_source_count_once():
    movies = {"ml-1m": 0.6, "ml-100k": 0.5, "ml-latest": 0.4}
    runs = runs_of(*movies, "b", "c", "d", **dict.fromkeys(movies, "MovieLens"))
    others = {"b": 0.2, "c": 0.3, "d": 0.25}
    found = concluded(movies | others, runs)
    alone = concluded({"ml": 0.5} | others)
    numbers = ["mean", "low", "high", "general", "sources"]
    assert [found[name] for name in numbers[:3]] == pytest.approx([alone[n] for n in numbers[:3]])
    assert found["mean"] == pytest.approx((0.5 + 0.2 + 0.3 + 0.25) / 4)
    assert (found["sources"], found["datasets"], found["hold"]) == (4, 6, 6)
    assert (alone["sources"], alone["datasets"]) == (4, 4)


def test_a_finding_that_one_source_hides_is_general_without_it():
    found = concluded({"a": 0.5, "b": 0.55, "c": 0.52, "d": 0.5, "e": -0.9})
    assert (found["general"], found["hold"]) == ("inconclusive", 4)
    assert (found["without"], found["verdict_without"]) == ("e", "holds")
    assert concluded({"a": 0.5, "b": 0.55, "c": 0.52, "d": 0.5})["without"] == ""
    # Of several that change it, the first of those that change it most is named: without a or e
    # it is inconclusive.
    means = {"a": 0.03, "b": 0.09, "c": 0.08, "d": 0.0, "e": 0.04}
    found = concluded(means, spread=0)
    assert (found["general"], found["hold"]) == ("holds", 4)
    assert (found["without"], found["verdict_without"]) == ("b", "does not hold")


@pytest.mark.parametrize("n", [1, 2])
def test_there_are_no_conclusions_of_fewer_than_three_sources(n):
    names = [*"abcd"]
    sources = dict(zip(names, [f"s{i % n}" for i in range(4)], strict=True))
    assert concluded(dict.fromkeys(names, 0.5), runs_of(*names, **sources)) is None
    more = runs_of(*names, "e", **(sources | {"a": "s2", "b": "s3"}))
    assert concluded(dict.fromkeys([*names, "e"], 0.5), more)["sources"] >= 3


def test_numbers_that_are_not_compared_with_the_same_bound_have_no_conclusion():
    """As where a sentence is decided by a share, and on one dataset by the one row it has there."""
    rows = [claim(name) for name in "abc"]
    assert len(conclusions(found_of(rows, runs_of(*"abc")))) == 1
    rows[1] |= {"expected": "at least 0.9 (margin 0.1)", "predicate": "at_least", "bound": 0.9}
    assert conclusions(found_of(rows, runs_of(*"abc"))).empty


def test_without_numbers_by_family_a_finding_is_inconclusive():
    for none in ("", np.nan):  # as they are made, and as they are read
        own = [claim("a"), claim("b"), claim("c", without=none)]
        row = conclusions(found_of(own, runs_of(*"abc"))).iloc[0]
        assert (row["general"], row["hold"], row["mean"]) == ("inconclusive", 3, 0.5)
        assert np.isnan([row["low"], row["high"]]).all()


def test_an_interval_ends_where_the_number_does():
    found = concluded({"a": 0.9, "b": 0.1, "c": -0.7}, greatest=0.95)
    assert (found["low"], found["high"]) == (-1, 0.95)


def test_settings_chosen_by_validation_stand_first_and_then_what_holds():
    runs = runs_of(*"abcd", tuned=[*"abc"])
    rows = [
        claim(name, sentence, mean=mean)
        for name in runs
        for sentence, mean in (("no", -0.5), ("yes", 0.5), ("maybe", 0.5 - ("b" in name)))
    ]
    table = conclusions(found_of(rows, runs))
    assert [*table] == OVER_ALL
    heads = [[TUNED, sentence, 3] for sentence in ("yes", "maybe", "no")]
    heads += [["", sentence, 4] for sentence in ("yes", "maybe", "no")]
    assert table[["settings", "sentence", "datasets"]].to_numpy().tolist() == heads
    verdicts = [*table["general"]]
    assert verdicts == [*WORDS] * 2
    assert table["says"].iloc[0] == "About yes."


def test_of_data_that_no_claim_is_about_there_is_nothing(tmp_path):
    for empty in (findings(pd.DataFrame(columns=[*claim("a")]), runs_of("a", "b")), None):
        table = read_table(tmp_path / "empty.csv") if empty is None else empty
        write_table(table, tmp_path / "empty.csv")
        assert table.empty
        over_all = conclusions(table)
        assert over_all.empty
        assert [*over_all] == OVER_ALL
        for of, own in ((views.findings_table, table), (views.conclusions, over_all)):
            with pytest.raises(NothingToShowError, match="no claim is about two"):
                of(own)
        assert "no claim is about two" in views.findings(table, PANELS).texts[0].get_text()


# ---- What the datasets are like, and the places of metrics.


def test_datasets_are_described_by_their_training_set():
    names = ["a", "ib"]
    parts = [
        {"dataset": name, "part": part, "users": 20, "items": 50, "ratings": 100 * (i + 1)}
        | {"ratings_median": 5.0 * (i + 1) if part == "train" else 2.0 + i, "gini": 0.1 * (i + 1)}
        for i, name in enumerate(names)
        for part in ("train", "test")
    ]
    summary = pd.DataFrame({"dataset": names, "systems": [18, 19]})
    runs = runs_of("a", "ib", tuned=("a",), ib="Shop")
    table = datasets(pd.DataFrame(parts), summary, runs)
    assert table["dataset"].to_list() == names
    assert table["title"].to_list() == ["A", "IB"]
    assert table["source"].to_list() == ["a", "Shop"]
    assert table["density"].to_list() == [0.1, 0.2]
    assert table["gini"].to_list() == [0.1, 0.2]
    assert table["test_ratings"].to_list() == [2.0, 3.0]
    assert table["systems"].to_list() == [18, 19]
    assert table["implicit"].to_list() == [False, True]
    shown = printed(views.datasets(table))
    assert [row[1][0] for row in shown.cells] == ["A", "IB"]
    assert [row[2][0] for row in shown.cells] == ["a", "Shop"]
    assert [row[3][0] for row in shown.cells] == ["explicit", "implicit"]
    assert shown.cells[0][7][0] == "10.0000%"
    with pytest.raises(NothingToShowError):
        views.datasets(table[:0])


def test_places_are_the_ranks_of_metrics_that_have_one():
    rows = [
        {"dataset": d, "metric": m, "cutoff": c, "criterion": criterion, "rank": rank, "value": 0.5}
        for d in "ab"
        for c in (10, None)
        for criterion in ("sparsity", "overall")
        for m, rank in (("P", 1), ("RR", 2), ("AUC", None))
    ]
    table = places(pd.DataFrame(rows))
    assert [*table["cutoff"].unique()] == [10]
    assert [*table["criterion"].unique()] == ["sparsity"]
    assert table[["metric", "rank"]].to_numpy().tolist() == [["P", 1], ["RR", 2]] * 2
    more = table[table["dataset"] == "b"].assign(rank=[3, 1], criterion="power")
    shown = views.places(pd.concat([table, more]), 10, {"b": "B", "a": "A"})
    assert [*shown.frame] == ["Criterion", "Metric", "B", "A"]
    cells = [[cell[0] for cell in row] for row in printed(shown).cells]
    assert cells == [
        ["Robustness to sparsity", "P", "1", "1"],
        ["Robustness to sparsity", "MRR", "2", "2"],
        ["Discriminative power", "MRR", "1", "–"],
        ["Discriminative power", "P", "3", "–"],
    ]
    with pytest.raises(NothingToShowError):
        views.places(table, 20, {"a": "A"})


# ---- Tables and the figure.


@pytest.fixture(params=["made", "read"])
def atlas(request, tmp_path):
    """Return findings and conclusions as they are made, and as they are read from files."""
    runs = runs_of("a", "b", "ic", "d", tuned=("a", "b", "ic"))
    rng = np.random.default_rng(3)
    rows = [
        claim(name, sentence, mean=rng.normal(0, 0.2), reproduced=rng.choice(WORDS))
        for name in runs
        for sentence in ("p-most-robust", "sparsity-map", "deeper", "of-mine")
        if (name, sentence) != ("d", "deeper")
    ]
    found = found_of(rows, runs)
    if request.param == "read":
        write_table(found, tmp_path / "findings.csv")
        found = read_table(tmp_path / "findings.csv")
    return found, conclusions(found)


def first_of(table):
    """Return by finding and title the verdict to show, and whether other settings have another."""
    shown = {}
    for row in table.fillna({"settings": ""}).itertuples():
        shown.setdefault((row.sentence, row.title), {})[row.settings] = row.reproduced
    return {
        key: (own.get(TUNED, own.get("")), len({*own.values()}) > 1) for key, own in shown.items()
    }


@pytest.mark.parametrize("tuned", [(), ("a", "b", "c")])
def test_what_is_concluded_from_a_file_is_the_same(tuned, tmp_path):
    """Also where all settings are the usual ones, which a file has as a column without values."""
    runs = runs_of(*"abcd", tuned=tuned)
    found = found_of([claim(name, mean=0.1 * i) for i, name in enumerate(runs)], runs)
    write_table(found, tmp_path / "findings.csv")
    own, read_back = (conclusions(each) for each in (found, read_table(tmp_path / "findings.csv")))
    assert [*own["datasets"]] == ([3, 4] if tuned else [4])
    pd.testing.assert_frame_equal(read_back, own, check_dtype=False)


def test_tables_say_what_was_found(atlas, tmp_path):
    found, over_all = atlas
    table = views.findings_table(found)
    assert [*table.frame] == ["Finding", "A", "B", "IC", "D"]
    by_name = table.frame.set_index("Finding")
    expected = first_of(found)
    for sentence in found["sentence"]:
        row = by_name.loc[short(sentence) + " †" * (sentence in ELSEWHERE)]
        for title in "A", "B", "IC", "D":
            verdict, differs = expected.get((sentence, title), (None, False))
            mark = "–" if verdict is None else SIGNS[verdict] + "*" * differs
            assert row[title] == mark
    assert "*" in "".join(by_name["A"])
    write_table(over_all, tmp_path / "conclusions.csv")
    for own in (over_all, read_table(tmp_path / "conclusions.csv")):
        shown = views.conclusions(own)
        frame = shown.frame
        assert [*frame["General"]] == [*over_all["general"]]
        assert [*frame["Settings"]] == [name or "usual" for name in over_all["settings"]]
        assert [*frame["Without one source"]] == [*map(said, over_all.to_dict("records"))]
        assert frame["Holds as measured"].iloc[0] == (
            f"{over_all['hold'].iloc[0]} of {over_all['datasets'].iloc[0]}"
        )
        assert frame["Finding"].iloc[0] == over_all["says"].iloc[0]
        assert "(there are 4)" in shown.note


def test_the_matrix_has_a_cell_for_each_verdict_and_a_corner_where_settings_differ(atlas):
    found, over_all = atlas
    figure = views.findings(found, PANELS)
    check_axes(figure, found)
    [axes] = figure.axes
    heads = [label.get_text() for label in axes.get_xticklabels()]
    assert heads == ["A", "B", "IC", "D", "All datasets"]
    names = [*dict.fromkeys([*over_all["sentence"], *found["sentence"]])]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == [short(name) + " †" * (name in ELSEWHERE) for name in names]
    expected = first_of(found)
    for row in over_all.sort_values("settings", ascending=False).itertuples():
        key = (row.sentence, "All datasets")
        first, _ = expected.setdefault(key, (row.general, False))
        expected[key] = (first, first != row.general)
    columns = [round(x - 0.5, 6) for x in axes.get_xticks()]
    places = {
        (name, title): (x, y)
        for y, name in enumerate(names)
        for x, title in zip(columns, heads, strict=True)
    }
    corners = [own for own in axes.patches if own.get_xy().__class__ is not tuple]
    cells = {own.get_xy(): own for own in axes.patches if own not in corners}
    assert {places[key] for key in expected} == {(round(x, 6), y) for x, y in cells}
    for key, (verdict, _) in expected.items():
        [cell] = [own for (x, y), own in cells.items() if (round(x, 6), y) == places[key]]
        assert cell.get_facecolor() == colour(COLOURS[verdict])
    cut = {
        (round(max(own.get_xy()[:, 0]) - 1, 6), round(max(own.get_xy()[:, 1]) - 1, 6))
        for own in corners
    }
    assert cut == {places[key] for key, (_, differs) in expected.items() if differs}
    assert len(cut) > 2
    texts = sorted(text.get_text() for text in axes.texts)
    assert texts == sorted(SIGNS[verdict] for verdict, _ in expected.values())
    [legend] = figure.legends
    shown = {text.get_text().partition(" ")[2] for text in legend.get_texts()}
    assert shown == {*found["reproduced"], *over_all["general"]}

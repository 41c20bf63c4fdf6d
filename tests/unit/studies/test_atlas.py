"""The atlas: verdicts by dataset and settings, what is general, and where findings fail."""

import itertools

import numpy as np
import pandas as pd
import pytest

from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.lists import read
from rankassay.claims.verdicts import FAILS, HOLDS, STATES
from rankassay.drawing.table import printed
from rankassay.errors import NothingToShowError
from rankassay.studies import STUDIES
from rankassay.studies.atlas import conclusions as words_of
from rankassay.studies.atlas import figures, tables
from rankassay.studies.atlas.conclusions import ADVICE, KINDS, conclusions, kind
from rankassay.studies.atlas.counts import counted
from rankassay.studies.atlas.datasets import datasets
from rankassay.studies.atlas.findings import ELSEWHERE, findings
from rankassay.studies.atlas.places import places
from rankassay.studies.atlas.settings import Conclusions
from rankassay.studies.atlas.words import MARKS, SHORT, short

HOW = Conclusions().model_dump()
PANELS = [{"dataset": "across", "title": "Across datasets", "cutoff": 10}]
# A verdict as what was measured, and what users say of it: "yes" is that it holds for certain.
SAID = {"yes": (True, "holds"), "maybe": (True, "mixed")}
SAID |= {"hardly": (False, "mixed"), "no": (False, "fails")}


def runs_of(*names, tuned=()):
    """Return the datasets of a run, some of them with a variant of other settings."""
    found = {
        name: {"title": name.upper(), "of": name, "label": "", "settings": name, "split": False}
        | {"implicit": name.startswith("i")}
        for name in names
    }
    for name in tuned:
        found[f"{name}-tuned"] = found[name] | {"label": "tuned", "settings": f"{name}-tuned"}
    return found


def claim(dataset, sentence, said, row="", finding=True):
    """Return the verdict on a claim, as a run has it."""
    holds, users = SAID[said]
    verdict = (HOLDS if holds else FAILS).get(users) or HOLDS[STATES[1]]
    return {
        "dataset": dataset,
        "id": sentence + row,
        "sentence": sentence,
        "says": f"About {sentence}.",
        "said_in": "section 7",
        "source": "Author, 2018, section 7",
        "kind": "finding" if finding else "fact",
        "holds": holds,
        "users": users,
        "systems": "",
        "verdict": verdict,
        "reason": "",
    }


def found_of(said, runs):
    """Return the findings of (dataset, sentence): verdict."""
    claims = pd.DataFrame([claim(*key, own) for key, own in said.items()])
    return findings(claims, runs)


def test_a_finding_has_the_verdict_of_its_worst_row_on_each_dataset():
    rows = [
        claim("a", "x", "yes", "-1"),
        claim("a", "x", "no", "-2"),
        claim("b", "x", "yes", "-1"),
        claim("b", "x", "maybe", "-2"),
    ]
    table = findings(pd.DataFrame(rows), runs_of("a", "b")).set_index("dataset")
    assert table["verdict"].to_dict() == {"a": "contradicted", "b": "reproduced, uncertain"}
    assert table["outcome"].to_dict() == {"a": "fails", "b": "uncertain"}
    assert table["holds"].to_dict() == {"a": False, "b": True}
    assert table[["rows", "rows_hold"]].to_numpy().tolist() == [[2, 1], [2, 2]]


def test_what_one_dataset_alone_can_judge_takes_no_part():
    """Rows that need a published number, or were not asked elsewhere, must not decide on one."""
    rows = [claim("a", "x", "yes", "-1"), claim("b", "x", "yes", "-1"), claim("a", "x", "no", "-2")]
    rows += [claim("a", "y", "no"), claim("b", "y", "no") | {"verdict": "not asked", "holds": None}]
    rows += [claim("a", "z", "no", finding=False), claim("b", "z", "no", finding=False)]
    rows += [claim(d, "ours", "no") | {"source": "ours"} for d in "ab"]
    table = findings(pd.DataFrame(rows), runs_of("a", "b"))
    assert [*table["sentence"]] == ["x", "x"]
    assert {*table["verdict"]} == {"reproduced"}
    # A variant is no second dataset.
    rows = [claim("a", "x", "yes"), claim("a-tuned", "x", "yes")]
    assert findings(pd.DataFrame(rows), runs_of("a", tuned="a")).empty


@pytest.mark.parametrize(("own", "other"), [*itertools.product(SAID, repeat=2)])
def test_other_settings_change_the_verdict_and_that_is_said(own, other):
    said = {("a", "x"): own, ("a-tuned", "x"): other, ("b", "x"): "yes"}
    row, untuned = (r for r in found_of(said, runs_of("a", "b", tuned="a")).itertuples())
    verdicts = {"yes": "reproduced", "maybe": "reproduced, uncertain"}
    verdicts |= {"hardly": "not shown", "no": "contradicted"}
    assert (row.own, row.other) == (verdicts[own], verdicts[other])
    assert row.changed == (own != other)
    assert (row.settings, untuned.settings, untuned.changed) == ("tuned", "", False)
    assert (row.holds, row.holds_other) == (SAID[own][0], SAID[other][0])
    both = {"yes": "holds", "no": "fails"}  # certain only where both settings are
    assert row.outcome == (both.get(own, "uncertain") if own == other else "uncertain")


def test_of_data_that_no_claim_is_about_there_is_nothing(tmp_path):
    none = pd.DataFrame(columns=[*claim("a", "x", "yes")])
    runs = runs_of("a", "b")
    empty = findings(none, runs)
    assert empty.empty
    about = about_of(empty, runs)
    assert about.empty
    assert conclusions(empty, about, **HOW).empty
    write_table(empty, tmp_path / "empty.csv")
    again = read_table(tmp_path / "empty.csv")
    assert conclusions(again, about_of(again, runs), **HOW).empty


def test_counts_are_of_datasets_and_the_most_general_finding_stands_first():
    said = {("a", "x"): "no", ("b", "x"): "yes", ("c", "x"): "maybe"}
    said |= {("a", "y"): "yes", ("b", "y"): "yes", ("c", "y"): "hardly"}
    said |= {("a", "z"): "hardly", ("b", "z"): "yes", ("b-tuned", "z"): "hardly"}
    table = counted(found_of(said, runs_of("a", "b", "c", tuned="b")))
    assert [*table.index] == ["y", "x", "z"]
    columns = ["datasets", "holds", "uncertain", "fails", "measured", "changed"]
    assert table[columns].to_numpy().tolist() == [
        *([3, 2, 1, 0, 2, 0], [3, 1, 1, 1, 2, 0], [2, 0, 2, 0, 0, 1])
    ]


OTHERS = ("o1", "o2", "o3", "o4")
MOVIES = ("ml-1m", "ml-100k", "ml-latest-small")


def advice_of(inside, outside, sentence="p-most-robust", more=None):
    """Return the conclusion on one finding, from its verdicts on MovieLens and elsewhere."""
    names = (*MOVIES[: len(inside)], *OTHERS[: len(outside)])
    said = {(name, sentence): own for name, own in zip(names, inside + outside, strict=True)}
    table = found_of(said, runs_of(*names))
    about = pd.DataFrame(
        {"dataset": names, "title": [n.upper() for n in names], "density": 0.1}
    ).assign(lacking=0, findings=1)
    return conclusions(table, about, **HOW)


@pytest.mark.parametrize(
    ("inside", "outside", "expected"),
    [
        (["yes"] * 3, ["yes"] * 4, "General"),
        (["yes", "maybe", "no"], ["maybe", "yes", "yes", "no"], "General"),
        (["yes"] * 3, ["yes", "yes", "hardly", "no"], "Contradicted elsewhere"),
        (["yes"] * 3, ["no"] * 4, "Contradicted elsewhere"),
        (["maybe"] * 3, ["hardly", "hardly", "yes", "yes"], "Mostly MovieLens"),
        (["yes"] * 3, ["hardly"] * 4, "Mostly MovieLens"),
        (["yes"] * 3, ["yes", "yes", "hardly"], "Open"),
        (["hardly", "yes", "no"], ["yes"] * 4, "Not shown on MovieLens"),
        (["no"] * 3, ["no"] * 4, "Not shown on MovieLens"),
    ],
)
def test_a_finding_is_classed_by_where_it_holds(inside, outside, expected):
    row = advice_of(inside, outside).iloc[0]
    assert row["kind"] == expected
    holds = [sum(own in ("yes", "maybe") for own in part) for part in (inside, outside)]
    assert [row["holds_source"], row["holds_others"]] == holds
    assert [row["n_source"], row["n_others"]] == [len(inside), len(outside)]
    counts = f"{holds[0]} of {len(inside)} MovieLens datasets and on {holds[1]} of {len(outside)}"
    assert row["conclusion"].startswith(
        f"{expected}: {ADVICE['p-most-robust']} (holds as measured on {counts}"
    )
    names = [*MOVIES, *OTHERS]
    failing = [n.upper() for n, own in zip(names, inside + outside, strict=False) if own == "no"]
    assert row["fails_on"] == "; ".join(failing)
    assert ("contradicted on" in row["conclusion"]) == bool(failing)


def test_the_class_of_a_finding_goes_down_as_it_holds_on_fewer_datasets():
    """All kinds but one are ordered: none is better where a finding holds on less."""
    order = {"General": 1, "Open": 2, "Mostly MovieLens": 3, "Contradicted elsewhere": 4}
    assert {*KINDS} == {*order, "Not shown on MovieLens"}
    for fails in (0, 1):
        found = [kind((3, 3), (k, 8), fails, 0.75) for k in range(8 - fails, -1, -1)]
        ordered = [order[each] for each in found]
        assert ordered == sorted(ordered)
        assert found[0] == "General"
        assert found[-1] == ("Contradicted elsewhere" if fails else "Mostly MovieLens")


def test_settings_that_disagree_keep_a_finding_from_holding():
    runs = runs_of("ml-1m", "o1", "o2", tuned=("o1",))
    said = {("ml-1m", "sparsity-half"): "yes", ("o2", "sparsity-half"): "yes"}
    said |= {("o1", "sparsity-half"): "yes", ("o1-tuned", "sparsity-half"): "hardly"}
    about = pd.DataFrame({"dataset": ["ml-1m", "o1", "o2"], "title": ["M", "O1", "O2"]})
    about = about.assign(density=0.1, lacking=[0, 1, 1], findings=4)
    table = conclusions(found_of(said, runs), about, **HOW)
    assert table["kind"].to_list() == ["Mostly MovieLens", "Where findings fail"]
    first, last = table["conclusion"]
    assert "1 of 2 others; tuning changes the verdict on 1)" in first
    assert table["changed_on"].iloc[0] == "O1"
    assert "the most do not hold as measured on O1 and O2 (1 of 4), and the fewest on M (0" in last
    assert "3 datasets are too few" in last


def test_sparse_datasets_are_an_analogy_with_what_the_paper_says_of_its_own():
    names = ["ml-1m", "o1", "o2", "o3"]
    said = {(name, "sparsity-map"): "no" if name == "ml-1m" else "yes" for name in names}
    said |= {(name, "metrics-all-alike"): "hardly" for name in names}
    said[("ml-1m", "metrics-all-alike")] = "yes"
    about = pd.DataFrame({"dataset": names, "title": [n.upper() for n in names]})
    about = about.assign(density=[0.1, 0.002, 0.00277, 0.0001], lacking=0, findings=2)
    found = found_of(said, runs_of(*names))
    row = conclusions(found, about, **HOW).iloc[0]
    assert row["kind"] == "Analogy"
    assert "reports 2 findings for LibraryThing or BeerAdvocate alone" in row["conclusion"]
    assert (
        "1 hold as measured on most of the 3 sparse datasets (O1, O2 and O3; density at most "
        ".00277)" in (row["conclusion"])
    )
    assert row["conclusion"].endswith(" and 1 on the one denser dataset.")
    # With no dataset as sparse, or none denser, there is nothing to compare.
    for density in (0.1, 0.001):
        kinds = conclusions(found, about.assign(density=density), **HOW)["kind"]
        assert "Analogy" not in [*kinds]


def test_there_are_at_most_ten_conclusions():
    names = ["ml-1m", "o1", "o2"]
    said = {(name, own): "yes" for name in names for own in (*ADVICE, "sparsity-map")}
    about = pd.DataFrame({"dataset": names, "title": names, "density": [0.1, 0.001, 0.1]})
    table = conclusions(found_of(said, runs_of(*names)), about.assign(lacking=0, findings=9), **HOW)
    assert [*table["number"]] == [*range(1, 11)]
    assert {*table["sentence"]} == {*ADVICE, ""}
    assert {*table["kind"]} == {"General", words_of.ANALOGY, words_of.WHERE}


def test_advice_and_names_are_of_sentences_of_the_paper():
    claims = [own for own in read(STUDIES["robustness"].claims) if own["kind"] == "finding"]
    assert {own["sentence"] for own in claims} == {*SHORT}
    assert {*ADVICE} <= {*SHORT}
    of_first = {own["sentence"] for own in claims if "ml-1m" in own["datasets"]}
    assert {*SHORT} - of_first == {*ELSEWHERE}
    assert {*ADVICE} <= of_first
    assert max(map(len, SHORT.values())) <= 50
    assert short("of-mine") == "of mine"
    assert len({*MARKS.values()}) == len(MARKS)


def about_of(found, runs):
    """Return what `datasets` says of datasets that are made up."""
    names = [name for name, run in runs.items() if run["of"] == name]
    parts = [
        {"dataset": name, "part": part, "users": 20, "items": 50, "ratings": 100 * (i + 1)}
        | {"ratings_median": 5.0 * (i + 1) if part == "train" else 2.0 + i, "gini": 0.1 * (i + 1)}
        for i, name in enumerate(names)
        for part in ("train", "test")
    ]
    summary = pd.DataFrame({"dataset": names, "systems": range(18, 18 + len(names))})
    return datasets(pd.DataFrame(parts), summary, found, runs)


def test_datasets_are_described_by_their_training_set_and_their_findings():
    runs = runs_of("a", "ib", tuned=("a",))
    said = {("a", "x"): "yes", ("a-tuned", "x"): "yes", ("ib", "x"): "no"}
    said |= {("a", "y"): "maybe", ("a-tuned", "y"): "no", ("ib", "y"): "hardly"}
    table = about_of(found_of(said, runs), runs).set_index("dataset")
    assert table["density"].to_list() == [0.1, 0.2]
    assert table["gini"].to_list() == [0.1, 0.2]
    assert table["test_ratings"].to_list() == [2.0, 3.0]
    assert table["systems"].to_list() == [18, 19]
    assert table["implicit"].to_list() == [False, True]
    counts = ["findings", "hold", "uncertain", "fail", "lacking", "changed"]
    assert table[counts].to_numpy().tolist() == [[2, 1, 1, 0, 1, 1], [2, 0, 1, 1, 2, 0]]


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
    shown = tables.places(pd.concat([table, more]), 10, {"b": "B", "a": "A"})
    assert [*shown.frame] == ["Criterion", "Metric", "B", "A"]
    cells = [[cell[0] for cell in row] for row in printed(shown).cells]
    assert cells == [
        ["Robustness to sparsity", "P", "1", "1"],
        ["Robustness to sparsity", "MRR", "2", "2"],
        ["Discriminative power", "MRR", "1", "–"],
        ["Discriminative power", "P", "3", "–"],
    ]
    with pytest.raises(NothingToShowError):
        tables.places(table, 20, {"a": "A"})


@pytest.fixture
def atlas(tmp_path):
    """Return findings, datasets and conclusions as they are read from files."""
    runs = runs_of("ml-1m", "o1", "io2", tuned=("ml-1m", "o1"))
    rng = np.random.default_rng(3)
    said = {
        (name, sentence): rng.choice([*SAID])
        for name in runs
        for sentence in (*ADVICE, "sparsity-map", "deeper")
    }
    found = found_of(said, runs)
    about = about_of(found, runs)
    made = {"findings": found, "datasets": about, "conclusions": conclusions(found, about, **HOW)}
    for name, table in made.items():
        write_table(table, tmp_path / f"{name}.csv")
    return {name: read_table(tmp_path / f"{name}.csv") for name in made}


def test_tables_say_what_was_found_also_of_files(atlas):
    table = tables.findings(atlas["findings"])
    text = printed(table)
    by_name = dict(zip(table.frame["Finding"], text.cells, strict=True))
    for row in atlas["findings"].itertuples():
        name = short(row.sentence) + (" †" if row.elsewhere else "")
        cell = by_name[name][[*table.frame].index(row.title)][0]
        assert cell == MARKS[row.verdict] + "*" * row.changed
    counts = table.frame[["Holds", "Uncertain", "Fails"]].sum(axis=1)
    assert (counts == 3).all()
    said = tables.conclusions(atlas["conclusions"])
    assert [*said.frame["Conclusion"]] == [*atlas["conclusions"]["conclusion"]]
    own = tables.datasets(atlas["datasets"]).frame
    for head, column in (("Hold", "hold"), ("Uncertain", "uncertain"), ("Density", "density")):
        assert own[head].tolist() == atlas["datasets"][column].tolist()
    assert own["Test ratings"].tolist() == atlas["datasets"]["test_ratings"].tolist()
    about = printed(tables.datasets(atlas["datasets"]))
    assert [row[2][0] for row in about.cells] == ["explicit", "explicit", "implicit"]
    assert about.cells[0][6][0] == "10.0000%"
    with pytest.raises(NothingToShowError):
        tables.findings(atlas["findings"][:0])


def test_the_matrix_has_a_cell_for_each_verdict_and_a_corner_where_tuning_changes_it(atlas):
    table = atlas["findings"]
    figure = figures.findings(table, PANELS)
    [axes] = figure.axes
    corners = [own for own in axes.patches if own.get_xy().__class__ is not tuple]
    cells = [own for own in axes.patches if own not in corners]
    assert len(cells) == len(table)
    assert len(corners) == int(table["changed"].sum()) > 0
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == [
        short(name) + (" †" if name in ELSEWHERE else "") for name in counted(table).index
    ]
    texts = [text.get_text() for text in axes.texts]
    assert [t for t in texts if t.isdigit()] == [
        str(number) for name in ("holds", "uncertain", "fails") for number in counted(table)[name]
    ]
    nothing = figures.findings(table[:0], PANELS)
    assert "No claim" in nothing.texts[0].get_text()


def test_points_stand_where_the_datasets_are(atlas):
    table = atlas["datasets"]
    figure = figures.predictors(table, PANELS)
    assert len(figure.axes) == 3
    for axes, name in zip(figure.axes, ("test_ratings", "density", "gini"), strict=True):
        drawn = [np.stack(line.get_data(), axis=1) for line in axes.lines]
        expected = np.stack([table[name], 100 * table["lacking"] / table["findings"]], axis=1)
        order = np.lexsort(np.concatenate(drawn).T)
        assert np.concatenate(drawn)[order] == pytest.approx(expected[np.lexsort(expected.T)])
    assert "No claim" in figures.predictors(table[:0], PANELS).texts[0].get_text()

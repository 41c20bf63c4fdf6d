import numpy as np
import pandas as pd
import pytest

from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.conditions import SIGNS
from rankassay.studies.protocols.answers import answers
from rankassay.studies.protocols.conclusions import conclusions, criteria
from rankassay.studies.protocols.views import conclusions as figure
from rankassay.studies.protocols.views import conclusions_table as table
from rankassay.studies.protocols.views import criteria as criteria_table

# Of each finding under the reference and under another protocol: the verdict, and whether it holds
# for what was measured.
VERDICTS = {
    "stays": (("holds", True), ("inconclusive", True)),
    "goes": (("inconclusive", True), ("inconclusive", False)),
    "comes": (("does not hold", False), ("holds", True)),
    "fails": (("inconclusive", False), ("does not hold", False)),
    "unknown": (("undefined", None), ("holds", True)),
    "later:share": (("holds", True), ("not asked", None)),
}
OUTCOMES = {
    "stays": "survives",
    "goes": "lost",
    "comes": "gained",
    "fails": "fails under both",
    "unknown": "undefined",
    "later:share": "undefined",
}


@pytest.fixture
def claims():
    rows = [
        {"protocol": protocol, "id": name, "kind": "finding", "decides": True}
        | dict(zip(("reproduced", "holds"), said[place], strict=True))
        for place, protocol in enumerate(("random", "time"))
        for name, said in VERDICTS.items()
    ]
    other = {"protocol": "time", "kind": "finding", "reproduced": "holds", "holds": True}
    rows.append(other | {"id": "size", "kind": "fact", "decides": True})
    rows.append(other | {"id": "later-row", "decides": False})
    frame = pd.DataFrame(rows).assign(source="Author, 2018, figure 1", general="inconclusive")
    frame["holds"] = frame["holds"].astype("boolean")
    frame["sentence"] = frame["id"].str.partition(":")[0]
    return frame.assign(claim="It is so.", measured=0.5, low=0.4, high=0.6, dataset="x")


def test_a_finding_survives_only_if_it_holds_under_both(claims):
    found = conclusions(claims)
    under_time = found[found["protocol"] == "time"].set_index("id")["outcome"]
    assert under_time.to_dict() == OUTCOMES
    own = found[found["protocol"] == "random"]
    assert set(own["outcome"]) == {"survives", "fails under both", "undefined"}
    assert {*found["id"]} == {*OUTCOMES}  # no fact, and no row that decides nothing
    verdicts = found.set_index(["id", "protocol"])[["verdict", "reference"]]
    assert verdicts.loc[("goes", "time")].to_list() == ["inconclusive", "inconclusive"]
    assert verdicts.loc[("comes", "time")].to_list() == ["holds", "does not hold"]
    asked = claims.assign(source=claims["source"].where(claims["id"] != "goes", "ours"))
    assert {*conclusions(asked)["id"]} == {*OUTCOMES} - {"goes"}


def test_verdicts_from_a_file_say_the_same(claims, tmp_path):
    write_table(claims, tmp_path / "claims.csv")
    found = conclusions(read_table(tmp_path / "claims.csv"))
    assert found["outcome"].tolist() == conclusions(claims)["outcome"].tolist()


def test_a_claim_that_the_reference_does_not_have_is_undefined(claims):
    new = pd.DataFrame(
        [{**claims.iloc[-3].to_dict(), "id": "new", "sentence": "new", "holds": True}]
    )
    found = conclusions(pd.concat([claims, new])).set_index(["protocol", "id"])
    assert found.loc[("time", "new"), "outcome"] == "undefined"


def test_the_table_counts_and_names_what_is_lost(claims):
    frame = table(conclusions(claims).assign(dataset="x"), {"x": "Data"}).frame
    row = frame.set_index("Protocol").loc["time"]
    assert (row["Findings"], row["Survives"], row["Lost"], row["Gained"]) == (6, 1, 1, 1)
    assert (row["Fails under both"], row["Undefined"], row["Lost ones"]) == (1, 2, "goes")


def test_the_figure_has_a_column_for_each_protocol_and_a_row_for_each_finding(claims):
    panel = {"dataset": "x", "title": "Data", "cutoff": 10}
    other = conclusions(claims).assign(dataset="y", verdict="does not hold")
    both = pd.concat([other, conclusions(claims).assign(dataset="x")])
    drawn = figure(both, [panel])
    [axes] = drawn.axes
    assert drawn.get_suptitle() == "Data"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["random", "time"]
    assert [label.get_text() for label in axes.get_yticklabels()] == [*VERDICTS]
    signs = {text.get_position(): text.get_text() for text in axes.texts}
    assert signs == {
        (column + 0.5, row + 0.53): SIGNS[verdict]
        for row, said in enumerate(VERDICTS.values())
        for column, (verdict, _) in enumerate(said)
    }


def test_criteria_stand_beside_those_of_the_reference():
    def summary(protocol, values):
        return pd.DataFrame(
            {
                "protocol": protocol,
                "metric": ["P", "RR"],
                "cutoff": 10,
                "criterion": "sparsity",
                "value": values,
                "low": np.nan,
                "high": np.nan,
                "rank": [1, 2] if values[0] > values[1] else [2, 1],
                "cutoff_rank": 1,
            }
        )

    both = pd.concat([summary("random", [0.9, 0.8]), summary("time", [0.5, 0.7])])
    found = criteria(both)
    assert found["reference"].tolist() == [0.9, 0.8, 0.9, 0.8]
    assert found["reference_rank"].tolist() == [1, 2, 1, 2]
    frame = criteria_table(found.assign(dataset="x"), 10, {"x": "Data"}).frame
    assert frame[["Protocol", "Metric", "Sparsity, place"]].to_numpy().tolist() == [
        ["random", "P", 1],
        ["random", "RR", 2],
        ["time", "P", 2],
        ["time", "RR", 1],
    ]


def test_another_seed_of_the_reference_is_told_as_such(claims):
    names = {"time": "random/seed-2"}
    found = conclusions(claims.assign(protocol=claims["protocol"].replace(names)))
    told = answers(None, None, None, found.assign(dataset="x"), 10, {"x": "Data"}).frame
    assert told["Answer"].str.contains("1 of these also holds under another seed of it.").all()


def test_data_that_no_paper_is_about_has_no_findings():
    none = pd.DataFrame(columns=["dataset", "protocol", "id", "verdict", "outcome"])
    panel = {"dataset": "mine", "title": "Mine", "cutoff": 10}
    assert "No claim is about" in figure(none, [panel]).texts[0].get_text()
    assert table(none, {"mine": "Mine"}).frame.empty


@pytest.mark.parametrize(("shares", "whole"), [((0.7, 0.2, 0.1), True), ((0.1, 0.2, 1.7), False)])
def test_parts_that_do_not_make_a_whole_are_told(shares, whole):
    rows = pd.DataFrame(
        {
            "dataset": "x",
            "metric": "P",
            "cutoff": 10,
            "factor": ["system", "protocol", "fold"],
            "protocol": "*",
            "share": shares,
        }
    )
    [said] = answers(rows, None, None, None, 10, {"x": "Data"}).frame["Answer"]
    assert f"Another fold accounts for {100 * shares[2]:.0f}%." in said
    assert ("do not add up to 100%" in said) != whole


@pytest.mark.parametrize(
    ("shares", "reasons"),
    [
        ((-0.3, 1.2, 0.1), "a negative estimate counts as 0 here"),
        ((-0.75, 1.525, 0.45), "a negative estimate counts as 0 here and the protocols have"),
        ((0.3, 0.7, 0.3), "the protocols have different replicates or variances"),
    ],
)
def test_what_makes_parts_no_whole_is_told(shares, reasons):
    rows = {"dataset": "x", "metric": "P", "cutoff": 10, "protocol": "*", "share": shares}
    rows = pd.DataFrame(rows | {"factor": ["system", "protocol", "fold"]})
    [said] = answers(rows, None, None, None, 10, {"x": "Data"}).frame["Answer"]
    assert f"do not add up to 100%, because {reasons}" in said

"""Propensities in all the forms in which users have them, and what is said of wrong ones."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import rankassay
from rankassay.cli.main import main
from rankassay.metrics.judgements import Judgements

QRELS = pd.DataFrame(
    {
        "user": ["ann", "ann", "ann", "bob", "bob"],
        "item": ["film", "book", "song", "song", "film"],
        "rating": [5, 4, 1, 4, 5],
        "p": [0.5, 0.125, 0.25, 0.25, 0.5],
    }
)
RUN = {"ann": ["film", "game", "song"], "bob": ["song", "book"]}
OF_ITEMS = {"film": 0.5, "book": 0.125, "song": 0.25, "other": 0.1}
PAIRS = QRELS.rename(columns={"p": "propensity"})[["user", "item", "propensity"]]
MEASURES = ["SNIPS@2", "IPS@2", "IPS(gain='P')@2", "IPS(gain='P', clip=2)@2"]
# Of ann, the film at the first place of two relevant items; of bob, the song of two.
EXPECTED = {
    "ann": [2 / (2 + 8), 2, 2 / 2, 2 / 2],
    "bob": [4 / (4 + 2), 4, 4 / 2, 2 / 2],
}
FORMS = {
    "column": "p",
    "of items": OF_ITEMS,
    "series of items": pd.Series(OF_ITEMS),
    "frame of items": pd.DataFrame({"item": [*OF_ITEMS], "propensity": [*OF_ITEMS.values()]}),
    "frame": PAIRS.iloc[::-1],
    "frame with ratings": QRELS.rename(columns={"p": "propensity"}),
    "series": PAIRS.set_index(["user", "item"])["propensity"],
    "dict": {u: dict(zip(o["item"], o["p"], strict=True)) for u, o in QRELS.groupby("user")},
    "triples": [*PAIRS.itertuples(index=False, name=None), ("eve", "film", 0.3)],
}


@pytest.mark.parametrize("form", FORMS)
def test_propensities_in_any_form(form):
    found = rankassay.evaluate(QRELS, RUN, MEASURES, per_user=True, propensities=FORMS[form])
    np.testing.assert_array_equal(found[MEASURES], [EXPECTED[user] for user in found["user"]])
    if form != "column":
        qrels = rankassay.judged(QRELS)
        again = rankassay.evaluate(qrels, RUN, MEASURES, per_user=True, propensities=FORMS[form])
        pd.testing.assert_frame_equal(found, again)


def test_judgements_keep_them_for_several_runs():
    qrels = rankassay.judged(QRELS, propensities="p")
    runs = {"mine": RUN, "theirs": {"ann": ["book"], "bob": ["film"]}}
    found = rankassay.evaluate(qrels, runs, MEASURES)
    np.testing.assert_array_equal(found.loc["mine"], np.mean([*EXPECTED.values()], axis=0))
    assert found.loc["theirs", "SNIPS@2"] == (8 / 10 + 2 / 6) / 2
    plain = rankassay.evaluate(qrels, RUN, "R@2")["R@2"]
    assert plain == rankassay.evaluate(QRELS, RUN, "R@2")["R@2"]
    levels = rankassay.robustness(qrels, runs, ["SNIPS@2"], levels=[100])
    assert (levels["tau"] == 1).all()


def test_propensities_are_read_from_files(tmp_path, capsys):
    for name, column in (("qrels.csv", "rating"), ("propensities.csv", "p")):
        table = QRELS[["user", "item", column]].rename(columns={column: "rating"})
        table.to_csv(tmp_path / name, index=False)
    lines = [f"{u} Q0 {i} {k} {-k} x" for u, own in RUN.items() for k, i in enumerate(own)]
    (tmp_path / "mine.run").write_text("\n".join(lines) + "\n")
    given = [str(tmp_path / name) for name in ("qrels.csv", "mine.run", "propensities.csv")]
    status = main(["evaluate", *given[:2], "--propensities", given[2], "--csv", "-m", "SNIPS@2"])
    assert status == 0
    assert float(capsys.readouterr().out.split(",")[-1]) == pytest.approx((0.2 + 2 / 3) / 2)


@pytest.mark.parametrize(
    ("propensities", "message"),
    [
        (None, "the metric SNIPS needs the probabilities that ratings are observed; give propens"),
        ("q", r"unknown column of the judgements 'q'.*user, item, rating, p"),
        ({"film": 0.5, "book": 0.1}, "none of user 'ann', item 'song' and 1 others; add them"),
        ({"film": 0.5, "book": 0.1, "song": 0}, "at most 1, found 0 for a rating of user 'ann'"),
        ({"film": 1.5, "book": 0.1, "song": 1}, "at most 1, found 1.5 for a rating of user 'ann'"),
        ({"film": "x", "book": 0.1, "song": 1}, "expected numbers in the column propensity"),
        (PAIRS.head(4), "none of user 'bob', item 'film'; add them"),
        (PAIRS.iloc[[0, 1, 2, 3, 4, 3]], "user 'bob', item 'song' stands there twice, the second"),
        (PAIRS.drop(columns="propensity"), "expected the columns user, item and rating"),
        (FORMS["frame of items"].iloc[[0, 1, 2, 0]], "expected each item once, found some twice"),
        ({}, "none of user 'ann', item 'film' and 4 others"),
        (0.5, "the propensities: expected"),
    ],
)
def test_mistakes_are_told_in_one_line(propensities, message):
    with pytest.raises(rankassay.RankassayError, match=message) as caught:
        rankassay.evaluate(QRELS, RUN, "SNIPS@2", propensities=propensities)
    assert "\n" not in str(caught.value)


def test_judgements_of_the_pipeline_bring_their_own():
    test = sp.csr_matrix(np.array([[5.0, 0, 4], [0, 4, 0]]))
    judgements = Judgements.of(test, 4)
    lists = rankassay.metrics.judgements.Lists(
        *(np.array(a, np.int32) for a in ([1, 0, 2], [2, 2]))
    )
    with pytest.raises(rankassay.RankassayError, match="Judgements have their own"):
        rankassay.evaluate(judgements, lists, "SNIPS@2", propensities={0: 0.5})


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json"])
@pytest.mark.parametrize("of", ["pairs", "pairs as ratings", "items"])
def test_propensities_in_a_file(tmp_path, suffix, of):
    table = FORMS["frame of items"] if of == "items" else PAIRS
    if of == "pairs as ratings":
        table = table.rename(columns={"propensity": "rating"})
    path = tmp_path / f"propensities.{suffix}"
    if suffix == "json":
        table.to_json(path, orient="records")
    else:
        table.to_csv(path, sep="," if suffix == "csv" else "\t", index=False)
    found = rankassay.evaluate(QRELS, RUN, MEASURES, per_user=True, propensities=path)
    np.testing.assert_array_equal(found[MEASURES], [EXPECTED[user] for user in found["user"]])


def test_a_file_without_propensities_says_what_was_expected(tmp_path):
    path = tmp_path / "propensities.csv"
    path.write_text("user,item,weight,more\nann,film,.5,1\n", encoding="utf-8")
    with pytest.raises(
        rankassay.RankassayError, match="columns user, item and propensity, or item"
    ):
        rankassay.evaluate(QRELS, RUN, MEASURES, propensities=path)
    path.write_text("item,propensity\nfilm,0.5\nbook,x\n", encoding="utf-8")
    with pytest.raises(
        rankassay.RankassayError, match=r"csv, line 3: expected a number as propensity"
    ):
        rankassay.evaluate(QRELS, RUN, MEASURES, propensities=path)

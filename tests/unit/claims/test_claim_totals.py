"""What the verdicts add up to, study by study."""

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from claims_made_up import PAPER, claim

from rankassay.claims.totals import ORDER, PARTS, collect, parts, sentences, totals
from rankassay.claims.verdicts import WORDS

NAMES = ["id", "kind", "implied_by", "calibrated", "demanding", "verdict"]
HELD = dict.fromkeys(("reproduced", "reproduced, uncertain", "yes"), True)
HELD |= dict.fromkeys(("not shown", "contradicted", "no"), False)


def framed(rows, **more):
    """Return rows as a table of verdicts, each a sentence of its own."""
    table = pd.DataFrame(rows, columns=NAMES)
    table["holds"] = table["verdict"].map(HELD).astype("boolean")
    table = table.assign(sentence=table["id"], source=f"{PAPER}, figure 1", users="", systems="")
    return table.assign(**more)


ROWS = [
    ("fact", "fact", "", False, True, "reproduced"),
    ("strong", "finding", "", False, True, "reproduced, uncertain"),
    ("follows", "finding", "strong", False, True, "reproduced"),
    ("fails", "finding", "", False, True, "not shown"),
    ("stays", "finding", "strong fails", False, True, "reproduced"),
    ("easy", "finding", "", False, False, "reproduced"),
    ("tuned", "finding", "", True, True, "contradicted"),
    ("nothing", "finding", "", False, True, "undefined"),
    ("narrowed", "finding", "", False, True, "not asked"),
]
COUNTED = {
    "fact": "fact",
    "strong": "finding",
    "follows": "implied",
    "fails": "finding",
    "stays": "finding",
    "easy": "easy",
    "tuned": "calibrated",
    "nothing": "finding",
    "narrowed": "finding",
}


def test_claims_are_counted_as_what_they_are():
    table = framed(ROWS)
    assert dict(zip(table["id"], parts(table), strict=True)) == COUNTED
    # As read back from a file: what is empty there is nothing.
    read = table.replace({"implied_by": {"": np.nan}})
    assert list(parts(read)) == list(parts(table))
    table = table.assign(study="s", dataset="d", counted_as=parts(table), decides="")
    found = totals(table.assign(run_verdict=table["verdict"]))
    assert set(found["source"]) == {"paper"}
    found = found[found["unit"] == "row"].set_index("part")
    assert found["claims"].to_dict() == {
        "fact": 1,
        "implied": 1,
        "easy": 1,
        "calibrated": 1,
        "finding": 5,
    }
    own = found.loc["finding"]
    assert [own[verdict] for verdict in WORDS] == [1, 1, 1, 0, 0, 0, 0, 1, 1, 0]


def test_what_fails_because_a_weaker_claim_fails_is_no_further_failure():
    first = ("first of all", "finding", "", False, True, "contradicted")
    rows = [("first", *first[1:]), ("before P", "finding", "first", False, True, "not shown")]
    table = framed(rows)
    assert list(parts(table)) == ["implied", "finding"]
    # One that fails although all it follows from holds speaks against the implication.
    held = framed([(*rows[0][:5], "reproduced"), rows[1]])
    assert list(parts(held)) == ["finding", "finding"]


def test_of_claims_that_fail_together_none_has_to():
    """What both would imply fails, but it is not known of either whether it had to."""
    premises = {"one": "", "other": "", "both": "one other"}
    claims = [(name, "finding", own, False, True) for name, own in premises.items()]
    table = framed([(*own, "contradicted") for own in claims])
    assert "implied" not in set(parts(table))
    verdicts = ["reproduced", "contradicted", "contradicted"]
    table = framed([(*own, verdict) for own, verdict in zip(claims, verdicts, strict=True)])
    assert list(parts(table) == "implied") == [False, True, False]


def test_claims_are_implied_by_those_of_their_own_study_and_dataset():
    lists = {
        study: [
            claim({}, {"above": 0}, name="a") | {"datasets": {"d": None, "e": None}},
            claim({}, {"above": 0}, name="b", implied_by=["a"])
            | {"datasets": {"d": None, "e": None}},
        ]
        for study in ("one", "two")
    }
    rows = [("a", "finding", "", False, True), ("b", "finding", "a", False, True)]

    def judged(dataset, *verdicts):
        table = [(*row, verdict) for row, verdict in zip(rows, verdicts, strict=True)]
        return framed(table, dataset=dataset)

    holds, fails = judged("d", *["reproduced"] * 2), judged("e", "undefined", "reproduced")
    found = collect(
        lists, [("two", fails), ("one", holds), ("two", judged("d", *["not shown"] * 2))]
    )
    assert [*zip(found.study, found.id, found.dataset, found.counted_as, strict=True)] == [
        ("one", "a", "d", "finding"),
        ("one", "a", "e", "finding"),
        ("one", "b", "d", "implied"),
        ("one", "b", "e", "finding"),
        ("two", "a", "e", "finding"),
        ("two", "a", "d", "implied"),
        ("two", "b", "e", "finding"),
        ("two", "b", "d", "finding"),
    ]


def test_claims_of_an_analysis_that_is_left_out_are_not_asked_and_others_not_testable():
    own = claim({}, {"above": 0}, name="a") | {"datasets": {"d": None, "e": None}}
    found = collect({"one": [own], "two": [own]}, [], [("one/claims", "d")])
    assert [*zip(found.study, found.dataset, found.verdict, found.reason, strict=True)] == [
        (
            *("one", "d", "not asked"),
            "not computed: the configuration leaves out one/claims, or all that it reads",
        ),
        ("one", "e", "not testable", "the dataset was not studied"),
        ("two", "d", "not testable", "the dataset was not studied"),
        ("two", "e", "not testable", "the dataset was not studied"),
    ]


# ---- Sentences -----------------------------------------------------------------------------------


def rows_of(sentence, *verdicts, kind="finding", source=f"{PAPER}, figure 1"):
    """Return the rows of one sentence, with their verdicts."""
    table = framed([(f"{sentence}-{i}", kind, "", False, True, v) for i, v in enumerate(verdicts)])
    told = {"says": f"It says {sentence}.", "said_in": "section 6", "decides": ""}
    return table.assign(sentence=sentence, source=source, **told)


def test_a_sentence_has_the_worst_verdict_of_its_rows():
    table = pd.concat(
        [
            rows_of("all", *["reproduced"] * 3),
            rows_of("most", "reproduced", "reproduced, uncertain", "not asked"),
            rows_of("one-fails", "reproduced", "not shown", "reproduced, uncertain"),
            rows_of("one-contradicts", "contradicted", "not shown", "undefined"),
            rows_of("unknown", "reproduced", "undefined"),
            rows_of("later", "not asked", "not asked"),
            rows_of("size", "contradicted", kind="fact"),
            pd.concat(
                [rows_of("both", "contradicted", kind="fact"), rows_of("both", "reproduced")]
            ),
            rows_of("asked", "yes", "no", source="ours"),
        ],
        ignore_index=True,
    ).assign(study="s", dataset="d")
    better = table["verdict"].replace("contradicted", "not shown")
    found = sentences(table.assign(run_verdict=better)).set_index("sentence")
    told = {
        name: (row["verdict"], row["rows"], row["rows_hold"], row["rows_reproduced"], row["part"])
        for name, row in found.iterrows()
    }
    assert told == {
        "all": ("reproduced", 3, 3, 3, "finding"),
        "most": ("reproduced, uncertain", 2, 2, 1, "finding"),
        "one-fails": ("not shown", 3, 2, 1, "finding"),
        "one-contradicts": ("contradicted", 3, 0, 0, "finding"),
        "unknown": ("undefined", 2, 1, 1, "finding"),
        "later": ("not asked", 2, 0, 0, "finding"),
        "size": ("contradicted", 1, 0, 0, "fact"),
        "both": ("reproduced", 1, 1, 1, "finding"),
        "asked": ("no", 2, 1, 1, "finding"),
    }
    assert found.loc["one-contradicts", "run_verdict"] == "not shown"
    assert found.loc["all", ["says", "said_in"]].tolist() == ["It says all.", "section 6"]
    counted = totals(table.assign(run_verdict=better, counted_as=parts(table)))
    counted = counted[counted["claims"] > 0].set_index(["source", "unit", "part"])
    assert counted.loc[("paper", "sentence", "finding"), "claims"] == 7
    assert counted.loc[("paper", "sentence", "fact"), "contradicted"] == 1
    assert counted.loc[("ours", "sentence", "finding"), "no"] == 1
    assert counted.loc[("ours", "row", "finding"), ["yes", "no"]].tolist() == [1, 1]
    # Questions of ours are in no total of the papers.
    assert counted.loc["paper", ["yes", "uncertain", "no"]].to_numpy().sum() == 0


def test_what_decides_over_some_rows_decides_over_their_sentence():
    own = rows_of("a", *["reproduced, uncertain"] * 3)
    own["decides"] = ["splits and systems", "", "users, splits and other settings"]
    own = own.assign(study="s", dataset="d", run_verdict=own["verdict"])
    assert sentences(own)["decides"].tolist() == ["users, splits, systems, other settings"]


@pytest.mark.slow
def test_an_independent_recount_gives_the_totals_of_rows_and_sentences():
    rng = np.random.default_rng(55)
    of_papers = ["reproduced", "reproduced, uncertain", "not shown", "contradicted"]
    of_papers += ["undefined", "not asked", "not testable"]
    answers = ["yes", "uncertain", "uncertain", "no", *of_papers[4:]]
    frames = []
    for study, dataset, number in product("st", "de", range(12)):
        words, source = [(of_papers, f"{PAPER}, table 1"), (answers, "ours")][number % 2]
        kind = "fact" if rng.random() < 0.2 else "finding"
        own = rows_of(f"{number}", *rng.choice(words, rng.integers(1, 5)), kind=kind, source=source)
        frames.append(own.assign(study=study, dataset=dataset))
    table = pd.concat(frames, ignore_index=True)
    table = table.assign(run_verdict=table["verdict"], counted_as=rng.choice([*PARTS], len(table)))
    recount: Counter = Counter()
    grouped: dict[tuple, list] = {}
    for row in table.to_dict("records"):
        source = "ours" if row["source"] == "ours" else "paper"
        recount[row["study"], row["dataset"], source, "row", row["counted_as"], row["verdict"]] += 1
        key = (row["study"], row["dataset"], source, row["sentence"])
        grouped.setdefault(key, []).append((row["kind"], row["verdict"]))
    for (study, dataset, source, _), own in grouped.items():
        asked = [pair for pair in own if pair[1] not in ("not asked", "not testable")]
        counted = [word for kind, word in asked if kind == "finding"] or [w for _, w in asked]
        counted = counted or [own[0][1]]
        worst = max(counted, key=lambda word: ORDER.index(word) if word in ORDER else -1)
        part = "finding" if any(kind == "finding" for kind, _ in own) else "fact"
        recount[study, dataset, source, "sentence", part, worst] += 1
    found: Counter = Counter()
    for row in totals(table).to_dict("records"):
        head = [row[name] for name in ("study", "dataset", "source", "unit", "part")]
        found.update({(*head, word): row[word] for word in WORDS if row[word]})
        assert row["claims"] == sum(row[word] for word in WORDS)
    assert found == recount


def test_questions_of_ours_are_never_in_a_sentence_of_a_paper():
    rows = [
        ("a", "finding", "", False, True, "reproduced"),
        ("b", "finding", "", False, True, "no"),
    ]
    table = framed(rows, study="s", dataset="d", decides="", sentence="both")
    table["source"] = [f"{PAPER}, figure 1", "ours"]
    for own in (table, table.iloc[::-1]):
        own = own.assign(counted_as=parts(own), run_verdict=own["verdict"])
        found = sentences(own).set_index("source")["verdict"].to_dict()
        assert found == {f"{PAPER}, figure 1": "reproduced", "ours": "no"}
        found = totals(own).query("unit == 'sentence' and part == 'finding'").set_index("source")
        assert found["claims"].to_dict() == {"paper": 1, "ours": 1}
        assert found["reproduced"].to_dict() == {"paper": 1, "ours": 0}
        assert found["no"].to_dict() == {"paper": 0, "ours": 1}

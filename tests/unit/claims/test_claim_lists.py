"""Lists of claims: what a file may say, what is added, and what mistakes are told."""

import pytest
import yaml
from claims_made_up import PAPER, ROWS, bare, claim, cube, judge

from rankassay.claims.judge import COLUMNS
from rankassay.claims.lists import about, expand, not_rows, read, untested
from rankassay.errors import RankassayError


def test_datasets_that_were_not_studied_are_never_a_pass():
    claims = [claim({}, {"near": 0.1}, 0.5, kind="fact")]
    missing = untested(claims, tested=set())
    assert set(missing.columns) <= set(COLUMNS)
    told = ["reproduced", "reason", "published", "expected", "kind", "margin", "decides", "exact"]
    assert missing[told].to_numpy().tolist() == [
        [
            *("not testable", "the dataset was not studied", 0.5, "0.5 within 0.1", "fact", 0.1),
            *(True, False),
        ]
    ]
    assert untested(claims, tested={"ml-1m"}).empty
    assert judge(claims, {"sparsity": cube(ROWS)}, "demo").empty


def test_of_a_sentence_that_was_not_studied_one_row_stands_for_all():
    both = {"datasets": {"d": None, "e": None}}
    said = {"deep": {"where": "section 6", "says": "So.", "decided_by": "b"}}
    rows = [bare({}, {"above": 0}, name=name, sentence="deep") for name in "ab"]
    rows += [bare({}, {"above": 0}, name=name) for name in "cd"]
    rows.append(bare({}, {"above": 0}, name="ours", sentence="deep", source="ours"))
    claims = [one | both for one in expand(rows, PAPER, said)]
    missing = untested(claims, tested={"f"})
    assert missing.groupby("dataset")["decides"].sum().to_dict() == {"d": 4, "e": 4}
    assert {*missing.loc[missing["decides"], "id"]} == {"a", "c", "d", "ours"}
    left = untested(claims, tested={"e"}, left_out={"d": "robustness/claims"})
    assert left["dataset"].tolist() == ["d"] * 5
    assert {*left["reproduced"]} == {"not asked"}
    said = "not computed: the configuration leaves out robustness/claims, or all that it reads"
    assert {*left["reason"]} == {said}


def test_a_claim_for_several_values_becomes_several():
    one = bare({"rows": {"metric": "{metric}", "cutoff": 5}}, {"near": 0.01}, {"P": 0.5, "RR": 0.4})
    one |= {"id": "at-5-{metric}", "claim": "{metric} is so.", "for": {"metric": ["P", "RR"]}}
    both = expand([one], PAPER)
    assert [c["id"] for c in both] == ["at-5-P", "at-5-RR"]
    # In words, metrics have the names that the field calls them by.
    assert [c["claim"] for c in both] == ["P is so.", "MRR is so."]
    assert [c["value"]["rows"]["metric"] for c in both] == ["P", "RR"]
    found = judge(both, {"sparsity": cube(ROWS, exact=True)}, "ml-1m")
    assert found.reproduced.tolist() == ["holds"] * 3
    assert found.published.tolist()[:2] == [0.5, 0.4]


def test_what_a_claim_does_not_say_of_itself_is_added():
    (one,) = expand([bare({}, {"above": 0})])
    said = {"kind": "finding", "why": ""}
    placed = {"sentence": "a", "source": "ours", "says": "Something.", "said_in": "figure 1"}
    assert one == bare({}, {"above": 0}) | said | placed | {"decided_by": "share"}
    row = judge([one], {"sparsity": cube(ROWS[:1])}, "ml-1m").iloc[0]
    assert {name: row[name] for name in said} == said
    assert (row["calibrated"], row["margin"]) == (False, 0)
    # That systems were fitted to the paper's means is added where it is so.
    row = judge([one | {"calibrated": True}], {"sparsity": cube(ROWS[:1])}, "ml-1m").iloc[0]
    assert row["calibrated"]
    with pytest.raises(RankassayError, match="the id 'a' is given to more than one claim"):
        expand([bare({}, {"above": 0})] * 2)


def test_a_claim_is_a_row_of_a_sentence(tmp_path):
    each = bare({"rows": {"metric": "{metric}", "cutoff": 5}}, {"above": 0}, name="at-5-{metric}")
    each |= {"for": {"metric": ["P", "RR"]}, "claim": "{metric} is so."}
    first = each | {"id": "{metric}-first"}
    named = bare({}, {"above": 0}, name="b", sentence="deep", where="figure 2")
    own = bare({}, {"above": 0}, name="c", source="ours")
    sentences = {"deep": {"where": "section 6", "says": "Deep  is\n better."}}
    content = {"paper": PAPER, "sentences": sentences, "claims": [each, first, named, own]}
    found = {one["id"]: one for one in read(written(tmp_path / "claims.yaml", content))}
    told = {
        key: [one[name] for name in ("sentence", "source", "says", "said_in")]
        for key, one in found.items()
    }
    both = "P and MRR is so."
    assert told == {
        "at-5-P": ["at-5", f"{PAPER}, figure 1", both, "figure 1"],
        "at-5-RR": ["at-5", f"{PAPER}, figure 1", both, "figure 1"],
        "P-first": ["first", f"{PAPER}, figure 1", both, "figure 1"],
        "RR-first": ["first", f"{PAPER}, figure 1", both, "figure 1"],
        # The place of the row is its own, that of the sentence is the sentence's.
        "b": ["deep", f"{PAPER}, figure 2", "Deep is better.", "section 6"],
        "c": ["c", "ours", "Something.", "figure 1"],
    }
    row = judge([found["b"]], {"sparsity": cube(ROWS[:1])}, "ml-1m").iloc[0]
    assert (row["sentence"], row["source"]) == ("deep", f"{PAPER}, figure 2")


def test_a_claim_may_be_of_another_paper_than_the_file(tmp_path):
    other = bare({}, {"above": 0}, name="b", paper="Other, 2020", where="abstract")
    path = written(tmp_path / "claims.yaml", [bare({}, {"above": 0}), other])
    assert [one["source"] for one in read(path)] == ["ours", "Other, 2020, abstract"]
    written(path, {"paper": PAPER, "claims": [bare({}, {"above": 0}), other]})
    assert [one["source"] for one in read(path)] == [f"{PAPER}, figure 1", "Other, 2020, abstract"]


def test_a_file_without_a_paper_asks_questions_of_its_own(tmp_path):
    path = written(tmp_path / "claims.yaml", [bare({}, {"above": 0})])
    assert read(path)[0]["source"] == "ours"
    written(path, [bare({}, {"above": 0}, source="paper")])
    with pytest.raises(RankassayError, match="claim a: source: the file names no paper; give it"):
        read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"paper": ["x"]}, r"paper: expected a text, found \['x'\]\. \(A short citation"),
        ({"paper": ""}, r"paper: .* found ''\. \(A short citation"),
        ({"sentences": ["x"]}, "sentences: expected keys and their values, found"),
        ({"sentences": {"a": {"where": "x"}}}, "sentences.a: the key 'says' is missing"),
        (
            {"sentences": {"a": {"where": "x", "says": 1}}},
            "sentences.a.says: expected a text, found 1",
        ),
        ({"claims": [bare({}, {"above": 0}, sentence="a")]}, "unknown sentence of claim a: 'a'"),
        (
            {"claims": [bare({}, {"above": 0}, source="x")]},
            "claim a: source: expected .* or .ours., found",
        ),
        ({"claims": [bare({}, {"above": 0}, says="x")]}, "claim a: unknown key 'says'"),
    ],
)
def test_mistakes_about_sentences_are_explained(tmp_path, content, message):
    content = {"claims": [bare({}, {"above": 0})]} | content
    with pytest.raises(RankassayError, match=message):
        read(written(tmp_path / "claims.yaml", content))


BOUNDS = {"order": "The claim says\n  which is higher.", "unused": "Nothing."}
NOT_ROWS = [{"where": "abstract", "sentence": "It is so.", "because": "It sums up."}]


def written(path, content):
    path.write_text(yaml.safe_dump(content))
    return path


def test_a_file_may_have_bounds_and_say_what_is_no_claim(tmp_path):
    claims = [
        bare({}, {"above": 0}, name="first") | {"why": "order", "kind": "fact"},
        bare({}, {"above": 0}, name="second") | {"why": "A reason  of its own."},
        bare({}, {"above": 0}, name="third"),
    ]
    content = {"bounds": BOUNDS, "claims": claims, "not_rows": NOT_ROWS}
    path = written(tmp_path / "claims.yaml", content)
    found = read(path)
    assert [c["id"] for c in found] == ["first", "second", "third"]
    assert [c["why"] for c in found] == [
        *("The claim says which is higher.", "A reason of its own.", "")
    ]
    assert [c["kind"] for c in found] == ["fact", "finding", "finding"]
    assert not_rows(path) == NOT_ROWS
    # A list of claims alone is the same, but for what it has not: rules that have names.
    claims[0]["why"] = "The claim says which is higher."
    alone = written(tmp_path / "list.yaml", claims)
    assert read(alone) == found
    assert not_rows(alone) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"claim": []}, "expected a list of claims"),
        ({"claims": {}}, "expected a list of claims"),
        ({"claims": []}, r"expected a list of claims, .* found nothing\."),
        ({"claims": ["a"]}, "expected a list of claims"),
        (["a"], "expected a list of claims"),
        ("a", "expected a list of claims"),
        (
            {"claims": [{}], "bound": {}},
            r"unknown key 'bound'; did you mean 'bou",
        ),
        ({"claims": [{}], "notrows": []}, "unknown key 'notrows'; did you mean 'not_rows'"),
    ],
)
def test_mistakes_in_the_parts_of_a_file(tmp_path, content, message):
    path = written(tmp_path / "claims.yaml", content)
    with pytest.raises(RankassayError, match=f"claims.yaml.*{message}|{message}"):
        read(path)
    with pytest.raises(RankassayError, match=message):
        not_rows(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"holds": {"over": 1}}, "unknown predicate"),
        ({"holds": {"above": 1, "below": 2}}, "expected one of above, below"),
        ({"hold": {}}, "unknown key 'hold'; did you mean 'holds'"),
        ({"where": None}, "'where' is missing"),
        ({"kind": "facts"}, "claim a: kind: expected .* found 'facts'; did you mean 'fact'"),
        ({"holds": {"margin": 0.1}}, "expected one of above, below, .* found {'margin': 0.1}"),
        ({"holds": {"above": "0"}}, r"holds: expected a number for above, found '0'\."),
        (
            {"holds": {"above": 0, "margin": True}},
            "holds: expected a number for margin, found True",
        ),
        ({"holds": {"above": float("nan")}}, "holds: expected a number for above, found nan"),
        (
            {"holds": {"above": 0, "margin": float("inf")}},
            "holds: expected a number for margin, found inf",
        ),
        (
            {"holds": {"at_least": 0, "margin": -0.1}},
            r"claim a\.holds: expected a margin of at least 0, found -0\.1\.",
        ),
        (
            {"holds": {"near": -0.1}, "datasets": {"ml-1m": 1}},
            r"claim a\.holds: expected a margin of at least 0, found -0\.1\.",
        ),
        (
            {"holds": {"near": 0.1, "margin": 0.1}, "datasets": {"ml-1m": 1}},
            r"claim a\.holds: near is the margin itself; remove `margin`\.",
        ),
        (
            {"holds": {"near": 0.1}},
            r"claim a: near needs the published number of each dataset\.",
        ),
        ({"implied_by": ["b"]}, "claim a: unknown key 'implied_by'"),
        ({"demanding": True}, "claim a: unknown key 'demanding'"),
        ({"calibrated": True}, "claim a: unknown key 'calibrated'"),
        ({"why": "ordered"}, "unknown rule of .* claim a: 'ordered'"),
    ],
)
def test_mistakes_in_a_file_name_the_claim(tmp_path, change, message):
    wrong = bare({}, {"above": 0}) | change
    wrong = {key: value for key, value in wrong.items() if value is not None}
    claims = [wrong, bare({}, {"above": 0}, name="b")]
    for content in (claims, {"claims": claims}):
        path = written(tmp_path / "claims.yaml", content)
        with pytest.raises(RankassayError, match=message) as caught:
            read(path)
        assert "claim a" in str(caught.value)
        assert str(path) in str(caught.value)


# ---- What decides a sentence ---------------------------------------------------------------------

MARGIN = {"above": 0, "margin": 0.1}


def deciding(decided_by, *claims):
    """Return a file's content of one sentence of these claims, and what decides it."""
    rows = [
        bare({"rows": {"metric": name}}, holds, published, name=name, sentence="deep")
        for name, (holds, published) in zip("abc", claims, strict=False)
    ]
    sentence = {"where": "section 6", "says": "Deep.", "decided_by": decided_by}
    return {"paper": PAPER, "sentences": {"deep": sentence}, "claims": rows}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            deciding("lest", (MARGIN, None)),
            "unknown statistic or id of {path}: sentence deep: decided_by: 'lest'; did you mean "
            "'least'? Known: share, least, distance, a.",
        ),
        (
            deciding("d", (MARGIN, None), (MARGIN, None)),
            "unknown statistic or id of {path}: sentence deep: decided_by: 'd'. Known: share, "
            "least, distance, a, b.",
        ),
        (
            deciding("distance", ({"near": 0.1}, 0.5), (MARGIN, 0.5)),
            "{path}: sentence deep: decided_by: the rows of a distance are all near published "
            "numbers.",
        ),
        (
            deciding("least", (MARGIN, None), ({"above": 0}, None)),
            "{path}: sentence deep: decided_by: least is measured in margins: give claim b a "
            "margin above 0.",
        ),
        (
            deciding("least", ({"near": 0.1}, 0.5), ({"near": 0}, 1)),
            "{path}: sentence deep: decided_by: least is measured in margins: give claim b a "
            "margin above 0.",
        ),
        (
            deciding("distance", ({"near": 0.1, "relative": True}, 0.0), ({"near": 0.1}, 1)),
            "{path}: sentence deep: decided_by: distance is measured in margins: give claim a a "
            "margin above 0.",
        ),
    ],
)
def test_a_sentence_is_decided_by_what_can_decide_it(tmp_path, content, message):
    path = written(tmp_path / "claims.yaml", content)
    with pytest.raises(RankassayError) as caught:
        read(path)
    assert str(caught.value) == message.format(path=path)


def test_the_row_that_decides_is_about_all_datasets_of_its_sentence(tmp_path):
    content = deciding("a", (MARGIN, None), (MARGIN, None), (MARGIN, None))
    content["claims"][1]["datasets"] = ["ml-1m", "librarything", "beeradvocate"]
    path = written(tmp_path / "claims.yaml", content)
    with pytest.raises(RankassayError) as caught:
        read(path)
    assert str(caught.value) == (
        f"{path}: sentence deep: decided_by: a says nothing about beeradvocate and librarything; "
        "name a row that is about all datasets of the sentence, or one of share, least and "
        "distance."
    )
    content["sentences"]["deep"]["decided_by"] = "b"
    found = read(written(path, content))
    assert [one["decided_by"] for one in found] == ["b"] * 3


@pytest.mark.parametrize(
    ("decided_by", "claims"),
    [
        ("share", [({"above": 0}, None), ({"near": 0}, 1)]),
        ("least", [(MARGIN, None), ({"near": 0.1}, 1)]),
        ("distance", [({"near": 0.1}, 0), ({"near": 0.1, "relative": True}, -1)]),
        ("a", [({"above": 0}, None), (MARGIN, None)]),
    ],
)
def test_what_can_decide_a_sentence_may(tmp_path, decided_by, claims):
    path = written(tmp_path / "claims.yaml", deciding(decided_by, *claims))
    assert {one["decided_by"] for one in read(path)} == {decided_by}


def test_ids_of_rows_that_decide_are_no_ids_of_claims(tmp_path):
    path = written(tmp_path / "claims.yaml", [bare({}, {"above": 0}, name="deep:share")])
    with pytest.raises(RankassayError, match=r"found 'deep:share'\. \(A name without a colon"):
        read(path)
    each = bare({}, {"above": 0}, name="at-{what}") | {"for": {"what": ["x", "y:z"]}}
    with pytest.raises(RankassayError, match="claim at-y:z: id: "):
        read(written(path, [each]))


def test_claims_about_another_dataset_keep_their_numbers_for_the_same_data_only():
    number = claim({}, {"near": 0.1}, published=0.5, name="number")
    other = claim({}, {"above": 0.1}, published=0.5, name="bound")
    elsewhere = claim({}, {"above": 0.1}) | {"datasets": {"librarything": None}}
    claims = [number, other, elsewhere]
    same = about(claims, "split-1", ["ml-1m"], published=True)
    assert [(c["id"], c["datasets"]) for c in same] == [
        ("number", {"split-1": 0.5}),
        ("bound", {"split-1": 0.5}),
    ]
    (left,) = about(claims, "ml-100k", ["ml-1m"], published=False)
    assert (left["id"], left["datasets"]) == ("bound", {"ml-100k": None})
    several = about(claims, "ml-100k", ["ml-1m", "librarything"], published=False)
    assert [(c["id"], c["datasets"]) for c in several] == [
        ("bound", {"ml-100k": None}),
        ("a", {"ml-100k": None}),
    ]
    # What a row decides that is left out is, too, as no other says what it says.
    said = {"decided_by": "number", "sentence": "deep"}
    deep = [claim | said for claim in claims[:2]]
    assert about(deep, "ml-100k", ["ml-1m"], published=False) == []
    assert len(about(deep, "split-1", ["ml-1m"], published=True)) == 2
    kept = [deep[0], deep[1] | {"decided_by": "bound"}]
    assert [c["id"] for c in about(kept, "ml-100k", ["ml-1m"], published=False)] == ["bound"]
    # Of several, the numbers of the first are expected alone.
    first = about(claims, "split-1", ["ml-1m", "librarything"], published=True)
    assert [c["datasets"] for c in first] == [{"split-1": 0.5}, {"split-1": 0.5}, {"split-1": None}]
    second = about(claims, "split-1", ["librarything", "ml-1m"], published=True)
    assert [c["id"] for c in second] == ["bound", "a"]
    assert claims[0]["datasets"] == {"ml-1m": 0.5}


def test_a_claim_that_is_named_by_its_values_alone_has_a_sentence():
    one = bare({"rows": {"metric": "{metric}"}}, {"above": 0}, name="{metric}")
    both = expand([one | {"for": {"metric": ["P", "RR"]}}], PAPER)
    assert [c["sentence"] for c in both] == ["metric", "metric"]

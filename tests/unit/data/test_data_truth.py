"""Judgements of random items and propensities, from small files in the forms of the real ones."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from made_files import CATALOGUE, Made, line_numbers, triples

from rankassay.data.entries import completed
from rankassay.data.reading import lines_of
from rankassay.data.set_aside import discovered
from rankassay.errors import RankassayError

# Three users and four items; the second user selected nothing of the fourth item's kind.
COAT = {
    "train.ascii": "5 0 3 0 \n0 4 0 0 \n1 0 0 2 \n",
    "test.ascii": "0 2 3 0 \n1 0 0 4 \n0 0 0 0 \n",
    "propensities.ascii": "5.0e-01 0.25 1 0.1\n0.5 0.125 0.5 0.5\n2.5e-1 1.0 1 0.75\n",
}
YAHOO = {
    "ydata-ymusic-rating-study-v1_0-train.txt": "1\t14\t5\n1\t35\t1\n2\t14\t4\n3\t46\t3\n",
    "ydata-ymusic-rating-study-v1_0-test.txt": "1\t46\t2\n1\t14\t5\n3\t35\t4\n",
}
HEAD = "user_id,video_id,play_duration,video_duration,time,date,timestamp,watch_ratio\n"
KUAIREC = {
    "big_matrix.csv": HEAD
    + "0,3649,13838,10867,2020-07-05 00:08:23.438,20200705,1593878903.438,1.273397\n"
    + "0,9598,13665,10984,2020-07-05 00:13:41.297,20200705,1593879221.297,1.24408230147487\n"
    + "0,3649,27000,10867,2020-07-06 00:13:41.297,20200706,1593965621.297,2.484586362\n"
    + "7,5262,851,7908,,,,0.10761254425898\n",
    # 0.72221000001 is a share of two durations, which is no mistake for .72221.
    "small_matrix.csv": HEAD
    + "7,9598,4381,6067,2020-07-05 05:27:48.378,20200705,1593898068.378,0.72221000001\n"
    + "7,3649,11635,6067,2020-07-05 05:28:00.057,20200705,1593898080.057,2.0\n"
    + "7,1,0,6067,2020-07-05 05:29:00.057,20200705,1593898140.057,0.0\n"
    + "0,5262,0,7908,,,,0.0\n",
}
# With the line ends of the file that the authors offer.
CM100K = {
    "data.txt": "7\t70\t3\t0\r\n7\t71\t1\t1\r\n7\t72\t4\t1\r\n"
    "8\t70\t2\t0\r\n8\t71\t4\t1\r\n8\t72\t2\t0\r\n9\t70\t3\t0\r\n"
}
FILES = {"coat": COAT, "yahoo-r3": YAHOO, "kuairec": KUAIREC, "cm100k": CM100K}


@pytest.fixture
def made(tmp_path):
    """Return a function that puts the files of a dataset in place, some of them changed."""

    def make(name, contents=None, **change):
        return Made(tmp_path, name, FILES[name] | (contents or {}), **change)

    return make


# ---- The forms of the real files -----------------------------------------------------------------


def test_coat(made):
    dataset = made("coat")
    ratings = dataset.prepared()
    observed = [("1", "1", 5), ("1", "3", 3), ("2", "2", 4), ("3", "1", 1), ("3", "4", 2)]
    assert triples(ratings.matrix, ratings) == observed
    found, counts = dataset.truth()
    assert triples(found.matrix, ratings) == [
        ("1", "2", 2),
        ("1", "3", 3),
        ("2", "1", 1),
        ("2", "4", 4),
    ]
    assert (found.matrix.dtype, found.matrix.shape) == (np.float32, ratings.matrix.shape)
    assert counts["ratings"] == 4
    assert counts["users_without"] == 1
    assert counts["users_unknown"] == 0
    assert (counts["design"], counts["aside"], counts["judged"]) == ("separate", 1, 4)
    assert np.isnan(counts["known"])
    assert found.judged.tolist() == [2, 2, 0]
    assert (float(found.low), float(found.high), found.flags) == (1, 5, None)
    assert counts["shared"] == 1  # the third item of the first user
    weights = dataset.propensities()
    assert weights.dtype == np.float64
    assert weights.data.tolist() == [0.5, 1, 0.125, 0.25, 0.75]
    assert weights.indices.tolist() == ratings.matrix.indices.tolist()
    assert weights.indptr.tolist() == ratings.matrix.indptr.tolist()


def test_yahoo_r3(made):
    dataset = made("yahoo-r3")
    ratings = dataset.prepared()
    assert ratings.user_ids.tolist() == ["1", "2", "3"]
    found, counts = dataset.truth()
    assert triples(found.matrix, ratings) == [("1", "14", 5), ("1", "46", 2), ("3", "35", 4)]
    assert counts["users_without"] == 1


def test_kuairec(made):
    dataset = made("kuairec")
    ratings = dataset.prepared()
    observed = [("0", "3649", 2.4846), ("0", "9598", 1.2441), ("7", "5262", 0.1076)]
    found = triples(ratings.matrix, ratings)
    assert found == [(*pair, float(np.float32(value))) for *pair, value in observed]
    found, counts = dataset.truth()
    # Nothing watched of a video is a judgement, too.
    wanted = [("0", "5262", 0), ("7", "3649", 2), ("7", "9598", float(np.float32(0.7222)))]
    assert triples(found.matrix, ratings) == wanted
    assert counts["unknown"] == 1  # the video 1, which is not in the large matrix


def test_measured_ratings_need_a_number_of_decimals(made):
    dataset = made("kuairec", decimals=None)
    dataset.prepared()
    with pytest.raises(
        RankassayError, match=r"line 2: expected a rating that float32 can tell from 0\.72"
    ):
        dataset.truth()


def test_kuairec_in_the_archive_of_its_authors(made, tmp_path):
    dataset = made("kuairec")
    folder = tmp_path / "raw/kuairec"
    with zipfile.ZipFile(folder / "KuaiRec.zip", "w") as archive:
        for file in KUAIREC:
            archive.write(folder / file, f"KuaiRec 2.0/data/{file}")
            (folder / file).unlink()
    ratings = dataset.prepared()
    assert dataset.truth()[0].matrix.nnz == 3
    assert len(ratings.rating) == 3


def test_cm100k_as_published(made):
    """All that was judged is the truth: the numbers from before there were other designs."""
    dataset = made("cm100k", truth={"known": 3, "design": "as-published"})
    ratings = dataset.prepared()
    assert triples(ratings.matrix, ratings) == [("7", "71", 1), ("7", "72", 4), ("8", "71", 4)]
    found, counts = dataset.truth()
    # The truth is all that was judged, but for user 9 and item 70, who have no observed rating.
    judged = [("7", "71", 1), ("7", "72", 4), ("8", "71", 4), ("8", "72", 2)]
    assert triples(found.matrix, ratings) == judged
    assert found.flags.tolist() == [True, True, True, False]
    assert (float(found.aside), found.judged.tolist()) == (1, [2, 2])
    assert counts["unknown"] == 3
    assert counts["users_unknown"] == 1
    assert (counts["known"], counts["shared"], counts["judged"]) == (3, 3, 4)
    statistics = pd.read_csv(dataset.path("statistics.csv")).set_index("statistic")["value"]
    assert statistics[["lines", "ratings", "duplicates_removed"]].tolist() == [7, 3, 0]


def test_an_altered_file_is_refused(made):
    dataset = made("coat")
    dataset.prepared()
    raw = dataset.folder / "raw/coat"
    (raw / "test.ascii").write_text(COAT["test.ascii"].replace("4", "5"))
    with pytest.raises(RankassayError, match=r"test\.ascii: expected the file that was fetched"):
        dataset.truth()
    (raw / "propensities.ascii").write_text(COAT["propensities.ascii"].replace("0.75", "0.8"))
    with pytest.raises(
        RankassayError, match=r"propensities\.ascii: expected the file that was fetched"
    ):
        dataset.propensities()


def test_a_missing_file_of_judgements_is_asked_for(made, tmp_path):
    dataset = made("yahoo-r3")
    file = tmp_path / "raw/yahoo-r3/ydata-ymusic-rating-study-v1_0-test.txt"
    file.unlink()
    with pytest.raises(RankassayError, match=r"by hand from .* and put it at .*-test\.txt"):
        dataset.prepared()


# ---- What is wrong in files ----------------------------------------------------------------------


def coat_with(file, line, content):
    """Return Coat's files with another line in one of them."""
    lines = COAT[file].splitlines()
    lines[line - 1] = content
    return {file: "\n".join(lines) + "\n"}


@pytest.mark.parametrize(
    ("line", "content", "said"),
    [
        (2, "0 6 0 0", "line 2: expected a rating from 1 to 5, or 0 for none, in column 2, found"),
        (
            3,
            "0 x 0 0",
            "line 3: expected a number as rating, or 0 for none, in column 2, found 'x'",
        ),
        (3, "0 4 0", "line 3: expected 4 fields, one per item as in the first line, found 3"),
        (2, "", "line 2: expected a line for each user, found a blank one"),
    ],
)
@pytest.mark.parametrize("file", ["train.ascii", "test.ascii"])
def test_bad_matrices(made, file, line, content, said):
    dataset = made("coat", coat_with(file, line, content))
    with pytest.raises(RankassayError, match=f"{file}, {said}"):
        (dataset.prepared(), dataset.truth())


@pytest.mark.parametrize(
    ("job", "file", "content"),
    [
        ("truth", "test.ascii", "0 2 3\n1 0 0\n0 0 0\n"),
        ("truth", "test.ascii", "0 2 3 0 0\n1 0 0 4 0\n0 0 0 0 0\n"),
        ("propensities", "propensities.ascii", "1 1 1 1 1\n" * 3),
    ],
)
def test_matrices_of_other_items_are_refused(made, job, file, content):
    dataset = made("coat", {file: content})
    dataset.prepared()
    wrong = rf"{file}, line 1: expected 4 fields, one per item as in .*train.ascii, found [35]"
    with pytest.raises(RankassayError, match=wrong):
        getattr(dataset, job)()


@pytest.mark.parametrize("bad", ["0", "-0.5", "1.5", "nan", "x"])
def test_propensities_out_of_range(made, bad):
    dataset = made("coat", coat_with("propensities.ascii", 2, f"0.5 0.5 {bad} 0.5"))
    dataset.prepared()
    said = f"line 2: expected a propensity above 0 and at most 1 in column 3, found '{bad}'"
    with pytest.raises(RankassayError, match=said):
        dataset.propensities()


LISTED = "user,item,p\n3,46,.5\n1,14,.25\n9,9,1\n2,35,1\n1,35,0.5\n2,14,1\n"


def listed(made, content):
    """Return the propensities of a dataset that has them in lines."""
    files = CATALOGUE["yahoo-r3"]["files"] | {"propensities": "p.csv"}
    columns = {"user": "user", "item": "item", "propensity": "p"}
    described = {"columns": columns, "header": True}
    dataset = made("yahoo-r3", {"p.csv": content}, files=files, propensities=described)
    dataset.prepared()
    return dataset.propensities()


def test_propensities_in_lines(made):
    assert listed(made, LISTED).data.tolist() == [0.25, 0.5, 1, 0.5]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (LISTED.replace("1,35,0.5", "1,35,0"), "p.csv, line 6: expected a propensity above 0"),
        (LISTED.replace("9,9,1", "1,14,.3"), "line 4: expected one propensity of item '14' for u"),
        (LISTED + "1,14,.25\n", "line 8: expected one propensity of item '14' for user '1'"),
        (LISTED.replace("2,14,1\n", ""), "p.csv: expected a propensity of each rating, found none"),
        (LISTED.replace("9,9,1", "9,9,1,2"), "p.csv, line 4: expected at most 3 fields as in"),
        (LISTED.replace("9,9,1", "9,9"), "p.csv, line 4: expected at least 3 fields, found 2"),
        (LISTED.replace("item,p", "item,q"), "unknown column 'p'"),
        ("", "p.csv: expected propensities, found an empty file"),
    ],
)
def test_bad_propensities_in_lines(made, content, said):
    with pytest.raises(RankassayError, match=said):
        listed(made, content)


TEST = "ydata-ymusic-rating-study-v1_0-test.txt"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            "1\t99\t2\n",
            "line 4: expected a user and an item with observed ratings .* the item '99'",
        ),
        ("8\t14\t2\n", "line 4: expected a user and an item with observed ratings .* the user '8'"),
        (
            "\n2\t35\t3\n1\t46\t3\n",
            "line 6: expected one judgement of item '46' by user '1', which",
        ),
        ("1\t35\t9\n", "line 4: expected a rating from 1 to 5, found '9'"),
    ],
)
def test_bad_judgements(made, more, said):
    dataset = made("yahoo-r3", {TEST: YAHOO[TEST] + more})
    dataset.prepared()
    with pytest.raises(RankassayError, match=f"{TEST}, {said}"):
        dataset.truth()
    assert not dataset.path("truth.npz").exists()


def test_unknown_items_and_equal_repeats_may_be_there(made):
    more = "1\t99\t2\n1\t46\t2\n8\t14\t2\n"
    dataset = made("yahoo-r3", {TEST: YAHOO[TEST] + more}, truth={"unknown": "skip"})
    ratings = dataset.prepared()
    found, counts = dataset.truth()
    assert triples(found.matrix, ratings) == [("1", "14", 5), ("1", "46", 2), ("3", "35", 4)]
    assert counts["unknown"] == 2


def test_judgements_that_disagree_follow_the_policy_of_the_entry(made):
    dataset = made("yahoo-r3", {TEST: YAHOO[TEST] + "1\t46\t4\n"}, duplicates="mean")
    ratings = dataset.prepared()
    assert ("1", "46", 3) in triples(dataset.truth()[0].matrix, ratings)


def test_no_judgement_of_anybody_known(made):
    dataset = made("yahoo-r3", {TEST: "x\ty\t1\n"}, truth={"unknown": "skip"})
    dataset.prepared()
    with pytest.raises(
        RankassayError, match="expected a user and an item with observed ratings, found no"
    ):
        dataset.truth()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("7\t73\t4\t2", "line 8: expected 1 for an item known before, or 0, on each line, found 2"),
        ("7\t71\t2\t0", "data.txt, line 8: expected one judgement of item '71' by user '7', which"),
        ("7\t73\t4", "data.txt, line 8: expected at least 4 fields, found 3"),
        ("7\t73\t4\tx", "line 8: expected 1 for an item known before, or 0, .* found 'x'"),
        ("7\t73\t4\t", "line 8: expected 1 for an item known before, or 0, on each line, found ''"),
    ],
)
def test_bad_flags(made, line, said):
    dataset = made("cm100k", {"data.txt": CM100K["data.txt"] + line + "\r\n"})
    with pytest.raises(RankassayError, match=said):
        dataset.prepared()


def test_a_null_says_the_same_as_a_key_that_is_not_there():
    entry = {"kind": "file", "path": "mine.csv", "threshold": 4}
    null = dict.fromkeys(("aspects", "truth", "propensities", "label", "scale"))
    assert completed("mine", entry | null) == completed("mine", entry)


def test_nothing_known(made):
    dataset = made("cm100k", {"data.txt": "7\t70\t3\t0\n8\t70\t3\t0\n"})
    with pytest.raises(
        RankassayError, match=r"data.txt: expected ratings of items known before, f"
    ):
        dataset.prepared()


def test_lines_are_counted_as_the_reader_returns_rows(tmp_path):
    path = tmp_path / "m.ascii"
    path.write_text("0 2.0 0.0\n1 0 3\n\n")
    entry = completed("m", {"kind": "file", "path": str(path), "format": "matrix", "threshold": 1})
    table = lines_of(path, entry)
    assert table["rating"].tolist() == [2, 1, 3]
    assert line_numbers(path, entry) == [1, 2, 2]
    assert table["user"].tolist() == ["1", "2", "2"]
    assert table["item"].tolist() == ["2", "1", "3"]


@pytest.mark.parametrize("skip", [True, False])
@pytest.mark.parametrize("form", ["header", "no header", "dicts"])
def test_rows_have_the_lines_that_they_stand_on(tmp_path, form, skip):
    rows = [("u", "i", "3"), None, ("", "j", "4"), ("v", "quoted, j", "5"), ("u", "i", "2")]
    path = tmp_path / ("r.json" if form == "dicts" else "r.csv")
    missing = "skip" if skip else "one-user"
    entry = {"kind": "file", "path": str(path), "missing_user": missing, "threshold": 4}
    if form == "dicts":
        keys = ("user", "item", "rating")
        texts = [row and json.dumps(dict(zip(keys, row, strict=True))) for row in rows]
        numbers, entry["format"] = [1, 3, 4, 5], "dicts"
    else:
        noted = [row and (*row, "a note\nin two lines" if row[0] == "v" else "") for row in rows]
        texts = [row and ",".join(f'"{field}"' for field in row) for row in noted]
        numbers = [1, 3, 4, 6]
        if form == "header":
            texts, numbers = ["user,item,rating,note", *texts], [number + 1 for number in numbers]
        else:
            entry["columns"] = {"user": 0, "item": 1, "rating": 2}
    path.write_text("\n".join(text or "" for text in texts) + "\n")
    entry = completed("r", entry)
    assert line_numbers(path, entry) == numbers[:1] + numbers[1 + skip :]


# ---- Discovery -----------------------------------------------------------------------------------

# Judgements of four items by 400 users each; the first items are known by most, and liked.
ITEM = np.repeat(np.arange(4, dtype=np.int32), 400)
KNOWN = np.concatenate([np.arange(400) < n for n in (360, 200, 80, 0)])
RELEVANT = np.concatenate([np.arange(400) % 4 < n for n in (3, 2, 1, 1)])


def draws(scenario, n=400):
    return np.array([discovered(ITEM, RELEVANT, KNOWN, scenario, seed) for seed in range(n)])


def test_discovery_as_it_is():
    assert discovered(ITEM, RELEVANT, KNOWN, "as-is", 1) is KNOWN


def test_discovery_that_is_independent_of_items():
    """The share of each judgement is that of the known ones among those as relevant."""
    found = draws("item-independent").mean(axis=0)
    for relevant in (False, True):
        own = relevant == RELEVANT
        share = sum(KNOWN[i] for i in np.flatnonzero(own)) / own.sum()
        error = np.sqrt(share * (1 - share) / (400 * own.sum()))
        assert abs(found[own].mean() - share) < 3 * error
        assert np.abs(found[own] - share).max() < 4.5 * error * np.sqrt(own.sum())


def test_discovery_that_is_independent_of_relevance():
    """Each item has the share of one of the items, each item's once, whoever judged it."""
    shares = [0.9, 0.5, 0.2, 0]
    seen = set()
    for mask in draws("relevance-independent", 60):
        own = [mask[item == ITEM].mean() for item in range(4)]
        nearest = [int(np.argmin([abs(one - share) for share in shares])) for one in own]
        assert sorted(nearest) == [0, 1, 2, 3]
        seen.add(tuple(nearest))
    assert len(seen) > 12  # of 24 permutations
    found = draws("relevance-independent").mean(axis=0)
    # As often discovered by those who like it, although the likeable were known by most.
    assert found[RELEVANT].mean() == pytest.approx(found[~RELEVANT].mean(), abs=0.03)
    assert KNOWN[RELEVANT].mean() > KNOWN[~RELEVANT].mean() + 0.1
    assert found.mean() == pytest.approx(np.mean(shares), abs=0.01)


def test_a_seed_draws_the_same_whatever_the_order_of_the_lines(made, tmp_path):
    rng = np.random.default_rng(3)
    lines = [
        f"{u}\t{i}\t{rng.integers(1, 5)}\t{rng.integers(2)}" for u in range(9) for i in range(7)
    ]
    truth = {"known": 3, "discovery": "item-independent", "design": "as-published"}
    dataset = made("cm100k", {"data.txt": "\n".join(lines) + "\n"}, truth=truth)
    first, other = dataset.prepared(seed=1), dataset.prepared(seed=2)
    (tmp_path / "raw/cm100k/data.txt").write_text("\n".join(rng.permutation(lines)) + "\n")
    again = dataset.prepared(seed=1)
    assert triples(first.matrix, first) == triples(again.matrix, again)
    assert triples(first.matrix, first) != triples(other.matrix, other)

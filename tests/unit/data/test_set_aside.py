"""What is observed of judgements of random items, and what is set aside as the truth."""

import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from made_files import Made

from rankassay.artifacts.files import checksum, recorded
from rankassay.cli.job import do
from rankassay.data.set_aside import set_aside
from rankassay.data.truth import shared
from rankassay.errors import RankassayError

N_USERS, N_ITEMS = 40, 30
KNOWN = {"known": "known"}
SHARES = {"known": 0.25, "none": 0.5}


# ---- The draw ------------------------------------------------------------------------------------


def test_all_that_could_not_be_observed_is_set_aside_and_a_share_of_the_rest():
    observable = np.arange(300) % 3 == 0
    draws = np.array([set_aside(observable, 0.3, seed) for seed in range(400)])
    assert draws[:, ~observable].all()
    own = draws[:, observable].mean(axis=0)
    error = np.sqrt(0.3 * 0.7 / 400)
    assert abs(own.mean() - 0.3) < 4 * error / 10
    assert np.abs(own - 0.3).max() < 4.5 * error
    # Each pair on its own: the number that is set aside is binomial.
    counts = draws[:, observable].sum(axis=1)
    assert counts.var() == pytest.approx(100 * 0.3 * 0.7, rel=0.3)


def test_what_is_drawn_for_a_pair_does_not_depend_on_other_pairs():
    one, other = np.arange(200) % 2 == 0, np.arange(200) % 3 == 0
    both = one & other
    np.testing.assert_array_equal(set_aside(one, 0.4, 5)[both], set_aside(other, 0.4, 5)[both])
    assert (set_aside(one, 0.4, 5) != set_aside(one, 0.4, 6)).any()


def test_a_seed_draws_what_it_drew_before():
    """Another name of the stream would make the truth of every published result another."""
    found = np.flatnonzero(set_aside(np.ones(24, dtype=bool), 0.25, 2018))
    assert found.tolist() == [0, 4, 6, 13, 14, 18]


# ---- From the file -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lines():
    """Return judgements of random items: popular ones are known by most, and liked by some."""
    rng = np.random.default_rng(4)
    user, item = np.nonzero(rng.random((N_USERS, N_ITEMS)) < 0.5)
    return pd.DataFrame(
        {
            "user": [f"u{u}" for u in user],
            "item": [f"i{i}" for i in item],
            "rating": rng.integers(1, 5, len(user)),
            "known": (rng.random(len(user)) < (item + 1) / N_ITEMS).astype(int),
        }
    )


@pytest.fixture
def made(tmp_path):
    """Return a function that makes a dataset of lines, with what its entry says of the truth."""

    def make(table, truth, **change):
        entry = {"files": {"ratings": "data.csv"}, "separator": ",", "header": True} | change
        entry |= {"truth": truth, "columns": {"user": "user", "item": "item", "rating": "rating"}}
        contents = {"data.csv": table.to_csv(index=False)}
        return Made(tmp_path, "cm100k", contents, **entry)

    return make


def pairs(ratings, matrix):
    """Return the entries of a matrix by the ids of user and item."""
    own = matrix.tocoo()
    users, items = ratings.user_ids[own.row].tolist(), ratings.item_ids[own.col].tolist()
    return dict(zip(zip(users, items, strict=True), own.data.tolist(), strict=True))


def of_lines(table):
    """Return the ratings of lines by the ids of user and item."""
    return {(row.user, row.item): float(row.rating) for row in table.itertuples()}


@pytest.mark.parametrize("flags", ["known", "none"])
def test_each_judgement_is_observed_or_the_truth(made, lines, flags):
    dataset = made(lines, KNOWN if flags == "known" else {"design": "set-aside"})
    ratings = dataset.prepared()
    truth, counts = dataset.truth()
    known = of_lines(lines[lines["known"] == 1]) if flags == "known" else of_lines(lines)
    seen, true, judged = (
        pairs(ratings, ratings.matrix),
        pairs(ratings, truth.matrix),
        of_lines(lines),
    )
    assert not seen.keys() & true.keys()
    assert seen.items() <= known.items()
    assert true.items() <= judged.items()
    users, items = {*ratings.user_ids.tolist()}, {*ratings.item_ids.tolist()}
    there = {pair for pair in judged if pair[0] in users and pair[1] in items}
    assert seen.keys() | true.keys() == there
    # Counted by hand.
    by_user = [sum(user == pair[0] for pair in there) for user in ratings.user_ids.tolist()]
    assert truth.judged.tolist() == by_user
    assert counts["judged"] == len(there)
    assert counts["unknown"] == len(judged) - len(there)
    assert counts["users_unknown"] == N_USERS - len(users)
    assert counts["shared"] == 0
    assert counts["aside"] == float(truth.aside) == SHARES[flags]
    assert counts["design"] == str(truth.design) == "set-aside"
    assert (float(truth.low), float(truth.high)) == (1, 4)
    if flags == "known":
        flagged = dict(zip(true, truth.flags.tolist(), strict=True))
        assert flagged == {pair: pair in known for pair in true}
        assert counts["known"] == len(true.keys() & known.keys())
    else:
        assert truth.flags is None
        assert np.isnan(counts["known"])
    taken = len(true.keys() & known.keys()) / len(there & known.keys())
    share = SHARES[flags]
    assert abs(taken - share) < 4 * np.sqrt(share * (1 - share) / len(known))


def test_the_same_pairs_whatever_the_order_of_the_lines(made, lines, tmp_path):
    dataset = made(lines, KNOWN)

    def written():
        first = dataset.prepared()
        dataset.truth()
        return first, [dataset.path(name).read_bytes() for name in ("r.npz", "truth.npz")]

    ratings, before = written()
    mixed = lines.sample(frac=1, random_state=3)
    (tmp_path / "raw/cm100k/data.csv").write_text(mixed.to_csv(index=False))
    assert written()[1] == before
    other = dataset.prepared(seed=2)
    assert pairs(other, other.matrix) != pairs(ratings, ratings.matrix)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["set-aside", "as-published"])
@pytest.mark.parametrize("discovery", ["relevance-independent", "item-independent"])
def test_what_is_discovered_takes_the_place_of_what_was_known(made, lines, design, discovery):
    dataset = made(lines, KNOWN | {"discovery": discovery, "design": design})
    ratings = dataset.prepared()
    truth, counts = dataset.truth()
    seen, true = pairs(ratings, ratings.matrix), pairs(ratings, truth.matrix)
    flagged = dict(zip(true, truth.flags.tolist(), strict=True))
    if design == "as-published":
        assert {pair for pair in true if flagged[pair]} == seen.keys()
        assert counts["shared"] == len(seen)
    else:
        assert not seen.keys() & true.keys()
        assert 0 < counts["known"] < len(seen)
    known = of_lines(lines[lines["known"] == 1])
    assert any(flagged[pair] != (pair in known) for pair in true)


def test_what_is_relevant_is_discovered_by_the_threshold(made, lines):
    """Where all that is relevant was known and nothing else, that is what is drawn."""
    liked = lines.assign(known=(lines["rating"] >= 3).astype(int))  # the threshold of the entry
    dataset = made(liked, KNOWN | {"discovery": "item-independent"})
    ratings = dataset.prepared()
    truth, _ = dataset.truth()
    assert set(pairs(ratings, ratings.matrix).values()) == {3, 4}
    np.testing.assert_array_equal(truth.flags, truth.matrix.data >= 3)


def test_ratings_are_those_from_before_as_published(made, lines):
    """All that was known is observed, and all that was judged is the truth."""
    dataset = made(lines, KNOWN | {"design": "as-published"})
    ratings = dataset.prepared()
    known = lines[lines["known"] == 1]
    assert pairs(ratings, ratings.matrix) == of_lines(known)
    there = lines["user"].isin(known["user"]) & lines["item"].isin(known["item"])
    truth, _ = dataset.truth()
    assert pairs(ratings, truth.matrix) == of_lines(lines[there])


def test_a_scale_that_nobody_gave_is_that_of_all_judgements(made, lines):
    lowest = lines.assign(rating=lines["rating"].where(lines.index != 0, 0))
    dataset = made(lowest, KNOWN, scale=None)
    dataset.prepared()
    truth, _ = dataset.truth()
    assert (float(truth.low), float(truth.high)) == (0, 4)


def test_of_several_lines_of_a_pair_one_flag_is_enough(made, lines):
    twice = pd.concat([lines, lines[lines["known"] == 1].assign(known=0)])
    dataset = made(twice, KNOWN | {"design": "as-published"})
    ratings = dataset.prepared()
    assert pairs(ratings, ratings.matrix) == of_lines(lines[lines["known"] == 1])


def test_the_truth_is_exported_and_its_checksum_kept(made, lines, tmp_path):
    """Without a record, a truth that is exported anew would pass for one that was altered."""
    dataset, file = made(lines, KNOWN), tmp_path / "truth.txt"
    written = []
    for seed in (1, 2):
        ratings = dataset.prepared(seed)
        truth, _ = dataset.truth(seed)
        files = {"ratings": dataset.path("r.npz"), "truth": dataset.path("truth.npz")}
        do("export", files | {"output": file})
        assert recorded(file) == [checksum(file)]
        written.append(file.read_text().splitlines())
    true = pairs(ratings, truth.matrix).items()
    assert sorted(written[1]) == sorted(f"{u} 0 {i} {value:g}" for (u, i), value in true)
    assert written[0] != written[1]


# ---- What is wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("rating", 5, "line 9: expected a rating from 1 to 4, found '5'"),
        ("known", "", "line 9: expected 1 for an item known before, or 0, on each line, found ''"),
        (
            "known",
            0.5,
            "line 9: expected 1 for an item known before, or 0, on each line, found 0.5",
        ),
    ],
)
def test_bad_lines_are_named(made, lines, column, value, said):
    wrong = lines.astype({column: object})
    wrong.loc[7, column] = value
    with pytest.raises(RankassayError, match=said):
        made(wrong, KNOWN).prepared()


@pytest.fixture
def few(lines):
    """Return the lines with one known item a user."""
    one = lines[lines["known"] == 1].groupby("user").head(1)
    return lines.assign(known=lines.index.isin(one.index).astype(int))


def test_users_who_lost_all_ratings_are_left_out_and_counted(made, few):
    dataset = made(few, KNOWN | {"set_aside": 0.3})
    ratings = dataset.prepared()
    assert few["known"].sum() / 2 < len(ratings.user_ids) < few["known"].sum()
    _, counts = dataset.truth()
    assert counts["users_unknown"] == N_USERS - len(ratings.user_ids)


def test_most_users_without_ratings_are_an_error(made, few):
    dataset = made(few, KNOWN | {"set_aside": 0.9})
    of = rf"found none left of \d+ of {few['known'].sum()} users"
    said = rf"data\.csv: expected ratings .* of most users, {of}, .* lower 'set_aside' .*, 0\.9\."
    with pytest.raises(RankassayError, match=said):
        dataset.prepared()
    assert not dataset.path("r.npz").exists()


def test_an_unknown_pair_is_named_by_its_line_if_it_is_an_error(made, lines):
    dataset = made(lines, KNOWN | {"unknown": "error"})
    ratings = dataset.prepared()
    with pytest.raises(RankassayError, match=r"line \d+: .* found the item 'i\d+'") as error:
        dataset.truth()
    [line, item] = re.search(r"line (\d+): .* the item '(i\d+)'", str(error.value)).groups()
    assert lines["item"].iloc[int(line) - 2] == item
    assert item not in ratings.item_ids


def test_ratings_that_were_read_otherwise_are_refused(made, lines):
    """The truth would share some of them."""
    dataset = made(lines, KNOWN)
    dataset.prepared(seed=1)
    with pytest.raises(
        RankassayError, match=r"data\.csv: expected the \d+ ratings that .* the same seed"
    ):
        dataset.truth(seed=2)
    assert not dataset.path("truth.npz").exists()


@pytest.mark.parametrize("share", [1e-9, 0.5])
def test_no_judgement_that_is_set_aside_is_an_error(made, share):
    """By the seed, nothing is set aside, or what a user and an item lost all by."""
    table = pd.DataFrame({"user": ["a", "b", "c"], "item": ["i", "j", "k"], "rating": [1, 2, 4]})
    dataset = made(table, {"design": "set-aside", "set_aside": share})
    dataset.prepared()
    with pytest.raises(
        RankassayError, match=r"data\.csv: expected judgements to set aside as the truth"
    ):
        dataset.truth()


def test_a_missing_column_of_flags_is_named_and_no_ratings_are_spoken_of(made, lines):
    with pytest.raises(RankassayError, match=r"unknown column 'knwn'; did .* rating, known\.$"):
        made(lines, {"known": "knwn"}).prepared()


INCLUDED = "user,item,rating,p\n1,46,2,.5\n1,14,5,.25\n3,35,4,1\n2,99,1,0.125\n"


@pytest.fixture
def included(tmp_path):
    """Return a function that makes data whose truth says how likely each judgement was."""

    def make(content=INCLUDED):
        contents = {"r.csv": "1\t14\t5\n1\t35\t1\n2\t14\t4\n3\t46\t3\n", "t.csv": content}
        truth = {"separator": ",", "header": True, "inclusion": "p", "unknown": "skip"}
        truth |= {"columns": {"user": "user", "item": "item", "rating": "rating"}}
        files = {"ratings": "r.csv", "truth": "t.csv"}
        dataset = Made(tmp_path, "yahoo-r3", contents, files=files, truth=truth)
        dataset.prepared()
        return dataset

    return make


def test_how_likely_a_judgement_was_is_read_where_the_file_says_it(included):
    truth, counts = included().truth()
    assert truth.matrix.data.tolist() == [5, 2, 4]
    assert truth.inclusion.tolist() == [0.25, 0.5, 1]
    assert (counts["unknown"], counts["users_unknown"]) == (1, 0)


@pytest.mark.parametrize("bad", ["0", "-0.5", "1.5", "nan"])
def test_items_that_could_not_be_judged_are_named(included, bad):
    dataset = included(INCLUDED.replace(",.25", f",{bad}"))
    said = rf"above 0 .* found others, such as {bad}, for 1 of 4 items \(25%\): '14'; correct"
    with pytest.raises(RankassayError, match=said):
        dataset.truth()
    assert not dataset.path("truth.npz").exists()


@pytest.mark.parametrize("bad", ["", "x"])
def test_what_is_no_probability_is_named_by_its_line(included, bad):
    said = "line 3: expected a probability above 0 and at most 1, found"
    dataset = included(INCLUDED.replace(",.25", f",{bad}"))
    with pytest.raises(RankassayError, match=said):
        dataset.truth()


def test_two_probabilities_of_a_pair_are_an_error(included):
    """Which of them came first would say what the pair weighs."""
    said = "line 6: expected one probability of item '14' by user '1', which is 0.25 on a line b"
    with pytest.raises(RankassayError, match=said):
        included(INCLUDED + "1,14,5,.5\n").truth()


def test_a_probability_may_stand_twice(included):
    assert included(INCLUDED + "1,14,5,.25\n").truth()[0].inclusion.tolist() == [0.25, 0.5, 1]


# ---- Both sides ----------------------------------------------------------------------------------


def test_what_two_matrices_share_is_by_their_entries():
    rng = np.random.default_rng(8)
    cells = [rng.random((9, 7)) < share for share in (0.5, 0.4)]
    first, second = (
        sp.csr_matrix((np.zeros(own.sum(), dtype=np.float32), np.nonzero(own)), own.shape)
        for own in cells
    )
    assert shared(first, second).tolist() == cells[1][np.nonzero(cells[0])].tolist()

"""Verdicts over users, splits, systems and other settings: certain only where all agree."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from claims_made_up import NOISE, ROWS, claim, cube, judged

from rankassay.artifacts.tables import read_table, write_table
from rankassay.claims.judge import judge, judging, of_subsets
from rankassay.claims.measure import Column, Cube
from rankassay.claims.runs import over_runs
from rankassay.claims.verdicts import ANSWERS, SOURCES, STATES, VERDICTS, deciding, state, verdict
from rankassay.statistics.replicated import Replicated, interval

LOOKED_AT = (*STATES, "")
MEASURED = {"reproduced", "reproduced, uncertain"}, {"not shown", "contradicted"}


@pytest.mark.parametrize("n", range(5))
def test_a_verdict_is_certain_only_where_all_sources_agree(n):
    for states in product(LOOKED_AT, repeat=n):
        known = [own for own in states if own != ""]
        for holds in (True, False):
            found = verdict(holds, states)
            assert found in MEASURED[not holds]
            assert (found == "reproduced") == (holds and known != [] and {*known} == {"holds"})
            assert (found == "contradicted") == (
                not holds and known != [] and {*known} == {"fails"}
            )
            assert ANSWERS[found] == {"reproduced": "yes", "contradicted": "no"}.get(
                found, "uncertain"
            )


def test_more_sources_never_make_a_verdict_surer():
    for states in product(STATES, repeat=3):
        for holds, own in product((True, False), STATES):
            before, after = verdict(holds, states), verdict(holds, (*states, own))
            firm = ("reproduced", "contradicted")
            assert after not in firm or after == before


def test_what_decides_are_the_sources_that_do_not_agree():
    for own in product(LOOKED_AT, repeat=4):
        states = dict(zip(SOURCES, own, strict=True))
        for holds in (True, False):
            agreed = "holds" if holds else "fails"
            against = [SOURCES[name] for name in SOURCES if states[name] not in ("", agreed)]
            found = deciding(holds, states)
            assert [name for name in found.replace(" and ", ", ").split(", ") if name] == against
            firm = verdict(holds, own) in ("reproduced", "contradicted")
            assert firm == (not against and any(own))
    assert deciding(True, {"users": "mixed", "splits": "fails"}) == "users and splits"


@pytest.mark.parametrize(
    ("hold", "n", "expected"),
    [
        *((0, 0, ""), (1, 1, "holds"), (0, 1, "fails"), (1, 2, "mixed")),
        *((10, 10, "holds"), (9, 10, "mixed"), (1, 10, "mixed"), (0, 10, "fails")),
        *((95, 100, "holds"), (94, 100, "mixed"), (6, 100, "mixed"), (5, 100, "fails")),
        *((19, 20, "holds"), (1, 20, "fails"), (18, 19, "mixed")),
    ],
)
def test_a_source_holds_if_nineteen_of_twenty_draws_do(hold, n, expected):
    assert state(hold, n) == expected


@pytest.mark.parametrize(
    ("n", "fewest"), [(20, 20), (28, 28), (100, 100), (200, 197), (1000, 964), (4000, 3828)]
)
def test_of_random_draws_it_holds_for_so_many_that_more_draws_would_agree(n, fewest):
    """By the binomial distribution: with a share of 95%, as many hold in at most 3% of cases."""
    assert state(fewest, n, 2.0) == "holds"
    assert state(n - fewest, n, 2.0) == "fails"
    if n > 100:  # of fewer, all must hold
        assert state(fewest - 1, n, 2.0) == state(n - fewest + 1, n, 2.0) == "mixed"
        assert scipy.stats.binom.sf(fewest - 1, n, 0.95) < 0.03


def test_a_bound_within_the_monte_carlo_error_of_an_end_is_not_certain():
    """The end is between those of an interval of 95% and of the widened one."""
    low = judged(TEN, {"above": 0.6}, noise=NOISE)["low"]
    wide, _ = interval(0.7, 0.7 + NOISE, errors=2.0)
    assert wide < low
    near = judged(TEN, {"above": (wide + low) / 2}, noise=NOISE)
    assert (near["low"], near["users"]) == (low, "mixed")
    assert near["reason"].startswith("an end of the interval lies within its Monte Carlo error")
    clear = judged(TEN, {"above": wide - 1e-6}, noise=NOISE)
    assert (clear["users"], clear["reason"]) == ("holds", "")


# ---- Users and systems: what one run says --------------------------------------------------------

TEN = {"rows": {"metric": "P", "cutoff": 10}}  # 0.7


@pytest.mark.parametrize(
    ("bound", "users"),
    [(0.64, "holds"), (0.66, "mixed"), (0.74, "mixed"), (0.76, "fails")],
)
def test_users_are_the_interval(bound, users):
    row = judged(TEN, {"above": bound}, noise=NOISE)
    assert (row["holds"], row["users"], row["systems"]) == (bound < 0.7, users, "")
    assert pd.isna(row["subsets"])


def test_without_an_interval_nobody_has_looked_at_users():
    row = judged(TEN, {"above": 0.6})
    assert (row["users"], row["verdict"]) == ("", "reproduced, uncertain")
    row = judged(TEN, {"above": 0.6}, rows=[("P", 10, np.nan)])
    assert pd.isna(row["holds"])
    assert row["verdict"] == "undefined"


def subsets(values, rows=ROWS):
    """Return the numbers on subsets of the systems, as the study of robustness has them."""
    table = pd.DataFrame(rows, columns=["metric", "cutoff", "value"])
    other = pd.DataFrame({"table": ["other"], "metric_a": ["P"], "value": [0.1]})
    table = pd.concat([other, table.assign(table="sparsity")], ignore_index=True)
    replicates = np.vstack([np.zeros(len(values)), np.tile(values, (len(rows), 1))])
    return Replicated(table, "value", replicates)


@pytest.mark.parametrize(
    ("held", "undefined", "systems", "expected"),
    [
        *((100, 0, "holds", "reproduced"), (99, 0, "mixed", "reproduced, uncertain")),
        *((94, 0, "mixed", "reproduced, uncertain"), (0, 0, "fails", "reproduced, uncertain")),
        (95, 5, "holds", "reproduced"),  # of the 95 that have a value, all
        (94, 6, "", "reproduced"),  # too few have one: nothing is said of systems
    ],
)
def test_systems_are_the_subsets_in_which_a_claim_holds(held, undefined, systems, expected):
    values = np.repeat([0.65, 0.5, np.nan], [held, 100 - held - undefined, undefined])
    tables = {"sparsity": cube(ROWS, NOISE)}
    one = claim(TEN, {"above": 0.6})
    row = judge([one], tables, "ml-1m", of_subsets(tables, subsets(values))).iloc[0]
    assert (row["subsets"], row["subsets_hold"]) == (100 - undefined, held)
    assert (row["users"], row["systems"], row["verdict"]) == ("holds", systems, expected)
    # The same, of a claim that fails.
    row = judge(
        [one | {"holds": {"below": 0.6}}], tables, "ml-1m", of_subsets(tables, subsets(values))
    )
    assert (
        row["verdict"].item()
        == {
            **{"holds": "contradicted", "": "contradicted"},
            **dict.fromkeys(("mixed", "fails"), "not shown"),
        }[systems]
    )


def test_the_number_on_subsets_is_made_as_the_number_is():
    """Brute force: each subset's rows make a number, as all systems' rows do."""
    rng = np.random.default_rng(7)
    numbers = rng.random((len(ROWS), 40))
    table = pd.DataFrame(ROWS, columns=["metric", "cutoff", "value"]).assign(table="sparsity")
    given = Replicated(table, "value", numbers)
    less = {"table": "sparsity", "rows": {"metric": "RR"}, "reduce": "mean"}
    one = claim({"rows": {"metric": "P"}, "reduce": "max", "minus": less}, {"above": 0.3})
    analysis = judging({})
    sparsity = Replicated(
        table.drop(columns="table").rename(columns={"value": "tau"}), "tau", np.empty((5, 0))
    )
    row = analysis([one], "ml-1m", sparsity=sparsity, subsets=given).iloc[0]
    best, mean = numbers[:3].max(axis=0), numbers[3:].mean(axis=0)
    assert row["subsets"] == 40
    assert row["subsets_hold"] == (best - mean > 0.3).sum()
    assert (row["users"], row["systems"]) == ("", "mixed")
    without = analysis([one], "ml-1m", sparsity=sparsity, subsets=None).iloc[0]
    assert (without["systems"], without["verdict"]) == ("", "reproduced, uncertain")
    few = Replicated(table[:0], "value", np.empty((0, 0)))
    none = analysis([one], "ml-1m", sparsity=sparsity, subsets=few).iloc[0]
    assert (none["systems"], none["verdict"]) == ("", "reproduced, uncertain")


def test_claims_about_tables_without_subsets_are_judged_by_users_alone():
    other = {"rows": {"metric": "P"}, "reduce": "min", "table": "popularity"}
    tables = {"sparsity": cube(ROWS, NOISE), "popularity": cube(ROWS, NOISE)}
    known = of_subsets(tables, subsets(np.full(10, 0.1)))
    rows = [claim(TEN | {"minus": other}, {"above": 0.1}, name="a"), claim(other, {"above": 0.1})]
    rows[1]["id"] = "b"
    found = judge(rows, tables, "ml-1m", known)
    assert found["systems"].tolist() == ["", ""]
    assert found["verdict"].tolist() == ["reproduced"] * 2
    # What is exact depends on no systems, and can be compared with what does.
    facts = {"facts": Cube(pd.DataFrame({"metric": ["P"]}), np.array([[0.5]]), exact=True)}
    given = facts | {"sparsity": tables["sparsity"]}
    mixed = claim(TEN | {"minus": {"table": "facts"}}, {"above": 0})
    row = judge([mixed], given, "ml-1m", of_subsets(given, subsets(np.full(10, 0.4)))).iloc[0]
    assert (row["subsets"], row["subsets_hold"], row["systems"]) == (10, 0, "fails")
    # A fact, and what is exact, is judged by its number alone.
    row = judge([claim({"table": "facts"}, {"above": 0})], given, "ml-1m", known).iloc[0]
    assert (row["users"], row["systems"], row["verdict"]) == ("holds", "", "reproduced")
    fact = claim(TEN, {"above": 0.9}, kind="fact")
    row = judge([fact], tables, "ml-1m", known).iloc[0]
    assert (row["systems"], row["verdict"]) == ("", "contradicted")


def test_questions_of_ours_are_answered():
    for bound, answer in ((0.64, "yes"), (0.66, "uncertain"), (0.74, "uncertain"), (0.76, "no")):
        row = judged(TEN, {"above": bound}, noise=NOISE, source="ours")
        assert (row["verdict"], row["source"]) == (answer, "ours")
    tables = cube([("P", 10, np.nan)])
    asked = claim(TEN, {"above": 0}, source="ours")
    assert judge([asked], {"sparsity": tables}, "ml-1m")["verdict"].item() == "undefined"
    assert judge([asked], {"sparsity": "sparsity"}, "ml-1m")["verdict"].item() == "not asked"


# ---- Splits and other settings: what several runs say --------------------------------------------

VARIANTS = {
    **{f"d-{i}": {"of": "d", "settings": "d", "split": True} for i in range(1, 10)},
    "d-tuned": {"of": "d", "settings": "d-tuned", "split": False},
    **{f"d-tuned-{i}": {"of": "d", "settings": "d-tuned", "split": True} for i in range(1, 10)},
}


def runs(source="Author, 2018, figure 1", kind="finding", **held):
    """Return the rows of one claim: by dataset whether it holds, and what users and systems say."""
    rows = []
    for name, (holds, users, systems) in held.items():
        found = verdict(holds, [users, systems]) if holds is not None else "undefined"
        found = ANSWERS[found] if source == "ours" else found
        row = {"id": "a", "dataset": name.replace("_", "-"), "holds": holds, "users": users}
        rows.append(row | {"systems": systems, "verdict": found, "source": source, "kind": kind})
    return pd.DataFrame(rows).astype({"holds": "boolean"})


def quoted(table, variants=VARIANTS, dataset="d"):
    return over_runs(table, variants).set_index("dataset").loc[dataset]


SURE, DOUBT = (True, "holds", "holds"), (True, "mixed", "holds")
FALSE, HARDLY = (False, "fails", "fails"), (False, "mixed", "fails")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "others", "tuned", "expected", "decides"),
    [
        (SURE, [SURE] * 9, SURE, "reproduced", ""),
        (SURE, [SURE] * 8 + [FALSE], SURE, "reproduced, uncertain", "splits"),
        # Other splits count for what was measured on them alone.
        (SURE, [DOUBT] * 9, SURE, "reproduced", ""),
        (SURE, [SURE] * 9, FALSE, "reproduced, uncertain", "other settings"),
        (SURE, [SURE] * 9, DOUBT, "reproduced, uncertain", "other settings"),
        (DOUBT, [SURE] * 9, HARDLY, "reproduced, uncertain", "users and other settings"),
        (FALSE, [FALSE] * 9, FALSE, "contradicted", ""),
        (FALSE, [FALSE] * 8 + [SURE], FALSE, "not shown", "splits"),
        (FALSE, [FALSE] * 9, HARDLY, "not shown", "other settings"),
        (FALSE, [FALSE] * 9, SURE, "not shown", "other settings"),
        (HARDLY, [SURE] * 9, SURE, "not shown", "users, splits and other settings"),
        (FALSE, [], None, "contradicted", ""),
        (SURE, [], None, "reproduced", ""),
    ],
)
def test_the_quoted_verdict_is_over_all_runs(first, others, tuned, expected, decides):
    held = {"d": first} | {f"d_{i}": own for i, own in enumerate(others, start=1)}
    held |= {} if tuned is None else {"d_tuned": tuned}
    found = over_runs(runs(**held), VARIANTS).set_index("dataset")
    row = found.loc["d"]
    assert (row["verdict"], row["decides"]) == (expected, decides)
    assert row["run_verdict"] == verdict(first[0], first[1:])
    if others:
        hold = first[0] + sum(own[0] for own in others)
        assert (row["splits_hold"], row["n_splits"]) == (hold, 10)
        # A further split has its own verdict alone.
        own = found.loc["d-1"]
        assert own["verdict"] == own["run_verdict"]
        assert pd.isna(own["n_splits"])
    else:
        assert row["splits"] == ""
        assert pd.isna(row["n_splits"])
    answers = runs(source="ours", **held)
    assert quoted(answers)["verdict"] == ANSWERS[expected]
    facts = quoted(runs(kind="fact", **held))
    assert facts["verdict"] == facts["run_verdict"]


def test_the_splits_of_a_variant_are_those_with_its_settings():
    held = {"d": SURE, "d_tuned": SURE}
    held |= {f"d_{i}": SURE for i in range(1, 10)}
    held |= {f"d_tuned_{i}": SURE if i < 9 else FALSE for i in range(1, 10)}
    found = over_runs(runs(**held), VARIANTS).set_index("dataset")
    assert found.loc["d-tuned", ["splits", "splits_hold", "n_splits"]].tolist() == ["mixed", 9, 10]
    assert found.loc["d-tuned", "verdict"] == "reproduced, uncertain"
    assert found.loc["d-tuned", "run_verdict"] == "reproduced"
    assert found.loc["d-tuned", "decides"] == "splits"
    # To the data itself all of that is one source.
    assert found.loc["d", ["splits", "splits_hold", "n_splits"]].tolist() == ["holds", 10, 10]
    assert found.loc["d", ["other_systems", "verdict"]].tolist() == [
        "mixed",
        "reproduced, uncertain",
    ]
    assert found.loc["d", "decides"] == "other settings"


def test_runs_without_a_value_do_not_count():
    undefined = (None, "", "")
    row = quoted(runs(d=SURE, d_1=undefined, d_2=SURE, d_tuned=undefined))
    assert (row["splits_hold"], row["n_splits"], row["other_systems"]) == (2, 2, "")
    row = quoted(runs(d=undefined, d_1=SURE))
    assert (row["verdict"], row["other_systems"]) == ("undefined", "")
    # One that measured alone, without intervals or subsets, says what it measured.
    row = quoted(runs(d=SURE, d_tuned=(False, "", "")))
    assert (row["other_systems"], row["verdict"]) == ("fails", "reproduced, uncertain")
    row = quoted(runs(d=(True, "", "")))
    assert (row["verdict"], row["decides"]) == ("reproduced, uncertain", "")


def test_a_dataset_that_is_studied_as_its_variants_only_has_their_verdicts():
    found = over_runs(runs(d_tuned=SURE, d_tuned_1=FALSE), VARIANTS).set_index("dataset")
    assert found.loc["d-tuned", "verdict"] == "reproduced, uncertain"
    assert found.loc["d-tuned-1", "verdict"] == "contradicted"


@pytest.mark.slow
def test_every_combination_of_sources_gives_the_verdict_that_follows(tmp_path):
    """Brute force over what four sources can say, as tables say it that were written to files."""
    n = 0
    for users, systems in product(LOOKED_AT, repeat=2):
        for holds in (True, False):
            if users == ("fails" if holds else "holds"):
                continue  # the interval has what was measured in it
            rows = runs(d=(holds, users, systems))
            for further, tuned in product(range(4), (None, True, False)):
                # Of three further splits this number agree with the first.
                held = {"d": (holds, users, systems)}
                held |= {f"d_{i}": ((i <= further) == holds, "", "") for i in (1, 2, 3)}
                held |= {} if tuned is None else {"d_tuned": (tuned, "", "")}
                rows = runs(**held)
                n += 1
                states = [own for own in (users, systems) if own]
                agree = further if holds else 3 - further
                splits = {3: "holds", 0: "fails"}
                total = sum(own[0] for name, own in held.items() if name != "d_tuned")
                states.append("holds" if total == 4 else "fails" if total == 0 else "mixed")
                states += [] if tuned is None else ["holds" if tuned else "fails"]
                row = quoted(rows)
                expected = verdict(holds, states)
                assert row["verdict"] == expected, (held, states)
                assert agree in range(4)
                assert splits
    assert n == 4 * 4 * 2 * 12 - 2 * 4 * 12
    write_table(rows, tmp_path / "rows.csv")
    again = quoted(read_table(tmp_path / "rows.csv"))
    # As tables of several datasets come together, each of which has its own numbers of rows.
    several = pd.concat([own.reset_index(drop=True) for _, own in rows.groupby("dataset")])
    assert not several.index.is_unique
    assert quoted(several)["verdict"] == row["verdict"]
    assert again["verdict"] == row["verdict"]
    assert {*VERDICTS} >= {again["verdict"]}


def test_a_column_of_a_table_is_no_source():
    """A study that declares `subsets` among its columns of claims has none of its own."""
    analysis = judging({"facts": Column("value", exact=True)})
    facts = pd.DataFrame({"name": ["n"], "value": [3.0]})
    row = analysis([claim({"table": "facts"}, {"near": 0}, 3)], "ml-1m", facts=facts).iloc[0]
    assert (row["verdict"], row["systems"]) == ("reproduced", "")

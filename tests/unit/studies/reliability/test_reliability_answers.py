"""The table of answers says what the results say, and nothing of what was left out."""

import numpy as np
import pandas as pd
import pytest
from settings_of import settings_of

from rankassay.artifacts.arrays import Scores
from rankassay.plan import found
from rankassay.statistics import power_analysis, split_half
from rankassay.statistics.significance import p_values
from rankassay.studies.reliability import differences, type_errors
from rankassay.studies.reliability.answers import answers
from rankassay.studies.reliability.settings import TypeErrors
from rankassay.studies.reliability.words import users_needed

TITLES = {"a": "A (synthetic)", "b": "B (synthetic)"}
QUESTIONS = ["would other users", "how many users", "which differences", "which significance test"]


@pytest.fixture(scope="module")
def results():
    """Return the results of two small datasets, of which one has no nDCG."""
    rng = np.random.default_rng(3)
    parts = {name: [] for name in ("split_half", "required_users", "effect_sizes", "type_errors")}
    for dataset, measures in (("a", ["P@5", "nDCG@5", "nDCG@10"]), ("b", ["P@5"])):
        values = rng.random((60, 4, len(measures))) + [[[0.0]], [[0.1]], [[0.2]], [[0.9]]][0]
        values = values + np.array([0.0, 0.1, 0.3, 0.5])[:, None]
        scores = Scores(values, np.arange(60), np.array(list("wxyz")), np.array(measures))
        audit = TypeErrors(trials=40, samples=50, audited_cutoffs=[5]).model_dump()
        planning = settings_of("reliability/required-users", samples=50, most_users=50)
        found = {
            "split_half": split_half.run(scores, 1, 20),
            "required_users": power_analysis.required_users(scores, 1, **planning),
            "effect_sizes": differences.effect_sizes(
                p_values(scores, 0, 0, "t", True, equivalence="1%"), alpha=0.05
            ),
            "type_errors": type_errors.type_errors(scores, {"cutoffs": [5, 10]}, seed=1, **audit),
        }
        for name, table in found.items():
            parts[name].append(table.assign(dataset=dataset, systems=5))
    return {name: pd.concat(tables) for name, tables in parts.items()}


def test_each_question_is_answered_of_each_dataset(results):
    table = answers(**results, cutoff=5, titles=TITLES).frame
    assert [*table["Dataset"]] == [TITLES["a"]] * 4 + [TITLES["b"]] * 4
    for question, asked in zip(QUESTIONS * 2, table["Question"], strict=True):
        assert asked.lower().startswith(question)
    assert table["Answer"][:3].str.contains("nDCG@5").all()
    assert table["Answer"][4:].str.contains("P@5").all()


def test_the_answer_about_tests_takes_all_metrics(results):
    audit = results["type_errors"].copy()
    own = (audit["dataset"] == "a") & (audit["delta"] == 0) & (audit["null"] == "simulation")
    audit.loc[own, ["rate", "low", "high"]] = 0.05, 0.01, 0.15
    bad = own & (audit["test"] == "sign") & (audit["metric"] == "P")
    audit.loc[bad, ["rate", "low", "high"]] = 0.9, 0.8, 0.95
    given = dict.fromkeys(results) | {"type_errors": audit}
    said = answers(**given, cutoff=5, titles=TITLES).frame["Answer"][0]
    assert "reaches 90% (P@5 with 60 users; 95% interval 80% to 95%)" in said
    assert "The lowest is 5% (nDCG@5 with 60 users)." in said


def test_the_numbers_are_those_of_the_results(results):
    said = answers(**results, cutoff=5, titles=TITLES).frame["Answer"]
    rows = results["split_half"].query("dataset == 'a' and metric == 'nDCG' and cutoff == 5")
    half = rows[(rows["against"] == "half") & (rows["users"] == 30)].set_index("coefficient")
    agree = "Two random sets of 30 users agree on the ranking under nDCG@5 with τ = "
    assert said[0].startswith(f"{agree}{half['mean']['tau_b']:.3f} ({half['low']['tau_b']:.3f} to")
    assert f"τ_AP = {half['mean']['tau_ap']:.3f} ({half['low']['tau_ap']:.3f} to" in said[0]
    needed = results["required_users"].query(
        "dataset == 'a' and metric == 'nDCG' and cutoff == 5 and percent == 1 and tests == 1"
    )
    users, most, worst = (
        f"{needed[name].item():,.0f}" for name in ("required", "required_90", "required_worst")
    )
    assert most == worst  # nine tenths of six pairs are all of them
    assert said[1] == (
        f"Detecting a 1% difference under nDCG@5 with 80% power takes {users} users for half of "
        f"the 6 pairs of systems that vary. All pairs take {worst}. You have 60 users."
    )


def test_what_was_left_out_is_not_answered(results):
    given = results | {"required_users": None, "type_errors": None}
    table = answers(**given, cutoff=5, titles=TITLES).frame
    assert len(table) == 4
    assert not table["Answer"].str.contains("power takes|null").any()


def test_one_user_is_one(results):
    given = dict.fromkeys(results) | {
        "split_half": results["split_half"].assign(users=1),
        "required_users": results["required_users"].assign(users=1, required=1.0),
        "effect_sizes": results["effect_sizes"].assign(users=1),
    }
    said = answers(**given, cutoff=5, titles=TITLES).frame["Answer"]
    assert "Two random sets of 1 user agree" in said[0]
    assert "takes 1 user for half of the 6 pairs" in said[1]
    assert said[2].endswith("The sample is 1 user.")


def test_systems_that_all_users_tie_have_no_order(results):
    tied = results["split_half"].assign(mean=np.nan, low=np.nan, high=np.nan)
    nothing = dict.fromkeys(results)
    said = answers(**nothing | {"split_half": tied}, cutoff=5, titles=TITLES).frame["Answer"]
    assert said[0] == "Unknown: two random sets of 30 users tie all systems under nDCG@5."


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            {"percent": 2.5, "tests": 1},
            "Detecting a 2.5% difference under P@5 with 90% power takes",
        ),
        (
            {"percent": np.nan, "tests": 6},
            "Detecting a difference of 0.01 under P@5 with 90% power",
        ),
        ({"percent": None, "tests": 1}, "Detecting a difference of 0.01 under P@5 with 90% power"),
    ],
)
def test_a_difference_is_in_percent_or_absolute(row, expected):
    given = {"difference": 0.01, "power": 0.9, "required": 1234.0, "users": 5678}
    given |= {"pair": "median", "pairs": 1}
    said = users_needed(given | row, "P@5")
    assert said.startswith(expected)
    many = " The level is corrected for 6 tests." if row["tests"] == 6 else ""
    end = f"1,234 users for the one pair of systems that varies.{many} You have 5,678 users."
    assert said.endswith(end)


def test_a_run_says_the_answers_at_its_end(results, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = answers(**results, cutoff=5, titles=TITLES).frame
    frame.to_csv("answers.csv", index=False)
    given = [("reliability", "answers.csv"), ("goals", "none.csv")]
    said = " ".join(found.success({}, {}, given, TITLES).split())
    for title in TITLES.values():
        assert f"{title} (study: reliability)" in said
    for answer in frame["Answer"]:
        assert answer in said
    assert "goals" not in said


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            {"pair": "median"},
            "100 users for half of the 1,234 pairs of systems that vary. Nine of ten pairs take "
            "2,000, and all pairs 30,000",
        ),
        (
            {"pair": "neighbours", "required_worst": 1e13},
            "100 users for half of the 1,234 pairs of neighbours by their means that vary. Nine of "
            "ten pairs take 2,000, and all pairs more than 1,000,000,000,000",
        ),
        ({"pair": "worst"}, "100 users for each of the 1,234 pairs of systems that vary"),
        ({"pair": "median", "pairs": 1}, "100 users for the one pair of systems that varies"),
        (
            {"pair": "worst", "required": np.inf},
            "more than 1,000,000,000,000 users for each of the 1,234 pairs of systems that vary",
        ),
    ],
)
def test_users_are_said_for_a_share_of_the_pairs(row, expected):
    given = {"difference": 0.01, "percent": 1, "power": 0.8, "tests": 1, "users": 9, "pairs": 1234}
    given |= {"required": 100.0, "required_90": 2e3, "required_worst": 3e4}
    assert f"takes {expected}. You have 9 users." in users_needed(given | row, "P@5")

"""What a run says at its end."""

import os

import numpy as np
import pandas as pd
from advice_made_up import example

from rankassay.advice import words as advised
from rankassay.answers import words
from rankassay.artifacts.files import write_json
from rankassay.artifacts.tables import write_table
from rankassay.plan import found, messages


def table(systems):
    """Return a summary of two metrics at one cut-off, of which P is the best by all criteria."""
    rows = [
        (metric, 10, criterion, value, rank, rank == 2, 1, False)
        for criterion in ("sparsity", "popularity", "power", "overall")
        for metric, value, rank in (("P", 1.0, 1), ("RR", 2.0, 2))
    ]
    names = ["metric", "cutoff", "criterion", "value", "rank", "apart"]
    made = pd.DataFrame(rows, columns=[*names, "cutoff_rank", "cutoff_apart"])
    made = made.assign(low=np.nan, high=np.nan, undefined=0, correlation="tau_b")
    return made.assign(systems=systems, test_users=50, ratings_median=4.0)


def of(path, study, title="Mine (synthetic)"):
    return {"title": title, "study": study, "path": str(path), "cutoff": 10}


def test_success_says_what_the_first_study_that_was_made_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table(table(21), "a.csv")
    write_table(table(2), "b.csv")
    of_mine = [of("none.csv", "robustness"), of("a.csv", "goals"), of("b.csv", "diversity")]
    summaries = {"mine": of_mine, "few": [of("b.csv", "goals", "Few")]}
    said = found.success({}, summaries | {"none": [of("none.csv", "goals")]})
    flat = " ".join(said.split())
    assert "Mine (synthetic) (study: goals)" in flat
    assert words.answer(table(21), 10) in flat
    assert "Few (study: goals) With two systems, metrics cannot be judged" in flat
    assert "robustness" not in flat
    assert flat.endswith("One page with everything: the target report")
    assert max(map(len, said.splitlines())) <= words.WIDTH


def test_what_an_earlier_run_left_is_not_taken_for_this_ones(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [("Mine", "Which?", "P@10 can."), ("Another", "Which?", "None can.")]
    write_table(pd.DataFrame(rows, columns=["Dataset", "Question", "Answer"]), "answers.csv")
    page = tmp_path / found.REPORT
    page.parent.mkdir()
    page.touch()
    said = found.success({}, {}, [("reliability", "answers.csv")], {"mine": "Mine"})
    assert "P@10 can." in said
    assert "None can." not in said
    assert said.endswith("One page with everything: results/report.html")
    other = found.success(
        {}, {}, [("reliability", "answers.csv")], {"mine": "Mine"}, ["results/x.csv"]
    )
    assert "P@10 can." not in other
    same = found.success(
        {}, {}, [("reliability", "answers.csv")], {"mine": "Mine"}, ["answers.csv"]
    )
    assert same == said
    os.utime(page, (messages.BEGAN - 60,) * 2)
    assert found.success({}, {}).endswith("report (results/report.html is of an earlier run)")


def test_a_summary_that_cannot_be_read_is_named_and_stops_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table(table(21).drop(columns="systems"), "a.csv")
    said = found.success({}, {"mine": [of("a.csv", "goals")]})
    assert "a.csv: the summary is of another version of rankassay" in " ".join(said.split())
    assert "\nAll numbers are in results/.\n" in said
    (tmp_path / "figures").mkdir()
    (tmp_path / "results/tables").mkdir(parents=True)
    where = "All numbers are in results/, figures in figures/, tables in results/tables/."
    assert f"\n{where}\n" in found.success({}, {})


def test_success_shows_the_advice_on_each_dataset_in_place_of_the_studies_sentences(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_table(table(21), "a.csv")
    rows = [("Mine", "Which?", "P@10 can.")]
    write_table(pd.DataFrame(rows, columns=["Dataset", "Question", "Answer"]), "answers.csv")
    write_json(example(), "mine.json")
    mine = {"title": "Mine (synthetic)", "path": "mine.json"}
    given = [{"mine": mine}, {"mine": [of("a.csv", "robustness")]}]
    answers = [("reliability", "answers.csv")], {"mine": "Mine"}
    said = found.success(*given, *answers)
    assert said.splitlines()[1:-3] == ["Mine (synthetic)", *advised.screen(example())]
    assert "P@10 can." not in said
    assert words.answer(table(21), 10) not in " ".join(said.split())
    # A run of single studies was not asked for it, and has what they say.
    asked = found.success(*given, *answers, ["a.csv", "answers.csv"])
    assert "REPORT" not in asked
    assert "P@10 can." in asked
    # With several datasets each has some lines, those without lists the sentences of a summary.
    given[1] |= {"other": [], "values": [of("a.csv", "robustness", "Values")]}
    rows.append(("Values", "Which?", "P@5 cannot."))
    write_table(pd.DataFrame(rows, columns=["Dataset", "Question", "Answer"]), "answers.csv")
    answers[1]["values"] = "Values"
    several = found.success(given[0] | {"other": mine | {"title": "Other"}}, given[1], *answers)
    short = "\n".join(advised.screen(example(), height=found.SHORT))
    assert f"\nMine (synthetic)\n{short}\n\nOther\n{short}\n" in several
    assert "Values (study: robustness)" in several
    assert "Values (study: reliability)" in several
    assert "P@5 cannot." in several
    assert "P@10 can." not in several
    (tmp_path / "mine.json").write_text("{")
    assert "mine.json: expected the bytes that were written" in found.success(*given)


def test_artifacts_that_are_gone_are_counted_and_named():
    assert "1 file of an earlier run is gone, and not asked for" in messages.gone(["a.csv"])
    said = messages.gone([f"{i}.csv" for i in range(7)])
    assert "7 files of an earlier run are gone" in said
    assert "0.csv, 1.csv, 2.csv, 3.csv, 4.csv, ..." in said


def test_a_failed_job_is_quoted_and_a_silent_one_explained(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.log").write_text("begun\nrankassay score: no rating\n\n")
    (tmp_path / "b.log").touch()
    found = messages.failure(["a.log", "b.log", "none.log"])
    assert "rankassay score: no rating\n  (log: a.log)" in found
    assert "perhaps memory was short\n  (log: b.log)" in found
    assert "perhaps memory was short\n  (log: none.log)" in found
    assert "asked to end (SIGTERM)" in messages.failure([], failed=False)
    nothing = messages.failure([])
    assert "Snakemake's message above says what went wrong" in nothing

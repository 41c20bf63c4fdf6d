"""The doors by which judgements, runs and training ratings come in, for tests of forms.

A door takes the inputs of `forms.given` and returns what it makes of them, as plain values by the
texts of ids, so that those of two forms can be compared to the last bit. It raises what the door
raises: commands and jobs are called as functions, without the process that prints their errors.
"""

import argparse
import contextlib
import csv
import importlib
import io
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from contents import Content
from forms import FORMS

import rankassay
from rankassay.artifacts.arrays import Rankings, Ratings, write_matrix
from rankassay.artifacts.files import checksum, write_json
from rankassay.cli.job import do
from rankassay.data.entries import completed
from rankassay.data.parts import selected
from rankassay.metrics.judgements import Judgements

METRICS = ["P@3", "R@3", "RR", "nDCG@5"]
WEIGHTED = "IPS(gain='P')@3"
DRAWS = 50  # permutations
KEPT = ("--not-candidates", "keep")  # lists hold items of the training ratings


@dataclass(frozen=True)
class Door:
    """A door: what it makes of inputs, and which of them and of their forms it takes."""

    call: Callable[..., Any]
    inputs: tuple[str, ...] = ("qrels", "a", "b")
    files: bool = False
    forms: Callable[[str], bool] = lambda form: True


def plain(value: Any) -> Any:
    """Return a value as Python has it, floats as their bits show."""
    if isinstance(value, dict):
        return {key: plain(own) for key, own in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(own) for own in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return None if np.isnan(value) else repr(value)
    return "inf" if value == "Infinity" else value  # as JSON has neither


def of_table(table: Any, *index: str) -> dict:
    """Return the rows of a table by the texts of their index."""
    rows = table.reset_index().to_dict("records")
    return {tuple(str(row.pop(name)) for name in index): plain(row) for row in rows}


def _runs(inputs: dict[str, Any]) -> dict[str, Any]:
    return {name: inputs[name] for name in ("a", "b")}


def evaluate(inputs, threshold, folder):
    table = rankassay.evaluate(
        inputs["qrels"], _runs(inputs), METRICS, threshold=threshold, per_user=True
    )
    rows = table.to_dict("records")
    return {(str(row.pop("run")), str(row.pop("user"))): plain(row) for row in rows}


def compare(inputs, threshold, folder):
    found = rankassay.compare(
        inputs["qrels"], _runs(inputs), METRICS, threshold=threshold, n_permutations=DRAWS
    )
    return _compared(found.means.to_dict("records"), found.pairs.to_dict("records"))


def _compared(means: list[dict], pairs: list[dict]) -> Any:
    """Return what was compared; the command orders systems by their means."""
    return plain([sorted(means, key=lambda row: (row["metric"], row["run"])), pairs])


def bounds(inputs, threshold, folder):
    table = rankassay.bounds(inputs["qrels"], _runs(inputs), METRICS[:2], threshold=threshold)
    return of_table(table.drop(columns="overlaps"), "run", "metric")


def sensitivity(inputs, threshold, folder):
    table = rankassay.sensitivity(
        inputs["qrels"],
        _runs(inputs),
        METRICS[:2],
        train=inputs["train"],
        threshold=threshold,
        not_candidates="keep",
    )
    return plain(table.to_dict("records"))


JUDGED = {"metrics": ["nDCG", "P"], "cutoffs": [3]}


def judge(inputs, threshold, folder):
    advice = rankassay.judge(
        inputs["qrels"],
        _runs(inputs),
        inputs["train"],
        threshold=threshold,
        references=False,
        not_candidates="keep",
        **JUDGED,
    )
    return _answer(advice.to_dict())


def _answer(found: dict) -> Any:
    """Return an answer without the settings and notes, which name files and forms."""
    kept = {name: own for name, own in found.items() if name not in ("settings", "notes")}
    return plain(json.loads(json.dumps(kept)))


def command(name: str, *words: Any) -> str:
    """Return what a command of the console prints."""
    module = importlib.import_module(f"rankassay.cli.{name}")
    parser = argparse.ArgumentParser()
    importlib.import_module("rankassay.cli.arguments").extend(parser)
    module.add_arguments(parser)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        module.run(parser.parse_args([*map(str, words)]))
    return out.getvalue()


def _words(inputs, threshold):
    return inputs["qrels"], inputs["a"], inputs["b"], "--threshold", threshold


def _floats(row: dict) -> dict:
    """Return the fields of a CSV file, numbers as they are written by Python."""
    found = {}
    for name, text in row.items():
        try:
            found[name] = plain(float(text))
        except ValueError:
            found[name] = text
    return found


def _csv(text: str, *index: str) -> dict:
    rows = [*csv.DictReader(io.StringIO(text))]
    return {tuple(row.pop(name) for name in index): _floats(row) for row in rows}


def evaluate_command(inputs, threshold, folder):
    how = ("-m", *METRICS, "--per-user", "--csv")
    return _csv(command("evaluate", *_words(inputs, threshold), *how), "run", "user")


def train_command(inputs, threshold, folder):
    how = ("--train", inputs["train"], *KEPT, "-m", WEIGHTED, "--per-user", "--csv")
    return _csv(command("evaluate", *_words(inputs, threshold), *how), "run", "user")


def compare_command(inputs, threshold, folder):
    how = ("-m", *METRICS, "--permutations", DRAWS, "--json")
    found = json.loads(command("compare", *_words(inputs, threshold), *how))
    return _compared(found["means"], found["pairs"])


def bounds_command(inputs, threshold, folder):
    text = command("bounds", *_words(inputs, threshold), "-m", *METRICS[:2], "--csv")
    found = _csv(text, "run", "metric")
    for row in found.values():
        del row["overlaps"]
    return found


def sensitivity_command(inputs, threshold, folder):
    how = ("-m", *METRICS[:2], "--train", inputs["train"], *KEPT, "--json")
    return plain(json.loads(command("sensitivity", *_words(inputs, threshold), *how)))


def plan_command(inputs, threshold, folder):
    how = ("-m", *METRICS[:2], "--difference", 0.05, "--json")
    return plain(json.loads(command("plan", *_words(inputs, threshold), *how)))


def judge_command(inputs, threshold, folder):
    how = ("-m", *JUDGED["metrics"], "--cutoffs", *JUDGED["cutoffs"], "--no-references")
    words = (*_words(inputs, threshold), "--train", inputs["train"], *KEPT, *how, "--json")
    return _answer(json.loads(command("judge", *words)))


def _prepared(inputs: dict[str, Any], source: dict, folder: Path, *names: str) -> Ratings:
    record = folder / "record.json"
    files = {key: {"path": inputs[own], "sha256": checksum(inputs[own])} for key, own in names}
    write_json(files, record)
    outputs = {"ratings": folder / "r.npz", "statistics": folder / "statistics.csv"}
    do("prepare", {"dataset": "mine", "record": record, "source": source, "seed": 1} | outputs)
    return Ratings.load(folder / "r.npz")


def workflow(inputs, threshold, folder):
    """Return users' values by `kind: qrels` with training ratings, and `systems.runs`."""
    source = completed("mine", {"kind": "qrels", "path": "q", "threshold": threshold})
    ratings = _prepared(inputs, source, folder, ("ratings", "qrels"), ("train", "train"))
    test = selected(ratings.matrix, ratings.tested)
    write_matrix(test, folder / "test.npz")
    write_matrix(sp.csr_matrix(test.shape), folder / "train.npz")
    judgements, found = Judgements.of(test, threshold), {}
    for name, path in _runs(inputs).items():
        files = {"ratings": "r.npz", "train": "train.npz", "test": "test.npz", "output": "out.npz"}
        files = {key: folder / own for key, own in files.items()} | {"run": str(path)}
        do("import_run", files | {"depth": 50, "ties": "trec", "not_candidates": "error"})
        lists = Rankings.load(folder / "out.npz")
        table = rankassay.evaluate(judgements, lists, METRICS, per_user=True)
        for row in table.to_dict("records"):
            user = str(ratings.user_ids[row.pop("user")])
            found[name, user] = plain(row)
    return found


def file_entry(inputs, threshold, folder, entry):
    """Return the ratings by `kind: file`, of which an entry says how they are read."""
    path = Path(inputs["qrels"])
    source = completed("mine", {"kind": "file", "path": path.name, "threshold": threshold} | entry)
    ratings = _prepared(inputs, source, folder, ("ratings", "qrels"))
    triples = zip(ratings.user, ratings.item, ratings.rating.tolist(), strict=True)
    users, items = ratings.user_ids.tolist(), ratings.item_ids.tolist()
    return {(users[user], items[item]): repr(rating) for user, item, rating in triples}


def trec_files(inputs, threshold, folder):
    """Return the rows by `read_qrels` and `read_run`."""
    tables = {"qrels": rankassay.read_qrels(inputs["qrels"])}
    tables |= {name: rankassay.read_run(path) for name, path in _runs(inputs).items()}
    return {name: plain(table.to_numpy(object).tolist()) for name, table in tables.items()}


ALL = ("qrels", "a", "b", "train")
PYTHON = {
    "evaluate": Door(evaluate),
    "compare": Door(compare),
    "bounds": Door(bounds),
    "sensitivity": Door(sensitivity, ALL),
    "judge": Door(judge, ALL),
}
COMMANDS = {
    "rankassay evaluate": Door(evaluate_command, files=True),
    "rankassay evaluate --train": Door(train_command, ALL, files=True),
    "rankassay compare": Door(compare_command, files=True),
    "rankassay bounds": Door(bounds_command, files=True),
    "rankassay sensitivity": Door(sensitivity_command, ALL, files=True),
    "rankassay plan": Door(plan_command, files=True),
    "rankassay judge": Door(judge_command, ALL, files=True),
}
WORKFLOW = {
    "kind: qrels, systems.runs": Door(workflow, ALL, files=True),
    "kind: file": Door(file_entry, ("qrels",), files=True),
    "read_qrels, read_run": Door(
        trec_files, files=True, forms=lambda form: form.partition(".")[0] == "trec"
    ),
}
DOORS = PYTHON | COMMANDS | WORKFLOW
# What a door is to return is what this one does of dictionaries.
SAME_AS = {
    "rankassay evaluate": "evaluate",
    "rankassay compare": "compare",
    "rankassay bounds": "bounds",
    "rankassay sensitivity": "sensitivity",
    "rankassay judge": "judge",
    "kind: qrels, systems.runs": "evaluate",
}


def takes(door: str, form: str) -> bool:
    """Whether a door takes a form: a file where it needs one, that an entry can describe."""
    own, how = DOORS[door], FORMS[form]
    described = door != "kind: file" or how.entry is not None
    return described and own.forms(form) and not (own.files and how.ending is None)


def call(door: str, inputs: dict[str, Any], threshold: float, folder: Path, form: str) -> Any:
    """Return what a door makes of inputs; `form` is that of the judgements."""
    own = DOORS[door]
    more = {"entry": FORMS[form].entry} if door == "kind: file" else {}
    return own.call({name: inputs[name] for name in own.inputs}, threshold, folder, **more)


GIVEN = {"qrels": "judgements|ratings", "train": "training", "a": "run a", "b": "run b"}


def called(name: str, form: str, inputs: dict[str, Any]) -> str:
    """Return what a refusal calls an input: a regular expression."""
    return GIVEN[name] if FORMS[form].ending is None else re.escape(str(inputs[name]))


def by_definition(content: Content, k: int = 3) -> dict[tuple[str, str], dict[str, str]]:
    """Return P@k, R@k and RR of each run and user from rows, equal scores by the greater id."""
    ratings: dict = {}
    for user, item, rating in content.qrels:
        ratings.setdefault(user, {})[item] = rating
    found = {}
    for name, rows in content.runs.items():
        for user, own in ratings.items():
            relevant = {item for item, rating in own.items() if rating >= content.threshold}
            listed = [(score, str(item), item) for u, item, score in rows if u == user]
            order = [item for _, _, item in sorted(listed, reverse=True)]
            hits = sum(item in relevant for item in order[:k])
            first = next((n for n, item in enumerate(order, 1) if item in relevant), math.inf)
            values = {"P@3": hits / k, "R@3": hits / max(len(relevant), 1), "RR": 1 / first}
            found[name, str(user)] = plain(values)
    return found

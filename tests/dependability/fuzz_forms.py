"""Draw contents, forms of each input and doors: `.../fuzz_forms.py [CASES] [SEED] [FIRST]`.

Judgements, runs and training ratings of a case are written each in a form of its own, and given to
a door. It returns what the definitions say of the rows, in plain Python, or what the same door
returns of dictionaries (or CSV files). A third of the cases has a fault in one input: it is refused
in one line that names the input and the fault. All cases run; what failed is printed with its
number and the seed, and the exit status is 1.
"""

import logging
import random
import re
import sys
import tempfile
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
import contents
import doors
import forms

from rankassay.errors import RankassayError

LETTERS = "abzAZ09éß日🎬._-+/@#%&=(){}[]*?!~^$<>'`"
MARKS = ',;|:"'  # which separate columns, or stand around them, in some forms
LEVELS = [(1, 2, 3, 4, 5), (0, 1), (0.5, 3.5, 4.5), (-1, 0, 4), (3.3, 3.2999, 5), (4, 4.00001)]
UNQUOTED = {"dat", "bars"}
SUMS = {
    prefix + name for name in ("compare", "bounds", "sensitivity") for prefix in ("", "rankassay ")
}
SORTED = ("matrix csc", "npz")  # rows stand by item, or each user's by the number of the item
READ = [*forms.FORMS]
SCORES = {
    "as drawn": lambda score: score,
    "small": lambda score: score * 1e-300,
    "large": lambda score: score * 1e300,
    "with all digits": lambda score: score / 3 + 1e-9,
    "whole": lambda score: int(score * 8),
    "beyond 2^53": lambda score: int(score * 8) + 2**60,
}


def a_name(rng, extra=""):
    """Return an id of letters that some forms may take for something else."""
    odd = ["NA", "nan", "null", "None", "0", "00", "1.0", "1e5", "-1", "True", "inf", "user", "Q0"]
    if rng.random() < 0.2:
        return rng.choice(odd)
    return "".join(rng.choices(LETTERS + extra, k=rng.randrange(1, 6)))


def content(rng):
    """Return a content and whether its ids are text."""
    numbers = np.random.default_rng(rng.randrange(2**31))
    levels = rng.choice(LEVELS)
    made = contents.drawn(
        numbers,
        n_users=rng.choice([2, 3, 5, 12, 25]),
        n_items=rng.choice([4, 9, 15]),
        levels=levels,
        ties=rng.random() < 0.3,
        missing=rng.choice([0, 0, 0.4]),
        shift=rng.choice([0, 0, -20]),
        threshold=rng.choice(levels),
    )
    change = SCORES[rng.choice([*SCORES])]
    runs = {n: [(u, i, change(s)) for u, i, s in rows] for n, rows in made.runs.items()}
    made = replace(made, runs=runs)
    if (style := rng.random()) < 0.25:
        return made, False
    if style < 0.4:
        large = rng.choice([2**31, 2**53, 2**62])
        return made.changed(lambda u: large + u, lambda i: large + i), False
    if style < 0.5:
        return made.changed(str, str), True
    extra = rng.choice(["", " ", MARKS])
    names = []
    while len(names) < 40:
        if (name := a_name(rng, extra)).strip() == name and name not in names:
            names.append(name)
    return made.changed(lambda u: names[u], lambda i: names[39 - i]), True


def shuffled(rng, made):
    """Return a content whose rows stand in another order."""

    def own(rows):
        return rng.sample(rows, len(rows))

    runs = {name: own(rows) for name, rows in made.runs.items()}
    return replace(made, qrels=own(made.qrels), runs=runs, train=own(made.train))


def form_of(rng, door, rows, value, text):
    """Return a form that a door takes and that holds rows, of ids that stay what the others are."""
    own = doors.DOORS[door]
    fits = [
        name
        for name in READ
        if doors.takes(door, name)
        and forms.FORMS[name].holds(rows, value)
        and not (set_apart(rows) and name in UNQUOTED)
        and not (door in SUMS and name in SORTED)
        and (text or own.files or forms.FORMS[name].keeps)
    ]
    return rng.choice(fits)


def set_apart(rows):
    """Whether separators of columns stand in ids, which not all forms can quote."""
    return any(mark in str(each) for row in rows for each in row[:2] for mark in MARKS)


def a_case(rng, folder):
    """Return what was given and what is wrong with the outcome, or None."""
    door = rng.choice([*doors.DOORS, "evaluate", "rankassay evaluate", "kind: file"])
    made, text = content(rng)
    name = None
    if rng.random() < 0.33 and text and all(len(rows) > 6 for rows, _ in made.inputs().values()):
        name = rng.choice(
            [n for n, f in contents.FAULTS.items() if f.input in doors.DOORS[door].inputs]
        )
        fault = contents.FAULTS[name]
        if fault.at is None and door == "read_qrels, read_run":
            return (door, name), None
        changed = fault.of(made)
    elif rng.random() < 0.3 and door not in SUMS:  # known: these depend on the order of rows
        made = shuffled(rng, made)
    using = changed if name else made
    chosen = {}
    for own, (rows, value) in using.inputs().items():
        try:
            chosen[own] = form_of(rng, door, rows, value, text)
        except IndexError:  # no form of the door holds it
            return (door, name), None
    given = (door, name, {own: chosen[own] for own in doors.DOORS[door].inputs})
    if (
        name
        and fault.input in ("a", "b")
        and "score" not in forms.FORMS[chosen[fault.input]].values
    ):
        return given, None
    inputs = forms.given(using, "dict", folder, **chosen)
    if name:
        return given, refused(door, chosen[fault.input], name, fault, made, inputs, folder)
    found = outcome(door, inputs, made.threshold, folder, chosen["qrels"])
    return given, compared(door, found, made, folder)


def outcome(door, inputs, threshold, folder, form):
    """Return what a door makes of inputs, or its refusal without the folder."""
    try:
        return doors.call(door, inputs, threshold, folder, form)
    except RankassayError as error:
        return re.sub(rf"{re.escape(str(folder))}/\w+[.\w]*", "FILE", str(error))


def refused(door, form, name, fault, made, inputs, folder):
    """Return what is wrong with the refusal of a fault; None if it is right."""
    try:
        doors.call(door, inputs, made.threshold, folder, form)
    except RankassayError as error:
        said = str(error)
        one = "\n" not in said and re.search(doors.called(fault.input, form, inputs), said)
        return None if one and re.search(fault.says, said) else f"said: {said}"
    return "taken"


def compared(door, found, made, folder):
    """Return how an outcome differs from that of the plain content."""
    if door == "kind: file":
        expected = {
            (str(u), str(i)): repr(float(np.float32(rating))) for u, i, rating in made.qrels
        }
    elif door == "read_qrels, read_run":
        expected = {
            name: [[str(u), str(i), number] for u, i, number in rows]
            for name, rows in {"qrels": made.qrels, **made.runs}.items()
        }
        if isinstance(found, dict):  # numbers are decimals where floats would tie
            found = {n: [[u, i, float(x)] for u, i, x in rows] for n, rows in found.items()}
            expected = {n: [[u, i, float(x)] for u, i, x in rows] for n, rows in expected.items()}
    else:
        base = doors.SAME_AS.get(door, door)
        form = "csv" if doors.DOORS[base].files else "dict"
        inputs = forms.given(made, form, folder)
        expected = outcome(base, inputs, made.threshold, folder, form)
        if base == "evaluate" and isinstance(expected, dict):
            plain = doors.by_definition(made)
            own = {key: {m: row[m] for m in plain[key]} for key, row in expected.items()}
            if own != plain:
                return f"the reference differs from the definitions: {first(own, plain)}"
    if door == "kind: qrels, systems.runs" and any(
        float(np.float32(r)) != r for _, _, r in made.qrels
    ):
        return None  # known: ratings are of single precision there
    if isinstance(found, str) and "which may be ranks; name the columns in a first line" in found:
        return None
    return None if said(found) == said(expected) else first(found, expected)


def said(found):
    """Return an outcome; of a refusal, what it says without what it calls the input."""
    if not isinstance(found, str):
        return found
    found = re.sub(r"^(FILE|the judgements|the run|the training ratings)( \w+)?", "", found)
    return found.replace("'", "")  # around ids that are text


def first(found, expected):
    """Return the first difference of two outcomes."""
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in [*expected, *found]:
            if found.get(key) != expected.get(key):
                return f"{key}: {found.get(key)}, expected {expected.get(key)}"
    return f"{found!s:.300}, expected {expected!s:.300}"


def fuzz(cases, seed=0, start=0):
    """Run some cases; return how many each door had, and what failed, by number."""
    counts, failed = Counter(), {}
    for case in range(start, start + cases):
        rng = random.Random(f"forms {seed} {case}")
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(action="ignore"):
            try:
                given, wrong = a_case(rng, Path(folder))
            except Exception as error:
                error.add_note(f"fuzz_forms: case {case}, seed {seed}")
                raise
        counts[given[0], "refused" if given[1] else "taken"] += 1
        if wrong:
            failed[case] = (given, wrong)
            print(f"fuzz_forms: case {case}, seed {seed}: {given}: {wrong}", flush=True)
    return counts, failed


def main(cases=500, seed=0, start=0):
    """Draw cases, and say what failed."""
    logging.disable()
    counts, failed = fuzz(cases, seed, start)
    for door in doors.DOORS:
        print(f"{door}: {counts[door, 'taken']} contents, {counts[door, 'refused']} faults")
    print(f"forms: {cases} cases, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

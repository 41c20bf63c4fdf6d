"""Every form of judgements, runs and training ratings means the same at every door.

`.ci/run fuzz` draws contents,
forms and doors in all combinations (`tests/dependability/fuzz_forms.py`).
"""

import functools
import re
import tempfile
from pathlib import Path

import contents
import doors
import forms
import pytest
from called import called
from each import each

from rankassay.errors import RankassayError

CONTENTS = contents.contents()
# A form for each reader, for doors that hand all inputs to the same ones as `evaluate`.
SOME = ("dict", "frame", "triples", "trec", "csv", "json", "jsonl", "parquet", "csv.gz")
FIVE = ("dict", "trec", "csv", "json", "parquet")
MOST = ("text", "ids like numbers", "ties")
# What the contents differ in is read before the door, so that few of them do for the others.
FEW = {
    "rankassay evaluate": ("text",),
    "rankassay evaluate --train": ("large ids",),
    "kind: qrels, systems.runs": ("text",),
    "kind: file": ("text", "halves", "large ids"),
    "read_qrels, read_run": ("ids like numbers", "negative scores"),
}
READ_ALL = ("evaluate", "kind: file", "read_qrels, read_run")


def cases():
    """Yield each door and form."""
    for door in doors.DOORS:
        for form in forms.FORMS:
            if not doors.takes(door, form) or not (door in READ_ALL or form in SOME):
                continue
            yield pytest.param(door, form, id=f"{door}-{form}")


def outcome(door, content, form, folder):
    """Return what a door makes of a content in a form, or how it refuses it."""
    inputs = forms.given(content, form, folder)
    try:
        return doors.call(door, inputs, content.threshold, folder, form)
    except RankassayError as error:
        said = str(error).replace(f"{folder}/", "")
        for name, place in zip(inputs, ("the judgements", "run a", "run b"), strict=False):
            said = said.replace(Path(str(inputs[name])).name, place)
        return said


@functools.cache
def expected(door, name):
    """Return what a door has to make of a content in any form."""
    content = CONTENTS[name]
    if door == "kind: file":
        return {(str(u), str(i)): repr(rating) for u, i, rating in content.qrels}
    if door == "read_qrels, read_run":
        tables = {"qrels": content.qrels, **content.runs}
        return {
            key: [[str(u), str(i), repr(number)] for u, i, number in rows]
            for key, rows in tables.items()
        }
    door = doors.SAME_AS.get(door, door)
    with tempfile.TemporaryDirectory() as folder:
        form = "csv" if doors.DOORS[door].files else "dict"
        return outcome(door, content, form, Path(folder))


@pytest.mark.parametrize(("door", "form"), [*cases()])
def test_all_forms_of_a_content_give_the_same_values(door, form, tmp_path):
    names = FEW.get(door, ("whole numbers",))
    if door == "evaluate":
        names = [*CONTENTS] if form in SOME else MOST
    held = 0
    for name in ("whole numbers", *names) if form == "npz" else names:
        if forms.holds(CONTENTS[name], form):
            held += 1
            assert outcome(door, CONTENTS[name], form, tmp_path) == expected(door, name), name
    assert held or "names" in forms.FORMS[form].lacks or "blanks" in forms.FORMS[form].lacks


@pytest.mark.parametrize("name", CONTENTS)
def test_the_values_are_those_of_the_definitions(name):
    """What all forms are compared with, from the rows in plain Python."""
    content = CONTENTS[name]
    found = expected("evaluate", name)
    plain = doors.by_definition(content)
    assert {key: {m: own[m] for m in plain[key]} for key, own in found.items()} == plain


SPACED = {"dict", "frame", "triples", "csv", "csv quoted", "tsv", "json", "jsonl", "parquet"}


@pytest.mark.parametrize("door", ["evaluate", "compare", "rankassay evaluate --train"])
@pytest.mark.parametrize("form", sorted(SPACED))
def test_blanks_around_ids_are_left_out_of_all_forms(door, form, tmp_path):
    """As a database pads ids: judgements and runs come from it in different forms."""
    if not doors.takes(door, form):
        pytest.skip("no file")
    content = CONTENTS["text"]
    padded = content.changed(lambda user: f" {user}", lambda item: item.ljust(4))
    given = forms.given(padded, form, tmp_path, qrels="csv")
    assert doors.call(door, given, content.threshold, tmp_path, "csv") == expected(door, "text")


def faults():
    """Yield each door, form and fault."""
    for door in ("evaluate", *FAULTY):
        for form, own in forms.FORMS.items():
            some = form in FIVE or (door == "evaluate" and not form.endswith((*forms.PACKED,)))
            if not (some and doors.takes(door, form)):
                continue
            for name, fault in contents.FAULTS.items():
                if not _held(fault, own) or not _found(door, fault):
                    continue
                yield pytest.param(door, form, name, id=f"{door}-{form}-{name}")


FAULTY = (
    *("rankassay evaluate --train", "judge", "compare", "rankassay plan"),
    *("kind: qrels, systems.runs", "kind: file", "read_qrels, read_run"),
)


def _found(door, fault):
    """Whether a door has the input of a fault, and could find it."""
    alone = door == "read_qrels, read_run" and fault.at is None
    return fault.input in doors.DOORS[door].inputs and not alone


def _held(fault, form):
    content = fault.of(CONTENTS["text"])
    rows, value = content.inputs()[fault.input]
    return value in form.values and form.holds(rows, value)


@pytest.mark.parametrize("form", forms.FORMS)
@each(("door", "of", "name"), [*faults()])
def test_all_forms_of_a_fault_are_refused_and_named(door, of, name, form, tmp_path):
    if of != form:
        return
    fault, own = contents.FAULTS[name], forms.FORMS[form]
    content = fault.of(CONTENTS["text"])
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    inputs = forms.given(content, form, folder)
    with pytest.raises(RankassayError) as error:
        doors.call(door, inputs, content.threshold, folder, form)
    said = str(error.value)
    assert "\n" not in said
    assert re.search(doors.called(fault.input, form, inputs), said)
    assert re.search(fault.says, said)
    if fault.at is not None:
        user, item, _ = content.inputs()[fault.input][0][fault.at]
        at = {"at": fault.at, "first": fault.at + 1, "second": fault.at + 2}
        assert re.search(own.place.format(user=user, item=item, **at), said)
        if own.ending is None and (row := re.search(r"row (\d+)", said)):
            assert int(row[1]) == fault.at


@pytest.mark.parametrize("command", doors.COMMANDS)
def test_a_command_refuses_in_one_line(command, tmp_path):
    content = contents.FAULTS["a rating that is text"].of(CONTENTS["text"])
    files = [Path(path).name for path in forms.given(content, "csv", tmp_path).values()]
    qrels, train, *runs = files
    name = command.split()[1]
    more = ["--train", train] if "train" in doors.COMMANDS[command].inputs else []
    done = called(tmp_path, name, qrels, *runs, *more)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"rankassay {name}: {qrels}, line 6: expected a number as rating, found")


@pytest.mark.parametrize("numbered", ["dict", "frame", "matrix csr", "triples"])
@pytest.mark.parametrize("text", ["trec", "csv", "json", "parquet"])
def test_numbers_as_ids_do_not_match_those_of_files_and_are_refused(numbered, text, tmp_path):
    content = CONTENTS["whole numbers"]
    for one, other in ((numbered, text), (text, numbered)):
        inputs = forms.given(content, one, tmp_path, a=other, b=other)
        with pytest.raises(RankassayError, match="give both the same ids, of the same type"):
            doors.call("evaluate", inputs, content.threshold, tmp_path, one)

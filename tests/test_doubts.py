"""What files look like that may mean two things, at every door: what is to happen with each.

A doubt changes the texts of plain files. It gives the values of the plain ones, or is refused in
one line that says what settles it. What fails today is marked, with its doors: whoever mends it
takes the mark away. trec_eval decides for its own files (its sources, version 10).
"""

import functools
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import contents
import doors
import forms
import pytest

from rankassay.errors import RankassayError

QRELS = [("u1", "i1", 5), ("u1", "i2", 2), ("u2", "i1", 4), ("u2", "i3", 1)]
RUNS = {
    "a": [("u1", "i1", 3.5), ("u1", "i2", 2.5), ("u2", "i3", 3.5), ("u2", "i1", 1.5)],
    "b": [("u1", "i2", 3.5), ("u1", "i1", 2.5), ("u2", "i1", 3.5), ("u2", "i3", 1.5)],
}
TRAIN = [("u1", "i3", 3), ("u2", "i2", 4), ("u3", "i1", 2), ("u3", "i3", 2), ("u4", "i3", 1)]
PLAIN = contents.Content(QRELS, RUNS, TRAIN)
INPUTS = PLAIN.inputs()
CSV, TREC = (
    {name: make(*own) for name, own in INPUTS.items()} for make in (forms.delimited, forms.trec)
)
BARE = {name: text.partition("\n")[2] for name, text in CSV.items()}
NUMBERED = {name: re.sub(r"\b[ui](?=\d)", "", text) for name, text in CSV.items()}
FILE, WORKFLOW, TRAINED = "kind: file", "kind: qrels, systems.runs", "rankassay evaluate --train"
DOORS = ("evaluate", WORKFLOW)
TRECS = (*DOORS, "read_qrels, read_run")
SAME = "the values of the plain files"


@dataclass(frozen=True)
class Doubt:
    """Texts that differ from plain files, and what is to happen at some doors.

    Attributes
    ----------
    texts : mapping from inputs to texts or bytes
        Of the others, `plain` has them.
    doors : tuple of str
    settled : str or None
        A regular expression of a refusal that is right, too; None where there is to be none.
    why : str or None
        How it fails today; None where it does not.
    plain : mapping or None
        The plain texts; those of a CSV file with names if not given.
    entry : mapping or None
        What `kind: file` says of the texts.
    """

    texts: dict
    doors: tuple[str, ...]
    settled: str | None = None
    why: str | None = "refused"
    plain: dict | None = None
    entry: dict | None = None


def every_other(text, change):
    lines = text.splitlines()
    return "".join(f"{change(line) if n % 2 else line}\n" for n, line in enumerate(lines))


def behind(line):
    return line.replace(",", ", ")


def items(line):
    """Return a line with a blank before the item alone."""
    user, comma, rest = line.partition(",")
    return f"{user}{comma} {rest}"


def with_tag(text, tag):
    return text.replace(" tag\n", f" {tag}\n")


def fourth(text, numbers, separator):
    """Return rows with a fourth part behind their rating."""
    rows = [line.split(",") for line in text.splitlines()]
    return "".join(
        f"{separator.join([*row, str(number)])}\n"
        for row, number in zip(rows, numbers, strict=True)
    )


DOUBTS = {}
for _input in ("qrels", "a", "train"):
    _doors = {"qrels": (*DOORS, FILE), "a": DOORS, "train": (TRAINED, "sensitivity")}
    for _name, _text in {
        "behind all commas": behind(CSV[_input]),
        "before all commas": CSV[_input].replace(",", " ,"),
        "behind commas, without names": behind(BARE[_input]),
        "on every other line": every_other(CSV[_input], behind),
        "before every other item": every_other(CSV[_input], items),
        "before every other user": every_other(CSV[_input], lambda line: f" {line}"),
        "behind tabs": CSV[_input].replace(",", "\t "),
    }.items():
        _entry = {"separator": "\t"} if "tabs" in _name else {}
        _entry = forms.NO_NAMES if "without names" in _name else _entry
        DOUBTS[f"blanks {_name} of {_input}"] = Doubt(
            {_input: _text}, _doors[_input], entry=_entry, why=None
        )
    DOUBTS[f"quoted blanks of {_input}"] = Doubt(
        {_input: re.sub(r"(?m)^(\w+),(i\d)", r'\1," \2"', CSV[_input])},
        _doors[_input],
        settled="blank",
        why=None,
    )
    DOUBTS[f"quotes behind blanks of {_input}"] = Doubt(
        {_input: re.sub(r"(?m)^(\w+),(i\d)", r'\1, "\2"', CSV[_input])},
        _doors[_input],
        why=None,
    )
for _separator, _name in ((",", "commas"), ("\t", "tabs"), (" ", "blanks"), ("::", "colons")):
    for _numbers, _kind in (
        ((881250949, 881250950, 881250951, 881250952), "times"),
        ((1, 2, 3, 4), "small numbers"),
        ((1, 1, 1, 1), "one number"),
    ):
        DOUBTS[f"four parts with {_kind} and {_name}"] = Doubt(
            {"qrels": fourth(BARE["qrels"], _numbers, _separator)},
            DOORS,
            settled="user item rating timestamp",
            why="taken for TREC qrels",
        )
FEW_ITEMS = CSV | {"qrels": "user,item,rating\nu1,i1,5\nu1,i2,2\nu2,i1,4\n"}
for _separator, _name in ((",", "commas"), ("\t", "tabs"), (" ", "blanks")):
    DOUBTS[f"four parts of two items and {_name}"] = Doubt(
        {"qrels": fourth(FEW_ITEMS["qrels"].partition("\n")[2], (1, 2, 3), _separator)},
        DOORS,
        settled="user item rating timestamp",
        why="taken for TREC qrels",
        plain=FEW_ITEMS,
    )
for _user in ("all", "Avg", "mean"):
    for _input, _doors in {
        "qrels": (*DOORS, FILE),
        "a": DOORS,
        "train": (TRAINED, "sensitivity"),
    }.items():
        DOUBTS[f"a row of {_user} in {_input}"] = Doubt(
            {_input: f"{CSV[_input]}{_user},i1,5\n"}, _doors, settled=f"{_user}.*mean"
        )
    DOUBTS[f"a line of {_user} in qrels"] = Doubt(
        {"qrels": f"{TREC['qrels']}{_user} 0 i1 5\n"},
        TRECS,
        settled=f"{_user}.*mean",
        plain=TREC,
    )
DOUBTS |= {
    "ids like 7.0 in judgements": Doubt(
        {"qrels": re.sub(r"(?m)^(\d+),(\d+)", r"\1,\2.0", NUMBERED["qrels"])},
        DOORS,
        settled=r"\.0",
        plain=NUMBERED,
        why=None,
    ),
    "ids like 7.0 in training": Doubt(
        {"train": re.sub(r"(?m)^(\d+),(\d+)", r"\1,\2.0", NUMBERED["train"])},
        (TRAINED, "sensitivity"),
        settled=r"\.0",
        plain=NUMBERED,
        why=None,
    ),
    "a comment in qrels": Doubt({"qrels": f"# by me\n{TREC['qrels']}"}, TRECS, plain=TREC),
    "a comment of one word in qrels": Doubt(
        {"qrels": f"#qrels\n{TREC['qrels']}"}, TRECS, plain=TREC
    ),
    "a comment of six words in a run": Doubt(
        {"a": f"# made by BM25 on Monday\n{TREC['a']}"}, TRECS, plain=TREC
    ),
    "a comment within a run": Doubt(
        {"a": TREC["a"].replace("u2", "# here is\nu2", 1)}, TRECS, plain=TREC
    ),
    "names behind a # and a blank, as numpy writes them": Doubt(
        {"qrels": f"# {CSV['qrels']}".replace(",", " "), "a": f"# {CSV['a']}".replace(",", " ")},
        (*DOORS, FILE),
        entry={"separator": "whitespace", "header": True},
        why=None,
    ),
    "names of more columns behind a # and a blank": Doubt(
        {"qrels": "# user item rating time\n" + fourth(BARE["qrels"], (7, 8, 9, 9), " ")},
        (FILE,),
        entry={"separator": "whitespace", "header": True},
        why=None,
    ),
    "names behind a # and commas": Doubt({"qrels": f"#{CSV['qrels']}"}, DOORS, why=None),
    "several blanks in qrels": Doubt(
        {"qrels": TREC["qrels"].replace(" ", "   ")}, TRECS, plain=TREC
    ),
    "blanks around the lines of a run": Doubt(
        {"a": "".join(f"  {line} \n" for line in TREC["a"].splitlines())}, TRECS, plain=TREC
    ),
    "several blanks under names": Doubt({"qrels": CSV["qrels"].replace(",", "   ")}, DOORS),
    "blanks on every other line of a run that is compared": Doubt(
        {"a": every_other(CSV["a"], behind)},
        ("compare", "rankassay compare", "bounds", "rankassay plan", "rankassay judge"),
        why=None,
    ),
    "three parts between blanks in judgements": Doubt(
        {"qrels": BARE["qrels"].replace(",", " ")}, DOORS
    ),
    "three parts between blanks in a run": Doubt({"a": BARE["a"].replace(",", "  ")}, DOORS),
    "text behind the tag": Doubt({"a": with_tag(TREC["a"], "tag of my run")}, TRECS, plain=TREC),
    "text behind some tags": Doubt(
        {"a": every_other(TREC["a"], lambda line: f"{line} old")}, TRECS, plain=TREC
    ),
    "several tags": Doubt(
        {"a": re.sub(r"(?m)^(u2.*) tag$", r"\1 other", TREC["a"])},
        TRECS,
        plain=TREC,
    ),
}


def written(doubt, texts, folder):
    """Return the paths of all inputs."""
    texts = (CSV if doubt.plain is None else doubt.plain) | texts
    for name, text in texts.items():
        path = folder / f"{name}.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return {name: str(folder / f"{name}.txt") for name in texts}


def given(door, doubt, texts, folder):
    """Return what a door makes of texts."""
    own = doors.DOORS[door]
    inputs = written(doubt, texts, folder)
    more = {}
    if door == FILE:
        more["entry"] = {"separator": ","} | ((doubt.entry if texts else None) or {})
    return own.call({name: inputs[name] for name in own.inputs}, 4, folder, **more)


# What is right today already.
SOUND = {
    "several blanks in qrels": TRECS,
    "blanks around the lines of a run": TRECS,
    "several blanks under names": DOORS,
}
SOUND |= {
    name: doubt.doors
    for name, doubt in DOUBTS.items()
    if name.startswith(("four parts", "a row of", "a line of"))
}
SOUND |= {name: TRECS for name in DOUBTS if re.match("a comment|text behind|several tags", name)}


def cases():
    """Yield each doubt at each of its doors, with the mark of what fails today."""
    for name, doubt in DOUBTS.items():
        for door in doubt.doors:
            mark = pytest.mark.xfail(reason=doubt.why, strict=True)
            sound = doubt.why is None or door in SOUND.get(name, ())
            marks = [] if sound else [mark]
            yield pytest.param(door, name, marks=marks, id=f"{name}-{door}")


def outcome(call):
    """Return what a call returns, and how it refuses."""
    try:
        return call(), ""
    except RankassayError as error:
        return None, str(error)


PLAINS = {"csv": CSV, "trec": TREC, "numbered": NUMBERED, "few items": FEW_ITEMS}


@functools.cache
def plain_values(door, name):
    with tempfile.TemporaryDirectory() as folder:
        return given(door, Doubt({}, (), plain=PLAINS[name]), {}, Path(folder))


@pytest.mark.parametrize(("door", "name"), [*cases()])
def test_a_doubt_gives_the_values_of_plain_files_or_says_what_settles_it(
    door, name, tmp_path, caplog
):
    doubt = DOUBTS[name]
    texts = CSV if doubt.plain is None else doubt.plain
    expected = plain_values(door, next(name for name, own in PLAINS.items() if own is texts))
    caplog.clear()
    found, said = outcome(lambda: given(door, doubt, doubt.texts, tmp_path))
    if said and doubt.settled is not None:
        assert re.search(doubt.settled, said)
        assert "\n" not in said
    else:
        assert (said, found) == ("", expected)
    warned = {one.getMessage() for one in caplog.records if one.levelname == "WARNING"}
    assert sum(f"{tmp_path}/" in message for message in warned) <= 1

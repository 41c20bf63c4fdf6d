"""Entries of the dataset catalogue: their defaults, their files and, of values, their measures."""

import glob
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rankassay.data.readers import FORMS, form_of, unpacked
from rankassay.errors import RankassayError
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.names import canonical, parts, unknown_metric

SEPARATORS = {".csv": ",", ".tsv": "\t"}
# Endings of files of runs and of results; another is part of the name.
ENDINGS = re.compile(
    r"\.(runs?|te?xt|[ct]sv|tab|jsonl?|ndjson|parquet|pq|trec|res(ults?)?|out|evals?|dat|data"
    r"|npz|inter|test|recs?|preds?|li?st|log)$",
    re.IGNORECASE,
)
ESCAPED = {"\\t": "\t", "\\s+": "whitespace"}  # spellings of separators, as in pandas
COLUMNS = {"user": "user", "item": "item", "rating": "rating"}
PROPENSITY_COLUMNS = {"user": "user", "item": "item", "propensity": "propensity"}
SET_ASIDE, AS_PUBLISHED, SEPARATE = "set-aside", "as-published", "separate"  # designs of truths
SHARES = {True: 1 / 4, False: 1 / 2}  # of observable judgements set aside, with and without flags
IMPLICIT = "implicit"  # feedback that is no rating
ATTRIBUTES = ("user_attributes", "item_attributes")
# Groups made from training ratings, in addition to those from attributes, by what is grouped.
MADE = {"user_attributes": ("activity",), "item_attributes": ("popularity", "popularity-classes")}
DESCRIBED = ("aspects", *ATTRIBUTES)  # files besides the ratings that have their own reader
BESIDE = (*DESCRIBED, "truth", "propensities")  # files that may lie next to that of the ratings
# How the ratings are read; so are the judgements of random items, if they do not say otherwise.
LINES = ("separator", "header", "encoding", "blanks", "columns")
SHAPE = ("format", "lead", *LINES, "timestamp_format")  # of judgements without a split
RULES = ("timestamp_format", "rating_divisor", "decimals", "scale", "missing_user")


def completed(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a valid entry of the catalogue with the defaults that it left out.

    >>> completed("mine", {"kind": "file", "path": "mine.csv", "threshold": 4})["header"]
    True
    """
    # A null says the same as a key that is not there.
    entry = {key: _meant(key, value) for key, value in entry.items() if value is not None}
    entry = {"label": name} | entry
    if entry["kind"] == "scores":
        return {"absent": "error", "own": {}} | entry
    if entry["kind"] != "file":
        return entry
    if is_implicit(entry):
        entry = {"feedback": IMPLICIT, "threshold": 1} | entry
    entry = {"format": format_of(entry), "duplicates": "error"} | entry
    _complete(entry, entry.get("path", ""), COLUMNS)
    for part in DESCRIBED:
        if part in entry:
            described = {key: entry[key] for key in ("blanks",) if key in entry} | entry[part]
            if part == "aspects":
                columns = (described["item"], described.get("labels"))
            else:
                own = described["attributes"].values()
                columns = (described["id"], *(each["column"] for each in own))
            _separate(described, file_of(entry, part) or "", columns)
            entry[part] = described
    for part, columns in (("truth", COLUMNS), ("propensities", PROPENSITY_COLUMNS)):
        file = file_of(entry, part)
        if file:
            entry[part] = _reading_of_companion(entry, part, file, columns)
    if entry.get("truth"):
        entry["truth"] = _truth(entry["truth"], bool(file_of(entry, "truth")))
    return entry


def _truth(described: Mapping[str, Any], separate: bool) -> dict[str, Any]:
    """Return the description of judgements of random items, with its defaults."""
    found = {"discovery": "as-is", "unknown": "error" if separate else "skip"}
    found |= {"design": SEPARATE if separate else SET_ASIDE}
    found |= {key: value for key, value in described.items() if value is not None}
    if found["design"] == SET_ASIDE:
        found.setdefault("set_aside", SHARES["known" in found])
    return found


def _meant(key: str, value: Any) -> Any:
    """Return a value whose separators are unescaped, as YAML does not within single quotes."""
    if isinstance(value, Mapping):
        return {own: _meant(own, each) for own, each in value.items()}
    escaped = key in ("separator", "label_separator") and isinstance(value, str)
    return ESCAPED.get(value, value) if escaped else value


def shaped(described: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return how a file with a description is read, with the defaults of the rest.

    >>> shaped({"columns": {"user": 0, "item": 1, "rating": 2}}, "test.csv")["separator"]
    ','
    """
    found = {"format": format_of({"path": path, **described})} | described
    _complete(found, path, COLUMNS)
    return found


def format_of(entry: Mapping[str, Any]) -> str:
    """Return the format of an entry's ratings: the one given, or that of the file's name.

    >>> format_of({"path": "plays.parquet"}), format_of({"files": {"ratings": "u.data"}})
    ('parquet', 'delimited')
    """
    name = (entry.get("files") or {}).get("ratings") or entry.get("path", "")
    return entry.get("format") or form_of(ending(name))


def feedback_of(entry: Mapping[str, Any]) -> str:
    """Return "explicit" or "implicit", the feedback of an entry: as given, or by its keys.

    >>> feedback_of({"columns": {"user": 0, "item": 1, "rating": None}}), feedback_of({})
    ('implicit', 'explicit')
    """
    counted = entry.get("duplicates") in ("count", "sum")
    usual = IMPLICIT if counted or has_ones(entry) else "explicit"
    return entry.get("feedback") or usual


def format_beside(form: str, part: str, file: str) -> str:
    """Return the default format of a file next to ratings: theirs, if it can have it."""
    told = form_of(ending(file), "")
    if told and part == "truth":
        return told
    separated = FORMS[form].ending and ending(file) in SEPARATORS
    named = part == "propensities" and FORMS[form].named
    return "delimited" if named or separated else form


def is_implicit(entry: Mapping[str, Any]) -> bool:
    """Return whether an entry has implicit feedback: whether or how often items were used.

    Where `feedback` is not given these are lines without rating, and lines that are counted or
    added up.

    >>> is_implicit({"kind": "file", "columns": {"user": 0, "item": 1, "rating": None}})
    True
    """
    if entry.get("feedback"):
        return entry["feedback"] == IMPLICIT
    return entry.get("kind", "file") == "file" and feedback_of(entry) == IMPLICIT


def has_ones(entry: Mapping[str, Any]) -> bool:
    """Return whether every line of a file counts 1, as there are no ratings."""
    columns = entry.get("columns") or {"rating": "rating"}
    return entry.get("format") == "lists" or columns.get("rating") is None


def file_of(entry: Mapping[str, Any], part: str) -> str | None:
    """Return the name of a file next to that of the ratings, if an entry has it."""
    return entry.get(f"{part}_path") or (entry.get("files") or {}).get(part)


def run_name(path: str) -> str:
    """Return the name of a run's system, that of its file without folder and ending.

    What is no ending of files is part of the name: TREC keeps runs as `input.<name>`.

    >>> run_name("runs/als-64.run.gz"), run_name("a.csv.xz"), run_name("input.bm25")
    ('als-64', 'a', 'input.bm25')
    """
    file = unpacked(Path(path).name)
    return ENDINGS.sub("", file) or file


def named_runs(paths: Sequence[str]) -> dict[str, str]:
    """Return the runs by their names: those of the files, or the paths where these are alike."""
    for path in paths:
        if paths.count(path) > 1:
            raise RankassayError(f"expected different runs, found {path} twice; name each once.")
    found = {run_name(path): path for path in paths}
    return found if len(found) == len(paths) else {path: path for path in paths}


def ending(path: str) -> str:
    """Return the ending of a file's name; where it is packed, of the file in it.

    >>> ending("a.csv.gz"), ending("ratings")
    ('.csv', '.ratings')
    """
    return "." + unpacked(str(path)).rpartition(".")[2]


def _reading_of_companion(
    entry: Mapping[str, Any], part: str, file: str, columns: Mapping[str, str]
) -> dict[str, Any]:
    """Return how a file of judgements or propensities is read: as the ratings, if not otherwise."""
    own = {key: value for key, value in (entry.get(part) or {}).items() if value is not None}
    if ending(file) in SEPARATORS:
        own.setdefault("separator", SEPARATORS[ending(file)])
    usual = format_beside(entry["format"], part, file)
    same = own.setdefault("format", usual) == entry["format"]
    inherited = [key for key in LINES if same and (key != "columns" or columns is COLUMNS)]
    inherited += ["blanks"]
    inherited += [key for key in RULES if part == "truth"]
    own = {key: entry[key] for key in inherited if key in entry} | own
    _complete(own, file, columns)
    return own


def _complete(described: dict[str, Any], path: str, columns: Mapping[str, str]) -> None:
    """Set the defaults of how a file is read."""
    if described["format"] in ("lists", "matrix"):
        described.setdefault("separator", "whitespace")
        return
    described.setdefault("columns", columns)
    if described["format"] == "delimited":
        _separate(described, path, described["columns"].values())


def _separate(described: dict[str, Any], path: str, columns: Iterable[Any]) -> None:
    """Set the separator and the header of a file in columns, if they were left out."""
    if described.get("separator") is None and ending(path) in SEPARATORS:
        described["separator"] = SEPARATORS[ending(path)]
    if any(isinstance(column, str) for column in columns):
        described.setdefault("header", True)


def measure_of(name: str, own: Mapping[str, str]) -> str:
    """Return the measure that a table of values names: ours, or one of the user's own.

    >>> measure_of("recip_rank", {}), measure_of("P_10", {}), measure_of("clicks@5", {"clicks": ""})
    ('RR', 'P@10', 'own:clicks@5')
    """
    found = parts(name)
    bare, plain, cutoff = found or (name, None, None)
    if bare in own and not plain:
        return f"own:{bare}" + (f"@{cutoff}" if cutoff else "")
    if bare not in METRICS:
        said = str(unknown_metric(name)).removesuffix(".")
        raise RankassayError(
            f"{said}; or, if it is another metric, write own: {{{bare}: higher}}, or lower, by "
            "which of its values is the better one."
        )
    return canonical(name)


def measures_of(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the measures of a dataset of scores by the names that its entry has for them."""
    own = entry.get("own") or {}
    found: dict[str, str] = {}
    for name in entry.get("tables") or entry.get("measures") or ():
        measure = measure_of(name, own)
        if measure in found.values():
            raise RankassayError(f"expected each metric once, found '{name}', which is {measure}.")
        found[name] = measure
    for name in own:
        if canonical(name) in METRICS:
            raise RankassayError(
                f"own: '{name}' is the metric {canonical(name)}, which is known; leave it out, or "
                "give it another name."
            )
    return found


def score_files(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a dataset of scores, by kind: a metric, a table or a system."""
    if entry.get("tables"):
        return dict(entry["tables"])
    if entry.get("table"):
        return {"table": entry["table"]}
    found: dict[str, str] = {}
    for path in sorted(filter(lambda path: Path(path).is_file(), glob.glob(entry["results"]))):
        other = found.setdefault(run_name(path), path)
        if other != path:
            raise RankassayError(
                f"the files {other} and {path} name the same system, '{run_name(path)}'; rename "
                "one of them."
            )
    if not found:
        raise RankassayError(
            f"expected files that fit '{entry['results']}', found none in {Path().absolute()}."
        )
    return found

"""Claims as data: the content of a file of claims, before anything is measured."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from rankassay.artifacts import yaml_files
from rankassay.artifacts.explain import checked
from rankassay.claims.conditions import (
    MARK,
    NOT_ASKED,
    NOT_TESTABLE,
    OURS,
    REPRODUCED,
    Condition,
    predicate,
)
from rankassay.errors import RankassayError, listed, one_of
from rankassay.metrics.catalogue import label

# The first columns of a claim's row.
HEAD = ("id", "sentence", "says", "said_in", "source", "where", "claim", "kind", "why")
SOURCES = ("paper", OURS)
KINDS = ("finding", "fact")
# What decides a sentence of several rows: one number that is made of all of them, or one of them.
SHARE, LEAST, DISTANCE = STATISTICS = ("share", "least", "distance")
Citation = Annotated[str, Field(pattern=r"\S", description="A short citation.")]
Id = Annotated[str, Field(pattern=f"^[^{MARK}]+$", description="A name without a colon.")]
Values = Annotated[list[str | int | float], Field(min_length=1)]


class Part(BaseModel):
    """A part of a file of claims: these keys and no others, of these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Number(Part):
    """The number that a claim is about, or that is subtracted: see `rankassay.claims.measure`."""

    table: str
    rows: dict = {}
    along: str = ""
    reduce: str = "only"
    minus: "Number" = Field(None)
    times: int | float = 1


class Claim(Part):
    """A claim, see `read`."""

    id: Id
    where: str
    claim: str
    datasets: list[str] | dict[str, Any] = Field(
        description="A list, or the published number of each."
    )
    value: Number
    holds: dict
    for_: dict[Any, Values] = Field({}, alias="for")
    kind: Literal[KINDS] = "finding"
    why: str = ""
    sentence: str = ""
    paper: str = ""
    source: Literal[SOURCES] = "paper"


class Sentence(Part):
    """The entry of a sentence of a paper."""

    where: str
    says: str
    decided_by: str = SHARE


class File(Part):
    """A file of claims, see `read`."""

    paper: Citation = "-"
    sentences: dict[Any, Sentence] = {}
    bounds: dict[Any, str] = {}
    rows: dict[Any, dict] = {}
    claims: list[dict]
    not_rows: list[dict] = []


def read(path: str | Path) -> list[dict]:
    """Return the claims of a file (YAML), expanded; raises RankassayError for invalid ones.

    The file is a list of claims, or a mapping with `claims` and, by choice, `paper` (its short
    citation), `sentences` (of the paper, each with where and says, by names that claims use, and
    decided_by, where it is not the share of its rows), `bounds` (rules by which bounds are chosen,
    by name), `rows` (of which rows of a table a number is made that is made of several, where the
    claim does not say: a run without one of them is not asked) and `not_rows` (sentences of the
    paper that are no claim here, and why). A claim has

    id, where (in the paper), claim (in words)
    datasets : a list, or the published number of each
    value : see `rankassay.claims.measure.measure`
    holds : above, below, at_least or at_most a bound, with a margin, or near the published number,
        within so much, or such a share of it if relative; see `rankassay.claims.conditions`

    and may have

    for : values by name; the claim is made once for each, which stands where {name} stands
    kind : finding, or fact (of the data: it says nothing of metrics)
    why : why the bound and the margin are what they are, in words or the name of a rule
    sentence : which of `sentences` it is a row of; if not given, the id without {name}, whose words
        are the claim's own
    paper : the short citation of its paper, where it is another than the file's
    source : paper, or `ours` for a question of the project or the user; if not given, paper where
        the file or the claim names one

    A sentence of several rows is decided by one number: the `share` of its rows that hold, the
    `least` lead of any of them, or their `distance` from the published numbers, in margins (see
    `rankassay.claims.judge`), or by one of its rows, by its id.

    What is returned has source as readers see it, "<paper>, <where>" or "ours"; `says`, `said_in`
    and `decided_by`, the words, the place and the statistic of the sentence.
    """
    content = _content(path)
    for number, claim in enumerate(content["claims"], start=1):
        _check(f"{path}: claim {claim.get('id', number)}", claim)
    try:
        claims = expand(content["claims"], content.get("paper", ""), content.get("sentences", {}))
    except RankassayError as error:
        raise RankassayError(f"{path}: {error}") from None
    for claim in claims:
        filled = {key: claim[key] for key in claim if key in {*Claim.model_fields} - {"source"}}
        _check(f"{path}: claim {claim['id']}", filled)  # of the text in place of {name}
        claim["value"] = _of_rows(claim["value"], content.get("rows", {}))
        numbers = claim["datasets"].values()
        if "near" in claim["holds"] and not all(map(_is_number, numbers)):
            raise RankassayError(
                f"{path}: claim {claim['id']}: near needs the published number of each dataset."
            )
    rules = content.get("bounds", {})
    for claim in claims:
        place, why = f"{path}: claim {claim['id']}:", claim["why"]
        if why and " " not in why:
            one_of(f"rule of {place}", why, [*rules])
        claim["why"] = " ".join(rules.get(why, why).split())
    _check_deciding(str(path), claims)
    return claims


def _check(place: str, claim: dict) -> None:
    """Raise RankassayError for a key that is missing, unknown or of another kind."""
    checked(Claim, claim, place)
    predicate(place, claim["holds"])
    published = claim["datasets"] if isinstance(claim["datasets"], dict) else {}
    tables = {dataset: own for dataset, own in published.items() if isinstance(own, dict)}
    for name, values in claim.get("for", {}).items():
        for dataset, numbers in tables.items():
            if missing := [value for value in values if value not in numbers]:
                raise RankassayError(
                    f"{place}: datasets: {dataset}: no number for {name} {missing[0]!r}."
                )


def _check_deciding(path: str, claims: list[dict]) -> None:
    """Raise RankassayError for a sentence that is decided by what cannot decide it."""
    for claim in claims:
        name, own = claim["decided_by"], [c for c in claims if c["sentence"] == claim["sentence"]]
        place = f"{path}: sentence {claim['sentence']}: decided_by:"
        if name not in STATISTICS:
            ids = {other["id"]: other for other in own}
            one_of(f"statistic or id of {place}", name, [*STATISTICS, *ids])
            if missing := {*claim["datasets"]} - {*ids[name]["datasets"]}:
                raise RankassayError(
                    f"{place} {name} says nothing about {listed(sorted(missing))}; name a row that "
                    f"is about all datasets of the sentence, or one of {listed([*STATISTICS])}."
                )
        if name == DISTANCE and any("near" not in other["holds"] for other in own):
            raise RankassayError(f"{place} the rows of a distance are all near published numbers.")
        for published in claim["datasets"].values() if name in (LEAST, DISTANCE) else ():
            if not Condition.of(place, claim["holds"], published).margin > 0:
                raise RankassayError(
                    f"{place} {name} is measured in margins: give claim {claim['id']} a margin "
                    "above 0."
                )


def _of_rows(spec: Mapping, rows: Mapping[str, Mapping]) -> dict:
    """Return the specification of a number, with its table's rows where it reduces several."""
    found = dict(spec)
    if "along" in spec or spec.get("reduce", "only") != "only":
        found["rows"] = {**rows.get(spec["table"], {}), **spec.get("rows", {})}
    if "minus" in spec:
        found["minus"] = _of_rows(spec["minus"], rows)
    return found


def not_rows(path: str | Path) -> list[dict]:
    """Return the sentences of a paper that a file of claims has no row for, with the reasons."""
    return _content(path).get("not_rows", [])


def _content(path: str | Path) -> dict:
    """Return the parts of a file of claims."""
    content = yaml_files.read(path)
    content = content if isinstance(content, dict) else {"claims": content}
    claims = content.get("claims")
    if not claims or not isinstance(claims, list) or not all(isinstance(c, dict) for c in claims):
        keys = [key for key, field in Claim.model_fields.items() if field.is_required()]
        found = "a list of others" if isinstance(claims, list) else type(claims).__name__
        raise RankassayError(
            f"{path}: expected a list of claims, each with the keys {', '.join(keys)}; found "
            f"{found if claims else 'nothing'}."
        )
    checked(File, content, str(path))
    return content


def expand(
    claims: list[dict], paper: str = "", sentences: Mapping[str, Mapping] | None = None
) -> list[dict]:
    """Return one claim for each value of a claim's `for`, which replaces {name} in it.

    Each has its sentence and its source, see `read`.
    """
    expanded = []
    for claim in claims:
        claim = {"kind": "finding", "why": ""} | _placed(claim, paper, sentences or {})
        names = claim.pop("for", {})
        if not names:
            expanded.append(claim)
        for name, values in names.items():
            for value in values:
                filled = _filled(claim, name, value)
                filled["claim"] = _filled(claim["claim"], name, label(str(value)))
                filled["datasets"] = _published(filled["datasets"], value)
                expanded.append(filled)
    ids = [claim["id"] for claim in expanded]
    for claim in expanded:
        if ids.count(claim["id"]) > 1:
            raise RankassayError(f"the id '{claim['id']}' is given to more than one claim.")
        if not isinstance(claim["datasets"], dict):
            claim["datasets"] = dict.fromkeys(claim["datasets"])
    return expanded


def _placed(claim: Mapping, paper: str, sentences: Mapping[str, Mapping]) -> dict:
    """Return a claim with the sentence that it is a row of, and with its source."""
    place, names = f"claim {claim['id']}", claim.get("for", {})
    paper = claim.get("paper", paper)
    if "sentence" in claim:
        one_of(f"sentence of {place}:", claim["sentence"], [*sentences])
    source = claim.get("source", "paper" if paper else OURS)
    if source != OURS and not paper:
        raise RankassayError(
            f"{place}: source: the file names no paper; give it or the claim a `paper`, or the "
            f"claim the source {OURS}."
        )
    bare = claim["id"]
    for name in names:
        bare = re.sub(rf"-?\{{{re.escape(str(name))}\}}", "", bare).lstrip("-")
    sentence = claim.get("sentence", bare or "-".join(names))
    says = claim["claim"]
    for name, values in names.items():
        says = says.replace(f"{{{name}}}", listed([label(str(value)) for value in values]))
    said = sentences.get(sentence, {"where": claim["where"], "says": says})
    source = OURS if source == OURS else f"{paper}, {claim['where']}"
    head = {"sentence": sentence, "source": source, "said_in": said["where"]}
    head["decided_by"] = said.get("decided_by", SHARE)
    return {**claim, **head, "says": " ".join(said["says"].split())}


def at_cutoff(claims: list[dict], cutoff: int) -> list[dict]:
    """Return claims whose numbers are of the study's cut-off, where they say none.

    See `rankassay.claims.measure.measure`.
    """

    def at(value: dict) -> dict:
        minus = {"minus": at(value["minus"])} if "minus" in value else {}
        return value | minus | {"cutoff": cutoff}

    return [claim | {"value": at(claim["value"])} for claim in claims]


def places(claims: list[dict]) -> dict[str, int]:
    """Return the place of each sentence, that of its first claim: in this order its rows stand."""
    return {claim["sentence"]: place for place, claim in reversed([*enumerate(claims)])}


def specs(value: Mapping) -> list[Mapping]:
    """Return the specifications of a number: a claim's value, and those that are subtracted.

    >>> [spec["table"] for spec in specs({"table": "a", "minus": {"table": "b"}})]
    ['a', 'b']
    """
    return [value, *(specs(value["minus"]) if "minus" in value else [])]


def about(claims: list[dict], dataset: str, others: Sequence[str], published: bool) -> list[dict]:
    """Return the claims about any of some other datasets as claims about this one alone.

    Those about this one stay as they are. With `published`, the published numbers of the first of
    the others are expected of it, too, as of another split of the same data; all other claims that
    need one are left out, and so are the sentences that one of these decides.
    """
    found = []
    for claim in claims:
        numbers = {others[0]: claim["datasets"].get(others[0])} if published else {}
        other = next((name for name in others if name in claim["datasets"]), None)
        if dataset in claim["datasets"]:
            found.append(claim)
        elif other is not None and ("near" not in claim["holds"] or other in numbers):
            found.append(claim | {"datasets": {dataset: numbers.get(other)}})
    ids = {claim["id"] for claim in found}
    return [claim for claim in found if claim["decided_by"] in {*STATISTICS, *ids}]


def untested(
    claims: list[dict], tested: set[str], left_out: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """Return the rows of the claims about datasets that were not tested.

    `left_out` has the analyses that would have judged claims about datasets of the run and that its
    configuration leaves out, by dataset: these are not asked, others are about other datasets.
    """
    rows = []
    decided = set()
    for claim in claims:
        for dataset in claim["datasets"]:
            if dataset in tested:
                continue
            verdict, reason = NOT_TESTABLE, "the dataset was not studied"
            if analysis := (left_out or {}).get(dataset):
                verdict = NOT_ASKED
                reason = (
                    f"not computed: the configuration leaves out {analysis}, or all that it reads"
                )
            sentence = dataset, claim["sentence"], claim["source"] == OURS
            said = {"decides": sentence not in decided, "calibrated": False, "exact": False}
            decided.add(sentence)
            rows.append(head(claim, dataset) | said | {REPRODUCED: verdict, "reason": reason})
    return pd.DataFrame(rows)


def head(claim: Mapping, dataset: str) -> dict:
    """Return the columns of a claim's row that are known before anything is measured."""
    published = claim["datasets"][dataset]
    condition = Condition.of(f"claim {claim['id']}", claim["holds"], published)
    return {name: claim[name] for name in HEAD} | {
        "dataset": dataset,
        "published": published,
        "expected": condition.words(),
        **asdict(condition),
    }


def _published(datasets: list | Mapping, value) -> list | Mapping:
    """Return the published numbers of one of the values that a claim is for."""
    if isinstance(datasets, list):
        return datasets
    return {
        dataset: published[value] if isinstance(published, Mapping) else published
        for dataset, published in datasets.items()
    }


def _filled(part, name: str, value):
    """Return a part of a claim with {name} replaced; a text that is {name} becomes the value."""
    if isinstance(part, dict):
        return {key: _filled(inner, name, value) for key, inner in part.items()}
    if isinstance(part, list):
        return [_filled(inner, name, value) for inner in part]
    if part == f"{{{name}}}":
        return value
    return part.replace(f"{{{name}}}", str(value)) if isinstance(part, str) else part


def _is_number(value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)

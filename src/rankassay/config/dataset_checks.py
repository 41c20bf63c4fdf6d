"""Whether the keys of a dataset's entry fit together: ValueErrors that say which does not."""

from typing import Any

from rankassay.config.dataset_files import Truth
from rankassay.data.entries import (
    AS_PUBLISHED,
    MADE,
    SEPARATORS,
    ending,
    format_beside,
    has_ones,
    is_implicit,
)
from rankassay.data.readers import FORMS
from rankassay.studies.settings import (
    Settings,
)


def check_described(entry: Any, part: str) -> None:
    """Check that a file of aspects or attributes is described, and can be taken apart."""
    name, described = _file(entry, part), getattr(entry, part)
    if name and described is None:
        raise ValueError(
            f"the key '{part}' is missing, which describes the file of {part.replace('_', ' ')}"
        )
    if described and not name and part != "aspects":
        raise ValueError(f"{part}: no file is named; give files.{part}, or {part}_path")
    for own in {*described.attributes} & {*MADE[part]} if described and part in MADE else ():
        raise ValueError(
            f"{part}: the name '{own}' stands for groups by training ratings; choose another"
        )
    if name and described.separator is None:
        check_ending(name, f"{part}: ")


def check_beside(entry: Any, part: str, own: str) -> None:
    """Check how a truth, or propensities, are read next to ratings of a format (`own`)."""
    described, file = getattr(entry, part), _file(entry, part)
    if not file:
        if part == "propensities" and described:
            raise ValueError(f"{part}: no file is named; give files.{part}, or its path")
        return
    if own == "lists":
        raise ValueError(f"a file of {part} has no place with the format {own}; remove it")
    form = (described and described.format) or format_beside(own, part, file)
    if form == "delimited" != own and not (described and described.separator):
        check_ending(file, f"{part}: ")
    if described:
        refuse(described, f"with the format {form}", *FORMS[form].unread, part=part)


def check_design(entry: Any, truth: Truth, form: str) -> None:
    """Check the description of a truth, in its own file or in that of ratings of a format."""
    given = given_keys(truth)
    if "known" not in given and truth.discovery != "as-is":
        raise ValueError("truth: the key 'discovery' needs 'known', the column of a flag")
    if file := _file(entry, "truth"):
        why = f"next to the file '{file}'"
        refuse(truth, why, "known", "design", "set_aside", part="truth")
        form = truth.format or format_beside(form, "truth", file)
        if "inclusion" in given and form != "delimited":
            raise ValueError("truth: the key 'inclusion' needs a file of the format delimited")
        return
    if not given & {"known", "design"}:
        raise ValueError(
            "truth: no file is named; give files.truth, or truth_path, or the column 'known' "
            "of the ratings, or 'design: set-aside' if the ratings are of random items"
        )
    if truth.design == AS_PUBLISHED:
        if "known" not in given:
            raise ValueError("truth: the design as-published needs 'known', the column of a flag")
        refuse(truth, f"with the design {AS_PUBLISHED}", "set_aside", part="truth")
    why = "together with 'known'" if "known" in given else "without a file of the truth"
    keys = ("format", "separator", "header", "encoding", "columns", "inclusion")
    refuse(truth, why, *keys, part="truth")
    if "known" in given:
        if form != "delimited":
            raise ValueError("truth: the key 'known' needs ratings of the format delimited")
        refuse(entry, "with truth.known", "bad_lines")


def check_feedback(entry: Any) -> None:
    """Check that implicit feedback has no keys of ratings."""
    whole = entry.model_dump(exclude_none=True)
    if entry.columns:
        whole["columns"] = entry.columns.model_dump()
    ones = has_ones(whole)
    if not is_implicit(whole):
        if entry.threshold is None and entry.path is None:
            raise ValueError("the key 'threshold' is missing: the least relevant rating")
        if ones:
            raise ValueError(
                "feedback: expected implicit where lines are without rating; remove the key, "
                "or name the column of the ratings"
            )
        return
    refuse(entry, "with implicit feedback, which has no scale", "scale")
    refuse(entry, "with implicit feedback, of which no judgements are known", "truth")
    threshold = 1 if entry.threshold is None else entry.threshold
    if threshold <= 0:
        raise ValueError(
            f"threshold: expected a count above 0 of implicit feedback, found {threshold:g}"
        )
    if ones and entry.duplicates not in ("count", "sum") and threshold > 1:
        raise ValueError(
            f"threshold: every line counts 1, and nothing reaches {threshold:g}; remove the "
            "key, or count lines by 'duplicates: count'"
        )


def _file(entry: Any, part: str) -> str | None:
    """Return the name of a file next to that of the ratings, if there is one."""
    return getattr(entry, f"{part}_path") or getattr(entry.files, part, None)


def check_ending(path: str, place: str = "") -> None:
    """Refuse a file without separator whose name does not tell it."""
    if ending(path) not in SEPARATORS:
        raise ValueError(
            f"{place}the key 'separator' is missing; what stands between the columns of '{path}' "
            "is known of .csv and .tsv only"
        )


def check_reached(threshold: float | None, scale: list[float] | None) -> None:
    """Refuse a threshold above the scale, if both are known."""
    if scale and threshold is not None and threshold > scale[1]:
        raise ValueError(
            f"threshold: expected at most {scale[1]:g}, the end of the scale, found "
            f"{threshold:g}, which no rating reaches: nobody would like anything"
        )


def given_keys(entry: Settings) -> set[str]:
    """Return the keys of an entry that were given; a null says the same as none."""
    return {key for key in entry.model_fields_set if getattr(entry, key) is not None}


def refuse(entry: Settings, why: str, *keys: str, part: str = "") -> None:
    """Refuse keys of an entry, or of a part of it, that were given."""
    if found := [f"'{key}'" for key in keys if key in given_keys(entry)]:
        has, it = ("keys", "them") if found[1:] else ("key", "it")
        verb = "have" if found[1:] else "has"
        place = f"{part}: " if part else ""
        raise ValueError(
            f"{place}the {has} {', '.join(found)} {verb} no place {why}; remove {it}, or set {it} "
            "to null where this entry extends another"
        )


def check_shape(entry: Any, form: str, path: str) -> None:
    """Check that the keys of how a file is read are consistent."""
    given, why = given_keys(entry), f"with the format {form}"
    refuse(entry, why, *FORMS[form].unread, *FORMS[form].undone)
    if form != "lists":
        refuse(entry, why, "lead")
    if FORMS[form].named and entry.columns:
        if any(isinstance(column, int) for column in entry.columns.model_dump().values()):
            raise ValueError(f"the columns of {form} are known by name; give names")
    elif form == "delimited" and not ("separator" in given or ending(path) in SEPARATORS):
        raise ValueError("the key 'separator' is missing: what stands between two columns")
    if "timestamp_format" in given and not (entry.columns and entry.columns.timestamp is not None):
        raise ValueError(
            "timestamp_format: no column of times is named; name all columns, as in columns: "
            "{user: user, item: item, rating: rating, timestamp: time}, or remove the key"
        )

"""A mistake in what people write, in one line: where it is, what was expected, what was found."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rankassay.errors import RankassayError, unknown

# What pydantic says of a value, in other words, by the type of the mistake.
WORDS = {
    "too_short": "expected at least {min_length} of them",
    "union_tag_invalid": "expected the {tag_key} to be one of {expected_tags}, found '{tag}'",
    **dict.fromkeys(
        ("model_type", "model_attributes_type", "dict_type"), "expected keys and their values"
    ),
    "list_type": "expected a list, as in [a, b]",
    "string_type": "expected a text",
    "bool_type": "expected true or false",
}


def checked(model: type[BaseModel], given: Mapping[str, Any], whole: str = "config") -> BaseModel:
    """Return the values as their model; the first mistake is raised with its place in `whole`."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        found = min(error.errors(include_url=False), key=_order)
        place, said = _explain(found, model, given)
        raise RankassayError(": ".join(filter(None, (whole, place, said)))) from None


def _order(error: ErrorDetails) -> tuple:
    """Return the key to sort by: a misspelt key goes before the one that is missing for it."""
    place = [*map(str, error["loc"])]
    unknown_key = error["type"] == "extra_forbidden"
    inside = place[:-1] if unknown_key or error["type"] == "missing" else place
    return inside, not unknown_key, place


def _explain(error: ErrorDetails, model: type[BaseModel], given: Any) -> tuple[str, str]:
    """Return the place of a mistake, and its message."""
    place, within, description = _place(error["loc"], model, given)
    if error["type"] == "extra_forbidden":
        *_, name = error["loc"]
        kind = "analysis" if place.endswith("analyses") else "key"
        known = [field.alias or key for key, field in within.model_fields.items()] if within else []
        elsewhere = "" if known else _elsewhere(error["loc"], model, given)
        return place, f"{unknown(kind, str(name), known)}{elsewhere}"
    if error["type"] == "missing":
        return place, f"the key '{error['loc'][-1]}' is missing."
    if error["type"] == "union_tag_not_found":
        return place, f"the key '{_tag(error)}' is missing."
    said = _words(error)
    if said.endswith("."):  # an error of the package, which has said it all
        return place, said
    about = f" ({description})" if description else ""
    return place, f"{said}{_found(error)}{about}"


def _words(error: ErrorDetails) -> str:
    """Return the expectation that a value does not meet."""
    if error["type"] in WORDS:
        tag = _tag(error) if error["type"] == "union_tag_invalid" else ""
        return WORDS[error["type"]].format(tag_key=tag, **error.get("ctx", {}))
    said = error["msg"].removeprefix("Value error, ")
    said = said.replace("Input should be", "expected").replace("Input should", "expected it to")
    return said[0].lower() + said[1:] if said[:1].isupper() and said[1:2].islower() else said


def _found(error: ErrorDetails) -> str:
    """Return the value found, with the nearest of the known ones."""
    whole = error["type"] in ("value_error", "too_short", "union_tag_invalid")
    if whole and isinstance(error["input"], Mapping):
        return "."
    found = repr(error["input"])
    found = f", found {found if len(found) <= 80 else found[:77] + '...'}"
    if error["type"] == "literal_error":
        known = re.findall("'([^']*)'", error["ctx"]["expected"])
        near = difflib.get_close_matches(str(error["input"]), known, n=1)
        return found + (f"; did you mean '{near[0]}'?" if near else ".")
    return f"{found}."


def _elsewhere(loc: Sequence[str | int], model: type[BaseModel], config: Any) -> str:
    """Name the other sections that have the unknown key; the one at fault has no keys."""
    *parents, _, name = loc
    _, section, _ = _place(parents, model, config)
    having = [
        field.alias or key
        for key, field in (section.model_fields if section else {}).items()
        if name in getattr(model_of(_plain(field.annotation)), "model_fields", {})
    ]
    return f" It is a key of {', '.join(having)}." if having else ""


def _tag(error: ErrorDetails) -> str:
    """Return the key that distinguishes the models of a union."""
    return error["ctx"]["discriminator"].strip("'()")


def _place(
    parts: Sequence[str | int], model: type[BaseModel], config: Any
) -> tuple[str, type[BaseModel] | None, str]:
    """Return a place in dots and brackets, the model there, and the field's description."""
    place, node, description = "", config, ""
    within: type[BaseModel] | None = model
    for part in parts:
        chosen = _chosen(within, part)
        if chosen is not within:  # the kind of a dataset, or the method of a split
            within = chosen
            continue
        if (isinstance(node, Mapping) and part in node) or (
            isinstance(node, list) and isinstance(part, int) and part < len(node)
        ):
            node = node[part]
        else:  # one of several types, or a key that is not there
            continue
        field = None
        if isinstance(within, type) and issubclass(within, BaseModel):
            fields = {field.alias or key: field for key, field in within.model_fields.items()}
            field = fields.get(str(part))
            if field is None:  # a key that is not known
                continue
        if field is not None:
            within, description = _plain(field.annotation), field.description or ""
        else:
            within = _inner(within)
        place += f"[{part}]" if isinstance(part, int) else f".{part}" * bool(place) or str(part)
    return place, model_of(within), description


def _plain(annotation: Any) -> Any:
    """Return the type in an annotation that also allows null."""
    arguments = [argument for argument in get_args(annotation) if argument is not type(None)]
    optional = len(arguments) == 1 and len(get_args(annotation)) == 2
    return arguments[0] if optional else annotation


def _inner(annotation: Any) -> Any:
    """Return the type of the values of a mapping or a list."""
    arguments = get_args(annotation)
    return arguments[-1] if arguments else None


def _chosen(annotation: Any, part: str | int) -> Any:
    """Return the model of a union that has a kind, or else the annotation itself."""
    for choice in get_args(annotation):
        for model in (choice, *get_args(choice)):
            fields = getattr(model, "model_fields", {})
            tag = fields.get("kind") or fields.get("method")
            if tag is not None and part in get_args(tag.annotation):
                return model_of(model)
    return annotation


def models_of(annotation: Any) -> list[type[BaseModel]]:
    """Return the models in an annotation: several, where it is a union of kinds."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    found = (model for choice in get_args(annotation) for model in models_of(choice))
    return [*dict.fromkeys(found)]


def model_of(annotation: Any) -> type[BaseModel] | None:
    """Return the model in an annotation, the first of several, if there is one."""
    return next(iter(models_of(annotation)), None)

"""The configuration as text: config/config.yaml with its comments, the page of all keys, a schema.

All three are written from the models, by `docs/render.py`, and a test holds them in step.
"""

import json
import textwrap
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from rankassay.artifacts.explain import model_of, models_of
from rankassay.config.cutoffs import follows
from rankassay.config.layers import CATALOGUES, EXTENDS
from rankassay.config.sections import configuration
from rankassay.studies import STUDIES

WIDTH = 100
# In other files; `calibrated` is about the recommenders' settings, and stands with them.
ELSEWHERE = {"tuning", "calibrated", *CATALOGUES} - {"variants"}
HEADING = """\
# yaml-language-server: $schema=schema.json
# Every setting with its default, and what it means; written from the code, which has both, by
# `./run python docs/render.py`. Change a setting on the command line (--config seed=1
# 'datasets=["ml-100k"]') or in a file of your own that holds just what differs (--configfile
# mine.yaml): that goes before what stands here. README.md says how to choose. Datasets are
# described in datasets.yaml, recommenders in recommenders.yaml, protocols in protocols.yaml, grids
# of settings in tuning.yaml; the settings below choose among them. Usual cut-offs stand behind a #:
# those that nobody sets are the nearest of metrics.cutoffs, and these are no deeper than depth.
"""


def schema() -> str:
    """Return the JSON schema of a configuration, in which entries of catalogues may be parts."""
    found = configuration().model_json_schema()
    del found["$defs"]["Recommender"]["required"]
    part = {"type": "object", "required": [EXTENDS]}
    for catalogue in CATALOGUES:
        entries = found["properties"][catalogue]["patternProperties"]
        for pattern, entry in entries.items():
            entries[pattern] = {"anyOf": [entry, part]}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def defaults() -> str:
    """Return config/config.yaml: every setting with its default and its description."""
    lines = [*_section(configuration(), configuration()(), 0, set())]
    return HEADING + "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _section(
    model: type[BaseModel], values: BaseModel, depth: int, said: set[str]
) -> Iterator[str]:
    """Yield the lines of a section; the description of a setting is written once."""
    indent = "  " * depth
    for key, field in model.model_fields.items():
        name, value = field.alias or key, getattr(values, key)
        if depth == 0 and name in ELSEWHERE:
            continue
        if depth == 0:
            yield ""
        if key == "split":
            # Files are merged: one that names another method would inherit the keys of this one.
            yield from _value(name, {"method": value.method}, field.description or "", indent)
        elif isinstance(value, BaseModel) and type(value).model_fields:
            comment = field.description or type(value).__doc__ or ""
            yield from _comment(comment, indent)
            own = [*_section(type(value), value, depth + 1, said)]
            if all(line.lstrip().startswith("#") for line in own):
                # Of cut-offs alone nothing counts as set: without a value it would be null.
                yield f"{indent}{name}: {{}} # {{ {', '.join(line.strip('# ') for line in own)} }}"
                continue
            yield f"{indent}{name}:"
            yield from own
        else:
            about = field.description or ""
            # A value in the file would count as set.
            behind = "# " if depth and follows(name, value) else ""
            yield from _value(behind + name, value, "" if about in said else about, indent)
            said.add(about)


def _value(name: str, value: Any, description: str, indent: str) -> Iterator[str]:
    """Yield the lines of one setting: its description is behind it, or before it if it is long."""
    value = to_jsonable_python(value)  # of models, also in a list
    text = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10_000
    )
    text = text.removesuffix("\n").removesuffix("\n...")
    line = f"{indent}{name}: {text}"
    if description and len(line) + len(description) + 3 <= WIDTH:
        yield f"{line} # {description}"
        return
    yield from _comment(description, indent)
    if len(line) <= WIDTH:
        yield line
    else:
        block = yaml.safe_dump(
            value, default_flow_style=None, allow_unicode=True, sort_keys=False, width=WIDTH - 8
        )
        yield f"{indent}{name}:"
        yield textwrap.indent(block.rstrip(), indent + "  ")


def _comment(text: str, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# "
    )


def markdown() -> str:
    """Return the page of all keys: for each its meaning, its values, and its default."""
    model = configuration()
    parts = ["# Every key", "", PAGE, ""]
    general = {key: field for key, field in model.model_fields.items() if key not in STUDIES}
    sections = {key: field for key, field in general.items() if model_of(field.annotation)}
    parts += _table({key: field for key, field in general.items() if key not in sections}, "")
    for key, field in {**sections, **{name: model.model_fields[name] for name in STUDIES}}.items():
        about = field.description or model_of(field.annotation).__doc__
        parts += ["", f"(configuration-{key})=", f"## {key}", "", about, ""]
        kinds = models_of(field.annotation)
        for kind in kinds:
            if len(kinds) > 1:
                parts += ["", f"### {key}: {_tag(kind)}", "", kind.__doc__, ""]
            parts += _table(_flat(kind), "")
    return "\n".join(parts) + "\n"


def _tag(model: type[BaseModel]) -> str:
    """Return the key's value that distinguishes one of several models: its kind, or its method."""
    field = model.model_fields.get("kind") or model.model_fields["method"]
    return get_args(field.annotation)[0]


PAGE = """\
The keys of a configuration, section by section; `config/config.yaml` holds all of them with their
defaults, and [configuration](../../config/README.md) says how to choose. A key of a section within
a section is written with dots: `analyses.sparsity.levels`. `config/schema.json` is the same for
editors."""


def _flat(model: type[BaseModel], prefix: str = "") -> dict[str, FieldInfo]:
    """Return the fields of a model and of the models in it, by their names with dots."""
    found: dict[str, FieldInfo] = {}
    for key, field in model.model_fields.items():
        name = prefix + (field.alias or key)
        inner = model_of(field.annotation)
        found[name] = field
        if inner is not None and inner.model_fields:
            found |= _flat(inner, f"{name}.")
    return found


def _table(fields: dict[str, FieldInfo], prefix: str) -> list[str]:
    """Return the rows of a table of fields."""
    rows = ["| key | meaning | default |", "|---|---|---|"]
    for name, field in fields.items():
        inner = model_of(field.annotation)
        shown = "" if inner or field.is_required() else f"`{_short(field)}`"
        about = field.description or (inner.__doc__ if inner else "") or ""
        about = f"{about} {_choices(field)}".strip().replace("|", "\\|").replace("\n", " ")
        rows.append(f"| `{prefix}{name}` | {about} | {shown} |")
    return rows


def _short(field: FieldInfo) -> str:
    """Return a default as YAML on one line."""
    value = to_jsonable_python(field.get_default(call_default_factory=True))
    text = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10_000
    )
    return text.removesuffix("\n").removesuffix("\n...").replace("|", "\\|")


def _choices(field: FieldInfo) -> str:
    """Return the values that a field may have, if they are few and fixed."""
    found = [*_literals(field.annotation)]
    return f"One of {', '.join(f'`{value}`' for value in found)}." if found else ""


def _literals(annotation: Any) -> Iterator[Any]:
    """Yield the values of all literals in an annotation."""
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    else:
        for argument in get_args(annotation):
            yield from _literals(argument)

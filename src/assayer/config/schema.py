"""What a configuration may hold, by its schema; one clear line for the first departure."""

from pathlib import Path

import jsonschema
import yaml

from assayer.errors import AssayerError, unknown

# The kinds of datasets, and the schemas of their entries.
KINDS = (("file", "dataset"), ("synthetic", "synthetic"), ("qrels", "qrels"))


def check_schema(config: dict, schema: dict) -> None:
    """Raise AssayerError for the first place at which a configuration departs from its schema."""
    validator = jsonschema.Draft202012Validator(schema)
    errors = sorted(validator.iter_errors(config), key=_place)
    if errors:
        raise AssayerError(_explain(_innermost(errors[0])))


def _place(error: jsonschema.ValidationError) -> tuple:
    """Return what errors are sorted by: a misspelt key goes before the one that is missing."""
    # As text: the keys of a YAML file may be numbers, too.
    return [*map(str, error.path)], error.validator != "additionalProperties", error.message


def schema_of(folder: Path) -> dict:
    """Return the schema of a configuration, with the schemas of the datasets' kinds in place."""

    def read(name: str) -> dict:
        return yaml.safe_load((folder / f"{name}.schema.yaml").read_text(encoding="utf-8"))

    schema = read("config")
    schema["$defs"]["dataset"] = {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": [kind for kind, _ in KINDS]}},
        "allOf": [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": read(name)}
            for kind, name in KINDS
        ],
    }
    return schema


def _innermost(error: jsonschema.ValidationError) -> jsonschema.ValidationError:
    """Return the mistake itself where the schema offers alternatives, the likeliest of them."""
    while error.context:
        error = jsonschema.exceptions.best_match(error.context)
    return error


def _explain(error: jsonschema.ValidationError) -> str:
    """Say in one line where a mistake is, what was expected and what was found."""
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
    place = f"config: {where.lstrip('.')}: " if where else "config: "
    if error.schema is False:
        return f"{place}this key has no place beside the others of its entry; remove it."
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        extra = next(key for key in error.instance if key not in known)
        return f"{place}{unknown('key', extra, known)}"
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"{place}the key '{missing[0]}' is missing."
    meaning = error.schema.get("description", "")
    found = repr(error.instance)
    found = found if len(found) <= 80 else found[:77] + "..."
    reason = {
        "enum": f"expected one of {', '.join(map(str, error.validator_value or []))}"
        if error.validator == "enum"
        else "",
        "type": f"expected a value of type {error.validator_value}",
        "pattern": "expected small letters, digits and hyphens",
        "minItems": f"expected at least {error.validator_value} of them",
        "uniqueItems": "expected no value twice",
    }.get(error.validator, f"expected {error.validator} {error.validator_value}")
    return f"{place}{reason}, found {found}." + (f" ({meaning})" if meaning else "")

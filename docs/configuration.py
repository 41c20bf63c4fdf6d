"""The page of all keys of a configuration: from the schemas, with the project's own values."""

from collections.abc import Iterator
from pathlib import Path

import yaml

HEAD = """\
# Every key

What a configuration can hold, from the schemas in `workflow/schemas`, with the value that
`config/config.yaml` gives. [Settings](../settings.md) says what the main ones mean for the study.
A key with a `<name>` in it stands for every name.
"""
# The kinds of datasets by the names of their schemas.
KINDS = {
    "dataset": "a dataset from files",
    "qrels": "judgements",
    "synthetic": "a synthetic dataset",
}
SIGNS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
LONGEST = 60  # characters of a value that is shown


def configuration(root: Path) -> str:
    """Return the page; `root` is the project's folder."""
    values = yaml.safe_load((root / "config/config.yaml").read_text(encoding="utf-8"))
    values["tuning"] = yaml.safe_load((root / "config/tuning.yaml").read_text(encoding="utf-8"))[
        "tuning"
    ]
    schema = read(root, "config")
    parts = [HEAD]
    rows = {name: [*keys(own, schema, name)] for name, own in schema["properties"].items()}
    alone = [(name, schema["properties"][name]) for name, below in rows.items() if not below]
    parts += ["## Single values", "", _table(alone, schema, values)]
    for name, below in rows.items():
        if below:
            meaning = described(schema["properties"][name], schema).get("description", "")
            parts += [f"## {name}", "", escaped(meaning), "", _table(below, schema, values)]
    for file, title in KINDS.items():
        own = read(root, file)
        rows = [*keys(own, own, "dataset_catalogue.<name>")]
        parts += [f"## dataset_catalogue: {title}", "", escaped(own.get("description", "")), ""]
        parts += [_table(rows, own, {})]
    return "\n".join(parts)


def read(root: Path, name: str) -> dict:
    """Return a schema of the project."""
    text = (root / f"workflow/schemas/{name}.schema.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)


def described(entry: dict, schema: dict) -> dict:
    """Return a schema's entry with what it refers to; its own words go before."""
    reference = entry.get("$ref", "")
    if not reference.startswith("#/$defs/"):
        return entry
    known = described(schema["$defs"].get(reference.removeprefix("#/$defs/"), {}), schema)
    own = {key: value for key, value in entry.items() if key != "$ref"}
    properties = known.get("properties", {}) | own.get("properties", {})
    return known | own | ({"properties": properties} if properties else {})


def keys(entry: dict, schema: dict, path: str) -> Iterator[tuple[str, dict]]:
    """Yield the path of every key below an entry, and its schema, keys before their own keys."""
    entry = described(entry, schema)
    for name, own in entry.get("properties", {}).items():
        if isinstance(own, dict):
            yield f"{path}.{name}", described(own, schema)
            yield from keys(own, schema, f"{path}.{name}")
    rest = entry.get("additionalProperties")
    if isinstance(rest, dict) and not entry.get("properties"):
        yield f"{path}.<name>", described(rest, schema)
        yield from keys(rest, schema, f"{path}.<name>")


def value_of(values: dict, path: str):
    """Return the value at a path of keys, or Ellipsis if there is none."""
    for name in path.split("."):
        if not isinstance(values, dict) or name not in values:
            return ...
        values = values[name]
    return values


def escaped(text: str) -> str:
    """Return text as a cell of a table may hold it."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _table(rows: list[tuple[str, dict]], schema: dict, values: dict) -> str:
    lines = ["| key | values | default | meaning |", "|---|---|---|---|"]
    for path, own in rows:
        meaning = escaped(own.get("description", ""))
        lines.append(f"| `{path}` | {kind(own, schema)} | {_default(values, path)} | {meaning} |")
    return "\n".join([*lines, ""])


def _default(values: dict, path: str) -> str:
    value = value_of(values, path)
    if value is ... or isinstance(value, dict):
        return ""
    text = yaml.safe_dump(value, default_flow_style=True, width=10**6).split("\n...")[0].strip()
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 4] + ' ...'}`"


def kind(entry: dict, schema: dict) -> str:
    """Say in words which values a schema allows."""
    entry = described(entry, schema)
    if "const" in entry:
        return f"`{entry['const']}`"
    if "enum" in entry:
        return " or ".join(f"`{_yaml(value)}`" for value in entry["enum"])
    names = entry.get("type", "object" if "properties" in entry else "")
    words = [_word(name, entry, schema) for name in ([names] if isinstance(names, str) else names)]
    return " or ".join(word for word in words if word)


def _word(name: str, entry: dict, schema: dict) -> str:
    if name == "array":
        items = entry.get("items") or {}
        if not items and "prefixItems" in entry:
            return f"list of {len(entry['prefixItems'])}"
        inner = kind(items, schema) if isinstance(items, dict) else ""
        return f"list of: {inner}" if inner else "list"
    if name in ("integer", "number"):
        return ("whole number" if name == "integer" else "number") + _range(entry)
    words = {"string": "text", "boolean": "`true` or `false`", "null": "`null`", "object": "keys"}
    return words.get(name, name)


def _range(entry: dict) -> str:
    bounds = [f"{sign} {entry[key]}" for key, sign in SIGNS.items() if key in entry]
    return f" {' and '.join(bounds)}" if bounds else ""


def _yaml(value) -> str:
    return yaml.safe_dump(value).split("\n")[0]

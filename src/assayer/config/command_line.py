"""Settings that the command line gives: `--set robustness.cutoff=5`, and Snakemake's `--config`."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assayer.errors import AssayerError

SECTION = re.compile(r"[a-zA-Z_][\w-]*\w")  # what Snakemake takes for a key


def entries(given: Sequence[str]) -> Iterator[str]:
    """Yield the entries of Snakemake's `--config` for keys and values, as in robustness.cutoff=5.

    A dot leads into a section. Raises AssayerError for what is no key and its value.

    >>> [*entries(["seed=3", "robustness.cutoff=5"])]
    ['seed=3', 'robustness={"cutoff": "5"}']
    """
    for text in given:
        key, equals, value = text.partition("=")
        section, *inner = key.split(".")
        if not equals or not SECTION.fullmatch(section) or not all(inner):
            raise AssayerError(
                "--set: expected a key and its value, as in seed=3 or robustness.cutoff=5, found "
                f"'{text}'."
            )
        if not inner:
            yield text
            continue
        for name in reversed(inner):
            value = {name: value}
        yield f"{section}={json.dumps(value)}"


def typed(config: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration in which what the command line gives is read as in a file.

    Snakemake takes everything within a section or a list for a text.

    Parameters
    ----------
    config : mapping
        The merged configuration of a run.
    given : mapping
        What `--config` says of it.
    """
    found = dict(config)
    for key, value in given.items():
        inner = found.get(key)
        if isinstance(value, Mapping) and isinstance(inner, Mapping):
            found[key] = typed(inner, value)
        elif key in found:
            found[key] = _read(value)
    return found


def _read(value: Any) -> Any:
    """Return a value as YAML has it: a text may be a number, a list or a section."""
    if isinstance(value, Mapping):
        return {key: _read(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_read(inner) for inner in value]
    if not isinstance(value, str):
        return value
    import yaml

    try:
        found = yaml.safe_load(value)
    except yaml.YAMLError:
        return value
    # What YAML takes for a date is a text here, as everywhere in the configuration.
    return found if isinstance(found, str | int | float | list | dict | None) else value

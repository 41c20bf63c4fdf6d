"""A configuration of one's own over the one that ships.

Sections merge key by key; a value or a list replaces the one below it. An entry of a catalogue is
one thing: one's own replaces the one that ships whole, unless it says which entry it `extends`.
A recommender without a method has other settings than the one that ships.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankassay.artifacts.yaml_files import read_settings
from rankassay.errors import RankassayError, unknown

SHIPPED = ("config", "datasets", "protocols", "recommenders", "tuning")
# What the entries of a catalogue are, and the key that each of them has.
CATALOGUES = {
    "dataset_catalogue": ("dataset", "kind"),
    "variants": ("variant", "of"),
    "protocol_catalogue": ("protocol", "label"),
    "recommender_catalogue": ("recommender", "method"),
}
ADJUSTED = "recommender_catalogue"  # whose entries may be settings alone
EXTENDS = "extends"


def shipped(project: Path) -> dict[str, Any]:
    """Return the configuration that ships with the workflow."""
    found: dict[str, Any] = {}
    for name in SHIPPED:
        found = over(found, read_settings(project / f"config/{name}.yaml"))
    return found


def whole(below: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return one's own configuration over another one, whose entries it replaces or extends.

    Raises
    ------
    RankassayError
        For an entry that extends none that is known, or itself, or is a part of one.
    """
    found = over(below, own)
    for catalogue in CATALOGUES:
        known, given = below.get(catalogue, {}), own.get(catalogue)
        if isinstance(given, Mapping):
            entries = {name: _entry(catalogue, name, known, given, ()) for name in given}
            found[catalogue] = {**known, **entries}
    return found


def over(config: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration in which some values are replaced, whole lists but not sections."""
    found = dict(config)
    for key, value in given.items():
        inner = found.get(key)
        both = isinstance(value, Mapping) and isinstance(inner, Mapping)
        found[key] = over(inner, value) if both else value
    return found


def _entry(
    catalogue: str,
    name: str,
    known: Mapping[str, Any],
    given: Mapping[str, Any],
    above: tuple[str, ...],
) -> Any:
    """Return an entry of one's own; `above` are those that extend it, one after another."""
    entry, place = given[name], f"config: {catalogue}.{name}"
    kind, key = CATALOGUES[catalogue]
    if not isinstance(entry, Mapping):
        return entry
    if EXTENDS not in entry:
        if name in known and key not in entry:
            if catalogue == ADJUSTED:
                return over(known[name], entry)
            raise RankassayError(
                f"{place}: expected a whole entry, as it replaces the {kind} of that name that "
                f"ships; the key '{key}' is missing. To change some of its keys, add "
                f"'{EXTENDS}: {name}'."
            )
        return entry
    base = entry[EXTENDS]
    if base in above:
        raise RankassayError(
            f"{place}.{EXTENDS}: expected another {kind}, found '{base}', which extends this one."
        )
    if base != name and isinstance(base, str) and base in given:
        whole_base = _entry(catalogue, base, known, given, (*above, name))
    elif isinstance(base, str) and base in known:
        whole_base = known[base]
    else:
        others = [other for other in (*known, *given) if other != name or other in known]
        said = unknown(kind, str(base), dict.fromkeys(others))
        raise RankassayError(f"{place}.{EXTENDS}: {said}")
    if not isinstance(whole_base, Mapping):
        return whole_base
    return over(whole_base, {key: value for key, value in entry.items() if key != EXTENDS})

"""A configuration in layers: what ships, one's own over it, and what the command line gives.

Sections merge key by key; a value or a list replaces the one below it. An entry of a catalogue is
one thing: one's own replaces the one that ships whole, unless it says which entry it `extends`.
A recommender without a method has other settings than the one that ships. The command line has
`--set robustness.cutoff=5`, and Snakemake's `--config`.
"""

import functools
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from rankassay.artifacts.yaml_files import DEEPEST, MOST_VALUES, read_settings
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
LARGEST = 2**63  # of whole numbers, which arrays and seeds hold in 64 bits
SECTION = re.compile(r"[a-zA-Z_][\w-]*\w")  # what Snakemake takes for a key
# Of several of these options, Snakemake takes the last without a word.
ONCE = {"--config": "--config", "-C": "--config"}
ONCE |= dict.fromkeys(("--configfile", "--configfiles"), "--configfile")
YAML = "tag:yaml.org,2002:"
# The types of a text that is not in quotes: YAML has also dates, and numbers of base 8 and 60.
PLAIN = {
    "null": r"~|null|Null|NULL|",
    "bool": r"yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF",
    "int": r"[-+]?(0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)",
    "float": r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan",
}


def shipped(project: Path) -> dict[str, Any]:
    """Return the configuration that ships with the workflow."""
    found: dict[str, Any] = {}
    for name in SHIPPED:
        found = over(found, read_settings(project / f"config/{name}.yaml"))
    return found


def whole(below: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return one's own configuration over another one, whose entries it replaces or extends."""
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


def check_values(config: Mapping[str, Any]) -> None:
    """Raise RankassayError for numbers that are not finite or too large, and for too many values.

    References of YAML to each other can make these of a few lines.
    """
    sizes: dict[int, int] = {}

    def size(place: str, value: Any) -> int:
        if isinstance(value, float) and not math.isfinite(value):
            raise RankassayError(f"config: {place}: expected a finite number, found {value}.")
        if isinstance(value, int) and abs(value) >= LARGEST:
            raise RankassayError(
                f"config: {place}: expected a number below 2^63, found a larger one."
            )
        if not isinstance(value, Mapping | list):
            return 1
        if id(value) not in sizes:
            if place.count(".") > DEEPEST:
                raise RankassayError(f"config: {place[:40]}...: nested more than {DEEPEST} deep.")
            items = value.items() if isinstance(value, Mapping) else enumerate(value)
            sizes[id(value)] = 1 + sum(
                size(f"{place}.{key}".lstrip("."), own) for key, own in items
            )
        if sizes[id(value)] > MOST_VALUES:
            raise RankassayError(
                f"config: {place}: expected at most {MOST_VALUES} values, found more."
            )
        return sizes[id(value)]

    size("", config)


def entries(given: Sequence[str]) -> Iterator[str]:
    """Yield the entries of Snakemake's `--config` for keys and values, as in robustness.cutoff=5.

    A dot leads into a section. Raises RankassayError for anything but a key and its value.

    >>> [*entries(["seed=3", "robustness.cutoff=5"])]
    ['seed=3', 'robustness={"cutoff": 5}']
    """
    for text in given:
        key, equals, value = text.partition("=")
        section, *inner = key.split(".")
        if not equals or not SECTION.fullmatch(section) or not all(inner):
            raise RankassayError(
                "--set: expected a key and its value, as in seed=3 or robustness.cutoff=5, found "
                f"'{text}'."
            )
        bare = value.strip(" \t'\"")  # Snakemake takes quotes off, and stops at nothing and at #
        if not inner and bare and not bare.startswith("#"):
            yield text
            continue
        found = value_of(value)
        for name in reversed(inner):
            found = {name: found}
        written = json.dumps(found, ensure_ascii=False)
        yield f"{section}={written}" if inner else f"{section}= {written} "  # it takes quotes off


def check_words(words: Iterable[str]) -> None:
    """Raise RankassayError where an option of Snakemake is repeated of which it takes the last."""
    found = []
    for word in words:
        name = "-C" if re.match("-C.", word) else word.partition("=")[0]
        if (option := ONCE.get(name)) in found:
            raise RankassayError(
                f"expected {option} once, with all that it takes behind it, found it twice: "
                "Snakemake would drop the first."
            )
        found += [option] if option else []


def typed(config: Mapping[str, Any], words: Sequence[str] | None) -> dict[str, Any]:
    """Return a configuration in which the values of `--config` are those that were typed.

    Snakemake takes everything within a section or a list for a text, and reads a text as YAML.
    """
    given: dict[str, Any] = {}
    for word in words or ():
        key, _, value = word.partition("=")
        _add(given, {key.strip(): value_of(value)})
    return over(config, given)


def value_of(text: str) -> Any:
    """Return the value of a text: a number, a list or a section, or else the text.

    It is read as in a file, but that a `#` begins no comment and a `:` no section.

    >>> value_of("5"), value_of("[5, a]"), value_of("'5'"), value_of("/data/a #b"), value_of("a: b")
    (5, [5, 'a'], '5', '/data/a #b', 'a: b')
    """
    typed, loader = text.strip(), _loader()
    try:
        node = yaml.compose(typed, Loader=loader)
        found = loader(typed).get_single_data()
    except (yaml.YAMLError, ValueError):
        return text
    if node is None:
        return None if not typed else text
    if (node.start_mark.index, node.end_mark.index) != (0, len(typed)):
        return text
    if isinstance(node, yaml.CollectionNode):
        return found if node.flow_style else text
    if isinstance(found, str):
        return found if typed[0] in "'\"" else text
    return found


@functools.cache
def _loader() -> Any:
    """Return a loader of YAML with only the types of JSON."""
    kinds = (*PLAIN, "str", "seq", "map")

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers = {}
        yaml_constructors = {
            tag: made
            for tag, made in yaml.SafeLoader.yaml_constructors.items()
            if tag is None or tag.removeprefix(YAML) in kinds
        }

    for kind, form in PLAIN.items():
        Loader.add_implicit_resolver(f"{YAML}{kind}", re.compile(f"(?:{form})$"), None)
    return Loader


def _add(found: dict[str, Any], more: Mapping[str, Any], above: str = "") -> None:
    """Add settings to others; raises RankassayError for one that is there."""
    for key, value in more.items():
        if key not in found:
            found[key] = value
            continue
        inner = found[key]
        if not (isinstance(inner, dict) and isinstance(value, Mapping)):
            raise RankassayError(
                f"expected each key once on the command line, found '{above}{key}' twice; keep one."
            )
        _add(inner, value, f"{above}{key}.")

"""YAML written by people: read exactly, or refused in one line with its place.

YAML takes the last of two equal keys, and lets a few lines stand for billions of values by
references to each other. Neither is what anybody meant. `./run` looks at the files of
`--configfile` in this way before Snakemake reads them: `python -m rankassay.artifacts.yaml_files`.
"""

import os
import re
import sys
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from rankassay.errors import RankassayError

# That of libyaml, which is ten times as fast, where PyYAML comes with it.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DEEPEST = 30
MOST_VALUES = 100_000
MOST_BYTES = 10_000_000
MOST_DIGITS = 19
MERGE = "tag:yaml.org,2002:merge"  # of the key <<
# Of base 2, 16, 10 and 60 (1:59), of which a few thousand digits take Python minutes, or no text.
NUMBER = re.compile(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|[0-9_]+((:[0-9]{1,2})+(\.[0-9_]*)?)?)")


def read(path: str | os.PathLike[str]) -> Any:
    """Return the content of a file; raises RankassayError, with the line, for ambiguous content."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise RankassayError(f"{path}: expected a YAML file; {error.strerror}.") from None
    if len(text) > MOST_BYTES:
        raise RankassayError(f"{path}: expected at most {MOST_BYTES} bytes, found {len(text)}.")
    try:
        check(text.decode("utf-8"), str(path))
        loader = LOADER(text)
        try:
            node = loader.get_single_node()
            _check_scalars(loader, node, str(path), set())
            return None if node is None else loader.construct_document(node)
        finally:
            loader.dispose()
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        raise RankassayError(
            f"{path}, line {line}: expected text in UTF-8, found other bytes."
        ) from None
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise RankassayError(
            f"{path}{line}: expected YAML: {error.problem or error.context}."
        ) from None
    except (yaml.YAMLError, ValueError) as error:
        raise RankassayError(f"{path}: expected YAML: {error}.") from None


def read_settings(path: str | os.PathLike[str]) -> dict:
    """Return the settings of a file as `read` does; raises RankassayError where there are none."""
    found = read(path)
    if not isinstance(found, dict):
        what = "nothing" if found is None else f"{found!r:.60}"
        raise RankassayError(f"{path}: expected keys and their values, found {what}.")
    return found


def check(text: str, path: str) -> None:
    """Raise RankassayError for equal keys, and for more or deeper values than people write."""
    sizes: dict[str, int] = {}  # of what has an anchor, with all that it refers to
    open_nodes: list[_Node] = [_Node(None, mapping=False)]
    for event in yaml.parse(text, Loader=LOADER):
        place = f"{path}, line {event.start_mark.line + 1}"
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            open_nodes[-1].place(place, None)
            open_nodes.append(_Node(event.anchor, isinstance(event, yaml.MappingStartEvent)))
            if len(open_nodes) > DEEPEST:
                raise RankassayError(f"{place}: expected at most {DEEPEST} levels, found more.")
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            node = open_nodes.pop()
            open_nodes[-1].size += node.size
            if node.anchor:
                sizes[node.anchor] = node.size
        elif isinstance(event, yaml.ScalarEvent):
            plain = not event.style or event.tag
            long = len(event.value.lstrip("+-")) > MOST_DIGITS
            if plain and long and NUMBER.fullmatch(event.value):
                raise RankassayError(f"{place}: expected a number of at most {MOST_DIGITS} digits.")
            open_nodes[-1].place(place, event.value)
            open_nodes[-1].size += 1
            if event.anchor:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.AliasEvent):
            open_nodes[-1].place(place, None)
            open_nodes[-1].size += sizes.get(event.anchor, MOST_VALUES + 1)  # of itself: endless
        if open_nodes[-1].size > MOST_VALUES:
            raise RankassayError(f"{place}: expected at most {MOST_VALUES} values, found more.")


def _check_scalars(loader: Any, node: yaml.Node | None, path: str, seen: set[int]) -> None:
    """Raise RankassayError for nodes without a value, and for equal keys, such as 1 and 0x1."""
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode) and node.tag != MERGE:
        try:
            loader.construct_object(node)
        except yaml.YAMLError:
            raise
        except Exception as error:  # such as the IndexError of `!!int ''`
            line = node.start_mark.line + 1
            raise RankassayError(
                f"{path}, line {line}: expected another value ({error})."
            ) from None
    elif isinstance(node, yaml.SequenceNode):
        for child in node.value:
            _check_scalars(loader, child, path, seen)
    elif isinstance(node, yaml.MappingNode):
        keys = set()
        for key, value in node.value:
            _check_scalars(loader, key, path, seen)
            _check_scalars(loader, value, path, seen)
            if isinstance(key, yaml.ScalarNode) and key.tag != MERGE:
                made = loader.construct_object(key)
                if not isinstance(made, Hashable):
                    continue  # PyYAML refuses it
                if made in keys:
                    place = f"{path}, line {key.start_mark.line + 1}"
                    raise RankassayError(f"{place}: the key '{made}' stands there twice; keep one.")
                keys.add(made)


class _Node:
    """A mapping or a list that is being read."""

    def __init__(self, anchor: str | None, mapping: bool) -> None:
        self.anchor, self.mapping = anchor, mapping
        self.size, self.at_key, self.keys = 1, True, set()

    def place(self, place: str, scalar: str | None) -> None:
        """Register a mapping's next key, or value; raises RankassayError for a repeated key."""
        if self.mapping and self.at_key and scalar not in (None, "<<"):
            if scalar in self.keys:
                raise RankassayError(f"{place}: the key '{scalar}' stands there twice; keep one.")
            self.keys.add(scalar)
        self.at_key = not self.at_key


def main(paths: list[str]) -> int:
    """Read files; print the first mistake in one line, and return the exit status."""
    try:
        for path in paths:
            read_settings(path)
    except RankassayError as error:
        print(f"rankassay: config: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

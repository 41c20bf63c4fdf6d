"""The pages as a reader sees them, and the code in them: files to write, and commands to run.

A block of a file has the file's name behind its language, as in ```yaml mine.yaml; commands are
blocks of the language sh.
"""

import re
import runpy
import shlex
from pathlib import Path
from types import SimpleNamespace

import yaml

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
marks = SimpleNamespace(**runpy.run_path(str(DOCS / "marks.py"), run_name="marks"))
BLOCK = re.compile(r"^```(\w+)[ \t]*(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(path):
    """Return the text of a page without its comments."""
    return marks.shown(path.read_text(encoding="utf-8"))


def misplaced(page):
    """Yield by line what a code host would show otherwise than it is meant."""
    for token in marks.TOKEN.finditer(page):
        if token["said"] is None and re.search(r"<!--[{/%]", token[0]):
            yield page.count("\n", 0, token.start()) + 1, "a mark within code"
    for mark in marks.marks(page):
        before = page[: mark.start].rpartition("\n")[2]
        source = page[mark.start + 4 : mark.end - 3]
        if mark.block or mark.result is None:
            continue
        if re.fullmatch(r"\s*([-*+>]|\d+\.|#+)\s*", before):
            yield mark.line, "a mark that begins an item or a heading"
        if "--" in source or "\n" in source + page[mark.end : mark.result]:
            yield mark.line, "a mark within a line with -- or lines of its own"
        if before.startswith("|") and re.search(r"(?<!\\)\|", source):
            yield mark.line, r"a mark within a cell with | rather than \|"
        if re.search(r"\]\([^)]*$", before):
            yield mark.line, "a mark within the target of a link"


def files(page):
    """Return the files of a page, text by name."""
    return {name: text for _, name, text in _blocks(page) if name}


def write(page, folder):
    """Write the files of a page to a folder, which is returned."""
    for name, text in files(page).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def commands(page):
    """Return the commands of a page as lists of words."""
    lines = [line for kind, _, text in _blocks(page) if kind == "sh" for line in text.splitlines()]
    return [shlex.split(line, comments=True) for line in lines if line.strip()]


def printed(page):
    """Return the texts that a page says are printed."""
    return [text for kind, _, text in _blocks(page) if kind == "text"]


def parts_of_configurations():
    """Return the page and number of each block of YAML that has no name of a file."""
    paths = sorted([*DOCS.glob("*.md"), *DOCS.glob("reference/*.md")])
    found = [(str(path.relative_to(DOCS)), k) for path in paths for k in range(len(_parts(path)))]
    return [(page, k) for page, k in found if _is_part(part_of_configuration(page, k))]


def part_of_configuration(page, number):
    """Return what such a block says; one that is indented is an entry of a dataset."""
    text = _parts(DOCS / page)[number]
    return yaml.safe_load(f"dataset_catalogue:\n{text}" if text.startswith(" ") else text)


def _parts(path):
    return [text for kind, name, text in _blocks(path) if kind == "yaml" and not name]


def _is_part(found):
    """Return whether this is of a configuration: no list of claims, no profile of Snakemake."""
    return isinstance(found, dict) and "group-components" not in found


def _blocks(page):
    return BLOCK.findall(read(DOCS / page))

"""What several pages say, they say alike, and as the program and its metadata have it."""

import itertools
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pages
import pytest
import yaml

from rankassay.advice.rule import PLACES

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", ROOT / "config/README.md", *sorted((ROOT / "docs").glob("*.md"))]
META = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TOGETHER = 12  # words that are the same sentence
MOST = 22_000  # words of all pages but the reference
MEASURE = r"\b(C?DCG)@(\d+) by 1/√popularity"


def said(pattern):
    """Return the pages that have a pattern, and what it matches there."""
    texts = {path.relative_to(ROOT).as_posix(): pages.read(path) for path in PAGES}
    found = {name: re.findall(pattern, text) for name, text in texts.items()}
    return {name: own for name, own in found.items() if own}


def test_the_recommended_measures_are_those_that_judge_reports():
    wanted = {("CDCG", str(PLACES["graded"])), ("DCG", str(PLACES["positive"]))}
    found = said(MEASURE)
    assert {"README.md", "docs/judge.md", "docs/recommendation.md"} <= found.keys()
    for name, measures in found.items():
        assert {*measures} <= wanted, name


def test_versions_of_python_are_those_that_are_declared():
    oldest = META["requires-python"].removeprefix(">=")
    known = re.findall(r"Python :: (3\.\d+)", "\n".join(META["classifiers"]))
    assert known[0] == oldest
    for name, versions in said(r"Python (3\.\d+) or newer").items():
        assert {*versions} == {oldest}, name


def test_the_version_of_snakemake_is_the_one_that_is_declared():
    needed = [*META["dependencies"], *itertools.chain(*META["optional-dependencies"].values())]
    [lowest] = {x for own in needed for x in re.findall(r"^snakemake>=([\d.]+)", own)}
    for name, versions in said(r"Snakemake (\d+\.\d+)(?: or newer| to)").items():
        assert {*versions} == {lowest}, name


@pytest.fixture(scope="module")
def catalogue():
    text = (ROOT / "config/datasets.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)["dataset_catalogue"]


def named(text, catalogue):
    """Return the datasets that a text names, as in `ml-1m`, `trec-5` to `trec-8` and `web-*`."""
    known = [*catalogue]
    for first, last in re.findall(r"`([\w-]+)` to `([\w-]+)`", text):
        text += "".join(f" `{name}`" for name in known[known.index(first) : known.index(last) + 1])
    found = re.findall(r"`([a-z][\w*-]+)`", text)
    return {name for name in known if any(fnmatch(name, pattern) for pattern in found)}


def test_the_page_of_datasets_says_which_download_and_which_have_a_checksum(catalogue):
    text = pages.read(ROOT / "docs/datasets.md")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    by_hand = {
        name for cells in rows if cells[1] == "by hand" for name in named(cells[0], catalogue)
    }
    downloads = {
        name for cells in rows if "downloads" in cells[1] for name in named(cells[0], catalogue)
    }
    assert {"librarything", "beeradvocate", "ml-1m"} <= downloads
    assert all(catalogue[name].get("urls") for name in downloads)
    files = {name: entry for name, entry in catalogue.items() if entry["kind"] != "synthetic"}
    assert by_hand - {"beeradvocate-csv"} == {
        name for name, entry in files.items() if not entry.get("urls")
    } - {"beeradvocate-csv"}
    [row] = re.findall(r"the checksum of the catalogue, where it has one: (.*) \|", text)
    own, without = re.findall(r"^MovieLens \(but (.*?)\), (.*)$", row)[0][::-1]
    movielens = {name for name in catalogue if name.startswith("ml-")} - named(without, catalogue)
    assert movielens | named(own, catalogue) == {
        name for name, entry in catalogue.items() if entry.get("checksum")
    }


def test_the_pages_are_short_and_no_sentence_stands_on_two():
    """But for README and the index, which lead to the others, and what is generated."""
    where = {}
    for path in sorted((ROOT / "docs").glob("*.md")):
        text = re.sub(r"<!--\s*\{.*?-->.*?<!--/-->", " ", path.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r"<!--.*?-->|^```.*?^```$|\]\([^)]*\)", " ", text, flags=re.DOTALL | re.M)
        for part in re.split(r"\n\s*\n|\n(?=[-|#\d])", text):
            words = re.findall(r"[\w@.√/']+", part)
            for run in zip(*(words[k:] for k in range(TOGETHER)), strict=False):
                where.setdefault(" ".join(run), set()).add(path.name)
    assert {run: names for run, names in where.items() if len(names - {"index.md"}) > 1} == {}
    texts = [path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md")]
    assert sum(map(pages.marks.words, texts)) <= MOST

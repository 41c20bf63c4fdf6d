"""Links between pages lead to a file and a heading that are there, and every page is linked."""

import itertools
import re
from pathlib import Path

from each import each
from pages import read

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / folder / "README.md" for folder in ("config", "benchmarks")),
    *DOCS.glob("*.md"),
    *(path for folder in ("reference", "developers") for path in (DOCS / folder).rglob("*.md")),
]
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def links(path):
    """Return where a page's links lead, as a path and the name of a heading ("" for none).

    Links to other hosts are left out.
    """
    found = LINK.findall(FENCED.sub("", read(path)))
    parts = [link.partition("#")[::2] for link in found if not re.match(r"https?:|mailto:", link)]
    return [((path.parent / file).resolve() if file else path, head) for file, head in parts]


def headings(text):
    """Return the names by which a code host and the site link the headings of a page.

    >>> sorted(headings("# What is `AP`?\\n## One\\n## One\\n"))
    ['one', 'one-1', 'what-is-ap']
    """
    names: set[str] = set()
    for title in re.findall(r"^#{1,6} (.+)$", FENCED.sub("", text), re.MULTILINE):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).strip().replace(" ", "-")
        again = (f"{name}-{k}" for k in itertools.count(1))
        names.add(name if name not in names else next(n for n in again if n not in names))
    return names


def broken(path):
    """Return what a page's links lead to that is not there."""
    for target, heading in links(path):
        if not target.exists():
            yield f"{target.name} is not there"
        elif heading and target.suffix == ".md":
            text = read(target)
            if heading not in headings(text) | {*re.findall(r'(?:id|name)="([^"]+)"', text)}:
                yield f"{target.name} has no heading #{heading}"


@each("path", PAGES)
def test_links_lead_to_files_and_headings(path):
    assert [*broken(path)] == []


def test_every_page_is_linked_from_another_and_stands_in_the_contents():
    linked = {target for path in PAGES for target, _ in links(path) if target != path}
    contents = {target for target, _ in links(DOCS / "index.md")}
    pages = [path for path in PAGES if path.parent in (DOCS, DOCS / "reference")]
    own = [path for path in pages if path != DOCS / "index.md"]
    assert len(own) > 30
    assert [path.name for path in own if path not in linked] == []
    assert [path.name for path in own if path not in contents] == []


def test_a_broken_link_is_told(tmp_path):
    (tmp_path / "there.md").write_text("# A heading\n")
    page = tmp_path / "page.md"
    page.write_text("[a](there.md#a-heading) [b](there.md#another) [c](gone.md) [d](#own)\n# Own\n")
    assert [*broken(page)] == ["there.md has no heading #another", "gone.md is not there"]

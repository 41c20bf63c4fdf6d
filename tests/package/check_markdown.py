"""Pages on a code host: what its Markdown shows is the page without comments: a step of .ci/run.

It needs the packages of requirements-docs.lock.
"""

import re

import pytest
from markdown_it import MarkdownIt
from pages import DOCS, ROOT, marks

APART = {"_build", "_project"}
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
PAGES = [ROOT / "README.md", *(p for p in DOCS.rglob("*.md") if not APART & {*p.parts})]


def shown(page):
    """Return the HTML of a page; a list may be in several parts, with less or more room."""
    html = re.sub(r"<!--.*?-->", "", MARKDOWN.render(page), flags=re.DOTALL)
    html = re.sub(r"</?(?:p|ul|ol[^>]*)>", "", html)
    return " ".join(re.sub(r"\s*(</?(?:li|t\w+|pre|h\d)[^>]*>)\s*", r"\1", html).split())


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_comments_do_not_show(path):
    page = path.read_text(encoding="utf-8")
    html = shown(page)
    assert html == shown(marks.shown(page))
    text = re.sub(r"<pre>.*?</pre>|<code>.*?</code>", "", html, flags=re.DOTALL)
    assert not re.search(r"\{\{|\{%|&lt;!--", text)

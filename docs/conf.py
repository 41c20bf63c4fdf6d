"""The site of the documentation: `./run python -m sphinx -W --keep-going docs docs/_build/html`."""

import posixpath
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT / "src"), str(HERE)]

from docutils import nodes  # noqa: E402
from marks import shown  # noqa: E402

import rankassay  # noqa: E402

project = "rankassay"
release = rankassay.__version__
copyright = "the authors of rankassay"
extensions = ["myst_parser"]
exclude_patterns = ["_build", "images", "examples", "measured"]
highlight_language = "text"
nitpicky = True
smartquotes = False  # quotes are mostly those of code

html_theme = "furo"
html_title = "rankassay"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_domain_indices = False

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

# Files of the project that the site has as pages, too, and the pages' names.
COPIED = {
    "config/README.md": "_project/configuration",
    "benchmarks/README.md": "_project/benchmarks",
    "CHANGELOG.md": "_project/changelog",
}


def on_site(text: str, file: str) -> str:
    """Return a file of the project's as the site shows it: links to what is no page are text."""

    def link(match: re.Match) -> str:
        words, target, heading = match.groups(default="")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), target))
        if path in COPIED:
            return f"[{words}](/{COPIED[path]}.md{heading})"
        if path.startswith("docs/") and not path.startswith("docs/examples"):
            return f"[{words}](/{path.removeprefix('docs/')}{heading})"
        return words

    return re.sub(r"(?<!!)\[([^]]+)\]\((?![a-z]+:)([^)#\s]+)(#[^)\s]*)?\)", link, text)


for file, name in COPIED.items():
    page = HERE / f"{name}.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text(on_site((ROOT / file).read_text(encoding="utf-8"), file), encoding="utf-8")


def with_contents(text: str) -> str:
    """Return a page of contents with a hidden toctree below each section: the pages it links."""
    known: set[str] = set()
    parts = []
    for part in re.split(r"(?=^## )", text, flags=re.MULTILINE):
        links = [link for link in re.findall(r"\]\(/([\w/-]+)\.md\)", part) if link not in known]
        known |= {*links}
        title = part.strip().partition("\n")[0].lstrip("# ")
        pages = "\n".join(f"/{link}" for link in dict.fromkeys(links))
        tree = f"```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {title}\n\n{pages}\n```\n\n"
        parts += [part.rstrip("\n"), "\n\n", tree if links else ""]
    return "".join(parts)


def setup(app) -> None:
    """Have links rewritten, the contents made, and addresses of mail that are none taken back."""

    def read(app, name, source):
        if not name.startswith("_project/"):
            source[0] = on_site(shown(source[0]), f"docs/{name}.md")
        if name in ("index", "developers/README"):
            source[0] = with_contents(source[0])

    def parsed(app, doctree):
        for address in [*doctree.findall(nodes.reference)]:  # docutils takes nDCG@10 for one
            if address.get("refuri", "").startswith("mailto:"):
                address.replace_self(address.children)

    app.connect("source-read", read)
    app.connect("doctree-read", parsed)

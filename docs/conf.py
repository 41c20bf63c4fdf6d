"""The site of the documentation: `./run python -m sphinx -W --keep-going docs docs/_build/html`."""

import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT / "src"), str(HERE)]
# The notebook's processes are to find the package, too, and to sum as the pipeline does.
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
os.environ.setdefault("OMP_NUM_THREADS", "1")

from docutils import nodes  # noqa: E402

import rankassay  # noqa: E402

project = "rankassay"
release = rankassay.__version__
copyright = "the authors of rankassay"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_argparse_cli"]
exclude_patterns = ["_build", "images", "examples", "measured", "templates"]
highlight_language = "text"
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # a name that no page describes shows as code
default_role = "py:obj"
add_module_names = False
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say them
napoleon_google_docstring = False
napoleon_use_rtype = False
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

nb_execution_mode = "force"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_output_stderr = "remove"

# Links between folders of the project, as a code host follows them, and the pages they stand for.
PAGES = {
    "../config/README.md": "/settings.md",
    "../benchmarks/README.md": "/benchmarks.md",
    "../CHANGELOG.md": "/changelog.md",
    "../docs/": "/",
    "docs/": "/",
}
# Pages that lead to a file elsewhere where a code host shows them; the site has the file in place.
INCLUDED = {page[1:-3]: path for path, page in PAGES.items() if page.endswith(".md")}


def on_site(text: str) -> str:
    """Return a page of the project's as the site shows it, with links to its pages."""
    for target, page in PAGES.items():
        text = text.replace(f"]({target}", f"]({page}")
    return re.sub(r"\[([^]]+)\]\((?:\.\./|examples)[^)]*\)", r"\1", text)  # to no page


def setup(app) -> None:
    """Have the pages of the reference filled in, and the links of all others rewritten."""

    def read(app, name, source):
        text = source[0]
        if name in INCLUDED:
            source[0] = f"```{{include}} {INCLUDED[name]}\n```\n"
            return
        if name.startswith("reference/"):
            return
        if name.startswith("decisions/"):  # one folder deeper
            text = re.sub(r"\]\(\.\./(?!\.\./)", "](/", text).replace("](../../", "](../")
        source[0] = on_site(text)

    def included(app, path, parent, content):
        content[0] = on_site(content[0])

    def parsed(app, doctree):
        for address in [*doctree.findall(nodes.reference)]:  # docutils takes nDCG@10 for one
            if address.get("refuri", "").startswith("mailto:"):
                address.replace_self(address.children)

    app.connect("source-read", read)
    app.connect("include-read", included)
    app.connect("doctree-read", parsed)

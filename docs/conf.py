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

import generate  # noqa: E402

import assayer  # noqa: E402

project = "assayer"
release = assayer.__version__
copyright = "the authors of assayer"
extensions = ["myst_nb"]
exclude_patterns = ["_build", "images", "examples", "measured", "templates"]
highlight_language = "text"
nitpicky = True
smartquotes = False  # quotes are mostly those of code

html_theme = "furo"
html_title = "assayer"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False

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
    "../docs/": "/",
}
MERMAID = re.compile(r"```mermaid\n.*?\n```\n+(The same as text:\n+)?", re.DOTALL)


def on_site(text: str) -> str:
    """Return a page of the project's as the site shows it: links to its pages, no diagrams.

    Mermaid diagrams would need a script from another host; what they show stands below them.
    """
    text = MERMAID.sub("", text)
    for target, page in PAGES.items():
        text = text.replace(f"]({target}", f"]({page}")
    return re.sub(r"\[([^]]+)\]\((?:\.\./|examples)[^)]*\)", r"\1", text)  # to no page


def setup(app) -> None:
    """Write the generated pages, and have links rewritten."""
    generate.write(HERE / "generated")

    def read(app, name, source):
        if not name.startswith("generated/"):
            source[0] = on_site(source[0])

    def included(app, path, parent, content):
        content[0] = on_site(content[0])

    app.connect("source-read", read)
    app.connect("include-read", included)

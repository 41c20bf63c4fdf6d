"""Write the pages with measured numbers, and their pictures, from the tables of one run.

config/config.yaml and config/schema.json are written, too, from the models of the settings, and
docs/examples/notebook.ipynb from the page of the notebook.

    ./run python docs/render.py                 # every page of docs/templates
    ./run python docs/render.py sampling.md        # one page, or as reference/claims.md
    ./run python docs/render.py --check         # say which differ, and fail
    ./run python docs/render.py --from FOLDER   # first take the tables of the run in FOLDER
    ./run python docs/render.py --advice FOLDER # first take its answer on MovieLens 1M alone
    ./run python docs/render.py --splits FOLDER # first take those of ten splits, from their run
    ./run python docs/render.py --atlas FOLDER  # first take those across datasets, from their run
    ./run python docs/render.py --pictures      # draw all pictures, as after a change of figures

A template is a page whose measured numbers stand as `{{ ... }}`, from the tables of docs/measured;
one in templates/reference is a page of docs/reference. What it may use is in `measured.py` (tables)
and `formats.py` (how numbers are written). Pictures are drawn where a table has changed since
(`pictures.py`).
"""

import argparse
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

import catalogues
import citation
import demo
import jinja2
import pictures
from formats import HELPERS
from marks import filled, marks, written
from measured import Tables, advice, refresh, refresh_advice, refresh_atlas, refresh_splits
from notebooks import notebook

from rankassay.config import reference
from rankassay.errors import RankassayError, one_of

HERE = Path(__file__).parent
ROOT = HERE.parent
TEMPLATES = HERE / "templates"
NOTEBOOK = HERE / "notebook.md"
HEAD = (
    "<!-- Written from docs/templates/{name} by `./run python docs/render.py`: "
    "change the template, not this page. -->\n"
)
TYPED = re.compile(r"[ \t]*(?:\{#|<!--) typed: *\S.*?(?:#\}|-->)")

# What is no measured number wherever it stands: code, comments, links, places in a paper.
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|<!--.*?-->|\{#.*?#\}", re.DOTALL | re.MULTILINE)
EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
PLACES = re.compile(
    r"\]\([^)]*\)|\b(?:[Ss]ections?|Python)\s\d[\d.]*(?:(?:,\s|\sand\s|,\sand\s)\d[\d.]*\d)*"
)
NUMBER = (
    r"(?:\d[\d,]*|(?<!\w)(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|all|none)"
    r"(?!\w))"
)
COUNTED = "pairs|claims|verdicts|users|cells|exceptions|permutations|resamples"
NUMBERS = re.compile(
    r"(?<![\w.])\d*\.\d+"  # a decimal
    r"|\d\s?%"
    rf"|(?<![\w.])\d[\d,]*(?:\s\w+)?\s(?:{COUNTED}|systems|ratings)\b"
    rf"|(?<!\w){NUMBER}\sof\s(?:the\s|all\s)?{NUMBER}(?!\w)",
    re.IGNORECASE,
)
# A number that an expression only repeats.
LITERAL = re.compile(
    r"""\{\{-?\s*(?:-?[\d.]+|"[^"]*\d[^"]*"|'[^']*\d[^']*')\s*(?:\|[^}]*)?\}\}"""
    r"|\{%-?\s*set\s+\w+\s*=\s*-?\d*\.\d+\s*-?%\}"
)


def pages(names: Sequence[str] = (), tables: Tables | None = None) -> dict[Path, str]:
    """Return the text of the named pages, or of all that is written from something, by path."""
    tables = tables or Tables()
    known = {str(path.relative_to(TEMPLATES)): path for path in sorted(TEMPLATES.rglob("*.md"))}
    found = {}
    own = sources().keys() | known
    for name in names or sorted(own):
        one_of("page", name, own)
        place = ROOT if name == "README.md" else HERE
        found[place / name] = (render if name in known else fill)(
            known.get(name, place / name), tables
        )
    if not names:
        found[ROOT / "config/config.yaml"] = reference.defaults()
        found[ROOT / "config/schema.json"] = reference.schema()
        found[HERE / "examples/notebook.ipynb"] = notebook(NOTEBOOK.read_text(encoding="utf-8"))
    return found


def sources() -> dict[str, Path]:
    """Return the pages that have marks, by name."""
    found = {str(path.relative_to(HERE)): path for path in sorted(HERE.rglob("*.md"))}
    found |= {"README.md": ROOT / "README.md"}
    return {
        name: path
        for name, path in found.items()
        if path.is_file() and not name.startswith("templates/")
        if marks(path.read_text(encoding="utf-8"))
    }


def fill(path: Path, tables: Tables) -> str:
    """Return a page with its marks filled; errors name the page, the line and what is wrong."""
    page = path.read_text(encoding="utf-8")
    _check(path, written(page))

    def render(template: str, line_of: Callable[[int], int]) -> str:
        try:
            return _environment(tables).from_string(TYPED.sub("", template)).render()
        except jinja2.TemplateSyntaxError as error:
            raise RankassayError(f"{path.name}:{line_of(error.lineno)}: {error}") from error
        except Exception as error:
            raise RankassayError(f"{path.name}:{line_of(_line(error))}: {error}") from error

    try:
        return filled(page, render)
    except ValueError as error:
        raise RankassayError(f"{path.name}:{error}.") from error


def render(path: Path, tables: Tables) -> str:
    """Return the page of a template; errors name the template, its line and what is wrong."""
    source = path.read_text(encoding="utf-8")
    _check(path, source)
    environment = _environment(tables)
    try:
        text = environment.from_string(TYPED.sub("", source)).render()
    except jinja2.TemplateSyntaxError as error:
        raise RankassayError(f"{path.name}:{error.lineno}: {error}") from error
    except Exception as error:
        raise RankassayError(f"{path.name}:{_line(error)}: {error}") from error
    lines = [line.rstrip() for line in text.split("\n")]
    name = path.relative_to(TEMPLATES) if path.is_relative_to(TEMPLATES) else path.name
    return HEAD.format(name=name) + "\n" + "\n".join(lines)


def _check(path: Path, source: str) -> None:
    for number, text in typed(source):
        raise RankassayError(
            f"{path.name}:{number}: '{text}' is typed; take it from a table, or say why not in "
            "<!-- typed: ... --> at the end of the line."
        )


def _environment(tables: Tables) -> jinja2.Environment:
    """Return what pages may use."""
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.do"],
    )
    environment.globals |= HELPERS | demo.HELPERS | citation.HELPERS | catalogues.names_of_pages()
    environment.filters |= HELPERS
    environment.globals |= {name: getattr(tables, name) for name in ("rows", "row", "setting")}
    environment.globals["answered"] = advice
    return environment


def typed(source: str) -> list[tuple[int, str]]:
    """Return the measured numbers that a template types rather than takes from a table, by line.

    These are decimals, percentages, counts (`18 pairs`) and parts (`ten of eleven`) outside of
    `{{ }}` and code, and expressions that only repeat a number; lines that end in
    `{# typed: reason #}` may have them.
    """
    found = []
    literal = CODE.sub(_blank, source)
    prose = PLACES.sub(_blank, EXPRESSION.sub(_blank, literal))
    allowed = [bool(TYPED.search(line)) for line in source.split("\n")]
    for text, pattern in ((literal, LITERAL), (prose, NUMBERS)):
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start())
            if not allowed[line]:
                found.append((line + 1, match.group().replace("\n", " ")))
    return sorted(found)


def _blank(match: re.Match) -> str:
    """Return nothing to read in place of what is no prose, with its line breaks."""
    return re.sub(r"[^\n]", "¤", match.group())


def _line(error: Exception) -> int:
    """Return the line of the template at which an error was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == "<template>"), 0)


def main(arguments: list[str] | None = None) -> None:
    """Write the pages, or say which are not what their templates give."""
    parser = argparse.ArgumentParser(
        description="Write the pages with measured numbers from their templates."
    )
    parser.add_argument("pages", nargs="*", help="such as sampling.md; all, where none is named")
    parser.add_argument("--check", action="store_true", help="say which pages differ, and fail")
    parser.add_argument("--from", dest="run", type=Path, help="take the tables of this run first")
    parser.add_argument("--advice", type=Path, help="take the answer of this run first")
    parser.add_argument("--splits", type=Path, help="take the tables of this run of ten splits")
    parser.add_argument("--atlas", type=Path, help="take the tables of this run across datasets")
    parser.add_argument("--pictures", action="store_true", help="draw all pictures anew")
    options = parser.parse_args(arguments)
    try:
        _main(options)
    except RankassayError as error:
        sys.exit(f"render: {error}")


def _main(options: argparse.Namespace) -> None:
    if options.run:
        refresh(options.run)
    if options.run or options.advice:
        refresh_advice(options.run or options.advice)
    if options.splits:
        refresh_splits(options.splits)
    if options.atlas:
        refresh_atlas(options.atlas)
    found = pages(options.pages)
    differing = [
        path
        for path, text in found.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    stale = [] if options.pages else pictures.stale()
    if options.check and (differing or stale):
        names = ", ".join([str(path.relative_to(ROOT)) for path in differing] + stale)
        raise RankassayError(
            f"not as the templates and tables give them: {names}; run docs/render.py."
        )
    if options.check:
        return
    for path in differing:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found[path], encoding="utf-8")
    for name in pictures.NAMES if options.run or options.pictures else stale:
        if options.run or name in stale or name != pictures.REPORT:  # which takes a run
            pictures.write(name, options.run)


if __name__ == "__main__":
    main()

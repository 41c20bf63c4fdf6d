"""Fill the pages in: numbers from the tables of one run, and what the code knows of itself.

config/config.yaml and config/schema.json are written, too, from the models of the settings, and
docs/examples/notebook.ipynb from the page of the notebook.

    ./run python docs/render.py                 # every page with marks
    ./run python docs/render.py sampling.md     # one page, or as reference/claims.md
    ./run python docs/render.py --check         # say which differ, and fail
    ./run python docs/render.py --words         # say how many words the pages have
    ./run python docs/render.py --from FOLDER   # first take the tables of the run in FOLDER
    ./run python docs/render.py --advice FOLDER # first take its answer on MovieLens 1M alone
    ./run python docs/render.py --splits FOLDER # first take those of ten splits, from their run
    ./run python docs/render.py --atlas FOLDER  # first take those across datasets, from their run
    ./run python docs/render.py --pictures      # draw all pictures, as after a change of figures

`marks.py` says how a page is written. What its marks may use is in `measured.py` (tables),
`formats.py` (how numbers are written), `demo.py` (answers) and `catalogues.py` (the reference).
Pictures are drawn where a table has changed since (`pictures.py`).
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
from marks import words as count_words
from measured import Tables, advice, refresh, refresh_advice, refresh_atlas, refresh_splits
from notebooks import notebook

from rankassay.config import reference
from rankassay.errors import RankassayError, one_of

HERE = Path(__file__).parent
ROOT = HERE.parent
NOTEBOOK = HERE / "notebook.md"
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
    tables, own = tables or Tables(), marked()
    for name in names:
        one_of("page with marks", name, own)
    found = {own[name]: render(own[name], tables) for name in names or own}
    if not names:
        found[ROOT / "config/config.yaml"] = reference.defaults()
        found[ROOT / "config/schema.json"] = reference.schema()
        found[HERE / "examples/notebook.ipynb"] = notebook(NOTEBOOK.read_text(encoding="utf-8"))
    return found


def marked() -> dict[str, Path]:
    """Return the pages that have marks, by name."""
    paths = {str(path.relative_to(HERE)): path for path in sorted(HERE.rglob("*.md"))}
    paths["README.md"] = ROOT / "README.md"
    found = {}
    for name, path in paths.items():
        try:
            if path.is_file() and marks(_read(path)):
                found[name] = path
        except ValueError as error:
            raise RankassayError(f"{name}:{error}.") from error
    return found


def render(path: Path, tables: Tables) -> str:
    """Return a page with its marks filled; errors name the page, the line and what is wrong."""
    page = _read(path)
    for number, text in typed(page):
        raise RankassayError(
            f"{path.name}:{number}: '{text}' is typed; take it from a table, or say why not in "
            "<!-- typed: ... --> at the end of the line."
        )
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

    def results(template: str, line_of: Callable[[int], int]) -> str:
        try:
            return environment.from_string(TYPED.sub("", template)).render()
        except Exception as error:
            bad = isinstance(error, jinja2.TemplateSyntaxError)
            line = line_of(error.lineno if bad else _line(error))
            raise RankassayError(f"{path.name}:{line}: {error}") from error

    try:
        return filled(page, results)
    except ValueError as error:
        raise RankassayError(f"{path.name}:{error}.") from error


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def typed(source: str) -> list[tuple[int, str]]:
    """Return the measured numbers that a page types rather than takes from a table, by line.

    These are decimals, percentages, counts (`18 pairs`) and parts (`ten of eleven`) outside of
    marks and code, and expressions that only repeat a number; lines that end in
    `<!-- typed: reason -->` may have them, or `{# typed: reason #}` within a mark.
    """
    found, source = [], written(source)
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
    """Return the line of a template at which an error was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == "<template>"), 0)


def main(arguments: list[str] | None = None) -> None:
    """Fill the pages in, or say in which something else stands."""
    parser = argparse.ArgumentParser(description="Fill in what is generated of the pages.")
    parser.add_argument("pages", nargs="*", help="such as sampling.md; all, where none is named")
    parser.add_argument("--check", action="store_true", help="say which pages differ, and fail")
    parser.add_argument("--words", action="store_true", help="say how many words there are")
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


def words() -> dict[str, int]:
    """Return the number of words of each page of docs, by name."""
    return {path.name: count_words(_read(path)) for path in sorted(HERE.glob("*.md"))}


def _main(options: argparse.Namespace) -> None:
    if options.words:
        counts = words()
        print("".join(f"{n:6} {name}\n" for name, n in counts.items()), sum(counts.values()))
        return
    if options.run:
        refresh(options.run)
    if options.run or options.advice:
        refresh_advice(options.run or options.advice)
    if options.splits:
        refresh_splits(options.splits)
    if options.atlas:
        refresh_atlas(options.atlas)
    found = pages(options.pages)
    differing = [path for path, text in found.items() if not path.is_file() or _read(path) != text]
    stale = [] if options.pages else pictures.stale()
    if options.check and (differing or stale):
        names = ", ".join([str(path.relative_to(ROOT)) for path in differing] + stale)
        raise RankassayError(f"not as marks and tables give them: {names}; run docs/render.py.")
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

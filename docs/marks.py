r"""Pages in which what is generated stands between marks, and is filled in place.

    of the τ of P@10, <!--{{ num(here.tau, 2) }}-->.84<!--/-->, half is chance

A mark is a comment with jinja, followed by what it gives and by `<!--/-->`. At the start of a line
it gives whole lines, as a table; else a part of a sentence or of a cell, where its `|` is written
`\|`. A comment with jinja that gives nothing holds definitions for all of the page: it is read
before the marks, wherever it stands.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

FENCE = r"^ *(?P<fence>```+)[^\n]*\n.*?^ *(?P=fence) *$"
CODE = re.compile(rf"{FENCE}|`[^`\n]+`", re.DOTALL | re.MULTILINE)
COMMENT = r"<!--(?P<said>(?:(?!-->).)*)-->"
TOKEN = re.compile(rf"{COMMENT}|{CODE.pattern}", re.DOTALL | re.MULTILINE)
ALONE = re.compile(rf"^{COMMENT} *\n|{TOKEN.pattern.replace('said', 'own')}", TOKEN.flags)
JINJA = re.compile(r"\{[{%]")
SEPARATOR = "\0"  # between the results of sources


@dataclass(frozen=True)
class Mark:
    """A comment with jinja: where it begins and ends, and where its result ends, if it has one."""

    page: str
    start: int
    end: int
    result: int | None

    @property
    def line(self) -> int:
        """Return the line of the page that its source begins in."""
        return self.page.count("\n", 0, self.start) + 1

    @property
    def block(self) -> bool:
        """Return whether it stands at the start of a line, and its result on lines of its own."""
        return self.page[: self.start].rpartition("\n")[2].strip() == ""

    @property
    def source(self) -> str:
        """Return its jinja."""
        source = self.page[self.start + 4 : self.end - 3]
        return source if self.block else source.replace(r"\|", "|")

    def filled(self, value: str) -> str:
        """Return the comment with a result."""
        value = "\n".join(line.rstrip() for line in value.strip("\n").split("\n"))
        if self.block:
            value = f"\n{value}\n" if value else "\n"
        return f"{self.page[self.start : self.end]}{value}<!--/-->"


def marks(page: str) -> list[Mark]:
    """Return the comments of a page that have jinja; ValueError for a `<!--/-->` of none."""
    found: list[Mark] = []
    comments = [own for own in TOKEN.finditer(page) if own["said"] is not None]
    for own, after in zip(comments, [*comments[1:], None], strict=False):
        if own["said"] == "/":
            if not found or found[-1].result != own.start():
                raise ValueError(
                    f"{page.count(chr(10), 0, own.start()) + 1}: <!--/--> ends no mark"
                )
        elif JINJA.search(own["said"]):
            result = after.start() if after and after["said"] == "/" else None
            found.append(Mark(page, own.start(), own.end(), result))
    return found


def filled(page: str, render: Callable[[str, Callable[[int], int]], str]) -> str:
    """Return a page with new results.

    `render` takes a template, and a function that says which line of the page one of its lines is.
    """
    own = sorted(marks(page), key=lambda mark: mark.result is not None)
    starts: list[tuple[int, int]] = []
    template = ""
    for mark in own:
        template += SEPARATOR
        starts.append((template.count("\n") + 1, mark.line))
        template += mark.source

    def line_of(line: int) -> int:
        first, place = [each for each in starts if each[0] <= line][-1]
        return place + line - first

    values = render(template, line_of).split(SEPARATOR)[1:]
    text, end = "", 0
    for mark, value in sorted(zip(own, values, strict=True), key=lambda each: each[0].start):
        if mark.result is None:
            if value.strip():
                raise ValueError(f"{mark.line}: expected <!--/--> after {value.strip():.40}")
            continue
        text += page[end : mark.start] + mark.filled(value)
        end = mark.result + len("<!--/-->")
    return text + page[end:]


def shown(page: str) -> str:
    """Return a page as it is shown, without comments."""
    text = ALONE.sub(lambda own: "" if own[0].startswith("<!--") else own[0], page)
    return "\n".join(line.rstrip() for line in text.split("\n"))


def words(page: str) -> int:
    """Return the number of words of a page as it is shown, without signs of tables."""
    return sum(bool(re.search(r"\w", word)) for word in shown(page).split())


def written(page: str) -> str:
    """Return what hands have written of a page, sources included, with its lines and columns."""
    text, end = "", 0
    for mark in marks(page):
        result = page[mark.end : mark.result or mark.end]
        text += page[end : mark.start] + "¤¤¤¤" + page[mark.start + 4 : mark.end - 3] + "¤¤¤"
        text += re.sub(r"[^\n]", "¤", result)
        end = mark.result or mark.end
    return text + page[end:]

"""Marks in pages: what is filled in, what is shown, and what a code host would show otherwise."""

import pytest
from pages import marks, misplaced


def filled(page, results=str.upper):
    """Return a page whose marks give their sources in capitals."""
    return marks.filled(page, lambda template, line_of: results(template))


def test_a_mark_gives_a_part_of_a_line_or_lines_of_its_own():
    page = "A <!--{{ b }}-->old<!--/-->.\n\n<!--\n{{ c\nd }}\n-->\nold\nold\n<!--/-->\n"
    new = "A <!--{{ b }}-->{{ B }}<!--/-->.\n\n<!--\n{{ c\nd }}\n-->\n{{ C\nD }}\n<!--/-->\n"
    assert filled(page) == new
    assert filled(new) == new
    assert marks.shown(new) == "A {{ B }}.\n\n{{ C\nD }}\n"


def test_definitions_are_read_first_and_lines_of_errors_are_those_of_the_page():
    page = "\nA <!--{{ b }}--><!--/-->\n\n<!--\n{% set b = 1 %}\n-->\n"

    def results(template, line_of):
        lines = template.split("\n")
        assert "set b" in lines[1]
        assert line_of(2) == 5
        assert line_of(1 + next(n for n, line in enumerate(lines) if "{{ b" in line)) == 2
        return "\0\n\0one"

    assert marks.filled(page, results) == page.replace("}}-->", "}}-->one")


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("a\n<!--/-->", "2: <!--/--> ends no mark"),
        ("<!--{{ a }}-->1<!--/--> b <!--/-->", "1: <!--/--> ends no mark"),
        ("Kept. <!-- a note -->\nProse <!--/-->", "2: <!--/--> ends no mark"),
        ("a\nb <!--{{ c }}-->1", "2: expected <!--/--> after {{ C }}"),
    ],
)
def test_a_mark_ends_once(page, message):
    with pytest.raises(ValueError, match=message):
        filled(page)


def test_a_cell_has_its_bars_behind_a_backslash():
    page = r"| <!--{{ a \| b }}-->1<!--/--> |"
    assert r"{{ A | B }}" in filled(page)
    assert [*misplaced(page)] == []
    assert [*misplaced(page.replace("\\", ""))] == [
        (1, r"a mark within a cell with | rather than \|")
    ]


def test_comments_in_code_are_shown():
    page = "`<!--{{ a }}-->`\n\n```\n<!-- b -->\n```\n<!-- c -->\nd <!-- typed: e -->\n"
    assert filled(page) == page
    assert marks.shown(page) == "`<!--{{ a }}-->`\n\n```\n<!-- b -->\n```\nd\n"


@pytest.mark.parametrize(
    "page",
    [
        "`<!--{{ a }}-->1<!--/-->`",
        "- <!--{{ a }}-->1<!--/--> b",
        "## <!--{{ a }}-->1<!--/--> b",
        "1. <!--{{ a }}-->1<!--/--> b",
        "a <!--{{ b }}-->1\n2<!--/-->",
        "a <!--{{ '--b' }}-->1<!--/-->",
        "[a](<!--{{ b }}-->1<!--/-->)",
    ],
)
def test_what_a_code_host_would_show_otherwise_is_told(page):
    assert len([*misplaced(page)]) == 1

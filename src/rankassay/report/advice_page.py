"""Advice as a page of its own, as the card of a report, and as a cell of a notebook."""

import base64
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from rankassay.advice import figure as advice_figure
from rankassay.advice import words
from rankassay.advice.words_names import unshortened
from rankassay.advice.words_trust import LABELS, SAID
from rankassay.errors import number_of
from rankassay.report import advice_tables as tables
from rankassay.report import pictures
from rankassay.report.templating import environment

Found = Mapping[str, Any]
PAGE_LEVEL, NOTEBOOK_LEVEL = 2, 4  # of the headings in a card
LONGEST, LISTED = 40, 400  # characters of a run's name, and of the list of pairs, in a card
NOTHING = (None, [], {})


def page(found: Found) -> str:
    """Return advice as a page of HTML that fetches nothing; the same advice gives the same text.

    Parameters
    ----------
    found : mapping
        As `rankassay.advice.findings.Findings.to_dict` returns it.
    """
    parts = {
        "data": found["data"],
        "version": found["version"],
        "level": f"{100 * found['settings']['confidence']:g}%",
        "card": card(found, PAGE_LEVEL),
        "systems": tables.systems(found),
        "measures": tables.measures(found),
        "number_of_parts": found["settings"]["samples"],
        "permutations": found["settings"]["permutations"],
        "figure": _figure(found),
        "trust": _trust(found),
        "pairs": tables.pairs(found),
        "standing": sum(bool(own["stands"]) for own in found["pairs"]),
        "different": sum(not own["identical"] for own in found["pairs"]),
        "exposures": tables.exposures(found),
        "notes": found["notes"],
        "settings": tables.plain(_settings(found)),
        "command": found["settings"].get("command"),
    }
    return environment().get_template("advice_page.html").render(parts)


def card(found: Found, level: int = NOTEBOOK_LEVEL) -> Markup:
    """Return the answer alone, as a page shows it that has the styles of templates/advice.css.

    `level` is that of its headings. The sentences are those of the screen.
    """
    macros = environment().get_template("advice.html").module
    return macros.card(words.passages(found, LONGEST, LISTED), level)


def notebook(found: Found) -> str:
    """Return the answer for a notebook, with its styles and in the colours of the notebook."""
    source = environment().globals["source"]
    styles = [
        source("rankassay.report", f"templates/{name}.css") for name in ("advice", "advice_alone")
    ]
    return f"<style>{''.join(styles)}</style>{card(found)}"


def _figure(found: Found) -> dict[str, Any] | None:
    """Return the figure of the measures as an image that a page holds; None if nothing is known."""
    known = [own.head for own in tables.measures(found).columns[1:]]
    if not known:
        return None
    svg = pictures.text_of(advice_figure.measures(found))
    picture = pictures.Album().picture(svg, "the figure of advice")
    source = base64.b64encode(svg.encode()).decode("ascii")
    return {
        "source": f"data:image/svg+xml;base64,{source}",
        "width": picture.width,
        "height": picture.height,
        "alt": f"{', '.join(known)} of {number_of(len(found['measures']), 'measure')}",
    }


def _trust(found: Found) -> list[dict[str, Any]]:
    """Return the evidence of each line of trust."""
    name = unshortened([own["system"] for own in found["systems"]])
    return [
        {
            "head": LABELS[own["kind"]].capitalize(),
            "text": SAID[own["kind"]](own, found, name),
            "rows": tables.plain(own["rows"]),
        }
        for own in found["trust"]
        if own["rows"]
    ]


def _settings(found: Found) -> list[dict[str, Any]]:
    """Return the data and the settings, as far as these are informative."""
    every = found["data"] | found["settings"]
    return [
        {"setting": key.replace("_", " "), "value": value}
        for key, value in every.items()
        if value not in NOTHING and key not in ("command", "judged_share_by_run")
    ]

"""Advice as a page of its own, as the card of a report, and as a cell of a notebook."""

import base64
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from rankassay.advice import figure as advice_figure
from rankassay.advice import words
from rankassay.advice.words_evidence import LABELS, SAID
from rankassay.advice.words_names import namer, reported
from rankassay.errors import NothingToShowError
from rankassay.report import advice_tables as tables
from rankassay.report.shelf import Album, text_of
from rankassay.report.templating import environment

Found = Mapping[str, Any]
PAGE_LEVEL, NOTEBOOK_LEVEL = 2, 4  # of the headings in a card
LONGEST, LISTED = 40, 400  # characters of a run's name, and of the list of pairs, in a card
NOTHING = (None, [], {})
OPTION = "--pairs"  # what the screen says of more pairs, which a page lists


def page(found: Found) -> str:
    """Return advice, as `Findings.to_dict` returns it, as a page of HTML that fetches nothing."""
    parts = {
        "data": found["data"],
        "version": found["version"],
        "level": f"{100 * found['settings']['confidence']:g}%",
        "card": card(found, PAGE_LEVEL),
        "systems": tables.systems(found),
        "measures": tables.measures(found),
        "permutations": found["settings"]["permutations"],
        "trust": _trust(found),
        "pairs": tables.pairs(found),
        "written": sum(bool(own["written"]) for own in found["pairs"]),
        "different": sum(not own["identical"] for own in found["pairs"]),
        "simulated": tables.simulated(found),
        "writing": tables.writing(found),
        "checks": tables.plain(_checks(found)),
        "notes": found["notes"],
        "settings": tables.plain(_settings(found)),
        "command": found["settings"].get("command"),
    }
    return environment().get_template("advice_page.html").render(parts)


def card(found: Found, level: int = NOTEBOOK_LEVEL, pictured: bool = True) -> Markup:
    """Return the answer alone, as a page shows it that has the styles of templates/advice.css.

    `level` is that of its headings, and `pictured` whether the figure opens it. The sentences are
    those of the screen; the table of runs follows on the page.
    """
    macros = environment().get_template("advice.html").module
    parts = (own for own in words.passages(found, LONGEST, LISTED) if own.kind != "runs")
    passages = [replace(own, text=own.text.replace(f": {OPTION}", "")) for own in parts]
    return macros.card(passages, level, figure(found) if pictured else None)


def notebook(found: Found) -> str:
    """Return the answer for a notebook, with its styles and in the colours of the notebook."""
    source = environment().globals["source"]
    styles = [
        source("rankassay.report", f"templates/{name}.css") for name in ("advice", "advice_alone")
    ]
    return f"<style>{''.join(styles)}</style>{card(found, pictured=False)}"


def figure(found: Found) -> dict[str, Any] | None:
    """Return the figure as an image that a page holds; None where there is nothing to draw."""
    try:
        svg = text_of(advice_figure.slopes(found))
    except NothingToShowError:
        return None
    picture = Album().picture(svg, "the figure of advice")
    source = base64.b64encode(svg.encode()).decode("ascii")
    first, usual = map(namer(found), map(str, reported(found)))
    return {
        "source": f"data:image/svg+xml;base64,{source}",
        "width": picture.width,
        "height": picture.height,
        "alt": f"The runs in the order of {usual}, joined to that of {first} with its intervals",
    }


def _trust(found: Found) -> list[dict[str, Any]]:
    """Return the evidence of each line of trust, and of what is true of most data."""
    return [
        {
            "head": LABELS[own["kind"]].capitalize(),
            "text": SAID[own["kind"]](own),
            "rows": tables.plain(own["rows"]),
        }
        for own in found["trust"]
        if own["rows"]
    ]


def _checks(found: Found) -> list[dict[str, Any]]:
    """Return how the reference systems differ, and the limits of simulated data."""
    own = found["checks"]
    if "limits" not in own:
        return []
    named = {"t": "greatest t over Random", "share": "share of their pairs that are significant"}
    return [
        {"reference systems": named[key], "here": own[key], "1 of 40 simulated are below": limit}
        for key, limit in own["limits"].items()
    ]


def _settings(found: Found) -> list[dict[str, Any]]:
    """Return the data and the settings, as far as these are informative."""
    every = found["data"] | found["settings"]
    return [
        {"setting": key.replace("_", " "), "value": value}
        for key, value in every.items()
        if value not in NOTHING and key not in ("command", "judged_share_by_run")
    ]

"""The answer in words: its passages, which the screen, the page and the card lay out."""

from collections.abc import Mapping
from typing import Any

from rankassay.advice import (
    words_conclusions,
    words_evidence,
    words_next,
    words_report,
    words_trust,
)
from rankassay.advice.passages import Passage
from rankassay.advice.words_layout import laid_out
from rankassay.advice.words_names import shortened, unshortened
from rankassay.types import HEIGHT, WIDTH

Found = Mapping[str, Any]
explain, pairs = words_evidence.explain, words_evidence.pairs
LONGEST = 24  # characters of a run's name on the screen


def passages(found: Found, limit: int | None = None, width: int = 10 * WIDTH) -> list[Passage]:
    """Return the parts of the answer in their order.

    Parameters
    ----------
    found : mapping
        As `Findings.to_dict` returns it.
    limit : int or None
        How long the names of runs may be; longer ones are cut where they remain distinct. None
        leaves them whole.
    width : int
        How many characters the list of the conclusions that stand may have.
    """
    runs = [own["system"] for own in found["systems"]]
    name = unshortened(runs) if limit is None else shortened(runs, limit)
    every = [
        words_report.data(found),
        *words_report.verdicts(found),
        words_conclusions.passage(found, name, width),
        words_trust.passage(found, name),
        words_next.passage(found, name),
    ]
    return [own for own in every if own is not None]


def screen(
    found: Found, width: int = WIDTH, height: int = HEIGHT, colour: bool = False
) -> list[str]:
    """Return the answer as lines of one screen, at most `height` of `width` characters.

    What does not fit is left out whole, the least important first: see
    `rankassay.advice.words_layout`. With `colour`, verdicts are bold and evidence is dim.
    """
    return laid_out(passages(found, LONGEST, 2 * (width - 12)), width, height, colour)

"""Verdicts on claims, and the sources of luck that they rest on.

A number could have come out otherwise with other users, another split, or other systems. Each of
these sources says whether the claim holds in (nearly) all that could have been drawn, in some, or
in (nearly) none, and a verdict is certain only where all that were looked at agree.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rankassay.errors import listed

# What a source says of a claim: it holds in (nearly) all draws, in some, or in (nearly) none.
STATES = ALL, SOME, NONE = ("holds", "mixed", "fails")
# By whether the claim holds for the measured number, and whether all sources agree with that.
HOLDS = {ALL: "reproduced", SOME: "reproduced, uncertain"}
FAILS = {SOME: "not shown", NONE: "contradicted"}
UNDEFINED = "undefined"
NOT_TESTABLE = "not testable"  # by no dataset that was studied
NOT_ASKED = "not asked"  # as the run did not compute what the claim is about
WITHOUT = (UNDEFINED, NOT_ASKED, NOT_TESTABLE)  # the words where nothing could be judged
VERDICTS = (*HOLDS.values(), *FAILS.values(), *WITHOUT)
FIRM = (HOLDS[ALL], FAILS[NONE])  # those that no source leaves a doubt of
OURS = "ours"  # the source of a question that no paper asks
# A question that no paper has answered is not reproduced: it has an answer.
ANSWERS = dict(zip(VERDICTS, ("yes", "uncertain", "uncertain", "no", *WITHOUT), strict=True))
WORDS = (*VERDICTS[:4], *dict.fromkeys([*ANSWERS.values()][:4]), *WITHOUT)

# Of each, in figures and tables; that which is reproduced has none or a +.
SIGNS = {
    "reproduced, uncertain": "~",
    "not shown": "?",
    "contradicted": "×",
    "yes": "+",
    "uncertain": "±",
    "no": "−",
    "undefined": "–",
    "not asked": "·",
}

# The sources of one run, and those of several, by the columns that have their states.
OF_RUN = ("users", "systems")
SOURCES = {
    "users": "users",
    "splits": "splits",
    "systems": "systems",
    "other_systems": "other settings",
}
ONE_IN = 20  # so few draws do not count against all others


def state(hold: int, n: int, errors: float = 0.0) -> str:
    """Return whether a claim holds for all, some or none of n draws from a source.

    It holds if it does for at least 95% of the draws, fails if for at most 5%, and is mixed
    otherwise; empty for no draws. Where the n are drawn at random from many more, `errors` asks for
    shares beyond these by this number of standard errors, sqrt(.05 .95 / n), or for all draws where
    no share is: a certain state then stays so with more draws.
    """
    if not n:
        return ""
    share = 1 / ONE_IN
    few = max(n / ONE_IN - errors * math.sqrt(n * share * (1 - share)), 0.0)
    if n - hold <= few:
        return ALL
    return NONE if hold <= few else SOME


def verdict(holds: bool, states: Collection[str]) -> str:
    """Return the verdict on a claim by the states of the sources; empty ones were not looked at.

    It is certain where all sources agree with the measured number: reproduced if it holds, and
    contradicted if it does not. Without any source nothing is certain.
    """
    known = {own for own in states if own}
    if holds:
        return HOLDS[ALL] if known == {ALL} else HOLDS[SOME]
    return FAILS[NONE] if known == {NONE} else FAILS[SOME]


def deciding(holds: bool, states: Mapping[str, str]) -> str:
    """Return the sources that disagree with the measured number, in words; empty if none does."""
    agreed = ALL if holds else NONE
    return listed([SOURCES[name] for name, own in states.items() if own and own != agreed])


def told(holds: Iterable[Any]) -> list[bool | None]:
    """Return a column of truths as a table has them, also one from a file; None for nothing."""
    return [{"True": True, "False": False}.get(str(own)) for own in holds]

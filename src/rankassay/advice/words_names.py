"""How measures, runs and numbers are written in the answer."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rankassay.answers import validity
from rankassay.errors import listed, printable
from rankassay.metrics.catalogue import weighs
from rankassay.metrics.evaluate import Measure
from rankassay.metrics.parameters import readers_name as measure
from rankassay.metrics.precision_recall import PRIOR

CENTRED = "{hits} among the first {cutoff}, less those of as many judged items at random"
HITS = {"P": "hits", "DCG": "discounted hits", "RR": "the reciprocal ranks of hits"}  # by gain
RARE = "rare items count more"
JUDGED = "hits / judged among the first {cutoff}"
# What each measure is, in half a line, where it first stands; the others are well known.
MEANS = {
    "P(denominator='judged')": JUDGED,
    "P(denominator='judged_nan')": f"{JUDGED}; lists without any are excluded",
    "IPS(gain='DCG', power=0)": "discounted hits among the first {cutoff}",
    "P(denominator='smoothed')": f"{JUDGED}, after {PRIOR} more with the share of all users",
}
BLANK = "\u00a0"  # within a name: no line is broken there
DOTS = "…"
PREFIX = "reference: "  # of the names of reference systems
RANDOM = f"{PREFIX}Random"


def defined(name: str, weights: str = "popularity") -> str:
    """Return the readers' name of a measure, explained if it is not well known.

    >>> defined("P(denominator='judged')@50")
    'P@50 of judged items (hits / judged among the first 50)'
    """
    said = _meaning(Measure.parse(name))
    return f"{measure(name, weights)} ({said})" if said else measure(name, weights)


def _meaning(of: Measure) -> str:
    """Return what a measure is, as far as it is not well known."""
    given, weighted = dict(of.parameters), weighs(of.name)
    said = [MEANS[of.name]] if of.name in MEANS else []
    if of.metric == "CP" or given.get("centred"):
        gain = "P" if of.metric == "CP" else given.get("gain", "DCG")
        said = [CENTRED.format(hits=HITS[gain], cutoff="{cutoff}")]
    return "; ".join([*said, *[RARE] * weighted]).format(cutoff=of.cutoff)


def tau(value: Any, below: float | None = None) -> str:
    """Return a correlation with two digits, and more where they would make it perfect.

    So is a bound that a value is called `below`. Losses may exceed 1.

    >>> tau(0.874), tau(0.9987), tau(1.0), tau(-0.004), tau(None), tau(0.7966, 0.8), tau(1.07125)
    ('.87', '.999', '1', '0', 'undefined', '.797', '1.07')
    """
    number = real(value)
    if number is None:
        return "undefined"
    for digits in (2, 3, 4):
        shown = float(f"{number:.{digits}f}")
        if (abs(shown) < 1 or abs(number) >= 1) and (below is None or shown < below):
            return _bare(f"{number:.{digits}f}")
    return f"{number:.6g}".replace("0.", ".", 1)


def decimal(value: Any, digits: int = 3) -> str:
    """Return a number with some decimals and no leading zero.

    >>> decimal(0.7124), decimal(-0.004), decimal(1.5), decimal(0.71, 2)
    ('.712', '-.004', '1.500', '.71')
    """
    return validity.decimal(float(value), digits).replace("−", "-")


def digits_for(*values: Any) -> int:
    """Return how many decimals show the size of each number: three, and up to six below .001.

    >>> digits_for(0.712, 0.006), digits_for(0.00042), digits_for(0.0)
    (3, 5, 3)
    """
    sizes = [abs(own) for own in map(real, values) if own and math.isfinite(own)]
    if not sizes:
        return 3
    return 3 if min(sizes) >= 0.001 else min(6, 1 - math.floor(math.log10(min(sizes))))


def percent(share: Any) -> str:
    """Return a share in percent; 0% and 100% are exact.

    >>> percent(0.1234), percent(0.004), percent(0.9996), percent(0.00001), percent(1.0)
    ('12%', '0.4%', 'above 99.9%', 'below 0.1%', '100%')
    """
    value = 100 * float(share)
    if 0 < value < 0.1:
        return "below 0.1%"
    if 99.9 < value < 100:
        return "above 99.9%"
    digits = 1 if value and (value < 10 or 99 < value < 100) else 0
    text = f"{value:.{digits}f}"
    return f"{text.removesuffix('.0')}%"


def p_value(p: Any) -> str:
    """Return a p-value as people write it.

    >>> p_value(0.62), p_value(0.0004), p_value(0.0499), p_value(0.012)
    ('p = .62', 'p < .001', 'p = .0499', 'p = .012')
    """
    if real(p) is None:
        return "p undefined"
    if p < 0.001:
        return "p < .001"
    digits = 2 if p >= 0.1 else 3
    text = f"{p:.{digits}f}"
    return f"p = {decimal(p, 4) if float(text) == 0.05 and p < 0.05 else _bare(text)}"


def at_most(gamma: Any) -> str:
    """Return a Γ with two decimals, rounded down, so that "up to" holds.

    >>> at_most(1.909), at_most(4.0)
    ('1.9', '4')
    """
    return f"{float(validity.down(float(gamma))):g}"


def median(number: Any) -> str:
    """Return a median of counts.

    >>> median(9.0), median(1.5)
    ('9', '1.5')
    """
    return f"{float(number):,.1f}".removesuffix(".0")


def real(value: Any) -> float | None:
    """Return a number of the object, with infinity for its text; None for none.

    >>> real("Infinity"), real(None), real(0.5)
    (inf, None, 0.5)
    """
    if value is None or isinstance(value, bool) or value != value:
        return None
    return float(value)


def several(names: Sequence[str], most: int = 3) -> str:
    """Return names as words, of which those after `most` are only counted.

    >>> several(["a", "b"]), several(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    if len(names) <= most:
        return listed(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"


def shortened(names: Sequence[object], limit: int = 24) -> dict[str, str]:
    """Return each name in `limit` characters at most, by itself as text; no two are alike.

    Long names keep their beginning and their end, as much of the end as makes them distinct, or
    else a number by their place. No line is broken within.

    >>> shortened(["slim", "experiment-2024-large-seed-1", "experiment-2024-large-seed-2"], 16)
    {'slim': 'slim', 'experiment-2024-large-seed-1': 'experime…-seed-1', \
'experiment-2024-large-seed-2': 'experime…-seed-2'}
    """
    texts = [printable(str(name)).replace(" ", BLANK) for name in names]
    long = [place for place, text in enumerate(texts) if len(text) > limit]
    taken = {text for text in texts if len(text) <= limit}
    for ends in range(limit // 2 - 1, limit - 2):
        short = {place: _cut(texts[place], limit, ends) for place in long}
        if len({*short.values()} | taken) == len(long) + len(taken):
            break
    else:
        short = {place: _numbered(texts[place], place + 1, limit) for place in long}
    return {str(name): short.get(place, texts[place]) for place, name in enumerate(names)}


def _cut(text: str, limit: int, ends: int) -> str:
    return f"{text[: limit - 1 - ends]}{DOTS}{text[-ends:]}"


def _numbered(text: str, place: int, limit: int) -> str:
    mark = f"{DOTS}#{place}"
    return f"{text[: limit - len(mark)]}{mark}"


def unshortened(names: Sequence[object]) -> dict[str, str]:
    """Return the names themselves, as text that can be printed."""
    return {str(name): printable(str(name)) for name in names}


def _bare(text: str) -> str:
    """Return a decimal number without its leading zero, and a whole one without decimals."""
    number = float(text)
    if number == round(number):
        return f"{abs(round(number)) if not number else round(number)}"
    return text.replace("0.", ".", 1) if abs(number) < 1 else text


def reported(found: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the measure that runs are ranked by, and the conventional one if it is another.

    `found` is as `rankassay.advice.findings.Findings.to_dict` returns it.
    """
    first = found["recommendation"][0]
    own, usual = first["measure"] or first["conventional"], first["conventional"]
    return own, usual if usual != own else None


def namer(found: Mapping[str, Any]) -> Callable[[str], str]:
    """Return what gives measures their names for readers."""
    weights = found["data"]["weights"]
    return lambda name: measure(name, weights)

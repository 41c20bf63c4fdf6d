"""Small plots in the cells of a table: a dot, its interval, and the range it lies in, as SVG."""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

WIDTH, HEIGHT = 100, 12  # of a plot, in its own units
EDGE = 5  # units that are left at each side, for a dot at the end


@dataclass(frozen=True)
class Scale:
    """From values to places in a plot; `falling` reverses it, so that better is further right."""

    low: float
    high: float
    falling: bool = False

    def place(self, value: float) -> float:
        """Return the place of a value, from the left.

        >>> Scale(0, 1).place(0), Scale(0, 1).place(1), Scale(0, 1, falling=True).place(1)
        (5.0, 95.0, 5.0)
        """
        wide = self.high - self.low
        share = (value - self.low) / wide if wide > 0 else 0.5
        share = 1 - share if self.falling else share
        return EDGE + (WIDTH - 2 * EDGE) * min(max(share, 0.0), 1.0)


def scale(values: Iterable[float | None], falling: bool = False) -> Scale:
    """Return the scale that all known values fit on."""
    known = [value for value in values if isinstance(value, float | int)]
    return Scale(min(known, default=0.0), max(known, default=0.0), falling)


def dot(
    on: Scale,
    value: float | None,
    interval: tuple[float | None, float | None] = (None, None),
    reach: tuple[float | None, float | None] = (None, None),
    rule: float | None = None,
) -> Markup:
    """Return a dot with its interval (thick) and its range (thin), or nothing without a value.

    Screen readers skip it, since the numbers stand next to it as text.
    """
    if value is None:
        return Markup()
    middle = f"{HEIGHT / 2:g}"
    parts = []
    if rule is not None and on.low <= rule <= on.high:
        at = f"{on.place(rule):.1f}"
        parts.append(f'<line class="rule" x1="{at}" x2="{at}" y1="0" y2="{HEIGHT}"/>')
    for kind, (low, high) in (("reach", reach), ("interval", interval)):
        if low is not None and high is not None:
            ends = sorted([on.place(low), on.place(high)])
            across = f'x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{middle}" y2="{middle}"'
            parts.append(f'<line class="{kind}" {across}/>')
    parts.append(f'<circle cx="{on.place(value):.1f}" cy="{middle}" r="3.5"/>')
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false"'
    return Markup(f'<svg class="dot" {box}>{"".join(parts)}</svg>')

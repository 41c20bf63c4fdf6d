"""The figure of the answer: how the runs' order changes, and which differences one may write."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from rankassay.advice.words_names import RANDOM, namer, real, reported, shortened
from rankassay.drawing import style
from rankassay.drawing.layout import COLUMN, blank, ticks
from rankassay.drawing.style import BLUE, VERMILION
from rankassay.errors import NothingToShowError

Found = Mapping[str, Any]
ROW, AROUND = 0.17, 0.85  # inches: the height of a run, and what stands above and below
MOST = 40  # runs, the first ones: what a page has room for
LONGEST = 16  # characters of a run's name
SAME = "0.45"  # the grey of a run that keeps its place
GROUP = "0.7"  # and of the bar along runs of which one may write no difference
SLOPES, BARS = (0.0, 1.0), 1.2  # where slopes begin and end, and where groups are drawn


@style.style()
def slopes(found: Found) -> Figure:
    """Draw the runs in the order of the conventional measure, joined to that of the recommended.

    Beside it the means under the recommended measure with their intervals, and that of a random
    order. A grey bar is along runs none of which one may write to be better than another.
    """
    rows = [own for own in found["systems"] if not own["reference"] and own["mean"] is not None]
    rows = rows[:MOST]
    if len(rows) < 2:
        raise NothingToShowError("nothing to draw: expected two runs with a mean at least.")
    name = shortened([own["system"] for own in rows], LONGEST)
    figure = blank((COLUMN, ROW * len(rows) + AROUND), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1, 1.25))
    first, usual = reported(found)
    order = sorted(rows, key=lambda own: (own["conventional_place"] or len(rows), rows.index(own)))
    for place, own in enumerate(rows):
        before = order.index(own) if usual else place
        colour = SAME if before == place else BLUE if before > place else VERMILION
        left.plot(SLOPES, (before, place), color=colour, linewidth=1.1, solid_capstyle="round")
        _mean(right, own, place, colour)
    _groups(left, _alike(rows, found["pairs"]))
    left.set_yticks(
        range(len(rows)), [name[str(own["system"])] for own in (order if usual else rows)]
    )
    twin = right.secondary_yaxis("right")
    twin.set_yticks(range(len(rows)), [name[str(own["system"])] for own in rows])
    left.set_xlim(-0.05, BARS + 0.1)
    left.set_ylim(len(rows) - 0.4, -0.6)
    left.set_xticks([])
    for own in found["systems"]:
        if own["reference"] and own["system"] == RANDOM and own["mean"] is not None:
            _random(right, own["mean"])
    for axes in (left, right, twin):
        for side in axes.spines.values():
            side.set_visible(axes is right and side.spine_type == "bottom")
        axes.tick_params(axis="y", length=0)
    right.xaxis.set_major_locator(ticks(4))
    right.grid(axis="x", color="0.92", linewidth=0.5)
    right.set_axisbelow(True)
    right.set_xlabel(namer(found)(first))
    if usual:
        left.annotate(
            namer(found)(usual),
            (0, 1),
            xycoords="axes fraction",
            xytext=(-2, 2),
            textcoords="offset points",
            ha="center",
        )
    return figure


def _random(axes: Axes, mean: float) -> None:
    """Draw the mean of a random order."""
    axes.axvline(mean, color="0.5", linewidth=0.8, linestyle=(0, (3, 2)))
    axes.annotate(
        "Random",
        (mean, 1),
        xycoords=("data", "axes fraction"),
        fontsize=6,
        xytext=(2, 1),
        textcoords="offset points",
        color="0.4",
        annotation_clip=False,
    )


def _mean(axes: Axes, own: Found, place: int, colour: str) -> None:
    """Draw a mean with its interval."""
    low, high = real(own["low"]), real(own["high"])
    if low is not None and high is not None:
        axes.plot((low, high), (place, place), color=colour, linewidth=1.6, alpha=0.5)
    axes.plot(own["mean"], place, "o", color=colour, markersize=3.4)


def _alike(rows: Sequence[Found], pairs: Sequence[Found]) -> list[tuple[int, int]]:
    """Return the longest stretches of runs, by places, of which one may write no difference."""
    place = {own["system"]: n for n, own in enumerate(rows)}
    written = {
        (place[own["better"]], place[own["worse"]])
        for own in pairs
        if own["written"] and own["better"] in place and own["worse"] in place
    }
    found: list[tuple[int, int]] = []
    for start in range(len(rows)):
        end = start
        while end + 1 < len(rows) and not any(
            (above, end + 1) in written for above in range(start, end + 1)
        ):
            end += 1
        if end > start and (not found or end > found[-1][1]):
            found.append((start, end))
    return found


def _groups(axes: Axes, stretches: Sequence[tuple[int, int]]) -> None:
    """Draw a bar along each stretch of runs, those that overlap next to each other."""
    ends: list[int] = []
    for start, end in stretches:
        lane = next((n for n, last in enumerate(ends) if last < start), len(ends))
        ends[lane : lane + 1] = [end]
        across = BARS - 0.06 * (lane % 3)
        axes.plot((across, across), (start - 0.25, end + 0.25), color=GROUP, linewidth=2.2)

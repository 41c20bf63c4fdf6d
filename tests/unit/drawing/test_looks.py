"""Each metric has its own look: on paper and on dark pages, in grey, and for all eyes."""

import itertools

import matplotlib as mpl
import numpy as np
import pytest

from rankassay.config.sections import configuration
from rankassay.drawing import style
from rankassay.drawing.style import LOOKS, SPARE
from rankassay.metrics.catalogue import (
    BEYOND_METRICS,
    DIVERSITY_METRICS,
    KNOWN,
    METRICS,
    bare,
    label,
    ordered,
)
from rankassay.report.charts import DARK, READABLE, SYMBOLS, _contrast, looks
from rankassay.studies import STUDIES

CATALOGUE = [*LOOKS]

# How colours are seen with all cones, and without one kind of them, on linear RGB: Machado,
# Oliveira and Fernandes, IEEE TVCG 15(6), 2009, table of severity 1.0.
EYES = {
    "all cones": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = [  # of linear sRGB, as shares of the white D65 (IEC 61966-2-1)
    [0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505],
    [0.2126, 0.7152, 0.0722],
    [0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089],
]
APART = 15  # of CIELAB's distance, of which 2.3 is just noticeable side by side


def seen(colour, eyes):
    """Return a colour in CIELAB, as these eyes see it."""
    given = np.array(mpl.colors.to_rgb(colour))
    linear = np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4)
    x, y, z = np.array(XYZ) @ np.clip(np.array(EYES[eyes]) @ linear, 0, 1)
    f = [v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def differ(first, second, eyes, colour):
    """Return whether two looks differ visibly in colour, or else in marker and in line."""
    distance = np.linalg.norm(seen(colour(first), eyes) - seen(colour(second), eyes))
    return distance >= APART or (first.marker != second.marker and first.dashes != second.dashes)


def on_paper(look):
    return look.colour


def in_the_dark(look):
    return style.DARK[look.colour]


def alike(names, eyes, colour):
    """Return the pairs of metrics whose looks cannot be distinguished."""
    shown = style.metrics(names)
    return [
        (first, second)
        for first, second in itertools.combinations(names, 2)
        if not differ(shown[first], shown[second], eyes, colour)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("colour", [on_paper, in_the_dark])
def test_any_two_metrics_can_be_told_apart(eyes, colour):
    assert alike(CATALOGUE, eyes, colour) == []


def test_what_looks_alike_is_found():
    """Pink and teal are one colour without the cones for green, and F1 looked as another metric."""
    pink, teal = (style.Look("", colour, "o") for colour in ("#CC79A7", "#44AA99"))
    assert differ(pink, teal, "all cones", on_paper)
    assert not differ(pink, teal, "deuteranopia", on_paper)
    assert differ(pink, style.Look("", "#44AA99", "s", "--"), "deuteranopia", on_paper)
    assert not differ(pink, style.Look("", "#44AA99", "s"), "deuteranopia", on_paper)


@pytest.mark.parametrize("eyes", EYES)
def test_the_simulation_leaves_grey_as_it_is(eyes):
    """The rows of the published matrices add up to one."""
    for grey in ("#000000", "#777777", "#ffffff"):
        np.testing.assert_allclose(seen(grey, eyes)[1:], 0, atol=0.1)


def test_any_two_metrics_can_be_told_apart_in_grey():
    marks = [(look.marker, look.dashes) for look in style.metrics(CATALOGUE).values()]
    assert len({*marks}) == len(CATALOGUE)


def test_only_metrics_have_looks_and_the_others_get_one():
    assert {*LOOKS} <= {*METRICS, *DIVERSITY_METRICS}
    assert style.metric("Coverage").marker  # of no look in the catalogue


def shown_together():
    """Return the metrics that analyses of the default configuration show together, by analysis.

    Those beyond accuracy have no looks: figures name them on their axes.
    """
    config = configuration()().model_dump(by_alias=True)
    found = {"metrics.names": config["metrics"]["names"]}
    for study in STUDIES:
        for name, settings in config[study]["analyses"].items():
            metrics = {name: None for name in (settings or {}).get("metrics") or ()}
            metrics = {name: None for name in metrics if bare(name) not in BEYOND_METRICS}
            if not any("(" in metric for metric in metrics if metric not in KNOWN):
                found[f"{study}/{name}"] = [*metrics]
    return {name: metrics for name, metrics in found.items() if metrics}


@pytest.mark.parametrize(("place", "names"), [*shown_together().items()], ids=str)
def test_metrics_that_a_study_shows_together_have_markers_of_their_own(place, names):
    shown = style.metrics(names).values()
    assert len({look.marker for look in shown}) == len(names), place


def test_a_metric_of_the_catalogue_looks_the_same_everywhere():
    assert style.metrics(["RR", "zeta", "P"])["P"] == style.metric("P")
    assert style.metric("R") == style.Look("Recall", *LOOKS["R"])
    assert style.metric("EU").size > style.metric("R").size  # a star
    assert ordered(["zeta", "ERR", "RR", "P"]) == ["P", "RR", "ERR", "zeta"]


def test_only_known_variants_have_the_look_of_their_metric():
    judged, every = "S_RR(aspects='judged')", "S_RR(aspects='all')"
    assert style.metric(judged) == style.metric("S_RR")
    assert style.metric(every) != style.metric("S_RR")
    assert label(every) == every
    given = [every, "ERR_IA", judged, "S_RR", "F1"]
    assert ordered(given) == ["F1", "S_RR", judged, "ERR_IA", every]


OTHERS = [f"nDCG(log_base={base})" for base in range(2, 11)]


@pytest.mark.slow
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("colour", [on_paper, in_the_dark])
def test_metrics_of_no_catalogue_can_be_told_apart_too(eyes, colour):
    assert len(OTHERS) == len(SPARE) == 9
    assert alike(CATALOGUE + OTHERS, eyes, colour) == []
    assert style.metrics(OTHERS) == style.metrics([*reversed(OTHERS)])


def test_there_are_looks_for_more_metrics_than_anybody_can_tell_apart():
    many = [f"mine:metric_{i}" for i in range(60)]
    found = style.metrics([*many, "P"])
    assert list(found) == [*many, "P"]
    assert len({(look.marker, look.dashes) for look in found.values()}) == 9 + 50
    assert found["mine:metric_3"].label == "metric_3"


def test_looks_on_the_page_are_those_of_the_figures_and_can_be_read_in_the_dark():
    for name, look in looks([*CATALOGUE, *OTHERS]).items():
        own = style.metrics([*CATALOGUE, *OTHERS])[name]
        assert look["colour"] == own.colour
        assert (look["symbol"], look["letter"]) == SYMBOLS[own.marker]
        assert _contrast(mpl.colors.to_rgb(look["dark"]), mpl.colors.to_rgb(DARK)) >= READABLE

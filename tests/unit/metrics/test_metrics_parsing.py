"""Measures as text: how they are read and written, and what is said of mistakes."""

from typing import get_args, get_origin

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from metric_cases import User, examples, profiles, value, values

from rankassay.errors import RankassayError
from rankassay.lookup import load
from rankassay.metrics.catalogue import BEYOND_METRICS, DIVERSITY_METRICS, METRICS
from rankassay.metrics.evaluate import Measure, grid, resolve
from rankassay.metrics.parameters import UNIONS, kinds_of
from rankassay.metrics.profiles import PROFILES

ONE_USER = [User([5, 1])]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("nDCG@10", "nDCG@10"),
        (" P @ 5 ", "P@5"),
        ("nDCG( truncate_ideal = False )@3", "nDCG(truncate_ideal=False)@3"),
        ("nDCG(truncate_ideal=False, gain='exp')@3", "nDCG(gain='exp', truncate_ideal=False)@3"),
        ('AP(denominator="hits")', "AP(denominator='hits')"),
        ("NMAE(scale=[1, 5])", "NMAE(scale=(1, 5))"),
        ("F(beta=.5)@3", "F(beta=0.5)@3"),
        ("RR()", "RR"),
        ("RR", "RR"),
    ],
)
def test_measures_are_read_and_written(text, written):
    assert str(Measure.parse(text)) == written
    assert Measure.parse(written) == Measure.parse(text)


VALUES = st.one_of(
    st.booleans(),
    st.integers(-9, 9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8"), max_size=5),
    st.none(),
    st.tuples(st.integers(-9, 9), st.floats(0, 1)),
)


@pytest.mark.slow
@given(
    st.sampled_from(list(METRICS)),
    st.dictionaries(st.from_regex(r"[a-z][a-z_]{0,5}x", fullmatch=True), VALUES, max_size=3),
    st.none() | st.integers(1, 10**6),
)
@examples
def test_names_make_the_round_trip(metric, parameters, cutoff):
    measure = Measure(metric, tuple(sorted(parameters.items())), cutoff)
    assert Measure.parse(str(measure)) == measure


def test_a_grid_goes_metric_by_metric():
    assert grid(["P", "F(beta=2)"], [1, 5]) == ["P@1", "P@5", "F(beta=2)@1", "F(beta=2)@5"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDGC@10", "unknown metric 'nDGC'; did you mean 'nDCG'? Known: P, R, AP"),
        ("Recal@10", "unknown metric 'Recal'"),
        ("nDCG@0", "must be at least 1"),
        ("nDCG@99999999999", "must be at least 1 and below 2147483647"),
        ("nDCG@ten", "cannot read the metric 'nDCG@ten'; expected a form like nDCG@10"),
        ("nDCG@-1", "expected a form like nDCG@10"),
        ("", "cannot read the metric ''"),
        ("nDCG(truncate_ideal)@10", "expected a form like name=value"),
        ("nDCG(truncate_ideal=false)@10", "expected a form like name=value"),
        ("nDCG(gain=)@10", "expected a form like name=value"),
        ("F(2)@5", "expected a form like name=value"),
        ("F(beta=2)(beta=3)@5", "expected a form like name=value"),
        ("F(beta=2)+(3)@5", "expected a form like name=value"),
        ("F(beta=1, beta=2)@5", "expected a form like name=value"),
        ("F(beta=1, beta='x')@5", "expected a form like name=value"),
        ("F(**{'beta': 2})@5", "expected a form like name=value"),
        ("F(beta={1: 2})@5", "F's parameter beta: expected float, found ((1, 2),)."),
        ("F(beta={1})@5", "expected a form like name=value"),
        ("F(beta=__import__('os'))@5", "expected a form like name=value"),
        ("nDCG(truncate=False)@10", "unknown parameter of nDCG 'truncate'; did you mean 'trunc"),
        ("nDCG(g=1)@10", "Known: gain, ideal, truncate_ideal, log_base."),
        ("RR(beta=1)@10", "unknown parameter of RR 'beta'. Known: none."),
        ("infAP(unjudged='ignored')@5", "unknown value of infAP's parameter unjudged 'ignored'"),
        ("infAP(unjudged='ignored')@5", "Known: pooled, unpooled."),
        ("nDCG(gain='ratings')@5", "did you mean 'rating'? Known: rating, exp, binary."),
        ("nDCG(gain=2)@5", "nDCG's parameter gain: expected rating or exp or binary or tuple"),
        ("nDCG(truncate_ideal=1)@5", "nDCG's parameter truncate_ideal: expected bool, found 1."),
        ("nDCG(truncate_ideal='no')@5", "expected bool, found 'no'."),
        ("F(beta=True)@5", "F's parameter beta: expected float, found True."),
        ("F(beta='two')@5", "F's parameter beta: expected float, found 'two'."),
        ("F(beta=None)@5", "expected float, found None."),
        ("F(beta=1e999)@5", "expected float of at most 1e+12, found inf."),
        ("F(beta=1e200)@5", "expected float of at most 1e+12, found 1e+200."),
        ("Q(beta=1e13)@5", "expected float of at most 1e+12, found 1"),
        ("DCG(gain=(0, 1, 2, 3, 4, 1e300))@5", "DCG's parameter gain: expected"),
        ("F(beta=[[2]])@5", "expected float, found ((2,),)."),
        ("F(beta=0)@5", "F's parameter beta: expected a number above 0, found 0."),
        ("Q(beta=-1)@5", "Q's parameter beta: expected a number of at least 0, found -1."),
        ("RBP(p=1)@5", "RBP's parameter p: expected a number above 0 and below 1, found 1."),
        ("RBP(p=0.0)@5", "RBP's parameter p: expected a number above 0 and below 1, found 0.0."),
        ("nDCG(log_base=1)@5", "parameter log_base: expected a number above 1, found 1."),
        ("ERR(highest='top')@5", "unknown value of ERR's parameter highest 'top'"),
        ("ERR(highest=(5,))@5", "ERR's parameter highest: expected all or user or float"),
        ("ERR(highest=3)@5", "ERR's parameter highest is 3, below the rating 5."),
        ("NMAE(scale=5)@5", "NMAE's parameter scale: expected tuple[float, float] or NoneType"),
        ("NMAE(scale=(1, 2, 5))@5", "expected tuple[float, float] or NoneType, found (1, 2, 5)."),
        ("NMAE(scale=('a', 'b'))@5", "expected tuple[float, float] or NoneType, found ('a', 'b')."),
        ("NMAE(scale=(5, 1))@5", "NMAE needs a scale with two ends, found 5 to 1; give NMAE(scale"),
        ("P", "the measure P needs a cut-off, as in P@10."),
        ("F1", "needs a cut-off"),
    ],
)
def test_mistakes_are_explained(text, message):
    with pytest.raises(RankassayError) as error:
        values(ONE_USER, [text])
    assert message in str(error.value)


def test_unknown_profiles_and_choices_are_explained():
    with pytest.raises(RankassayError, match="unknown profile 'papers'; did you mean 'paper'"):
        values(ONE_USER, ["P@5"], profile="papers")


def test_a_mistake_is_one_also_after_an_equal_value_that_is_none():
    """True equals 1 in Python."""
    value(ONE_USER[0], "nDCG(truncate_ideal=True)@5")
    with pytest.raises(RankassayError, match="expected bool, found 1"):
        value(ONE_USER[0], "nDCG(truncate_ideal=1)@5")


def test_whole_numbers_pass_for_floats_and_nothing_for_a_scale():
    assert value(User([5, 1], [4]), "F(beta=2)@2") == value(User([5, 1], [4]), "F(beta=2.0)@2")
    assert value(User([5, 1]), "NMAE(scale=None)") == value(User([5, 1]), "NMAE(scale=(1.0, 5))")
    assert value(User([5, 1]), "ERR(highest=5)") == value(User([5, 1]), "ERR(highest='all')")


@pytest.mark.parametrize("denominator", ["listed", "min_relevant"])
def test_precision_needs_no_cutoff_where_it_does_not_divide_by_it(denominator):
    user = User([5, 1, 4], [4, 4])
    assert (
        value(user, f"P(denominator='{denominator}')")
        == 2 / {"listed": 3, "min_relevant": 4}[denominator]
    )


@each("name", [*METRICS, *DIVERSITY_METRICS, *BEYOND_METRICS])
def test_every_number_has_a_range(name):
    """So that a wrong one is refused with the configuration, before anything is computed."""
    entry = (METRICS | DIVERSITY_METRICS | BEYOND_METRICS)[name]
    for parameter, kind in kinds_of(load(entry.function)).items():
        kinds = get_args(kind) if get_origin(kind) in UNIONS else [kind]
        assert not {int, float} & {*kinds}, parameter


@each("metric", METRICS)
@profiles
def test_a_measures_own_parameters_go_before_the_profiles(metric, profile):
    function, given = resolve(metric, (), profile)
    defaults = function.__kwdefaults__ or {}
    assert given == defaults | PROFILES[profile].parameters.get(metric, {})
    for name, default in defaults.items():
        _, given = resolve(metric, ((name, default),), profile)
        assert given[name] == default

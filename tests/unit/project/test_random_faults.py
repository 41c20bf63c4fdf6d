"""Faults at random (tests/mutation.py --random): their operators, places, tests and survivors."""

import re

import mutation_random
import mutation_tests
import pytest
from mutation_sites import changes, sound

from rankassay.artifacts.yaml_files import read

pytestmark = pytest.mark.slow

ROOT = mutation_tests.ROOT
LISTED = read(mutation_random.SURVIVORS)


HIGH = ("end", 'x = {f"{name}_low": 0}')


def changed(code, file="src/rankassay/x.py"):
    """Return the changes of a code, as a set of kinds and changed lines."""
    found = [change for place in changes(file, code) for change in place]
    return {(change.kind, change.shown(code)[1]) for change in found if sound(change, code)}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1", {("constant", "x = 0")}),
        ("x = 7", {("constant", "x = 6"), ("constant", "x = 8")}),
        ("x = 0.5", {("constant", "x = 0.55")}),
        ("x = True", {("truth value", "x = False")}),
        ("x = a - b", {("sign", "x = a + b")}),
        ("x = (a) * (b)", {("sign", "x = (a) / (b)")}),
        ("x += a", {("sign", "x -= a")}),
        ("x = -a", {("sign", "x = a")}),
        ("x = a == b", {("comparison", "x = a >= b"), ("comparison", "x = a != b")}),
        ("x = a < b", {("comparison", "x = a <= b"), ("comparison", "x = a > b")}),
        ("x = a not in b", {("comparison", "x = a in b")}),
        ("x = a and b or c", {("logic", "x = a or b or c"), ("logic", "x = a and b and c")}),
        ("x = not a", {("logic", "x = a")}),
        ("x = a & b", {("logic", "x = a | b")}),
        ("x = np.nanmin(a)", {("opposite", "x = np.nanmax(a)")}),
        ("x = a[b:c]", {("off by one", "x = a[b + 1:c]"), ("off by one", "x = a[b:c + 1]")}),
        ("range(n, m)", {("off by one", "range(n - 1, m)"), ("off by one", "range(n, m - 1)")}),
        (
            'x = t["a"], t["b"]',
            {("column", "x = t['b'], t[\"b\"]"), ("column", "x = t[\"a\"], t['a']")},
        ),
        ('x = own["tau_low"]', {("end", 'x = own["tau_high"]')}),
        ('x = {f"{name}_high": 0}', {("constant", 'x = {f"{name}_high": 1}')} | {HIGH}),
        ("low, high = f()\nx = low", {("end", "x = high")}),
        ("axes.invert_yaxis()", {("direction", "None")}),
        ("axes.set_ylim(a, b)", {("direction", "axes.set_ylim(*[a, b][::-1])")}),
        ("axes.set_ylim(*a)", {("direction", "axes.set_ylim(*[*a][::-1])")}),
        ("t.get(['a', 'b'])", {("column", "t.get(['b', 'b'])"), ("column", "t.get(['a', 'a'])")}),
        # In bytes, not in characters: τ takes two.
        ('y = "τ" if a else 3', {("constant", f'y = "τ" if a else {n}') for n in (2, 4)}),
    ],
)
def test_an_operator_makes_these_changes(code, expected):
    assert changed(code) == expected


@pytest.mark.parametrize(
    "code",
    [
        '"""Of 1 + 2."""',
        "x = low",  # without the other end
        "axes.set_ylim(bottom=a)",
        "def f(x: Literal[1]) -> Literal[2]: ...",
        "@lru_cache(maxsize=3)\ndef f(x): ...",
        '__all__ = ["a"][0:1]',
        "raise ValueError(f'{1 + 2} of {a[0]}')",
        "zip(a, b, strict=True)",
        "from a import b",
        'x = "red"',
        'x = "a" + b',
        "x = [a] + b",
        "x += f'{a}'",
    ],
)
def test_what_does_not_compute_is_not_changed(code):
    assert changed(code) == set()


def test_modules_that_draw_keep_their_sizes_but_not_their_conditions():
    code = "x = 3 * a - 0.5 if a < b else -c"
    kinds = {kind for kind, _ in changed(code, "src/rankassay/answers/figure.py")}
    assert kinds == {"comparison"}
    assert {kind for kind, _ in changed(code)} == {"comparison", "constant", "sign"}


def test_changes_are_drawn_by_the_seed_each_place_once_and_fit():
    first = mutation_random.drawn(200, 1)
    assert first == mutation_random.drawn(200, 1)
    assert first[:50] == mutation_random.drawn(50, 1)
    assert len({(change.file, change.start) for change in first}) == 200
    other = mutation_random.drawn(200, 2)
    assert len(set(first) & set(other)) < 50
    for change in first[:50]:
        code = (ROOT / change.file).read_text(encoding="utf-8")
        compile(change.put_into(code), change.file, "exec")
        assert change.shown(code)[0] != change.shown(code)[1]
    # Of all modules, and by all operators.
    assert len({change.file.split("/")[2] for change in first}) == 4
    assert len({change.kind for change in first} - {"direction"}) == 9
    only = mutation_random.drawn(5, 1, ["claims/totals.py"])
    assert {change.file for change in only} == {"src/rankassay/claims/totals.py"}


@pytest.mark.parametrize(
    ("module", "test"),
    [
        ("statistics/draws.py", "statistics/test_draws.py"),
        ("answers/words.py", "answers/test_answers.py"),
        ("claims/totals.py", "claims/test_claim_totals.py"),
        ("studies/validity/claims.py", "claims/test_study_verdicts.py"),
        ("studies/robustness/published.py", "studies/test_robustness_published.py"),
    ],
)
def test_the_nearest_tests_come_first(module, test):
    stages = mutation_tests.tests_of(f"src/rankassay/{module}")
    assert f"tests/unit/{test}" in stages[0]
    assert len(stages[0]) <= mutation_tests.FEW
    files = [file for stage in stages for file in stage]
    assert len(files) == len(set(files))
    assert all((ROOT / file).is_file() for file in files)


def test_every_module_has_tests():
    code = {file: (ROOT / file).read_text(encoding="utf-8") for file in mutation_random.modules()}
    changeable = [file for file, text in code.items() if changes(file, text)]
    assert len(changeable) > 60
    assert [file for file in changeable if not mutation_tests.tests_of(file)] == []


@pytest.mark.parametrize("entry", LISTED, ids=lambda entry: f"{entry['file']}: {entry['changed']}")
def test_a_change_that_survives_is_one_that_could_be_drawn_and_has_a_reason(entry):
    file = f"{mutation_random.PACKAGE}/{entry['file']}"
    code = (ROOT / file).read_text(encoding="utf-8")
    possible = [change.shown(code) for place in changes(file, code) for change in place]
    assert (entry["line"], entry["changed"]) in possible
    assert len(re.findall(r"\w+", entry["why"])) >= 5


def test_the_shares_are_of_all_changes_and_of_those_that_make_a_difference():
    assert mutation_random.told(200, 180, 10) == (
        "180 of 200 caught (90.0%), 20 survived, of which 10 make no difference: 180 of 190 that "
        "may (94.7%)"
    )


def test_no_survivor_is_listed_twice():
    keys = [(entry["file"], entry["line"], entry["changed"]) for entry in LISTED]
    assert len(keys) == len(set(keys))

"""The examples of what `import rankassay` gives, each pasted into an empty session."""

import doctest

import pytest

import rankassay

FINDER = doctest.DocTestFinder(recurse=False)
EXAMPLES = {
    name: found
    for name in rankassay.__all__
    for found in FINDER.find(getattr(rankassay, name), name, globs={})
    if found.examples
}


def test_most_functions_have_examples():
    assert len(EXAMPLES) > 15


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_needs_nothing_else(name):
    said = []
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(EXAMPLES[name], out=said.append)
    assert found.failed == 0, "".join(said)

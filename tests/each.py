"""A test of many values as one test: pytest takes longer for a test than most of these do."""

import functools
import inspect


def each(names, values):
    """Run a test with each of some values, of one parameter or of several, as parametrising does.

    The test must not skip, as this skips the values that follow, and what it changes is changed for
    them. An error tells of which values it is.
    """
    names = (names,) if isinstance(names, str) else names
    cases = [value if len(names) > 1 else (value,) for value in values]

    def looped(test):
        @functools.wraps(test)
        def all_of_them(**given):
            for case in cases:
                own = dict(zip(names, case, strict=True))
                try:
                    test(**given, **own)
                except BaseException as error:  # as pytest.fail
                    error.add_note(f"with {own}")
                    raise

        signature = inspect.signature(test)
        others = [p for p in signature.parameters.values() if p.name not in names]
        all_of_them.__signature__ = signature.replace(parameters=others)
        return all_of_them

    return looped

"""Errors that a user can act on; the command line prints them as one line, without a traceback."""

import difflib
import re
import reprlib
from collections.abc import Callable, Iterable, Sequence

LONGEST = 80  # characters of a name in a message
# In memory, of an object as Python writes it; it differs from run to run.
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+(?=>| \(|[;,:] |\.\.\.)")

# What only some users need, and the extra of pyproject.toml that brings it, by imported module.
EXTRAS = {
    **dict.fromkeys(
        ("docutils", "jinja2", "markupsafe", "matplotlib", "plotly", "pydantic", "yaml"), "report"
    ),
    **dict.fromkeys(
        ("implicit", "pyarrow", "requests", "sklearn", "snakemake", "tqdm"), "pipeline"
    ),
    **dict.fromkeys(("ir_measures", "pytrec_eval", "ranx"), "peers"),
}


class RankassayError(Exception):
    """An error message: what was expected, what was found and what to do.

    It is shown as one line, even if names and files hold line breaks: what cannot be printed, such
    as a line break or a terminal's control sequence, is written as its escape. It is the same in
    each run: addresses in memory are left out.
    """

    def __str__(self) -> str:
        """Return the message in one line."""
        return printable(_ADDRESS.sub("", super().__str__()))


# Makes the error for a row of a source, from what was expected and what was found.
Place = Callable[[int, str, str], RankassayError]


class NeedsCutoffError(RankassayError):
    """A measure is not defined on whole lists.

    >>> print(NeedsCutoffError("P"))
    the measure P needs a cut-off, as in P@10.
    """

    def __init__(self, measure: str) -> None:
        super().__init__(f"the measure {measure} needs a cut-off, as in {measure}@10.")


class NothingToShowError(RankassayError):
    """A result has no rows that a figure or table could show, as where all systems are alike.

    A run continues: the figure or table is replaced by this message.
    """

    def sentence(self) -> str:
        """Return the message with a capital."""
        return f"{str(self)[:1].upper()}{str(self)[1:]}"


def printable(text: str) -> str:
    r"""Return a text in which what cannot be printed is written as its escape.

    >>> print(printable("a\x1b[2Jb"))
    a\x1b[2Jb
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def has_code(text: str) -> bool:
    """Whether UTF-8 has a text; it has no half of a pair of surrogates."""
    return text == text.encode(errors="replace").decode()


def written(value: object, write: Callable[[object], str] = str) -> str:
    """Return a value as text, or its type if that cannot write it.

    Python refuses to write whole numbers of thousands of digits, and lists that are as deep. A
    sparse matrix is never written out: scipy's compiled code would read beyond arrays that do not
    fit each other.
    """
    kind = type(value)
    if any(base.__module__.startswith("scipy.sparse") for base in kind.__mro__):
        write = repr
    try:
        return write(value)
    except ValueError:
        return f"{kind.__name__} of thousands of digits"
    except RecursionError:
        return f"{kind.__name__} of thousands of levels"
    except Exception:  # anything that types of others raise
        return f"{kind.__name__} that cannot be written"


def shortened(value: object) -> str:
    """Return a value as Python writes it, cut where it is long.

    >>> shortened([1, "a", object(), 10**5000, 5, 6, 7])
    "[1, 'a', <object object>, int of thousands of digits, 5, 6, ...]"
    """
    return written(value, _Short().repr)


class _Short(reprlib.Repr):
    """Python's short texts, with the words of `written` for parts that cannot be written.

    Those of Python differ by its version, and hold addresses.
    """

    def repr_int(self, x: int, level: int) -> str:
        """Return a whole number, cut in the middle."""
        return self._cut(x, self.maxlong)

    def repr_instance(self, x: object, level: int) -> str:
        """Return a value of a type that reprlib does not know, cut in the middle."""
        return self._cut(x, self.maxother)

    def _cut(self, x: object, most: int) -> str:
        def cut(x: object) -> str:
            text, half = _ADDRESS.sub("", repr(x)), (most - 3) // 2
            return text if len(text) <= most else f"{text[:half]}...{text[3 + half - most :]}"

        return written(x, cut)


def number_of(number: float, noun: str, verbs: tuple[str, str] | None = None) -> str:
    """Return a whole number with what it counts, and the verb that goes with one or with several.

    >>> number_of(1, "pair"), number_of(0, "pair"), number_of(1227, "user", ("has", "have"))
    ('1 pair', '0 pairs', '1,227 users have')
    """
    one = number == 1
    verb = f" {verbs[not one]}" if verbs else ""
    return f"{number:,.0f} {noun}{'' if one else 's'}{verb}"


def listed(names: Sequence[str]) -> str:
    """Return names as words.

    >>> listed(["P", "MAP", "nDCG"])
    'P, MAP and nDCG'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def unknown(kind: str, name: object, known: Iterable[str], near: str | None = "") -> RankassayError:
    """Return the error for a name that is not among the known ones, with the nearest of them.

    That is looked for among them, unless the caller knows better: `near`, or None for none.

    >>> print(unknown("profile", "papr", ["paper", "trec"]))
    unknown profile 'papr'; did you mean 'paper'? Known: paper, trec.
    """
    known = list(known)
    if near == "":
        lowered = {candidate.lower(): candidate for candidate in known}
        alike = difflib.get_close_matches(written(name)[:LONGEST].lower(), lowered, n=1, cutoff=0.6)
        near = lowered[alike[0]] if alike else None
    hint = f"; did you mean '{near}'?" if near else "."
    listed = f" Known: {', '.join(known)}." if known else "" if near else " None is known."
    return RankassayError(f"unknown {kind} {_shown(name)}{hint}{listed}")


def not_installed(error: ImportError) -> RankassayError | None:
    """Return the error for a package that is of an extra and not installed; None for any other.

    >>> print(not_installed(ModuleNotFoundError(name="matplotlib.figure")))
    expected the package matplotlib, found none; in a checkout of rankassay, pip install '.[report]'
    """
    package = (error.name or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or package not in EXTRAS:
        return None
    return RankassayError(
        f"expected the package {package}, found none; in a checkout of rankassay, pip install "
        f"'.[{EXTRAS[package]}]'"
    )


def _shown(name: object) -> str:
    """Return a name as a message shows it, even if it is none."""
    text = written(name)
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    return f"'{text}'" if isinstance(name, str) else f"{text} ({type(name).__name__})"


def one_of(what: str, value, known) -> None:
    """Raise RankassayError, naming the nearest known value, unless `value` is a known one."""
    if not (isinstance(value, str) and value in known):
        raise unknown(what, value, known)

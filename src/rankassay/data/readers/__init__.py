"""The forms of files, one reader a module, which returns columns as stored.

A new form is its module, its row here, and its test: configuration, sniffing and the reference
follow. `read(path, described)` returns a `rankassay.data.stored.Stored`; of a form that is known by
its first bytes, `names(path)` returns the names of the columns.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """A form of files."""

    says: str  # what a file holds, for the reference
    unread: tuple[str, ...] = ()  # keys of how a file is described that this form does not need
    undone: tuple[str, ...] = ()  # keys of what is done with ratings that this form cannot have
    named: bool = False  # whether columns are known by name alone
    ending: str = ""  # what names of files end in, if that tells
    begins: bytes = b""  # how a file begins, a regular expression, if that tells


FORMS = {
    "delimited": Form("a rating per line, in columns"),
    "dicts": Form(
        "a Python dict or JSON object per line",
        unread=("separator", "header"),
        named=True,
    ),
    "lists": Form(
        "a line per user with the items' ids, each a rating of 1; users are numbered from 1 if the "
        "line does not name them (`lead`)",
        unread=("columns", "header"),
        undone=(
            *("missing_user", "bad_lines", "rating_divisor", "decimals", "scale"),
            *("timestamp_format", "truth", "propensities"),
        ),
    ),
    "matrix": Form(
        "a line per user with a column per item, where 0 is no rating; users and items are "
        "numbered from 1",
        unread=("columns", "header", "blanks"),
        undone=("missing_user", "bad_lines", "duplicates", "aspects", "timestamp_format"),
    ),
    "npz": Form(
        "a sparse matrix of scipy; users and items have the numbers of rows and columns from 0",
        unread=("columns", "separator", "header", "encoding"),
        undone=("missing_user", "bad_lines", "timestamp_format"),
        ending=".npz",
        begins=rb"PK\x03\x04.{26}[\w.]+\.npy",
    ),
    "parquet": Form(
        "a rating per row, in columns",
        unread=("separator", "header", "encoding"),
        undone=("bad_lines",),
        named=True,
        ending=".parquet",
        begins=b"PAR1",
    ),
}
PACKED = (".gz", ".xz", ".zst")  # ends of names of files that are unpacked while reading
READERS = {name: f"rankassay.data.readers.{name}" for name in FORMS}


def form_of(ending: str, usual: str = "delimited") -> str:
    """Return the form of a file by the ending of its name, or else the usual one.

    >>> form_of(".parquet"), form_of(".csv")
    ('parquet', 'delimited')
    """
    return next((name for name, form in FORMS.items() if form.ending == ending), usual)


def unpacked(name: str) -> str:
    """Return the name of the file in a packed one.

    >>> unpacked("a.csv.xz"), unpacked("a.csv")
    ('a.csv', 'a.csv')
    """
    return next((name.removesuffix(own) for own in PACKED if name.endswith(own)), name)

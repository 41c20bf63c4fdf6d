"""A finished run's findings on metrics, for users of Python."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from rankassay.answers import words
from rankassay.api.results import configuration, results, title_of
from rankassay.artifacts.files import Pathlike
from rankassay.data import inputs
from rankassay.errors import RankassayError, one_of
from rankassay.studies import STUDIES
from rankassay.types import Shown


@dataclass(frozen=True, repr=False)
class Summary(Shown):
    """A study's findings on metrics; printed as sentences.

    Attributes
    ----------
    table : DataFrame
        Columns dataset, and those of `rankassay.answers.criteria.summary`, at all cut-offs.
    cutoff : int
        At which the metrics are compared.
    sentences : dict
        By the dataset's title, the findings of the table: the best metrics, those tied with them,
        and what the data cannot decide.
    """

    table: pd.DataFrame
    cutoff: int
    sentences: dict[str, list[str]]

    def __str__(self) -> str:
        return "\n\n".join(words.paragraph(*item) for item in self.sentences.items())


def summary(
    folder: Pathlike = ".",
    study: str | None = None,
    datasets: str | Sequence[str] | None = None,
    cutoff: int | None = None,
) -> Summary:
    """Return which metrics stand out by robustness, power and validity, and the evidence.

    Validity is the agreement with the true ranking of the systems, where the data have judgements
    of random items: by what users like and, where the data say who knew what, by what of it is new
    to them. These are two questions with an answer each. Without a truth, the sentences say how
    much selection would change the ranking.

    Parameters
    ----------
    folder : path
        Where the workflow ran: the folder that holds `results`.
    study : {"robustness", "goals", "diversity"} or None
        Whose summary; None takes the first that the run has made.
    datasets : str, sequence of str or None
        Which ones; None takes all that exist.
    cutoff : int or None
        At which the metrics are compared; None takes the cut-off that the run was configured with.

    Examples
    --------
    >>> import rankassay
    >>> print(rankassay.summary())  # doctest: +SKIP
    MovieLens 1M
      The metrics are compared at cut-off 100, with 21 systems and 6,040 test users. ...
    """
    studies = [name for name, entry in STUDIES.items() if "summary" in entry.analyses]
    folder = inputs.path("folder", folder)
    if study is None:
        study = next((name for name in studies if _made(folder, name)), studies[0])
    one_of("study", study, studies)
    table = results(f"{study}/summary", folder, datasets)
    config = configuration(folder)
    known = sorted(int(k) for k in table["cutoff"].dropna().unique())
    if cutoff is None:
        cutoff = config[study]["cutoff"] if study in config else known[-1]
    cutoff = inputs.whole("cutoff", cutoff, 1)
    if cutoff not in known:
        raise RankassayError(
            f"cutoff: expected one of {', '.join(map(str, known))}, found {cutoff}; the run "
            "evaluated no other."
        )
    said = {
        title_of(config, dataset, {}): words.sentences(own, cutoff)
        for dataset, own in table.groupby("dataset", sort=False)
    }
    return Summary(table, cutoff, said)


def _made(folder: Pathlike, study: str) -> bool:
    """Return whether a run has made a study's summary of some dataset."""
    places = Path(folder).glob(f"results/*/{study}/summary.csv")
    return any(path.parents[1].name != "tables" for path in places)

"""The end of a successful run: what to report, and where the results are."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rankassay.advice import words as advised
from rankassay.answers import words
from rankassay.artifacts.files import read_json
from rankassay.artifacts.manifest import REPORT
from rankassay.artifacts.tables import read_table, unquoted
from rankassay.errors import RankassayError
from rankassay.plan.messages import BEGAN

DRAWN = {"figures": "figures", "tables": "results/tables"}
SCREEN, SHORT = 24, 12  # lines on one dataset, and on each of several


def success(
    advice: Mapping[str, Mapping[str, str]],
    summaries: Mapping[str, Sequence[dict[str, Any]]],
    answers: Iterable[tuple[str, str]] = (),
    titles: Mapping[str, str] = MappingProxyType({}),
    asked: Collection[str] | None = None,
) -> str:
    """Return what to report on each dataset, and where the results are.

    Where there is no advice, as on values of metrics alone, the studies answer. A run without
    advice was asked for single studies: it prints their answers on all datasets. What an earlier
    run with other datasets or targets left in the folder is not taken for this run's.

    Parameters
    ----------
    advice, summaries, answers, titles
        As `rankassay.plan.report.Report.advice`, `summaries`, `answers` and `titles` return them.
    asked : collection of str or None
        The paths of what the run was asked for; None is all.
    """
    if asked is not None:
        advice = {name: own for name, own in advice.items() if own["path"] in asked}
        summaries = {
            name: [one for one in own if one["path"] in asked] for name, own in summaries.items()
        }
        answers = [(study, path) for study, path in answers if path in asked]
    given = {name: own for name, own in advice.items() if Path(own["path"]).exists()}
    height = SCREEN if len(summaries) == 1 else SHORT
    said = [
        _advice(**given[name], height=height) if name in given else _answer(own)
        for name, own in summaries.items()
    ]
    unadvised = summaries.keys() - given.keys() if given else titles.keys()
    said += _sentences(answers, {titles[name] for name in titles.keys() & unadvised})
    return "\n".join([*filter(None, said), "", _folders(), f"One page with everything: {_page()}"])


def _advice(title: str, path: str, height: int) -> str:
    """Return the advice on a dataset, in some lines under its title."""
    try:
        return "\n".join(["", title, *advised.screen(read_json(path), height=height)])
    except RankassayError as error:
        return f"\n{error}"  # it names the file


def _folders() -> str:
    """Return in which folders the results are: a run of one target may have no figures."""
    drawn = [f"{what} in {folder}/" for what, folder in DRAWN.items() if Path(folder).is_dir()]
    return f"All numbers are in results/{''.join(f', {each}' for each in drawn)}."


def _page() -> str:
    """Return where the page is, or how it is made."""
    if not REPORT.exists():
        return "the target report"
    if REPORT.stat().st_mtime >= BEGAN:
        return str(REPORT)
    return f"the target report ({REPORT} is of an earlier run)"


def _answer(summaries: Sequence[dict[str, Any]]) -> str:
    """Return the findings of the first study with a summary on a dataset, or empty text."""
    made = (summary for summary in summaries if Path(summary["path"]).exists())
    if (first := next(made, None)) is None:
        return ""
    if not isinstance(first["cutoff"], int):
        return ""  # it follows the advice, which was not asked for
    title = f"\n{first['title']} (study: {first['study']})"
    try:
        said = words.sentences(read_table(first["path"]), first["cutoff"])
    except RankassayError as error:
        said = [f"{first['path']}: {error}"]
    return words.paragraph(title, said)


def _sentences(answers: Iterable[tuple[str, str]], titles: Collection[str]) -> Iterator[str]:
    """Yield the sentences of each table of answers, by dataset."""
    for study, path in answers:
        if Path(path).exists():
            table = unquoted(read_table(path))
            for title, own in table[table["Dataset"].isin(titles)].groupby("Dataset", sort=False):
                yield words.paragraph(f"\n{title} (study: {study})", own["Answer"].astype(str))

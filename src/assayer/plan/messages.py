"""What a run says when it ends."""

import re
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from assayer.answers import words
from assayer.artifacts.files import read_table
from assayer.artifacts.manifest import REPORT, named
from assayer.errors import AssayerError

BEGAN = time.time()  # of the run, which is planned before its first job


def success(
    summaries: Iterable[Sequence[dict[str, Any]]],
    answers: Iterable[tuple[str, str]] = (),
    titles: Collection[str] = (),
) -> str:
    """Return what the studies say of each dataset, and where the results are.

    What an earlier run with other datasets left in the folder is not taken for this run's.

    Parameters
    ----------
    summaries, answers, titles
        As `assayer.plan.report.Report.summaries`, `answers` and `titles` return them.
    """
    said = [*filter(None, map(_answer, summaries)), *_sentences(answers, titles)]
    return "\n".join([*said, ""]) + (
        "\nFigures are in figures/, tables in results/tables/, all numbers in results/.\n"
        f"One page with everything: {_page()}"
    )


def _page() -> str:
    """Say where the page is, or how it is made."""
    if not REPORT.exists():
        return "the target report"
    if REPORT.stat().st_mtime >= BEGAN:
        return str(REPORT)
    return f"the target report ({REPORT} is of an earlier run)"


def _answer(summaries: Sequence[dict[str, Any]]) -> str:
    """Return what the first study with a summary says of a dataset, or nothing."""
    made = (summary for summary in summaries if Path(summary["path"]).exists())
    if (first := next(made, None)) is None:
        return ""
    title = f"\n{first['title']} (study: {first['study']})"
    try:
        said = words.sentences(read_table(first["path"]), first["cutoff"])
    except AssayerError as error:
        said = [f"{first['path']}: {error}"]
    return words.paragraph(title, said)


def _sentences(answers: Iterable[tuple[str, str]], titles: Collection[str]) -> Iterator[str]:
    """Yield the sentences of each table of answers, by dataset."""
    for study, path in answers:
        if Path(path).exists():
            table = read_table(path)
            for title, own in table[table["Dataset"].isin(titles)].groupby("Dataset", sort=False):
                yield words.paragraph(f"\n{title} (study: {study})", own["Answer"].astype(str))


def gone(paths: Sequence[str]) -> str:
    """Return the line on artifacts of the former manifest that the new one has to leave out."""
    what = "1 artifact was" if len(paths) == 1 else f"{len(paths)} artifacts were"
    return (
        f"assayer: {what} in the former manifest, but no longer there, and not in the new one: "
        f"{named(paths)}. A run makes again what it is asked for by its path."
    )


KEPT = "What is finished is kept: the same command goes on from there"
LOCKED = (
    "If it says that the directory is locked,\nand no other run works in it, first the same "
    "command with --unlock."
)


def interrupted() -> str:
    """Return the message of a run that somebody stopped by Ctrl-C."""
    return f"\nassayer: interrupted. {KEPT}.\n{LOCKED}"


def failure(logs: Iterable[str]) -> str:
    """Return the message of a run that failed: the last line of each failed job's log, and advice.

    Parameters
    ----------
    logs : paths
        Of the logs that Snakemake wrote of the run.
    """
    text = "".join(Path(path).read_text(encoding="utf-8", errors="replace") for path in logs)
    lines = []
    for name in dict.fromkeys(re.findall(r"^\s*log: (.+?) \(check log file", text, re.MULTILINE)):
        job_log = Path(name)
        content = job_log.read_text(errors="replace").split("\n") if job_log.exists() else []
        said = [line for line in content if line.strip()]
        lines.append(f"{said[-1]}\n  (log: {name})" if said else f"no message (log: {name})")
    what = "\n".join(lines) or "Snakemake's message above says what went wrong."
    return (
        f"\n{what}\n\n{KEPT}, and with --keep-going it\nfinishes all that does not depend on what "
        f"failed. {LOCKED}"
    )

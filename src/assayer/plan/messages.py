"""What a run says when it ends."""

import re
from collections.abc import Iterable
from pathlib import Path


def success() -> str:
    """Return where the results are."""
    page = "results/report.html" if Path("results/report.html").exists() else "the target report"
    return (
        "\nFigures are in figures/, tables in results/tables/, all numbers in results/.\n"
        f"One page with everything: {page}"
    )


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
        f"\n{what}\n\nWhat is finished is kept: the same command goes on from there, and with "
        "--keep-going it\nfinishes all that does not depend on what failed. If it says that the "
        "directory is locked,\nfirst: snakemake --unlock"
    )

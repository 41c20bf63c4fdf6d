"""The studies, and all that they have: analyses, figures and tables.

A study is a folder; `study.py` in it says what it has, and a line below adds it. Objects are named
as "module:attribute" and imported on use, so that this package stays light: the plan imports it to
know what depends on what.
"""

from assayer.studies.aggregation import study as aggregation
from assayer.studies.definitions import study as definitions
from assayer.studies.diversity import study as diversity
from assayer.studies.entries import Analysis, Figure, Table
from assayer.studies.fidelity import study as fidelity
from assayer.studies.goals import study as goals
from assayer.studies.robustness import study as robustness
from assayer.studies.sampling import study as sampling

STUDIES = (robustness, aggregation, definitions, diversity, goals, sampling, fidelity)


def _entries(kind: str) -> dict:
    """Return the entries of all studies, by study and name."""
    return {
        f"{study.__name__.split('.')[-2]}/{name}": entry
        for study in STUDIES
        for name, entry in getattr(study, kind, {}).items()
    }


ANALYSES: dict[str, Analysis] = _entries("ANALYSES")
FIGURES: dict[str, Figure] = _entries("FIGURES")
TABLES: dict[str, Table] = _entries("TABLES")


def studies() -> list[str]:
    """Return the studies that have analyses."""
    return list(dict.fromkeys(name.partition("/")[0] for name in ANALYSES))


def needs(name: str) -> set[str]:
    """Return all that an analysis reads, and what that was made from, by name."""
    inputs = ANALYSES[name].inputs if name in ANALYSES else ()
    return set(inputs).union(*map(needs, inputs))


def of_study(table: dict, study: str) -> dict:
    """Return the entries of one study, by their names within it."""
    prefix = f"{study}/"
    return {k.removeprefix(prefix): v for k, v in table.items() if k.startswith(prefix)}

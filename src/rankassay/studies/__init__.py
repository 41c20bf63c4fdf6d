"""The studies: a line below adds one, whose folder has all its files.

This package stays light, because the plan imports it to know what depends on what: functions are
named, and imported on use.
"""

from collections.abc import Callable, Collection
from typing import Any

from rankassay.studies.aggregation.study import STUDY as AGGREGATION
from rankassay.studies.atlas.study import STUDY as ATLAS
from rankassay.studies.beyond.study import STUDY as BEYOND
from rankassay.studies.definitions.study import STUDY as DEFINITIONS
from rankassay.studies.diversity.study import STUDY as DIVERSITY
from rankassay.studies.entries import Analysis, Figure, Study, Table
from rankassay.studies.fidelity.study import STUDY as FIDELITY
from rankassay.studies.goals.study import STUDY as GOALS
from rankassay.studies.preferences.study import STUDY as PREFERENCES
from rankassay.studies.protocols.study import STUDY as PROTOCOLS
from rankassay.studies.reliability.study import STUDY as RELIABILITY
from rankassay.studies.robustness.study import STUDY as ROBUSTNESS
from rankassay.studies.sampling.study import STUDY as SAMPLING
from rankassay.studies.unjudged.study import STUDY as UNJUDGED
from rankassay.studies.validity.study import STUDY as VALIDITY

# In the order of the report.
STUDIES: dict[str, Study] = {
    study.name: study.resolved()
    for study in (
        *(ROBUSTNESS, AGGREGATION, DEFINITIONS, DIVERSITY),
        *(GOALS, SAMPLING, BEYOND, PREFERENCES, UNJUDGED, VALIDITY, RELIABILITY, ATLAS, PROTOCOLS),
    )
}
_WITH_FIGURES = (*STUDIES.values(), FIDELITY.resolved())


def _all(entries: Callable[[Study], Any]) -> dict:
    """Return the entries of all studies, by study and name."""
    return {
        f"{study.name}/{name}": entry
        for study in _WITH_FIGURES
        for name, entry in entries(study).items()
    }


ANALYSES: dict[str, Analysis] = _all(lambda study: study.analyses)
FIGURES: dict[str, Figure] = _all(lambda study: study.figures)
TABLES: dict[str, Table] = _all(lambda study: study.tables)


def evidence(kind: str) -> list[str]:
    """Return the analyses of one kind of evidence for the overview; see `Study`."""
    return [
        f"{study.name}/{study.evidence[kind]}"
        for study in STUDIES.values()
        if kind in study.evidence
    ]


def needs(name: str, given: Collection[str] = ()) -> set[str]:
    """Return the analyses that an analysis requires, directly or not, by name.

    Those whose results are `given` require none.
    """
    made = name in ANALYSES and name not in given
    inputs = set(ANALYSES[name].required) if made else set()
    return inputs.union(*(needs(needed, given) for needed in inputs))


def of_study(table: dict, study: str) -> dict:
    """Return the entries of one study, by their names within it."""
    prefix = f"{study}/"
    return {k.removeprefix(prefix): v for k, v in table.items() if k.startswith(prefix)}

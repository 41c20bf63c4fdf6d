"""Cut-offs that are not set: they follow those of the metrics, which follow the lists' length.

They are those that are usual, or the next smaller ones that are computed, and that of the study.
Cut-offs that are set are kept, and checked.

A study's cut-off may follow the data (`auto`), which only its jobs know: it is then the deepest
usual one that the lists reach and that most users can fill (`rankassay.advice.cutoffs`), and all
possible cut-offs are computed. Of a run on one's own data that is the default of the studies that
advice shares its settings with.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankassay.advice.cutoffs import AUTO, USUAL
from rankassay.config.titles import data_of
from rankassay.data.entries import measures_of
from rankassay.errors import RankassayError
from rankassay.studies import STUDIES

if TYPE_CHECKING:
    from pydantic import BaseModel  # results read cut-offs without it


def follows(key: str, value: Any) -> bool:
    """Whether a setting is of cut-offs that follow others where it is not set."""
    return value is not None and (key == "cutoff" or key.endswith("cutoffs"))


def follow(found: "BaseModel", whole: dict[str, Any]) -> None:
    """Set the cut-offs that are not given in `found`, the model, from others in `whole`."""
    metrics, depth = whole["metrics"], whole["depth"]
    if "cutoffs" not in found.metrics.model_fields_set:
        metrics["cutoffs"] = [n for n in metrics["cutoffs"] if n <= depth] or [depth]
    of_values = [*_of_values(whole)]
    usual = nearest(USUAL, metrics["cutoffs"])
    for study in STUDIES:
        section, given = whole[study], getattr(found, study)
        is_set = "cutoff" in given.model_fields_set
        if (section["cutoff"] == AUTO) if is_set else (STUDIES[study].advice and _is_own(whole)):
            section["cutoff"] = AUTO
            if of_values:  # whose test ratings are not known
                section["cutoff"], is_set = STUDIES[study].cutoff, False
        unset = [(section, key) for key in section if key not in given.model_fields_set]
        compared = []
        for name, settings in section["analyses"].items():
            set_ = getattr(given.analyses, name.replace("-", "_")).model_fields_set
            unset += [(settings, key) for key in settings if key not in set_]
            if "cutoffs" in set_ | STUDIES[study].analyses[name].common & given.model_fields_set:
                compared += [STUDIES[study].settings_of(name, section)["cutoffs"]]
        if section["cutoff"] != AUTO and not is_set:
            entries = STUDIES[study].analyses
            if any("scores" in entries[name].required for name in section["analyses"]):
                compared += of_values
            common = set.intersection(*map(set, compared or [metrics["cutoffs"]]))
            if common:  # else the study's own is refused, with the cut-offs that there are
                [section["cutoff"]] = nearest([section["cutoff"]], common)
        shown = usual if section["cutoff"] == AUTO else [section["cutoff"]]
        for settings, key in unset:
            if follows(key, settings[key]) and isinstance(settings[key], list):
                settings[key] = nearest(settings[key], {*metrics["cutoffs"], *shown})
                if key == "cutoffs":  # where figures and tables compare them
                    settings[key] = sorted({*settings[key], *shown})


def possible(config: Mapping[str, Any], study: str) -> list[int]:
    """Return the cut-offs at which a study that follows the data may compare, increasing."""
    section, entries = config[study], STUDIES[study].analyses
    own = {  # by the parameters: the models of settings are not there where results are read
        name: (settings if "cutoffs" in settings else section)["cutoffs"]
        for name, settings in section.get("analyses", {}).items()
        if "cutoffs" in settings
        or (name in entries and "cutoffs" in entries[name].parameters.keys() & section.keys())
    }
    common = set.intersection(*map(set, own.values() or [config["metrics"]["cutoffs"]]))
    if not common:
        lists = dict.fromkeys(STUDIES[study].place(name, "cutoffs") for name in own)
        raise RankassayError(
            f"config: {study}.cutoff: expected a cut-off that {', '.join(lists)} have in common, "
            f"for {AUTO} to choose from, found none; give them the same, or a number."
        )
    return sorted(common & {*USUAL}) or sorted(common)


def _is_own(whole: Mapping[str, Any]) -> bool:
    """Whether all datasets are the user's own: files that lie somewhere, of no shipped entry."""
    names = [data_of(whole, name) for name in whole["datasets"]]
    entries = [whole["dataset_catalogue"].get(name, {}) for name in names]
    return all("path" in entry for entry in entries)


def nearest(usual: Sequence[int], computed: Iterable[int]) -> list[int]:
    """Return of each usual cut-off itself, or the next smaller one that is computed, or the first.

    >>> nearest([10, 100], [5, 10, 20])
    [10, 20]
    """
    known = sorted(computed)
    return sorted({max((n for n in known if n <= own), default=known[0]) for own in usual})


def _of_values(whole: Mapping[str, Any]) -> Iterable[list[int]]:
    """Yield the cut-offs of each dataset that has values of metrics alone."""
    for name in whole["datasets"]:
        entry = whole["dataset_catalogue"].get(data_of(whole, name))
        if entry and entry["kind"] == "scores":
            found = (measure.rpartition("@") for measure in measures_of(entry).values())
            cutoffs = {int(cutoff) for name, _, cutoff in found if name and cutoff.isdigit()}
            yield sorted(cutoffs) or [*whole["metrics"]["cutoffs"]]

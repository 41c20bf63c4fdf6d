"""Checks that a configuration is consistent, before any job: one clear line for each mistake."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from rankassay.advice.cutoffs import AUTO
from rankassay.artifacts.explain import checked
from rankassay.artifacts.yaml_files import read as read_yaml
from rankassay.config import systems
from rankassay.config.cutoffs import follow, possible
from rankassay.config.layers import check_values
from rankassay.config.protocols import HOLD_OUT, check_protocols, holds_out
from rankassay.config.sections import configuration
from rankassay.config.systems import check_name
from rankassay.config.titles import PLACES, data_of, dataset_title, entry_of
from rankassay.data.entries import ATTRIBUTES, BESIDE, MADE, measures_of, score_files
from rankassay.errors import RankassayError
from rankassay.lookup import parameters
from rankassay.metrics.catalogue import METRICS
from rankassay.metrics.names import parts, unknown_metric, without_cutoff
from rankassay.recommenders.catalogue import folds_in, recommender
from rankassay.recommenders.parameters import check_names, check_settings, check_type
from rankassay.studies import STUDIES

# Folders of results/ and data/ next to those of datasets, whose names datasets cannot have.
RESERVED = ("benchmarks", *PLACES, "tables", "processed", "raw", "first-use")
RETIRED = Path(__file__).with_name("retired.yaml")
# Catalogues stay as they are written: the defaults of an entry are looked up by its kind.
AS_WRITTEN = ("variants", "dataset_catalogue", "recommender_catalogue")


def filled(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration with its defaults; raises RankassayError for the first mistake.

    An analysis that is null is removed, and cut-offs that are not set follow those of the metrics.
    """
    check_values(config)
    _check_retired(config)
    found = checked(configuration(), config)
    whole = found.model_dump(by_alias=True, warnings=False, exclude={*AS_WRITTEN})
    for study in STUDIES:
        analyses = whole[study]["analyses"].items()
        whole[study]["analyses"] = {name: own for name, own in analyses if own is not None}
        featured = whole[study].get("featured", {"metric": ""})
        if featured["metric"] is None:
            names = whole["metrics"]["names"]
            usual = STUDIES[study].featured
            featured["metric"] = usual if usual in names else names[0]
    whole |= {key: config.get(key, {}) for key in AS_WRITTEN}
    whole["dataset_catalogue"] = {  # where a null says the same as no key
        name: {key: value for key, value in entry.items() if value is not None}
        for name, entry in whole["dataset_catalogue"].items()
    }
    follow(found, whole)
    return whole


def validate(config: Mapping[str, Any]) -> dict[str, Any]:
    """Check a merged configuration as a whole, and return it with all defaults."""
    whole = filled(config)
    _check_names(whole)
    check_protocols(whole)
    _check_files(whole)
    _check_metrics(whole)
    _check_recommenders(whole)
    systems.check(whole)
    _check_tuning(whole)
    _check_compared(whole)
    _check_fold_in(whole)
    for study in STUDIES:
        _check_study(whole, study)
    return whole


def _check_retired(config: Mapping[str, Any]) -> None:
    """Raise RankassayError for a setting that there was, with what holds in its place."""
    for pattern, now in read_yaml(RETIRED).items():
        for place in filter(_is_known, _places(config, pattern.split("."))):
            raise RankassayError(f"config: {place}: is no setting any more; {now}.")


def _is_known(place: str) -> bool:
    """Whether the analysis that a setting was of is one; else that is the mistake to name."""
    study, _, analysis = [*place.split("."), "", ""][:3]
    return analysis in STUDIES[study].analyses


def _places(content: Any, keys: list[str], above: str = "") -> Iterator[str]:
    """Yield the places of keys in nested mappings; * is any key or part."""
    if not keys:
        yield above.removeprefix(".")
    elif isinstance(content, Mapping):
        for key in content:
            if fnmatchcase(str(key), keys[0]):
                yield from _places(content[key], keys[1:], f"{above}.{key}")


@contextlib.contextmanager
def _naming_place(place: str) -> Iterator[None]:
    """Begin errors raised within with the place in the configuration."""
    try:
        yield
    except RankassayError as error:
        raise RankassayError(f"{place}: {error}") from None


def _check_names(config: dict) -> None:
    """Check that all names in the configuration are known, and that each names one thing."""
    catalogue, variants = config["dataset_catalogue"], config["variants"]
    taken = [("variants", name) for name in variants if name in catalogue]
    for kind in ("dataset_catalogue", "variants"):
        taken += [(kind, name) for name in config[kind] if name in RESERVED]
    for kind, name in taken:
        other = "of a dataset" if name in catalogue and kind == "variants" else "of something else"
        raise RankassayError(
            f"config: {kind}.{name}: expected a name of its own, found one {other}; choose another."
        )
    for name, variant in variants.items():
        if variant["of"] in variants:
            raise RankassayError(
                f"config: variants.{name}.of: expected a dataset of dataset_catalogue, found the "
                f"variant '{variant['of']}'; name the dataset, and repeat what that one says."
            )
        check_name(f"config: variants.{name}.of:", "dataset", variant["of"], catalogue)
        if (other := variant.get("settings")) is not None:
            _check_settings_of(f"config: variants.{name}.settings:", name, other, variants)
    for name in config["datasets"]:
        check_name("config: datasets:", "dataset", name, [*catalogue, *variants])
    titles: dict[str, str] = {}
    for name in config["datasets"]:
        other = titles.setdefault(title := dataset_title(config, name), name)
        if other != name:
            key = "variants" if name in variants else "dataset_catalogue"
            raise RankassayError(
                f"config: {key}.{name}.label: figures and tables would call it '{title}', as they "
                f"call {other}; give it another label."
            )
    for name in config["recommenders"]:
        check_name("config: recommenders:", "recommender", name, config["recommender_catalogue"])


def _check_settings_of(place: str, name: str, other: str, variants: Mapping[str, Any]) -> None:
    """Check that the settings that a variant takes are those of another variant of its data."""
    known = [key for key, own in variants.items() if own["of"] == variants[name]["of"]]
    known = [key for key in known if key != name and variants[key].get("settings") is None]
    if other not in known:
        among = ", ".join(known) or "none"
        raise RankassayError(
            f"{place} expected another variant of {variants[name]['of']} that has settings of its "
            f"own ({among}), found '{other}'."
        )


def _check_files(config: dict) -> None:
    """Check that files are there: Snakemake passes over a missing one whose results are there."""
    chosen = {data_of(config, name) for name in config["datasets"]}
    for name, entry in config["dataset_catalogue"].items():  # all: any can be asked for by its path
        keys = ("path", *(f"{part}_path" for part in BESIDE), "train", "results")
        files = {key: entry[key] for key in keys if entry.get(key)}
        if entry["kind"] == "scores" and (name in chosen or not files):
            try:
                files = {_key(entry, what): path for what, path in score_files(entry).items()}
            except RankassayError as error:
                raise RankassayError(f"config: dataset_catalogue.{name}.results: {error}") from None
        for key, path in files.items():
            _check_file(f"config: dataset_catalogue.{name}.{key}:", path, name in chosen)
    for study, path in config["claims"].items():
        _check_file(f"config: claims.{study}:", path)
        _check_claims(config, path)


def _check_file(place: str, path: str, there: bool = True) -> None:
    """Check the path of a file of the user's, and that it is there where it is needed."""
    systems.check_path(place, path)
    if there and not Path(path).is_file():
        raise RankassayError(f"{place} expected a file, found none at {Path(path).absolute()}.")


def _check_claims(config: dict, path: str) -> None:
    """Check the user's own claims, which one on a misspelt dataset would not be: not testable."""
    from rankassay.claims.lists import read  # on use: few runs have claims of their own

    known = [*config["dataset_catalogue"], *config["variants"], *PLACES]
    for claim in read(path):
        for dataset in claim["datasets"]:
            check_name(f"{path}: claim {claim['id']}: datasets:", "dataset", dataset, known)


def _key(entry: Mapping[str, Any], what: str) -> str:
    """Return the key of a file with values of metrics, within its entry."""
    form = next(form for form in ("tables", "table", "results") if entry.get(form))
    return f"tables.{what}" if form == "tables" else form


def _check_metrics(config: dict) -> None:
    """Check the metrics that are configured for all datasets, and their cut-offs."""
    metrics = config["metrics"]
    for dataset, measures in _values_of(config).items():
        for measure in measures:
            if not measure.startswith("own:"):
                at = f"config: dataset_catalogue.{dataset}: the values of {measure}"
                _check_measure(at, measure, metrics["profile"])
    for name in metrics["names"]:
        written = parts(name)
        if "@" in name or (written and written[2]):
            raise RankassayError(
                "config: metrics.names: expected names without cut-offs, which go to "
                f"metrics.cutoffs, found '{name}'."
            )
        _check_measure("config: metrics.names", f"{name}@1", metrics["profile"])
    cutoffs = metrics["cutoffs"]
    if cutoffs != sorted(cutoffs):
        raise RankassayError(
            f"config: metrics.cutoffs: expected increasing values, found {cutoffs}."
        )
    _check_depth("config: metrics.cutoffs:", cutoffs, config["depth"])


def _check_measure(place: str, name: str, profile: str) -> None:
    """Check a metric with its parameters and the cut-off behind it."""
    if re.sub("@[1-9][0-9]*$", "", name) in METRICS:
        return
    from rankassay.metrics.evaluate import Measure, resolve  # on use: compiled code takes its time

    with _naming_place(place):
        measure = Measure.parse(name)
        resolve(measure.metric, measure.parameters, profile)


def _check_depth(place: str, cutoffs: Iterable[int], depth: int) -> None:
    """Check that no cut-off is deeper than the lists."""
    if max(cutoffs) > depth:
        raise RankassayError(
            f"{place} {max(cutoffs)} is deeper than the lists; raise depth (now {depth}) or remove "
            "the cut-off."
        )


def _check_recommenders(config: dict) -> None:
    """Check that the configured recommenders take their settings, and have labels of their own."""
    labels: dict[str, str] = {}
    known = [*config["dataset_catalogue"], *config["variants"]]
    for dataset in config["calibrated"]:
        check_name("config: calibrated:", "dataset", dataset, config["dataset_catalogue"])
    for name in config["recommenders"]:
        entry = config["recommender_catalogue"][name]
        place = f"config: recommender_catalogue.{name}"
        with _naming_place(f"{place}.method"):
            method = recommender(entry["method"])
            parameters(method)
        with _naming_place(f"{place}.settings"):
            check_settings(method, entry.get("settings", {}))
        for dataset, own in entry.get("datasets", {}).items():
            check_name(f"{place}.datasets:", "dataset", dataset, known)
            with _naming_place(f"{place}.datasets.{dataset}"):
                check_settings(method, own)
        other = labels.setdefault(entry["label"], name)
        if other != name:
            raise RankassayError(f"{place}.label: '{entry['label']}' is the label of {other} too.")


def _check_fold_in(config: dict) -> None:
    """Check that recommenders can serve the users whom a split holds out, if one does."""
    for name in config["datasets"]:
        if holds_out(config, name):
            _check_served(config, config["recommenders"], f"the split of '{name}'")
    if "protocols" in config["studies"]:
        section = config["protocols"]
        for name in section["protocols"]:
            if config["protocol_catalogue"][name]["split"]["method"] == HOLD_OUT:
                served = section["recommenders"] or config["recommenders"]
                _check_served(config, served, f"the protocol '{name}'")


def _check_served(config: dict, recommenders: Iterable[str], asking: str) -> None:
    catalogue = config["recommender_catalogue"]
    names = [name for name in recommenders if not folds_in(catalogue[name]["method"])]
    if names:
        they, them = ("they", "them") if len(names) > 1 else ("it", "it")
        raise RankassayError(
            f"config: recommenders: {', '.join(names)} cannot serve users whom {they} did not "
            f"learn from, as {asking} asks for, which holds users out; leave {them} out of "
            "`recommenders`, or choose another split."
        )


def _check_tuning(config: dict) -> None:
    """Check the grids of settings."""
    _check_measure("config: tuning.measure", config["tuning"]["measure"], "paper")
    catalogue = config["recommender_catalogue"]
    for name, grid in config["tuning"]["grids"].items():
        check_name("config: tuning.grids:", "recommender", name, catalogue)
        if name in config["recommenders"]:
            entry, grid = catalogue[name], grid or {}
            method = recommender(entry["method"])
            with _naming_place(f"config: tuning.grids.{name}"):
                check_names(method, entry.get("settings", {}) | grid)
                for setting, tried in grid.items():
                    for value in tried or ():
                        check_type(method, setting, value)


def _check_compared(config: dict) -> None:
    """Check the protocols that the study of protocols compares, if it is made."""
    _check_groups(config)
    if "protocols" not in config["studies"]:
        return
    section, place = config["protocols"], "config: protocols"
    for name in section["protocols"]:
        check_name(f"{place}.protocols:", "protocol", name, config["protocol_catalogue"])
    for name in section["recommenders"] or ():
        check_name(f"{place}.recommenders:", "recommender", name, config["recommenders"])
    systems_compared = section["recommenders"] or config["recommenders"]
    for key, compared in (("protocols", section["protocols"]), ("recommenders", systems_compared)):
        if len(compared) < 2:
            raise RankassayError(
                f"{place}.{key}: expected at least 2 of them, to compare; found {compared}."
            )


def _check_groups(config: dict) -> None:
    """Check that some dataset has the attributes that analyses ask for, if they are made."""
    if "beyond" not in config["studies"]:
        return
    entries = [entry_of(config, name) for name in config["datasets"]]
    for analysis, settings in _analyses(config, "beyond").items():
        for part in ATTRIBUTES:
            key = part.replace("attributes", "groups")
            known = [*MADE[part]]
            for entry in entries:
                known += (entry.get(part) or {}).get("attributes", {})
            if key in settings:
                place = f"config: {STUDIES['beyond'].place(analysis, key)}:"
                check_name(place, "attribute", settings[key], dict.fromkeys(known))


def _check_study(config: dict, study: str) -> None:
    """Check the section of a study against other sections."""
    section = config[study]
    place = f"config: {study}"
    values = _values_of(config)
    if "featured" in section and study in config["studies"]:
        dataset, metric = section["featured"]["dataset"], section["featured"]["metric"]
        if dataset is not None:
            check_name(f"{place}.featured.dataset:", "dataset", dataset, config["datasets"])
        names = [*config["metrics"]["names"]]
        names += [name for own in values.values() for name in map(without_cutoff, own)]
        if metric not in names:
            why = unknown_metric(metric, names)
            raise RankassayError(f"{place}.featured.metric: {why}")
    computed = {"metrics.cutoffs": config["metrics"]["cutoffs"]}
    own, analyses = {}, _analyses(config, study)
    for name, settings in analyses.items():
        if settings.get("cutoff"):
            at = f"config: {STUDIES[study].place(name, 'cutoff')}:"
            _check_depth(at, [settings["cutoff"]], config["depth"])
        if "cutoffs" in settings:
            at = STUDIES[study].place(name, "cutoffs")
            own[at] = settings["cutoffs"]
            _check_depth(f"config: {at}:", settings["cutoffs"], config["depth"])
    _check_read(study, analyses)
    if study in config["studies"]:
        _check_cutoffs_of_values(study, section, values)
    if len(values) == len(config["datasets"]):
        return
    if section["cutoff"] == AUTO:
        if study in config["studies"]:
            possible(config, study)
        return
    for where, cutoffs in (own or computed).items():
        if section["cutoff"] not in cutoffs and study in config["studies"]:
            raise RankassayError(
                f"config: {study}.cutoff: expected one of {where} {cutoffs}, found "
                f"{section['cutoff']}."
            )


def _analyses(config: dict, study: str) -> dict[str, dict[str, Any]]:
    """Return the settings of each analysis of a study."""
    section = config[study]
    return {name: STUDIES[study].settings_of(name, section) for name in section["analyses"]}


def _check_read(study: str, analyses: Mapping[str, dict]) -> None:
    """Check that an analysis which another one reads has the metrics and cut-offs of that one."""
    for name, settings in analyses.items():
        for other in STUDIES[study].analyses[name].required:
            read = analyses.get(other.removeprefix(f"{study}/"), {})
            for key in {"metrics", "cutoffs"} & settings.keys() & read.keys():
                if missing := [own for own in settings[key] if own not in read[key]]:
                    raise RankassayError(
                        f"config: {STUDIES[study].place(other.partition('/')[2], key)}: expected "
                        f"those of {name}, which reads them; {missing[0]} is missing; give both "
                        "the same."
                    )


def _values_of(config: dict) -> dict[str, list[str]]:
    """Return the measures of each dataset that has values of metrics alone."""
    names = [name for name in config["datasets"] if not systems.has_lists(config, name)]
    return {name: [*measures_of(entry_of(config, name)).values()] for name in names}


def _check_cutoffs_of_values(study: str, section: dict, values: Mapping[str, list[str]]) -> None:
    """Check that a study that reads values compares metrics at a cut-off that they have."""
    reads = [
        name
        for name, entry in STUDIES[study].analyses.items()
        if "scores" in entry.required and name in section["analyses"]
    ]
    for dataset, measures in values.items():
        found = [measure.rpartition("@")[2] for measure in measures if "@" in measure]
        cutoffs = sorted({int(cutoff) for cutoff in found})
        if reads and cutoffs and section["cutoff"] not in cutoffs:
            raise RankassayError(
                f"config: {study}.cutoff: expected a cut-off of the values of '{dataset}', "
                f"{cutoffs}, found {section['cutoff']}."
            )

"""Validation of a configuration, before any job: strict, with one clear line for each mistake."""

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path

import jsonschema
import yaml

from assayer import registry, systems
from assayer.errors import AssayerError, unknown

# The kinds of datasets, and the schemas of their entries.
KINDS = (("file", "dataset"), ("synthetic", "synthetic"), ("qrels", "qrels"))


def validate(config: dict, schemas: Path) -> None:
    """Check a configuration against its schema and against what the package knows.

    Parameters
    ----------
    config : dict
        The merged configuration of a run.
    schemas : Path
        The folder of config.schema.yaml and of the schemas it names.

    Raises
    ------
    AssayerError
        For the first mistake: where it is, what was expected and what was found.
    """
    check_schema(config, _schema(schemas))
    _check_names(config)
    _check_datasets(config)
    _check_metrics(config)
    _check_recommenders(config)
    systems.check(config)
    _check_tuning(config)
    for study in registry.studies():
        _check_study(config, study)


def _check_names(config: dict) -> None:
    """Check that what the configuration names is there, and that no name stands for two things."""
    catalogue, variants = config["dataset_catalogue"], config["variants"]
    for name in ("constructed", *variants):
        if name in catalogue:
            raise AssayerError(
                f"config: dataset_catalogue.{name}: the name stands for something else; choose "
                "another."
            )
    for name, variant in variants.items():
        _known(f"config: variants.{name}.of:", "dataset", variant["of"], catalogue)
    for name in config["datasets"]:
        _known("config: datasets:", "dataset", name, [*catalogue, *variants])
    for name in config["recommenders"]:
        _known("config: recommenders:", "recommender", name, config["recommender_catalogue"])


def check_schema(config: dict, schema: dict) -> None:
    """Raise AssayerError for the first place at which a configuration departs from its schema."""
    validator = jsonschema.Draft202012Validator(schema)
    # As text: the keys of a YAML file may be numbers, too.
    errors = sorted(validator.iter_errors(config), key=lambda e: ([*map(str, e.path)], e.message))
    if errors:
        raise AssayerError(_explain(_innermost(errors[0])))


def _schema(folder: Path) -> dict:
    """Return the schema of a configuration, with the schemas of the datasets' kinds in place."""

    def read(name: str) -> dict:
        return yaml.safe_load((folder / f"{name}.schema.yaml").read_text(encoding="utf-8"))

    schema = read("config")
    schema["$defs"]["dataset"] = {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": [kind for kind, _ in KINDS]}},
        "allOf": [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": read(name)}
            for kind, name in KINDS
        ],
    }
    return schema


def _innermost(error: jsonschema.ValidationError) -> jsonschema.ValidationError:
    """Return the mistake itself where the schema offers alternatives, the likeliest of them."""
    while error.context:
        error = jsonschema.exceptions.best_match(error.context)
    return error


def _explain(error: jsonschema.ValidationError) -> str:
    """Say in one line where a mistake is, what was expected and what was found."""
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
    place = f"config: {where.lstrip('.')}: " if where else "config: "
    if error.schema is False:
        return f"{place}this key has no place beside the others of its entry; remove it."
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        extra = next(key for key in error.instance if key not in known)
        return f"{place}{unknown('key', extra, known)}"
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"{place}the key '{missing[0]}' is missing."
    meaning = error.schema.get("description", "")
    found = repr(error.instance)
    found = found if len(found) <= 80 else found[:77] + "..."
    reason = {
        "enum": f"expected one of {', '.join(map(str, error.validator_value or []))}"
        if error.validator == "enum"
        else "",
        "type": f"expected a value of type {error.validator_value}",
        "pattern": "expected small letters, digits and hyphens",
        "minItems": f"expected at least {error.validator_value} of them",
        "uniqueItems": "expected no value twice",
    }.get(error.validator, f"expected {error.validator} {error.validator_value}")
    return f"{place}{reason}, found {found}." + (f" ({meaning})" if meaning else "")


def _known(place: str, kind: str, name: str, names: Iterable[str]) -> None:
    if name not in list(names):  # a name may be anything that YAML can hold
        raise AssayerError(f"{place} {unknown(kind, name, names)}")


def _check_datasets(config: dict) -> None:
    # Imported here, as in the functions below: jobs on a cluster read this module too.
    from assayer.data import synthetic

    data = {name: variant["of"] for name, variant in config["variants"].items()}
    for name in dict.fromkeys(data.get(name, name) for name in config["datasets"]):
        entry = config["dataset_catalogue"][name]
        place = f"config: dataset_catalogue.{name}"
        if entry["kind"] == "synthetic":
            given = entry["parameters"]
            check_settings(f"{place}.parameters", synthetic.generate, given, given={"seed"})
        # Snakemake would pass over a missing file whose results are already there.
        for key in ("path", "aspects_path", "train"):
            if key in entry and not Path(entry[key]).is_file():
                raise AssayerError(
                    f"{place}.{key}: expected a file, found none at {Path(entry[key]).absolute()}."
                )


def _check_metrics(config: dict) -> None:
    from assayer.metrics.evaluate import Measure, resolve
    from assayer.metrics.profiles import PROFILES

    metrics = config["metrics"]
    _known("config: metrics.profile:", "profile", metrics["profile"], PROFILES)
    for name in metrics["names"]:
        try:
            measure = Measure.parse(f"{name}@1")
            resolve(measure.metric, measure.parameters, metrics["profile"])
        except AssayerError as error:
            raise AssayerError(f"config: metrics.names: {error}") from None
    cutoffs = metrics["cutoffs"]
    if cutoffs != sorted(cutoffs):
        raise AssayerError(f"config: metrics.cutoffs: expected increasing values, found {cutoffs}.")
    if cutoffs[-1] > config["depth"]:
        raise AssayerError(
            f"config: metrics.cutoffs: {cutoffs[-1]} is deeper than the lists; "
            f"raise depth (now {config['depth']}) or remove the cut-off."
        )


def _check_recommenders(config: dict) -> None:
    labels: dict[str, str] = {}
    for name in config["recommenders"]:
        entry = config["recommender_catalogue"][name]
        place = f"config: recommender_catalogue.{name}"
        try:
            method = registry.load(registry.recommender(entry["method"]))
        except AssayerError as error:
            raise AssayerError(f"{place}.method: {error}") from None
        check_settings(f"{place}.settings", method, entry.get("settings", {}))
        for dataset, settings in entry.get("datasets", {}).items():
            known = [*config["dataset_catalogue"], *config["variants"]]
            _known(f"{place}.datasets:", "dataset", dataset, known)
            check_settings(f"{place}.datasets.{dataset}", method, settings)
        other = labels.setdefault(entry["label"], name)
        if other != name:
            raise AssayerError(f"{place}.label: '{entry['label']}' is the label of {other} too.")


def _check_tuning(config: dict) -> None:
    from assayer.metrics.evaluate import Measure

    try:
        Measure.parse(config["tuning"]["measure"])
    except AssayerError as error:
        raise AssayerError(f"config: tuning.measure: {error}") from None
    catalogue = config["recommender_catalogue"]
    for name, grid in config["tuning"]["grids"].items():
        _known("config: tuning.grids:", "recommender", name, catalogue)
        # The classes of the others would take their time to import.
        if name in config["recommenders"]:
            entry = catalogue[name]
            method = registry.load(registry.recommender(entry["method"]))
            settings = entry.get("settings", {}) | dict.fromkeys(grid or {})
            check_settings(f"config: tuning.grids.{name}", method, settings)


def _check_study(config: dict, study: str) -> None:
    section = config[study]
    place = f"config: {study}"
    if "featured" in section:
        dataset, metric = section["featured"]["dataset"], section["featured"]["metric"]
        if dataset is not None:
            _known(f"{place}.featured.dataset:", "dataset", dataset, config["datasets"])
        _known(f"{place}.featured.metric:", "metric", metric, config["metrics"]["names"])
    analyses = registry.of_study(registry.ANALYSES, study)
    for name, settings in section["analyses"].items():
        _known(f"{place}.analyses:", "analysis", name, analyses)
        inputs = {entry.rpartition("/")[2].replace("-", "_") for entry in analyses[name].inputs}
        check_settings(
            f"{place}.analyses.{name}",
            registry.load(analyses[name].function),
            settings,
            given={*inputs, "dataset", "seed", "evaluation"},
        )
        _check_measured(f"{place}.analyses.{name}", settings, config["depth"])
    _check_cutoff(config, study)


def _check_measured(place: str, settings: dict, depth: int) -> None:
    """Check the metrics, profile, cut-offs and peers of an analysis that has its own."""
    if "profile" in settings:
        from assayer.metrics.profiles import PROFILES

        _known(f"{place}.profile:", "profile", settings["profile"], PROFILES)
    for name in settings.get("metrics", []):
        own = ":" in name or name in registry.METRICS
        if place.startswith("config: diversity.") and not own:
            _check_diversity_metric(f"{place}.metrics:", name)
        else:
            _check_metric(f"{place}.metrics:", name)
    if isinstance(settings.get("metrics"), dict):
        _check_definitions(f"{place}.metrics", settings["metrics"])
    if settings.get("cutoffs") == []:
        raise AssayerError(f"{place}.cutoffs: expected at least 1 of them, found [].")
    if max(settings.get("cutoffs", [1])) > depth:
        raise AssayerError(
            f"{place}.cutoffs: {max(settings['cutoffs'])} is deeper than the lists; "
            f"raise depth (now {depth}) or remove the cut-off."
        )
    if "peers" in settings:
        from assayer.analysis import peers

        try:
            peers.choose(settings["peers"])
        except AssayerError as error:
            raise AssayerError(f"{place}.peers: {error}") from None


def _check_metric(place: str, name: str) -> None:
    """Check a metric without parameters, of the registry or (if it can be) of the user's own."""
    if ":" not in name or place.startswith("config: definitions."):
        return _known(place, "metric", name, registry.METRICS)
    from assayer.metrics.evaluate import resolve

    try:
        resolve(name, (), "paper")
    except AssayerError as error:
        raise AssayerError(f"{place} {error}") from None


def _check_diversity_metric(place: str, text: str) -> None:
    """Check a metric that needs the aspects of items, with its parameters."""
    from assayer.metrics.diversity.evaluate import parse

    try:
        parse(text)
    except AssayerError as error:
        raise AssayerError(f"{place} {error}") from None


def _check_definitions(place: str, metrics: dict) -> None:
    """Check the parameters of definitions of metrics."""
    from assayer.metrics.evaluate import resolve

    for metric, choices in metrics.items():
        for number, parameters in enumerate(choices):
            try:
                resolve(metric, tuple(parameters.items()), "paper")
            except AssayerError as error:
                raise AssayerError(f"{place}.{metric}[{number}]: {error}") from None


def _check_cutoff(config: dict, study: str) -> None:
    """Check that what a study shows at its cut-off is computed there."""
    computed = {"metrics.cutoffs": config["metrics"]["cutoffs"]}
    analyses = config[study]["analyses"]
    own = {f"{study}.analyses.{name}.cutoffs": s.get("cutoffs") for name, s in analyses.items()}
    if any(own.values()):
        computed = {place: cutoffs for place, cutoffs in own.items() if cutoffs}
    for place, cutoffs in computed.items():
        if config[study]["cutoff"] not in cutoffs:
            raise AssayerError(
                f"config: {study}.cutoff: expected one of {place} {cutoffs}, "
                f"found {config[study]['cutoff']}."
            )


def check_settings(
    place: str, function: Callable, settings: dict, given: Iterable[str] = ()
) -> None:
    """Check that a class or function takes these settings, and gets all that it needs.

    Parameters
    ----------
    place : str
        Where the settings stand, for the message.
    function : callable
        Whose parameters they are.
    settings : dict
    given : iterable of str
        Parameters that are no settings.
    """
    parameters = {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in given
    }
    for name in settings:
        if name not in parameters:
            raise AssayerError(f"{place}: {unknown('setting', name, parameters or ['none'])}")
    for name, parameter in parameters.items():
        if parameter.default is inspect.Parameter.empty and name not in settings:
            raise AssayerError(f"{place}: the setting '{name}' is missing.")

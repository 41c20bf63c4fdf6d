"""Validation of the sections of a configuration that are studies."""

from assayer.config.names import check_name, check_settings
from assayer.errors import AssayerError
from assayer.lookup import load
from assayer.metrics.catalogue import METRICS
from assayer.studies import ANALYSES, of_study


def check_study(config: dict, study: str) -> None:
    """Raise AssayerError for the first mistake in the section of a study."""
    section = config[study]
    place = f"config: {study}"
    if "featured" in section:
        dataset, metric = section["featured"]["dataset"], section["featured"]["metric"]
        if dataset is not None:
            check_name(f"{place}.featured.dataset:", "dataset", dataset, config["datasets"])
        check_name(f"{place}.featured.metric:", "metric", metric, config["metrics"]["names"])
    analyses = of_study(ANALYSES, study)
    for name, settings in section["analyses"].items():
        check_name(f"{place}.analyses:", "analysis", name, analyses)
        inputs = {entry.rpartition("/")[2].replace("-", "_") for entry in analyses[name].inputs}
        check_settings(
            f"{place}.analyses.{name}",
            load(analyses[name].function),
            settings,
            given={*inputs, "dataset", "seed", "evaluation"},
        )
        _check_measured(f"{place}.analyses.{name}", settings, config["depth"])
    _check_cutoff(config, study)


def _check_measured(place: str, settings: dict, depth: int) -> None:
    """Check the metrics, profile, cut-offs and peers of an analysis that has its own."""
    if "profile" in settings:
        from assayer.metrics.profiles import PROFILES

        check_name(f"{place}.profile:", "profile", settings["profile"], PROFILES)
    for name in settings.get("metrics", []):
        own = ":" in name or name in METRICS
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
        from assayer.studies.definitions import peers

        try:
            peers.choose(settings["peers"])
        except AssayerError as error:
            raise AssayerError(f"{place}.peers: {error}") from None


def _check_metric(place: str, name: str) -> None:
    """Check a metric without parameters, of the registry or (if it can be) of the user's own."""
    if ":" not in name or place.startswith("config: definitions."):
        return check_name(place, "metric", name, METRICS)
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

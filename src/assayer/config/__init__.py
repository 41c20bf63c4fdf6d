"""Validation of a configuration, before any job: strict, with one clear line for each mistake."""

from pathlib import Path

from assayer.config import systems
from assayer.config.names import check_name, check_settings
from assayer.config.schema import check_schema, schema_of
from assayer.config.studies import check_study
from assayer.errors import AssayerError
from assayer.lookup import load
from assayer.recommenders.catalogue import recommender
from assayer.studies import studies


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
    check_schema(config, schema_of(schemas))
    _check_names(config)
    _check_datasets(config)
    _check_metrics(config)
    _check_recommenders(config)
    systems.check(config)
    _check_tuning(config)
    for study in studies():
        check_study(config, study)


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
        check_name(f"config: variants.{name}.of:", "dataset", variant["of"], catalogue)
    for name in config["datasets"]:
        check_name("config: datasets:", "dataset", name, [*catalogue, *variants])
    for name in config["recommenders"]:
        check_name("config: recommenders:", "recommender", name, config["recommender_catalogue"])


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
    check_name("config: metrics.profile:", "profile", metrics["profile"], PROFILES)
    for name in metrics["names"]:
        if "@" in name:
            raise AssayerError(
                "config: metrics.names: expected names without cut-offs, which are given by "
                f"metrics.cutoffs, found '{name}'."
            )
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
            method = load(recommender(entry["method"]))
        except AssayerError as error:
            raise AssayerError(f"{place}.method: {error}") from None
        check_settings(f"{place}.settings", method, entry.get("settings", {}))
        for dataset, settings in entry.get("datasets", {}).items():
            known = [*config["dataset_catalogue"], *config["variants"]]
            check_name(f"{place}.datasets:", "dataset", dataset, known)
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
        check_name("config: tuning.grids:", "recommender", name, catalogue)
        # The classes of the others would take their time to import.
        if name in config["recommenders"]:
            entry = catalogue[name]
            method = load(recommender(entry["method"]))
            settings = entry.get("settings", {}) | dict.fromkeys(grid or {})
            check_settings(f"config: tuning.grids.{name}", method, settings)

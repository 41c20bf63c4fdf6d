"""Write the pages that say what the code, its schemas and its catalogues say.

    PYTHONPATH=src python docs/generate.py FOLDER

The build of the site calls it (`conf.py`), so that these pages are never out of date.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import yaml
from commands import command_line
from configuration import configuration
from docstrings import full_name, markdown, mentioned, signature, summary

import assayer
from assayer.api.compare import PermutationTest
from assayer.lookup import load
from assayer.metrics.catalogue import DIVERSITY_METRICS, METRICS
from assayer.metrics.profiles import PROFILES
from assayer.metrics.sampled import closed_forms, corrections, distribution, lists
from assayer.recommenders.catalogue import RECOMMENDERS
from assayer.studies import ANALYSES, FIGURES, of_study, studies

ROOT = Path(__file__).parents[1]
WITHOUT_RELEVANT = {"value": "counted, with the value of the formula", "nan": "left out"}
GIVEN = ("judged", "lists", "cutoffs")  # what every metric gets
STUDIES = {
    "robustness": "Robustness and discriminative power",
    "aggregation": "Averages over users",
    "definitions": "Definitions",
    "diversity": "Diversity",
    "goals": "Goals",
    "sampling": "Sampled metrics",
}
SAMPLED = {
    "One relevant item": (
        closed_forms,
        *("at_rank", "expected", "deviation"),
        *("expected_auc", "expected_recall", "expected_average_precision"),
    ),
    "The sampled rank": (distribution, "above_probability", "rank_distribution", "expectation"),
    "Corrections": (
        corrections,
        *("uncorrected", "rank_estimate", "constrained_least_squares", "bias_variance"),
    ),
}


def links() -> dict[str, str]:
    """Return where each object is described that a page of its own kind describes."""
    places = {}
    for page, table in (
        ("metrics", METRICS),
        ("diversity-metrics", DIVERSITY_METRICS),
        ("recommenders", RECOMMENDERS),
    ):
        for name, target in table.items():
            places[full_name(load(target))] = f"{page}.md#{_anchor(page, name)}"
    for name, entry in reversed(ANALYSES.items()):
        places[full_name(load(entry.function))] = f"analyses.md#{_anchor('analysis', name)}"
    for name, public in _public().items():
        places[full_name(public)] = f"python.md#{_anchor('python', name)}"
    for module, *names in SAMPLED.values():
        for name in names:
            where = f"sampled-metrics.md#{_anchor('sampled', name)}"
            places[f"{module.__name__}.{name}"] = where
    return places


def pages() -> dict[str, str]:
    """Return the text of every page by its name."""
    known = links()
    return {
        "metrics": _metrics(known),
        "diversity-metrics": _diversity_metrics(known),
        "sampled-metrics": _sampled_metrics(known),
        "recommenders": _recommenders(known),
        "analyses": _analyses(known),
        "python": _python(known),
        "command-line": command_line(),
        "configuration": configuration(ROOT),
    }


def _metrics(known: dict[str, str]) -> str:
    rows = [
        f"| `{name}` | {profile.source} | {_parameters(profile.parameters)} | "
        f"{WITHOUT_RELEVANT[profile.without_relevant]} |"
        for name, profile in PROFILES.items()
    ]
    return "\n".join(
        [
            "# Metrics",
            "",
            "What a configuration names under `metrics.names`, and a call under `metrics`, as in "
            "`nDCG@10` or `AP(denominator='min_cutoff')@10`. L is a user's list, cut at n; R the "
            "user's relevant items, those rated at least the threshold; N the judged items that "
            "are not relevant. An item that is not judged counts as not relevant, where the "
            "metric does not say otherwise.",
            "",
            "## Profiles",
            "",
            "A profile is a set of choices for the parameters below; a parameter that a name gives "
            "goes before it. The last column says what becomes of users without relevant items; "
            "`without_relevant` overrules it.",
            "",
            "| profile | is | sets | users without relevant items |",
            "|---|---|---|---|",
            *rows,
            "",
            *_entries("metrics", METRICS, known, "assayer.metrics"),
        ]
    )


def _parameters(choices: dict[str, dict]) -> str:
    return (
        "; ".join(
            f"[`{metric}`](#{_anchor('metrics', metric)}): "
            + ", ".join(f"`{name}={value!r}`" for name, value in given.items())
            for metric, given in choices.items()
        )
        or "nothing: the defaults of all metrics"
    )


def _diversity_metrics(known: dict[str, str]) -> str:
    return "\n".join(
        [
            "# Diversity metrics",
            "",
            "They need the aspects of the items, such as genres, and are those of the study of "
            "[diversity](../diversity.md). `i_k` is the item at place k of a list, A(i) its "
            "aspects, r a rating as a share of the highest one.",
            "",
            *_entries("diversity-metrics", DIVERSITY_METRICS, known),
        ]
    )


def _entries(
    page: str, table: dict[str, str], known: dict[str, str], package: str = ""
) -> Iterator[str]:
    """Yield a section for each metric."""
    for name, target in table.items():
        metric = load(target)
        given = signature(metric, GIVEN)
        yield from (f"({_anchor(page, name)})=", f"## {name}", "")
        yield from (f"`{name}({given})`" if given else f"`{name}`, which has no parameters", "")
        yield from (markdown(metric, known, (*GIVEN, "Returns"), package), "")
        for helper in mentioned(metric, package):
            if full_name(helper) not in known and helper.__module__.startswith("assayer.metrics"):
                yield from (f"`{helper.__name__}`: {markdown(helper, known, GIVEN, package)}", "")


def _sampled_metrics(known: dict[str, str]) -> str:
    parts = [
        "# Sampled metrics",
        "",
        "What metrics are worth on a sample of the items, in expectation, and estimators of the "
        "exact metric from a sample; the study is [sampling](../sampling.md).",
        "",
        "## Lists",
        "",
        markdown(lists, known),
        "",
    ]
    for title, (module, *names) in SAMPLED.items():
        parts += [f"## {title}", "", markdown(module, known), ""]
        for name in names:
            function = getattr(module, name)
            parts += [f"({_anchor('sampled', name)})=", f"### {name}", ""]
            parts += [f"`{name}({signature(function)})`", "", markdown(function, known), ""]
    return "\n".join(parts)


def _recommenders(known: dict[str, str]) -> str:
    catalogue = yaml.safe_load((ROOT / "config/recommenders.yaml").read_text(encoding="utf-8"))
    entries = catalogue["recommender_catalogue"]
    paper = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))[
        "recommenders"
    ]
    rows = []
    for name, entry in entries.items():
        where = f"[`{entry['method']}`](#{_anchor('recommenders', entry['method'])})"
        given = ", ".join(f"`{key}: {value}`" for key, value in entry.get("settings", {}).items())
        listed = "yes" if name in paper else ""
        rows.append(f"| `{name}` | {entry['label']} | {where} | {given} | {listed} |")
    parts = [
        "# Recommenders",
        "",
        "Those of the catalogue, `config/recommenders.yaml`, with the settings that differ from "
        "the defaults of the method. The last column says which are in the paper's study. How to "
        "change a setting, and to add one of your own: [configuration](../settings.md).",
        "",
        "| name | label | method | settings | paper |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ]
    for name, target in RECOMMENDERS.items():
        method = load(target)
        parts += [f"({_anchor('recommenders', name)})=", f"## {name}", ""]
        parts += [f"`{method.__name__}({signature(method)})`", "", markdown(method, known), ""]
    return "\n".join(parts)


def _analyses(known: dict[str, str]) -> str:
    parts = [
        "# Analyses",
        "",
        "Each is a function, whose result is a table: `results/<dataset>/<study>/<analysis>.csv`, "
        'or in Python `assayer.results("<study>/<analysis>")`. Those of a paper\'s own rankings '
        "need no dataset and are in `results/constructed`. The settings of each stand under "
        "`<study>.analyses.<analysis>` in the [configuration](configuration.md).",
        "",
    ]
    for study in studies():
        parts += [f"## {STUDIES.get(study, study)}", ""]
        for name in of_study(ANALYSES, study):
            parts += _analysis(study, f"{study}/{name}", known)
    return "\n".join(parts)


def _analysis(study: str, name: str, known: dict[str, str]) -> list[str]:
    """Return the section of an analysis."""
    entry = ANALYSES[name]
    function = load(entry.function)
    figures = of_study(FIGURES, study).items()
    shown = [
        f"`figures/{study}/{key}`" for key, own in figures if f"{study}/{own.analysis}" == name
    ]
    reads = ", ".join(f"`{given}`" for given in entry.inputs) or "nothing"
    about = f"Reads {reads}." + (f" Shown in {', '.join(shown)}." if shown else "")
    where = known[full_name(function)]
    if where.endswith(f"#{_anchor('analysis', name)}"):
        given = {given.rpartition("/")[2].replace("-", "_") for given in entry.inputs}
        said = markdown(function, known, (*given, "evaluation", "seed", "dataset"))
    else:
        said = f"{summary(function)} See [there]({where})."
    return [f"({_anchor('analysis', name)})=", f"### {name}", "", about, "", said, ""]


def _python(known: dict[str, str]) -> str:
    parts = [
        "# Python",
        "",
        "`import assayer` takes no time: what a function needs is imported when it is first used. "
        "A worked example is the [notebook](../notebook.md).",
        "",
    ]
    for name, public in _public().items():
        parts += [f"({_anchor('python', name)})=", f"## {name}", ""]
        if not isinstance(public, type):
            parts += [f"`assayer.{name}({signature(public)})`", ""]
        parts += [markdown(public, known), ""]
    return "\n".join(parts)


def _public() -> dict[str, object]:
    """Return the names of the package, and what its functions return that is its own."""
    public = {name: getattr(assayer, name) for name in assayer.__all__}
    return public | {"PermutationTest": PermutationTest}


def _yaml(name: str) -> dict:
    return yaml.safe_load((ROOT / f"config/{name}.yaml").read_text(encoding="utf-8"))


def _anchor(page: str, name: str) -> str:
    return f"{page}-{name}".replace("/", "-").replace("_", "-").lower()


def write(folder: Path) -> None:
    """Write every page that is not there in the same words."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        path = folder / f"{name}.md"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))

"""The page: what it holds, section by section, and its HTML."""

import dataclasses
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import jinja2
import pandas as pd
import yaml
from markupsafe import Markup

from assayer.config.titles import CONSTRUCTED
from assayer.guide import measured
from assayer.report import answers, charts, jobs, pictures, prose, verdicts
from assayer.report.shelf import HEAD, WHOLE, Shelf
from assayer.studies import FIGURES, STUDIES

ANSWERS = "robustness/summary"  # the analysis that the overview shows
TITLES = {study.__name__.rpartition(".")[2]: study.__doc__ for study in STUDIES}
MISSING = pd.DataFrame()


def render(
    contents: Mapping[str, Any],
    shelf: Shelf,
    claims: pd.DataFrame,
    times: Mapping[str, pd.DataFrame],
    versions: Mapping[str, Any],
) -> str:
    """Return the page as HTML; the same arguments always give the same text.

    Parameters
    ----------
    contents : mapping
        What the page shows, as `report_contents` in workflow/lookups/report.smk makes it: datasets
        and their titles, studies with the paths of their figures and tables, data (the datasets of
        each analysis), fidelity (datasets), the folder of the captions, and the run's settings.
    shelf : Shelf
        Reads files, and holds the tables that go into the page.
    claims : DataFrame
        The verdicts; see `assayer.report.verdicts.rows`.
    times : mapping
        Times and memory of the jobs; see `assayer.report.jobs.table`.
    versions : mapping
        Of assayer, python, the platform and packages, as a manifest has them.
    """
    page = {
        **_sections(contents, shelf, verdicts.rows(claims, contents["titles"])),
        "totals": verdicts.printed_totals(claims, contents["titles"]),
        "settings": yaml.safe_dump(contents["settings"], allow_unicode=True, width=88),
        "versions": versions,
        "jobs": jobs.table(times) if times else None,
        "limits": {"kilobytes": WHOLE // 1024, "rows": HEAD},
    }
    return _environment().get_template("page.html").render(page)


def _sections(contents: Mapping, shelf: Shelf, found: Sequence[verdicts.Row]) -> dict[str, Any]:
    """Return all that was found, and what the page's script needs to draw and show it."""
    datasets = _overview(contents, shelf)
    studies = [_study(study, contents, shelf) for study in contents["studies"]]
    fidelity = [_fidelity(dataset, contents, shelf) for dataset in contents["fidelity"]]
    drawn = [dataset["chart"] for dataset in datasets if dataset["chart"]]
    drawn += [chart for study in studies for chart in study["charts"]]
    return {
        "datasets": datasets,
        "synthetic": [dataset["title"] for dataset in datasets if dataset["synthetic"]],
        "verdicts": found,
        "counts": {name: verdicts.counts(found, name) for name in ("study", "dataset", "verdict")},
        "studies": studies,
        "fidelity": fidelity,
        "charts": {chart.id: dataclasses.asdict(chart) for chart in drawn},
        "tables": {key: dataclasses.asdict(held) for key, held in shelf.held.items()},
    }


def _environment() -> jinja2.Environment:
    """Return what fills the templates: whatever is put in is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("assayer.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["source"] = _source
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return environment


def _source(package: str, path: str) -> Markup:
    """Return a script or a style sheet as it is, which nobody but its author had a hand in."""
    return Markup(files(package).joinpath(path).read_text(encoding="utf-8"))


def _frames(analysis: str, contents: Mapping, shelf: Shelf) -> dict[str, pd.DataFrame]:
    """Return an analysis's tables by dataset, without those that have no rows."""
    places = {name: _path(analysis, name) for name in contents["data"].get(analysis, ())}
    frames = {name: shelf.frame(path) for name, path in places.items()}
    return {name: frame for name, frame in frames.items() if len(frame)}


def _chart(
    place: str,
    analysis: str,
    wanted: str | None,
    cutoff: int,
    contents: Mapping,
    shelf: Shelf,
) -> charts.Chart | None:
    """Return the chart of an analysis, of all datasets or a wanted one, or None without data."""
    frames = {
        name: frame
        for name, frame in _frames(analysis, contents, shelf).items()
        if wanted in (None, name)
    }
    if not frames:
        return None
    titles = contents["titles"]
    return charts.chart(
        place,
        analysis.partition("/")[2],
        {titles[name]: frame for name, frame in frames.items()},
        {titles[name]: shelf.key(_path(analysis, name), whole=True) for name in frames},
        cutoff,
    )


def _overview(contents: Mapping, shelf: Shelf) -> list[dict[str, Any]]:
    """Return what comes out on each dataset."""
    cutoffs = {study["name"]: study["cutoff"] for study in contents["studies"]}
    summaries = {
        study: _frames(f"{study}/summary", contents, shelf)
        for study in measured.STUDIES
        if study in cutoffs
    }
    orders = _frames("definitions/orders", contents, shelf)
    shown = []
    for dataset in contents["datasets"]:
        name, title = dataset["name"], dataset["title"]
        own = {study: frames[name] for study, frames in summaries.items() if name in frames}
        part = {"id": f"overview-{name}", "answer": None, "chart": None, "purposes": None}
        if "robustness" in own:
            cutoff = cutoffs["robustness"]
            part["answer"] = answers.answer(own["robustness"], name, title, cutoff)
            part["chart"] = _chart(f"chart-{name}", ANSWERS, name, cutoff, contents, shelf)
        if own:
            cutoff = min(cutoffs[study] for study in own)
            part["purposes"] = answers.purposes(own, orders.get(name, MISSING), cutoff)
        shown.append(dataset | part)
    return shown


def _study(study: Mapping, contents: Mapping, shelf: Shelf) -> dict[str, Any]:
    """Return the section of a study."""
    name, cutoff = study["name"], study["cutoff"]
    explored = [
        _chart(f"chart-{name}-{analysis}", f"{name}/{analysis}", None, cutoff, contents, shelf)
        for analysis in charts.EXPLORED
        # The overview has it already.
        if f"{name}/{analysis}" != ANSWERS
    ]
    return {
        "name": name,
        "title": name.capitalize(),
        "about": TITLES[name],
        "charts": [chart for chart in explored if chart],
        "figures": [_of_study(name, figure, contents, shelf) for figure in study["figures"]],
        "tables": [_table(path, contents, shelf) for path in study["tables"]],
    }


def _of_study(study: str, figure: Mapping, contents: Mapping, shelf: Shelf) -> dict[str, Any]:
    """Return a figure of a study."""
    svg, name = figure["svg"], f"{study}/{figure['svg'].rpartition('/')[2].removesuffix('.svg')}"
    entry = FIGURES[name]
    one = svg.count("/") > 2  # dataset
    what = ", all metrics" if one and entry.panels == "metrics" else ""
    analysis = f"{study}/{entry.analysis}"
    shown = _figure(svg, analysis, name, figure["datasets"], contents, shelf)
    return shown | {"one": one, "heading": shown["heading"] + what}


def _figure(
    svg: str,
    analysis: str,
    caption: str,
    datasets: Sequence[str],
    contents: Mapping,
    shelf: Shelf,
) -> dict[str, Any]:
    """Return a figure with its caption, and the tables that it was drawn from."""
    rst = shelf.read(f"{contents['captions']}/{caption}.rst")
    titles = {name: contents["titles"][name] for name in datasets}
    return {
        "id": "-".join(svg.removesuffix(".svg").split("/")[1:]),
        "heading": _heading(caption),
        "of": ", ".join(title for title in titles.values() if title != CONSTRUCTED),
        "caption": prose.caption(rst),
        "alt": f"{_heading(caption)}. {prose.in_short(rst)}.",
        "picture": pictures.picture(shelf.read(svg), svg),
        "data": [(title, shelf.key(_path(analysis, name))) for name, title in titles.items()],
    }


def _table(path: str, contents: Mapping, shelf: Shelf) -> dict[str, Any]:
    """Return a table with its caption."""
    name = path.removeprefix("results/tables/").removesuffix(".md")
    return {
        "id": f"table-{name.replace('/', '-')}",
        "heading": _heading(name),
        "caption": prose.caption(shelf.read(f"{contents['captions']}/{name}.rst")),
        "table": prose.table(shelf.read(path)),
        "data": [("all digits", shelf.key(f"results/tables/{name}.csv"))],
    }


def _fidelity(dataset: str, contents: Mapping, shelf: Shelf) -> dict[str, Any]:
    """Return how near the systems on a dataset are to the published ones."""
    summary = shelf.frame(_path("fidelity-summary", dataset))
    cells = [[(row.quantity, False), (f"{row.value:.4g}", False)] for row in summary.itertuples()]
    svg, caption = f"figures/fidelity/{dataset}.svg", "fidelity/systems"
    return {
        "figure": _figure(svg, "fidelity", caption, [dataset], contents, shelf),
        "summary": prose.Printed(["Quantity", "Value"], cells, [False, True]),
    }


def _path(analysis: str, dataset: str) -> str:
    """Return the place of an analysis's result."""
    return f"results/{dataset}/{analysis}.csv"


def _heading(name: str) -> str:
    """Return the name of a figure or table as a heading."""
    return name.rpartition("/")[2].replace("-", " ").capitalize()

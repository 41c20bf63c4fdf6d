"""The page: its contents, section by section, and its HTML."""

import dataclasses
import functools
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import Parser
from docutils.parsers.rst.states import Inliner
from docutils.writers.html5_polyglot import Writer
from markupsafe import Markup

from rankassay.answers import words
from rankassay.artifacts.tables import unquoted
from rankassay.config.titles import PLACES
from rankassay.drawing.text import Cell, Printed
from rankassay.report import advice_page, charts, verdicts
from rankassay.report.shelf import HEAD, WHOLE, Album, Shelf
from rankassay.report.tables import by_criterion, of_jobs
from rankassay.report.templating import environment
from rankassay.studies import FIGURES, STUDIES, TABLES, evidence

MISSING = pd.DataFrame()
WHICH = "Which metric, at which cut-off?"
LAST = "conclusions"  # the evidence that a comparison of datasets begins with
# Captions are the project's own, and still may bring no file and no HTML into the page.
OF_CAPTIONS = {"file_insertion_enabled": False, "raw_enabled": False, "report_level": 2}


def render(
    contents: Mapping[str, Any],
    shelf: Shelf,
    claims: pd.DataFrame,
    sentences: pd.DataFrame,
    times: Mapping[str, Mapping[str, float]],
    versions: Mapping[str, Any],
) -> str:
    """Return the page as HTML; the same arguments always give the same text.

    `contents` are as `rankassay.plan.report` makes them, and each table as the function reads it
    that shows it: in `rankassay.report.verdicts`, and `of_jobs` for the times.
    """
    named = (contents["titles"], contents["variants"])
    page = {
        **Sections(contents, shelf).all(verdicts.rows(claims, contents["titles"])),
        "untested": verdicts.untested(claims),
        "totals": verdicts.printed_totals(sentences, *named),
        "sentences": verdicts.printed_sentences(sentences, *named),
        "chance": verdicts.chance(claims),
        "settings": yaml.safe_dump(contents["settings"], allow_unicode=True, width=88),
        "versions": versions,
        "jobs": of_jobs(times) if times else None,
        "limits": {"kilobytes": WHOLE // 1024, "rows": HEAD},
    }
    return environment().get_template("page.html").render(page)


@dataclasses.dataclass(frozen=True)
class Sections:
    """The sections of a page; see `render`."""

    contents: Mapping[str, Any]
    shelf: Shelf
    album: Album = dataclasses.field(default_factory=Album)

    def all(self, found: Sequence[verdicts.Row]) -> dict[str, Any]:
        """Return all results, and the data that the page's script needs to draw and show them."""
        datasets, compared = self._overview(), self._comparison()
        studies = [self._study(study) for study in self.contents["studies"]]
        fidelity = [self._fidelity(dataset) for dataset in self.contents["fidelity"]]
        drawn = [dataset["chart"] for dataset in datasets if dataset["chart"]]
        drawn += [explored["chart"] for study in studies for explored in study["explored"]]
        counted = ("study", "dataset", "verdict")
        return {
            "datasets": datasets,
            "comparison": compared,
            "synthetic": [dataset["title"] for dataset in datasets if dataset["synthetic"]],
            "verdicts": found,
            "counts": {name: verdicts.counts(found, name) for name in counted},
            "studies": studies,
            "fidelity": fidelity,
            "charts": {chart.id: dataclasses.asdict(chart) for chart in drawn},
            "tables": json.dumps(
                {key: dataclasses.asdict(held) for key, held in self.shelf.held.items()},
                ensure_ascii=False,
            ),
            "pictures": self.album.keys,
            "letters": json.dumps(list(self.album.letters)),
        }

    @property
    def _answers(self) -> str:
        """The analysis that the overview shows: the first summary of the page's studies."""
        studies = {study["name"] for study in self.contents["studies"]}
        return next((name for name in evidence("summary") if name.partition("/")[0] in studies), "")

    def _frames(self, analysis: str) -> dict[str, pd.DataFrame]:
        """Return an analysis's tables by dataset, without those that have no rows."""
        datasets = self.contents["data"].get(analysis, ())
        frames = {name: self.shelf.frame(_path(analysis, name)) for name in datasets}
        return {name: frame for name, frame in frames.items() if len(frame)}

    def _chart(
        self, place: str, analysis: str, cutoff: int, wanted: str | None = None
    ) -> charts.Chart | None:
        """Return the chart of an analysis, of all datasets or a wanted one; None without data."""
        # A chart goes over cut-offs, which measures of whole lists do not have.
        found = {
            name: frame
            for name, frame in self._frames(analysis).items()
            if "cutoff" not in frame or frame["cutoff"].notna().all()
        }
        frames = {name: frame for name, frame in found.items() if wanted in (None, name)}
        if not frames:
            return None
        titles = self.contents["titles"]
        return charts.chart(
            place,
            analysis.partition("/")[2],
            {titles[name]: frame for name, frame in frames.items()},
            {titles[name]: self.shelf.key(_path(analysis, name), whole=True) for name in frames},
            cutoff,
        )

    @functools.cached_property
    def _across(self) -> dict[str, tuple[str, Mapping]]:
        """The figures that compare datasets, by name, each with its study, with which it stands.

        A study with conclusions goes first: its figure is shown where two have one of a name.
        """
        found: dict[str, tuple[str, Mapping]] = {}
        several = len(self.contents["datasets"]) > 1
        studies = self.contents["studies"] if several else []
        for study in sorted(studies, key=lambda own: not STUDIES[own["name"]].evidence.get(LAST)):
            for figure in study["figures"]:
                if figure["datasets"] == ["across"]:
                    found.setdefault(Path(figure["svg"]).stem, (study["name"], figure))
        return found

    def _comparison(self) -> dict[str, Any] | None:
        """Return what compares the datasets of the page; None where nothing does."""
        if not self._across:
            return None
        frames = [frame for name in evidence(LAST) for frame in self._frames(name).values()]
        said = [line for frame in frames for line in verdicts.over_all(frame)]
        figures = [self._of_study(study, figure) for study, figure in self._across.values()]
        return {"said": said, "figures": figures}

    def _overview(self) -> list[dict[str, Any]]:
        """Return the metrics to report on each dataset, and how metrics compare there."""
        shown = []
        for dataset in self.contents["datasets"]:
            name, title = dataset["name"], dataset["title"]
            part = {"id": f"overview-{name}", "card": None, "compared": None, "chart": None}
            if dataset["advice"]:
                part["card"] = advice_page.card(json.loads(self.shelf.read(dataset["advice"])))
            for study, summary in [*self._summaries(name).items()][:1]:
                cutoff = self._cutoffs[study]
                part["compared"] = by_criterion(summary, name, title, cutoff)
                part["chart"] = self._chart(f"chart-{name}", f"{study}/summary", cutoff, name)
            shown.append(dataset | part)
        return shown

    @property
    def _cutoffs(self) -> dict[str, int]:
        """The cut-off at which each study compares metrics."""
        return {study["name"]: study["cutoff"] for study in self.contents["studies"]}

    def _summaries(self, dataset: str) -> dict[str, pd.DataFrame]:
        """Return the summaries of a dataset, by study, that of the overview first."""
        return {
            study: frames[dataset]
            for analysis in evidence("summary")
            if (study := analysis.partition("/")[0]) in self._cutoffs
            and dataset in (frames := self._frames(analysis))
        }

    def _findings(self, study: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return a study's findings on each dataset: questions with their answers.

        Of the studies with a summary, the first has the sentences of the overview.
        """
        table = unquoted(self.shelf.frame(study["answers"])) if study["answers"] else None
        found = []
        for dataset in self.contents["datasets"]:
            name, title = dataset["name"], dataset["title"]
            own, said = self._summaries(name), []
            if [*own][:1] == [study["name"]]:
                said.append((WHICH, words.answer(own[study["name"]], study["cutoff"])))
            if table is not None:
                rows = table[table["Dataset"] == title]
                said += [*zip(rows["Question"], rows["Answer"], strict=True)]
            if said:
                found.append({"title": title, "sentences": said})
        return found

    def _study(self, study: Mapping) -> dict[str, Any]:
        """Return the section of a study."""
        name = study["name"]
        explored = {
            analysis: self._chart(f"chart-{name}-{analysis}", f"{name}/{analysis}", study["cutoff"])
            for analysis in charts.EXPLORED
            # The overview has it already.
            if f"{name}/{analysis}" != self._answers
        }
        explored = {analysis: chart for analysis, chart in explored.items() if chart}
        compared = [figure["svg"] for _, figure in self._across.values()]
        own = [figure for figure in study["figures"] if figure["svg"] not in compared]
        figures = [self._of_study(name, figure) for figure in own]
        tables = [self._table(path) for path in study["tables"]]
        return {
            "name": name,
            "title": name.capitalize(),
            "about": STUDIES[name].title,
            "said": self._findings(study),
            # Figures of the same results are below the interactive charts, of which the summary
            # suffices at first: that of one study, with all its charts, is the overview.
            "explored": [
                {
                    "chart": chart,
                    "figures": [own for own in figures if own["analysis"] == analysis],
                    "open": analysis == "summary" or self._answers == f"{name}/summary",
                }
                for analysis, chart in explored.items()
            ],
            "figures": [own for own in figures if own["analysis"] not in explored],
            "tables": [table for table in tables if table["table"].cells],
        }

    def _of_study(self, study: str, figure: Mapping) -> dict[str, Any]:
        """Return a figure of a study."""
        svg, name = figure["svg"], f"{study}/{Path(figure['svg']).stem}"
        entry = FIGURES[name]
        one = svg.count("/") > 2  # dataset
        what = ", all metrics" if one and entry.panels == "metrics" else ""
        shown = self._figure(svg, f"{study}/{entry.analysis}", name, figure["datasets"])
        return shown | {"analysis": entry.analysis, "heading": shown["heading"] + what}

    def _figure(
        self, svg: str, analysis: str, name: str, datasets: Sequence[str]
    ) -> dict[str, Any]:
        """Return a figure with its caption, and the tables that it was drawn from."""
        caption = self._caption(name)
        titles = {dataset: self.contents["titles"][dataset] for dataset in datasets}
        return {
            "id": "-".join(svg.removesuffix(".svg").split("/")[1:]),
            "heading": _heading(name),
            "of": ", ".join(title for name, title in titles.items() if name not in PLACES),
            "caption": html_of(caption),
            "short": in_short(caption),
            "alt": f"{_heading(name)}. {in_short(caption)}.",
            "picture": self.album.picture(self.shelf.read(svg), svg),
            "data": [(title, self.shelf.key(_path(analysis, of))) for of, title in titles.items()],
        }

    def _table(self, path: str) -> dict[str, Any]:
        """Return a table with its caption, or with a heading if a figure has its name."""
        name = path.removeprefix("results/tables/").removesuffix(".md")
        table = table_of(self.shelf.read(path))
        caption = self._caption(name)
        alone = name not in FIGURES and bool(caption)
        return {
            "id": f"table-{name.replace('/', '-')}",
            "heading": _heading(name),
            "short": in_short(caption if alone else table.caption),
            "caption": html_of(caption) if alone else table.caption,
            "table": table,
            "data": [("all digits", self.shelf.key(f"results/tables/{name}.csv"))],
        }

    def _fidelity(self, dataset: str) -> dict[str, Any]:
        """Return how near the systems on a dataset are to the published ones."""
        table = self.shelf.frame(_path("fidelity-summary", dataset))
        rows = [(row.quantity, f"{row.value:.4g}") for row in table.itertuples()]
        svg = f"figures/fidelity/{dataset}.svg"
        return {
            "figure": self._figure(svg, "fidelity", "fidelity/systems", [dataset]),
            "summary": Printed.plain(["Quantity", "Value"], rows, [False, True]),
        }

    def _caption(self, name: str) -> str:
        """Return the caption of a figure or table, as reStructuredText; a table may have none."""
        return (FIGURES.get(name) or TABLES[name]).caption


def _path(analysis: str, dataset: str) -> str:
    """Return the place of an analysis's result."""
    return f"results/{dataset}/{analysis}.csv"


def _heading(name: str) -> str:
    """Return the name of a figure or table as a heading."""
    return name.rpartition("/")[2].replace("-", " ").capitalize()


def html_of(rst: str) -> Markup:
    """Return a caption as HTML."""
    inliner = Inliner()  # which cannot be inherited from
    # Markup is read, but no word is taken for an address: P@10 would be one of mail.
    inliner.implicit_inline = lambda text, _: [nodes.Text(text)] if text else []
    parser = Parser(inliner=inliner)
    parts = publish_parts(rst, parser=parser, writer=Writer(), settings_overrides=OF_CAPTIONS)
    return Markup(parts["body"])


def in_short(rst: str) -> str:
    """Return the first clause of a caption as plain text, which says what a figure shows.

    >>> in_short("Agreement between the ``a`` and *b*: Kendall's tau. More.")
    'Agreement between the a and b'
    """
    text = re.sub(r"[`*]+", "", " ".join(rst.split()))
    return re.split(r"[:.](?= |$)", text, maxsplit=1)[0]


def table_of(markdown: str) -> Printed:
    """Return a table that `rankassay.drawing.text.markdown` wrote.

    >>> lines = ["What.", "", "| a | b |", "| --- | ---: |", "| x | **1** |"]
    >>> table_of(chr(10).join(lines)).cells
    [[('x', False), ('1', True)]]
    """
    lines = markdown.splitlines()
    rows = [_cells(line) for line in lines if line.startswith("|")]
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    head, rule, *body = rows
    return Printed(
        names=[text for text, _ in map(_cell, head)],
        cells=[[_cell(text) for text in row] for row in body],
        numeric=[text.endswith(":") for text in rule],
        caption=_plain(" ".join(lines[:first]).strip()),
        note=_plain(" ".join(lines[first + len(rows) :]).strip()),
    )


def _cells(line: str) -> list[str]:
    """Return the cells of a row, at whose bars without a backslash it is cut."""
    return [text.strip() for text in re.split(r"(?<!\\)\|", line)[1:-1]]


def _cell(text: str) -> Cell:
    bold = re.fullmatch(r"\*\*(.*)\*\*", text)
    return (_plain(bold[1]), True) if bold else (_plain(text), False)


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)

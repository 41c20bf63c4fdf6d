"""What the report's page weighs, of a finished run and of copies of its first dataset.

    ./run python benchmarks/page.py FOLDER --copies 10

FOLDER is that of a finished run, such as `./run snakemake --cores 2 --configfile config/demo.yaml`.
Prints megabytes of the page and of its parts. The digits of each copy's tables beyond the fourth
decimal, and all decimals of its figures, are exchanged for others, as compression would find equal
copies; figures across datasets are those of the run.
"""

import argparse
import json
import os
import re
from pathlib import Path

import pandas as pd

from rankassay.claims.totals import COLUMNS, SENTENCES
from rankassay.report.page import render
from rankassay.report.shelf import Shelf

DIGITS = "0123456789"
VERSIONS = {"rankassay": "", "python": "", "platform": "", "packages": {}}


def copied(contents: dict, name: str, copies: list[str]) -> dict:
    """Return a report's contents with copies of a dataset in place of it."""

    def of(copy: str) -> dict:
        [own] = [each for each in contents["datasets"] if each["name"] == name]
        advice = own["advice"] and own["advice"].replace(f"/{name}/", f"/{copy}/")
        return {"name": copy, "title": copy, "synthetic": True, "advice": advice}

    def spread(datasets: list[str]) -> list[str]:
        return [own for each in datasets for own in (copies if each == name else [each])]

    studies = []
    for study in contents["studies"]:
        figures = []
        for figure in study["figures"]:
            if f"/{name}/" in figure["svg"]:
                for copy in copies:
                    own = figure["svg"].replace(f"/{name}/", f"/{copy}/")
                    datasets = [copy if each == name else each for each in figure["datasets"]]
                    figures.append({"svg": own, "datasets": datasets})
            else:
                figures.append(figure | {"datasets": spread(figure["datasets"])})
        studies.append(study | {"figures": figures})
    return contents | {
        "titles": contents["titles"] | {copy: copy for copy in copies},
        "datasets": [of(copy) for copy in copies],
        "data": {kind: spread(datasets) for kind, datasets in contents["data"].items()},
        "studies": studies,
    }


def altered(name: str, copies: list[str], path: str) -> str:
    """Return a file's text, that of a copy with other digits."""
    [number] = [k for k, copy in enumerate(copies) if f"/{copy}/" in path] or [0]
    text = Path(path.replace(f"/{copies[number]}/", f"/{name}/")).read_text()
    other = str.maketrans(
        DIGITS, "".join(str((d * (1, 3, 7, 9)[number % 4] + number) % 10) for d in range(10))
    )
    # Not in the outlines of letters, which all figures share.
    places = r"<path id=[^>]*/>|(\d\.)(\d+)" if path.endswith(".svg") else r"(\d\.\d{4})(\d+)"
    return re.sub(places, lambda m: m[1] + m[2].translate(other) if m[1] else m[0], text)


def main() -> None:
    """Print the sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    options = parser.parse_args()
    os.chdir(options.folder)
    contents = json.loads(Path("results/report.json").read_text())
    name = contents["datasets"][0]["name"]
    copies = [f"copy{number}" for number in range(options.copies)]
    shelf = Shelf(lambda path: altered(name, copies, path))
    claims, sentences = (pd.DataFrame(columns=names) for names in (COLUMNS, SENTENCES))
    page = render(copied(contents, name, copies), shelf, claims, sentences, {}, VERSIONS)
    print(f"the page: {len(page.encode()) / 1e6:.2f} MB")
    sizes: dict[str, int] = {}
    pattern = r'<script type="application/octet-stream"[^>]*id="([^"]*)"[^>]*>(.*?)</script>'
    for block, text in re.findall(pattern, page, re.DOTALL):
        kind = re.sub(r"[-\d]+$", "", block)
        sizes[kind] = sizes.get(kind, 0) + len(text)
    for kind, size in sizes.items():
        print(f"{kind}: {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()

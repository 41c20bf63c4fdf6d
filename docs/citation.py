"""How to cite the software and the paper, in words, from CITATION.cff."""

from pathlib import Path

import yaml

FILE = Path(__file__).parents[1] / "CITATION.cff"


def citation() -> str:
    """Return the references of the software and of the paper, as a list of Markdown."""
    own = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    (paper,) = own["references"]
    year = str(own["date-released"])[:4]
    who = " and ".join(author["name"] for author in own["authors"])
    names = [f"{author['given-names']} {author['family-names']}" for author in paper["authors"]]
    return (
        f"- {who}. {own['title']} Version {own['version']}, {year}.\n"
        f"- {', '.join(names[:-1])} and {names[-1]}. {paper['title']}. "
        f"{paper['collection-title']}, {paper['year']}. https://doi.org/{paper['doi']}\n"
    )


HELPERS = {"citation": citation}

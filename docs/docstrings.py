"""Docstrings as Markdown: sections, parameters, formulas and links, in the style of numpydoc."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Mapping

SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
LISTS = (
    "Parameters",
    "Attributes",
    "Returns",
    "Raises",
)  # sections of entries, each with its text below
FORMULA = re.compile(r"^(argmin\b|[^\s`]+(?: [^\s`A-Za-z]\S*| [a-z~]\S{0,2})* = )")


def markdown(
    documented, links: Mapping[str, str], skip: Iterable[str] = (), package: str = ""
) -> str:
    """Return the docstring of a function, class or module as Markdown.

    Parameters
    ----------
    documented
        The object.
    links : mapping from the full names of objects to where they are described
    skip : iterable of str
        Parameters that are no business of the reader, and sections.
    package : str
        Where names that the docstring's module does not have are looked up.
    """
    first, *rest = SECTION.split(inspect.getdoc(documented) or "")
    link = _linker(documented, links, package)
    parts = [_text(first.strip(), link)]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        if title in skip:
            continue
        body = body.strip("\n")
        said = _entries(body, link, skip) if title in LISTS else _text(body.strip(), link)
        if said:
            parts.append(f"**{title}**\n\n{said}")
    return "\n\n".join(part for part in parts if part)


def summary(documented) -> str:
    """Return the first sentence of a docstring, as Markdown."""
    return escaped((inspect.getdoc(documented) or "").partition("\n\n")[0].replace("\n", " "))


def signature(function: Callable, skip: Iterable[str] = ()) -> str:
    """Return a function's parameters and their defaults, without annotations."""
    known = inspect.signature(function).parameters.values()
    return ", ".join(
        parameter.name
        if parameter.default is inspect.Parameter.empty
        else f"{parameter.name}={parameter.default!r}"
        for parameter in known
        if parameter.name not in skip
    )


def escaped(text: str) -> str:
    """Return text with what Markdown would take for markup escaped, but for code."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([\\*_\[\]<|$~])", r"\\\1", part)
        for part in parts
    )


def mentioned(documented, package: str) -> list[Callable]:
    """Return the functions that a docstring names, each as `name` or `module.name`."""
    names = re.findall(r"`([\w.]+)`", inspect.getdoc(documented) or "")
    found = [_find(documented, name, package) for name in names]
    return [f for f in dict.fromkeys(found) if inspect.isfunction(f) and f is not documented]


def full_name(documented) -> str:
    """Return the module and name of an object, with a dot between them."""
    return f"{documented.__module__}.{documented.__qualname__}"


def _linker(documented, links: Mapping[str, str], package: str) -> Callable[[re.Match], str]:
    """Return what makes a link of a name in backquotes that is described somewhere."""

    def link(match: re.Match) -> str:
        found = _find(documented, match[1], package)
        name = match[1] if found is None else full_name(found)
        known = links.get(name)
        return match[0] if known is None or found is documented else f"[{match[0]}]({known})"

    return link


def _find(documented, name: str, package: str):
    """Return the function or class that a docstring calls by a name, or None."""
    module = getattr(documented, "__module__", None) or documented.__name__
    roots = [module, package, ""]
    for root in roots:
        path = f"{root}.{name}".strip(".")
        owner, _, attribute = path.rpartition(".")
        try:
            found = getattr(importlib.import_module(owner), attribute)
        except (ImportError, AttributeError, ValueError):
            continue
        if inspect.isfunction(found) or inspect.isclass(found):
            return found
    return None


def _text(text: str, link: Callable[[re.Match], str]) -> str:
    """Return paragraphs as Markdown: formulas and examples as they stand, the rest as text."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.split("\n")
        if lines[0].startswith(">>>"):
            parts.append(f"```pycon\n{paragraph}\n```")
        elif all(line.startswith("    ") for line in lines) or _is_formula(paragraph):
            parts.append("```text\n" + inspect.cleandoc("\n" + paragraph) + "\n```")
        elif paragraph.startswith("- "):
            parts.append(_prose(paragraph, link))
        else:
            parts.append(_prose(" ".join(map(str.strip, lines)), link))
    return "\n\n".join(parts)


def _is_formula(paragraph: str) -> bool:
    return bool(FORMULA.match(paragraph)) and not re.search(r"[a-z]\.(\s|$)", paragraph)


def _prose(text: str, link: Callable[[re.Match], str]) -> str:
    return re.sub(r"`([\w.]+)`", link, escaped(text))


def _entries(body: str, link: Callable[[re.Match], str], skip: Iterable[str]) -> str:
    """Return entries, a line with an indented text below each, as a list of definitions."""
    entries: list[list[str]] = []
    for line in body.split("\n"):
        if line.startswith("    ") or not line.strip():
            entries[-1].append(line[4:])
        else:
            entries.append([line])
    said = []
    for head, *lines in entries:
        name, colon, kind = head.partition(" : ")
        if {*name.split(", ")} <= {*skip}:
            continue
        term = f"`{name}`" + (f" : {escaped(kind)}" if colon else "")
        text = _text("\n".join(lines).strip(), link).replace("\n", "\n  ")
        said.append(f"{term}\n: {text or '&nbsp;'}")
    return "\n\n".join(said)

"""How the program talks: the length of its sentences, their numbers, and what it does not say."""

import ast
import re
from pathlib import Path

import yaml

WORDS, NUMBERS = 30, 2
PHRASES = yaml.safe_load((Path(__file__).parent / "phrases.yaml").read_text(encoding="utf-8"))
END = re.compile(r"(?<=[.!?])\s+(?!\()")
NUMBER = re.compile(r"(?<![\w.])[−-]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)%?(?!\w)")
# A number counts with its interval, and a share with its whole; names, levels and years are none.
NONE = re.compile(
    r"\S*@\d+"  # a metric or a cut-off
    r"|\d%\s?interval|95%(?=[:)]| interval| of the resamples)|middle 95%"
    r"|[−-]?[\d.]+%? to [−-]?[\d.]+%?(?=\))"  # an interval behind its number
    r"|(?:α =|p <|p ≥) [\d.]+|with \d+% power|1/Γ|simulations with [\d,]+ users?"
    r"|\bof (?:the )?(?:ten|\d[\d,]*)"  # the whole of a share
    r"|\((?:RecSys|SIGIR)[^)]*\)"
)


def sentences(text):
    """Return the sentences of a text."""
    return END.split(" ".join(text.split()))


def phrases(text, where="everywhere"):
    """Return what the dictionary has against a text, each as a phrase and what to say instead."""
    text, rules = " ".join(text.split()), PHRASES[where].items()
    return [(found[0], say) for rule, say in rules if (found := re.search(rule, text))]


def faults(text):
    """Return what is wrong with the manner of a text, sentence by sentence."""
    found = []
    for said in sentences(text):
        n_words, numbers = len(said.split()), NUMBER.findall(NONE.sub(" ", said))
        found += [f"{n_words} words: {said}"] if n_words > WORDS else []
        found += [f"numbers {numbers}: {said}"] if len(numbers) > NUMBERS else []
        against = [*phrases(said), *phrases(said, "sentences")]
        found += [f"'{phrase}' (rather: {say}): {said}" for phrase, say in against]
    return found


def strings(path):
    """Yield the strings of a module with their lines, those of one text in one piece.

    Docstrings, which the program shows to nobody, are left out; `{}` stands for a value.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            skipped.add(id(node.body[0].value))
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = [own.value if isinstance(own, ast.Constant) else "{}" for own in node.values]
            yield node.lineno, "".join(parts)


def templates(path):
    """Yield the longest piece without a value of each string of four words that is no message.

    In a study's `views.py`, sentences are what comes after the function of its table of answers.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    places = [own.lineno for own in tree.body if getattr(own, "name", "") == "answers"]
    first = places[0] if places and path.stem == "views" else 0
    messages = {
        own.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise)
        for own in ast.walk(node)
        if hasattr(own, "lineno")
    }
    for line, text in strings(path):
        pieces = re.split(r"\{[^}]*\}", text)
        longest = max(
            (piece.strip(" .,;:()") for piece in pieces), key=lambda own: len(own.split())
        )
        if line >= first and line not in messages and len(longest.split()) >= 4:
            yield longest

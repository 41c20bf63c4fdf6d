"""Command: ask a few questions, and print which metrics to use, with measured results.

The questions of a paper as a tree: Schröder, Thiele and Lehner, UCERSTI 2011 ("Setting goals and
choosing metrics for recommender system evaluations"), section 6, give them and say what each answer
means. Reasons say where they are the paper's and where not.
"""

import argparse
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rankassay.api.reading import CUTOFF
from rankassay.cli.arguments import add_manual, printing
from rankassay.errors import RankassayError, one_of


@dataclass(frozen=True)
class Answer:
    """One answer: its text, and the question or goal that it leads to."""

    text: str
    then: str


@dataclass(frozen=True)
class Question:
    """A question, its name on the command line, why it is asked, and its answers."""

    flag: str
    text: str
    why: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True)
class Goal:
    """What is to be measured, by which metrics and why; `cut` if at the length of the list."""

    text: str
    metrics: tuple[str, ...]
    cut: bool
    why: str


def _interest(evenly: str, goals: str) -> Question:
    """Return the question of how users read a list, or with other goals a whole ranking."""
    return Question(
        "interest",
        "How fast does the users' interest in lower places fall?",
        "A metric should weigh places as users do.",
        {
            "at-once": Answer("one good item is enough", f"first{goals}"),
            "fast": Answer("the top is what counts", f"top{goals}"),
            "slowly": Answer("and liked items differ in how much", f"graded{goals}"),
            "evenly": Answer(evenly, f"even{goals}"),
        },
    )


QUESTIONS = {
    "rated": Question(
        "rated",
        "Does the data distinguish items that a user has rated from others?",
        "Where every item counts as rated, as with clicks, no rating is left to predict.",
        {
            "yes": Answer("there are ratings", "scale"),
            "no": Answer("clicks, purchases, plays", "list"),
        },
    ),
    "scale": Question(
        "scale",
        "On what scale are the ratings?",
        "Predicting one of two values is classification into good items and others.",
        {
            "numbers": Answer("such as stars", "wanted"),
            "binary": Answer("like and dislike, or like alone", "list"),
        },
    ),
    "wanted": Question(
        "wanted",
        "What do users look at?",
        "Errors of ratings that nobody sees should not decide.",
        {
            "predictions": Answer("the predicted ratings", "predictions"),
            "items": Answer("only which items come first", "list"),
        },
    ),
    "list": Question(
        "list",
        "Is a list of limited length shown?",
        "What stands beyond its end is seen by nobody and should not count.",
        {
            "limited": Answer("the first few items", "order"),
            "whole": Answer("users may read on to the end", "interest-whole"),
        },
    ),
    "order": Question(
        "order",
        "Do the shown items have an order, or imply one?",
        "Precision, recall and their relatives do not see the order of the list.",
        {
            "yes": Answer("from the best on", "interest"),
            "no": Answer("a grid, or marks on a page", "set"),
        },
    ),
    "interest": _interest("to the end of the list", ""),
    "interest-whole": _interest("to the very end", "-whole"),
}

TOP = (
    "Average precision weighs the first places most (the paper). Say which denominator: it is not "
    "one metric (the study definitions)."
)
GRADED = (
    "The logarithm falls slowly, and the gain counts how much an item is liked (not in the paper). "
    "Say which gain and which ideal list (the study definitions)."
)
FIRST = "It sees the first relevant item and nothing below (not in the paper)."

GOALS = {
    "predictions": Goal(
        "errors of predicted ratings",
        ("MAE", "RMSE", "NMAE"),
        False,
        "RMSE weighs large errors more; NMAE makes scales comparable (the paper).",
    ),
    "set": Goal(
        "a set of items, without order",
        ("Informedness", "Markedness", "MCC"),
        True,
        "They are 0 by chance for any share of relevant items, which precision, recall and F1 "
        "are not (the paper). Where thousands of items could be listed, they rank systems almost "
        "as recall, precision and F1 do (measured on MovieLens 1M).",
    ),
    "first": Goal("the first good item of a list", ("RR",), True, FIRST),
    "top": Goal("the top of a list", ("AP",), True, TOP),
    "graded": Goal("a list, with grades of liking", ("nDCG",), True, GRADED),
    "even": Goal(
        "a list, all places alike",
        ("LAUC",),
        True,
        "The area under the ROC curve as far as the list goes: order within the list counts, the "
        "same at its top and at its end, and nothing beyond (the paper).",
    ),
    "first-whole": Goal("the first good item", ("RR",), False, FIRST),
    "top-whole": Goal("the top of a ranking", ("AP",), False, TOP),
    "graded-whole": Goal("a ranking, with grades of liking", ("nDCG",), False, GRADED),
    "even-whole": Goal(
        "a whole ranking, all places alike",
        ("AUC",),
        False,
        "The area under the ROC curve weighs all places alike (the paper). It needs whole "
        "rankings: items that a system leaves out count as if they came last, in random order.",
    ),
}

START = "rated"
FLAGS = {question.flag: question for question in reversed(QUESTIONS.values())}

Ask = Callable[[Question], str]


def decide(ask: Ask) -> tuple[list[tuple[Question, str]], Goal]:
    """Return the questions that are asked, with their answers, and the goal they lead to.

    `ask` names an answer; raises RankassayError for one that the question does not have.
    """
    node, path = START, []
    while node in QUESTIONS:
        question = QUESTIONS[node]
        answer = ask(question)
        one_of(f"answer to --{question.flag}", answer, question.answers)
        path.append((question, answer))
        node = question.answers[answer].then
    return path, GOALS[node]


def from_flags(given: Mapping[str, str | None]) -> Ask:
    """Return a function that answers from flags; RankassayError where an answer is missing."""

    def ask(question: Question) -> str:
        answer = given.get(question.flag)
        if answer is None:
            raise RankassayError(
                f"{question.text} Give --{question.flag} {' or '.join(question.answers)}, or run "
                "the command in a terminal, where it asks."
            )
        return answer

    return ask


def text() -> str:
    """Return the tree as indented text."""
    return "\n".join(_branch(START, 0, set()))


def _branch(node: str, depth: int, seen: set[str]) -> list[str]:
    """Return a question with all that follows, or a goal, as indented lines."""
    indent = "    " * depth
    if node in GOALS:
        return [f"{indent}=> {_leaf(GOALS[node])}"]
    if node in seen:
        return [f"{indent}{QUESTIONS[node].text} (as above)"]
    seen.add(node)
    lines = [f"{indent}{QUESTIONS[node].text}"]
    for name, answer in QUESTIONS[node].answers.items():
        lines.append(f"{indent}  {name}: {answer.text}")
        lines += _branch(answer.then, depth + 1, seen)
    return lines


def _leaf(goal: Goal) -> str:
    return f"{goal.text}: {', '.join(_measures(goal))}"


def _measures(goal: Goal) -> list[str]:
    return [f"{metric}@k" if goal.cut else metric for metric in goal.metrics]


DESCRIPTION = """\
Ask what the recommender is for, and say which metrics serve it, at which cut-off, and why. Give
answers as options; in a terminal, the command asks for the others. Which measure to trust on data
of your own, `rankassay judge` says.
"""

EPILOG = """\
examples:
  python -m rankassay guide
  python -m rankassay guide --rated yes --scale numbers --wanted items --list limited --length 10 \\
      --order yes --interest slowly
  python -m rankassay guide --tree

The questions come from Schröder, Thiele and Lehner, 2011, section 6.
"""

WIDTH = 88


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_manual(parser, DESCRIPTION, EPILOG)
    for flag, question in reversed(FLAGS.items()):
        meaning = f"{question.text} {' or '.join(question.answers)}"
        parser.add_argument(f"--{flag}", metavar="ANSWER", help=meaning)
    parser.add_argument(
        "--length", type=int, metavar="N", help=f"items that the list shows ({CUTOFF})"
    )
    parser.add_argument("--tree", action="store_true", help="print all questions and answers")


def run(options: argparse.Namespace) -> None:
    """Ask, or read the options, and print the answer."""
    if options.length is not None and options.length < 1:
        raise RankassayError(f"expected a --length of at least 1, found {options.length}.")
    with printing():
        if options.tree:
            print(text())
            return
        path, goal = decide(_source_of_answers(options))
        print("\n".join(_answer(path, goal, options.length)))


def _source_of_answers(options: argparse.Namespace) -> Ask:
    """Return the source of answers: the options and, in a terminal, the person in front of it."""
    given = {flag: getattr(options, flag) for flag in FLAGS}
    by_flag = from_flags(given)

    def ask(question: Question) -> str:
        if given[question.flag] is not None or not (sys.stdin and sys.stdin.isatty()):
            return by_flag(question)
        print(f"\n{question.text}\n" + textwrap.indent(textwrap.fill(question.why, WIDTH), "  "))
        for name, answer in question.answers.items():
            print(f"    {name:12}{answer.text}")
        while True:
            try:
                said = input("> ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                raise RankassayError("stopped before the last question.") from None
            near = [name for name in question.answers if said and name.startswith(said)]
            if len(near) == 1:
                return near[0]
            print(f"  expected {' or '.join(question.answers)}")

    return ask


def _answer(path: list, goal: Goal, length: int | None) -> Iterator[str]:
    """Yield the lines that say which metrics to use, and why."""
    yield ""
    for question, answer in path:
        yield f"{question.text} {answer}"
    cut = f"@{length or CUTOFF}" if goal.cut else ""
    yield f"\nMeasure {goal.text}: {', '.join(metric + cut for metric in goal.metrics)}\n"
    yield textwrap.fill(goal.why, WIDTH)
    if goal.cut:
        k = f"{CUTOFF}, as in all commands; --length gives the number of items that the list shows"
        k = f"{length}, the number of items shown" if length else k
        yield textwrap.fill(f"Cut-off: {k}.", WIDTH)

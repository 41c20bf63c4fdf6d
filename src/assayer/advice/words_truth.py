"""What is said of a truth and of outcomes: what was assumed of them, one sentence each."""

from collections.abc import Sequence

from assayer.errors import number_of

NAMED = 3  # systems that a note names


def shared(both: int, left: int) -> str:
    """Return the note on pairs that were in the qrels and in the truth."""
    return (
        f"{number_of(both, 'pair', ('is', 'are'))} in the qrels and in the truth: only the truth "
        f"keeps {'it' if both == 1 else 'them'} ({number_of(left, 'judgement')} left in the qrels)."
    )


def split(both: int, qrels: int, share: float, truth: int, left: int) -> str:
    """Return the note on judgements that were divided between qrels and truth."""
    return (
        f"{both:,} of {number_of(qrels, 'judgement')} of the qrels are in the truth, too, so that "
        "these were divided at random: the truth has the items that users had not known, and "
        f"{share:.0%} of the others that do not train ({number_of(truth, 'judgement')}); the qrels "
        f"have the rest ({left:,})."
    )


def unknown_known(both: int, qrels: int) -> str:
    """Return the note on judgements that cannot be divided."""
    return (
        f"{both:,} of {number_of(qrels, 'judgement')} of the qrels are in the truth, too, which "
        "does not say what users had known (column known): no truth can be had that is apart from "
        "the qrels."
    )


def without_train() -> str:
    """Return the note on judgements that were divided without training ratings."""
    return (
        "No training ratings are given: no judgement is taken to have trained, and items that "
        "trained count for too little under the truth of liked items."
    )


def rests_on(judgements: int, users: int, items: int) -> str:
    """Return the note on what the truth is estimated from."""
    return (
        f"The truth is estimated from {number_of(judgements, 'judgement')} by "
        f"{number_of(users, 'user')}, as of a random part of {number_of(items, 'item')} (all that "
        "are in the qrels, the runs, the truth or the training ratings)."
    )


def rests_on_probabilities(judgements: int, users: int) -> str:
    """Return the note on what the truth is estimated from, by its own probabilities."""
    return (
        f"The truth is estimated from {number_of(judgements, 'judgement')} by "
        f"{number_of(users, 'user')}, each weighed by 1 / inclusion."
    )


def left_out(users: int, trained: int) -> list[str]:
    """Return the notes on judgements by others than the users of the qrels, and of training."""
    notes = []
    if users:
        who = number_of(users, "user", ("has", "have"))
        notes.append(f"{who} judgements in the truth and none in the qrels: left out of the truth.")
    if trained:
        pairs = number_of(trained, "judgement", ("is a training rating", "are training ratings"))
        notes.append(f"{pairs}, too: left out of the truth.")
    return notes


def nothing_new() -> str:
    """Return the note on flags that say nothing of new items."""
    return (
        "No run lists a liked item that its user had not known: nothing can be said of items new "
        "to the user."
    )


def own_threshold(truth: float, qrels: float) -> str:
    """Return the note on a truth of another scale."""
    return (
        f"The truth has another scale than the qrels: liked is a rating of at least {truth:g} "
        f"there, and of at least {qrels:g} in the qrels."
    )


def not_random(weighed: Sequence[float]) -> str:
    """Return the warning of judgements that are no random part of the items.

    `weighed` are the judgements of each fifth of the items by popularity, by their weights,
    relative to what they stand for.
    """
    least, most = (f"{own:.2f}".removeprefix("0") for own in (min(weighed), max(weighed)))
    return (
        "The truth is not of random items: by fifths of popularity, its judgements stand for "
        f"{least} to {most} of the items, where 1 is right; give the probabilities as inclusion."
    )


def taken_out(expected: float) -> str:
    """Return the note on judgements from which the qrels seem to have been taken."""
    return (
        f"No pair is in the qrels and in the truth, where {expected:,.0f} are expected by chance: "
        "the qrels seem to have been taken out of these judgements, so that known items count for "
        "too little; give all judgements, or their probabilities as inclusion."
    )


def outcomes_of(systems: int, drawn: int, without: Sequence[str]) -> list[str]:
    """Return the notes on outcomes: their number, and how many have errors to draw by."""
    notes = []
    if drawn:
        whose = number_of(drawn, "system", ("is", "are"))
        notes.append(
            f"The outcomes of {whose} drawn from normal distributions with their standard errors, "
            "independently of each other."
        )
    if drawn < systems:
        whose = number_of(systems - drawn, "system", ("has", "have"))
        notes.append(f"The outcome of {whose} no standard error and is taken to be exact.")
    if without:
        named = ", ".join(without[:NAMED])
        more = f" and {len(without) - NAMED} more" if len(without) > NAMED else ""
        notes.append(f"Without an outcome, and not compared with the outcomes: {named}{more}.")
    return notes

"""What depends on the protocol, in sentences: the table of answers."""

from collections.abc import Callable, Mapping

import pandas as pd

from rankassay.answers.words import of_enough
from rankassay.artifacts.replicate import ALL
from rankassay.declared.correlations import CORRELATIONS
from rankassay.drawing.table import (
    Table,
    answered,
    by_dataset,
    shown,
    told,
)
from rankassay.errors import listed, number_of
from rankassay.studies.protocols.conclusions import SURVIVES

WHOLE = 0.005  # what rounding to percents hides


def answers(
    components: pd.DataFrame | None,
    agreement: pd.DataFrame | None,
    winners: pd.DataFrame | None,
    conclusions: pd.DataFrame | None,
    cutoff: int,
    titles: Mapping[str, str],
) -> Table:
    """Return the findings on each dataset under one metric, nDCG or else the first one."""
    asked: list[tuple[str, pd.DataFrame | None, Callable[[pd.DataFrame], str]]] = [
        ("What do scores depend on: systems, protocols or luck?", components, _sources),
        ("Which protocol agrees least with the reference?", agreement, of_enough(_least_agreement)),
        ("Does the winner depend on the protocol?", winners, _winners),
    ]
    said = [
        (title, question, answer(told(own)))
        for question, table, answer in asked
        if table is not None
        for title, own in by_dataset(shown(table, cutoff), titles)
    ]
    if conclusions is not None:
        question = "Do the findings on metrics survive another protocol?"
        of_each = by_dataset(conclusions, titles)
        said += [(title, question, _survive(own)) for title, own in of_each]
    return answered(said, titles, "What depends on the protocol, in short.")


def _sources(rows: pd.DataFrame) -> str:
    """Return the shares of the variance by factor."""
    own = rows[rows["protocol"] == ALL].set_index("factor")
    name = own["measure"].iloc[0]
    if own["share"].isna().any():
        return f"Unknown: all systems tie under {name} in some replicate."
    alone = not {"seed", "fold"} & {*own.index}  # one replicate of each: chance cannot be estimated
    words = {
        "system": f"Systems account for {{share}} of the variance of {name} over all protocols.",
        "protocol": f"Another protocol{' or luck' if alone else ''} accounts for {{share}}.",
        "seed": "Another seed accounts for {share}.",
        "fold": "Another fold accounts for {share}.",
    }
    shares = {factor: own.loc[factor, "share"] for factor in words if factor in own.index}
    shown = {factor: max(share, 0.0) for factor, share in shares.items()}
    said = [words[factor].format(share=f"{100 * share:.0f}%") for factor, share in shown.items()]
    text = " ".join(said)
    if abs(sum(shown.values()) - 1) < WHOLE:
        return text
    reasons = []
    if min(shares.values()) < 0:
        reasons.append("a negative estimate counts as 0 here")
    if abs(sum(shares.values()) - 1) >= WHOLE:
        reasons.append("the protocols have different replicates or variances")
    return f"{text} These parts do not add up to 100%, because {listed(reasons)}."


def _least_agreement(rows: pd.DataFrame) -> str:
    """Return the protocol that agrees least with the reference, and pairs of its replicates."""
    name, reference = rows["measure"].iloc[0], rows["protocol_a"].iloc[0]
    others = rows[(rows["protocol_a"] == reference) & (rows["protocol_b"] != reference)]
    others = others.dropna(subset="tau")
    if others.empty:
        tie = "all systems tie under it, or under the others"
        return f"{reference} cannot be compared under {name}: {tie}."
    least = others.loc[others["tau"].idxmin()]
    symbol = CORRELATIONS[least["correlation"]].symbol
    interval = f", 95%: {least['low']:.2f} to {least['high']:.2f}" if pd.notna(least["low"]) else ""
    how = ""
    if len(others) > 1:
        how = " least" if (others["tau"] == least["tau"]).sum() == 1 else " as little as any other"
    said = (
        f"{least['protocol_b']} agrees{how} with {reference} on the ranking under {name} ({symbol} "
        f"= {least['tau']:.2f}{interval})."
    )
    if pd.isna(least["within"]):
        return said
    return f"{said} Two replicates of one of the two agree with {least['within']:.2f} on average."


def _winners(rows: pd.DataFrame) -> str:
    """Return the winners by number of protocols, and where another winner is more than chance."""
    name, reference = rows["measure"].iloc[0], rows.iloc[0]
    won = rows.groupby("winner", sort=False)["protocol"].agg(list)
    said = listed([f"{winner} under {listed(protocols)}" for winner, protocols in won.items()])
    several = any(", " in winner for winner in won.index)
    one = not several and len(won) == 1
    text = f"{'The winner' if one else 'The winners'} under {name} {'is' if one else 'are'} {said}."
    beyond = rows.loc[rows["beyond_luck"], "protocol"].tolist()
    if beyond:
        return (
            f"{text} The winner under {reference['protocol']} loses under {listed(beyond)} in at "
            "least 95% of the resamples of the users."
        )
    if rows["changed"].any() and rows["behind"].notna().all():
        return f"{text} Other users might reverse each of these changes."
    return text


def _survive(rows: pd.DataFrame) -> str:
    """Return how many findings hold under each protocol, of those that hold under the reference."""
    reference = rows["protocol"].iloc[0]
    held = (rows[rows["protocol"] == reference]["outcome"] == SURVIVES).sum()
    others = rows[rows["protocol"] != reference].groupby("protocol", sort=False)
    start = (
        f"{number_of(held, 'finding')} of Valcarce et al. (RecSys 2018) "
        f"{'holds' if held == 1 else 'hold'} under {reference}."
    )
    counts = {str(name): (own["outcome"] == SURVIVES).sum() for name, own in others}
    said = [
        f"{n or 'None'} of these also {'hold' if n > 1 else 'holds'} under {_named(name)}."
        for name, n in counts.items()
    ]
    return " ".join([start, *said])


def _named(protocol: str) -> str:
    """Return a protocol, or another replicate of the reference, such as random-80-20/seed-2."""
    _, again, replicate = protocol.partition("/")
    return f"another {replicate.partition('-')[0]} of it" if again else protocol

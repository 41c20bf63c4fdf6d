"""Tables of the audit of significance tests."""

from collections.abc import Mapping

import pandas as pd

from rankassay.drawing.table import MISSING, Table, by_dataset, name_of
from rankassay.studies.reliability.names_audit import NEAR, NULLS, TESTS
from rankassay.studies.reliability.words_audit import sentences

HEADS = {"name": "Metric", "users": "Users", "delta": "Delta", "error": "Error", "test": "Test"}
HEADS |= {"rate": "Measured", "standard_error": "Standard error", "published": "Published"}
HEADS |= {"deviation": "Deviation"}


def type_errors(type_errors: pd.DataFrame, titles: Mapping[str, str]) -> Table:
    """Return the rates of errors of five tests, a row for each metric and way to make data."""
    rows, marked, said = [], [], []
    keys = ["metric", "cutoff", "users", "error", "null", "delta", "alpha"]
    for title, own in by_dataset(type_errors, titles):
        said += sentences(own, title)
        for key, cell in own.groupby(keys, sort=False, dropna=False):
            metric, cutoff, users, error, null, delta, alpha = key
            by_test = cell.set_index("test").loc[[*TESTS]]
            row = {"Dataset": title, "Metric": name_of(metric, cutoff), "Users": users}
            row |= {"Error": error, "Delta": delta, "Alpha": alpha, "Data": NULLS[null]}
            heads = [*TESTS.values()]
            rows.append(row | dict(zip(heads, by_test["rate"], strict=True)))
            beyond = (by_test["low"] > alpha) & (error == "I")
            marked.append(dict(zip(heads, beyond, strict=True)))
    frame = pd.DataFrame(rows)
    printed = {"Users": "{:,}".format, "Delta": "{:g}".format, "Alpha": "{:g}".format}
    return Table(
        frame,
        "How often significance tests err: type I, significant though the means are equal; II, not "
        "significant though they differ by delta; III, significant in the wrong direction.",
        printed | dict.fromkeys(TESTS.values(), "{:.3f}".format),
        pd.DataFrame(marked),
        "In bold: the 95 % interval of a rate of type I lies above alpha. Where labels were "
        "exchanged, or data simulated from exchanged labels, systems differ by chance alone; what "
        "a test rejects of the second beyond the first is due to the simulation. "
        f"{MISSING}: no system can be better by delta. {' '.join(said)}",
    )


def type_errors_published(measured: pd.DataFrame) -> Table:
    """Return the rates on TREC's tracks and the published ones.

    All rates of type I are shown, and of the other types those that differ by more than .05 (II)
    or .01 (III).
    """
    far = measured["deviation"].abs() > measured["error"].map(NEAR)
    parts = []
    for error, limit in NEAR.items():
        own = measured["error"] == error
        if own.any():
            parts.append(f"type {error}, {far[own].sum()} of {own.sum()} by more than {limit:g}")
    shown = measured[(measured["error"] == "I") | far].reset_index(drop=True)
    names = [name_of(*cell) for cell in zip(shown["metric"], shown["cutoff"], strict=True)]
    tests = shown["test"].map(TESTS)
    frame = shown.assign(name=names, test=tests)[[*HEADS]].rename(columns=HEADS)
    digits = dict.fromkeys(["Measured", "Standard error", "Published"], "{:.4f}".format)
    return Table(
        frame,
        "Errors of significance tests at alpha .05, two-tailed, on TREC's tracks, and the "
        f"published rates (Urbano, Lima and Hanjalic, 2019). They differ: {'; '.join(parts)}.",
        digits | {"Delta": "{:g}".format, "Deviation": "{:+.4f}".format},
        {"Deviation": [*(shown["deviation"].abs() > shown["error"].map(NEAR))]},
        "All cells of type I, and of the others those that differ so, which are in bold.",
    )

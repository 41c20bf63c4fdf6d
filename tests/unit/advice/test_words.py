"""The answer in words: its form, and that each sentence says what the fields say."""

import random
import re

import pytest
from advice_made_up import JUDGED, NAMES, USUAL, example, recommendation
from answer_checks import check

from rankassay.advice import steps, words, words_trust
from rankassay.advice.words_layout import LABEL, ORDER
from rankassay.advice.words_names import BLANK, measure, shortened, unshortened
from rankassay.advice.words_report import WHY
from rankassay.report.advice_page import LISTED, LONGEST
from rankassay.types import HEIGHT, WIDTH

LONG = [f"experiment-2024-large-model-with-dropout-and-noise-seed-{n}" for n in range(40)]
ODD = ["a b, c > d", "REPORT", "x" * 300, "x" * 299 + "y", "línea\n2", "NEXT  1. x", "1", "…#3"]


def said(found):
    """Return the sentences of the answer, whole, on one line."""
    parts = words.passages(found)
    texts = [(own.head, own.text, *own.sentences, *(e.text for e in own.entries)) for own in parts]
    return "\n".join(" ".join(filter(None, own)) for own in texts)


def passage(found, kind):
    return next(own for own in words.passages(found) if own.kind == kind)


def screen(found, **how):
    found = found | {"next": steps.steps(found)}
    return words.screen(found, **how)


def made_up(seed):
    """Return advice whose parts are drawn at random, and agree with one another."""
    draw = random.Random(seed)
    n = draw.choice([1, 2, 3, 4, 6, 12, 40])
    names = draw.choice([LONG, [f"run{n}" for n in range(40)], ODD * 5])[:n]
    names = [*dict.fromkeys(names)]
    share = draw.random()
    found = example(names, stands=lambda a, b: draw.random() < share)
    for own in found["pairs"]:
        if not own["stands"]:
            own["significant"] = draw.random() < 0.6
            own["agree"] = own["significant"] and draw.random() < 0.5
            own["identical"] = not own["significant"] and draw.random() < 0.2
            if own["significant"] and not own["agree"]:
                own["signs"][USUAL] = 0
            elif own["agree"]:
                own["signs"] = dict.fromkeys(own["signs"], 1)
                own["stands_to"] = draw.choice([1.0, 2.0])
        if draw.random() < 0.05:
            own.update(difference=None, low=None, high=None, p=None, gamma=None)
    n_pairs = len(found["pairs"])
    found["data"] |= {
        "users": draw.choice([2, 214, 1_000_000]),
        "relevant_users": 2,
        "references": draw.choice([0, 8]),
        "synthetic": draw.random() < 0.3,
        "longest": draw.choice([100, 1000]),
        "train": draw.choice([{}, {"ratings": 5, "users": 2, "items": 3}]),
        "weights": draw.choice(["none", "popularity", "given"]),
        "judged_share": draw.choice([0.0, 1e-5, 0.5, 1.0]),
        "warnings": draw.choice([[], [f"{'x' * 24} has no list for 4,000 of 9,000 users."]]),
    }
    entries = [drawn(draw, n_pairs) for _ in range(draw.choice([1, 1, 2]))]
    if len(entries) == 2:
        entries[0]["yardstick"], entries[1]["yardstick"] = "liked", "new"
    found["recommendation"] = entries
    found["trust"] = [own for own in found["trust"] if draw.random() < 0.8]
    for own in found["trust"]:
        if own["kind"] == "bias":
            own["gamma"] = draw.choice([1.0, 1.9, "Infinity", None])
    return found


def drawn(draw, n_pairs):
    """Return a recommendation drawn at random."""
    entry = recommendation(n_pairs)
    form = draw.choice(["report", "usual", "weighed", "cannot tell", "nothing"])
    if form == "usual":
        entry |= {"measure": USUAL, "avoid": entry["avoid"][:1]}
    elif form == "weighed":
        entry |= {"measure": "IPS(gain='P')@10", "needs": "train"}
    elif form != "report":
        entry |= {"verdict": "cannot tell", "why": draw.sample([*WHY], draw.choice([1, 2]))}
        if form == "nothing":
            empty = dict.fromkeys(key for key in entry if "tau" in key or "worst" in key)
            entry |= {"measure": None, "tied": [], "avoid": [], "weak": [], **empty}
    entry["weak"] = draw.choice([entry["weak"], [], WEAK[:3], WEAK[3:]]) if entry["measure"] else []
    if draw.random() < 0.3 and entry["measure"]:
        entry["avoid"] = [*entry["avoid"], *({"measure": f"P@{k}", **TRUTH} for k in (5, 20, 50))]
    return entry


TRUTH = {"reason": "truth", "by": "liked", "tau": 0.41, "best": 0.65}
TRUTH |= {"best_measure": JUDGED, "best_low": 0.53, "best_high": 0.8}
WEAK = [
    {"criterion": "worst-kind", "kind": "deployed", "worst_loss": 0.12},
    {"criterion": "sparsity", "tau": 0.8, "best": 0.97, "best_measure": USUAL},
    {"criterion": "power", "significant": 3, "conventional": 9, "pairs": 15},
    {"criterion": "without", "share": 0.12},
    {"criterion": "popularity", "reversed": 1, "pairs": 15},
]
SEEDS = range(150)


@pytest.mark.slow
@pytest.mark.parametrize("colour", [False, True])
def test_the_answer_fits_on_a_screen(colour):
    for seed in SEEDS:
        lines = screen(made_up(seed), colour=colour)
        plain = [re.sub("\033\\[.m", "", line) for line in lines]
        assert 0 < len(lines) <= HEIGHT, seed
        assert max(map(len, plain)) <= WIDTH, seed
        assert plain == screen(made_up(seed)), seed
        assert all(map(str.isprintable, plain)), seed


def test_a_narrower_screen_drops_more_and_cuts_nothing():
    found = example()
    whole = said(found | {"next": steps.steps(found)})
    for width, height in ((100, 24), (80, 24), (100, 12), (60, 10)):
        lines = screen(found, width=width, height=height)
        assert len(lines) <= height
        assert max(map(len, lines)) <= width
        text = " ".join(" ".join(lines).split())
        assert text.startswith("943 users (940 with relevant items, median 9), 6 runs")
        assert "REPORT P@50 of judged items (hits / judged among the first 50)" in text
    assert "nDCG@10 .35 to .62" in whole


def test_the_parts_stand_in_their_order():
    order = ["data", "cannot tell", "report", "avoid", "conclusions", "trust", "next"]
    for seed in SEEDS:
        found = made_up(seed)
        kinds = [own.kind for own in words.passages(found | {"next": steps.steps(found)})]
        verdicts = [k for k in kinds if k in ("report", "cannot tell")]
        assert [k for k in kinds if k not in verdicts] == [
            k for k in order if k in kinds and k not in verdicts
        ], seed
        assert kinds[0] == "data"
        assert verdicts, seed


@pytest.mark.slow
def test_no_answer_contradicts_its_fields():
    for seed in SEEDS:
        found = made_up(seed)
        check(found | {"next": steps.steps(found)})


def test_why_pairs_do_not_stand_is_counted():
    for seed in SEEDS:
        found = made_up(seed)
        left = [own for own in found["pairs"] if not (own["stands"] or own["identical"])]
        if len(found["pairs"]) <= 3 or not left:
            continue
        said = passage(found, "conclusions").sentences
        [rest] = [t for t in said if t.startswith(("The other", "All pairs"))]
        chance = sum(not own["significant"] for own in left)
        measures = sum(own["significant"] and not own["agree"] for own in left)
        bias = sum(own["agree"] for own in left)
        words_of = {"not significant": chance, "measure": measures}
        words_of["bias"] = bias
        for part in rest.rstrip(".").split(": ", 1)[-1].split(", "):
            [(_, number)] = [(w, n) for w, n in words_of.items() if part.endswith(w)]
            number_said = re.match(r"(?:The other )?([\d,]+) ", part)
            assert number == (int(number_said[1].replace(",", "")) if number_said else len(left)), (
                seed,
                rest,
            )
        assert sum(n > 0 for n in words_of.values()) == len(rest.split(": ", 1)[-1].split(", "))


def counted(group):
    """Return how many pairs a group in the list of those that stand is about."""
    better, worse = group.split(" > ")
    sides = []
    for side in (better, worse):
        more = re.search(r" and ([\d,]+) more$", side)
        names = side[: more.start()] if more else side
        sides.append(len(names.split(", ")) + (int(more[1].replace(",", "")) if more else 0))
    return sides[0] * sides[1]


def test_the_list_of_pairs_counts_those_that_it_leaves_out():
    for seed in SEEDS:
        found = made_up(seed)
        stand = [own for own in found["pairs"] if own["stands"]]
        if len(found["pairs"]) <= 3 or not stand or {*ODD} & {o["better"] for o in stand}:
            continue
        for limit, width in ((24, 176), (24, 100), (None, 1000)):
            own = next(p for p in words.passages(found, limit, width) if p.kind == "conclusions")
            listed = own.sentences[0]
            rest = re.search(r"; and ([\d,]+) more pairs?: --pairs$", listed)
            groups = listed[: rest.start()] if rest else listed
            left = int(rest[1].replace(",", "")) if rest else 0
            assert sum(map(counted, groups.split("; "))) + left == len(stand), (seed, listed)
            assert len(listed) <= max(width, 200 if limit is None else 120), (seed, listed)


def test_pairs_that_stand_share_a_line_by_the_better_or_the_worse_run():
    found = example(stands=lambda better, worse: worse == 5)
    listed = passage(found, "conclusions").sentences[0]
    assert listed == "slim, wrmf and 3 more > popularity"
    found = example(stands=lambda better, worse: better == 0)
    assert passage(found, "conclusions").sentences[0] == "slim > wrmf, puresvd and 3 more"


def test_a_choice_among_few_says_so():
    found = example()
    assert passage(found, "report").sentences[0].startswith("It depends least on")
    found["settings"]["metrics"] = ["P@10"]
    own = passage(found, "report").sentences[0]
    assert own.startswith("Among those asked for, it depends least on")
    for row in found["measures"]:
        row["candidate"] = row["measure"] == JUDGED
    own = passage(found, "report").sentences[0]
    assert own.startswith(
        "In simulations of 5 kinds of bias, not on your data: Kendall's τ with the"
    )


def test_what_comes_from_simulations_is_called_so():
    for seed in SEEDS:
        for line in said(made_up(seed)).splitlines():
            for sentence in re.split(r"(?<=[.)]) (?=[A-Z])", line):
                if re.search(r"by kind|best measure|pairs exceed|significantly worse in", sentence):
                    assert re.search("simulat(ions|ed)", sentence), (seed, sentence)


def test_a_weakness_stands_in_the_same_passage_as_the_measure():
    entry = recommendation(15, weak=WEAK)
    own = passage(example(recommendation=[entry]), "report")
    assert own.sentences[1] == (
        "Its weaknesses: it loses τ .12 to the best measure in simulations where a deployed "
        "recommender chose what is seen; less robust to missing judgements (mean τ .80, nDCG@10 "
        ".97)."
    )
    lines = screen(example(recommendation=[entry]))
    start = next(n for n, line in enumerate(lines) if line.startswith("REPORT"))
    assert any("Its weaknesses" in line for line in lines[start : start + 5])


def test_every_weakness_has_its_numbers():
    texts = [
        passage(example(recommendation=[recommendation(15, weak=[own])]), "report").sentences[1]
        for own in WEAK
    ]
    assert texts[2:] == [
        "Its weakness: it finds 3 of 15 pairs significant (corrected), nDCG@10 9.",
        "Its weakness: 12% of the lists have no judged item among the first 50.",
        "Its weakness: 1 of 15 pairs of runs reverses without the most popular items.",
    ]


def test_measures_to_avoid_have_their_reasons():
    own = passage(example(), "avoid")
    assert own.text == (
        "Recall@100: 4 of 15 pairs of runs reverse without the most popular items (nDCG@10: 2)."
    )
    assert own.sentences == (
        "MAP@100: loses τ .31 to the best measure in simulations where a deployed recommender "
        "chose what is seen.",
    )
    avoid = [{"measure": name, **TRUTH} for name in ("AP@100", "R@100")]
    own = passage(example(recommendation=[recommendation(avoid=avoid)]), "avoid")
    assert own.text == (
        "MAP@100 and Recall@100: significantly worse than the best by your truth of liked items "
        "(τ .41; P@50 of judged items .65, .53 to .80)."
    )


def test_a_verdict_for_each_yardstick():
    liked = recommendation(yardstick="liked")
    new = recommendation(yardstick="new", verdict="cannot tell", why=["no-agreement"], measure=None)
    new |= {"avoid": [], "weak": [], "tied": []}
    lines = screen(example(recommendation=[liked, new]))
    assert any(line.startswith("REPORT for liked items  P@50 of judged items") for line in lines)
    start = "CANNOT TELL for items new to the user  which measure to trust: no measure agrees"
    assert any(line.startswith(start) for line in lines)
    assert not any(line.startswith("REPORT for items new") for line in lines)


def test_a_truth_is_quoted_with_its_interval():
    found = example(recommendation=[recommendation(15, yardstick="new")])
    for tau, row in zip((0.52, 0.31, -0.77), found["measures"], strict=False):
        row |= {"truth_new": tau, "truth_new_low": tau - 0.1, "truth_new_high": tau + 0.1}
    own = passage(found, "report")
    start = "Its Kendall's τ with your truth of new items: .52 (.42 to .62; nDCG@10 -.77"
    assert own.sentences[0].startswith(f"{start}). In simulations of 5 kinds of bias: τ")
    usual = next(row for row in found["measures"] if row["measure"] == USUAL)
    usual["truth_new"] = 0.71
    more = passage(found, "report").sentences[0]
    assert more.startswith(start.replace("-.77", ".71, not significantly more"))
    usual["truth_new"] = -0.77
    usual["excluded"] = "liked"
    assert passage(found, "report").sentences[0].startswith(f"{start}). In")
    usual["excluded"] = "liked, new"
    own = passage(found, "report")
    assert own.sentences[0].startswith(f"{start}, significantly below the best). In")
    found["recommendation"][0] |= {"verdict": "cannot tell", "why": ["no-agreement"]}
    assert passage(found, "cannot tell").text.endswith(
        "no measure agrees significantly with your truth of new items (τ -.77 to .52)."
    )
    for row in found["measures"]:
        row["truth_new"] = 0.5
    assert passage(found, "cannot tell").text.endswith("your truth of new items (τ .50).")


def test_a_truth_of_few_systems_is_called_that():
    few = [{"by": "outcomes", "systems": 3, "used": False}]
    found = example(recommendation=[recommendation(3, truths=few)])
    for row in found["measures"]:
        row |= {"outcomes": 1.0, "outcomes_low": 0.35, "outcomes_high": 1.0}
    own = passage(found, "report").sentences[0].removesuffix(").").split(" In ")[0]
    assert own == (
        "Its Kendall's τ with your outcomes: 1 (.35 to 1; nDCG@10 1; three systems are too few to "
        "choose by)."
    )


def test_pairs_that_reference_systems_are_in_are_called_so():
    weak = [{"criterion": "power", "significant": 45, "conventional": 49, "pairs": 55}]
    own = passage(example(recommendation=[recommendation(6, weak=weak)]), "report")
    assert own.sentences[1] == (
        "Its weakness: it finds 45 of 55 pairs significant with reference systems "
        "(corrected), nDCG@10 49."
    )


def test_a_smallest_difference_stands_next_to_the_best_mean():
    found = example()
    [own] = [own for own in found["trust"] if own["kind"] == "users"]
    found["trust"] = [own | {"detectable": None, "difference": 0.012}]
    [entry] = passage(found, "trust").entries
    best = f"{found['systems'][0]['mean']:.3f}".removeprefix("0")
    of = f"in P@50 of judged items; the best run has {best}"
    assert entry.text == f"you detect .012 {of} (power 80%)"


def test_one_run_is_told_what_can_be_told():
    entry = recommendation(0, verdict="cannot tell", why=["one-run"])
    found = example(["mine"], recommendation=[entry])
    lines = screen(found)
    assert (
        "CANNOT TELL  from your data which measure to trust: one run leaves nothing to rank."
        in (lines)
    )
    assert "Your run: mine reaches .712 (.702 to .722) in P@50 of judged items." in lines
    assert any("Give a second run" in line for line in lines)
    assert not any(" 0 of " in line or "few systems" in line for line in lines)


def test_no_candidate_has_its_reason():
    entry = recommendation(verdict="cannot tell", why=["no-candidates"], measure=None)
    found = example(recommendation=[entry | {"avoid": [], "weak": [], "tied": []}])
    for row in found["measures"]:
        row |= {"candidate": False, "why_not": "positive-only"}
    assert passage(found, "cannot tell").text == (
        "which measure to trust: no measure can be chosen (nothing irrelevant was judged)."
    )


def test_without_anything_relevant_no_measure_is_named():
    entry = recommendation(0, verdict="cannot tell", why=["no-relevant"], measure=None)
    entry |= {"avoid": [], "weak": [], "tied": []}
    found = example(["mine"], recommendation=[entry], trust=[])
    found["data"] |= {"relevant_users": 0, "relevant_median": 0.0}
    found["systems"][0] |= {"mean": None, "low": None, "high": None}
    text = "\n".join(screen(found))
    assert "REPORT" not in text
    assert (
        "CANNOT TELL  which measure to trust: no judged item is relevant (rated at least 4)."
        in (text)
    )
    assert "Lower the threshold: no judged item is rated 4 or higher: --threshold" in text


def test_three_runs_have_all_their_pairs():
    own = passage(example(["mine", "theirs", "other"]), "conclusions")
    assert own.head == "Conclusions that stand up to Γ = 4 (one hit may count 16 times another)"
    assert own.text == "1 of 3 pairs"
    assert own.sentences == (
        "mine - theirs = .006 in P@50 of judged items (-.004 to .016), p = .21: not significant.",
        "mine - other = .012 in P@50 of judged items (.007 to .022), p < .001: stands.",
        "theirs - other = .006 in P@50 of judged items (-.004 to .016), p = .21: not significant.",
    )


def test_why_a_pair_does_not_stand():
    found = example(["a", "b"], stands=lambda a, b: True)
    pair = found["pairs"][0]

    def text(**change):
        return passage(found | {"pairs": [pair | change]}, "conclusions").sentences[0]

    assert text().endswith("p < .001: stands.")
    assert text(stands=False).endswith(": not at Γ = 4.")
    signs = pair["signs"] | {USUAL: 0}
    assert text(stands=False, agree=False, signs=signs).endswith(": not under nDCG@10.")
    assert text(stands=False, agree=False, significant=False).endswith("not significant.")
    own = text(stands=False, agree=False, significant=False, identical=True)
    assert own == "a and b have the same hits: nothing separates them."


def test_lines_of_trust_have_their_numbers():
    entries = {own.name: own.text for own in passage(example(), "trust").entries}
    assert entries == {
        "missing judgements": "robust: τ .98 (.95 to 1) when half are removed",
        "bias": "wrmf can lead beyond Γ = 1.9 (P@50); 5% of simulated pairs exceed 3.2",
        "unjudged items": "88% of the listed; judging them could reverse 5 of 15 pairs at most",
        "users": "you detect 1.1% of the best mean (power 80%); 1% takes 1,140 users",
    }


REST_OF_TRUST = [
    {"kind": "popularity", "measure": JUDGED, "reversed": 3, "pairs": 15, "percentage": 80}
    | {"significant": 1, "rows": []},
    {
        "kind": "alike",
        "titles": ["MovieLens 1M", "Amazon Digital Music"],
        "leaders": [
            {"criterion": criterion, "metric": "P", "cutoff": 10, "first": 1, "datasets": 2}
            for criterion in ("sparsity", "popularity", "power")
        ],
        "rows": [],
    },
]


def trust_on(found, **how):
    """Return the heading and the lines of trust on a screen, each whole."""
    lines = screen(found, **how)
    start = next(n for n, line in enumerate(lines) if line.startswith(words_trust.HEAD))
    entries = []
    for line in lines[start + 1 : lines.index("", start) if "" in lines[start:] else None]:
        name, text = line[2 : 2 + LABEL].strip(), line[2 + LABEL :].strip()
        if name:
            entries.append((name, text))
        else:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {text}")
    return lines[start], entries


def test_the_screen_has_all_lines_of_trust_that_the_page_has():
    """The line on users was dropped for the third sentence on conclusions."""
    for seed in SEEDS:
        found = made_up(seed)
        found["trust"] += REST_OF_TRUST[: seed % 3]
        if any(len(own["system"]) > words.LONGEST for own in found["systems"]):
            continue  # the page cuts names later
        page = [part for part in words.passages(found, LONGEST, LISTED) if part.kind == "trust"]
        if page:
            head, entries = trust_on(found)
            assert head == words_trust.HEAD, seed
            said = [(own.name, own.text.replace(BLANK, " ")) for own in page[0].entries]
            assert entries == said, seed


def test_a_screen_that_is_too_small_says_how_many_lines_of_trust_it_has_not():
    found = example()
    head, entries = trust_on(found, width=70, height=18)
    assert 0 < len(entries) < 4
    left = 4 - len(entries)
    lines = "1 line" if left == 1 else f"{left} lines"
    assert head == f"How far to trust it (no room for {lines}: --out)"


def test_every_kind_of_trust_has_its_place_on_the_screen():
    assert {place for kind, place in ORDER if kind == "trust"} == {*range(len(words_trust.LABELS))}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"gamma": None}, "no Γ under P@50: no run has another hit than slim"),
        ({"gamma": "Infinity"}, "no weights of hits put another run before slim under P@50"),
        ({"gamma": 1.909}, "wrmf can lead beyond Γ = 1.9 (P@50)"),
        ({"gamma": 1.0}, "slim and wrmf are tied under P@50: any bias decides which is first"),
        ({"gamma": 1.0, "reversed": True}, "under P@50, which Γ is about, wrmf is first"),
    ],
)
def test_a_gamma_that_is_no_number_is_put_in_words(change, expected):
    found = example()
    [own] = [own for own in found["trust"] if own["kind"] == "bias"]
    found["trust"] = [own | change]
    [entry] = passage(found, "trust").entries
    assert entry.text.startswith(expected)


def test_synthetic_data_are_called_so():
    found = example()
    found["data"]["synthetic"] = True
    assert screen(found)[0].startswith("Synthetic data: 943 users")


def test_colour_marks_verdicts_and_loses_nothing():
    lines = screen(example(), colour=True)
    assert "\033[1mREPORT\033[0m" in "".join(lines)
    assert not any("\033" in line for line in screen(example()))


@pytest.mark.parametrize("limit", [8, 12, 24])
def test_short_names_are_distinct_and_short(limit):
    for names in (LONG, ODD, [*LONG, *ODD], ["x" * n for n in range(1, 60)], ["é" * 50, "é" * 51]):
        short = shortened(names, limit)
        assert [*short] == names
        assert len({*short.values()}) == len(names)
        assert max(map(len, short.values())) <= limit
        assert all(
            short[n] == n.replace(" ", "\u00a0")
            for n in names
            if len(n) <= limit and n.isprintable()
        )
    taken = ["abcd…xyz", "abcdefghijklmnopqrstuvwxyz", "abczzzzzzzzzzzzzzzzwxyz"]
    assert len({*shortened(taken, 8).values()}) == 3
    assert shortened(taken, 8)[taken[0]] == taken[0]
    assert unshortened(NAMES) == {name: name for name in NAMES}


def test_evidence_has_a_table_for_each_line():
    found = example()
    text = "\n".join(words.explain(found))
    heads = ["MEASURES", "RUNS", "MISSING JUDGEMENTS", "BIAS", "UNJUDGED ITEMS", "USERS", "NOTES"]
    assert [line for line in text.splitlines() if line in heads] == heads
    assert "Users without a relevant item take no part." in text
    for seed in SEEDS:
        assert words.explain(made_up(seed))


def test_all_pairs_are_printed():
    lines = words.pairs(example())
    assert len(lines) == 1 + 15
    assert lines[0].split() == [
        *("better", "worse", "difference", "interval", "p", "reverses", "at", "conclusion")
    ]
    assert sum(line.endswith("stands") for line in lines) == 10
    assert words.pairs(example(["a"])) == ["no pairs: one run has none"]


def test_the_recommended_measure_is_in_the_answer():
    text = said(example())
    assert measure(JUDGED) in text
    assert measure(USUAL) in text

"""The answer in words: its form, and that each sentence says what the fields say."""

import itertools
import random
import re

import pytest
from advice_made_up import (
    JUDGED,
    MEASURE,
    NAMES,
    SMOOTHED,
    USUAL,
    WRITTEN,
    cannot,
    example,
    recommendation,
    reference,
)
from answer_checks import check, counted

from rankassay.advice import advise, sentences, words, words_evidence, words_writing
from rankassay.advice.passages import LABEL, ORDER
from rankassay.advice.words_names import BLANK, shortened, unshortened
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
    found = found | {"next": advise.steps(found)}
    return words.screen(found, **how)


def made_up(seed):
    """Return advice whose parts are drawn at random, and agree with one another."""
    draw = random.Random(seed)
    n = draw.choice([1, 2, 3, 4, 6, 12, 40])
    names = draw.choice([LONG, [f"run{n}" for n in range(40)], ODD * 5])[:n]
    names = [*dict.fromkeys(names)]
    share = draw.random()
    n_pairs = len(names) * (len(names) - 1) // 2
    entries = [drawn(draw, n_pairs) for _ in range(draw.choice([1, 1, 2]))]
    if len(entries) == 2:
        entries[0]["yardstick"], entries[1]["yardstick"] = "liked", "new"
    told = entries[0]["verdict"] == "report"
    found = example(names, stands=lambda a, b: told and draw.random() < share)
    found["recommendation"] = entries
    for own in found["pairs"]:
        own["signs"] = {name: int(own["written"]) for name in entries[0]["written"]}
        if not own["written"]:
            own["significant"] = draw.random() < 0.6
            own["identical"] = not own["significant"] and draw.random() < 0.2
            if own["significant"] and len(own["signs"]) > 1:
                own["signs"][entries[0]["written"][0]] = 1
                own["signs"][draw.choice(entries[0]["written"][1:])] = draw.choice([-1, 0])
        if draw.random() < 0.05 and not own["written"]:
            own.update(difference=None, low=None, high=None, p=None, significant=False)
            own["signs"] = dict.fromkeys(own["signs"], 0)
        own["conventional_difference"] = draw.choice([0.003, -0.003, None])
    found["data"] |= {
        "users": draw.choice([2, 214, 1_000_000]),
        "relevant_users": 2,
        "references": draw.choice([0, 8]),
        "synthetic": draw.random() < 0.3,
        "longest": draw.choice([100, 1000]),
        "train": draw.choice([{}, {"ratings": 5, "users": 2, "items": 3}]),
        "weights": draw.choice(["none", "popularity", "given"]),
        "negative": draw.random() < 0.7,
        "judged_share": draw.choice([0.0, 1e-5, 0.5, 1.0]),
        "warnings": draw.choice([[], [f"{'x' * 24} has no list for 4,000 of 9,000 users."]]),
    }
    warned = draw.sample(WARNINGS, draw.choice([0, 1, 2]))
    found["checks"] |= {
        "warnings": [own | {"runs": names} if "runs" in own else own for own in warned]
    }
    if draw.random() < 0.5:
        found["systems"].append(reference())
    found["simulated"] = found["simulated"] if told and draw.random() < 0.7 else {}
    if len(names) > 1:
        found["because"] |= {"found": draw.choice([-1, 0, 1]), "liked": draw.choice([-1, 0, 1])}
    found["trust"] = [own for own in found["trust"] if draw.random() < 0.8]
    return found


def drawn(draw, n_pairs):
    """Return a recommendation drawn at random."""
    form = draw.choice(["report", "usual", "by truth", "cannot tell", "nothing"])
    avoid = draw.choice([[], [AVOIDED], [{**AVOIDED, "measure": f"P@{k}"} for k in (5, 20, 50)]])
    if form == "cannot tell":
        return cannot("one-run", measure=MEASURE)
    if form == "nothing":
        return cannot(*draw.sample([*sentences.WHY], draw.choice([1, 2])))
    entry = recommendation(n_pairs, avoid=avoid)
    if form == "usual":
        return entry | {"measure": USUAL, "written": [USUAL], "alike": {}}
    if form == "by truth":
        return entry | {"measure": JUDGED, "by": "liked", "written": [JUDGED], "needs": None}
    return entry | {"unweighed": draw.choice([[], ["few-train"], ["no-train"]])}


AVOIDED = {"measure": "R@100", "by": "liked", "tau": 0.41, "best": 0.65, "best_measure": JUDGED}
AVOIDED |= {"best_low": 0.53, "best_high": 0.8}
WARNINGS = [
    {"kind": "random", "runs": ["run0", "run1", "run2", "run3"]},
    {"kind": "depth", "tau": 0.21, "measure": "P@50"},
    {"kind": "weights", "tau": -0.4, "measure": "P@50"},
    {"kind": "more", "users": 1898},
    {"kind": "fewer", "users": 30},
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
    whole = said(found | {"next": advise.steps(found)})
    for width, height in ((100, 24), (80, 24), (100, 12), (60, 10)):
        lines = screen(found, width=width, height=height)
        assert len(lines) <= height
        assert max(map(len, lines)) <= width
        text = " ".join(" ".join(lines).split())
        assert text.startswith("943 users (940 with a relevant item, medians: 17 judged, 9 rel")
        assert "REPORT CDCG@50 by 1/√popularity (discounted hits among the first 50, less" in text
    assert "Among tuned systems alone it is .69, against .46." in whole


def test_the_parts_stand_in_their_order():
    order = ["data", "runs", "cannot tell", "report", "avoid", *("write", "not", "because", "one")]
    order += ["trust", "next"]
    for seed in SEEDS:
        found = made_up(seed)
        kinds = [own.kind for own in words.passages(found | {"next": advise.steps(found)})]
        verdicts = [k for k in kinds if k in ("report", "cannot tell")]
        assert [k for k in kinds if k not in verdicts] == [
            k for k in order if k in kinds and k not in verdicts
        ], seed
        assert kinds[:2] == ["data", "runs"]
        assert verdicts, seed


@pytest.mark.slow
def test_no_answer_contradicts_its_fields():
    for seed in SEEDS:
        found = made_up(seed)
        check(found | {"next": advise.steps(found)})


def test_the_list_of_pairs_counts_those_that_it_leaves_out():
    for seed in SEEDS:
        found = made_up(seed)
        written = [own for own in found["pairs"] if own["written"]]
        if not written or {*ODD} & {own["better"] for own in written}:
            continue
        for limit, width in ((24, 176), (24, 100), (None, 1000)):
            own = next(p for p in words.passages(found, limit, width) if p.kind == "write")
            listed = own.text.removesuffix(".")
            assert counted(listed) == len(written), (seed, listed)
            assert len(listed) <= max(width, 400 if limit is None else 150), (seed, listed)


@pytest.mark.parametrize(
    ("stands", "said"),
    [
        (lambda better, worse: worse == 5, "slim, wrmf and 3 more > popularity."),
        (lambda better, worse: better == 0, "slim > wrmf, puresvd and 3 more."),
        (lambda better, worse: better < 3 <= worse, "slim, wrmf and 1 more > rm2, item-knn and "),
        (lambda better, worse: False, "nothing: none of the 15 differences is significant under "),
    ],
)
def test_pairs_that_may_be_written_share_a_line_by_their_better_and_worse_runs(stands, said):
    own = passage(example(stands=stands), "write")
    assert own.text.startswith(said)
    assert bool(own.sentences) == (not said.startswith("nothing"))


def test_pairs_that_may_not_be_written_have_their_reasons():
    found = example(["a", "b"], stands=lambda a, b: False)
    pair = found["pairs"][0]

    def text(no=WRITTEN, **change):
        signs = {name: int(name not in no) for name in WRITTEN}
        return passage(found | {"pairs": [pair | {"signs": signs} | change]}, "not").text

    assert text() == "a > b: not significant (.006, -.004 to .016)."
    assert text(low=None) == "a > b: not significant (.006, p = .21)."
    assert text(difference=None) == "a > b: not significant (undefined)."
    assert text([JUDGED], significant=True) == "a > b: not under P@50 of judged items."
    both = "a > b: only under CDCG@50 by 1/√popularity."
    assert text([JUDGED, SMOOTHED], significant=True) == both
    assert text(identical=True) == "a > b: the same hits."
    nothing = example(recommendation=[cannot("few-informative")])
    nothing["pairs"][0] |= {"significant": True, "signs": {}, "written": False}
    assert words_evidence.pairs(nothing)[1].endswith("no measure is recommended")


def test_neighbours_that_may_not_be_written_are_named_and_the_others_counted():
    own = passage(example(stands=lambda a, b: (a, b) == (0, 1)), "not")
    assert own.text.startswith("wrmf > puresvd: not significant (")
    assert "; puresvd > rm2: not significant (" in own.text
    assert own.text.endswith("; and 12 more pairs: --pairs.")


def test_what_the_usual_measure_reverses_is_said_and_no_veto():
    found = example()
    [own] = [own for own in found["pairs"] if (own["better"], own["worse"]) == ("slim", "rm2")]
    own["conventional_difference"] = -0.01
    said = passage(found, "write").sentences
    assert said[-1] == "nDCG@10 (binary) ranks 1 of them the other way: slim > rm2."
    assert passage(found, "write").text == passage(example(), "write").text
    for own in found["pairs"]:
        own["conventional_difference"] = -0.01
    said = passage(found, "write").sentences[-1]
    assert said.endswith("ranks 10 of them the other way: slim > puresvd, slim > rm2 and 8 more.")


def test_shares_of_wrong_pairs_stand_beside_them():
    assert passage(example(), "write").sentences[0] == (
        "In simulations, 1.2% of such pairs of personalised systems are wrong, against 12% under "
        "nDCG@10 (binary) alone. With a baseline, such as popularity, it is 7%, against 18%."
    )
    assert passage(example(simulated={}) | {"simulated": {}}, "write").sentences == ()


@pytest.mark.parametrize(
    ("found", "liked", "said"),
    [
        (-1, 1, "slim finds less than wrmf (30%, 28%). But more of it is liked (80%, 79%)."),
        (1, 1, "slim finds more than wrmf (30%, 28%). And more of it is liked (80%, 79%)."),
        (1, -1, "slim finds more than wrmf (30%, 28%). But less of it is liked (80%, 79%)."),
        (
            0,
            1,
            "slim does not find significantly more or less than wrmf (30%, 28%). But more of it is",
        ),
        (1, 0, "slim finds more than wrmf (30%, 28%). But how much of it is liked does not differ"),
    ],
)
def test_why_the_first_run_is_first(found, liked, said):
    own = example()
    own["because"] |= {"found": found, "liked": liked}
    assert passage(own, "because").text.startswith(said)
    own["because"] |= {"found": 0, "liked": 0}
    assert "because" not in {part.kind for part in words.passages(own)}


def test_runs_stand_first_with_what_they_find_and_how_much_of_it_is_liked():
    found = example(["a", "b"])
    found["systems"].append(reference())
    assert passage(found, "runs").rows == (
        ("", "", "nDCG@10 (binary)", "CDCG@50 by 1/√popularity", "found in 10", "liked of these"),
        ("1", "a", ".356   1", ".712 ±.010   1", "30%", "80%"),
        ("2", "b", ".353   2", ".706 ±.010   2", "28%", "79%"),
        ("", "(Random)", ".010    ", ".010 ±.010    ", "30%", "80%"),
    )
    found["data"] |= {"negative": False, "depth": 5}
    assert passage(found, "runs").rows[0][-1] == "found in 5"
    assert len(passage(example(), "runs").rows) == 1 + words_writing.MOST
    assert [row[1] for row in passage(example(), "runs").rows[1:]] == [*NAMES[:3], NAMES[-1]]
    alone = example(recommendation=[cannot("out-of-range")])
    assert passage(alone, "runs").rows[0][2:] == (
        "nDCG@10 (binary)",
        "found in 10",
        "liked of these",
    )


def test_what_comes_from_simulations_is_called_so():
    for seed in SEEDS:
        for line in said(made_up(seed)).splitlines():
            for sentence in re.split(r"(?<=[.)]) (?=[A-Z])", line):
                if re.search(r"are wrong|with the true ranking", sentence):
                    assert re.search("simulat(ions|ed)", sentence), (seed, sentence)


def test_what_the_measure_is_worth_in_simulations_stands_below_it():
    own = passage(example(), "report")
    assert own.text == (
        "CDCG@50 by 1/√popularity (discounted hits among the first 50, less those of as many "
        "judged items at random; rare items count more), and nDCG@10 (binary) next to it."
    )
    assert own.sentences == (
        "In simulations with 453 users, its τ with the true ranking is .73 where some systems are "
        "baselines, that of nDCG@10 (binary) .50. Among tuned systems alone it is .69, against "
        ".46.",
        "The two rank your runs alike but for 2 of 15 pairs (τ .73).",
    )
    alone = example(recommendation=[recommendation(conventional=MEASURE, alike={})])
    assert (
        passage(alone, "report")
        .sentences[0]
        .endswith("is .73 where some systems are baselines. Among tuned systems alone it is .69.")
    )
    unknown = example() | {"checks": {"warnings": []}}
    assert "no reference systems were" in passage(unknown, "report").sentences[0]
    unknown["data"]["train"] = {}
    assert "give training ratings (--train)." in passage(unknown, "report").sentences[0]
    assert "simulations" not in said(example() | {"simulated": {}})


def test_simulated_figures_stand_beside_the_measure_that_they_are_of():
    """With two yardsticks they are of the first entry's, and another has none."""
    other = recommendation(yardstick="new", measure=JUDGED, by="new")
    for entry, times in ((other, 1), (recommendation(yardstick="new"), 2)):
        both = example(recommendation=[recommendation(yardstick="liked"), entry])
        assert said(both).count("its τ with the true ranking") == times
    none = cannot("no-agreement", yardstick="liked")
    second = example(recommendation=[none, recommendation(yardstick="new")])
    assert "its τ with the true ranking" not in said(second)


def test_a_reversal_by_the_conventional_measure_goes_before_next():
    assert ORDER.index(("write", 1)) < ORDER.index(("next", 0))


def test_without_simulated_writing_no_share_of_wrong_pairs_is_said():
    """As where the table has no row for it."""
    simulated = example()["simulated"] | {"writing": {}}
    assert "are wrong" not in said(example() | {"simulated": simulated})
    assert "are wrong" in said(example())
    assert "under nDCG@10 (binary) alone" in said(example())
    simulated = example()["simulated"] | {"usual": {}}
    assert "against" not in passage(example() | {"simulated": simulated}, "write").sentences[0]


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("no-train", "Without weights: no training ratings say what is popular."),
        ("few-train", "Without weights: 943 training users do not show well what is popular."),
    ],
)
def test_why_hits_are_not_weighed(why, said):
    found = example(recommendation=[recommendation(unweighed=[why])])
    assert said in passage(found, "report").sentences


@pytest.mark.parametrize(
    ("warning", "said"),
    [
        (WARNINGS[0], "slim, wrmf and 2 more runs are no better than random lists under CDCG@50"),
        (WARNINGS[0] | {"runs": ["rm2"]}, "rm2 is no better than random lists under CDCG@50 by 1"),
        (WARNINGS[1], "The discount decides the order of the runs: without it, all places alike"),
        (WARNINGS[2], "The weights decide the order of the runs: without them τ is -.40."),
        (WARNINGS[3], "More users than in any simulated data (at most 1,898 with a relevant item)"),
        (WARNINGS[4], "Fewer users than in any simulated data (at least 30 with a relevant item)."),
    ],
)
def test_what_decides_the_order_and_should_not_is_said_first(warning, said):
    own = dict(warning)
    if len(own.get("runs", ())) > 1:
        own["runs"] = NAMES[:4]
    found = example(checks={"warnings": [own]})
    assert passage(found, "data").sentences[0].startswith(said)
    assert any(line.startswith(said[:60]) for line in screen(found))


def test_measures_to_avoid_have_their_reasons():
    avoid = [AVOIDED | {"measure": name} for name in ("AP@100", "R@100")]
    own = passage(example(recommendation=[recommendation(avoid=avoid)]), "avoid")
    assert own.text == (
        "MAP@100 and Recall@100: significantly worse than the best by your truth of liked items "
        "(τ .41; P@50 of judged items .65, .53 to .80)."
    )
    online = recommendation(avoid=[*avoid, AVOIDED | {"by": "outcomes", "measure": "P@10"}])
    [other] = passage(example(recommendation=[online]), "avoid").sentences
    assert other.startswith("P@10: significantly worse than the best by your outcomes (τ .41; ")


def test_a_verdict_for_each_yardstick():
    both = [recommendation(yardstick="liked"), cannot("no-agreement", yardstick="new")]
    lines = screen(example(recommendation=both))
    assert any(line.startswith("REPORT for liked items  CDCG@50 by 1/√popula") for line in lines)
    start = "CANNOT TELL for items new to the user  which measure to trust: no measure agrees"
    assert any(line.startswith(start) for line in lines)
    assert not any(line.startswith("REPORT for items new") for line in lines)


def test_a_truth_is_quoted_with_its_interval():
    found = example(recommendation=[recommendation(15, yardstick="new")])
    for tau, row in zip((0.52, -0.77, 0.31), found["measures"], strict=False):
        row |= {"truth_new": tau, "truth_new_low": tau - 0.1, "truth_new_high": tau + 0.1}
    start = "Its Kendall's τ with your truth of new items: .52 (.42 to .62; nDCG@10 (binary) -.77"
    usual = found["measures"][1]

    def text(**change):
        usual.update(change)
        return passage(found, "report").sentences[0]

    assert text() == f"{start})."
    more = start.replace("-.77", ".71, not significantly more")
    assert text(truth_new=0.71) == f"{more})."
    assert text(truth_new=-0.77, excluded="liked") == f"{start})."
    assert text(excluded="liked, new") == f"{start}, significantly below the best)."
    found["recommendation"] = [cannot("no-agreement", yardstick="new")]
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
    assert passage(found, "report").sentences[0] == (
        "Its Kendall's τ with your outcomes: 1 (.35 to 1; nDCG@10 (binary) 1; three systems are "
        "too few to choose by)."
    )


@pytest.mark.parametrize("measure", [MEASURE, None])
def test_one_run_is_told_what_can_be_told(measure):
    found = example(["mine"], recommendation=[cannot("one-run", measure=measure)])
    lines = screen(found)
    assert "CANNOT TELL  which run is better: one run leaves nothing to rank." in lines
    of = "CDCG@50 by 1/√popularity" if measure else "nDCG@10 (binary)"
    assert f"YOUR RUN  mine reaches .712 under {of} (.702 to .722)." in lines
    assert any("Give a second run" in line for line in lines)
    assert not any(" 0 of " in line or "WRITE" in line for line in lines)


LIMITS = {"limits": {"t": 1.5, "share": 0.25}, "warnings": []}


@pytest.mark.parametrize(
    ("why", "checks", "said"),
    [
        ("no-difference", {}, "which run is better: all runs have the same hits."),
        (
            "few-informative",
            {},
            "which measure to trust: runs can differ for 900 users, and it takes 30.",
        ),
        (
            "out-of-range",
            {"t": 0.31, "share": 0.04},
            "which run is liked more: reference systems differ less than in 39 of 40 simulated "
            "data sets (the best from random lists by t = .3, below 1.5 and 4% of their pairs are "
            "significant, below 25%), so that no simulation speaks for a measure.",
        ),
        (
            "out-of-range",
            {"t": 2.0, "share": 0.04},
            "which run is liked more: reference systems differ less than in 39 of 40 simulated "
            "data sets (4% of their pairs are significant, below 25%), so that no simulation "
            "speaks for a measure.",
        ),
    ],
)
def test_why_nothing_can_be_told(why, checks, said):
    found = example(recommendation=[cannot(why)], checks=LIMITS | checks)
    assert passage(found, "cannot tell").text == said
    kinds = [part.kind for part in words.passages(found)]
    assert not {"write", "not", "because"} & {*kinds}


def test_without_a_recommended_measure_the_usual_one_is_reported_as_what_it_is():
    def text(why, **data):
        return passage(example(recommendation=[cannot(why)], data=data), "report").text

    start = "nDCG@10 (binary), as how much runs find of what users"
    assert text("out-of-range") == f"{start} rated, not what they like."
    assert text("out-of-range", negative=False) == f"{start} saw, not what they would like."
    assert text("few-informative") == "nDCG@10 (binary) until more is known."


def test_every_reason_has_words():
    for why in sentences.WHY:
        assert passage(example(recommendation=[cannot(why)]), "cannot tell").text


def test_without_anything_relevant_no_measure_is_named():
    found = example(["mine"], recommendation=[cannot("no-relevant")], trust=[])
    found["data"] |= {"relevant_users": 0, "relevant_median": 0.0}
    found["systems"][0] |= dict.fromkeys(("mean", "low", "high", "conventional"))
    text = "\n".join(screen(found))
    assert "REPORT" not in text
    assert (
        "CANNOT TELL  which measure to trust: no judged item is relevant (rated at least 4)."
        in (text)
    )
    assert "Lower the threshold: no judged item is rated 4 or higher: --threshold" in text


def test_lines_of_trust_have_their_numbers():
    entries = {own.name: own.text for own in passage(example(), "trust").entries}
    assert entries == {
        "missing judgements": "τ .98 (.95 to 1) between the ranking by half of them and by all",
        "bias": "all 10 pairs stand up to Γ = 2, 6 of them up to 4, for any weights of judged "
        "items from 1/Γ to Γ",
    }
    found = example()
    found["trust"][0]["references"] = 8
    assert passage(found, "trust").entries[0].text.endswith("by all (with reference systems)")
    assert words_evidence.unjudged(found["trust"][-1]) == (
        "88% of the listed; judging them could reverse 5 of 15 pairs at most"
    )


@pytest.mark.parametrize(
    ("stands", "said"),
    [
        ([4.0], "the pair stands up to Γ = 4, for any weights"),
        ([1.909], "the pair stands up to Γ = 1.9, for any weights"),
        ([4.0, 4.0], "both pairs stand up to Γ = 4, for any weights"),
        ([2.0, 1.5, 3.0], "all 3 pairs stand up to Γ = 1.5, for any weights"),
        ([1.0, 1.5, 4.0], "1 of 3 pairs stands up to Γ = 4, for any weights"),
        ([1.0, 2.0, 2.0], "2 of 3 pairs stand up to Γ = 2, for any weights"),
        (
            [1.0, 1.0],
            "no pair stays significant if judged items may weigh 1/Γ to Γ, Γ = 1.5",
        ),
        ([1.0], "the pair does not stay significant if judged items may weigh 1/Γ to Γ, Γ = 1.5"),
        ([None], "the pair does not stay significant if "),
    ],
)
def test_up_to_which_gamma_pairs_stand(stands, said):
    known = [own for own in stands if own] or [None]
    own = {"pairs": len(stands), "least": min(known), "most": max(known), "gamma": 4.0}
    own |= {"standing": stands.count(4.0), "rows": [{"stands_to": own} for own in stands]}
    assert words_evidence.bias(own).startswith(said)


def trust_on(found, **how):
    """Return the heading and the lines of trust on a screen, each whole."""
    lines = screen(found, **how)
    start = next(n for n, line in enumerate(lines) if line.startswith(words_evidence.HEAD))
    entries = []
    for line in itertools.takewhile(lambda line: line.startswith("  "), lines[start + 1 :]):
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
        if any(len(own["system"]) > words.LONGEST for own in found["systems"]):
            continue  # the page cuts names later
        if len(found["recommendation"]) > 1 and len(found["checks"]["warnings"]) > 1:
            continue  # which may take the whole screen
        page = [part for part in words.passages(found, LONGEST, LISTED) if part.kind == "trust"]
        if page:
            head, entries = trust_on(found)
            assert head == words_evidence.HEAD, seed
            said = [(own.name, own.text.replace(BLANK, " ")) for own in page[0].entries]
            assert entries == said, seed


def test_a_screen_that_is_too_small_says_how_many_lines_of_trust_it_has_not():
    head, entries = trust_on(example(), width=70, height=16)
    assert len(entries) == 1
    assert head == "How far to trust it (no room for 1 line: --out)"


def test_every_kind_of_trust_has_its_place_on_the_screen():
    told = [own.name for own in passage(example(), "trust").entries]
    assert {place for kind, place in ORDER if kind == "trust"} == {*range(len(told))}


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
    text = "\n".join(words_evidence.explain(found))
    heads = ["MEASURES", "RUNS", "CHECKS", "SIMULATED", "MISSING JUDGEMENTS", "BIAS"]
    heads += ["UNJUDGED ITEMS", "SETTINGS", "NOTES"]
    assert [
        line.partition(":")[0] for line in text.splitlines() if line.startswith(tuple(heads))
    ] == (heads)
    assert "Users without a relevant item take no part." in text
    assert "MISSING JUDGEMENTS: τ .98" in text
    rows = text.partition("CHECKS")[2].splitlines()[3:5]  # the data's own, then the limits
    assert [row.split()[-2:] for row in rows] == [["9.500", ".600"], ["1.500", ".250"]]
    for seed in SEEDS:
        assert words_evidence.explain(made_up(seed))


def test_all_pairs_are_printed():
    lines = words_evidence.pairs(example())
    assert len(lines) == 1 + 15
    assert lines[0].split() == [
        *("better", "worse", "difference", "interval", "p", "stands", "to"),
        *("you", "may", "write", "it"),
    ]
    assert sum(line.endswith("yes") for line in lines) == 10
    assert sum(line.endswith("not significant") for line in lines) == 5
    assert words_evidence.pairs(example(["a"])) == ["no pairs: one run has none"]

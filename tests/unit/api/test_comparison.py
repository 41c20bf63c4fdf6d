"""`rankassay.compare`: its numbers are those of scipy and pytrec_eval, and its forms show them."""

import doctest
import re

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
import scipy.stats

import rankassay
from rankassay import RankassayError
from rankassay.drawing import comparison_table
from rankassay.statistics import effect_sizes, paired
from rankassay.statistics.corrections import benjamini_hochberg, holm
from rankassay.statistics.region import Region

NAMES = ["good", "fair", "poor"]
METRICS = ["P@10", "nDCG@10", "AP@10"]
TREC = {"P@10": "P_10", "nDCG@10": "ndcg_cut_10", "AP@10": "map_cut_10"}


@pytest.fixture(scope="module")
def data():
    """Return judgements and three runs that find ever fewer of the good items, as dicts."""
    rng = np.random.default_rng(6)
    ratings = rng.integers(1, 6, size=(50, 25))
    dicts = [
        {f"u{u}": {f"i{i}": x for i, x in enumerate(own)} for u, own in enumerate(m.tolist())}
        for m in (ratings, *(ratings + k * rng.normal(size=ratings.shape) for k in (2, 3, 8)))
    ]
    return dicts[0], dict(zip(NAMES, dicts[1:], strict=True))


@pytest.fixture(scope="module")
def theirs(data):
    """Return pytrec_eval's values of every user, by metric and run."""
    qrels, runs = data
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {*TREC.values()}, relevance_level=4)
    found = {name: evaluator.evaluate(run) for name, run in runs.items()}
    return {
        metric: {name: np.array([found[name][u][key] for u in qrels]) for name in NAMES}
        for metric, key in TREC.items()
    }


@pytest.fixture(scope="module")
def result(data):
    return rankassay.compare(*data, METRICS, n_permutations=5000, seed=3)


def test_means_are_those_of_pytrec_eval(result, theirs):
    assert result.means["metric"].to_list() == [m for m in METRICS for _ in NAMES]
    for row in result.means.itertuples():
        values = theirs[row.metric][row.run]
        assert row.mean == pytest.approx(values.mean(), abs=1e-12)
        assert row.low < row.mean < row.high
        best = sorted((v.mean() for v in theirs[row.metric].values()), reverse=True)
        assert row.rank == 1 + best.index(pytest.approx(row.mean))


def test_intervals_are_about_those_of_scipy(result, theirs):
    for row in result.pairs.itertuples():
        d = theirs[row.metric][row.run_a] - theirs[row.metric][row.run_b]
        found = scipy.stats.bootstrap((d,), np.mean, method="percentile", rng=1, n_resamples=4000)
        width = found.confidence_interval.high - found.confidence_interval.low
        assert row.difference == pytest.approx(d.mean(), abs=1e-12)
        assert row.low == pytest.approx(found.confidence_interval.low, abs=0.08 * width)
        assert row.high == pytest.approx(found.confidence_interval.high, abs=0.08 * width)


def test_p_values_are_about_those_of_scipy_and_the_better_run_comes_first(result, theirs):
    for row in result.pairs.itertuples():
        pair = theirs[row.metric][row.run_a], theirs[row.metric][row.run_b]
        assert pair[0].mean() >= pair[1].mean()
        p = scipy.stats.permutation_test(
            pair,
            lambda a, b, axis: np.mean(a - b, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=4000,
            rng=2,
        ).pvalue
        assert row.p_value == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 4000) + 5e-4)


@pytest.mark.slow
@pytest.mark.parametrize("correction", ["holm", "benjamini-hochberg", "none"])
def test_students_p_values_and_effect_sizes_are_those_of_scipy(correction, data, theirs):
    found = rankassay.compare(*data, METRICS, test="t", correction=correction, alpha=0.01)
    for metric, own in found.pairs.groupby("metric"):
        by_run = theirs[metric]
        tests = [
            scipy.stats.ttest_rel(by_run[row.run_a], by_run[row.run_b]) for row in own.itertuples()
        ]
        p = np.array([each.pvalue for each in tests])
        np.testing.assert_allclose(own["p_value"], p, rtol=1e-9)
        sizes = np.array([each.statistic for each in tests]) / np.sqrt(50)
        np.testing.assert_allclose(own["d_z"], sizes, rtol=1e-9)
        function = {"holm": holm, "benjamini-hochberg": benjamini_hochberg}.get(correction)
        corrected = function(p) if function else p
        np.testing.assert_allclose(own["corrected"], corrected, rtol=1e-9)
        assert own["significant"].to_list() == (corrected < 0.01).tolist()
        assert {*own["correction"]} == {correction}


def test_the_largest_difference_corrects_at_once(data, result):
    users = result.values
    pivot = users.pivot(index="user", columns="run", values="nDCG@10")
    adjusted = rankassay.permutation_test(pivot[NAMES], 5000, seed=3).adjusted
    own = result.pairs[result.pairs["metric"] == "nDCG@10"]
    for row in own.itertuples():
        assert row.corrected == pytest.approx(adjusted.loc[row.run_a, row.run_b], abs=2e-3)
        assert row.p_value <= row.corrected
    assert {*own["correction"]} == {"max-t"}


def test_where_users_lack_values_holms_correction_takes_its_place(data):
    qrels, runs = data
    some = {u: own for u, own in runs["fair"].items() if u != "u0"}
    found = rankassay.compare(qrels, runs | {"fair": some}, "MAE", n_permutations=500)
    assert {*found.pairs["correction"]} == {"holm"}
    assert sorted(found.pairs["n_users"]) == [49, 49, 50]
    assert "(holm)" in found.to_markdown()
    both = ["nDCG@10", "MAE"]
    found = rankassay.compare(
        qrels, runs | {"fair": some}, both, n_permutations=500, equivalence="1%"
    )
    assert found.definitions["correction"] == "max-t and holm"
    assert "for all 3 pairs of runs (max-t and holm)" in found.to_markdown()
    assert "p \\< 0.05, holm)" in found.to_markdown()


def test_of_errors_the_lowest_is_best(data):
    found = rankassay.compare(*data, ["MAE", "nDCG@10"], n_permutations=500)
    for metric, sign in (("MAE", -1), ("nDCG@10", 1)):
        means = found.means[found.means["metric"] == metric].set_index("run")["mean"]
        own = found.pairs[found.pairs["metric"] == metric]
        assert (sign * own["difference"] >= 0).all()
        best = (sign * means).idxmax()
        rank = found.means[found.means["metric"] == metric].set_index("run")["rank"]
        assert rank[best] == 1
        assert found.means[found.means["metric"] == metric].set_index("run")["beats"][best] != ""


@pytest.mark.parametrize("exponent", [-900, -30, 1020])
def test_scores_may_be_of_any_size(exponent):
    values = np.random.default_rng(4).random((30, 3, 1)) + np.array([[0.0], [0.1], [0.3]])
    how = {"n_permutations": 300, "seed": 0, "correction": "max-t", "alpha": 0.05}
    how |= {"confidence": 0.9, "test": "bootstrap"}
    plain, other = (
        paired.compared(
            np.ldexp(values, by), NAMES, ["RMSE"], **how, equivalence=Region(2.0**by / 8, False)
        )
        for by in (0, exponent)
    )
    for table, columns in ((0, ["mean"]), (1, ["difference"])):
        numbers = [*columns, "low", "high", *(["region"] if table else [])]
        expected = plain[table].copy()
        expected[numbers] = np.ldexp(expected[numbers], exponent)
        pd.testing.assert_frame_equal(other[table], expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize(("size", "equivalent"), [(1e300, True), (1e-320, False)])
def test_regions_may_be_beyond_all_differences(size, equivalent):
    values = np.random.default_rng(4).random((30, 2, 1)) * (1e-290 if equivalent else 1e290)
    how = {"n_permutations": 300, "seed": 0, "correction": "holm", "alpha": 0.05, "test": "t"}
    _, pairs = paired.compared(
        values, ["a", "b"], ["P@1"], **how, confidence=0.9, equivalence=Region(size, False)
    )
    assert pairs["equivalent"].to_list() == [equivalent]


def test_letters_name_the_runs_that_are_beaten(result):
    letter = dict(zip(NAMES, "abc", strict=True))
    for row in result.means.itertuples():
        own = result.pairs[
            (result.pairs["metric"] == row.metric)
            & (result.pairs["run_a"] == row.run)
            & (result.pairs["corrected"] < 0.05)
        ]
        assert row.letter == letter[row.run]
        assert row.beats == ",".join(sorted(letter[run] for run in own["run_b"]))
    assert result.means["beats"].str.contains("c").any()


def test_tables_show_letters_and_the_best(result):
    markdown, tex = result.to_markdown(digits=3), result.to_latex("mine")
    for row in result.means.itertuples():
        text = f"{row.mean:.3f}"
        text = f"**{text}**" if row.rank == 1 else text
        raised = row.beats.replace(",", "")
        assert f"{text}<sup>{raised}</sup>" if raised else text in markdown
        bold = rf"\textbf{{{row.mean:.4f}}}" if row.rank == 1 else f"{row.mean:.4f}"
        assert (rf"{bold}\textsuperscript{{{raised}}}" if raised else bold) in tex
    assert r"\label{tab:mine}" in tex
    assert "p $<$ 0.05, corrected for all 3 pairs of runs (max-t)" in tex
    assert "Profile paper, relevant from 4 on, 50 users, rankassay" in tex
    assert result.to_markdown() == result._repr_markdown_()
    assert len(re.findall(r"^\| [abc] ", markdown, re.MULTILINE)) == 3


@pytest.mark.parametrize("label", ["a}b", "50%", "a\\b", "x#1", "a~b", "a\nb", "$"])
def test_a_label_that_latex_cannot_refer_to_is_refused(result, label):
    with pytest.raises(RankassayError, match="label: expected none of the signs") as error:
        result.to_latex(label)
    assert len(str(error.value).splitlines()) == 1
    assert r"\label{tab:my_table:2-é}" in result.to_latex("my_table:2-é")


def test_the_figure_shows_the_means_and_who_is_beaten(result):
    figure = result.plot()
    assert [axes.get_title() for axes in figure.axes] == METRICS
    for axes, (_, own) in zip(figure.axes, result.means.groupby("metric", sort=False), strict=True):
        points = [line for line in axes.lines if line.get_marker() == "o"]
        np.testing.assert_array_equal([p.get_xdata()[0] for p in points], own["mean"])
        beaten = {letter for beats in own["beats"] for letter in beats.split(",")}
        hollow = [p.get_markerfacecolor() == "white" for p in points]
        assert hollow == [letter in beaten for letter in own["letter"]]
    assert figure._repr_png_()[:4] == b"\x89PNG"


def test_daggers_mark_what_is_better_or_worse_than_a_baseline(result):
    markdown, tex = result.to_markdown(baseline="fair"), result.to_latex(baseline="fair")
    for row in result.means.itertuples():
        pair = result.pairs[
            (result.pairs["metric"] == row.metric)
            & ({row.run, "fair"} == result.pairs[["run_a", "run_b"]].apply(set, axis=1))
        ]
        mark, command = "", ""
        if pair["significant"].any():
            won = pair["run_a"].iloc[0] == row.run
            mark, command = ("†", r"\dag{}") if won else ("‡", r"\ddag{}")
        text = f"**{row.mean:.4f}**" if row.rank == 1 else f"{row.mean:.4f}"
        assert (f"{text}<sup>{mark}</sup> " if mark else f"{text} ") in markdown
        text = rf"\textbf{{{row.mean:.4f}}}" if row.rank == 1 else f"{row.mean:.4f}"
        assert (rf"{text}\textsuperscript{{{command}}}" if mark else f"{text} ") in tex
    assert {"†", "‡"} <= {*markdown.partition("significantly")[0]}
    assert "†: significantly better than fair; ‡: significantly worse" in markdown
    assert tex.count("{") == tex.count("}")
    with pytest.raises(RankassayError, match="unknown baseline 'fairy'; did you mean 'fair'"):
        result.to_markdown(baseline="fairy")


@pytest.mark.slow
@pytest.mark.parametrize(("equivalence", "size"), [("20%", 0.2), (0.05, None)])
def test_equivalence_is_that_of_two_one_sided_tests(equivalence, size, data, theirs):
    found = rankassay.compare(*data, METRICS, test="t", equivalence=equivalence, alpha=0.1)
    for metric, own in found.pairs.groupby("metric"):
        p = []
        for row in own.itertuples():
            a, b = theirs[metric][row.run_a], theirs[metric][row.run_b]
            e = size * a.mean() if size else equivalence
            assert row.region == pytest.approx(e)
            assert row.superiority == ((a > b) + 0.5 * (a == b)).mean()
            p += [
                max(
                    scipy.stats.ttest_1samp(a - b, -e, alternative="greater").pvalue,
                    scipy.stats.ttest_1samp(a - b, e, alternative="less").pvalue,
                )
            ]
        np.testing.assert_allclose(own["p_equivalence"], p, rtol=1e-8)
        equivalent = holm(np.array(p)) < 0.1
        assert own["equivalent"].to_list() == equivalent.tolist()
        assert f"{equivalent.sum()} of 3 by {metric}" in found.to_markdown()
    assert found.definitions["equivalence"] == equivalence


def test_many_runs_have_longer_letters():
    assert comparison_table.raised("c,d") == "cd"
    assert comparison_table.raised("c,ab") == "c,ab"
    assert len({*paired.letters(1000)}) == 1000


def test_as_text_it_begins_with_what_was_found_and_has_no_markup(data, result):
    lines = str(result).splitlines()
    means = result.means[result.means["metric"] == "nDCG@10"].set_index("run")
    beaten = [run for run in NAMES if means["letter"][run] in means["beats"]["good"].split(",")]
    assert beaten == ["fair", "poor"]  # of these data
    assert lines[1] == (
        f"Under nDCG@10, good has the highest mean ({means['mean']['good']:.4f}) and is "
        "significantly better than all 2 others (p < 0.05)."
    )
    assert lines[4].split() == ["Run", *METRICS]
    assert f"{means['mean']['good']:.4f} (bc)" in lines[5]
    assert not re.search(r"[<*|\\]", str(result).replace("p < ", ""))
    qrels, runs = data
    two = rankassay.compare(qrels, {"a": runs["good"], "b": runs["good"]}, "MAE", n_permutations=99)
    assert "a has the lowest mean, which is best (" in str(two)
    assert "is statistically indistinguishable from b (p ≥ 0.05)." in str(two)
    among = runs | {"good too": runs["good"]}
    assert (
        "it is statistically indistinguishable from good too, and significantly better than fair "
        "and poor (α = 0.05)."
    ) in str(rankassay.compare(qrels, among, "nDCG@10", n_permutations=999))


@pytest.mark.slow
def test_what_the_sentence_says_of_users_without_a_value_is_true():
    qrels = {f"u{u}": {"x": 5, "y": 3} for u in range(30)}
    first = {f"u{u}": {"x" if u < 12 else "unjudged": 5.9} for u in range(30)}
    runs = {
        "first": first,  # of 12 users, for each of whom the second is better, but not for others
        "second": {f"u{u}": {"x": 5.5} if u < 12 else {"y": 6.5} for u in range(30)},
        "third": {f"u{u}": {"y": 9.0} for u in range(12, 30)},  # users without the first
        "none": {"u0": {"unjudged": 1.0}},
    }

    def said(names, metric="RMSE"):
        own = {name: runs[name] for name in names}
        return str(rankassay.compare(qrels, own, metric, n_permutations=999)).split("\n\n")[0]

    best = "first has the lowest mean, which is best (0.9000)"
    worse = "significantly worse than second for the users who have a value by both"
    assert said(["first", "second"]) == f"Under RMSE, {best} and is {worse} (p < 0.05)."
    assert said(["second", "first"], "rmse") == f"Under rmse, {best} and is {worse} (p < 0.05)."
    untested = "not tested against third"
    assert said(["first", "third"]) == f"Under RMSE, {best} and is {untested} (no p-value)."
    assert said(["first", "none"]) == f"Under RMSE, {best}; none is undefined."
    both = f"Under RMSE, {best}; it is {worse}, and {untested} (α = 0.05); none is undefined."
    assert said([*runs]) == both
    assert said(["none"] * 2 + ["second", "third"]).endswith(
        " and is significantly better than third (p < 0.05); none is undefined."
    )


def test_names_of_runs_may_be_numbers(data):
    qrels, runs = data
    numbered = dict(enumerate([runs["good"], runs["good"], runs["fair"], runs["poor"]]))
    found = rankassay.compare(qrels, numbered, "nDCG@10", n_permutations=999)
    said = str(found)
    assert found.to_latex(baseline=2) == found.to_latex(baseline="2")
    with pytest.raises(RankassayError, match="unknown baseline '4'"):
        found.to_markdown(baseline=4)
    assert "as does 1; it is statistically indistinguishable from 1, and significantly" in said
    assert "better than 2 and 3 (α = 0.05)." in said


def test_equal_means_have_equal_ranks_in_whatever_order_they_are_added_up():
    rng = np.random.default_rng(0)
    found = [0.1 * rng.permutation(10) for _ in range(40)]
    x = np.stack(found, axis=1)[:, :, None]
    assert len({*x.sum(axis=0).ravel()}) > 1
    how = ("t", 1, 0, "none", 0.05, 0.95)
    means, pairs = paired.compared(x, [f"r{i}" for i in range(40)], ["P@10"], *how)
    assert {*means["rank"]} == {1}
    assert [*pairs["run_a"][:39]] == ["r0"] * 39
    said = comparison_table.verdict(means[:3].copy(), pairs, 0.05)
    assert said.startswith("Under P@10, r0 has the highest mean (0.4500), as do r1 and r2; it is ")


def test_runs_of_several_forms_and_one_pair(data):
    qrels, runs = data
    triples = [(u, i, s) for u, own in runs["good"].items() for i, s in own.items()]
    given = {"a dict": runs["good"], "triples": triples}
    found = rankassay.compare(rankassay.judged(qrels), given, "P@10", n_permutations=200)
    row = found.pairs.iloc[0]
    assert (row["difference"], row["d_z"], row["p_value"], row["significant"]) == (0, 0, 1, False)
    assert "corrected for the pair of runs" in found.to_markdown()
    assert "**" in found.to_markdown()


def test_the_definitions_are_there(result):
    said = {"test": "permutation", "n_permutations": 5000, "seed": 3, "correction": "max-t"}
    said |= {"alpha": 0.05, "confidence": 0.95, "profile": "paper", "threshold": 4.0}
    assert result.definitions | said == result.definitions
    assert result.definitions["metrics"]["P@10"]["denominator"] == "cutoff"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"runs": {"one": {"u1": {"i1": 1}}}}, "two runs or more, found 1 run"),
        (
            {"runs": {"u1": {"i1": 1}, "u2": {"i1": 1}}},
            "two runs or more, found one without a name",
        ),
        ({"test": "tt"}, "unknown test 'tt'"),
        ({"correction": "holms"}, "did you mean 'holm'"),
        ({"equivalence": "1"}, "equivalence: expected a difference above 0, such as 0.01, or"),
        ({"alpha": 5}, "alpha: expected a finite number between 0 and 1"),
        ({"n_permutations": 0}, "n_permutations: expected a whole number from 1"),
        ({"metrics": ["P@1", "P@1"]}, "distinct names"),
        ({"metrics": "P@ten"}, "cannot read the metric"),
        ({"qrels": {"u1": {"i1": 5}}}, "expected two users or more"),
    ],
)
def test_what_cannot_be_compared_is_refused(given, message, data):
    qrels, runs = data
    with pytest.raises(RankassayError, match=message):
        rankassay.compare(**{"qrels": qrels, "runs": runs, "metrics": "P@1"} | given)
    with pytest.raises(RankassayError, match="digits: expected a whole number"):
        rankassay.compare(qrels, runs, "P@1", test="t").to_latex(digits=-1)


def test_effect_sizes_of_few_and_equal_differences():
    d = np.array([[1.0, 0, 1, 0.1], [2.0, 0, 1, np.nan], [np.nan, 0, 1, np.nan]])
    found = effect_sizes.cohens_d_z(effect_sizes.moments(d))
    assert found[0] == pytest.approx(1.5 / np.std([1, 2], ddof=1))
    assert found[1] == 0
    assert found[2] == np.inf
    assert np.isnan(found[3])
    assert effect_sizes.cohens_d_z(effect_sizes.moments(np.full(7, 0.1))) == np.inf


def test_a_test_keeps_the_labels_of_a_frame(data):
    values = pd.DataFrame(np.random.default_rng(1).random((30, 3)), columns=NAMES)
    found = rankassay.permutation_test(values, 500)
    plain = rankassay.permutation_test(values.to_numpy(), 500)
    for own, other in ((found.p_values, plain.p_values), (found.adjusted, plain.adjusted)):
        assert own.index.to_list() == own.columns.to_list() == NAMES
        np.testing.assert_array_equal(own, other)
    assert rankassay.permutation_test(values, 500, alternative="less").adjusted is None


def test_examples_are_true():
    for module in (comparison_table, paired):
        found = doctest.testmod(module)
        assert (found.failed, found.attempted > 0) == (0, True)


def test_a_warning_names_copies_of_a_run(data, caplog):
    qrels, runs = data
    copied = runs | {"again": runs["good"], "once more": dict(runs["good"])}
    found = rankassay.compare(qrels, copied, METRICS, n_permutations=100)
    said = [record.getMessage() for record in caplog.records]
    assert [text for text in said if "the same value" in text] == [
        "warning: good, again and once more have the same value for every user under all 3 "
        "metrics, so these pairs have p = 1; check that they are different runs."
    ]
    sides = {"good", "again", "once more"}
    own = found.pairs[found.pairs["run_a"].isin(sides) & found.pairs["run_b"].isin(sides)]
    assert len(own) == 3 * len(METRICS)
    assert (own["p_value"] == 1).all()


def test_runs_that_tie_under_one_metric_alone_are_not_named(caplog):
    qrels = {f"u{u}": {"a": 5, "b": 5, "c": 1, "d": 1} for u in range(5)}
    first = {user: {"a": 3, "c": 2, "b": 1} for user in qrels}
    second = {user: {"a": 3, "b": 2, "c": 1} for user in qrels}
    runs = {"first": first, "second": second}
    rankassay.compare(qrels, runs, ["P@1", "P@2"], n_permutations=100)
    assert not [own for own in caplog.records if "the same value" in own.getMessage()]
    rankassay.compare(qrels, runs, ["P@1"], n_permutations=100)
    [own] = [own for own in caplog.records if "the same value" in own.getMessage()]
    assert "first and second have the same value for every user under the metric" in (
        own.getMessage()
    )

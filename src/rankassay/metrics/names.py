"""Names of metrics as people write them: papers' and other libraries', in any case.

This module imports only names, as the catalogue does.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from rankassay.errors import LONGEST, RankassayError, unknown
from rankassay.metrics.catalogue import EVERY, bare, entry, label
from rankassay.metrics.entries import BEYOND_METRICS, DIVERSITY_METRICS, METRICS, PREFERENCES

# By measure, its names in each source.
SPELLINGS = {
    f"{name}({parameters})" if parameters else name: names
    for name, metric in EVERY.items()
    for parameters, names in {"": metric.names, **metric.names_with}.items()
    if any(names)
}


@dataclass(frozen=True)
class Different:
    """A library's name that means something else here: what to write instead, and why.

    `measure` is None if nothing here is the same.
    """

    source: str
    spelling: str
    measure: str | None
    why: str


DIFFERENT = (
    Different("RecBole", "MAP", "AP(denominator='min_cutoff')", "divides by min(k, R)"),
    Different("RecBole", "NDCG", "nDCG(gain='binary')", "has gains of 0 and 1 only"),
    Different("RecBole", "AUC", None, "is that of all users' items together"),
    Different("RecBole", "MAE", None, "is a mean over ratings and not over users; so is RMSE"),
    Different("ranx", "ndcg-l4", "nDCG(ideal='relevant')", "has no gains below the level, here 4"),
    Different("ranx", "bpref", "Bpref(without_nonrelevant='nan')", "is undefined for 0/0"),
    Different("trec_eval", "infAP", "infAP(unjudged='unpooled')", "has no pool of unjudged items"),
    Different("trec_eval", "rbp", "RBP(p=0.9, gain='rating')", "has graded gains"),
    Different("ir_measures", "RBP", "RBP(gain='rating')", "has graded gains, unless rel is given"),
    Different("ir_measures", "SDCG", "SDCG(highest=4)", "needs max_rel, here 4"),
    Different("ir_measures", "INST", "INST(gain='rating')", "has graded gains and 1000 places"),
    Different("ir_measures", "Compat", "Compat", "sums no more depths than the lists have"),
    Different("ir_measures", "infAP", "infAP(unjudged='unpooled')", "is trec_eval's"),
)

# Names that other libraries have and this one does not, and what they mean.
ABSENT = {
    "GAUC": "a mean of AUC in which users count by their relevant items (RecBole)",
    "hits": "the number of relevant items listed, which is P@k times k (ranx)",
    "num_rel_ret": "the number of relevant items listed, which is P@k times k (trec_eval)",
    "num_ret": "the number of items listed (trec_eval)",
    "num_rel": "the number of relevant items (trec_eval)",
    "num_q": "the number of users (trec_eval)",
    "iprec_at_recall": "interpolated precision (trec_eval)",
    "11pt_avg": "the mean of interpolated precision at 11 levels of recall (trec_eval)",
}

# Names of things that exist here, but not as a metric, and how to ask for them.
ELSEWHERE = {
    "gm_map": "AP with aggregate='geometric' (--aggregate geometric)",
    "GMAP": "AP with aggregate='geometric' (--aggregate geometric)",
    "gm_bpref": "Bpref with aggregate='geometric' (--aggregate geometric)",
    **dict.fromkeys(PREFERENCES, "a kind of rankassay.preferences"),
}
# Parameters of other libraries' metrics, and what says the same here.
ARGUMENTS = {
    "rel": "threshold (--threshold)",
    "judged_only": "unjudged='condensed' (--unjudged condensed)",
}
CONDENSED = "condensed "  # lists, in the names of figures
SIGN = "sign of "  # a preference, by any metric

LONGEST_MEASURE = 1000  # characters of a measure, which Python reads in no time
NEAR, VERY_NEAR = 0.5, 0.85  # of difflib's ratio

FORM = re.compile(r"\s*([\w.]+:\w+|\w(?:[\w .-]*\w)?)\s*(?:\((.*)\))?\s*(?:@\s*(\d+))?\s*")
CUTOFF = re.compile(r"\s*@\s*(\d+)")
WORDS = re.compile(r"\s*(\w+ [\w√/.() -]+)")  # a name of several, the cut-off among them
WITHOUT_WEIGHTS = ", power=0"  # what a name says of weights, unless these are written
WITH_CUTOFF = re.compile(r"(\w*[^\W\d])[_.](\d+)")


def fold(name: str) -> str:
    """Return a name without case, blanks, hyphens and underscores, which may differ.

    >>> fold("Hit-Rate") == fold("hit_rate") == fold("HitRate")
    True
    """
    return re.sub(r"[\s_-]", "", name).casefold()


def spellings() -> dict[str, str]:
    """Return the measure of every name that is understood, those of the catalogue first."""
    own = {name: name for name in EVERY}
    labels = {label(name): name for name in own}
    others = {
        spelling.removesuffix("_k").replace("@k", "", place): measure
        for measure, sources in SPELLINGS.items()
        for names in sources
        for spelling in filter(None, names.split(", "))
        for place in (1, 0)  # the cut-off stands at the end, or where it is printed
    }
    return own | {name: m for name, m in (labels | others).items() if name not in own}


MEASURES = {fold(name): measure for name, measure in reversed(spellings().items())}
# trec_eval's names, to which a cut-off is joined.
CUT = {
    fold(name.removesuffix("_k"))
    for names in SPELLINGS.values()
    for name in names.trec_eval.split(", ")
    if name.endswith("_k")
}


def named_by(metric: object) -> object:
    """Return the text of a metric that is an object of ir_measures, and anything else as it is.

    Raises RankassayError for one that means something else here.
    """
    library, name = type(metric).__module__.partition(".")[0], getattr(metric, "NAME", None)
    if library != "ir_measures" or name is None:
        return metric
    binary = re.search(r"[(,] *rel=", str(metric))  # is answered with the threshold in its place
    for own in DIFFERENT:
        if (own.source, own.spelling) == (library, name) and not binary:
            raise RankassayError(
                f"metrics: {metric} of ir_measures {own.why}; give '{own.measure}' as text."
            )
    return str(metric)


def parts(text: str) -> tuple[str, str | None, str | None] | None:
    """Return the metric, the parameters and the cut-off of a measure, however it is written.

    The metric is as in the catalogue, if it is known; parameters are those implied by the name and
    those that are written. None is returned for what does not have the form of a measure.

    >>> parts("hit_rate@10"), parts("ndcg_cut_10"), parts("SetF(beta=2)")
    (('Success', None, '10'), ('nDCG', None, '10'), ('F', "denominator='listed', beta=2", None))
    >>> parts("P@50 of judged items"), parts("CDCG(power=0.5)@20")
    (('P', "denominator='judged'", '50'), ('IPS', "centred=True, gain='DCG', power=0.5", '20'))
    """
    if len(text) > LONGEST_MEASURE:
        return None
    match, printed, cutoffs = FORM.fullmatch(text), CUTOFF.sub("@k", text), CUTOFF.findall(text)
    known = [key for key in (printed, printed.removesuffix("@k")) if fold(key) in MEASURES]
    if known and len(cutoffs) <= 1:
        name, parameters, cutoff = known[0], None, "".join(cutoffs) or None
    elif match:
        name, parameters, cutoff = match.groups()
    else:
        words = WORDS.fullmatch(CUTOFF.sub("", text, 1))
        return words and (words[1].strip(), None, "".join(cutoffs) or None)
    cut = WITH_CUTOFF.fullmatch(name)
    if cut and cutoff is None and fold(cut[1]) in CUT:
        name, cutoff = cut.groups()
    measure = name if ":" in name else MEASURES.get(fold(name), name)
    metric, _, own = measure.partition("(")
    if own:
        if re.search(r"\bpower\s*=", parameters or ""):
            own = own.replace(WITHOUT_WEIGHTS, "")
        parameters = ", ".join(filter(None, (own.removesuffix(")"), parameters)))
    return metric, parameters, cutoff


def canonical(text: str) -> str:
    """Return a measure by the catalogue's name of its metric; the rest stays as it is written.

    An unknown name is returned unchanged; callers report it.

    >>> canonical("MAP"), canonical("NDCG(gain='exp')@10"), canonical("P_10"), canonical("nonsense")
    ('AP', "nDCG(gain='exp')@10", 'P@10', 'nonsense')
    """
    found, match = parts(text), FORM.fullmatch(text)
    if found is None or (match and match.groups() == found) or found[0] not in EVERY:
        return text
    metric, parameters, cutoff = found
    return metric + (f"({parameters})" if parameters else "") + (f"@{cutoff}" if cutoff else "")


def without_cutoff(measure: str) -> str:
    """Return a measure without its cut-off.

    >>> without_cutoff("nDCG(gain='exp')@10")
    "nDCG(gain='exp')"
    """
    return re.sub(r"\s*@\s*\d+\s*$", "", measure)


def direction(measure: str) -> int:
    """Return 1 for a measure of which higher is better, and -1 for one of which lower is."""
    return -1 if entry(canonical(measure)).lower_is_better else 1


def unknown_metric(
    name: str, known: Iterable[str] = METRICS, kind: str = "metric"
) -> RankassayError:
    """Return the error for a metric that is not among the known ones, with the nearest of them.

    >>> print(unknown_metric("Recal", ["P", "R", "InverseRecall"]))
    unknown metric 'Recal'; did you mean 'Recall'? Known: P, R, InverseRecall.
    """
    known = [*known]
    listed = ", ".join(known)
    measure = MEASURES.get(fold(name), name)
    other = {} if measure in known else EVERY
    if measure in other and measure in METRICS:
        return RankassayError(f"the {kind} '{name}' is not one of {listed}.")
    if measure in other and measure in DIVERSITY_METRICS:
        return RankassayError(
            f"'{name}' needs the aspects of items, which only the study of diversity reads; name "
            f"it in diversity.analyses. Known here: {listed}."
        )
    if measure in other:
        return RankassayError(
            f"'{name}' needs the training ratings, which the study `beyond` and rankassay.beyond "
            f"read; name it there. Known here: {listed}."
        )
    plain = name.casefold().removeprefix(CONDENSED)
    if plain != name.casefold() and fold(plain) in MEASURES:
        return RankassayError(
            f"'{name}' is no {kind}, but {name[-len(plain) :]} with unjudged='condensed' "
            f"(--unjudged condensed). Known: {listed}."
        )
    sign = name.casefold().startswith(SIGN)
    for elsewhere, place in ELSEWHERE.items():
        asked = fold(elsewhere) == fold(name) or (sign and elsewhere == "RPP")
        if asked and elsewhere not in known:
            return RankassayError(f"'{name}' is no {kind}, but {place}. Known: {listed}.")
    meaning = next((what for absent, what in ABSENT.items() if fold(absent) == fold(name)), None)
    if meaning:
        return RankassayError(
            f"unknown {kind} '{name}': {meaning}; there is none here. Known: {listed}."
        )
    return unknown(kind, name, known, near=nearest(name, known))


def nearest(name: str, known: Iterable[str] = METRICS) -> str | None:
    """Return the name most like another that means one of the known metrics, or None.

    Where it could as well be a name that says the opposite, there is none, but for a near miss.
    """
    known = {*known}
    candidates = {fold(each): each for each in known}
    for spelling, measure in spellings().items():
        if bare(measure) in known or measure in BEYOND_METRICS:
            candidates.setdefault(fold(spelling), spelling)
    wanted = fold(name[:LONGEST])
    alike = difflib.get_close_matches(wanted, candidates, n=len(candidates) or 1, cutoff=NEAR)
    sides = {entry(MEASURES.get(each, each)).opposite for each in alike}
    if not alike or (len(sides) > 1 and _ratio(alike[0], wanted) < VERY_NEAR):
        return None
    found = MEASURES.get(alike[0])
    if found in BEYOND_METRICS and found not in known:  # nothing that is known is as much alike
        return None
    return candidates[alike[0]]


def _ratio(first: str, second: str) -> float:
    return difflib.SequenceMatcher(None, first, second).ratio()

"""A provider for ir_measures, whose measures are then computed here.

>>> import ir_measures                                                     # doctest: +SKIP
>>> from rankassay.api.ir_measures import Provider                           # doctest: +SKIP
>>> Provider().calc_aggregate([ir_measures.nDCG @ 10], qrels, run)         # doctest: +SKIP
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from rankassay.api.evaluate import evaluate
from rankassay.api.reading import judged
from rankassay.errors import RankassayError

try:
    from ir_measures import Metric, measures, providers
    from ir_measures.providers.base import NOT_PROVIDED, Choices
    from ir_measures.providers.base import Any as Anything
    from ir_measures.util import QrelsConverter, RunConverter
except ModuleNotFoundError as error:
    raise RankassayError(
        f"the provider needs the package {error.name}, which is not installed; "
        "pip install ir-measures."
    ) from None

ALL = {"judged_only": Choices(False, True)}
# The measures by the names that they have here.
SUPPORTED = {
    "P": measures._P(cutoff=Anything(), rel=Anything(), **ALL),
    "R": measures._R(cutoff=Anything(), rel=Anything(), **ALL),
    "AP": measures._AP(cutoff=Anything(), rel=Anything(), **ALL),
    "RR": measures._RR(cutoff=Anything(), rel=Anything(), **ALL),
    "Success": measures._Success(cutoff=Anything(), rel=Anything(), **ALL),
    "Bpref": measures._Bpref(rel=Anything()),
    "nDCG": measures._nDCG(
        cutoff=Anything(),
        dcg=Choices("log2", "exp-log2"),
        gains=Choices(NOT_PROVIDED),
        **ALL,
    ),
}
NAMES = {measure.NAME: name for name, measure in SUPPORTED.items()}


class Provider(providers.Provider):
    """Measures of ir_measures, computed by `rankassay.evaluate` under the profile trec.

    They equal those of its provider pytrec_eval, and some take cut-offs that it does not (RR), or
    another gain (nDCG). Topics without a run have the value that ir_measures gives them.
    """

    NAME = "rankassay"
    SUPPORTED_MEASURES: ClassVar = [*SUPPORTED.values()]

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> "Evaluator":
        measures = [*measures]
        for measure in measures:  # ir_measures asks, but who calls this provider need not
            if not self.supports(measure):
                raise RankassayError(
                    f"expected {', '.join(NAMES)}, of nDCG without gains of one's own, found "
                    f"{measure}; leave it to another provider, as FallbackProvider does."
                )
        return Evaluator(measures, QrelsConverter(qrels).as_dict_of_dict())


class Evaluator(providers.Evaluator):
    """The measures of one set of judgements, read once for each level of relevance.

    Those with `judged_only` are of lists without the items that are not judged.
    """

    def __init__(self, measures: list[Any], qrels: dict[str, dict[str, int]]) -> None:
        super().__init__(measures, {*qrels})
        groups = defaultdict(list)
        for measure in measures:
            groups[_level(measure), _unjudged(measure)].append(measure)
        self.judged = {user: own for user, own in qrels.items() if own}
        groups = groups if self.judged else {}  # ir_measures has a value where there is none
        read = {level: judged(self.judged, threshold=level) for level, _ in groups}
        self.groups = [(own, read[level], how) for (level, how), own in groups.items()]

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        given = RunConverter(run).as_dict_of_dict().items()
        lists = {user: own for user, own in given if own and user in self.judged}
        for own, qrels, how in self.groups if lists else ():
            names = [_name(each) for each in own]
            choices = {"per_user": True, "users": "listed", "unjudged": how}
            table = evaluate(qrels, lists, names, "trec", **choices)
            for measure in own:
                for user, value in zip(table["user"], table[_name(measure)], strict=True):
                    yield Metric(query_id=user, measure=measure, value=float(value))


def _level(measure: Any) -> int:
    """Return the lowest relevance that counts; of nDCG, every gain does."""
    return measure["rel"] if "rel" in measure.SUPPORTED_PARAMS else 1


def _unjudged(measure: Any) -> str:
    """Return how listed items without a judgement are treated."""
    only = "judged_only" in measure.SUPPORTED_PARAMS and measure["judged_only"]
    return "condensed" if only else "nonrelevant"


def _name(measure: Any) -> str:
    """Return the name of a measure here."""
    given = {name: measure[name] for name in measure.SUPPORTED_PARAMS}
    gain = "(gain='exp')" if given.get("dcg") == "exp-log2" else ""
    cutoff = given.get("cutoff", NOT_PROVIDED)
    return f"{NAMES[measure.NAME]}{gain}" + ("" if cutoff is NOT_PROVIDED else f"@{cutoff}")

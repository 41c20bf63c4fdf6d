"""Settings of the audit of significance tests."""

from math import ceil
from typing import Annotated, Self

from pydantic import Field, model_validator

from rankassay.studies.settings import (
    Count,
    Distinct,
    Metrics,
    Number,
    Settings,
    Share,
    Text,
)


class TypeErrors(Settings):
    """Error rates of significance tests where the truth is known."""

    metrics: Metrics | None = Field(None, description="Those of the run if null.")
    audited_cutoffs: Distinct[Count] = Field(
        [10],
        description="Cut-offs of the metrics; of a run that has none of them, its first one. "
        "Metrics without a cut-off take part, too.",
    )
    users: Distinct[Annotated[int, Field(ge=2)]] | None = Field(
        None, description="Users of a trial; as many as the dataset has if null."
    )
    deltas: list[Annotated[Number, Field(gt=0)]] = Field(
        [0.01], description="Differences of means, of which errors of types II and III are counted."
    )
    alphas: Distinct[Share] = Field([0.05], description="Levels at which tests reject.")
    trials: Count = Field(1000, description="Simulated tests of each kind, size and difference.")
    samples: Count = Field(1000, description="Permutations, and resamples of the bootstrap.")
    lowest: Annotated[Number, Field(ge=0, lt=1)] = Field(
        0.1, description="The share of systems, the worst by their means, that take no part."
    )
    tie: Annotated[Number, Field(ge=0)] = Field(
        0.0, description="The sign test counts differences of at most this as none."
    )
    correction: bool = Field(True, description="Wilcoxon's test with continuity correction, as R.")

    @model_validator(mode="after")
    def _deltas_differ(self) -> Self:
        """Refuse a difference that is named twice."""
        for delta in self.deltas:
            if self.deltas.count(delta) > 1:
                raise ValueError(f"deltas: expected different ones, found {delta:g} twice.")
        return self

    @model_validator(mode="after")
    def _samples_can_reject(self) -> Self:
        """Refuse so few samples that p, of at least 1 / (samples + 1), never is at most alpha."""
        least = ceil(round(1 / min(self.alphas, default=1.0) - 1, 6))
        if self.samples < least:
            raise ValueError(
                f"samples: expected at least {least}, found {self.samples}; with fewer, "
                f"resampling never rejects at {min(self.alphas):g}. Set more samples, or a "
                "larger alpha."
            )
        return self


class TypeErrorsPublished(Settings):
    """Errors of tests on TREC's tracks, next to the published ones."""

    datasets: Distinct[Text] = Field(
        ["trec-5", "trec-6", "trec-7", "trec-8"],
        description="The tracks; nothing is compared unless all are there.",
    )

"""Look-ups of the studies' cut-offs: all that reads one asks here, as it may follow the data."""

from rankassay.advice.cutoffs import AUTO
from rankassay.config.cutoffs import possible
from rankassay.plan.data import Data


class Cutoffs:
    """The cut-offs of the studies of a configuration.

    `advice` is the advice on each dataset with lists, by the dataset's name: values of metrics
    alone get none.
    """

    def __init__(self, data: Data) -> None:
        self.config = data.config
        datasets = filter(data.has_lists, self.config["datasets"])
        self.advice = {dataset: f"results/{dataset}/advice.json" for dataset in datasets}

    def of(self, study: str) -> int | dict[str, list]:
        """Return the cut-off of a study, or inputs to choose it by; see `jobs.cutoffs.cutoff`."""
        cutoff = self.config[study]["cutoff"]
        if cutoff != AUTO:
            return cutoff
        return {"possible": possible(self.config, study), "advice": self.inputs(study)}

    def inputs(self, study: str) -> list[str]:
        """Return the advice that the cut-off of a study follows."""
        return [*self.advice.values()] if self.config[study]["cutoff"] == AUTO else []

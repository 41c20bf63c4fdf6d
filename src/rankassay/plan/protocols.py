"""Look-ups of the rules about protocols: under each, a dataset is split and trained on again.

A replicate of a protocol, of one seed or fold, is a variant of the dataset that need not be
configured. It has a name like those of datasets, `ml-100k/protocols/leave-last-one/seed-2`, so that
all rules make it as they make a dataset's own results.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankassay.config.protocols import comes_split, may_have_times, needs_times, steps_of
from rankassay.config.systems import made_on
from rankassay.recommenders.catalogue import SEEDED

STUDY = "protocols"
WHOLE = f"the study of {STUDY}"  # where all of it is skipped, and not only some protocols
# The splits, and the steps of filters, that draw at random.
DRAWN = ("random", "folds", "hold_out_users", "sample_users")


@dataclass(frozen=True)
class Replicate:
    """One seed or fold of a protocol on a dataset; `name` stands in place of a dataset's."""

    name: str
    dataset: str
    protocol: str
    kind: str
    number: int


class Protocols:
    """The replicates of the protocols on each dataset of a configuration."""

    def __init__(self, config: Mapping[str, Any], catalogue: Mapping[str, Any]) -> None:
        self.config = config
        self.catalogue = catalogue
        made = STUDY in config["studies"]
        self.known = {
            name: self._of(name) for name in config["datasets"] if made and not self._unsplit(name)
        }
        self.replicates = {own.name: own for of in self.known.values() for own in of}
        self.variants = {
            name: self._variant(own)
            for name, own in self.replicates.items()
            if name not in self.known  # the dataset's own split is none
        }

    def of(self, dataset: str) -> list[Replicate]:
        """Return all replicates on a dataset, protocol by protocol."""
        return self.known.get(dataset, [])

    def names(self, dataset: str) -> list[str]:
        """Return the protocols that are possible on a dataset."""
        return [*dict.fromkeys(own.protocol for own in self.of(dataset))]

    def first(self, dataset: str) -> dict[str, str]:
        """Return the first replicate of each protocol."""
        found: dict[str, str] = {}
        for own in self.of(dataset):
            found.setdefault(own.protocol, own.name)
        return found

    def judged(self, dataset: str) -> dict[str, str]:
        """Return the replicates under which metrics are judged: the first of each protocol.

        After that of the reference comes its second one, as `random-80-20/seed-2`, where it has
        one: changes there are due to chance, with which changes under other protocols are compared.
        """
        (name, reference), *others = self.first(dataset).items()
        second = [own for own in self.of(dataset) if own.protocol == name][1:2]
        luck = {f"{name}/{own.kind}-{own.number}": own.name for own in second}
        return {name: reference} | luck | dict(others)

    def described(self, name: str) -> Mapping[str, Any]:
        """Return a protocol: label, split and filter."""
        return self.config["protocol_catalogue"][name]

    def left_out(self, dataset: str) -> dict[str, str]:
        """Return the protocols, or the whole study, skipped on a dataset, with the reasons."""
        if STUDY not in self.config["studies"]:
            return {}
        if reason := self._unsplit(dataset):
            return {WHOLE: reason}
        reasons = {name: self._lacking(name, dataset) for name in self.config[STUDY]["protocols"]}
        found = {f"the protocol {name}": f"without {own}" for name, own in reasons.items() if own}
        few = len(self.names(dataset)) < 2
        return found | ({WHOLE: "without two protocols that are possible"} if few else {})

    def recommenders(self, name: str) -> list[str]:
        """Return the recommenders of a dataset, or of a replicate."""
        without = self.without_ratings(name)
        every = [own for own in self.config["recommenders"] if own not in without]
        if name not in self.variants:
            return every
        wanted = self.config[STUDY]["recommenders"] or every
        return [own for own in every if own in wanted]

    def without_ratings(self, name: str) -> list[str]:
        """Return the recommenders that are skipped, as they need ratings, and there are none."""
        kept = made_on(self.config, self.variants[name]["of"] if name in self.variants else name)
        return [own for own in self.config["recommenders"] if own not in kept]

    def maker(self, name: str, recommender: str) -> str:
        """Return the replicate whose lists of a system are identical to those of this one.

        Where neither the split nor the recommender draws at random, all seeds have the same.
        """
        own = self.replicates.get(name)
        entry = self.config["recommender_catalogue"].get(recommender)
        if own is None or own.kind == "fold" or entry is None:  # a run of others is of the dataset
            return name
        drawn = entry["method"] in SEEDED or ":" in entry["method"]  # a user's own method may draw
        if drawn or self._draws(own.protocol):
            return name
        return self.first(own.dataset)[own.protocol]

    def _unsplit(self, dataset: str) -> str:
        """Return why a dataset is not split again; empty if it is."""
        if dataset in self.config["variants"]:
            return "as variants are not split anew, but their datasets"
        given = comes_split(self.catalogue[dataset])
        return "as it comes with its own test set and is not split" if given else ""

    def _lacking(self, protocol: str, dataset: str) -> str:
        """Return what a protocol needs and a dataset lacks; empty if nothing."""
        untimed = not needs_times(self.described(protocol))
        return "" if untimed or may_have_times(self.catalogue[dataset]) else "timestamps"

    def _draws(self, protocol: str) -> bool:
        """Return whether a protocol splits at random, or filters at random before the split.

        Filters before the split draw by the seed of the run, and the same in all replicates.
        """
        described = self.described(protocol)
        steps = steps_of(described, "after")
        kinds = [described["split"]["method"], *(step["kind"] for step in steps)]
        return not {*kinds}.isdisjoint(DRAWN)

    def _of(self, dataset: str) -> list[Replicate]:
        config = self.config
        found = []
        for name in config[STUDY]["protocols"]:
            if self._lacking(name, dataset):
                continue
            protocol = self.described(name)
            folds = protocol["split"]["folds"] if protocol["split"]["method"] == "folds" else 0
            kind = "fold" if folds else "seed"
            usual = {key: config[key] for key in ("split", "filter")}
            own = not folds and usual == {key: protocol[key] for key in usual}
            for number in range(1, (folds or config[STUDY]["seeds"]) + 1):
                place = f"{dataset}/{STUDY}/{name}/{kind}-{number}"
                place = dataset if own and number == 1 else place
                found.append(Replicate(place, dataset, name, kind, number))
        return found

    def _variant(self, own: Replicate) -> dict[str, Any]:
        """Return a replicate as a variant of its dataset."""
        seed = self.config["seed"] + (own.number - 1 if own.kind == "seed" else 0)
        label = f"{self.described(own.protocol)['label']}, {own.kind} {own.number}"
        variant = {"of": own.dataset, "label": label, "protocol": own.protocol}
        variant |= {"split_seed": seed, "seed": seed}
        return variant | ({"fold": own.number} if own.kind == "fold" else {})

"""Sources of definitions: profiles and libraries, and the choices in which two of them differ."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from rankassay.errors import number_of
from rankassay.lookup import find, load
from rankassay.metrics.catalogue import metric as metric_target
from rankassay.metrics.evaluate import Measure
from rankassay.metrics.profiles import PROFILES, Profile
from rankassay.studies.definitions import peers as libraries

log = logging.getLogger(__name__)

NOT_INSTALLED = "not installed"
NO_METRIC = "has no such metric"
SAME = "same definition"


@dataclass(frozen=True)
class Source:
    """A set of definitions: a profile, or a library with the definitions it is known to use."""

    name: str
    stated: Profile
    without_relevant: str  # "value" or "nan": what a user without relevant items gets,
    without_list: str = "value"  # and a user without a list
    version: str | None = None  # of a library
    absence: str = ""  # why a library has no values of any metric

    @property
    def peer(self) -> libraries.Peer | None:
        """The library, if it is one."""
        return None if self.name in PROFILES else libraries.PEERS[self.name]

    def absent(self, metric: str) -> str:
        """Return why there are no values of a metric; empty if there are."""
        if self.absence:
            return self.absence
        return NO_METRIC if self.peer and metric not in self.peer.metrics else ""

    def measure(self, metric: str, cutoff: int) -> Measure:
        """Return the definition as a measure that holds under the profile `paper`, written out."""
        return Measure(
            metric, tuple(sorted(self.stated.parameters.get(metric, {}).items())), cutoff
        )

    def choices(self, metric: str) -> dict:
        """Return every choice in which definitions of a metric can differ, with its value."""
        parameters = load(metric_target(metric)).__kwdefaults__ or {}
        users = {name: getattr(self, name) for name in ("without_relevant", "without_list")}
        return parameters | self.stated.parameters.get(metric, {}) | users


def all_sources(evaluation: dict, peers: Sequence[str] | None) -> list[Source]:
    """Return the sources: the configured profile, the other profiles, and the peers."""
    first = find("profile", evaluation["profile"], PROFILES)
    chosen = evaluation["without_relevant"] or first.without_relevant
    others = [name for name in PROFILES if name != evaluation["profile"]]
    sources = [Source(evaluation["profile"], first, chosen)]
    sources += [Source(name, PROFILES[name], PROFILES[name].without_relevant) for name in others]
    for name, version in libraries.choose(peers).items():
        peer = libraries.PEERS[name]
        absence = NOT_INSTALLED if version is None else ""
        sources.append(Source(name, peer.stated, "value", peer.without_list, version, absence))
        if version is None:
            log.warning("%s: not installed, not compared", name)
        else:
            log.info("%s %s", name, version)
    return sources


def explain(metric: str, source: Source, reference: Source, differs: bool, unexplained: int) -> str:
    """Return why a source's values differ from the reference's.

    `differs` is whether any user's value does, and `unexplained` to how many users a library gives
    another value than is known of it.
    """
    own, other = source.choices(metric), reference.choices(metric)
    parts = [
        f"{name}: {_short(value)} instead of {_short(other[name])}"
        for name, value in own.items()
        if value != other[name]
    ]
    text = "; ".join(parts) or SAME
    if parts and not differs:
        text += " (no user differs)"
    if unexplained:
        users = number_of(unexplained, "user", ("differs", "differ"))
        text += f"; {users} otherwise, unexplained"
    known = source.peer.known.get(metric) if source.peer else None
    return f"{text}; {known.text}" if known and differs else text


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)

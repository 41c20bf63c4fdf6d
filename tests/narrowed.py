"""Narrowed configurations: fewer metrics, cut-offs and levels, and analyses that are left out."""

from rankassay.config.check import filled
from rankassay.studies import STUDIES

# What can be fewer in an analysis's settings.
LISTS = ("levels", "percentages", "metrics", "sizes", "users", "gains", "aggregates")
# Of these the second reads what the first has of its own metrics.
SAME = {
    "goals": ("groups", "bias-measured"),
}


def narrowing(rng, studies=tuple(STUDIES)):
    """Return a random narrowing of some studies, as a change of the configuration."""

    def some(values, least=1):
        kept = rng.random(len(values)) < rng.choice([0.2, 0.6, 0.9])
        few = {*rng.choice(len(values), least, replace=False).tolist()}
        return [value for i, value in enumerate(values) if kept[i] or i in few]

    defaults = filled({})
    change = {"recommenders": some(["random", "popularity", "rocchio", "puresvd"], 2)}
    change["metrics"] = {"names": some(defaults["metrics"]["names"])}
    if rng.random() < 0.5:
        change["metrics"]["cutoffs"] = some(defaults["metrics"]["cutoffs"])
    elif rng.random() < 0.3:
        change["depth"] = int(rng.choice([3, 7, 30]))
    for study in studies:
        analyses = change.setdefault(study, {"analyses": {}})["analyses"]
        for key in STUDIES[study].model.model_fields:
            values = defaults[study][key]
            if key in LISTS and isinstance(values, list) and rng.random() < 0.3:
                # Those of validity need one without propensities, at least.
                change[study][key] = some(values) if key != "metrics" else values[:2]
        for name, settings in defaults[study]["analyses"].items():
            lists = {k: own for k, own in settings.items() if k in LISTS and isinstance(own, list)}
            if rng.random() < 0.1:
                analyses[name] = None
            elif lists and rng.random() < 0.3:
                analyses[name] = {key: some(values) for key, values in lists.items()}
                if "aggregates" in lists:  # the others are compared with the mean
                    analyses[name]["aggregates"] = lists["aggregates"][: rng.integers(1, 4)]
        if study in SAME:
            read, reader = SAME[study]
            analyses.pop(reader, None)
            if narrower := analyses.get(read):
                analyses[reader] = dict(narrower)
    return change

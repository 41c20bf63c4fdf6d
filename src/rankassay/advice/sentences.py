"""All sentences of the answer, as templates that `rankassay.drawing.sentences.fill` takes.

Numbers and names are in braces: `{pairs:n pair}` is a number with what it counts, and
`{runs:is|are}` the first word for one and the second for more.
"""

# What was given.
DATA = (
    "{synthetic}{users:n user}{relevant}, {runs:n run}{alike}, lists of {depth:,}{longest}{train}."
)
WITH_RELEVANT = " ({some}{judged}, {relevant} relevant)"
WARNINGS = {
    "tests": "With fewer than {users} users, tests of a weighted measure err in more than 5%.",
    "random": "{runs} {runs:is|are} no better than random lists under {measure}.",
    "depth": (
        "The discount decides the order of the runs: without it, all places alike, τ is {tau}."
    ),
    "weights": "The weights decide the order of the runs: without them τ is {tau}.",
    "more": (
        "More users than in any simulated data (at most {users:,} with a relevant item): more "
        "pairs are significant, wrong ones, too."
    ),
    "fewer": "Fewer users than in any simulated data (at least {users:,} with a relevant item).",
}

LEFT = {
    "propensities": "{measures} {n:is|are} not considered: no propensities.",
    "depth": "{measures} {n:is|are} not considered: the lists have {depth:n item}.",
}

# What to report.
REPORT = "{measure}, and {conventional} next to it."
REPORT_ONE = "{measure}."
UNTIL = "{conventional} until more is known."
FOUND_ONLY = {
    True: "{conventional}, as how much runs find of what users rated, not what they like.",
    False: "{conventional}, as how much runs find of what users saw, not what they would like.",
}
SIMULATED = (
    "In simulations with {users:n user}, its τ with the true ranking is {mixed} where some systems "
    "are baselines{usual_mixed}. Among tuned systems alone it is {close}{usual_close}."
)
SIMULATED_USUAL = ", that of {conventional} {tau}"
SIMULATED_CLOSE = ", against {tau}"
NOT_CHECKED = "It is unknown whether your data are like these: give training ratings (--train)."
NOT_FITTED = "It is unknown whether your data are like these: no reference systems were fitted."
AGREES = "Its Kendall's τ {truths}."
ALIKE = "The two rank your runs alike."
OPPOSITE = "The two rank your runs in opposite order."
REVERSED = "The two rank your runs alike but for {reversed:,} of {pairs:n pair} (τ {tau})."
UNWEIGHED = {
    "no-train": "Without weights: no training ratings say what is popular.",
    "few-train": "Without weights: {train:n training user} do not show well what is popular.",
}
AVOID = "{measures}: significantly worse than the best by {truth} (τ {taus}; {best})."

# What cannot be told.
CANNOT = "{which}: {why}."
WHICH = {
    "": "which measure to trust",
    "out-of-range": "which run is liked more",
    "likes-alone": "which run is liked more",
    "one-run": "which run is better",
    "no-difference": "which run is better",
}
WHY = {
    "no-relevant": "no judged item is relevant (rated at least {threshold})",
    "no-hits": "no run lists a relevant item",
    "one-run": "one run leaves nothing to rank",
    "no-difference": "all runs have the same hits",
    "few-informative": "runs can differ for {informative:n user}, and it takes {enough}",
    "likes-alone": "only likes are known, and no weights say what users came across",
    "out-of-range": (
        "reference systems differ less than in 39 of 40 simulated data sets ({differ}), so that no "
        "simulation speaks for a measure"
    ),
    "unknown-known": "the truth does not say which items the users knew before",
    "no-agreement": "no measure agrees significantly with {truth}",
}
DIFFER = {
    "t": "the best from random lists by t = {t}, below {limit}",
    "share": "{share} of their pairs are significant, below {limit}",
}

# What one may write, and what not.
WRITE_NONE = (
    "nothing: {pairs:the difference is not|none of the {pairs:,} differences is} "
    "significant{under}."
)
UNDER_ALL = " under all of {measures}"
WRONG = (
    "In simulations, {personalised} of such pairs of personalised systems are wrong"
    "{usual_personalised}. With a baseline, such as popularity, it is {baseline}{usual_baseline}."
)
WRONG_USUAL = ", against {wrong} under {conventional} alone"
WRONG_BASELINE = ", against {wrong}"
USUAL_REVERSES = "{conventional} ranks {n} of them the other way: {pairs}."
MORE = "and {n:n more pair}: --pairs"
CLAIMED = "{better} > {worse}: {why}"
SAME = "the same hits"
NO_MEASURE = "no measure is recommended"
NOT_SIGNIFICANT = "not significant"
NOT_UNDER = "not under {measures}"
ONLY_UNDER = "only under {measures}"
BECAUSE = (
    "{first} {found} {second} ({first_found}, {second_found}). {joined} {liked} ({first_liked}, "
    "{second_liked})."
)
FINDS = {
    1: "finds more than",
    0: "does not find significantly more or less than",
    -1: "finds less than",
}
LIKES = {
    1: "more of it is liked",
    0: "how much of it is liked does not differ significantly",
    -1: "less of it is liked",
}
ONE_RUN = "{run} reaches {mean} under {measure}{interval}."

# How far to trust it.
MISSING = "τ {tau}{interval} between the ranking by half of them and by all{fitted}"
BIAS = (
    "{some} {standing:stands|stand} up to Γ = {gamma}{more}, for any weights of judged items from "
    "1/Γ to Γ"
)
BIAS_NONE = (
    "{pairs:the pair does not stay|no pair stays} significant if judged items may weigh 1/Γ to Γ, "
    "Γ = {gamma}"
)
BIAS_MORE = ", {standing:,} of them up to {gamma}"
UNJUDGED = "{share} of the listed; judging them could reverse {some} at most"

# What to do next.
CLAIM = "Do not claim {better} over {worse}"
SAME_LISTS = "they list the judged items alike, and no metric finds a difference."
NEXT = {
    "threshold": "Lower the threshold: no judged item is rated {threshold:g} or higher.",
    "lists": "Check the ids of items: no run lists a relevant item.",
    "second": "Give a second run: one alone cannot be ranked.",
    "identical": "Check {better} and {worse}: " + SAME_LISTS,
    "identical-more": (
        "Check {better} and {worse}, and {others} other {others:pair|pairs}: " + SAME_LISTS
    ),
    "claim": CLAIM + ": the difference is not significant.",
    "disputed": CLAIM + ": {against} {against:does|do} not show it.",
    "train": (
        "Give training ratings: they weigh hits, and show whether simulations are like your data."
    ),
    "evaluate": "Compute the recommended measure.",
    "truth": (
        "If {users:,} users can judge {items} random items each, give their judgements: they show "
        "which ranking is right."
    ),
    "known": "Add to the truth which items the users had known before (column known).",
}

# Of pairs that were in the qrels and in the truth.
SHARED = (
    "{both:n pair} {both:is|are} in the qrels and in the truth: only the truth keeps "
    "{both:it|them}. The qrels keep {left:n judgement}."
)
SPLIT = (
    "{both:,} of {qrels:n judgement} in the qrels are also in the truth, so these were divided at "
    "random. The truth has the items that users had not known, and {share:.0%} of the others that "
    "do not train. It has {truth:n judgement}; the qrels keep {left:,}."
)
UNKNOWN_KNOWN = (
    "{both:,} of {qrels:n judgement} in the qrels are also in the truth, and it does not say what "
    "users had known. Add the column known: without it, no truth is independent of the qrels."
)
WITHOUT_TRAIN = (
    "No training ratings are given, so no judgement counts as one that trained. Items that trained "
    "count for too little under the truth of liked items."
)
# What the truth is estimated from, without and with its own probabilities.
RESTS_ON = (
    "The truth is estimated from {judgements:n judgement} by {users:n user}. These count as a "
    "random part of {items:n item}: all in the qrels, the runs, the truth or the training ratings."
)
RESTS_ON_PROBABILITIES = (
    "The truth is estimated from {judgements:n judgement} by {users:n user}, each weighed by its "
    "inverse probability."
)
# Of judgements by others than the users of the qrels, and of training.
OTHERS = (
    "{users:n user} {users:has|have} judgements in the truth and none in the qrels: excluded from "
    "the truth."
)
TRAINED = (
    "{n:n judgement} {n:is also a training rating|are also training ratings}: excluded from the "
    "truth."
)
NOTHING_NEW = (
    "No run lists a liked item that its user had not known: nothing can be said of items new to "
    "the user."
)
OWN_THRESHOLD = (
    "The truth has another scale than the qrels: liked is a rating of at least {truth:g} there, "
    "and of at least {qrels:g} in the qrels."
)
NOT_RANDOM = (
    "The truth is not of random items: by fifths of popularity, its judgements stand for {least} "
    "to {most} of the items instead of all alike. Give the probabilities as inclusion."
)
# Of judgements from which the qrels seem to have been taken.
TAKEN_OUT = (
    "The qrels seem to have been taken out of these judgements: no pair is in both, where "
    "{expected:,.0f} are expected by chance. Known items then count for too little. Give all "
    "judgements, or their probabilities as inclusion."
)
# Of outcomes: how many have errors to draw by, and which systems have none.
DRAWN = (
    "The outcomes of {n:n system} {n:is|are} drawn from normal distributions with their standard "
    "errors, independently of each other."
)
EXACT = "The outcome of {n:n system} {n:has|have} no standard error and is taken to be exact."
WITHOUT = "Without an outcome, and not compared with the outcomes: {systems}."

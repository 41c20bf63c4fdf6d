"""Sentences on a truth and on outcomes: the assumptions, one sentence each."""

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

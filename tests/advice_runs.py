"""What advice is given on, from a few judgements and lists that a test writes down."""

from rankassay.advice.given import Given
from rankassay.api.reading import judged
from rankassay.data.frames import lists_of
from rankassay.data.listed import Listing


def given_of(qrels, runs, references=None, threshold=1, **more):
    """Return what is known, from {user: {item: rating}} and runs {name: {user: items, best first}}.

    Items are letters; those without a rating are unjudged.
    """
    own = judged(qrels, threshold)

    def lists(several):
        scored = {
            name: {
                user: {item: -place for place, item in enumerate(items)}
                for user, items in run.items()
            }
            for name, run in several.items()
        }
        return {
            name: lists_of(Listing(own).rows(run, name), own, "trec")
            for name, run in scored.items()
        }

    return Given(own.judgements, own.item, lists(runs), lists(references or {}), **more)

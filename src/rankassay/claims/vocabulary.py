"""The words of verdicts, which figures and tables show without computing any."""

from rankassay.claims.conditions import VERDICTS

QUESTIONS = REPRODUCED, GENERAL = ("reproduced", "general")
UNDEFINED = "undefined"
NOT_ASKED = "not asked"  # as the run did not compute what the claim is about
NOT_TESTABLE = "not testable"  # by no dataset that was studied
WITHOUT = (UNDEFINED, NOT_ASKED, NOT_TESTABLE)  # the words where nothing could be judged
WORDS = (*VERDICTS, *WITHOUT)
OURS = "ours"  # the source of a claim that no paper makes

# Of each, in figures and tables.
SIGNS = dict(zip((*VERDICTS, UNDEFINED, NOT_ASKED), "+?×–·", strict=True))

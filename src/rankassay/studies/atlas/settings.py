"""Settings of the study of an atlas of datasets."""

from pydantic import Field

from rankassay.studies.settings import Distinct, Settings, Share, Text


class Conclusions(Settings):
    """When a finding is called general."""

    source: Distinct[Text] = Field(
        ["ml-1m", "ml-100k", "ml-latest-small"],
        description="The datasets of the source that the findings come from: what holds on these "
        "alone is not general.",
    )
    general: Share = Field(
        0.75,
        description="A finding is general if it holds on this share of the other datasets.",
    )
    sparse: Share = Field(
        0.00277,
        description="Datasets of at most this density are compared with the paper's sparse ones. "
        "That of LibraryThing is .00277 and that of BeerAdvocate .00071.",
    )

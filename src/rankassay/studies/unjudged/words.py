"""Words that analyses, figures, tables and sentences of the study share."""


def condensed_name(metric: str) -> str:
    """Return the name of a metric of condensed lists."""
    return f"condensed {metric}"

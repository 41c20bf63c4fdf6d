"""Words that analyses, figures, tables and sentences of the study share."""


def sign_name(metric: str) -> str:
    """Return the name of the sign of a metric's differences."""
    return f"sign of {metric}"

"""The effect of unjudged items: bounds of metrics, residuals, condensed lists."""

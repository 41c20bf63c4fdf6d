"""What items without a judgement could change: bounds of metrics, residuals, condensed lists."""

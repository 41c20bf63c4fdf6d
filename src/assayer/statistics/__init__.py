"""Tests, resampling, correlation, robustness and power, of whatever systems are judged."""

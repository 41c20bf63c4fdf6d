"""Tests, resampling, correlation, robustness and power, of systems of any kind."""

"""The report: one page with all results of a run, which opens in a browser without a network.

Figures, tables and verdicts are as the workflow made them; nothing is computed here. What can be
explored is drawn by the page itself, from the result tables that it holds.
"""

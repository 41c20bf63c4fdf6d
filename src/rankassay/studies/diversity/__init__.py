"""The study of metrics that reward diversity (Parapar and Radlinski, RecSys 2021)."""

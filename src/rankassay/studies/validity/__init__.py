"""The study of validity: does the ranking of systems agree with the true one?"""

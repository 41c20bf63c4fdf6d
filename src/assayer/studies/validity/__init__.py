"""The study of validity: does a metric order systems as the truth would?"""

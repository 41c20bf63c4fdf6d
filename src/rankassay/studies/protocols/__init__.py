"""The study of protocols: what depends on the split, the filter, the fold and the seed?"""

"""The study of reliability: how much does the ranking depend on the sample of users?"""

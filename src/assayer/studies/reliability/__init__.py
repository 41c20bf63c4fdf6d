"""The study of reliability: how much of an order of systems is luck of the users?"""

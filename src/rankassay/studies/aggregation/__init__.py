"""The study of averages over users, and of users with few ratings."""

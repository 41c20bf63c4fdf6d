"""The study of robustness and discriminative power (Valcarce et al., RecSys 2018)."""

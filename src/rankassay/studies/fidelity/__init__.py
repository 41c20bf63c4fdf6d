"""How near our systems are to the published ones."""

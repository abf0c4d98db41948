"""From a traced program to the StableHLO that JAX lowers it to, linked to its equations."""

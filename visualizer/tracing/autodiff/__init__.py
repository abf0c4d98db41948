"""What automatic differentiation made: sides, kinds of values, twins. From JAX's tags and the identity of variables alone."""

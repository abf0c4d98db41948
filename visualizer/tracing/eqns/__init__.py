"""A traced program as plain data: each jaxpr, equation, operand and param, and the text that JAX prints."""

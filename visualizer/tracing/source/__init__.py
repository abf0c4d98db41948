"""The text of a paste: what stands where in it, its scopes, functions, calls and assignments, and the way back from a traced equation."""

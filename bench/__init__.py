"""Benchmarks: what is measured, against what, in one run on one machine. Only ratios mean anything; budgets stand beside them.

`make bench` runs them all; one alone is `python -m bench.paste`. They always exit 0: a number over its budget is printed as OVER.
"""

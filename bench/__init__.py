"""Benchmarks: what is measured, against what, in one run on one machine. Ratios mean something within a run only; budgets stand beside them.

`make bench` runs them all; one alone is `python -m bench.paste`. They always exit 0: a number over its budget is printed as OVER.
"""

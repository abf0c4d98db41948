"""The steps from one version of the tables to the next, in the form that alembic reads. See `_schema.py`."""

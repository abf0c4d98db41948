"""What alembic runs for every migration: on the connection that it is handed, in the transaction that is open there."""

from alembic import context

from visualizer.links._tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()

"""Links, who made them, and what was removed."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "links",
        sa.Column("digest", sa.LargeBinary(32), primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("kept", sa.LargeBinary),
        sa.Column("sum", sa.LargeBinary(32), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "creators",
        sa.Column("token", sa.LargeBinary(32), primary_key=True),
        sa.Column("link", sa.LargeBinary(32), sa.ForeignKey("links.digest"), nullable=False, index=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "removed",
        sa.Column("digest", sa.LargeBinary(32), primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )

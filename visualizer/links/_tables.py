"""The tables, as the newest migration leaves them. Times are seconds since 1970, UTC."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, LargeBinary, MetaData, String, Table, Text

metadata = MetaData()

# `digest` is the SHA-256 of the canonical content, `content` that content compressed; `sum` is the SHA-256 of the title and what is kept.
links = Table(
    "links",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("content", LargeBinary, nullable=False),
    Column("title", Text, nullable=False),
    Column("kept", LargeBinary),
    Column("sum", LargeBinary(32), nullable=False),
    Column("created", BigInteger, nullable=False),
)

# Whoever made a link: the hash of the token that takes their part of it away.
creators = Table(
    "creators",
    metadata,
    Column("token", LargeBinary(32), primary_key=True),
    Column("link", LargeBinary(32), ForeignKey("links.digest"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
)

# What whoever runs the server removed: it is not taken again.
removed = Table(
    "removed",
    metadata,
    Column("digest", LargeBinary(32), primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
)

# The ids of links that were taken back: none of them is ever another content's, so that an address which is out there cannot change its
# meaning. Of the content only its hash is kept.
past = Table(
    "past",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("digest", LargeBinary(32), nullable=False),
    Column("created", BigInteger, nullable=False),
)

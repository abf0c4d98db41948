"""What a link serves: its page at `/s/<id>`, its pictures, the viewer for frames at `/embed/<id>`, and oEmbed."""

from ._routes import register as register

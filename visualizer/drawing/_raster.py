"""An SVG of ours as PNG or PDF, with the fonts of this package, so that it is the same on every machine.

By typst (the Python package of that name, Apache-2.0), whose SVG engine is resvg; it reads no file and no network here.
Must never: be handed an SVG that is not of our own drawing.
"""

import html
import re
from pathlib import Path
from typing import Any, Literal

from ._errors import DrawingError, ExtraMissingError

FONTS = Path(__file__).with_name("fonts")
# A square of 16,384 pixels is a gigabyte.
MOST_PIXELS = 100_000_000
_SIZE = re.compile(r'<svg [^>]*?\bwidth="([\d.]+)" height="([\d.]+)"')
# What the fonts of this package have; whatever else occurs is looked for among those of the system.
_OURS = re.compile(r"[\x00-\u017f\u0370-\u03ff\u0400-\u045f\u2010-\u209f\u20ac\u2100-\u22ff\u25a0-\u25ff\u2713\u2717\ufffd]*")


def png(svg: str, *, scale: float = 2.0) -> bytes:
    """An SVG of `draw` as PNG, `scale` pixels for each of its own. Raises ExtraMissingError, and DrawingError where it is too large."""
    width, height = _size(svg)
    if width * height * scale * scale > MOST_PIXELS:
        fits = (MOST_PIXELS / (width * height)) ** 0.5
        raise DrawingError(
            f"The picture would have {width * scale:,.0f} x {height * scale:,.0f} pixels. Open less of it, or draw it at a scale of "
            f"{fits:.2f} or less."
        )
    return _compiled(svg, "png", ppi=72 * scale)


def pdf(svg: str) -> bytes:
    """An SVG of `draw` as a PDF of one page, a pixel being 1/96 of an inch, its text searchable. Raises ExtraMissingError, DrawingError."""
    # pdfTeX takes no later version without a warning.
    return _compiled(svg, "pdf", unit=0.75, pdf_standards="1.5")


def _size(svg: str) -> tuple[float, float]:
    found = _SIZE.match(svg)
    if found is None:
        raise DrawingError("This is not an SVG of the drawing: it says no width and height.")
    return float(found[1]), float(found[2])


def _compiled(svg: str, format_: Literal["png", "pdf"], *, unit: float = 1.0, **options: Any) -> bytes:
    try:
        import typst
    except ImportError:
        raise ExtraMissingError("export", f"A {format_.upper()}") from None
    width, height = _size(svg)
    page = (
        f"#set page(width: {width * unit}pt, height: {height * unit}pt, margin: 0pt)\n"
        "#set document(title: sys.inputs.title, date: none)\n"
        '#image(bytes(sys.inputs.svg), format: "svg", width: 100%, alt: sys.inputs.title)\n'
    )
    found = re.search(r"<title>([^<]*)</title>", svg)
    inputs = {"svg": svg, "title": html.unescape(found[1]) if found else ""}
    own = _OURS.fullmatch(svg) is not None
    try:
        made = typst.compile(page.encode(), format=format_, font_paths=[FONTS], ignore_system_fonts=own, sys_inputs=inputs, **options)
    except RuntimeError as error:
        raise DrawingError(f"The {format_.upper()} could not be made: {str(error).splitlines()[0]}") from None
    if not isinstance(made, bytes):
        raise DrawingError(f"The {format_.upper()} has more than one page.")
    return made

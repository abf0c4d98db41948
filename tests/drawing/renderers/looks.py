"""What a picture must look like, read from the SVG itself and looked for in the pixels."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageFilter

NS = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Card:
    """A box or a pill with its words: where it is, its fill, and the text on it in `ink`."""

    x: float
    y: float
    w: float
    h: float
    fill: tuple[int, int, int]
    ink: tuple[int, int, int]
    words: tuple[str, ...]


def cards(svg: str) -> list[Card]:
    """Every box with words that is not faded."""
    found = []
    for group in ET.fromstring(svg).iter(f"{NS}g"):
        rects, texts = group.findall(f"{NS}rect"), group.findall(f"{NS}text")
        if not rects or not texts or group.get("opacity") is not None or any("transform" in text.attrib for text in texts):
            continue
        rect = next((rect for rect in reversed(rects) if rect.get("fill", "none") != "none"), None)
        if rect is None:
            continue
        x, y, w, h = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        # Frames have their captions in groups of their own; a plate hugs its text.
        if h < 20:
            continue
        words = tuple(text.text or "" for text in texts)
        found.append(Card(x, y, w, h, rgb(rect.attrib["fill"]), rgb(texts[0].attrib["fill"]), words))
    return found


def rgb(color: str) -> tuple[int, int, int]:
    """Of `#rrggbb`."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def pixels(image: Image.Image) -> np.ndarray:
    """Rows of pixels, signed so that they can be subtracted."""
    return np.asarray(image.convert("RGB")).astype(np.int16)


def wrong_fills(svg: str, image: Image.Image) -> list[str]:
    """Boxes whose fill is not the theme's where nothing is written: along their upper and lower inner edge."""
    at = pixels(image)
    wrong = []
    for card in cards(svg):
        rows = at[[round(card.y + 3), round(card.y + card.h - 4)], round(card.x + 8) : round(card.x + card.w - 8)].reshape(-1, 3)
        same = np.abs(rows - np.array(card.fill)).max(axis=1) <= 3
        if same.mean() < 0.5:
            wrong.append(f"{card.words}: {same.mean():.0%} is {card.fill}")
    return wrong


def inked(at: np.ndarray, ink: tuple[int, int, int], fill: tuple[int, int, int]) -> np.ndarray:
    """Where the ink is: nearer to it than a sixth of the way to the fill, which no colour of a role is."""
    return np.abs(at - np.array(ink)).sum(axis=-1) < np.abs(np.array(fill) - np.array(ink)).sum() / 6


def unwritten(svg: str, image: Image.Image) -> list[str]:
    """Boxes without any ink in them; of scripts that the machine may have no font for nothing is asked."""
    at = pixels(image)
    plain = [card for card in cards(svg) if card.words[0].isascii()]
    return [str(card.words) for card in plain if not inked(_inside(at, card), card.ink, card.fill).any()]


def overflowing(svg: str, image: Image.Image) -> list[str]:
    """Boxes whose words reach their border or go beyond it: ink in the columns beside the left and the right edge."""
    at = pixels(image)
    over = []
    for card in cards(svg):
        top, bottom = round(card.y + 4), round(card.y + card.h - 4)
        left, right = round(card.x), round(card.x + card.w)
        for columns in (slice(max(0, left - 4), left - 1), slice(right + 2, right + 5)):
            if inked(at[top:bottom, columns], card.ink, card.fill).any():
                over.append(str(card.words))
                break
    return over


def _inside(at: np.ndarray, card: Card) -> np.ndarray:
    # The dots of the ports reach into it.
    return at[round(card.y + 5) : round(card.y + card.h - 5), round(card.x + 2) : round(card.x + card.w - 2)]


def without_text(svg: str) -> str:
    """The picture with its lines and boxes alone: those do not depend on fonts."""
    ET.register_namespace("", NS[1:-1])
    root = ET.fromstring(svg)
    for parent in list(root.iter()):
        for text in parent.findall(f"{NS}text"):
            parent.remove(text)
    return ET.tostring(root, encoding="unicode")


def apart(a: Image.Image, b: Image.Image) -> float:
    """The share of the picture that differs plainly, anti-aliasing forgiven: after a blur of a pixel, by more than a quarter."""
    soft = [pixels(image.filter(ImageFilter.GaussianBlur(1.2))) for image in (a, b)]
    return float((np.abs(soft[0] - soft[1]).max(axis=2) > 64).mean())


def similarity(a: Image.Image, b: Image.Image) -> float:
    """Mean structural similarity (Wang et al. 2004) of two pictures in grey, over windows of eight by eight."""
    p, q = _windows(a), _windows(b)
    # Paper counts for nothing.
    drawn = ~((p == p[:, :1]).all(axis=1) & (p == q).all(axis=1))
    p, q = p[drawn], q[drawn]
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mp, mq = p.mean(axis=1), q.mean(axis=1)
    together = ((p - mp[:, None]) * (q - mq[:, None])).mean(axis=1)
    scores = ((2 * mp * mq + c1) * (2 * together + c2)) / ((mp**2 + mq**2 + c1) * (p.var(axis=1) + q.var(axis=1) + c2))
    return float(scores.mean())


def _windows(image: Image.Image) -> np.ndarray:
    at = np.asarray(image.convert("L"), dtype=float)
    h, w = at.shape[0] // 8, at.shape[1] // 8
    return at[: 8 * h, : 8 * w].reshape(h, 8, w, 8).swapaxes(1, 2).reshape(h * w, 64)

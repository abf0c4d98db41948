"""`/s/<id>.svg`, `.png` and `.pdf`: what is drawn, what stands in its place, and the headers that make it harmless and useful elsewhere."""

from __future__ import annotations

import pytest

from visualizer.web.shared import _pictures
from visualizer.web.shared._painter import NotPainted

from .conftest import CARD, saved


def test_the_drawing_is_that_which_was_shared(client, put, painted):
    name = put(saved(), open=["e1"], levels=["calls", None])
    response = client.get(f"/s/{name}.svg?theme=AUTO")
    assert response.mimetype == "image/svg+xml"
    assert response.data == b"<svg>whole</svg>"
    (asked,) = painted.asked
    assert asked["make"] == "svg"
    assert asked["options"] == {"level": "jaxpr", "title": "loss", "open": ["e1"], "by": "calls", "direction": "TB", "theme": "auto"}
    assert asked["kept"]


@pytest.mark.parametrize(
    ("state", "opened", "by"),
    [
        ({}, "initial", "auto"),
        ({"levels": ["calls", 2]}, 2, "calls"),
        ({"levels": ["none", "all"]}, "all", "none"),
        ({"levels": ["<b>", -4]}, "initial", "auto"),
        ({"levels": [7, "deep"]}, "initial", "auto"),
        ({"view": "hlo", "open": ["e1"]}, "initial", "auto"),
    ],
)
def test_what_is_open_follows_the_link_where_that_can_be(client, put, painted, state, opened, by):
    client.get(f"/s/{put(saved(), **state)}.svg")
    options = painted.asked[-1]["options"]
    assert (options["open"], options["by"], options["level"]) == (opened, by, "jaxpr")


def test_a_png_is_the_drawing_or_the_card(client, put, painted):
    name = put(saved())
    assert client.get(f"/s/{name}.png").data == b"\x89PNG whole"
    card = client.get(f"/s/{name}.png?size=og")
    assert (card.mimetype, card.data) == ("image/png", b"\x89PNG card")
    assert client.get(f"/s/{name}.png?size=%3Cb%3E&theme=nope").data == b"\x89PNG whole"
    assert painted.asked[0]["options"]["theme"] == "light"


def test_others_may_show_it_and_nothing_in_it_runs(client, put):
    response = client.get(f"/s/{put(saved())}.svg")
    policy = response.headers["Content-Security-Policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert response.cache_control.public
    assert response.cache_control.max_age == 300
    again = client.get(response.request.path, headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Content-Security-Policy"] == policy


def test_a_pdf_is_the_drawing_and_is_saved_under_its_name(client, put, painted):
    name = put(saved(), title='jax.grad(løss) "x"')
    response = client.get(f"/s/{name}.pdf?theme=dark")
    assert (response.mimetype, response.data) == ("application/pdf", b"%PDF whole")
    assert response.headers["Content-Disposition"] == 'attachment; filename="jax.grad_l_ss_x.pdf"'
    assert painted.asked[0]["options"]["theme"] == "dark"
    assert client.get(f"/s/{put(saved(), source='y', title='<>')}.pdf?size=og").headers["Content-Disposition"].endswith('"program.pdf"')
    assert [asked["make"] for asked in painted.asked] == ["pdf", "pdf"]


def test_a_body_that_was_shared_alone_is_drawn_alone(client, put, painted):
    client.get(f"/s/{put(saved(), alone='e1')}.svg")
    assert painted.asked[0]["options"]["alone"] == "e1"


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_code_without_a_program_is_a_card_with_the_code(client, put, painted, kind):
    response = client.get(f"/s/{put(source='x = 1')}.{kind}")
    assert response.data == {"svg": CARD["svg"].encode(), "png": b"\x89PNG card", "pdf": b"%PDF card"}[kind]
    assert painted.asked[-1]["code"] == "x = 1"
    # What turns the direction of text would show other code than there is.
    turned = put(source="x\u202e = 1")
    client.get(f"/s/{turned}.{kind}")
    assert painted.asked[-1]["code"] == r"x\u202e = 1"
    assert painted.asked[-1]["kept"] == b""


def test_a_drawing_that_fails_is_the_card_with_the_code_and_is_not_tried_again(client, put, painted):
    painted.answers["svg"] = NotPainted("it could not be drawn")
    name = put(saved())
    for _ in range(3):
        assert client.get(f"/s/{name}.svg").data == CARD["svg"].encode()
    assert [asked["make"] for asked in painted.asked] == ["svg", "card"]


def test_where_nothing_can_be_drawn_that_is_said(client, put, painted):
    for make in painted.answers:
        painted.answers[make] = NotPainted("no")
    response = client.get(f"/s/{put(saved())}.svg", headers={"Accept": "application/json"})
    assert (response.status_code, response.json["error"]["code"]) == (503, "not-drawn")


def test_a_picture_that_is_not_ready_is_asked_for_again(client, put, painted):
    painted.answers["svg"] = NotPainted("busy", later=True)
    response = client.get(f"/s/{put(saved())}.svg")
    assert response.status_code == 200
    painted.answers["card"] = NotPainted("busy", later=True)
    assert client.get(f"/s/{put(saved(), source='y')}.svg").status_code in {200, 503}


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_without_the_extra_it_is_refused_with_the_cure(client, put, monkeypatch, kind):
    monkeypatch.setattr(_pictures, "can_raster", lambda: False)
    response = client.get(f"/s/{put(saved())}.{kind}", headers={"Accept": "application/json"})
    assert response.status_code == 501
    assert kind.upper() in response.json["error"]["message"]
    assert 'pip install "jaxpr-visualizer[export]"' in response.json["error"]["advice"]
    assert client.get(f"/s/{put(saved())}.svg").status_code == 200


@pytest.mark.parametrize(("said", "drawn"), [(None, "TB"), ("LR", "LR"), ("RL", "TB")])
def test_values_flow_as_the_link_says(client, put, painted, said, drawn):
    client.get(f"/s/{put(saved(), **({} if said is None else {'direction': said}))}.svg")
    assert painted.asked[-1]["options"]["direction"] == drawn

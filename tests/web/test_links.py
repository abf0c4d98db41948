"""The API of short links over a tracer that runs nothing: what is answered, what is stored, and who may take it back."""

from __future__ import annotations

import json

import pytest

from tests.links.contents import address
from visualizer.links import read

URL = "/api/v1/links"


@pytest.fixture
def app(make_app, tmp_path):
    return make_app(database=str(tmp_path / "data" / "links.sqlite3"))


@pytest.fixture
def client(app):
    return app.test_client()


def post(client, state=None, **changes):
    return client.post(URL, json={"state": address(state or {"source": "import jax"})}, **changes)


def test_a_link_is_made_and_read(client):
    made = post(client, {"source": "import jax", "view": "stablehlo"})
    assert made.status_code == 201
    link = made.json
    assert link["url"] == f"http://localhost/s/{link['id']}"
    assert link["embed"] == f"http://localhost/embed/{link['id']}"
    assert made.headers["Location"] == f"{URL}/{link['id']}"
    given = client.get(f"{URL}/{link['id']}")
    assert given.status_code == 200
    assert json.loads(read(given.json["state"]).text) == {"source": "import jax", "view": "stablehlo"}
    assert given.json["id"] == link["id"]
    assert given.json["created"].endswith("Z")
    assert given.headers["Cache-Control"] == "no-store"


def test_the_same_content_is_one_link_with_a_token_for_each(client):
    one, other = post(client), post(client)
    assert (one.status_code, other.status_code) == (201, 200)
    assert one.json["id"] == other.json["id"]
    assert one.json["delete_token"] != other.json["delete_token"]
    name = one.json["id"]

    def delete(token):
        return client.delete(f"{URL}/{name}", headers={"Authorization": f"Bearer {token}"})

    assert delete(one.json["delete_token"]).status_code == 204
    assert client.get(f"{URL}/{name}").status_code == 200
    again = delete(one.json["delete_token"])
    assert (again.status_code, again.json["error"]["code"]) == (403, "bad-token")
    assert delete(other.json["delete_token"]).status_code == 204
    gone = client.get(f"{URL}/{name}")
    assert (gone.status_code, gone.json["error"]["code"]) == (404, "no-link")
    assert delete(other.json["delete_token"]).status_code == 404


def test_a_server_that_stores_nothing_says_so(make_app):
    client = make_app().test_client()
    refused = post(client)
    assert (refused.status_code, refused.json["error"]["code"]) == (501, "no-links")
    assert client.get(f"{URL}/23456789bcdf").status_code == 501
    assert client.get(URL).json == {"links": False}

"""The import page: upload, steps plain and by htmx, one's own alone, and files too large or of nothing."""

import errno
import io
import json

import pytest

from app import create_app
from tests.web.conftest import prepare
from tests.web.pages import HTMX, answer, count, is_page, parse, put_hand, rows
from trainer.config import Settings
from trainer.service import imports
from trainer.storage.database import db


@pytest.fixture
def app(instance, compiled_templates, strategies):
    app = prepare(create_app({
        "SETTINGS": Settings(instance, secret_key="test", import_megabytes=1), "PROPAGATE_EXCEPTIONS": False,
        "WTF_CSRF_ENABLED": False,
    }), compiled_templates, strategies)
    yield app
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def download(app, client):
    """What somebody with three answers has downloaded."""
    client.get("/")
    for cards, upcard, move in (("Ts6h", "6d", "stand"), ("8s8h", "9d", "split"), ("As7h", "9d", "stand")):
        answer(client, put_hand(app, client, cards, upcard), move)
    return client.get("/account/export.json").data


def upload(client, data, headers=None, name="mine.json"):
    return client.post("/account/import", data={"file": (io.BytesIO(data), name)}, headers=headers or {})


def step(client, headers=None):
    return client.post("/account/import/step", headers=headers or {})


def test_a_guests_import_without_javascript(other_client, download, instance):
    assert "Up to 1 MB" in other_client.get("/account/import").text
    assert upload(other_client, download).location == "/account/import"
    assert count(instance, "decisions") == 3
    page = parse(other_client.get("/account/import").text)
    assert "0 of 3 answers" in page.text
    assert page.one("progress").attributes["max"] == "3"
    assert page.one("button", id="go-on").text == "Go on"
    response = step(other_client)
    assert response.location == "/account"
    assert "Imported: 3 answers." in other_client.get("/account").text
    assert count(instance, "decisions") == 6
    assert "Imported: 0 answers. 3 were here already." in again(other_client, download)
    assert count(instance, "imports") == 0


def again(client, data):
    upload(client, data)
    step(client)
    return client.get("/account").text


def test_a_file_of_any_size_below_the_limit_is_taken(other_client, download, instance):
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="x.json"\r\n\r\n'
    for size in (60_000, 65_000, 66_000, 200_000, 1_000_000):
        body = head + download.ljust(size) + b"\r\n--x--\r\n"
        assert other_client.post("/account/import", data=body, content_type="multipart/form-data; boundary=x"
                                 ).location == "/account/import"
        assert step(other_client).location == "/account"
    assert count(instance, "decisions") == 6


def test_steps_by_htmx_show_how_far_it_is(other_client, download, monkeypatch):
    monkeypatch.setattr(imports, "PART", 2)
    monkeypatch.setattr(imports, "STEP_SECONDS", 0.0)
    upload(other_client, download)
    part = step(other_client, HTMX)
    assert (part.status_code, is_page(part)) == (200, False)
    assert "2 of 3 answers" in parse(part.text).text
    assert parse(part.text).one("form", hx_trigger="load, submit")
    assert step(other_client).location == "/account/import"
    assert step(other_client, HTMX).headers["HX-Redirect"] == "/account"
    assert step(other_client, HTMX).status_code == 404


def test_an_import_is_ones_own(app, client, other_client, download, instance):
    upload(other_client, download)
    nobody = app.test_client()
    for stranger in (client, nobody):
        assert "of 3 answers" not in stranger.get("/account/import").text
        assert step(stranger).status_code == 404
        assert stranger.post("/account/import/stop").location == "/account"
    assert count(instance, "imports") == 1
    assert rows(instance, "SELECT done FROM imports") == [(0,)]
    assert upload(other_client, download).status_code == 422
    assert other_client.post("/account/import/stop").location == "/account"
    assert [count(instance, table) for table in ("imports", "decisions")] == [0, 3]


def test_an_account_imports_into_itself(client, download, instance):
    client.post("/register", data={"username": "Ada", "password": "x7 bridge"})
    assert "If you have an account" not in client.get("/account/import").text
    assert "3 were here already" in again(client, download)
    assert count(instance, "decisions") == 3


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_what_is_no_export_is_refused_at_the_field(other_client, download, instance, headers):
    broken = json.loads(download)
    broken["decisions"][1]["answered_at"] = "<b>soon</b>"
    for data, words in ((b"", "is broken"), (b"{", "is broken"), (b"[]", "no JSON object"),
                        (json.dumps(broken).encode(), "decisions[1].answered_at must be a time")):
        response = upload(other_client, data, headers)
        assert (response.status_code, is_page(response)) == (422, not headers)
        page = parse(response.text)
        assert words in page.one("span", "field-error").text
        assert "Nothing was imported" in page.text
        assert "file-error" in page.one("input", type="file").attributes["aria-describedby"]
    assert [count(instance, table) for table in ("users", "imports")] == [1, 0]


def test_no_file_at_all(other_client, instance):
    for data in ({}, {"file": "text"}, {"file": (io.BytesIO(b""), "")}, {"other": (io.BytesIO(b"{}"), "x.json")}):
        response = other_client.post("/account/import", data=data, content_type="multipart/form-data")
        assert response.status_code == 422
        assert "Choose the file" in response.text
    assert other_client.post("/account/import", json={"file": "x"}).status_code == 422
    assert other_client.post("/account/import", data=b"--x", content_type="multipart/form-data; boundary=x"
                             ).status_code == 422
    assert count(instance, "users") == 0


def test_a_hand_that_cannot_be_ends_the_import(other_client, download, instance):
    broken = json.loads(download)
    broken["decisions"][1]["chosen"] = "split"
    broken["decisions"][1]["cards"] = "Ts6h"
    upload(other_client, json.dumps(broken).encode())
    response = step(other_client)
    assert response.status_code == 422
    assert "decisions[1].chosen cannot be" in response.text
    assert "the 0 answers before it are kept" in response.text
    assert [count(instance, table) for table in ("imports", "decisions")] == [0, 3]


def test_a_file_too_large_is_refused_and_other_routes_take_no_more_than_before(other_client, instance):
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="x.json"\r\n\r\n'
    body, kind = head + b" " * (1024 * 1024 + 1) + b"\r\n--x--\r\n", "multipart/form-data; boundary=x"
    response = other_client.post("/account/import", data=body, content_type=kind)
    assert response.status_code == 413
    assert "Files of up to 1 MB" in response.text
    assert "That was too much" in response.text
    assert other_client.post("/settings", data={"file": (io.BytesIO(b" " * 70_000), "x")}).status_code == 413
    assert other_client.post("/account/import", data={"file": "x" * 70_000}).status_code == 413
    assert list(instance.glob("imports/*")) == []


def test_uploads_lie_in_the_folder_only_while_they_are_read(app, other_client, instance, download, monkeypatch):
    seen = []
    upload_file = app.extensions["importer"].upload_file
    monkeypatch.setattr(app.extensions["importer"], "upload_file", lambda: seen.append(1) or upload_file())
    upload(other_client, download)
    assert seen == [1]
    assert len(list((instance / "imports").iterdir())) == 1
    step(other_client)
    assert list((instance / "imports").iterdir()) == []


@pytest.mark.usefixtures("download")
def test_recount_on_the_command_line(app, client):
    def run(*arguments):
        result = app.test_cli_runner().invoke(args=["recount", *arguments])
        return result.exit_code, result.output

    client.post("/register", data={"username": "Ada", "password": "x7 bridge"})
    assert run() == (0, "Counted again: 1 users, 0 with differences\n")
    with app.app_context(), db.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE tallies SET decisions = decisions + 1")
    code, output = run("--user", "ada")
    assert code == 1
    assert "Ada: decisions of tally" in output
    assert run("--fix")[0] == 0
    assert run()[0] == 0
    code, output = run("--user", "Bo")
    assert code == 2
    assert "no account named Bo" in output


def test_an_upload_that_a_full_disk_does_not_take_may_be_tried_again(app, client, monkeypatch):
    class Full(io.BytesIO):
        def write(self, _data):
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self):
            super().close()
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(app.extensions["importer"], "upload_file", Full)
    response = upload(client, b"{}")
    assert response.status_code == 503
    assert response.headers["Retry-After"]
    assert is_page(response)

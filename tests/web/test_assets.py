"""Static files under addresses that change with their content, and few bytes of them."""

import gzip
import re
from importlib import resources
from pathlib import Path

import pytest

from tests.web.pages import parse

STATIC = Path(__file__).resolve().parents[2] / "static"
FOREVER = "public, max-age=31536000, immutable"


def addresses(client, path="/"):
    root = parse(client.get(path).text)
    return sorted({node.attributes[name].partition("#")[0] for node in root.walk() for name in ("src", "href")
                   if node.tag in ("link", "script", "use") and name in node.attributes})


def test_the_files_of_a_page_may_be_kept_for_ever(client):
    for address in addresses(client):
        with client.get(address) as response:
            assert response.status_code == 200
            assert response.headers["Cache-Control"] == FOREVER


def test_a_file_without_its_version_may_not_be_kept(client):
    with client.get("/static/css/base.css") as response:
        assert "immutable" not in response.headers["Cache-Control"]
    with client.get("/static/css/nowhere.css?v=1") as response:
        assert response.status_code == 404
        assert "immutable" not in response.headers["Cache-Control"]


def test_another_content_has_another_address(app, client, tmp_path):
    for name in ("css/tokens.css", "css/base.css", "css/drill.css", "css/pages.css", "js/page.js", "img/icon.svg",
                 "img/suits.svg"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes((STATIC / name).read_bytes())
    app.static_folder = str(tmp_path)
    before = addresses(client)
    assert addresses(client) == before
    (tmp_path / "css/base.css").write_text("body { color: red }")
    changed = set(before) ^ set(addresses(client))
    assert {address.partition("?")[0] for address in changed} == {"/static/css/base.css"}
    assert len(changed) == 2


def test_htmx_is_the_file_of_the_package(client):
    address = next(each for each in addresses(client) if "htmx" in each)
    response = client.get(address)
    assert response.mimetype == "text/javascript"
    assert response.data == (resources.files("js_lib_htmx") / "static/htmx/htmx.min.js").read_bytes()
    assert re.search(rb'version:"2\.', response.data)


@pytest.mark.parametrize("version", ["", "0" * 12, "nonsense", "..%2F..%2Fapp.py"])
def test_another_version_of_htmx_is_not_there(client, version):
    assert client.get(f"/assets/htmx-{version}.js").status_code == 404


@pytest.mark.parametrize("path", ["../app.py", "..%2Fapp.py", "css/../../app.py", "%2Fetc%2Fpasswd", "css", ""])
def test_nothing_outside_of_static_is_served(client, path):
    with client.get(f"/static/{path}", follow_redirects=True) as response:
        assert response.status_code == 404


def test_a_file_is_not_sent_twice(client):
    with client.get("/static/css/base.css") as first:
        tag = first.headers["ETag"]
    with client.get("/static/css/base.css", headers={"If-None-Match": tag}) as again:
        assert again.status_code == 304


def test_the_first_page_and_its_files_are_small(client):
    contents = [client.get("/").data]
    for address in addresses(client):
        with client.get(address) as response:
            contents.append(response.data)
    assert len(contents) >= 7
    assert sum(len(gzip.compress(content, 6)) for content in contents) < 80_000


def test_the_style_sheets_are_small():
    sheets = list(STATIC.glob("css/*.css"))
    assert len(sheets) == len(list(STATIC.rglob("*.css"))) >= 8
    assert sum(sheet.stat().st_size for sheet in sheets) < 30 * 1024


def test_the_style_sheets_are_few_bytes_on_their_way():
    sent = [gzip.compress(path.read_bytes(), 6) for path in STATIC.rglob("*.css")]
    assert sum(map(len, sent)) < 16 * 1024


def test_pages_have_an_icon(client):
    icon = parse(client.get("/").text).one("link", rel="icon")
    with client.get(icon.attributes["href"]) as response:
        assert response.mimetype == "image/svg+xml"

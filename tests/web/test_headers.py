"""What every response carries: caching, the content security policy, and nothing inline or from elsewhere."""

import re

import pytest

from tests.web.pages import HTMX, NOBODYS_HAND, answer, parse, put_hand
from trainer.drill.situation import UnseenCards

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
GET_PATHS = [
    "/", "/?mode=insurance", "/?rules=classic&mode=insurance", "/?mode=mistakes", "/?mode=nonsense",
    f"/hand/{NOBODYS_HAND}", "/sessions/1", "/progress", "/progress?period=nonsense", "/mistakes", "/charts",
    "/charts/classic", "/charts/nonsense", "/charts/classic/pick", "/fill?rules=classic", "/settings", "/healthz",
    "/nowhere", "/tables", "/tables/openseat", "/tables/nonsense",
    "/account", "/register", "/login", "/recover", "/account/password", "/account/export.json", "/account/export.csv",
    "/account/history/delete", "/privacy", "/rules", "/rules/classic",
    "/rules/classic?decks=99", "/rules/nonsense", "/edge", "/edge?rules=nonsense", "/edge?bet=0", "/edge/plays",
    "/edge/changes", "/edge/swings", "/learn", "/learn/ev", "/learn/nonsense",
    "/static/css/base.css", "/static/nowhere.css", "/assets/htmx-nonsense.js",
]
# Asked for by htmx; to anybody else they are a way to the page that they belong to.
PARTS = ("/edge/plays", "/edge/changes", "/edge/swings")
POST_PATHS = ["/", f"/hand/{NOBODYS_HAND}", f"/hand/{NOBODYS_HAND}/hint", f"/hand/{NOBODYS_HAND}/skip", "/finish",
              "/fill?rules=classic", "/settings", "/progress", "/nowhere", "/healthz", "/register", "/login", "/logout",
              "/recover", "/tables/openseat/sit", "/tables/openseat/bet",
              "/account/password", "/account/delete", "/account/history/delete", "/rules/classic/save",
              "/rules/saved/1/delete"]
EVERYWHERE = [("GET", path) for path in GET_PATHS] + [("HEAD", path) for path in GET_PATHS] + [
    ("POST", path) for path in POST_PATHS] + [("OPTIONS", "/"), ("DELETE", "/settings"), ("PUT", "/finish")]


def policy_of(response):
    entries = (entry.split() for entry in response.headers["Content-Security-Policy"].split(";"))
    return {name: set(values) for name, *values in entries}


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_every_response_is_guarded(client, headers):
    for method, path in EVERYWHERE:
        with client.open(path, method=method, headers=headers) as response:
            policy = policy_of(response)
            assert policy["default-src"] == {"'self'"}, path
            assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == {"'none'"}
            assert policy["form-action"] == {"'self'"}
            assert "unsafe" not in response.headers["Content-Security-Policy"]
            assert SECURITY.items() <= dict(response.headers).items(), path
            assert response.headers["Cache-Control"], path


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_html_varies_by_what_decides_page_or_fragment(client, headers):
    for method, path in EVERYWHERE:
        with client.open(path, method=method, headers=headers) as response:
            if response.mimetype == "text/html" and response.status_code != 204:
                varies = {name.strip() for name in response.headers["Vary"].split(",")}
                assert {"HX-Request", "HX-History-Restore-Request"} <= varies, path


def test_drill_pages_are_never_stored(app, client):
    token = put_hand(app, client, "Ts6h", "6d")
    asked = [client.get("/"), client.head("/"), client.get(f"/hand/{token}"),
             client.get(f"/hand/{token}", headers=HTMX)]
    answered = [answer(client, token, "split"), answer(client, token, "stand", headers=HTMX),
                answer(client, token, "hit"), client.get(f"/hand/{token}")]
    refused = [client.get(f"/hand/{NOBODYS_HAND}"), client.get("/?mode=nonsense")]
    responses = [*asked, *answered, *refused, client.post("/finish"), client.get("/sessions/1")]
    assert [response.headers["Cache-Control"] for response in responses] == ["no-store"] * len(responses)


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_pages_of_an_account_are_never_stored(client, headers):
    client.post("/register", data={"username": "Ada", "password": "x7 bridge"})
    for path in ("/account", "/account/password", "/account/delete", "/account/export.json", "/account/export.csv",
                 "/account/history/delete", "/login"):
        assert client.get(path, headers=headers).headers["Cache-Control"] == "no-store", path


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_other_pages_are_private_and_asked_for_anew(client, headers):
    for path in ("/progress", "/mistakes", "/charts/classic", "/charts/classic/pick", "/settings", "/charts",
                 "/privacy"):
        assert client.get(path, headers=headers).headers["Cache-Control"] == "private, no-cache", path


@pytest.mark.parametrize("status", [404, 405, 413, 500])
def test_errors_are_not_kept(client, status, monkeypatch):
    def fail(*_):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("trainer.web.charts._page", fail)
    response = {
        404: lambda: client.get("/nowhere"),
        405: lambda: client.post("/progress"),
        413: lambda: client.post("/settings", data={"rules": "x" * 70_000}),
        500: lambda: client.get("/charts/classic"),
    }[status]()
    assert response.status_code == status
    assert response.headers["Cache-Control"] in ("private, no-cache", "no-store")
    assert policy_of(response)["default-src"] == {"'self'"}


def pages(app, client):
    """Every kind of page and fragment, with something on it."""
    token = put_hand(app, client, "Ts2h", "4d")
    yield client.get(f"/hand/{token}")
    yield answer(client, token, "split")
    client.post(f"/hand/{token}/hint")
    yield client.get(f"/hand/{token}")
    answer(client, token, "stand")
    yield client.get(f"/hand/{token}")
    for cards, upcard, move, unseen in (("7dKc", "2d", "hit", None), ("8s8h", "9d", "split", None),
                                        ("AsKh", "Ad", "insure", UnseenCards(20, 140))):
        token = put_hand(app, client, cards, upcard, unseen=unseen)
        yield client.get(f"/hand/{token}")
        yield answer(client, token, move, headers=HTMX)
        yield client.get(f"/hand/{token}")
    yield client.get(client.post("/finish").location)
    for path in (*GET_PATHS, "/settings", "/edge?all=yes"):
        is_page = path not in ("/charts", "/healthz", "/account/password", *PARTS)
        if is_page and "/static/" not in path and "/export." not in path:
            yield client.get(path)
    for path in (*PARTS, "/rules/classic?decks=2"):
        yield client.get(path, headers=HTMX)
    yield from account_pages(app.test_client())
    yield client.post("/settings", data={"bet_unit": "nonsense"})
    yield client.post("/progress")


def account_pages(client):
    """Every page of somebody who is logged in, and forms refused."""
    yield client.post("/register", data={"username": "<i>", "password": "short"})
    yield client.post("/login", data={"username": "<i>", "password": "short"})
    yield client.post("/recover", data={"username": "<i>", "password": "x7 bridge", "code": "<i>"})
    yield client.post("/register", data={"username": "<i>", "password": "x7 bridge"})
    for path in ("/account", "/account/password", "/account/recovery-code", "/account/delete",
                 "/account/history/delete", "/settings"):
        yield client.get(path)
    yield client.post("/account/password", data={})
    yield client.post("/account/recovery-code", data={"password": "x7 bridge"})


def test_no_page_holds_code_or_style(app, client):
    for response in pages(app, client):
        for node in parse(response.text).walk():
            assert node.tag != "style"
            assert node.tag != "script" or (node.attributes["src"].startswith("/") and node.text == "")
            assert [name for name in node.attributes if name == "style" or name.startswith("on")] == []
            assert not any("javascript:" in value.lower() for value in node.attributes.values())


def test_no_page_points_to_another_host(app, client):
    for response in pages(app, client):
        for node in parse(response.text).walk():
            for name in ("src", "href", "action", "hx-get", "hx-post", "srcset", "poster", "data"):
                assert node.attributes.get(name, "/").startswith(("/", "#")), (node.tag, node.attributes)
                assert not node.attributes.get(name, "/").startswith("//")


def test_no_style_sheet_or_script_loads_from_another_host(client):
    pages = [parse(client.get(path).text) for path in ("/", "/progress")]
    sheets = {link.attributes["href"] for page in pages for link in page.all("link")}
    scripts = {script.attributes["src"] for script in pages[0].all("script")}
    for path in sheets | {script for script in scripts if "htmx" not in script}:
        with client.get(path) as response:
            assert re.findall(r"(?:url\(|@import|fetch\(|src=)\s*[\"']?(?:https?:)?//", response.text) == []


def test_every_page_has_a_title_a_language_and_one_heading(app, client):
    titles = set()
    for response in pages(app, client):
        if "<html" in response.text:
            root = parse(response.text)
            assert root.one("html").attributes["lang"] == "en"
            titles.add(root.one("title").text)
            assert len(root.all("h1")) == 1
            assert len(root.all("main")) == 1
    assert len(titles) >= 8
    assert all(title.endswith("Blackjack trainer") for title in titles)


def test_every_link_of_every_page_leads_somewhere(app, client):
    links = {link.attributes["href"] for response in pages(app, client) for link in parse(response.text).all("a")}
    links = {link for link in links if not link.startswith("#")}
    assert len(links) > 30
    for link in links:
        assert client.get(link, follow_redirects=True).status_code == 200, link


def test_every_file_that_a_page_names_is_there(app, client):
    files = {node.attributes[name].partition("#")[0] for response in pages(app, client)
             for node in parse(response.text).walk() for name in ("src", "href")
             if node.tag in ("link", "script", "use", "img") and name in node.attributes}
    assert len(files) >= 7
    for path in files:
        with client.get(path) as response:
            assert response.status_code == 200, path
            assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"

"""Nonsense in every parameter, form field, header and part of a path: refused in words, never a fault."""

from itertools import product
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.pages import HTMX, NOBODYS_HAND, count, is_page, parse, put_hand, ways_on

FORM = {"content_type": "application/x-www-form-urlencoded"}
TABLES = ("decisions", "users", "tallies", "practice_sessions")
# As they stand in an address, percent signs and all.
JUNK = [
    "x" * 10_000, "9" * 10_000, "%00", "hit%00", "%ED%A0%80", "%FF%FE%80", "%F0%9F%82%A1", "%zz", "[]", "{}", "-1",
    "1e999", "nan", "%D9%A3", "1_0", "..%2F..%2Fapp.py", "%3Cscript%3Ealert(1)%3C%2Fscript%3E", "%0D%0AX-Bad:%201", ",",
    "%20", "A" * 22, "18446744073709551616",
]
QUERIES = [
    ("/?", ("rules", "mode", "focus", "rows", "upcards", "seed")),
    ("/?mode=focus&", ("rules", "focus", "rows", "seed")),
    ("/?mode=mistakes&", ("rules", "category", "row", "upcard", "move", "since", "until", "session")),
    ("/progress?", ("period", "rules")),
    ("/mistakes?", ("order", "category", "row", "upcard", "move", "since", "until", "rules", "after", "page")),
    ("/charts?", ("rules",)),
    ("/charts/classic/pick?", ("rows",)),
    ("/charts/classic?", ("table", "section")),
    ("/charts/classic/chart.csv?", ("table",)),
    ("/hands?rules=classic&", ("cards", "upcard", "seen", "add", "up", "see")),
    ("/hands?", ("rules",)),
    ("/hands/A7/6?rules=classic&", ("seen",)),
    ("/insurance?rules=classic&", ("tens", "others")),
    ("/insurance?", ("rules",)),
    ("/rules/classic?", ("decks", "hole_card", "no_split", "shuffle", "junk")),
    ("/edge?", ("rules", "bet", "hands_per_hour")),
    ("/edge/changes?", ("rules", "done")),
    ("/edge/swings?", ("rules",)),
    ("/learn/ev?", ("rules",)),
    ("/fill?rules=classic&", ("section", "h16T")),
    ("/fill?", ("rules",)),
    ("/settings?", ("rules",)),
    ("/healthz?", ("v",)),
    ("/static/css/base.css?", ("v",)),
]
PATHS = ["/{}", "/hand/{}", "/hand/{}/hint", "/hand/{}/skip", "/sessions/{}", "/charts/{}", "/charts/{}/pick",
         "/charts/{}/h16/T", "/charts/classic/{}/T", "/charts/classic/h16/{}", "/charts/{}/chart.csv",
         "/charts/{}/evs.csv", "/hands/{}/6", "/hands/A7/{}",
         "/rules/{}", "/rules/{}/save", "/rules/{}/default", "/rules/saved/{}/rename", "/rules/saved/{}/delete",
         "/learn/{}",
         "/static/{}", "/assets/htmx-{}.js", "/{}/" + NOBODYS_HAND, "/hand/" + NOBODYS_HAND + "/{}"]
BODIES = [
    "[]", "[1, 2]", "{}", "null", "1", '"text"', "{", "", "\x00", '{"rules": ["classic"]}', '{"rules": {"a": 1}}',
    '{"rules": null}', '{"bet_unit": null}', '{"bet_unit": [1, 2]}', '{"bet_unit": {"a": 1}}', '{"bet_unit": 1e999}',
    '{"bet_unit": NaN}', '{"bet_unit": true}', '{"bet_unit": "\\ud800"}', '{"theme": [[]]}', '{"grading": 7}',
    '{"four_colour": {}}', "[" * 5_000, '{"action": "stand"}', '{"action": ["stand"]}', '{"csrf_token": 5}',
    '{"rules": "classic", "grading": "chart", "theme": "dark", "bet_unit": "\\ud800"}',
]
TYPES = [
    "", "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=x", "text/plain",
    "nonsense", "application/x-www-form-urlencoded; charset=nonsense", "application/json",
    "multipart/form-data; boundary=" + "x" * 5_000,
]
RAW = [b"", b"--x\r\n", b"\x00" * 100, b"--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--", b"%"]
HEADERS = [
    "Cookie", "HX-Request", "HX-Current-URL", "HX-Target", "HX-Trigger", "HX-Prompt", "HX-Boosted", "User-Agent",
    "Sec-Purpose", "Sec-Fetch-Mode", "Accept", "Content-Type", "If-None-Match", "If-Modified-Since", "Range", "Referer",
    "X-Forwarded-For", "Origin",
]
# What is never a value of the parameter.
REFUSED = [
    ("/?rules={}", ["", "nonsense", "Hall-of-Thoth", "classic,openseat", "%00"]),
    ("/?mode={}", ["", "nonsense", "Mixed", "mixed%20", "%00"]),
    ("/?mode=focus&focus={}", ["nonsense", "pairs", "hard%00", "h16"]),
    ("/?rows={}", ["nonsense", "h3", "h21", "s11", "p11", "p0", "h16,nonsense", "x" * 10_000, "16", "%00"]),
    ("/?upcards={}", ["nonsense", "1", "10", "K", "A,B", "x" * 10_000, "%00"]),
    ("/?focus=hard&rows={}", ["h16"]),
    ("/?seed={}", ["x" * 41, "x" * 10_000, "%00", "%0A", "%C3%A9", "<b>", "%D9%A3"]),
    ("/?mode=mistakes&category={}", ["nonsense", "surrender", "%00"]),
    ("/?mode=mistakes&upcard={}", ["nonsense", "1", "10", "%00"]),
    ("/?mode=mistakes&session={}", ["nonsense", "-1", "1.5", "9" * 19, "9" * 10_000, "%D9%A3", "%00"]),
    ("/progress?period={}", ["", "nonsense", "8", "7%20", "%00", "x" * 10_000]),
    ("/progress?rules={}", ["nonsense", "%00"]),
    ("/fill?rules=classic&section={}", ["nonsense", "surrender", "Hard", "%00", "x" * 10_000]),
    ("/mistakes?order={}", ["", "nonsense", "%00"]),
    ("/mistakes?category={}", ["nonsense", "%00", "x" * 10_000]),
    ("/mistakes?upcard={}", ["nonsense", "1", "10", "%00"]),
    ("/mistakes?rules={}", ["nonsense", "%00"]),
    ("/mistakes?row={}", ["nonsense", "h3", "16", "%00", "x" * 10_000]),
    ("/mistakes?move={}", ["nonsense", "HIT", "%00"]),
    ("/mistakes?since={}", ["nonsense", "2031-02-30", "20310203", "2031-W05-1", "10000-01-01", "%00", "9" * 10_000]),
    ("/mistakes?until={}", ["nonsense", "0000-01-01", "2031-1-1", "%D9%A3"]),
    ("/mistakes?order=cells&page={}", ["nonsense", "-1", "1.5", "10001", "9" * 10_000, "%D9%A3", "%00"]),
    ("/mistakes?after={}", [
        "nonsense", "1", "0.5", ",", ",,", "0.5,", ",5", "0.5,5,5", "%00,5", "9" * 10_000, "0.5,2031-01-02T03:04:05,5",
        *(f"{cost},2031-01-02T03:04:05%2B00:00,{key}" for cost, key in (
            ("nan", 5), ("inf", 5), ("1e999", 5), ("0.5", 0), ("0.5", -1), ("0.5", "x"), ("0.5", "9" * 100))),
        "0.5,0001-01-01T00:00:00%2B23:59,5", "0.5,9999-12-31T23:59:59-23:59,5"]),
]
ANY = st.text(max_size=30) | st.sampled_from([
    "hit", "stand", "split", "focus", "mistakes", "insurance", "classic", "h16,s18", "A,T", "all", "0.25,7", "1", "0",
    "-1", "\x00", "\ud800", "x" * 10_000, "9" * 5_000, "nan", "Asia/Tokyo", "exact", "dark", "\u0663"])
NAMES = st.text(max_size=5) | st.sampled_from([
    "rules", "mode", "focus", "rows", "upcards", "upcard", "seed", "category", "session", "period", "order", "after",
    "decks", "no_split", "bet", "hands_per_hour", "done", "name",
    "action", "time_zone", "csrf_token", "grading", "bet_unit", "theme", "four_colour", "shortcuts"])
PIECES = ANY | st.sampled_from([
    "hand", "hint", "skip", "sessions", "charts", "classic", "pick", "finish", "rules", "edge", "learn", "saved",
    "fill", "save", "default", "rename", "delete", "account", "import", "step", "stop", "swings", "plays", "changes",
    "progress", "mistakes", "settings",
    "static", "css", "assets", "healthz", NOBODYS_HAND, "1"])
PAIRS = st.lists(st.tuples(NAMES, ANY), max_size=4)


def stored(instance):
    return [count(instance, table) for table in TABLES]


def faults(client, requests):
    """Which of (method, address, options) end in a fault of the server, or send back what they were sent unescaped."""
    found = []
    for method, address, options in requests:
        with client.open(address, method=method, **options) as response:
            text = response.get_data(as_text=True) if response.mimetype == "text/html" else ""
            if response.status_code >= 500 or "<script>alert" in text or "X-Bad" in response.headers:
                found.append((method, address[:80], str(options)[:80], response.status_code))
    return found


@pytest.mark.parametrize(("start", "names"), QUERIES)
def test_nonsense_in_a_query_is_never_a_fault(client, instance, start, names):
    requests = [("GET", f"{start}{name}={junk}", {"headers": [{}, HTMX][number % 2]})
                for name in names for number, junk in enumerate(JUNK)]
    requests += [("GET", f"{start}{name}[]={junk}&{name}={junk}&{name}", {}) for name in names for junk in JUNK[:3]]
    assert faults(client, requests) == []
    assert stored(instance) == [0, 0, 0, 0]


@pytest.mark.parametrize("path", PATHS)
def test_nonsense_in_a_path_is_never_a_fault(client, instance, path):
    requests = [(method, path.format(junk), {}) for junk in [*JUNK, "", ".", "..", "a/b", "a%2Fb", ";x"]
                for method in ("GET", "POST")]
    assert faults(client, requests) == []
    assert stored(instance) == [0, 0, 0, 0]


@pytest.mark.parametrize(("address", "values"), REFUSED)
def test_what_is_no_value_is_refused_in_words(client, address, values):
    for value, headers in product(values, ({}, HTMX)):
        response = client.get(address.format(value), headers=headers)
        assert response.status_code == 400, value[:40]
        assert is_page(response) == (not headers)
        assert 20 < len(parse(response.text).one("main" if is_page(response) else "div").text) < 500
        assert ways_on(response)


@pytest.mark.parametrize("path", ["/hand/{}", "/hand/{}/hint", "/hand/{}/skip", "/finish", "/rules/classic/save",
                                  "/rules/saved/1/rename", "/rules/saved/1/delete", "/account/import",
                                  "/account/import/step", "/account/import/stop"])
def test_nonsense_in_a_form_is_never_a_fault_and_stores_nothing(app, client, instance, path):
    requests = []
    for number, junk in enumerate(JUNK):
        address = path.format(put_hand(app, client, "Ts6h", "6d"))
        for name in ("action", "time_zone", "csrf_token", "name", "junk"):
            sent = {"data": f"{name}={junk}&{name}[]=x", "headers": [{}, HTMX][number % 2]}
            requests.append(("POST", address, FORM | sent))
    assert faults(client, requests) == []
    assert stored(instance) == [0, 0, 0, 0]


def test_nonsense_in_a_chart_filled_in_is_refused_at_its_field_and_stores_nothing(client, instance):
    addresses = ("/fill?rules=classic", "/fill?rules=shoe-h17&section=pair", "/fill?section=nonsense", "/fill")
    requests = [("POST", address, FORM | {"data": f"{name}={junk}&{name}={junk}&{name}[]=x"})
                for address in addresses for name in ("h16T", "p8A", "again", "junk") for junk in JUNK]
    assert faults(client, requests) == []
    for junk in JUNK:
        if junk != "%20":
            assert client.post(addresses[0], **FORM, data=f"h16T={junk}").status_code == 422, junk[:40]
    assert stored(instance) == [0, 0, 0, 0]


@pytest.mark.parametrize("name", ["rules", "grading", "bet_unit", "theme", "four_colour"])
def test_nonsense_in_the_settings_is_never_a_fault_and_stores_nothing(client, instance, name):
    good = {"rules": "classic", "grading": "chart", "bet_unit": "10", "theme": "dark"}
    others = "&".join(f"{each}={value}" for each, value in good.items() if each != name)
    requests = [("POST", "/settings", FORM | {"data": f"{name}={junk}&{others}"}) for junk in JUNK]
    assert faults(client, requests) == []
    if name not in ("bet_unit", "four_colour"):
        assert stored(instance) == [0, 0, 0, 0]


@pytest.mark.parametrize("path", ["/settings", "/hand/{}", "/finish", "/fill?rules=classic", "/account/import"])
@pytest.mark.parametrize("kind", ["application/json", "text/json"])
def test_json_of_any_shape_is_never_a_fault_and_stores_nothing(app, client, instance, path, kind):
    address = path.format(put_hand(app, client, "Ts6h", "6d"))
    assert faults(client, [("POST", address, {"data": body, "content_type": kind}) for body in BODIES]) == []
    assert stored(instance) == [0, 0, 0, 0]


@pytest.mark.parametrize("path", ["/settings", "/hand/{}", "/finish", "/fill?rules=classic", "/account/import"])
def test_bodies_of_any_type_are_never_a_fault_and_store_nothing(app, client, instance, path):
    address = path.format(put_hand(app, client, "Ts6h", "6d"))
    requests = [("POST", address, {"data": body, "content_type": kind}) for kind in TYPES for body in RAW]
    assert faults(client, requests) == []
    assert stored(instance) == [0, 0, 0, 0]


def test_nonsense_in_a_header_is_never_a_fault(client):
    values = ["", "x" * 10_000, "\xff\xfe", "session=a.b.c", "bytes=9-1", 'W/"x"', "%00", "true", "http://[",
              "Fri, 99 Nov 2031 99:99:99 GMT", ";;;===,,,"]
    requests = []
    for name in HEADERS:
        extra = {f"{name}-URI-AutoEncoded": "true"} if name.startswith("HX-") else {}
        requests += [("GET", path, {"headers": {name: value} | extra}) for value in values
                     for path in ("/?mode=mistakes", "/static/css/base.css")]
    assert faults(client, requests) == []


def test_very_many_parameters_are_never_a_fault(client):
    query = "&".join(f"rows=h{number}" for number in range(3_000))
    form = dict.fromkeys(map(str, range(2_000)), "x")
    assert faults(client, [("GET", f"/?{query}", {}), ("POST", "/finish", {"data": form})]) == []


@settings(max_examples=120, derandomize=True, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(method=st.sampled_from(["GET", "POST", "HEAD", "PUT"]), pieces=st.lists(PIECES, max_size=3), query=PAIRS,
       form=PAIRS, by_htmx=st.booleans())
def test_no_request_at_all_is_a_fault(client, method, pieces, query, form, by_htmx):
    def escaped(text):
        return quote(text.encode("utf-8", "surrogatepass"), safe="")

    def joined(pairs):
        return "&".join(f"{escaped(name)}={escaped(value)}" for name, value in pairs)

    address = f"/{'/'.join(map(escaped, pieces))}?{joined(query)}"
    options = FORM | {"data": joined(form)} if method == "POST" else {}
    assert faults(client, [(method, address, options | {"headers": HTMX if by_htmx else {}})]) == []

"""Importing in a browser: by itself with JavaScript, button by button without, and nothing that axe minds."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, FilePayload, Page, Route, expect

from tests.browser.looks import axe_violations
from tests.browser.people import Practised
from tests.browser.watch import Watch


def downloaded(open_as: Callable[..., Page], practised: Practised) -> FilePayload:
    """What somebody who has practised has on their disk."""
    page = open_as(practised.cookie)
    page.goto("/account")
    body = page.request.get("/account/export.json").body()
    return {"name": "mine.json", "mimeType": "application/json", "buffer": body}


def send(page: Page, file: FilePayload) -> None:
    page.goto("/account/import")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()


def test_it_goes_on_by_itself_to_the_end(open_as: Callable[..., Page], practised: Practised, page: Page) -> None:
    send(page, downloaded(open_as, practised))
    expect(page.get_by_role("status").filter(has_text="Imported:")).to_be_visible()
    expect(page).to_have_url("/account")


def test_button_by_button_without_javascript(
    open_as: Callable[..., Page], practised: Practised, open_context: Callable[..., BrowserContext]
) -> None:
    page = open_context(java_script_enabled=False, viewport={"width": 360, "height": 740}).new_page()
    send(page, downloaded(open_as, practised))
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("Imported:")).to_be_visible()


def test_every_state_is_accessible_and_fits(
    open_as: Callable[..., Page], practised: Practised, page: Page, watch: Watch
) -> None:
    watch.expect_status(422)
    file = downloaded(open_as, practised)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/account/import")
    found = axe_violations(page, "form")
    send(page, {**file, "buffer": b"{"})
    expect(page.locator(".field-error")).to_be_visible()
    found += axe_violations(page, "refused")

    def hold(route: Route) -> None:
        route.fulfill(status=204)

    page.route("**/account/import/step", hold)
    send(page, file)
    expect(page.get_by_role("progressbar")).to_be_visible()
    found += axe_violations(page, "under way")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert not found, "\n".join(found)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The import is stopped")).to_be_visible()

"""The whole life of an account on two devices, as its owner sees it; every page light and dark, wide and narrow."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.drill_page import DrillPage
from tests.browser.looks import axe_violations, overhangs
from tests.browser.test_layout import DESKTOP, PHONE
from tests.browser.watch import Watch

PASSWORD, OTHER_PASSWORD = "x7 bridge", "y8 tunnel"
LONGEST_NAME = "Wolfeschlegelsteinhausenbergerdo"


class Device:
    """A browser of somebody's: drills, fills in forms, looks at pages."""

    def __init__(self, page: Page) -> None:
        self.page, self.drill = page, DrillPage(page)

    def practise(self, hands: int) -> None:
        self.drill.open("mode=mixed")
        for _ in range(hands):
            self.drill.answer("stand")
            self.drill.deal_next()

    def submit(self, button: str, **fields: str) -> None:
        """Fill in fields by label and press a button."""
        for label, text in fields.items():
            self.page.get_by_label(label.replace("_", " "), exact=True).fill(text)
        self.page.get_by_role("button", name=button, exact=True).click()

    def export(self) -> dict:
        """Everything of one's own, as the download on the account page has it."""
        self.page.goto("/account")
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Download everything (JSON)").click()
        return json.loads(Path(download.value.path()).read_text())

    @property
    def answered(self) -> set[str]:
        return {each["token"] for each in self.export()["decisions"]}

    @property
    def name(self) -> str:
        """What the header calls its owner."""
        return self.page.locator("header .who").inner_text()

    @property
    def code(self) -> str:
        return self.page.locator(".code").inner_text()


@pytest.fixture
def devices(open_context: Callable[..., BrowserContext]) -> tuple[Device, Device]:
    """A phone and a desktop."""
    return Device(open_context(viewport=PHONE).new_page()), Device(open_context(viewport=DESKTOP).new_page())


def test_the_whole_life_of_an_account_on_two_devices(devices: tuple[Device, Device], watch: Watch) -> None:
    watch.expect_status(422)
    phone, desktop = devices
    phone.practise(3)
    first = phone.answered
    assert len(first) == 3

    phone.page.goto("/progress")
    phone.page.get_by_role("link", name="Log in").click()
    phone.page.get_by_role("link", name="Register").click()
    phone.submit("Register", Name="Ada", Password=PASSWORD)
    code = phone.code
    phone.page.get_by_role("link", name="I have written it down").click()
    expect(phone.drill.question).to_be_visible()
    assert phone.name == "Ada"
    assert phone.answered == first

    desktop.practise(2)
    second = desktop.answered
    desktop.page.get_by_role("link", name="Log in").first.click()
    desktop.submit("Log in", Name="ada", Password="a wrong one")
    expect(desktop.page.get_by_role("alert")).to_have_text("Name and password do not belong together.")
    desktop.submit("Log in", Password=PASSWORD)
    expect(desktop.page.get_by_role("status").filter(has_text="part of your history now")).to_be_visible()
    assert desktop.answered == phone.answered == first | second
    assert desktop.export()["account"]["username"] == "Ada"

    desktop.page.goto("/account")
    desktop.submit("Log out everywhere")
    expect(desktop.page.get_by_role("heading", name="Log in")).to_be_visible()
    phone.page.goto("/progress")
    expect(phone.page.get_by_text("You have been logged out.")).to_be_visible()
    assert phone.name == desktop.name == "Log in"

    phone.page.goto("/recover")
    phone.submit("Set the new password", Name="Ada", Recovery_code=code.lower(), New_password=OTHER_PASSWORD)
    expect(phone.page.get_by_role("heading", name="Your recovery code")).to_be_visible()
    assert phone.code != code
    assert phone.answered == first | second

    phone.page.goto("/account")
    phone.page.get_by_role("link", name="Delete account").click()
    phone.submit("Delete my account", Your_password=OTHER_PASSWORD)
    expect(phone.page.get_by_text("is deleted")).to_be_visible()
    assert phone.answered == set()
    desktop.page.goto("/login")
    desktop.submit("Log in", Name="Ada", Password=OTHER_PASSWORD)
    expect(desktop.page.get_by_role("alert")).to_be_visible()
    assert watch.strangers == []


def test_registering_without_javascript(open_context: Callable[..., BrowserContext]) -> None:
    device = Device(open_context(java_script_enabled=False).new_page())
    device.page.goto("/register")
    expect(device.page.get_by_label("Show it")).to_be_hidden()
    device.submit("Register", Name="Without script", Password=PASSWORD)
    assert device.code
    assert device.name == "Without script"


def test_registering_by_keyboard(page: Page) -> None:
    page.goto("/register")
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("By keys")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".code")).to_be_visible()


def test_a_double_click_on_register_registers_once(page: Page) -> None:
    page.goto("/register")
    page.get_by_label("Name", exact=True).fill("Double")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Register").dblclick()
    expect(page.locator("header .who")).to_have_text("Double")
    page.goto("/account")
    page.get_by_role("button", name="Log out", exact=True).click()
    expect(page.get_by_text("You are logged out.")).to_be_visible()


def test_a_password_can_be_looked_at(page: Page) -> None:
    page.goto("/login")
    field = page.get_by_label("Password", exact=True)
    field.fill(PASSWORD)
    expect(field).to_have_attribute("type", "password")
    page.get_by_label("Show it").check()
    expect(field).to_have_attribute("type", "text")
    page.get_by_label("Show it").uncheck()
    expect(field).to_have_attribute("type", "password")


def test_back_after_logging_out_shows_no_account(page: Page) -> None:
    page.goto("/register")
    device = Device(page)
    device.submit("Register", Name="Back", Password=PASSWORD)
    page.goto("/account")
    page.get_by_role("button", name="Log out", exact=True).click()
    expect(page.get_by_text("You are logged out.")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("You are a guest")).to_be_visible()


def test_every_page_of_an_account_is_accessible_and_fits(page: Page, watch: Watch) -> None:
    watch.expect_status(422)
    device = Device(page)
    page.goto("/register")
    device.submit("Register", Name="<b>", Password="short")
    found = axe_violations(page, "refused")
    device.submit("Register", Name=LONGEST_NAME, Password=PASSWORD)
    found += axe_violations(page, "recovery code") + overhangs(page, "recovery code")
    for path in ("/account", "/account/password", "/account/recovery-code", "/account/delete",
                 "/account/history/delete", "/settings", "/?mode=mixed&seed=axe"):
        page.set_viewport_size(DESKTOP)
        page.goto(path)
        found += axe_violations(page, path) + overhangs(page, path)
    page.goto("/account/delete")
    device.submit("Delete my account", Your_password="a wrong one")
    found += axe_violations(page, "not deleted")
    assert not found, "\n".join(found)

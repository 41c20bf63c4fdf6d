"""A Chromium without a window, and what an offline page may ask for."""

import os

import pytest

OPTIONS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


@pytest.fixture(scope="module")
def chromium():
    # Not among the packages of the other tests, which read this file, too.
    playwright = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=path, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium):
    """Return a function that opens an empty page, which records what it says and asks for.

    It is closed after the test: pages that stay open take their share of the machine.
    """
    contexts = []

    def open_page(width, scheme):
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        page.said, page.asked = [], []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        return page

    yield open_page
    for context in contexts:
        context.close()

"""The browser that the tests of the widgets share: one server of each kind and one Chromium for all of them."""

import os
from collections.abc import Callable, Iterator

import pytest


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    """A browser. Where there is none the test is skipped, or fails if REQUIRE_CHROMIUM is set, as it is in CI."""
    import browser

    if not browser.CHROMIUM:
        missing = "no Chromium found: install it, or name it in the variable CHROMIUM, to test the widgets in a browser"
        if os.environ.get("REQUIRE_CHROMIUM"):
            pytest.fail(missing)
        pytest.skip(missing)
    with browser.browsing(tmp_path_factory.mktemp("browser")) as context:
        yield context


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory, chromium: object) -> Iterator[object]:
    """JupyterLab, serving a copy of the notebooks."""
    import browser

    with browser.serving("lab", tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="session")
def voila(tmp_path_factory: pytest.TempPathFactory, chromium: object) -> Iterator[object]:
    """Voila, serving a copy of the notebooks."""
    import browser

    with browser.serving("voila", tmp_path_factory.mktemp("voila")) as server:
        yield server


@pytest.fixture
def visit(chromium: object) -> Iterator[Callable[..., object]]:
    """Open a notebook: `visit(lab, "01_the_deck")` gives its `browser.Page`. When the test is over the page must have
    had no errors and asked for nothing outside."""
    import browser

    pages = []

    def opened(server: object, notebook: str, **options: object) -> browser.Page:
        page = browser.Page(chromium, server, notebook, **options)
        pages.append(page)
        return page

    yield opened
    for page in pages:
        try:
            page.check()
        finally:
            page.close()

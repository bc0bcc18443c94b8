"""JupyterLab or Voila with some notebooks in it, driven in Debian's or anybody's Chromium by Playwright.

What must never happen in any test is noted while a page is open and asserted by `Page.check`: errors on the console,
requests to anywhere else, errors shown in a widget.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Locator, expect, sync_playwright
from playwright.sync_api import Page as BrowserPage

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
)
# Pictures of what was seen, for a person to look at.
PICTURES = Path(os.environ.get("SCREENSHOTS", Path(__file__).parent / "screenshots"))

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_PATIENCE = 30_000


class Server:
    """A running Jupyter server or Voila. `url` ends with a slash."""

    def __init__(self, app: str, folder: Path, home: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.app, self.url, self.folder = app, f"http://127.0.0.1:{port}/", folder
        if app == "voila":
            command = ["voila", str(folder), "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"]
        else:
            command = ["jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
            command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password="]
            command += [f"--ServerApp.root_dir={folder}", "--expose-app-in-browser"]
        settings = home / "settings" / "@jupyterlab" / "apputils-extension"
        settings.mkdir(parents=True)
        (settings / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
        places = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
        }
        environment = {**os.environ, **{name: str(home / place) for name, place in places.items()}}
        self.log = home / f"{app}.log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *command], env=environment, stdout=log, stderr=log, cwd=folder
            )

    def wait(self) -> None:
        """Until it answers. RuntimeError, with what it printed, if it never does."""
        for _ in range(240):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(self.url, timeout=30)
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.25)
        raise RuntimeError(f"{self.app} did not start:\n{self.log.read_text()[-3000:]}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@contextlib.contextmanager
def serving(app: str, home: Path) -> Iterator[Server]:
    """A server with a copy of the notebooks: Lab saves over what it has open."""
    folder = home / "notebooks"
    shutil.copytree(NOTEBOOKS, folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    server = Server(app, folder, home)
    try:
        server.wait()
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def browsing(home: Path) -> Iterator[BrowserContext]:
    """A browser with an empty profile."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(home / "profile"),
            executable_path=CHROMIUM,
            headless=True,
            viewport={"width": 1280, "height": 1000},
            args=_FLAGS,
        )
        yield context
        context.close()


class Page:
    """A notebook in a browser, all of its cells run."""

    def __init__(self, context: BrowserContext, server: Server, notebook: str, *, run: bool = True) -> None:
        self.server, self.notebook = server, notebook
        self.errors: list[str] = []
        self.outside: set[str] = set()
        self.page: BrowserPage = context.new_page()
        self.page.set_default_timeout(_PATIENCE)
        expect.set_options(timeout=_PATIENCE)
        self.page.route("**/*", self._only_here)
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))
        if server.app == "voila":
            self.page.goto(f"{server.url}voila/render/{notebook}.ipynb")
        else:
            self.page.goto(f"{server.url}lab/tree/{notebook}.ipynb?reset")
            self.wait_for_kernel()
            if run:
                self.run_all()

    def _only_here(self, route: object) -> None:
        url = route.request.url
        if url.startswith((self.server.url, self.server.url.replace("http", "ws", 1), "data:", "blob:")):
            route.continue_()
        else:
            self.outside.add(url)
            route.abort()

    def wait_for_kernel(self) -> None:
        self.page.wait_for_function(
            "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
        )

    def command(self, name: str) -> None:
        """One of JupyterLab's commands, done to its end."""
        self.page.evaluate("name => window.jupyterapp.commands.execute(name)", name)

    def run_all(self) -> None:
        # Through the app, not the menu, where a dialog may be in the way.
        self.command("notebook:run-all-cells")

    def widget(self, title: str, nth: int = 0) -> Locator:
        """The live widget of that title."""
        found = self.page.locator(f"section.sakura[aria-label='{title}']").nth(nth)
        found.scroll_into_view_if_needed()
        return found

    def type(self, entry: Locator, words: str) -> None:
        """Replace what stands in an entry, key by key as a person does: a browser takes Enter after that only."""
        entry.focus()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(words)
        self.page.keyboard.press("Enter")

    def milliseconds(self, widget: Locator, name: str) -> float:
        """How long it takes from a click on the button of that name until the widget has changed on the screen."""
        return widget.get_by_role("button", name=name, exact=True).evaluate("""async (node) => {
            const body = node.closest(".sakura-body");
            const changed = new Promise((done) => {
                new MutationObserver(done).observe(body, { subtree: true, childList: true, attributes: true });
            });
            const start = performance.now();
            node.click();
            await changed;
            await new Promise(requestAnimationFrame);
            return performance.now() - start;
        }""")

    def axe(self, widget: Locator) -> None:
        """Assert that axe-core has nothing to say against this widget."""
        widget.evaluate("node => node.setAttribute('data-axe', '')")
        report = Axe().run(self.page, context="[data-axe]").response
        widget.evaluate("node => node.removeAttribute('data-axe')")
        found = [
            (rule["id"], rule["help"], [node["html"][:200] for node in rule["nodes"]][:3])
            for rule in report["violations"]
        ]
        assert not found, json.dumps(found, indent=1)

    def picture(self, name: str, of: Locator | None = None) -> None:
        """Keep what is to be seen as a PNG."""
        PICTURES.mkdir(exist_ok=True)
        (of or self.page).screenshot(path=str(PICTURES / f"{name}.png"))

    def check(self) -> None:
        """Assert that nothing happened that never should."""
        assert not self.outside, f"asked for {self.outside}"
        assert not self.errors, self.errors
        shown = self.page.locator(".sakura-error").all_inner_texts()
        assert not shown, shown
        tracebacks = self.page.locator("[data-mime-type='application/vnd.jupyter.error']").all_inner_texts()
        assert not tracebacks, tracebacks

    def close(self) -> None:
        if self.server.app != "voila":
            self.page.evaluate("window.jupyterapp.shell.currentWidget?.sessionContext?.shutdown?.()")
        self.page.close()

"""The console in a browser: Debian's Chromium, and a face over an engine's stores at a socket of this machine."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

import contextful
from contextful.adapters import jose
from contextful.adapters.system import SystemWorld
from contextful.authority.issue import issue
from contextful_contract.shapes import GrantAction

AUDIENCE = "http://console"
QUIET = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)
WAIT_MS = 20_000
REFUSED = "Failed to load resource"  # what a browser says of every answer that is a refusal


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for a module's tests, each of which has a profile of its own; its driver's loop ends with them."""
    path = shutil.which("chromium")
    assert path is not None, "the console's tests drive Chromium: `make browser` installs it"
    with sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=path, args=QUIET.split())
        yield launched
        launched.close()


@pytest.fixture
def body() -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Calls something in a thread of its own: the browser's driver has an event loop in the test's."""
    with ThreadPoolExecutor(1) as thread:
        yield lambda call: thread.submit(call).result()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[contextful.Engine]:
    with contextful.Engine.open(tmp_path) as opened:
        opened.live()
        yield opened


class Console:
    """The console of an engine: its address, and pages of it that are signed in."""

    def __init__(self, address: str, browser: Browser, private_pem: bytes) -> None:
        self.address = address
        self.browser = browser
        self.faults: list[str] = []
        self._private_pem = private_pem

    def token(self, *actions: GrantAction) -> str:
        """A credential for everything, to do these things."""
        credential = issue(
            id="credential-1",
            audience=AUDIENCE,
            now_ms=SystemWorld().now_ms(),
            ttl_ms=600_000,
            actions=actions or (GrantAction.READ, GrantAction.EXECUTE, GrantAction.ADMIN),
            pipelines=["*"],
            on_behalf_of="user://dana@acme.example",
        )
        return jose.sign(credential, jose.private_key(self._private_pem, path="issuer"))

    def page(self, *actions: GrantAction, width: int = 1_280, scheme: str = "light") -> Page:
        """A page that shows the runs. What its scripts complain of is kept."""
        context = self.browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "console", lambda said: said.type == "error" and REFUSED not in said.text and self.faults.append(said.text)
        )
        page.goto(f"{self.address}/#token={self.token(*actions)}")
        return page


@pytest.fixture
def serve(browser: Browser, engine: contextful.Engine) -> Iterator[Callable[[], Console]]:
    """Serves the engine's face, from its first call to the test's end; again at the same address after a stop."""
    private_pem, public_pem = jose.keys()
    running: list[tuple[uvicorn.Server, threading.Thread]] = []
    port = 0

    def stop() -> None:
        while running:
            server, thread = running.pop()
            server.should_exit = server.force_exit = True
            thread.join()

    def start() -> Console:
        nonlocal port
        stop()
        config = uvicorn.Config(
            engine.served(public_pem, audience=AUDIENCE), port=port, log_level="critical", ws="websockets-sansio"
        )
        listening = config.bind_socket()
        listening.listen()
        port = listening.getsockname()[1]
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        running.append((server, thread))
        return Console(f"http://127.0.0.1:{port}", browser, private_pem)

    yield start
    stop()
    for context in browser.contexts:
        context.close()


@pytest.fixture
def console(serve: Callable[[], Console]) -> Iterator[Console]:
    """The console; no test of it may leave a fault in a page."""
    opened = serve()
    yield opened
    assert opened.faults == []

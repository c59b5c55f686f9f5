"""`python -m bench.peers.showing ADDRESS DRAWN BROWSER PICTURE`: how long a browser works until a page is drawn.

Runs where Playwright is installed. DRAWN is an expression in JavaScript: how many things are drawn, 0 while none is.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import sys
import time
from typing import Any

WALL_SECONDS = 240
"""By the clock. On a busy machine that is much less processor time, so it is generous."""

_ASK_EVERY_MS = 5000
_PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


@dataclasses.dataclass(frozen=True)
class Shown:
    """How a page fared."""

    seconds: float | None
    """Processor time of the page's own process until it was drawn; None where it was not."""
    drawn: int
    error: str = ""


def show(page: Any, address: str, drawn: str) -> Shown:  # noqa: ANN401
    """Opens the page and waits until it is drawn, it raises, or the time is up."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error).splitlines()[0]))
    timeout: type[Exception] = importlib.import_module("playwright.sync_api").TimeoutError
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable")
    end = time.monotonic() + WALL_SECONDS
    page.goto(address, wait_until="commit")
    while time.monotonic() < end and not errors:
        try:
            page.wait_for_function(drawn, timeout=_ASK_EVERY_MS)
        except timeout:
            continue
        page.evaluate(_PAINTED)
        metrics = {each["name"]: each["value"] for each in tools.send("Performance.getMetrics")["metrics"]}
        return Shown(round(metrics["ProcessTime"], 2), int(page.evaluate(drawn)))
    return Shown(None, 0, errors[0] if errors else f"nothing within {WALL_SECONDS} s")


def main(address: str, drawn: str, browser: str, picture: str) -> None:
    """Shows one page, prints how it fared and keeps a picture of it."""
    start: Any = importlib.import_module("playwright.sync_api").sync_playwright
    # A browser that root starts refuses to run in its sandbox.
    arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with start() as playwright:
        running = playwright.chromium.launch(executable_path=browser, args=arguments)
        page = running.new_page(viewport={"width": 1280, "height": 900})
        shown = show(page, address, drawn)
        # Told at once: a page that is stuck cannot be photographed, and maybe not even closed.
        print(json.dumps(dataclasses.asdict(shown)), flush=True)
        if shown.seconds is not None:
            page.screenshot(path=picture)
        running.close()


if __name__ == "__main__":
    main(*sys.argv[1:])

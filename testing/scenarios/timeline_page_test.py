"""timeline_page_test.py RUN SCENARIO: whether the timeline of a scenario is a page that a browser shows as it should be.

Needs the program `chromium` (Debian has it as a package). Where there is none it says so and looks at nothing. The browser is
steered over two pipes, in the protocol of its developer tools.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

LIMIT_SECONDS = 60
A4_WIDTH = 297 / 25.4 * 96  # landscape, in CSS pixels
SMALLEST_PRINT = 8  # CSS pixels: 6 pt

# What does not become so, and has to be seen on the page.
UNMET = 'steps { expect { resources { resource: "example.com/none" capacity: 1 allocatable: 1 } } }'

# Everything that is written in the drawing, as the browser has laid it out.
DRAWN = """
(() => {
  const texts = [...document.querySelectorAll('svg text')].filter(text => text.textContent.trim());
  const boxes = texts.map(text => text.getBoundingClientRect());
  const scales = texts.map(text => text.getScreenCTM().a * parseFloat(getComputedStyle(text).fontSize));
  const drawings = [...document.querySelectorAll('.drawing > svg')].map(svg => svg.getBoundingClientRect());
  return {
    texts: texts.length,
    unseen: boxes.filter(box => box.width == 0 || box.height == 0).length,
    smallest: Math.min(...scales),
    right: Math.max(...drawings.map(box => box.right)),
    bars: document.querySelectorAll('svg rect').length,
    rows: document.querySelectorAll('table tr').length,
    failures: document.querySelectorAll('svg .failed').length * document.querySelectorAll('tr.bad .failure').length,
    fills: new Set([...document.querySelectorAll('svg rect')].map(rect => getComputedStyle(rect).fill)).size,
    loaded: performance.getEntriesByType('resource').map(entry => entry.name),
  };
})()
"""


class Browser:
    """A headless browser with one page."""

    def __init__(self, program, folder):
        to_browser, self._commands = os.pipe()
        self._answers, from_browser = os.pipe()
        # The browser reads commands from its descriptor 3 and answers at its descriptor 4.
        script = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        arguments = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
            "--disable-background-networking", "--disable-component-update", "--no-first-run", f"--user-data-dir={folder}/profile"
        ]
        self._log = open(f"{folder}/browser.log", "w+", encoding="utf-8")  # pylint: disable=consider-using-with
        self._process = subprocess.Popen(  # pylint: disable=consider-using-with
            ["bash", "-c", script, "bash", *arguments],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
            env={**os.environ, "HOME": folder})
        os.close(to_browser)
        os.close(from_browser)
        self._rest = b""
        self._last = 0
        self._session = None
        self.events = []

    def _read(self):
        while b"\0" not in self._rest:
            piece = os.read(self._answers, 1 << 16)
            if not piece:
                self._log.seek(0)
                sys.exit(f"the browser ended:\n{self._log.read()}")
            self._rest += piece
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self._last += 1
        command = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        while True:
            message = self._read()
            if message.get("id") != self._last:
                self.events.append(message)
                continue
            if "error" in message:
                sys.exit(f"{method}: {message['error']}")
            return message["result"]

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._read())

    def seen(self):
        return self.call("Runtime.evaluate", expression=DRAWN, returnByValue=True)["result"]["value"]

    def end(self):
        self._process.kill()
        self._process.wait(LIMIT_SECONDS)


def problems(browser, url):
    """Sentences about what is not as it should be."""
    requests = [event["params"]["request"]["url"] for event in browser.events if event.get("method") == "Network.requestWillBeSent"]
    if requests != [url]:
        yield f"the page loads more than itself: {requests}"
    complaints = [event["params"] for event in browser.events if event.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")]
    if complaints:
        yield f"the browser complains: {complaints}"
    screen = browser.seen()
    if screen["texts"] < 10 or screen["bars"] < 5 or screen["rows"] < 4 or screen["fills"] < 4:
        yield f"there is little to be seen: {screen}"
    if screen["failures"] != 1:
        yield f"the failure is not marked where it was, once: {screen['failures']}"
    if screen["unseen"]:
        yield f"{screen['unseen']} texts take no room"
    if screen["loaded"]:
        yield f"the page loaded {screen['loaded']}"
    browser.call("Emulation.setDeviceMetricsOverride", width=int(A4_WIDTH), height=740, deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", media="print")
    paper = browser.seen()
    if paper["smallest"] < SMALLEST_PRINT:
        yield f"in print the smallest text has {paper['smallest']:.1f} pixels"
    if paper["right"] > A4_WIDTH:
        yield f"in print the drawing is {paper['right']:.0f} pixels wide, and the paper {A4_WIDTH:.0f}"
    pdf = browser.call("Page.printToPDF", landscape=True, printBackground=False)["data"]
    if len(pdf) < 10000:
        yield f"what is printed has {len(pdf)} characters"


def main(run, scenario):
    program = shutil.which("chromium")
    if program is None:
        print("NOT RUN: there is no program chromium on this machine (Debian: apt-get install chromium)")
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = f"{folder}/page.html"
        with open(scenario, encoding="utf-8") as file:
            text = file.read() + UNMET
        with open(f"{folder}/scenario.textproto", "w", encoding="utf-8") as file:
            file.write(text)
        if subprocess.run([run, "--quiet", "--timeline", page, file.name], check=False).returncode != 1:
            sys.exit("a scenario whose last step expects what is not so has to fail")
        browser = Browser(program, folder)
        try:
            browser.open(f"file://{page}")
            found = list(problems(browser, f"file://{page}"))
        finally:
            browser.end()
    if found:
        sys.exit("\n".join(found))
    print(f"{os.path.basename(program)} shows and prints the timeline of {scenario}")


if __name__ == "__main__":
    main(*sys.argv[1:])

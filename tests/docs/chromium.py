"""A Chromium without a window, told what to do over a pipe in the protocol of its own developer tools."""

import fcntl
import json
import os
import select
import shutil
import signal
import time
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
IN_A_BROWSER = [
    pytest.mark.slow,
    pytest.mark.skipif(
        PROGRAM is None and not os.environ.get("TKID_REAL_SERVERS"), reason="Chromium is not installed here"
    ),
]
"""The marks of a test that drives it: in CI, which installs it, none is left out."""
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--remote-debugging-pipe",
)
CODES = {
    " ": 32,
    "Enter": 13,
    "Tab": 9,
    "Escape": 27,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "ArrowDown": 40,
}
"""What keys without a sign are called by the browser."""
PATIENCE = 60.0
"""Seconds until something that does not come is given up."""


LEFT = "navigated or closed"
"""What the browser says of a page that it left meanwhile."""


class BrowserError(Exception):
    """The browser did not do what it was told."""


@define
class Chromium:
    """A running browser with one page in it; what it asks the network for and complains about is kept."""

    pid: int
    to_it: int
    from_it: int
    requests: list[str] = field(factory=list)
    complaints: list[str] = field(factory=list)
    page: str = ""
    _asked: int = 0
    _answers: dict[int, dict[str, Any]] = field(factory=dict)
    _unread: bytes = b""

    @classmethod
    def start(cls, folder: Path) -> "Chromium":
        """Start one that keeps its files in a folder."""
        assert PROGRAM
        reads, to_it = os.pipe()
        from_it, writes = os.pipe()
        high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in (reads, writes)]
        os.close(reads)
        os.close(writes)
        log = str(folder / "chromium.log")
        pid = os.posix_spawn(
            PROGRAM,
            [PROGRAM, *FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"],
            {**os.environ, "HOME": str(folder)},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
                (os.POSIX_SPAWN_DUP2, high[0], 3),
                (os.POSIX_SPAWN_DUP2, high[1], 4),
            ],
            setpgroup=0,
        )
        for end in high:
            os.close(end)
        browser = cls(pid, to_it, from_it)
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        browser.page = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.watch(browser.page)
        browser.ask("Page.enable", session=browser.page)
        return browser

    def stop(self) -> None:
        """End it, with all that it started."""
        os.close(self.to_it)
        os.close(self.from_it)
        os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def watch(self, session: str) -> None:
        """Keep what a page or a worker asks the network for and complains about, and that of its workers."""
        for domain in ("Network", "Runtime", "Log"):
            self.send(f"{domain}.enable", session=session)
        self.send("Target.setAutoAttach", session=session, autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self.send("Runtime.runIfWaitingForDebugger", session=session)

    # -- messages -----------------------------------------------------------------------------------------

    def send(self, method: str, session: str = "", **params: Any) -> int:
        """Tell it to do something, without waiting; the number of the message."""
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": params} | ({"sessionId": session} if session else {})
        rest = json.dumps(message).encode() + b"\0"
        while rest:
            rest = rest[os.write(self.to_it, rest) :]
        return self._asked

    def ask(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """Tell it to do something, and wait for what comes of it."""
        number = self.send(method, session, **params)
        deadline = time.monotonic() + PATIENCE
        while number not in self._answers:
            if not self.listen(deadline - time.monotonic()):
                raise BrowserError(f"{method}: no answer")
        answer = self._answers.pop(number)
        if LEFT in answer.get("error", {}).get("message", ""):
            raise BrowserError(method)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return dict(answer["result"])

    def listen(self, seconds: float) -> bool:
        """Take in what it says within some seconds; false if it says nothing."""
        if not select.select([self.from_it], [], [], max(0, seconds))[0]:
            return False
        read = os.read(self.from_it, 1 << 20)
        if not read:
            raise BrowserError("the browser has ended")
        *messages, self._unread = (self._unread + read).split(b"\0")
        for message in messages:
            self._take(json.loads(message))
        return True

    def _take(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case None:
                self._answers[message["id"]] = message
            case "Target.attachedToTarget":
                if params["targetInfo"]["type"] != "page":
                    self.watch(params["sessionId"])
            case "Network.requestWillBeSent":
                self.requests.append(params["request"]["url"])
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.complaints.append(details.get("exception", {}).get("description", details["text"]))
            case "Runtime.consoleAPICalled" if params["type"] in {"error", "warning", "assert"}:
                self.complaints.append(" ".join(str(each.get("value", "")) for each in params["args"]))
            case "Log.entryAdded" if params["entry"]["level"] in {"error", "warning"}:
                self.complaints.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")

    # -- what a reader does -------------------------------------------------------------------------------

    def open(self, address: str) -> None:
        """Go to an address, and wait until its page is there."""
        self.leave()
        self.ask("Page.navigate", self.page, url=address)
        self.wait("location.href !== 'about:blank' && document.readyState === 'complete'")

    def leave(self) -> None:
        """Leave the page, which may ask its server for news until then."""
        self.ask("Page.navigate", self.page, url="about:blank")

    def run(self, script: str) -> Any:
        """The value of a script in the page, once it is there."""
        result = self.ask(
            "Runtime.evaluate", self.page, expression=script, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in result:
            raise BrowserError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, script: str) -> Any:
        """The value of a script in the page, as soon as it is true."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                value, fault = self.run(script), None
            except BrowserError as error:  # as the page was left for another one, or is not complete yet
                value, fault = None, error
            if value:
                return value
            if time.monotonic() > deadline:
                raise BrowserError(f"never became true: {script}") from fault
            self.listen(0.05)

    def press(self, *keys: str) -> None:
        """Press keys, by their names or signs."""
        for key in keys:
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            event = {"key": key, "code": key, "text": text, "windowsVirtualKeyCode": CODES.get(key, 0)}
            self.ask("Input.dispatchKeyEvent", self.page, type="keyDown" if text else "rawKeyDown", **event)
            self.ask("Input.dispatchKeyEvent", self.page, type="keyUp", **event)

    def insert(self, text: str) -> None:
        """Put a text where the cursor is, all at once, as an input method does."""
        self.ask("Input.insertText", self.page, text=text)

    def tap(self, selector: str) -> None:
        """Touch the middle of an element."""
        box = self.run(
            f"""(() => {{const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2]}})()"""
        )
        self.ask("Emulation.setTouchEmulationEnabled", self.page, enabled=True)
        self.ask("Input.dispatchTouchEvent", self.page, type="touchStart", touchPoints=[{"x": box[0], "y": box[1]}])
        self.ask("Input.dispatchTouchEvent", self.page, type="touchEnd", touchPoints=[])
        self.ask("Emulation.setTouchEmulationEnabled", self.page, enabled=False)

    def slow_down(self, *, cpu: float, bytes_a_second: float, latency: float) -> None:
        """Make the processor so many times slower, and the network as slow as that; -1 bytes are as many as there are."""
        self.ask("Emulation.setCPUThrottlingRate", self.page, rate=cpu)
        self.ask(
            "Network.emulateNetworkConditions",
            self.page,
            offline=False,
            latency=latency,
            downloadThroughput=bytes_a_second,
            uploadThroughput=bytes_a_second,
        )

    def screen(self, width: int, height: int = 800, *, dark: bool = False, motion: bool = False) -> None:
        """Take a screen of a size in pixels, and a reader who likes dark colours or light ones, and motion or none."""
        phone = width < 600
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            self.page,
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )
        likes = {"color-scheme": "dark" if dark else "light", "reduced-motion": "no-preference" if motion else "reduce"}
        features = [{"name": f"prefers-{what}", "value": value} for what, value in likes.items()]
        self.ask("Emulation.setEmulatedMedia", self.page, media="", features=features)

    def picture(self, file: Path, *, whole: bool = False) -> None:
        """A picture of what is on the screen, or of the whole page, as PNG."""
        data = self.ask("Page.captureScreenshot", self.page, format="png", captureBeyondViewport=whole)["data"]
        file.write_bytes(b64decode(data))

    def allow(self, origin: str, *permissions: str) -> None:
        """Allow the pages of a server something that a reader would be asked for."""
        self.ask("Browser.grantPermissions", origin=origin, permissions=permissions)

    def printed(self) -> bytes:
        """The page as it is printed, as PDF."""
        return b64decode(self.ask("Page.printToPDF", self.page)["data"])

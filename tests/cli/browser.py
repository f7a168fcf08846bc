"""A headless Chromium, driven over the DevTools protocol by a pipe."""

import json
import os
import select
import shutil
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def program():
    """The browser's path, None without one."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, folder):
        to_read, self.to = os.pipe()
        self.come, to_write = os.pipe()

        def connect():  # the browser reads from 3 and writes to 4
            os.dup2(os.dup(to_read), 3)
            os.dup2(os.dup(to_write), 4)

        # as root its sandbox does not start
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            [program(), "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", f"--user-data-dir={folder}", "--window-size=1366,768", *flags,
             "about:blank"],
            close_fds=False, preexec_fn=connect, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.buffer = b""
        self.events = []

    def _message(self, until):
        while b"\0" not in self.buffer:
            if not select.select([self.come], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.come, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, wait=120, **parameters):
        """Calls a method and returns its result; events that come meanwhile are kept."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + wait
        while True:
            answer = self._message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def close(self):
        try:
            self.call("Browser.close", wait=10)
            self.process.wait(10)
        except (OSError, EOFError, TimeoutError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.come)


class Page:
    """A page in a tab of its own."""

    def __init__(self, browser, path, script=True, media=None, dark=False, width=1366, height=768):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media or "",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if not script:
            self.call("Emulation.setScriptExecutionDisabled", value=True)
        self.url = "file://" + os.path.abspath(path)
        self.script = script
        started = time.monotonic()
        self.call("Page.navigate", url=self.url)
        self.ready = self.wait_for("document.documentElement.dataset.ready === 'yes'" if script else "document.readyState === 'complete'")
        self.seconds = time.monotonic() - started

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def run(self, expression):
        """Evaluates an expression in the page, and returns its value."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "error") + "\n" + expression[:200])
        return answer["result"].get("value")

    def wait_for(self, expression, seconds=20):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                if self.run(f"document.URL === {json.dumps(self.url)} && ({expression})"):
                    return True
            except RuntimeError:
                pass  # between two documents
            if self.own_events("Runtime.exceptionThrown"):
                return False
            time.sleep(0.02)
        return False

    def key(self, name, count=1, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "/": 191}
        text = {"Enter": "\r", "/": "/"}.get(name)
        for _ in range(count):
            for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
                more = {"text": text} if text and kind == "keyDown" else {}
                self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=codes[name], modifiers=modifiers,
                          **more)

    def mouse(self, x, y, click=False):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        if click:
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def own_events(self, method):
        return [event["params"] for event in self.browser.events if event.get("method") == method and event.get("sessionId") == self.session]

    def picture(self, path):
        import base64
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
        self.browser.events = [event for event in self.browser.events if event.get("sessionId") != self.session]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

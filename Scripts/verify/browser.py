"""Headless browsers: Chromium by WebDriver (chromedriver), Firefox by WebDriver BiDi."""
import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from free_ports import free_ports
from takes import PATIENCE, Complaint

#: Keys by name, as WebDriver writes them.
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Right": "\ue014", "Left": "\ue012", "Up": "\ue013", "Shift": "\ue008"}


def pressing(*names):
    """Returns a source of input for `act`: a keyboard whose keys are pressed and released, one after the other."""
    return {"type": "key", "id": "keys",
            "actions": [{"type": kind, "value": KEYS.get(name, name)} for name in names for kind in ("keyDown", "keyUp")]}


class Chromium:
    """A headless Chromium with one page; closed with its `with` block."""

    def __init__(self, width=1280, height=800):
        self.port = free_ports(1)[0]
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, process_group=0)
        arguments = ["--headless=new", f"--window-size={width},{height}", f"--user-data-dir={self.folder.name}", "--disable-gpu",
                     "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage", "--mute-audio"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        self.session = None
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments, "binary": shutil.which("chromium")},
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
                break
            except (OSError, urllib.error.URLError) as failure:
                if time.monotonic() > end:
                    raise Complaint(f"chromedriver does not answer: {failure}") from None
                time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.call("DELETE", f"/session/{self.session}")
        except (OSError, Complaint):
            pass
        os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.wait()
        self.folder.cleanup()

    def call(self, method, path, body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", json.dumps(body or {}).encode() if method == "POST" else None,
                                         {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as error:
            raise Complaint(f"the browser: {json.loads(error.read())['value']['message'].splitlines()[0][:400]}") from None

    def at(self, rest, body=None, method="POST"):
        return self.call(method, f"/session/{self.session}{rest}", body)

    def open(self, url):
        self.at("/url", {"url": url})

    def run(self, script, *arguments):
        """Runs a function's body in the page and returns its awaited result."""
        wrapped = "const done = arguments[arguments.length - 1]; (async (...given) => {" + script + \
                  "})(...[...arguments].slice(0, -1)).then(value => done({value}), error => done({error: String(error.stack || error)}))"
        self.at("/timeouts", {"script": 1000 * 2 * PATIENCE})
        answer = self.at("/execute/async", {"script": wrapped, "args": list(arguments)})
        if "error" in answer:
            raise Complaint(f"in the page: {answer['error'][:500]}")
        return answer.get("value")

    def act(self, *sources):
        """Performs input of the given sources of WebDriver: a mouse, a keyboard."""
        self.at("/actions", {"actions": list(sources)})

    def devtools(self, command, **parameters):
        return self.at("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def look(self, width, height, scale=1, dark=False, mobile=False):
        """Sets the page's size and theme."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, path, whole=False):
        """Takes a screenshot; `whole`: of the whole page, not only the visible part."""
        shot = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def errors(self):
        """Returns the page's errors since the last call."""
        return [entry["message"] for entry in self.at("/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """Returns the addresses that the page has requested since the last call."""
        found = []
        for entry in self.at("/se/log", {"type": "performance"}):
            told = json.loads(entry["message"])["message"]
            if told["method"] == "Network.requestWillBeSent":
                found.append(told["params"]["request"]["url"])
            elif told["method"] == "Network.webSocketCreated":
                found.append(told["params"]["url"])
        return found


class Firefox:
    """A headless Firefox with one page, over WebDriver BiDi; closed with its `with` block. Needs the package
    `websockets`."""

    def __init__(self, width=1280, height=800):
        from websockets.sync.client import connect
        self.port = free_ports(1)[0]
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", self.folder.name, f"--remote-debugging-port={self.port}",
             f"--window-size={width},{height}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0)
        self.number, self.complaints, self.asked = 0, [], []
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.socket = connect(f"ws://127.0.0.1:{self.port}/session", max_size=None)
                break
            except OSError as failure:
                if time.monotonic() > end:
                    self.__exit__()
                    raise Complaint(f"Firefox does not answer: {failure}") from None
                time.sleep(0.2)
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.folder.cleanup()

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            told = json.loads(self.socket.recv(timeout=2 * PATIENCE))
            if told.get("id") == self.number:
                if told["type"] == "error":
                    raise Complaint(f"Firefox: {told['message'][:300]}")
                return told["result"]
            if told.get("method") == "log.entryAdded" and told["params"]["level"] in ("error", "warn"):
                self.complaints.append(told["params"]["text"])
            elif told.get("method") == "network.beforeRequestSent":
                self.asked.append(told["params"]["request"]["url"])

    def open(self, url):
        self.call("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def run(self, script, *arguments):
        """Runs a function's body in the page and returns its awaited result: text, a number or a truth value; other
        results as JSON."""
        words = ", ".join(json.dumps(each) for each in arguments)
        answer = self.call("script.evaluate", target={"context": self.context}, awaitPromise=True,
                           expression=f"(async (...given) => {{ {script} }})({words}).then(value => JSON.stringify(value ?? null))")
        if answer["type"] == "exception":
            raise Complaint(f"in the page: {answer['exceptionDetails']['text'][:500]}")
        return json.loads(answer["result"]["value"])

    def act(self, *sources):
        """Performs input of the given sources of WebDriver: a mouse, a keyboard."""
        self.call("input.performActions", context=self.context, actions=list(sources))

    def picture(self, path):
        shot = self.call("browsingContext.captureScreenshot", context=self.context)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def errors(self):
        self.call("browsingContext.getTree")
        found, self.complaints = self.complaints, []
        return found

    def requests(self):
        found, self.asked = self.asked, []
        return found

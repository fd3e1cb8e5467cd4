#!/usr/bin/env python3
"""Attacks the panel's web interface: foreign pages, a missing or wrong token, invalid names, requests and frames that
are too large or malformed, connections that never complete. All are refused and counted, well-behaved clients are
served, and no resource grows. With PROSCENIUM_SOAK=1 for ten minutes.

usage: panel_door.py PROGRAM
"""
import json
import os
import pathlib
import random
import socket
import struct
import sys
import threading
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
PACKAGES = HERE.parents[1] / ".build/venv"
if (PACKAGES / "packages").exists() and pathlib.Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin/python", [str(PACKAGES / "bin/python"), *sys.argv])
import hostile
from free_ports import free_ports
from takes import PATIENCE, Complaint, Stage, enter, said_inside, tally

SECONDS = 600 if os.environ.get("PROSCENIUM_SOAK") == "1" else 6
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\n" + KEY
#: Size beyond the greatest permitted request, bytes.
LARGE = 200_000
#: The session's timeout of an unfinished request, and tolerance for it, seconds.
SLOW, LATE = 10, 20


def ask(web, head, body=b"", path="/", method="GET", host="127.0.0.1"):
    """Sends a request and returns the status of its answer; None if the connection is closed without one."""
    with socket.create_connection(("127.0.0.1", web), timeout=PATIENCE) as connection:
        try:
            connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{head}\r\n".encode() + body)
            said = connection.recv(4096).decode(errors="replace").split(" ")
        except ConnectionError:
            return None
    return int(said[1]) if len(said) > 1 and said[1].isdigit() else None


def upgraded(web, path="/"):
    """Returns a connection after its WebSocket handshake."""
    connection = socket.create_connection(("127.0.0.1", web), timeout=PATIENCE)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{UPGRADE}\r\n".encode())
    if b" 101 " not in connection.recv(4096):
        connection.close()
        raise Complaint("a WebSocket is not let in")
    return connection


def ended(connection):
    """Whether the session closes a connection, after its earlier data are read."""
    connection.settimeout(PATIENCE)
    try:
        while connection.recv(1 << 16):
            pass
        return True
    except ConnectionError:
        return True
    except TimeoutError:
        return False


#: Frames that end a connection: too long, unmasked, of an unknown kind, with a reserved bit, fragmented control frames.
FRAMES = {
    "too long": b"\x81\xff" + struct.pack(">Q", 1 << 40), "longer than a request": b"\x81\xff" + struct.pack(">Q", LARGE) + bytes(4 + LARGE),
    "not masked": b"\x81\x02{}", "of no kind": b"\x83\x80" + bytes(4), "with a reserved bit": b"\xc1\x80" + bytes(4),
    "of control, in parts": b"\x09\x80" + bytes(4), "of control, too long": b"\x89\xfe" + struct.pack(">H", 126) + bytes(4 + 126),
}


def counts(stage):
    return stage.status["control"]


def expect(what, found, wanted):
    if found != wanted:
        raise Complaint(f"{what}: {found}, not {wanted}")


def one_by_one(web, stage, isGuarded):
    """Sends each request that must be refused, and checks that exactly those are counted."""
    word = "?token=sesame" if isGuarded else ""
    before, sent = counts(stage), 0
    foreign = "Origin: http://elsewhere.example\r\n"
    plans = [("a foreign page's look", foreign, "/state" + word, 403), ("a foreign page's WebSocket", foreign + UPGRADE, "/" + word, 403)]
    if isGuarded:
        plans += [("no token", "", "/state", 401), ("no token for a WebSocket", UPGRADE, "/", 401), ("a wrong token", "", "/state?token=barley", 401),
                  ("a wrong token in the head", "Authorization: Bearer barley\r\n", "/state", 401)]
    for what, head, path, status in plans:
        expect(what, ask(web, head, path=path), status)
        sent += 1
    body = b'{"address":"level","arguments":-20}'
    expect("a foreign page's command", ask(web, foreign + f"Content-Length: {len(body)}\r\n", body, "/command" + word, "POST"), 403)
    sent += 1
    if not isGuarded:
        expect("a strange name", ask(web, "", path="/state", host="elsewhere.example"), 403)
        expect("a strange name's page", ask(web, "Accept: text/html\r\n", host="elsewhere.example"), 403)
        sent += 2
    expect("no HTTP", ask(web, "", b"\x00\x01\x02 nonsense\r\n\r\n", "/\x01") in (400, None), True)
    sent += 1
    for what, frame in FRAMES.items():
        with upgraded(web, "/" + word) as connection:
            try:
                connection.sendall(frame)
            except ConnectionError:
                pass
            expect(f"a frame {what} ends it", ended(connection), True)
        sent += 1
    end = time.monotonic() + PATIENCE
    while (now := counts(stage)["turnedAway"] - before["turnedAway"]) < sent and time.monotonic() < end:
        time.sleep(0.05)
    expect("turned away and counted", now, sent)
    # A body beyond the longest request is not a command, and is counted as refused.
    large = json.dumps({"address": "level", "arguments": "x" * LARGE}).encode()
    expect("a request too large", ask(web, f"Content-Length: {len(large)}\r\n", large, "/command" + word, "POST"), 400)
    expect("malformed and counted", counts(stage)["malformed"] - before["malformed"], 1)
    return sent + 1


def slow(web, stage):
    """Opens as many unfinished requests as there are places: each is closed after its timeout, and others are then
    accepted."""
    before, held, began = counts(stage)["turnedAway"], [], time.monotonic()
    while len(held) < 63 and time.monotonic() < began + 5:
        connection = socket.create_connection(("127.0.0.1", web), timeout=PATIENCE)
        connection.sendall(b"GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        held.append(connection)
    while time.monotonic() < began + SLOW - 2:
        for connection in held:
            try:
                connection.sendall(b"x")
            except ConnectionError:
                pass
        time.sleep(1)
    gone = sum(ended(connection) for connection in held)
    took = time.monotonic() - began
    for connection in held:
        connection.close()
    expect("unfinished requests that are closed", gone, len(held))
    if took > SLOW + LATE:
        raise Complaint(f"unfinished requests are closed after {took:.0f} s")
    urllib.request.urlopen(f"http://127.0.0.1:{web}/state", timeout=PATIENCE).read()
    expect("unfinished requests that are counted", counts(stage)["turnedAway"] - before >= len(held), True)
    return len(held), took


class Behaving:
    """A well-behaved panel that runs throughout: its requests, and the longest delay of an answer."""

    def __init__(self, web, query):
        self.url, self.end, self.longest, self.answers, self.fault = f"ws://127.0.0.1:{web}/{query}", threading.Event(), 0.0, 0, None
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.end.set()
        self.thread.join(2 * PATIENCE)

    def run(self):
        import websockets.sync.client
        try:
            with websockets.sync.client.connect(self.url, max_size=None) as connection:
                connection.send('{"address":"subscribe"}')
                while not self.end.wait(0.02):
                    began = time.monotonic()
                    connection.send(json.dumps({"id": self.answers, "address": "input/main/level", "arguments": -(self.answers % 20)}))
                    while json.loads(connection.recv(timeout=PATIENCE)).get("id") != self.answers:
                        pass
                    self.answers += 1
                    self.longest = max(self.longest, time.monotonic() - began)
        except Exception as error:
            self.fault = f"{type(error).__name__}: {error}"


def fire(web, seed, seconds, isGuarded):
    """Sends randomly damaged requests and frames from three threads; returns their number."""
    sent, end = [0, 0, 0], time.monotonic() + seconds

    def http(chance):
        connection = socket.create_connection(("127.0.0.1", web), timeout=PATIENCE)
        for _ in range(chance.choice([1, 1, 5])):
            connection.sendall(hostile.damaged(chance, hostile.http(chance)))
            sent[0] += 1
        return connection

    def frames(chance):
        connection = upgraded(web, "/?token=sesame" if isGuarded else "/")
        for _ in range(chance.choice([1, 5, 40])):
            connection.sendall(hostile.damaged(chance, hostile.frame(chance)))
            sent[1] += 1
        return connection

    def strangers(chance):
        # Without a required token, a wrong one has no effect.
        wrong = ["Authorization: Bearer barley\r\n"] if isGuarded else []
        head = chance.choice(["Origin: http://elsewhere.example\r\n", "Origin: null\r\n", *wrong]) + chance.choice(["", UPGRADE])
        ask(web, head, path=chance.choice(["/", "/state", "/?token=", "/proscenium"]))
        sent[2] += 1

    def keep(act, chance):
        while time.monotonic() < end:
            try:
                connection = act(chance)
                if connection:
                    connection.settimeout(0.02)
                    try:
                        connection.recv(4096)
                    except (TimeoutError, OSError):
                        pass
                    connection.close()
            except (OSError, Complaint):
                pass  # refused, as expected

    threads = [threading.Thread(target=keep, args=(act, random.Random(f"{seed}/{act.__name__}")), daemon=True) for act in (http, frames, strangers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 2 * PATIENCE)
        if thread.is_alive():
            raise Complaint("a door is stuck")
    return sent


def under_fire(program, folder, isGuarded):
    """Tests a web interface with or without a required token. Returns the results as text."""
    port, web = free_ports(2)
    name = "guarded" if isGuarded else "open"
    options = ["--panel", str(web), "--hrtf", "generated", "--fresh", "--name", name, *(["--token", "sesame"] if isGuarded else [])]
    with Stage(program, folder, port, name, *options) as stage:
        stage.status
        alone = one_by_one(web, stage, isGuarded)
        held = "" if isGuarded else "; {} unfinished requests closed within {:.0f} s".format(*slow(web, stage))
        before, turned = hostile.burden(stage.process.pid), counts(stage)["turnedAway"]
        with Behaving(web, "?token=sesame" if isGuarded else "") as behaving:
            sent = fire(web, 8, SECONDS / 2, isGuarded)
        if not all(sent):
            raise Complaint(f"{sent} sent: one kind of nonsense never came to the door")
        if behaving.fault or not behaving.answers:
            raise Complaint(f"a panel that behaves is cut off: {behaving.fault}")
        end = time.monotonic() + PATIENCE
        while (after := hostile.burden(stage.process.pid))[1] > before[1] + 4 and time.monotonic() < end:
            time.sleep(0.2)
        if after[0] - before[0] > 40 or after[1] > before[1] + 4 or after[2] > before[2] + 4:
            raise Complaint(f"MB, descriptors, threads before {before}, after {after}")
        counted = counts(stage)["turnedAway"] - turned
        # Foreign clients are refused each time; damaged requests are sometimes valid by chance.
        if counted < sent[2]:
            raise Complaint(f"{sent} sent, {counted} turned away")
        stage.finish()
    return (f"{alone} refused one by one{held}; {sum(sent)} more in {SECONDS / 2:.0f} s, {counted} turned away, {after[0] - before[0]:+.0f} MB; "
            f"a panel beside them was answered {behaving.answers} times, after {1000 * behaving.longest:.0f} ms at most")


def perform(program, folder):
    """Runs inside a sandbox. Returns an error, or None."""
    said = {}
    for name, isGuarded in (("open on this machine", False), ("with a token", True)):
        try:
            said[name] = (True, under_fire(program, folder, isGuarded))
        except (Complaint, RuntimeError, OSError) as complaint:
            said[name] = (False, str(complaint))
    (folder / "said").write_text(json.dumps(said))
    return None


def main(program):
    try:
        import websockets  # noqa: F401
    except ImportError:
        return tally("panel's door", [("all", None, "Python's websockets are not there (Scripts/python-env)")])
    return tally("panel's door", said_inside(__file__, program))


if __name__ == "__main__":
    enter(__doc__, main, perform)

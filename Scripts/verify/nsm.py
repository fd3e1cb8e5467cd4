#!/usr/bin/env python3
"""Tests `run` under a session manager that speaks as nsmd does (python-osc): it opens, saves, switches and reopens
sessions, with a JACK server and without one; receives progress and missing parts; and is refused sessions that cannot
be opened. SIGTERM ends the client; after SIGKILL during a save the previous save is intact.

usage: nsm.py PROGRAM     (three kills; PROSCENIUM_SOAK=1: two hundred)
"""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from takes import PATIENCE, Complaint, Program, disturbed, enter, free_ports, tally

try:
    from pythonosc.osc_message_builder import OscMessageBuilder
    from pythonosc.osc_packet import OscPacket
except ImportError:
    venv = HERE.parents[1] / ".build/venv"
    if (venv / "packages").exists() and pathlib.Path(sys.prefix) != venv:
        os.execv(venv / "bin/python", [str(venv / "bin/python"), *sys.argv])
    OscPacket = None

KILLS = 200 if os.environ.get("PROSCENIUM_SOAK") == "1" else 3
SEED = 15


class Manager(Program):
    """A session manager of one client, and the client."""

    def __init__(self, program, folder, environment=None, words=("run", "--quiet", "--layout", "stereo", "--hrtf", "generated")):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(PATIENCE)
        self.program, self.port = program, str(free_ports(1)[0])
        self.heard = []
        url = f"osc.udp://127.0.0.1:{self.socket.getsockname()[1]}/"
        super().__init__([program, *words, *(["--control", self.port] if words else [])], folder, stdout=subprocess.DEVNULL,
                         env=os.environ | {"NSM_URL": url, "XDG_RUNTIME_DIR": str(folder)} | (environment or {}))
        announced = self.hear("/nsm/server/announce")
        if announced[0] != "proscenium" or ":switch:" not in announced[1] or announced[5] != self.process.pid:
            raise Complaint(f"announced as {announced}")
        self.say("/reply", "/nsm/server/announce", "hello", "fake", ":server-control:")

    def say(self, address, *arguments):
        builder = OscMessageBuilder(address)
        for argument in arguments:
            builder.add_arg(argument)
        self.socket.sendto(builder.build().dgram, self.address)

    def hear(self, address):
        """Returns the arguments of the next message of this address; other messages are kept in `heard`."""
        while True:
            try:
                data, self.address = self.socket.recvfrom(65536)
            except TimeoutError:
                raise Complaint(f"no {address}; heard {self.heard[-5:]}") from None
            for timed in OscPacket(data).messages:
                message = timed.message
                if message.address == address:
                    return list(message.params)
                self.heard.append((message.address, list(message.params)))

    def ask(self, request, *arguments):
        """Sends the client a request; returns its reply."""
        self.say(request, *arguments)
        answer = self.hear("/reply")
        if answer[0] != request:
            raise Complaint(f"{request}: {answer}")
        return answer[1]

    def refuse(self, code, request, *arguments):
        """Sends the client a request that it must refuse with this code; returns its message."""
        self.say(request, *arguments)
        refused = self.hear("/error")
        if refused[:2] != [request, code]:
            raise Complaint(f"{request} {arguments}: {refused}, not {code}")
        return refused[2]

    @property
    def told(self):
        """Returns the messages to the user so far."""
        return [arguments[1] for address, arguments in self.heard if address == "/nsm/client/message"]

    def end(self):
        """Ends the client as managers do."""
        self.process.send_signal(signal.SIGTERM)
        if (code := self.process.wait(PATIENCE)) != 0:
            raise Complaint(f"SIGTERM ends it with {code}: {self.process.stderr.read()[-300:]}")

    def ctl(self, *words):
        answer = subprocess.run([self.program, "ctl", words[0], "--port", self.port, *words[1:]], capture_output=True, text=True)
        if answer.returncode != 0:
            raise Complaint(f"ctl {' '.join(words)}: {answer.stderr.strip()[-300:]}")
        return answer.stdout

    @property
    def level(self):
        return round(json.loads(self.ctl("status", "--json"))["programmes"][0]["level"], 3)


def ports():
    return subprocess.run(["jack_lsp"], capture_output=True, text=True).stdout.split()


def sessions(program, folder):
    one, two = f"{folder}/one.nABCD", f"{folder}/two.nEFGH"
    with Manager(program, folder) as manager:
        if any(port.startswith(("proscenium", "nsm-")) for port in ports()):
            raise Complaint("a JACK client is there before a session was opened")
        manager.refuse(-6, "/nsm/client/save")
        manager.ask("/nsm/client/open", one, "One", "nsm-one")
        shares = [arguments[0] for address, arguments in manager.heard if address == "/nsm/client/progress"]
        if len(shares) < 3 or shares != sorted(shares) or shares[-1] != 1:
            raise Complaint(f"progress: {shares}")
        if "nsm-one:in_FL" not in ports():
            raise Complaint(f"opened, and the ports are not there: {ports()}")
        manager.say("/nsm/client/session_is_loaded")
        subprocess.run(["jack_connect", "nsm-one:out_L", "system:playback_2"], check=True)
        manager.ctl("level", "-7")
        manager.hear("/nsm/client/is_dirty")
        manager.ask("/nsm/client/save")
        saved = json.loads(pathlib.Path(f"{one}/session.json").read_text())
        if saved["state"]["input/main/level"] != -7 or "nsm-one" in json.dumps(saved):
            raise Complaint(f"saved as {saved}")
        manager.ctl("level", "-30")
        manager.ask("/nsm/client/open", two, "Two", "nsm-two")
        if "nsm-two:in_FL" not in ports() or "nsm-one:in_FL" in ports():
            raise Complaint(f"switched, and the ports are {ports()}")
        if manager.level != 0:
            raise Complaint(f"a new session begins at {manager.level} dB")
        pathlib.Path(f"{folder}/bad").mkdir()
        pathlib.Path(f"{folder}/bad/session.json").write_text("nonsense")
        manager.say("/nsm/client/open", f"{folder}/bad", "Bad", "nsm-bad")
        refused = manager.hear("/error")
        if refused[:2] != ["/nsm/client/open", -9] or "nsm-two:in_FL" not in ports():
            raise Complaint(f"a damaged session: {refused}; {ports()}")
        manager.ask("/nsm/client/open", one, "One", "nsm-three")
        if manager.level != -7:
            raise Complaint(f"the first session comes back at {manager.level} dB")
        end = time.monotonic() + PATIENCE
        while "nsm-three:out_L" not in subprocess.run(["jack_lsp", "-c", "system:playback_2"], capture_output=True, text=True).stdout:
            if time.monotonic() > end:
                raise Complaint("its connection does not come back")
            time.sleep(0.05)
        manager.end()
    return "opened, saved, switched, a damaged one refused, opened again under another name, ended"


def refused(program, folder):
    """Checks that a refused session leaves the open one unchanged, if the fault is found early; else no session is
    open, and the reply states it."""
    one, two = f"{folder}/one.nABCD", pathlib.Path(f"{folder}/two.nEFGH")
    with Manager(program, folder) as manager:
        manager.ask("/nsm/client/open", one, "One", "nsm-one")
        manager.ctl("level", "-7")
        manager.hear("/nsm/client/is_dirty")
        (two / "plugins").mkdir(parents=True)
        (two / "session.json").write_text(json.dumps({"version": 2, "options": {}}))
        (two / "plugins/chains.json").write_text("{")
        manager.refuse(-9, "/nsm/client/open", str(two), "Two", "nsm-two")
        pathlib.Path(f"{folder}/gone").symlink_to(f"{folder}/absent")
        manager.refuse(-5, "/nsm/client/open", f"{folder}/gone", "Gone", "nsm-two")
        manager.refuse(-10, "/nsm/client/open", "/dev/null/new", "New", "nsm-two")
        other = subprocess.run([program, "run", "--quiet", "--control", "none", "--session", one], stdin=subprocess.DEVNULL,
                               capture_output=True, text=True, timeout=PATIENCE)
        if other.returncode != 3 or "'nsm-one', process" not in other.stderr:
            raise Complaint(f"another session in the folder: {other.returncode}, {other.stderr}")
        if manager.level != -7 or "nsm-one:in_FL" not in ports():
            raise Complaint(f"the open session was not left alone: {manager.level}, {ports()}")
        manager.ask("/nsm/client/save")
        # A set that exists but is invalid is found at reading.
        shutil.rmtree(two / "plugins")
        (two / "broken.sofa").write_text("nonsense")
        (two / "session.json").write_text(json.dumps({"version": 2, "options": {"room": str(two / "broken.sofa")}}))
        manager.refuse(-9, "/nsm/client/open", str(two), "Two", "nsm-two")
        manager.refuse(-6, "/nsm/client/save")
        if any(port.startswith("nsm-") for port in ports()):
            raise Complaint(f"nothing is open, and there are the ports {ports()}")
        # Missing parts are reported, and the rest plays.
        (two / "session.json").write_text(json.dumps({"version": 2, "options": {"room": "/gone/room.sofa"}}))
        manager.ask("/nsm/client/open", str(two), "Two", "nsm-two")
        if not any("--room /gone/room.sofa is not on this machine" in text for text in manager.told):
            raise Complaint(f"the manager is not told what is missing: {manager.told}")
        manager.ask("/nsm/client/save")
        if json.loads((two / "session.json").read_text())["options"].get("room") != "/gone/room.sofa":
            raise Complaint("what is missing is not kept")
        (two / "session.json").write_text("nonsense")
        manager.refuse(-9, "/nsm/client/open", str(two), "Two", "nsm-two")
        manager.end()
    with Manager(program, folder) as manager:
        (two / "session.json").write_text(json.dumps({"version": 2, "options": {"room": str(two / "broken.sofa")}}))
        manager.refuse(-9, "/nsm/client/open", str(two), "Two", "nsm-two")
        manager.end()
    return "by its code each; the open session plays on, or nothing is open and SIGTERM ends it well"


def bare(program, folder):
    """Starts the client as nsmd does: by its name alone."""
    config = folder / "config/proscenium"
    config.mkdir(parents=True)
    (config / "config").write_text("[run]\nhrtf = generated\nquiet = on\n")
    with Manager(program, folder, {"XDG_CONFIG_HOME": str(folder / "config")}, words=()) as manager:
        manager.ask("/nsm/client/open", f"{folder}/bare", "Bare", "nsm-bare")
        if "nsm-bare:in_FL" not in ports():
            raise Complaint(f"opened, and the ports are not there: {ports()}")
        manager.ask("/nsm/client/save")
        manager.ask("/nsm/client/open", f"{folder}/bare", "Bare", "nsm-again")
        manager.end()
    return "runs, saves, and opens the same again"


def absent(program, folder):
    """Checks that without a server the session is opened, and plays once a server starts."""
    with Manager(program, folder, {"JACK_DEFAULT_SERVER": "nobody", "JACK_NO_START_SERVER": "1"}) as manager:
        said = manager.ask("/nsm/client/open", f"{folder}/away", "Away", "nsm-away")
        manager.ask("/nsm/client/save")
        if not any("no JACK server" in text for text in manager.told):
            raise Complaint(f"the manager is not told that there is no server: {manager.told}")
        manager.end()
    return said[:60]


def cut(program, folder):
    chance = random.Random(SEED)
    before, wished, new = 0.0, 0.0, 0
    for number in range(1, KILLS + 1):
        with Manager(program, folder) as manager:
            manager.ask("/nsm/client/open", f"{folder}/cut", "Cut", "nsm-cut")
            found = manager.level
            if number > 1 and found not in (before, wished):
                raise Complaint(f"after {number - 1} kills the level is {found}, neither {before} nor {wished}")
            new += found == wished and number > 1
            before, wished = found, -number / 2
            manager.ctl("level", str(wished))
            manager.say("/nsm/client/save")
            time.sleep(chance.uniform(0, 0.05))
            manager.process.kill()
            manager.process.wait()
    return f"{KILLS} kills within 50 ms of the request: always opened, {new} times as it was to be saved, else as before"


PARTS = {part.__name__: part for part in (sessions, refused, bare, absent, cut)}


def perform(program, folder):
    """Runs one part inside a sandbox. Returns an error, or None."""
    try:
        (folder / "said").write_text(PARTS[(folder / "part").read_text()](program, folder))
    except (Complaint, RuntimeError, OSError, subprocess.SubprocessError) as complaint:
        return str(complaint)
    return None


def outcomes(program):
    for part in PARTS:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "part").write_text(part)
            run = subprocess.run([HERE.parent / "jack-sandbox", "--sync", sys.executable, __file__, "--inside", program, folder],
                                 capture_output=True, text=True)
            if run.returncode == 125:
                yield part, disturbed(), run.stderr.strip()[-100:]
            else:
                yield (part, run.returncode == 0,
                       (folder / "said").read_text() if run.returncode == 0 else (run.stdout + run.stderr).strip()[-900:])


def main(program):
    if OscPacket is None:
        return tally("nsm", [("all", None, "python-osc is not there (Scripts/python-env)")])
    return tally("nsm", outcomes(program))


if __name__ == "__main__":
    enter(__doc__, main, perform)

#!/usr/bin/env python3
"""Tests `run` as a user service: its notifications to a manager at $NOTIFY_SOCKET, a path or an abstract name, while
its JACK server comes and goes; the exit statuses by which the unit restarts it; and that the unit, and RaySession's
template, are installed completely and removed again.

usage: service.py PROGRAM
"""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

from servers import Jackd, listing, until
from takes import PATIENCE, Complaint, Program, enter, free_ports, tally

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
#: Messages of systemd-analyze on the machine, not the unit: program and manual need not be installed.
FOREIGN = ("is not executable", "Command 'man ")
#: Watchdog timeout of the manager, microseconds; the session must notify twice as often.
WATCHDOG = 1_000_000


def unit():
    """Returns the settings of the unit's service: {name: value}."""
    text = (ROOT / "Packaging/systemd/proscenium.service").read_text()
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))


class Manager(Program):
    """Starts the unit's program and receives its notifications."""

    def __init__(self, program, folder, address, *options):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self.socket.settimeout(0.05)
        self.told = []
        words = unit()["ExecStart"].split()
        if words[0] != "proscenium":
            raise Complaint(f"the unit starts {words[0]}")
        environment = dict(os.environ, NOTIFY_SOCKET=address, WATCHDOG_USEC=str(WATCHDOG))
        super().__init__([program, *words[1:], *options], folder, env=environment, stdout=subprocess.DEVNULL)

    def __exit__(self, *_):
        super().__exit__()
        self.socket.close()

    def listen(self, seconds):
        """Returns the notifications within `seconds`."""
        first, end = len(self.told), time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self.told.append(self.socket.recv(4096).decode())
            except TimeoutError:
                continue
        return self.told[first:]

    def hears(self, start, since=0):
        """Waits for a notification that begins with `start`, after the first `since`; returns it."""
        def look():
            if not any(word.startswith(start) for word in self.told[since:]):
                if self.process.poll() is not None:
                    raise Complaint(f"it ended: {self.process.stderr.read()[-300:]}")
                self.listen(0.05)
            return next((word for word in self.told[since:] if word.startswith(start)), None)

        return until(f"'{start}' after {self.told[since:][-4:]}", look)


def beats(manager, when):
    """Counts notifications for three watchdog timeouts: at least three, at most seven."""
    manager.listen(0.05)
    count = manager.listen(3 * WATCHDOG / 1e6).count("WATCHDOG=1")
    if not 3 <= count <= 7:
        raise Complaint(f"{when} it beats {count} times in {3 * WATCHDOG / 1e6:.0f} s")
    return count


def live(program, folder, address, restarts):
    port = str(free_ports(1)[0])
    with Manager(program, folder, address, "--layout", "stereo", "--control", port) as manager:
        manager.hears("READY=1")
        if "proscenium:out_R" not in listing("proscenium"):
            raise Complaint("it is ready before it has ports")
        if not manager.told[0].startswith(("STATUS=preparing ", "STATUS=reading ")):
            raise Complaint(f"its first word is {manager.told[0]}")
        manager.hears("STATUS=stage: stereo, 2 inputs")
        found = beats(manager, "playing")
        if restarts:
            server, before = Jackd(), len(manager.told)
            server.end(signal.SIGKILL)
            manager.hears("STATUS=the JACK server is gone", before)
            beats(manager, "waiting")
            before = len(manager.told)
            server.start(44100, 512)
            manager.hears("STATUS=the JACK server is back", before)
            manager.hears("READY=1", before)
        before = len(manager.told)
        manager.process.send_signal(signal.SIGTERM)
        until("it ends", lambda: manager.listen(0.05) is not None and manager.process.poll() is not None)
        manager.listen(0.1)
        if "STOPPING=1" not in manager.told[before:]:
            raise Complaint(f"it does not say that it ends: {manager.told[before:]}")
        if str(manager.process.returncode) not in unit()["SuccessExitStatus"].split():
            raise Complaint(f"ended by systemd its exit status is {manager.process.returncode}")
    return f"ready when it plays, {found} beats in three patiences" + (", gone and back told" if restarts else "")


def perform(program, folder):
    """Runs, inside a sandbox, a service with a path, and one with an abstract name."""
    try:
        words = [live(program, folder, f"@proscenium-check-{os.getpid()}", False), live(program, folder, str(folder / "notify"), True)]
    except (Complaint, RuntimeError, OSError) as complaint:
        return str(complaint)
    (folder / "said").write_text("; ".join(words))
    return None


def notified(program):
    with tempfile.TemporaryDirectory() as name:
        run = subprocess.run([*Jackd.sandbox(), sys.executable, __file__, "--inside", program, name], capture_output=True, text=True,
                             check=False)
        if run.returncode != 0:
            return False, (run.stdout + run.stderr).strip()[-600:]
        return True, (pathlib.Path(name) / "said").read_text()


def retried(program):
    """Checks that without a server the unit restarts, and with a wrong option it does not."""
    nobody = dict(os.environ, JACK_DEFAULT_SERVER=f"nobody-{os.getpid()}", JACK_NO_START_SERVER="1",
                  XDG_RUNTIME_DIR=os.path.join(tempfile.gettempdir(), f"absent-{os.getpid()}", "run"))
    prevented, port = unit()["RestartPreventExitStatus"].split(), str(free_ports(1)[0])
    codes = [subprocess.run([program, *unit()["ExecStart"].split()[1:], "--control", port, *options], env=nobody, capture_output=True,
                            stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False).returncode
             for options in ([], ["--layout", "9.9"], ["--nonsense"])]
    well = str(codes[0]) not in prevented + ["0"] and all(str(code) in prevented for code in codes[1:])
    return well, f"exit statuses {codes[0]} without a server, {codes[1]} and {codes[2]} with wrong words; not tried again: {prevented}"


def checked(_):
    """Checks the unit with systemd-analyze."""
    if not shutil.which("systemd-analyze"):
        return None, "systemd-analyze is not installed (systemd)"
    with tempfile.TemporaryDirectory() as name:
        run = subprocess.run(["systemd-analyze", "verify", "--user", ROOT / "Packaging/systemd/proscenium.service"], capture_output=True,
                             text=True, env=dict(os.environ, XDG_RUNTIME_DIR=name), check=False)
    wrong = [line for line in run.stderr.splitlines() if not any(word in line for word in FOREIGN)]
    return not wrong, "systemd finds nothing wrong in it" if not wrong else "; ".join(wrong)


def installed(program):
    """Checks the files that `make install` installs, and that `make uninstall` removes them."""
    with tempfile.TemporaryDirectory() as name:
        prefix = pathlib.Path(name) / "usr"
        prefix.mkdir()
        subprocess.run([ROOT / "Scripts/install", prefix, program], check=True, stdout=subprocess.DEVNULL)
        found = (prefix / "share/systemd/user/proscenium.service").read_text()
        templates = list(prefix.glob("share/proscenium/**/client_templates/*/client_templates.xml"))
        if found != (ROOT / "Packaging/systemd/proscenium.service").read_text() or len(templates) != 1:
            return False, f"the unit has {len(found)} bytes, the templates are {templates}"
        tree = xml.parse(templates[0]).getroot()
        clients = [client.attrib for client in tree if client.tag == "Client-Template"]
        if tree.tag != "RAY-CLIENT-TEMPLATES" or len(clients) != 1:
            return False, f"no template in {tree.tag}"
        client = clients[0]
        if not client["template-name"] or "/" in client["template-name"] or not (prefix / "bin" / client["executable"]).exists():
            return False, f"a template that RaySession passes over: {client}"
        parsed = subprocess.run([program, *client["arguments"].split(), "--help"], capture_output=True, text=True, check=False)
        if parsed.returncode != 0 or not re.search(r"USAGE: proscenium run", parsed.stdout):
            return False, f"the program does not take '{client['arguments']}'"
        # Below ~/.local the same folder holds the user's own sets; an older installation's files are removed.
        own = prefix / "share/proscenium/hrtf/mine.sofa"
        note = prefix / "share/proscenium/Examples/note.txt"
        own.parent.mkdir()
        for path in (own, note):
            path.write_text("mine")
        listed = prefix / "share/proscenium/installed-files"
        outside = pathlib.Path(name) / "outside"
        outside.write_text("not installed")
        whole = listed.read_text()
        listed.write_text(whole + "../outside\n")
        refused = subprocess.run([ROOT / "Scripts/uninstall", prefix], capture_output=True, text=True, check=False)
        if refused.returncode != 1 or "../outside" not in refused.stderr or not outside.exists() or not (prefix / "bin/proscenium").exists():
            return False, f"a list with a path outside: {refused}"
        listed.write_text(whole + "share/proscenium/Examples/older.txt\n")
        (prefix / "share/proscenium/Examples/older.txt").write_text("of an older version")
        subprocess.run([ROOT / "Scripts/install", prefix, program], check=True, stdout=subprocess.DEVNULL)
        if (prefix / "share/proscenium/Examples/older.txt").exists() or "older.txt" in listed.read_text():
            return False, "a file of the version before stays, or is in the list"
        subprocess.run([ROOT / "Scripts/uninstall", prefix], check=True, stdout=subprocess.DEVNULL)
        left = sorted(path for path in prefix.rglob("*") if path.is_file())
        if left != sorted((own, note)):
            return False, f"left: {left}"
        # Folders that the installation made are removed; earlier ones stay.
        for before in ([], ["share/man", "share/doc"]):
            fresh = pathlib.Path(name) / f"fresh{len(before)}"
            for folder in before:
                (fresh / folder).mkdir(parents=True)
            for _ in range(2):
                subprocess.run([ROOT / "Scripts/install", fresh, program], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([ROOT / "Scripts/uninstall", fresh], check=True, stdout=subprocess.DEVNULL)
            left = sorted(str(path.relative_to(fresh)) for path in fresh.rglob("*")) if fresh.exists() else None
            if left != (sorted(["share", *before]) if before else None):
                return False, f"where there was {before or 'nothing'}, there is left: {left}"
        return True, "unit and template are where they are looked for, and go, with the folders; the user's files stay"


def main(program):
    parts = {"told": notified, "tried again": retried, "unit": checked, "installed": installed}
    return tally("service", ((name, *part(program)) for name, part in parts.items()))


if __name__ == "__main__":
    enter(__doc__, main, perform)

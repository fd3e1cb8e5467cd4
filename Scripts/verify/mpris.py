#!/usr/bin/env python3
"""Checks the media player on the session's D-Bus, on a dbus-daemon of its own, by busctl, gdbus and playerctl: name,
title, length and track of a preview; play, pause, seek, next, volume; signals after changes by other control
interfaces; malformed and excessive requests; `run`, paused by an interruption; `--mpris off`; that the name disappears
with the program; that the thread sleeps while nothing changes; and that sessions play without bus or library.

usage: mpris.py PROGRAM
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav
from takes import PATIENCE, RATE, Complaint, Program, Stage, enter, free_ports, said_inside, stop, tally

ROOT, PLAYER, OBJECT = "org.mpris.MediaPlayer2", "org.mpris.MediaPlayer2.Player", "/org/mpris/MediaPlayer2"
PORT = str(free_ports(1)[0])
#: Lengths of the two files, seconds.
LENGTHS = (60, 20)
#: Programs of the check, with their Debian packages.
NEEDS = {"dbus-daemon": "dbus", "busctl": "systemd", "gdbus": "libglib2.0-bin", "playerctl": "playerctl"}
#: Number of consecutive calls, as from a faulty client.
FLOOD = 300


def until(what, holds):
    """Waits until `holds()` is true, and returns its value."""
    end = time.monotonic() + PATIENCE
    while not (value := holds()):
        if time.monotonic() > end:
            raise Complaint(f"never {what}")
        time.sleep(0.02)
    return value


def expect(what, have, want):
    if have != want:
        raise Complaint(f"{what}: {have!r}, not {want!r}")


class Bus(Program):
    """A private session bus, which the environment names from now on."""

    def __init__(self, folder):
        address = f"unix:path={folder}/bus"
        super().__init__(["dbus-daemon", "--session", "--nofork", f"--address={address}"], folder, stdout=subprocess.DEVNULL)
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
        until("there was a bus", (folder / "bus").exists)

    def names(self):
        """Returns the names of media players of this program."""
        said = subprocess.run(["busctl", "--user", "list", "--no-legend"], capture_output=True, text=True, check=True).stdout
        return {line.split()[0] for line in said.splitlines() if line.startswith(ROOT + ".proscenium.")}


class Remote:
    """A media player by its process."""

    def __init__(self, process):
        self.name = f"{ROOT}.proscenium.instance{process}"

    def busctl(self, *words):
        return subprocess.run(["busctl", "--user", "--json=short", *words], capture_output=True, text=True)

    def get(self, name, interface=PLAYER):
        """Returns a property by busctl; None if it cannot be read."""
        run = self.busctl("get-property", self.name, OBJECT, interface, name)
        return json.loads(run.stdout)["data"] if run.returncode == 0 else None

    def set(self, name, kind, value):
        """Sets a property by busctl. Returns whether it was accepted."""
        return self.busctl("set-property", self.name, OBJECT, PLAYER, name, kind, "--", str(value)).returncode == 0

    def call(self, method, *words, interface=PLAYER):
        """Calls a method by busctl. Returns the words of the refusal, '' without one."""
        run = self.busctl("call", self.name, OBJECT, interface, method, *words)
        return "" if run.returncode == 0 else run.stderr.strip() or "refused"

    def gdbus(self, method, *words):
        return subprocess.run(["gdbus", "call", "--session", "--dest", self.name, "--object-path", OBJECT, "--method", method, *words],
                              capture_output=True, text=True).stdout.strip()

    def playerctl(self, *words):
        run = subprocess.run(["playerctl", "--player", self.name.removeprefix(ROOT + "."), *words], capture_output=True, text=True)
        if run.returncode != 0:
            raise Complaint(f"playerctl {' '.join(words)}: {run.stderr.strip()}")
        return run.stdout.strip()

    @property
    def seconds(self):
        return self.get("Position") / 1e6


class Preview(Program):
    """A preview of the two files."""

    def __init__(self, program, folder, *options):
        self.program = program
        super().__init__([program, "preview", "First tune.wav", "second.wav", "--quiet", "--room", "none", "--control", PORT, *options],
                         folder)
        self.remote = Remote(self.process.pid)

    def ctl(self, *words):
        subprocess.run([self.program, "ctl", words[0], "--port", PORT, *words[1:]], capture_output=True, text=True, check=True)

    def status(self):
        said = subprocess.run([self.program, "status", "--json", "--port", PORT], capture_output=True, text=True)
        return json.loads(said.stdout) if said.returncode == 0 else {}

    def until_playing(self):
        until("Playing", lambda: self.remote.get("PlaybackStatus") == "Playing")


def furnish(folder):
    for name, seconds in zip(("First tune", "second"), LENGTHS):
        floatwav.write(folder / f"{name}.wav", np.zeros((RATE * seconds, 2)), RATE)


def tracks(preview, remote):
    """Judges title, length, track, identity and abilities, by three clients."""
    expect("title by playerctl", remote.playerctl("metadata", "xesam:title"), "First tune")
    expect("length by playerctl", remote.playerctl("metadata", "mpris:length"), str(LENGTHS[0] * 1_000_000))
    expect("track by playerctl", remote.playerctl("metadata", "mpris:trackid"), "'/org/proscenium/track/1'")
    expect("URL", remote.get("Metadata")["xesam:url"]["data"], (pathlib.Path.cwd() / "First tune.wav").as_uri())
    expect("identity by gdbus", remote.gdbus("org.freedesktop.DBus.Properties.Get", ROOT, "Identity"), "(<'Proscenium'>,)")
    expect("abilities", [remote.get(name) for name in ("CanGoNext", "CanSeek", "CanPlay", "CanPause", "CanControl")], [True] * 5)
    return f"'First tune', {LENGTHS[0]} s, by busctl, gdbus and playerctl"


def standing(remote):
    """Returns the position once it no longer changes: the sound ends with a fade of some milliseconds after the
    pause."""
    end, position = time.monotonic() + PATIENCE, remote.seconds
    while time.monotonic() < end:
        time.sleep(0.05)
        former, position = position, remote.seconds
        if position == former:
            return position
    raise Complaint("the position never stands")


def plays(preview, remote):
    """Judges play, pause, and a position that stops and advances again."""
    remote.playerctl("pause")
    expect("status after pause", remote.playerctl("status"), "Paused")
    stood = standing(remote)
    time.sleep(0.3)
    expect("position while paused", remote.seconds, stood)
    remote.playerctl("play")
    expect("status after play", remote.playerctl("status"), "Playing")
    until("further", lambda: remote.seconds > stood + 0.2)
    remote.playerctl("play-pause")
    expect("status after play-pause", remote.get("PlaybackStatus"), "Paused")
    remote.gdbus(f"{PLAYER}.PlayPause")
    expect("status after PlayPause by gdbus", remote.get("PlaybackStatus"), "Playing")
    return "play, pause and play-pause, each in force when it is answered"


def seeks(preview, remote):
    """Judges seeking, with the player paused, so that the positions are exact."""
    remote.playerctl("pause")
    remote.playerctl("position", "30")
    expect("position by playerctl", round(remote.seconds, 3), 30)
    remote.playerctl("position", "5+")
    expect("after 5 s on", round(remote.seconds, 3), 35)
    remote.call("Seek", "x", "--", "-10000000")
    expect("after 10 s back, by busctl", round(remote.seconds, 3), 25)
    for track, at in (("/org/proscenium/track/2", 1), ("/org/proscenium/track/1", -1), ("/org/proscenium/track/1", 61_000_000)):
        remote.call("SetPosition", "ox", "--", track, str(at))
        expect(f"after SetPosition {track} {at}", round(remote.seconds, 3), 25)
    remote.call("Seek", "x", "3600000000")
    until("the second file, after a seek beyond the end", lambda: remote.playerctl("metadata", "xesam:title") == "second")
    until("at its beginning", lambda: remote.seconds < 1)
    expect("CanGoNext at the last file", remote.get("CanGoNext"), False)
    remote.playerctl("loop", "Playlist")
    until("next again, as the list repeats", lambda: remote.get("CanGoNext"))
    remote.playerctl("next")
    until("the first file", lambda: remote.playerctl("metadata", "xesam:title") == "First tune")
    remote.playerctl("stop")
    expect("after stop", (remote.get("PlaybackStatus"), remote.seconds), ("Paused", 0))
    remote.playerctl("play")
    return "positions to the millisecond; stale and impossible ones change nothing; beyond the end plays the next file"


def volumes(preview, remote):
    """Judges the volume, which is the monitor's level."""
    remote.playerctl("volume", "0.5")
    until("-18.1 dB", lambda: preview.status()["monitor"]["level"] == -18.1)
    expect("volume by playerctl", remote.playerctl("volume"), f"{10 ** (-18.1 / 60):f}")
    remote.set("Volume", "d", 100)
    until("0 dB at most", lambda: preview.status()["monitor"]["level"] == 0)
    preview.ctl("monitor-level", "-30")
    until("what another door set", lambda: abs(remote.get("Volume") - 10 ** -0.5) < 1e-9)
    remote.set("Volume", "d", 0)
    until("-120 dB", lambda: preview.status()["monitor"]["level"] == -120)
    remote.playerctl("volume", "1")
    until("0 dB again", lambda: preview.status()["monitor"]["level"] == 0)
    return "0.5 is -18.1 dB, 100 is 0 dB, 0 is -120 dB; -30 dB by ctl is 0.316"


def signals(preview, remote):
    """Judges the signals after changes by another control interface."""
    with Program(["gdbus", "monitor", "--session", "--dest", remote.name], ".", stdout=subprocess.PIPE) as monitor:
        pipe, heard = monitor.process.stdout.fileno(), [""]
        os.set_blocking(pipe, False)

        def hears(pattern):
            try:
                heard[0] += os.read(pipe, 1 << 16).decode()
            except BlockingIOError:
                pass
            return re.search(pattern, heard[0])
        until("watched", lambda: hears("is owned by"))
        preview.ctl("pause", "on")
        until("told of the pause", lambda: hears(r"PropertiesChanged \('org.mpris.MediaPlayer2.Player', \{'PlaybackStatus': <'Paused'>"))
        preview.ctl("seek", "12.5")
        until("told of the jump", lambda: hears(r"Player.Seeked \(int64 12500000,\)"))
        preview.ctl("skip")
        until("told of the track", lambda: hears(r"'Metadata': <\{.*'xesam:title': <'second'>"))
        preview.ctl("skip", "-1")
        preview.ctl("pause", "off")
        until("told of all", lambda: hears("'Playing'"))
        # Two seconds of playback cause no signal, and do not wake the thread.
        time.sleep(0.5)
        hears("")
        before, first = len(heard[0]), wakes(preview.process.pid)
        time.sleep(2)
        hears("")
        expect("signals while it only plays", heard[0][before:], "")
        expect("wakes of the thread while it only plays", wakes(preview.process.pid) - first, 0)
    return "pause, jump and track are told once; two seconds of playing wake the thread 0 times"


def wakes(process):
    """Returns how often the thread was switched in."""
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        if (task / "comm").read_text().strip() == "media keys":
            said = (task / "status").read_text()
            return sum(int(n) for n in re.findall(r"ctxt_switches:\s+(\d+)", said))
    raise Complaint("there is no thread 'media keys'")


def hostile(preview, remote):
    """Judges malformed and excessive requests."""
    refused = [("Seek", "s", "x"), ("SetPosition", "ox", "not/a/path", "1"), ("Dance",), ("OpenUri", "s", "file:///etc/passwd")]
    for words in refused:
        if not remote.call(*words):
            raise Complaint(f"{words} was accepted")
    for name, kind, value in (("Volume", "d", "nan"), ("Volume", "d", "inf"), ("Volume", "s", "loud"), ("Rate", "d", 2), ("Position", "x", 1),
                              ("LoopStatus", "s", "Track"), ("LoopStatus", "s", "x" * 100_000), ("Identity", "s", "x")):
        if remote.set(name, kind, value):
            raise Complaint(f"{name} {str(value)[:20]} was accepted")
    for offset in (2 ** 63 - 1, -2 ** 63):
        remote.call("Seek", "x", "--", str(offset))
    begin = time.monotonic()
    crowd = [subprocess.Popen(["busctl", "--user", "call", remote.name, OBJECT, PLAYER, "PlayPause"], stderr=subprocess.DEVNULL)
             for _ in range(FLOOD)]
    for one in crowd:
        one.wait(timeout=PATIENCE)
    expect("after an even count of PlayPause", {remote.get("PlaybackStatus"), *(one.returncode for one in crowd)}, {"Playing", 0})
    return f"{len(refused) + 8} refused; {FLOOD} calls at once carried out in {time.monotonic() - begin:.1f} s"


def live(program, folder, bus):
    """Judges `run`, which has no file: paused by an interruption; its player disappears at SIGTERM."""
    with Stage(program, folder, PORT, "ears") as stage:
        stage.status
        remote = Remote(stage.process.pid)
        until("there", lambda: remote.name in bus.names())
        expect("title", remote.playerctl("metadata", "xesam:title"), "proscenium: 5.1")
        expect("abilities", [remote.get(name) for name in ("CanGoNext", "CanSeek", "CanPause")], [False, False, True])
        remote.playerctl("pause")
        expect("interruptions", [one["name"] for one in stage.status["playback"]["interruptions"]], ["media-keys"])
        remote.playerctl("play")
        expect("interruptions after play", stage.status["playback"]["interruptions"], [])
        stage.process.terminate()
        stage.process.wait(timeout=PATIENCE)
        until("gone", lambda: not bus.names())
    return "paused and resumed by the interruption 'media-keys'; gone with SIGTERM"


def without(program, folder, bus):
    """Judges sessions without the player: by option, without the library, without the bus."""
    with Preview(program, folder, "--mpris", "off") as preview:
        until("playing", lambda: "session" in preview.status() or "streamFrame" in preview.status())
        expect("names with --mpris off", bus.names(), set())
    library = subprocess.run(["sh", "-c", "ldconfig -p | sed -n 's/.*libsystemd.so.0 .*=> //p' | head -n 1"], capture_output=True, text=True).stdout.strip()
    hidden = ["unshare", "--mount", "--propagation", "private", "sh", "-c", f'mount --bind /dev/null "{os.path.realpath(library)}" && exec "$@"', "sh"]
    said = "library not hidden: mount namespaces are not permitted here"
    if subprocess.run([*hidden, "true"], capture_output=True).returncode == 0:
        run = subprocess.run([*hidden, program, "preview", "short.wav", "--quiet", "--room", "none", "--control", PORT], cwd=folder,
                             capture_output=True, text=True, timeout=PATIENCE)
        expect("exit without the library", run.returncode, 0)
        if "media keys: libsystemd.so.0" not in run.stderr:
            raise Complaint(f"without the library: {run.stderr}")
        said = "without libsystemd it plays and says so"
    with Preview(program, folder) as preview:
        preview.until_playing()
        stop(bus.process)
        until("told", lambda: (line := preview.process.stderr.readline()) == "" or "D-Bus has ended" in line)
        time.sleep(0.3)
        if preview.process.poll() is not None:
            raise Complaint("the preview ended with the bus")
    return f"no name with --mpris off; {said}; it outlives the bus"


def perform(program, folder):
    """Makes all parts inside a sandbox, and writes their outcomes to `said`."""
    furnish(folder)
    floatwav.write(folder / "short.wav", np.zeros((RATE // 2, 2)), RATE)
    os.chdir(folder)
    said = {}

    def judge(name, part, *arguments):
        try:
            said[name] = [True, part(*arguments)]
        except (Complaint, subprocess.SubprocessError, KeyError, TypeError) as fault:
            said[name] = [False, f"{type(fault).__name__}: {fault}"]
    with Bus(folder) as bus:
        with Preview(program, folder) as preview:
            try:
                preview.until_playing()
            except Complaint as fault:
                stop(preview.process)
                return f"{fault}: {preview.process.stderr.read()}"
            expect("names", bus.names(), {preview.remote.name})
            for part in (tracks, plays, seeks, volumes, signals, hostile):
                judge(part.__name__, part, preview, preview.remote)

            def ends():
                expect("refusal of Quit", preview.remote.call("Quit", interface=ROOT), "")
                expect("exit status", preview.process.wait(timeout=PATIENCE), 0)
                expect("names after the end", bus.names(), set())
                return "Quit ends the preview with 0; the name is gone"
            judge("quit", ends)
        judge("run", live, program, folder, bus)
        judge("without", without, program, folder, bus)
    (folder / "said").write_text(json.dumps(said))
    return None


def main(program):
    missing = [f"{package} ({name})" for name, package in NEEDS.items() if not shutil.which(name)]
    if missing:
        return tally("mpris", [("all", False, f"not installed: {', '.join(missing)}")])
    return tally("mpris", said_inside(__file__, program))


if __name__ == "__main__":
    enter(__doc__, main, perform)

#!/usr/bin/env python3
"""Checks that a file played by `preview` through a real JACK server equals its `render`, sample for sample, with the
loudness, compression, position and width of its metadata; seeking and pausing by keys and by `ctl` does not click; a
file at another rate plays to its end; files of different layouts are recorded separately; a program that is stopped at
its start begins later; and the camera of an Audio Mix turns along its file.

usage: preview.py PROGRAM
"""
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "Examples" / "capture")]
import make
from listening import floatwav
from portplay import Surface
from takes import PATIENCE, RATE, enter, free_ports, side_by_side, tally, trouble, until_whole

SECONDS = 3
PORT = str(free_ports(1)[0])
PERIODS = [256, 1000]
#: Duration of the file at another rate, and of the file of one channel, seconds.
OTHER, ONE = 2, 1
TONE, LEVEL = 440, 0.2
#: Duration of a talker at 30°, and of a camera that looks there and then turns its back, seconds.
TALK, TURN = 10, 5
SOUND = ["--room", "none", "--limiter", "off", "--control", PORT, "--record", "live.wav", "--overwrite"]


def furnish(folder):
    """Writes six channels of seeded noise; a tone; the tone at another rate."""
    random = np.random.default_rng(8)
    floatwav.write(folder / "programme.wav", 0.05 * random.standard_normal((RATE * SECONDS, 6)), RATE)
    (folder / "programme.wav.json").write_text(json.dumps(
        {"dialnorm": -24, "drc": "film-standard", "place": {"yaw": 20}, "width": 30}))
    floatwav.write(folder / "one.wav", 0.05 * random.standard_normal(RATE * ONE), RATE)
    for name, rate, seconds in (("tone", RATE, 180), ("other", 44100, OTHER)):
        # With a soft start, so that any click is the player's.
        soft = np.minimum(1, np.arange(rate * seconds) / (0.05 * rate)) if name == "tone" else 1
        wave = LEVEL * soft * np.sin(2 * np.pi * TONE * np.arange(rate * seconds) / rate)
        floatwav.write(folder / f"{name}.wav", np.stack([wave, wave], 1), rate)
    along = np.array([1, np.sin(np.radians(30)), 0, np.cos(np.radians(30))])
    field = make.voice(TALK, 120)[:, None] * along
    floatwav.write(folder / "field.wav", field + 5e-4 * random.standard_normal(field.shape), RATE)
    (folder / "camera.csv").write_text(f"0,30\n{TURN},30\n{TURN}.1,-150\n")


def skipped():
    """Returns the skipped frames that the session reports; None before it has a stage."""
    try:
        return json.loads(Surface(PORT).ask("/proscenium/status", patience=2)).get("skippedFrames")
    except (OSError, RuntimeError):
        return None


def play_whole(program, folder):
    """Plays the programme, in freewheel as soon as it has begun."""
    process = subprocess.Popen([program, "preview", "programme.wav", "--layout", "5.1", "--quiet", *SOUND], cwd=folder,
                               stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    fast = False
    while process.poll() is None:
        if not fast and skipped() is not None:
            fast = subprocess.run(["jack_freewheel", "y"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        time.sleep(0.05)
    subprocess.run(["jack_freewheel", "n"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    said = process.stderr.read()
    late = re.search(r"could not be read in time", said)
    # The end reports all frames that the server skipped, also those read from the status before.
    gone = re.search(r"skipped (\d+) frames", said)
    return None if process.returncode == 0 else said, {"skipped": int(gone[1]) if gone else 0, "late": bool(late), "fast": fast}


def play_late(program, folder):
    """Stops the whole program for longer than the interval between its connections and its first frame."""
    process = subprocess.Popen([program, "preview", "programme.wav", "--layout", "5.1", "--quiet", *SOUND], cwd=folder,
                               stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    # Each of the player's six ports is listed itself and below its connected input.
    while process.poll() is None and subprocess.run(
            ["jack_lsp", "-c"], capture_output=True, text=True).stdout.count("-player:out_") < 12:
        time.sleep(0.01)
    process.send_signal(signal.SIGSTOP)
    time.sleep(1.5)
    process.send_signal(signal.SIGCONT)
    said = process.stderr.read()
    return None if process.wait(timeout=PATIENCE) == 0 else said, {"late": "could not be read in time" in said}


def play_by_keys(program, folder):
    """Plays the tone with a terminal attached: right, up, down, pause, resume, louder, quit."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([program, "preview", "tone.wav", *SOUND], cwd=folder, stdin=theirs, stderr=subprocess.PIPE,
                               text=True)
    os.close(theirs)
    # Status answers once the stage plays.
    end = time.monotonic() + PATIENCE
    while process.poll() is None and skipped() is None:
        if time.monotonic() > end:
            process.kill()
            return "the preview does not answer", {}
        time.sleep(0.1)
    time.sleep(1)
    for key in (b"\x1b[C", b"\x1b[A", b"\x1b[B", b" ", b" ", b"+", b"-", b"\x1b[D", b"q"):
        if key == b"q":
            for words in (("seek", "1:40"), ("pause", "on"), ("pause",), ("seek", "+7"), ("seek", "--", "-2")):
                # Options come before values that may begin with a sign.
                asked = [words[0], "--port", PORT, *words[1:]]
                answer = subprocess.run([program, "ctl", *asked], capture_output=True, text=True)
                if answer.returncode != 0:
                    return f"ctl {' '.join(words)}: {answer.stderr}", {}
                time.sleep(0.4)
        os.write(ours, key)
        time.sleep(0.4)
    code = process.wait(timeout=PATIENCE)
    said = process.stderr.read()
    os.close(ours)
    return None if code == 0 else said, {"skipped": "skipped" in said}


def perform(program, folder):
    """Runs inside the sandbox."""
    what = (folder / "what").read_text()
    note = {}
    if what == "whole":
        fault, note = play_whole(program, folder)
    elif what == "keys":
        fault, note = play_by_keys(program, folder)
    elif what == "late":
        fault, note = play_late(program, folder)
    elif what == "camera":
        answer = subprocess.run([program, "preview", "field.wav", "--layout", "ambi1", "--mix", "in-frame", "--mix-keep", "speech",
                                 "--camera-heading", "./camera.csv", "--quiet", *SOUND], cwd=folder, capture_output=True, text=True,
                                timeout=120)
        fault = None if answer.returncode == 0 else answer.stderr
        note = {"late": "could not be read in time" in answer.stderr}
    else:
        files = ["other.wav", "other.wav"] if what == "other" else ["other.wav", "one.wav"]
        answer = subprocess.run([program, "preview", *files, "--quiet", *SOUND], cwd=folder, capture_output=True, text=True,
                                timeout=120)
        fault = None if answer.returncode == 0 else answer.stderr
        note = {"late": "could not be read in time" in answer.stderr}
    (folder / "note.json").write_text(json.dumps(note))
    return fault


def judge_whole(program, folder, period):
    note = json.loads((folder / "note.json").read_text())
    subprocess.run([program, "render", "-y", "programme.wav", "offline.wav", "--layout", "5.1", "--limiter", "off", "--block",
                    str(period), "--no-tail"], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    live, _ = floatwav.read(folder / "live.wav")
    offline, _ = floatwav.read(folder / "offline.wav")
    if note["skipped"] or note["late"]:
        return None, f"the server skipped {note['skipped']} frames" + ", a read was late" * note["late"]
    if len(live) < len(offline):
        return False, f"only {len(live)} of {len(offline)} frames were heard"
    different = np.count_nonzero(live[:len(offline)] != offline)
    return different == 0, f"{len(offline)} frames{', in freewheel' if note['fast'] else ''}, {different} samples differ from render"


def judge_late(program, folder, period):
    subprocess.run([program, "render", "-y", "programme.wav", "offline.wav", "--layout", "5.1", "--limiter", "off", "--block",
                    str(period), "--no-tail"], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    live, _ = floatwav.read(folder / "live.wav")
    offline, _ = floatwav.read(folder / "offline.wav")
    if len(live) < len(offline):
        return False, f"only {len(live)} of {len(offline)} frames were heard"
    # Skips of the server at the beginning are no fault here; later ones are the machine's.
    begins = RATE // 10
    different = np.count_nonzero(live[:begins] != offline[:begins])
    return True if different == 0 else None, f"stopped for 1.5 s as it was to begin: {different} samples of the first {begins} frames differ from render"


def judge_keys(folder):
    if json.loads((folder / "note.json").read_text())["skipped"]:
        return None, "the server skipped sound"
    live, _ = floatwav.read(folder / "live.wav")
    # A click is a jump of the second difference; the tone's own second difference at the ears is bounded by its level
    # and frequency.
    own = (2 * np.pi * TONE / RATE) ** 2 * np.max(np.abs(live))
    worst = np.max(np.abs(np.diff(live, 2, axis=0)))
    seconds = len(live) / RATE
    silent = np.mean(np.all(np.abs(live) < 1e-6, 1)) * seconds
    fine = worst < 4 * own and 2 < seconds < 30 and silent > 0.2
    return fine, f"{seconds:.1f} s heard, largest second difference {20 * np.log10(worst / own):.1f} dB over the tone's own"


def judge_other(folder):
    live, _ = floatwav.read(folder / "live.wav")
    note = json.loads((folder / "note.json").read_text())
    loud = np.flatnonzero(np.any(np.abs(live) > 1e-3, 1))
    seconds = (loud[-1] - loud[0]) / RATE if len(loud) else 0
    return (None if note["late"] else abs(seconds - 2 * OTHER) < 0.02), f"two files of {OTHER} s at 44.1 kHz: {seconds:.3f} s at 48 kHz"


def judge_acts(folder):
    lengths = []
    for name in ("live.wav", "live-2.wav"):
        live, _ = floatwav.read(folder / name)
        loud = np.flatnonzero(np.any(np.abs(live) > 1e-3, 1))
        lengths.append((loud[-1] - loud[0]) / RATE if len(loud) else 0)
    note = json.loads((folder / "note.json").read_text())
    fine = abs(lengths[0] - OTHER) < 0.02 and abs(lengths[1] - ONE) < 0.02
    return (None if note["late"] else fine), f"stereo, then mono: {lengths[0]:.3f} s and {lengths[1]:.3f} s in files of their own"


def judge_camera(folder):
    live, _ = floatwav.read(folder / "live.wav")
    note = json.loads((folder / "note.json").read_text())
    heard, gone = (10 * np.log10(np.mean(live[RATE * at:RATE * (at + 2)] ** 2) + 1e-12) for at in (TURN - 3, TURN + 2))
    return None if note["late"] else heard - gone > 20, f"a talker in the picture at {heard:.1f} dB, behind the camera at {gone:.1f} dB"


def rehearse(program, what, period):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        (folder / "what").write_text(what)
        # A server that waits for its clients would stop with the program.
        sync = [] if what == "late" else ["--sync"]
        take = subprocess.run([HERE.parent / "jack-sandbox", *sync, "--period", str(period), sys.executable, __file__, "--inside",
                               program, name], capture_output=True, text=True)
        if wrong := trouble(take):
            return wrong
        if what == "whole":
            return judge_whole(program, folder, period)
        if what == "late":
            return judge_late(program, folder, period)
        return {"keys": judge_keys, "other": judge_other, "acts": judge_acts, "camera": judge_camera}[what](folder)


def main(program):
    def outcome(what, period):
        return f"{what:6} period {period:5}", *until_whole(f"{what} {period}", lambda: rehearse(program, what, period))
    takes = [("whole", p) for p in PERIODS] + [("late", 1024), ("keys", 512), ("other", 512), ("acts", 512), ("camera", 512)]
    return tally("preview", side_by_side(outcome, takes))


if __name__ == "__main__":
    enter(__doc__, main, perform)

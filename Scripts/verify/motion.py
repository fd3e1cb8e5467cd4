#!/usr/bin/env python3
"""Checks that a motion log reproduces a session. A stage runs in real time on a JACK server, with head and device moved
by UDP packets and commands to its inputs, and records sound and motion; `render --motion` then gives exactly the
recorded samples, and so does `run --motion`.

The server is synchronous and the periods are long, so that a busy computer delays cycles and does not omit a client.

usage: motion.py PROGRAM
"""
import json
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav, rotations
from takes import RATE, Complaint, Stage, enter, free_ports, side_by_side, tally, trouble, until_whole

SECONDS = 3
CONTROL, HEAD, DEVICE = free_ports(3)
#: Frames per period; the last is not a multiple of a slice.
PERIODS = [256, 1024, 1000]
#: Period and room of the takes with a room around the stage.
ROOMS = [(256, "studio")]
#: Commands during the sound, evenly distributed over it.
ASKED = [("mode", "fixed"), ("level", "2"), ("width", "50"), ("place", "40"), ("loudspeaker", "FC", "mute", "on"),
         ("mode", "tracked"), ("loudspeaker", "SL", "polarity", "on"), ("spatialize", "none"), ("spatialize", "all"),
         ("width", "0"), ("level", "0")]


def furnish(folder):
    """Writes six channels of seeded noise."""
    sound = 0.05 * np.random.default_rng(11).standard_normal((RATE * SECONDS, 6))
    floatwav.write(folder / "programme.wav", sound, RATE)


def shake(ended):
    """Sends head and device as two trackers do, until the event is set."""
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    begun = time.monotonic()
    while not ended.wait(0.01):
        t = time.monotonic() - begun
        device = rotations.from_angles(60 * np.sin(0.9 * t), 3 * np.sin(2 * t), 2 * np.sin(1.3 * t))
        head = rotations.multiply(device, rotations.from_angles(50 * np.sin(2.3 * t), 12 * np.sin(1.7 * t), 5 * np.sin(t)))
        yaw, pitch, roll = rotations.angles(device)
        sender.sendto(b"/quaternion\0,ffff\0\0\0" + struct.pack(">4f", *head), ("127.0.0.1", HEAD))
        sender.sendto(struct.pack("<6d", 0, 0, 0, -yaw, pitch, roll), ("127.0.0.1", DEVICE))


def take(program, folder, name, *options, asked=()):
    """Makes one take of the programme, recorded into NAME.wav, with the commands in `asked`. Returns an error, or
    None."""
    try:
        with Stage(program, folder, CONTROL, name, *options) as stage:
            stage.play("programme.wav")
            stage.begun()
            before = stage.status["skippedFrames"]
            for number, words in enumerate(asked, 1):
                stage.wait_for(RATE * SECONDS * number // (len(asked) + 1))
                stage.ctl(*words)
            stage.wait_for(RATE * SECONDS)
            skipped = stage.status["skippedFrames"] - before
            stage.finish()
    except Complaint as complaint:
        return str(complaint)
    (folder / f"{name}.json").write_text(json.dumps({"skipped": skipped}))
    return None


def perform(program, folder, mover=shake):
    """Makes, inside a sandbox, one take with the trackers of `mover` and one from its log. Returns an error, or
    None."""
    room = json.loads((folder / "room.json").read_text())
    ended = threading.Event()
    moving = threading.Thread(target=mover, args=(ended,))
    moving.start()
    try:
        complaint = take(program, folder, "live", *room, "--record-motion", "motion.ndjson", "--head", f"osc:{HEAD}", "--device",
                         f"opentrack:{DEVICE}", asked=ASKED)
    finally:
        ended.set()
        moving.join()
    return complaint or take(program, folder, "again", *room, "--motion", "motion.ndjson")


def compare(program, folder):
    """Returns (whether all samples are equal, None if the server skipped sound; text)."""
    said = subprocess.run([program, "render", "-y", "programme.wav", "offline.wav", "--layout", "5.1", "--motion", "motion.ndjson",
                           "--no-tail", "--json", *json.loads((folder / "room.json").read_text())], cwd=folder, check=True, capture_output=True, text=True)
    remarks = json.loads(said.stdout)["motion"]
    if len(remarks) != 2 or f"{len(ASKED)} changes" not in remarks[1]:
        return False, "; ".join(remarks[1:]) or "no changes are played again"
    offline, _ = floatwav.read(folder / "offline.wav")
    lines = [json.loads(line) for line in open(folder / "motion.ndjson")]
    begin = max(number for number, line in enumerate(lines) if "start" in line)
    poses = np.array([line["pose"][1:5] for line in lines[begin:] if "pose" in line])
    samples = {who: sum(who in line for line in lines) for who in ("head", "device")}
    moved = np.count_nonzero(np.any(np.diff(poses, axis=0) != 0, 1))
    said = f"{len(offline)} frames, {moved} of {len(poses)} poses differ from the one before, {samples['head']} samples of the " \
        f"head, {samples['device']} of the device, {len(ASKED)} changes"
    if moved < 0.5 * len(poses) or min(samples.values()) < 50 * SECONDS:
        return False, f"nothing much moved: {said}"
    for name in ("live", "again"):
        if json.loads((folder / f"{name}.json").read_text())["skipped"]:
            return None, "the server skipped sound"
        heard, _ = floatwav.read(folder / f"{name}.wav")
        # Recording began with the first start; time 0 of the second stream is the start of the sound.
        heard = heard[np.argmax(np.any(heard, 1)) - np.argmax(np.any(offline, 1)):]
        if len(heard) < len(offline) or not np.any(offline):
            return False, f"{name}: only {len(heard)} of {len(offline)} frames were recorded"
        different = np.count_nonzero(heard[:len(offline)] != offline)
        if different:
            return False, f"{name}: {different} samples differ of {said}"
    if moved < 0.9 * len(poses):
        return None, f"the trackers were held up: {said}"
    return True, f"0 samples differ, live and again live; {said}"


def rehearse(program, period, script=__file__, compare=compare, room=()):
    """Makes a take on a separate server by `script --inside PROGRAM DIR` and judges it by `compare`; `room`: options
    that set a room around the stage."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        (folder / "room.json").write_text(json.dumps(room))
        run = subprocess.run([HERE.parent / "jack-sandbox", "--sync", "--period", str(period), sys.executable, script,
                              "--inside", program, name], capture_output=True, text=True)
        return trouble(run) or compare(program, folder)


def main(program):
    def outcome(period, room=None):
        label = f"period {period:5}" + (f", room {room}" if room else "")
        return label, *until_whole(label, lambda: rehearse(program, period, room=("--room", room) if room else ()))
    return tally("motion log = live", side_by_side(outcome, [(period,) for period in PERIODS] + ROOMS))


if __name__ == "__main__":
    enter(__doc__, main, perform)

#!/usr/bin/env python3
"""Tests each `--on-route-loss` when the headphones disappear, on jackd and on PipeWire: the headphones are a separate
JACK client that leaves in the middle of a tone and comes back; the session's messages and the recording of the ears are
judged.

usage: policies.py PROGRAM
"""
import ctypes
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav
from portplay import Patchbay, Surface
from takes import PATIENCE, RATE, Complaint, Stage, enter, free_ports, side_by_side, tally, trouble, until_whole

PORT = str(free_ports(1)[0])
POLICIES = ["patch", "mute", "reconnect", "continue", "quit"]
SERVERS = [("jackd", ["jack-sandbox", "--sync"]), ("PipeWire", ["pipewire-sandbox"])]
#: Duration of each part, seconds.
PART = 0.8


class Phones(Patchbay):
    """Headphones as a client: two ports connected to the ears."""

    def __init__(self):
        super().__init__("phones")
        register = self.jack.jack_port_register
        register.restype = ctypes.c_void_p
        register.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_ulong]
        is_input = 1
        for name in ("left", "right"):
            if not register(self.client, name.encode(), b"32 bit float mono audio", is_input, 0):
                raise RuntimeError("the phones get no ports")
        self.jack.jack_activate.argtypes = [ctypes.c_void_p]
        self.jack.jack_activate(self.client)


def furnish(folder):
    t = np.arange(RATE) / RATE
    floatwav.write(folder / "tones.wav", np.column_stack([0.05 * np.sin(2 * np.pi * 220 * t)] * 6), RATE)


def perform(program, folder):
    """Removes and restores the headphones inside a sandbox. Returns an error, or None."""
    policy = (folder / "policy").read_text()
    phones, bay = Phones(), Patchbay()
    try:
        with Stage(program, folder, PORT, "ears", "--on-route-loss", policy, "--connect-out", "phones:left,phones:right") as stage:
            stage.loop("tones.wav")
            surface = Surface(PORT)
            surface.until("playing")
            time.sleep(PART)
            phones.close()
            if policy == "quit":
                code = stage.process.wait(timeout=PATIENCE)
                said = stage.process.stderr.read()
                well = code == 3 and "phones:" in said and "route-loss quit" in said
                return None if well else f"it ended with code {code} and said: {said[-300:]}"
            surface.until("unconnected" if policy == "continue" else "held")
            time.sleep(PART)
            phones = Phones()
            if policy != "reconnect":
                for ear in (("L", "left"), ("R", "right")):
                    bay.connect(f"proscenium:out_{ear[0]}", f"phones:{ear[1]}")
            if policy == "mute":
                time.sleep(0.2)
                surface.until("held")
                surface.ask("/proscenium/resume")
            found = surface.until("playing")
            time.sleep(PART)
            found = surface.playback
            if (found["left"], found["right"], found["lost"]) != (["phones:left"], ["phones:right"], []):
                return f"the state at the end is wrong: {found}"
            stage.finish()
    except (Complaint, RuntimeError) as complaint:
        return str(complaint)
    return None


def judge(folder, policy):
    """Judges by the recording alone, since PipeWire sometimes skips sound, and its frame clock with it; returns (good,
    text)."""
    if policy == "quit":
        return True, "exit status 3"
    ears, _ = floatwav.read(folder / "ears.wav")
    window = RATE // 50
    peaks = np.abs(ears[:len(ears) // window * window]).max(1).reshape(-1, window).max(1)
    # Begins at the first sound; 1 in windows of exact silence.
    silent = (peaks[np.flatnonzero(peaks)[0]:] == 0).astype(int)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], silent, [0]])))
    stretches = [(begin, end) for begin, end in zip(edges[::2], edges[1::2]) if end - begin >= 5]
    level = 20 * np.log10(peaks[np.flatnonzero(peaks)[0]:] + 1e-12)
    if policy == "continue":
        return not stretches, f"sound at {np.median(level):.1f} dB without a silence"
    if len(stretches) != 1:
        return False, f"{len(stretches)} silences, not one"
    (begin, end), = stretches
    before, after = np.median(level[:begin]), np.median(level[end:])
    said = f"{before:.1f} dB before, silent for {(end - begin) / 50:.2f} s, {after:.1f} dB after"
    return abs(after - before) < 0.1 and (end - begin) / 50 > 0.75 * PART, said


def rehearse(program, sandbox, policy):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        (folder / "policy").write_text(policy)
        take = subprocess.run(
            [HERE.parent / sandbox[0], *sandbox[1:], sys.executable, __file__, "--inside", program, name], capture_output=True,
            text=True)
        return trouble(take) or judge(folder, policy)


def main(program):
    def outcome(server, sandbox, policy):
        label = f"{server}, {policy}"
        return label, *until_whole(label, lambda: rehearse(program, sandbox, policy))
    return tally("policies", side_by_side(outcome, [(*server, policy) for server in SERVERS for policy in POLICIES], hands=4))


if __name__ == "__main__":
    enter(__doc__, main, perform)

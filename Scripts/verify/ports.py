#!/usr/bin/env python3
"""Disconnects and reconnects ports at random under signal: 50 times, with PROSCENIUM_SOAK=1 a thousand. Requires no
click with --hold, no crash, and the right state at the end.

Two tones play into a 5.1 stage on jackd (synchronous, so that no cycle is lost on a busy machine). At random: an input
is disconnected and reconnected, or has another source in addition for a moment; one or both ears are disconnected, and
reconnected or patched to other ports, which must stay silent until `resume`; the ears change ports without a loss,
which must not interrupt the sound; an interruption ducks for a moment. Measured in the ears' recording, relative to its
first two seconds without changes:
  HF burst  energy above 8 kHz in 2 ms (floor -90 dBFS), the largest over the 99.5th percentile: at most +6 dB
  d2        largest second difference over the 99.9th percentile: at most +6 dB
  silences  exactly one per loss, no others; the median delay within MUTED_WITHIN
Without --hold the same changes of inputs are measured and printed, not judged.

usage: ports.py PROGRAM
"""
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav
from portplay import Patchbay, Surface
from takes import PATIENCE, RATE, Complaint, Stage, enter, free_ports, tally, trouble, until_whole

PORT = str(free_ports(1)[0])
TIMES = 1000 if os.environ.get("PROSCENIUM_SOAK") else 50
#: Seconds without changes of connections, at the beginning and the end.
CALM = 2.0
INPUTS = ["FL", "FR", "FC", "LFE", "SL", "SR"]
#: First destination of the ears, and the ports to which they are patched.
PHONES, OTHERS = ["system:playback_1", "system:playback_2"], ["system:playback_3", "system:playback_4"]
BOUND = 6.0
#: Greatest median delay from the disconnection to silence, milliseconds: the period in which it happens, one in
#: progress, and a fade of 5 ms. (After a stall JACK's estimate of its frame clock is off by some hundred ms for
#: seconds: single values are unreliable.)
MUTED_WITHIN = 40.0


def furnish(folder):
    """Writes a second of two tones in six channels, and a quieter version in a seventh; it loops without a seam."""
    t = np.arange(RATE) / RATE
    # All channels are in phase: a missing channel never makes the sum louder than in the calm part.
    channels = [0.05 * np.sin(2 * np.pi * 220 * t) + 0.025 * np.sin(2 * np.pi * 331 * t)] * 6
    channels.append(0.25 * channels[0])
    floatwav.write(folder / "tones.wav", 0.5 * np.column_stack(channels), RATE)


class Tearing:
    """Random changes of connections from a seed, with a record of them."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.chance = random.Random(seed)
        self.bay, self.surface = Patchbay(), Surface(PORT)
        self.ears = list(PHONES)
        self.losses, self.changes, self.torn, self.ducks = [], 0, 0, 0

    def pause(self, most):
        time.sleep(self.chance.choice([0, self.chance.uniform(0, most)]))

    def input(self):
        """Disconnects one input or several; the centre stays, so that the stage is never silent."""
        chosen = self.chance.sample([0, 1, 3, 4, 5], self.chance.choice([1, 1, 2, 5]))
        pairs = [(f"player:out_{c + 1}", f"proscenium:in_{INPUTS[c]}") for c in chosen]
        for pair in pairs:
            self.bay.disconnect(*pair)
        self.pause(0.1)
        for pair in pairs:
            self.bay.connect(*pair)
        self.torn += len(pairs)

    def second(self):
        """Connects another source to a connected input, and removes it again."""
        c = self.chance.choice([0, 1, 3, 4, 5])
        pair = ("player:out_7", f"proscenium:in_{INPUTS[c]}")
        self.bay.connect(*pair)
        self.pause(0.1)
        self.bay.disconnect(*pair)
        self.torn += 1

    def unplug(self):
        """Disconnects one or both ears; connects other ports, which stay silent; then resumes."""
        ears = self.chance.choice([[0], [1], [0, 1]])
        for ear in ears:
            self.bay.disconnect(f"proscenium:out_{'LR'[ear]}", self.ears[ear])
            if ear == ears[0]:
                # The time counts from the server's answer, whose delay is not the session's.
                self.losses.append(self.bay.frame)
        if self.chance.random() < 0.5:
            self.pause(0.05)
        for ear in ears:
            self.ears[ear] = self.chance.choice([PHONES, OTHERS])[ear]
            self.bay.connect(f"proscenium:out_{'LR'[ear]}", self.ears[ear])
        self.surface.until("held")
        # The other ear's loss may be reported a moment later.
        time.sleep(0.08)
        held = self.surface.playback
        if held["state"] != "held" or not held["lost"]:
            raise Complaint(f"a lost route is not held: {held}")
        self.surface.ask("/proscenium/resume")
        self.surface.until("playing")
        time.sleep(0.03)

    def change(self):
        """Moves the ears to other ports; they are connected throughout."""
        ears = self.chance.choice([[0], [1], [0, 1]])
        for ear in ears:
            other = (OTHERS if self.ears[ear] in PHONES else PHONES)[ear]
            self.bay.connect(f"proscenium:out_{'LR'[ear]}", other)
            self.bay.disconnect(f"proscenium:out_{'LR'[ear]}", self.ears[ear])
            self.ears[ear] = other
        self.changes += 1

    def duck(self):
        self.surface.ask("/proscenium/interrupt/begin", "check", "duck", -12.0, 600.0)
        self.pause(0.1)
        self.surface.ask("/proscenium/interrupt/end", "check")
        self.ducks += 1

    def run(self, times):
        for number in range(times):
            if number % 40 == 0:
                self.surface.ask("/proscenium/watch", 0.05)
            self.chance.choices([self.input, self.second, self.unplug, self.change, self.duck], [5, 1, 2, 1.5, 0.5])[0]()
            self.surface.listen(0.001)
            self.pause(0.08)

    def end(self):
        """Checks the session's state after all connections are restored."""
        state = self.surface.until("playing")
        self.surface.listen(0.3)
        held = sum(kind == "route-held" for kind, _ in self.surface.events)
        if held != len(self.losses):
            raise Complaint(f"{len(self.losses)} losses, but {held} were told to the watcher")
        if (state["left"], state["right"]) != ([self.ears[0]], [self.ears[1]]) or state["interruptions"] or state["lost"]:
            raise Complaint(f"the state at the end is wrong: {state}")


def perform(program, folder):
    """Makes a take inside a sandbox. Returns an error, or None."""
    plan = json.loads((folder / "plan.json").read_text())
    try:
        with Stage(program, folder, PORT, "ears", "--connect-out", "system:playback_{1,2}", "--on-route-loss", "mute",
                   *plan["options"]) as stage:
            stage.status
            stage.player = subprocess.Popen([program, "demo", "play", "tones.wav", "--into", "proscenium", "--loop"], cwd=folder,
                                            stdin=subprocess.DEVNULL)
            first = stage.ctl("start")["frame"]
            end = time.monotonic() + PATIENCE
            while max(stage.status["inputPeaks"]) < -60:
                if time.monotonic() > end:
                    raise Complaint("no sound comes in")
                time.sleep(0.2)
            tearing = Tearing(folder, plan["seed"])
            calm = (tearing.bay.frame - first) % 2**32
            before = stage.status["skippedFrames"]
            time.sleep(CALM + 0.5)
            if plan["inputsOnly"]:
                for _ in range(plan["times"]):
                    tearing.input()
                    tearing.pause(0.08)
            else:
                tearing.run(plan["times"])
                tearing.end()
            time.sleep(CALM)
            skipped = stage.status["skippedFrames"] - before
            stage.finish()
    except (Complaint, RuntimeError) as complaint:
        return str(complaint)
    losses = [(frame - first) % 2**32 for frame in tearing.losses]
    (folder / "take.json").write_text(json.dumps({
        "skipped": skipped, "calm": calm, "losses": losses, "changes": tearing.changes, "torn": tearing.torn, "ducks": tearing.ducks}))
    return None


def measures(ears):
    """Returns HF burst and d2 of the take over its calm beginning, dB, worse ear."""
    # The import takes a second of processor time, which a process that only plays inside a sandbox does not need.
    from scipy import signal
    calm = slice(int(0.3 * RATE), int(CALM * RATE))
    high = signal.sosfilt(signal.butter(6, 8000, "high", fs=RATE, output="sos"), ears, axis=0)
    window = RATE // 500
    energy = np.add.reduceat(high[:len(high) // window * window] ** 2, np.arange(0, len(high) // window * window, window), axis=0)
    energy = energy + window * 1e-9
    burst = 10 * np.log10(energy[150:].max(0) / np.percentile(energy[150:calm.stop // window], 99.5, axis=0)).max()
    bend = np.abs(np.diff(ears, 2, axis=0))
    d2 = 20 * np.log10(bend[calm.start:].max(0) / np.percentile(bend[calm], 99.9, axis=0)).max()
    return burst, d2


def silences(ears):
    """Returns the first frames of the silences: exact zeros in both ears for 2 ms or more."""
    silent = np.concatenate([[False], ~np.any(ears, 1), [False]]).astype(int)
    edges = np.flatnonzero(np.diff(silent))
    return [begin for begin, end in zip(edges[::2], edges[1::2]) if end - begin >= RATE // 500]


def level(ears):
    return 10 * np.log10(np.mean(ears ** 2, axis=0) + 1e-20)


def judge(folder):
    """Returns (good, text) of a take; None if the server skipped sound."""
    take = json.loads((folder / "take.json").read_text())
    if take["skipped"]:
        return None, f"the server skipped {take['skipped']} frames"
    ears = floatwav.read(folder / "ears.wav")[0][take["calm"]:]
    take["losses"] = [loss - take["calm"] for loss in take["losses"]]
    burst, d2 = measures(ears)
    quiet = silences(ears)
    delays = sorted((begin - loss) * 1000 / RATE for begin, loss in zip(quiet, take["losses"]))
    drift = np.abs(level(ears[-int(1.5 * RATE):-int(0.2 * RATE)]) - level(ears[int(0.3 * RATE):int(1.6 * RATE)])).max()
    said = (f"{take['torn']} inputs torn, {len(take['losses'])} routes lost, {take['changes']} changed without loss, "
            f"{take['ducks']} ducked: HF burst {burst:+.1f} dB, d2 {d2:+.1f} dB, {len(quiet)} silences")
    if delays:
        said += f", mute complete after {np.median(delays):.0f} ms (median)"
    said += f"; level at the end {drift:.2f} dB from the beginning"
    well = len(quiet) == len(take["losses"]) and drift < 0.1 and (not delays or np.median(delays) <= MUTED_WITHIN)
    return well and max(burst, d2) <= BOUND, said


def rehearse(program, **plan):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        (folder / "plan.json").write_text(json.dumps(plan))
        take = subprocess.run(
            [HERE.parent / "jack-sandbox", "--sync", "--playback", "4", sys.executable, __file__, "--inside", program, name],
            capture_output=True, text=True)
        return trouble(take) or judge(folder)


def main(program):
    plans = {"held": {"options": ["--hold", "20ms"], "times": TIMES, "seed": 1, "inputsOnly": False},
             "stated": {"options": [], "times": 12, "seed": 2, "inputsOnly": True}}
    with concurrent.futures.ThreadPoolExecutor() as hands:
        takes = {name: hands.submit(until_whole, name, functools.partial(rehearse, program, **plan)) for name, plan in plans.items()}
    print(f"said  without --hold: {takes['stated'].result()[1]}", flush=True)
    return tally("ports torn out", [(f"{TIMES} times at random, --hold 20ms", *takes["held"].result())])


if __name__ == "__main__":
    enter(__doc__, main, perform)

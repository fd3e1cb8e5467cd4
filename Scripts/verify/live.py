#!/usr/bin/env python3
"""Checks that live equals offline: the same programme and motion log through a real JACK server in freewheel give
exactly the samples that `render` gives with the same block; through jackd at 64, 256 and 1000 frames, and through
PipeWire's JACK at 256 and 1024. (At 64 frames PipeWire 0.3.65 skips periods in every freewheel, so no take there is
complete.)

usage: live.py PROGRAM
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav
from takes import RATE, Complaint, Stage, enter, free_ports, side_by_side, tally, trouble, until_whole

SECONDS = 3
PORT = str(free_ports(1)[0])
#: (server, sandbox, its option for the period, periods)
SERVERS = [("jackd", ["jack-sandbox", "--sync", "--period"], [64, 256, 1000]),
           ("PipeWire", ["pipewire-sandbox", "--quantum"], [256, 1024])]
#: PipeWire does not wait for late clients in freewheel: the player slows the cycles down, by this many microseconds
#: each in the first take, by twice as many in each further one; at most by this many per frame, which makes the longest
#: lead six seconds.
PAUSE, MOST = 2000, 15.6


def furnish(folder):
    """Writes six channels of seeded noise bursts, and a head that turns and nods."""
    random = np.random.default_rng(7)
    sound = 0.05 * random.standard_normal((RATE * SECONDS, 6))
    sound *= (np.sin(2 * np.pi * np.arange(RATE * SECONDS) / RATE * 1.5)[:, None] > -0.5)
    floatwav.write(folder / "programme.wav", sound, RATE)
    with open(folder / "poses.csv", "w") as file:
        file.write("t,w,x,y,z\n")
        for t in np.arange(0, SECONDS, 0.01):
            yaw, pitch = 1.2 * np.sin(2.1 * t), 0.3 * np.sin(3.3 * t)
            w, y, z = np.cos(yaw / 2) * np.cos(pitch / 2), -np.cos(yaw / 2) * np.sin(pitch / 2), np.sin(yaw / 2) * np.cos(pitch / 2)
            x = np.sin(yaw / 2) * np.sin(pitch / 2)
            file.write(f"{t:.2f},{w:.9f},{x:.9f},{y:.9f},{z:.9f}\n")


def perform(program, folder):
    """Makes one take in freewheel inside a sandbox. Returns an error, or None."""
    try:
        with Stage(program, folder, PORT, "live", "--poses", "poses.csv") as stage:
            period, before = (stage.status[key] for key in ("period", "skippedFrames"))
            plan = json.loads((folder / "plan.json").read_text())
            stage.play("programme.wav", "--pause", str(plan["pause"]), lead=plan["lead"])
            subprocess.run(["jack_freewheel", "y"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            stage.begun()
            stage.wait_for(RATE * SECONDS + period)
            subprocess.run(["jack_freewheel", "n"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            skipped = stage.status["skippedFrames"] - before
            stage.finish()
    except Complaint as complaint:
        return str(complaint)
    (folder / "take.json").write_text(json.dumps({"period": period, "skipped": skipped}))
    return None


def compare(program, folder, asked):
    """Compares the take with `render` at the server's actual period, which the take states if it differs from the
    requested one."""
    take = json.loads((folder / "take.json").read_text())
    period = take["period"]
    really = "" if period == asked else f"at a period of {period}: "
    subprocess.run([program, "render", "-y", "programme.wav", "offline.wav", "--layout", "5.1", "--poses", "poses.csv", "--block",
                    str(period), "--no-tail"], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    live, _ = floatwav.read(folder / "live.wav")
    offline, _ = floatwav.read(folder / "offline.wav")
    # Both are exactly silent until the programme begins. (A server that skips a cycle during the change to freewheel
    # shortens the recording's silence, not its sound.)
    live = live[np.argmax(np.any(live, 1)) - np.argmax(np.any(offline, 1)):]
    if len(live) < len(offline) or not np.any(offline):
        return False, f"{really}only {len(live)} of {len(offline)} frames were recorded"
    different = np.count_nonzero(live[:len(offline)] != offline)
    if different and take["skipped"]:
        return None, f"{really}the server skipped {take['skipped']} frames"
    return different == 0, f"{really}{len(offline)} frames, {different} samples differ"


def rehearse(program, sandbox, period, **plan):
    """Makes one take and compares it: returns (whether the samples are equal, None if the server skipped sound;
    text)."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        (folder / "plan.json").write_text(json.dumps(plan))
        take = subprocess.run(
            [HERE.parent / sandbox[0], *sandbox[1:], str(period), sys.executable, __file__, "--inside", program, name],
            capture_output=True, text=True)
        return trouble(take) or compare(program, folder, period)


def main(program):
    def outcomes(server, sandbox, periods):
        found = []
        for period in periods:
            # Preparation may take longer than the lead, and the cycles of the lead longer than a session's timeout for
            # its frame (10 s): takes with a short and a long lead alternate.
            plans = ({"pause": 0 if server == "jackd" else int(min(PAUSE * 2**number, MOST * period)), "lead": (4, 8)[number % 2]}
                     for number in itertools.count())
            label = f"{server:9} period {period:5}"
            found.append((label, *until_whole(label, lambda: rehearse(program, sandbox, period, **next(plans)))))
        return found
    return tally("live = offline", (outcome for found in side_by_side(outcomes, SERVERS) for outcome in found))


if __name__ == "__main__":
    enter(__doc__, main, perform)

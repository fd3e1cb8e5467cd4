#!/usr/bin/python3
"""Measures the cost of telemetry at all doors: telemetry.py PROSCENIUM OUTPUT.json.

One session in a JACK sandbox, a moving head and device, sound at its inputs. Turns without subscribers alternate with
turns in which a client at each door receives state, events, meters and poses. The figure is the processor time of the
session's threads without the audio thread, whose work is the same in both.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import programs
import runs

HERE = os.path.dirname(os.path.abspath(__file__))
#: Least rates of poses and meters at a subscriber, 1/s; below them the measurement is invalid.
POSES, METERS = 90, 20


def measure(program, absent):
    """Returns the cell telemetry/doors; adds missing programs to `absent`."""
    lacking = [tool for tool in ("jackd", "jack_simple_client", "jack_connect", "jack_lsp") if not shutil.which(tool)]
    if lacking:
        absent.append({"id": "telemetry/doors", "reason": f"not installed: {', '.join(lacking)} (make setup)"})
        return None
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [f"{HERE}/../../Scripts/jack-sandbox", sys.executable, f"{HERE}/telemetry_sandbox.py", program, folder],
            capture_output=True, text=True, timeout=600, env=os.environ | {"XDG_RUNTIME_DIR": folder})
    if done.returncode != 0:
        absent.append({"id": "telemetry/doors", "reason": (done.stdout + done.stderr).strip()[-300:]})
        return None
    found = json.loads(done.stdout.splitlines()[-1])
    pairs = list(zip(found["silent"], found["told"]))
    facts = {"doors": "OSC over UDP and TCP, JSON over a socket, WebSocket: state, events, meters and poses at each",
             "layout": "7.1.4", "period": 256, "sampleRate": 48_000, "trackers": "two, 100 packets a second each",
             **{f"heard at {door}, poses and meters a second": f"{poses:.0f}, {meters:.0f}"
                for door, (poses, meters) in found["heard"].items()},
             **{f"thread {name}, % of a core": f"{share:.3f}" for name, share in found["threads"].items()}}
    contenders = [
        programs.figures("Proscenium, all doors told", "ours", [100 * (b["rest"] - a["rest"]) for a, b in pairs],
                         "beyond the same session with nobody subscribed"),
        programs.figures("beside the audio thread, nobody subscribed", "part", [100 * a["rest"] for a, _ in pairs]),
        programs.figures("beside the audio thread, all doors told", "part", [100 * b["rest"] for _, b in pairs]),
        programs.figures("the audio thread, nobody subscribed", "part", [100 * a["audio"] for a, _ in pairs]),
        programs.figures("the audio thread, all doors told", "part", [100 * b["audio"] for _, b in pairs]),
    ]
    cell = programs.cell("telemetry/doors", "telemetry", "four doors told of all that moves, trackers moving",
                         "% of one core", facts, contenders)
    deaf = [door for door, (poses, meters) in found["heard"].items() if poses < POSES or meters < METERS]
    if deaf:
        cell["void"] = f"{', '.join(deaf)} heard fewer than {POSES} poses or {METERS} meters a second"
    return cell


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: telemetry.py PROSCENIUM OUTPUT.json")
    absent = []
    cell = measure(os.path.abspath(sys.argv[1]), absent)
    if cell:
        for contender in cell["contenders"]:
            print(f"bench: {contender['name']}: {contender['value']:.3f} % of a core")
        if cell["void"]:
            print(f"bench: void: {cell['void']}")
    with open(sys.argv[2], "w") as file:
        json.dump({"schema": runs.SCHEMA, "machine": {}, "run": {}, "cells": [cell] if cell else [], "absent": absent}, file)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks `measure latency` on a JACK server: it finds the steps in the sound, and the parts of each latency sum to its
total. The values depend on this computer and are printed, not judged.

usage: latency.py PROGRAM
"""
import json
import math
import os
import pathlib
import subprocess
import sys

from takes import tally, until_whole

HERE = pathlib.Path(__file__).resolve().parent
STEPS = 20


def measure(program, period):
    """Returns figures and errors of one run."""
    run = subprocess.run([HERE.parent / "jack-sandbox", "--period", str(period), program, "measure", "latency", "--steps",
                          str(STEPS), "--connect-out", "system:playback_{1,2}", "--json"], capture_output=True, text=True)
    if run.returncode != 0:
        return None, run.stderr.strip()
    report = json.loads(run.stdout)
    parts = ("transport", "waiting", "tracking", "playback")
    if report["sent"] != STEPS or report["found"] < STEPS / 2:
        return report, f"only {report['found']} of {report['sent']} steps found"
    if not all(math.isfinite(step[part]) for step in report["steps"] for part in parts):
        return report, "a part is not finite"
    if any(step["transport"] < 0 or step["tracking"] < 0 or step["playback"] <= 0 for step in report["steps"]):
        return report, "a part is negative"
    totals = sorted(1000 * sum(step[part] for part in parts) for step in report["steps"] if not step["isDisturbed"])
    if totals and abs(totals[-1] - report["total"]["max"]) > 1e-6:
        return report, "the parts do not sum to the total"
    return report, None


def judge(program, period):
    """Returns whether the measurement is right, None on a computer with too many stalls to measure, and the figures."""
    report, complaint = measure(program, period)
    if complaint:
        return None if "too busy" in complaint else False, complaint
    return True, ", ".join(
        f"{name} {report[name]['p50']:.1f}/{report[name]['p99']:.1f}" for name in
        ("transport", "waiting", "tracking", "playback", "software", "total")) + f" ms (p50/p99), {report['found']} of {report['sent']} steps"


def outcomes(program):
    for period in (64, 256):
        yield f"period {period:4}", *until_whole(f"{period}", lambda: judge(program, period))


def main(program):
    return tally("motion to sound", outcomes(program))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))

#!/usr/bin/env python3
"""Tests `demo bus --live` without hardware: simulated trackers move head and device while it plays on a private JACK
server; it displays them, records, and writes a page. Also the blind test of the bus page, if node is installed.

usage: ride_live.py PROGRAM
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav, rotations
from takes import enter, free_ports

#: The head turns by 60 degrees from the ninth second on.
SECONDS = 13
#: Separate ports, the same outside the sandbox and inside.
HEAD, DEVICE = os.environ.setdefault("PROSCENIUM_RIDE_PORTS", " ".join(map(str, free_ports(2)))).split()


def perform(program, folder):
    """Runs senders and the ride inside a sandbox."""
    demo = HERE.parent / "demo"
    subprocess.run([sys.executable, demo / "make_motion.py", f"{folder}/motion", "40"], check=True, stdout=subprocess.DEVNULL)
    ride = subprocess.Popen(
        [program, "demo", "bus", "--live", "--output", f"{folder}/ride", "--head", f"osc:{HEAD}", "--device",
         f"opentrack:{DEVICE}", "--connect-out", "system:playback_{1,2}", "--seconds", str(SECONDS)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said, sender = "", None
    for line in ride.stdout:
        said += line
        if "playing" in line:
            sender = subprocess.Popen(
                [sys.executable, demo / "send_motion.py", f"{folder}/motion", "--head", f"osc:{HEAD}", "--device",
                 f"opentrack:{DEVICE}"], stdout=subprocess.DEVNULL)
    if sender:
        sender.terminate()
        sender.wait()
    ride.wait()
    if ride.returncode != 0:
        return f"the ride ended with code {ride.returncode}: {said[-600:]}"
    if "Hz | device" not in said:
        return f"the trackers are not shown: {said[-600:]}"
    return None


def complaint(folder):
    """Returns a fault of the ride's output; None without one."""
    ride = folder / "ride"
    ears, rate = floatwav.read(ride / "ears.wav")
    if len(ears) < (SECONDS - 2) * rate or not np.any(ears):
        return f"{len(ears) / rate:.1f} s were recorded, peak {np.abs(ears).max():.3f}"
    lines = [json.loads(line) for line in open(ride / "motion.ndjson")]
    heard = {who: sum(who in line for line in lines) for who in ("head", "device")}
    poses = np.array([line["pose"][1:5] for line in lines if "pose" in line])
    if min(heard.values()) < 20 * SECONDS or np.ptp(rotations.angles(poses)[0]) < 5:
        return f"samples {heard}, yaw over {np.ptp(rotations.angles(poses)[0]):.1f} degrees"
    page = (ride / "live.html").read_text()
    if "<svg" not in page or "base64," not in page or f"osc:{HEAD}" not in page:
        return "the page lacks plot, sound or trackers"
    return None


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run = subprocess.run([HERE.parent / "jack-sandbox", "--sync", sys.executable, __file__, "--inside", program, name],
                             capture_output=True, text=True)
        wrong = (run.stdout + run.stderr).strip() if run.returncode != 0 else complaint(folder)
    print(f"{'FAIL' if wrong else 'ok  '}  demo bus --live: {wrong or 'trackers shown, sound and motion recorded, page written'}")
    failed = wrong is not None
    if shutil.which("node"):
        blind = subprocess.run(["node", HERE.parent / "demo" / "abx_test.js"], capture_output=True, text=True)
        print(f"{'FAIL' if blind.returncode else 'ok  '}  {(blind.stdout or blind.stderr).strip()[-300:]}")
        failed |= blind.returncode != 0
    else:
        print("skip  the blind test's script: node is not installed (Debian: nodejs)")
    return 1 if failed else 0


if __name__ == "__main__":
    enter(__doc__, main, perform)

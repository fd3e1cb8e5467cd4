#!/usr/bin/env python3
"""Measures the cost of panels for a session: of one, and of twenty, one of which never reads and one reconnects all the
time. Checks that the sound with twenty is, bit for bit, the sound without any; and measures the delay of a pose from
the tracker's port to the WebSocket.

usage: panel_crowd.py PROGRAM
"""
import itertools
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
PACKAGES = HERE.parents[1] / ".build/venv"
if (PACKAGES / "packages").exists() and pathlib.Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin/python", [str(PACKAGES / "bin/python"), *sys.argv])
import numpy as np

import panel_pose
from free_ports import free_ports
from listening import floatwav
from takes import PATIENCE, RATE, Complaint, Disturbed, Missed, Stage, disturbed, enter, said_inside, tally, until_whole

#: Duration of the compared programme, seconds.
SECONDS = 4
#: Greatest share of a core for one panel and for twenty on an idle machine, percent.
ALLOWED = {1: 1, 20: 5}
#: Factor on these limits beyond which the check fails, because other programs may take the caches.
CROWDED = 4
#: Greatest additional memory for twenty panels, MB.
MOST_MB = 64

#: Script that runs the panels in a separate process, so that the session's cost is separate from theirs.
PANELS = """
import asyncio, sys, websockets
told = set()
async def panel(number):
    async with websockets.connect(sys.argv[1], max_size=None, max_queue=4) as socket:
        await socket.send('{"address":"subscribe"}')
        await asyncio.wait_for(socket.recv(), float(sys.argv[3]))
        told.add(number)
        # One never reads, one begins anew again and again.
        if number == 1:
            await asyncio.sleep(3600)
        seconds = 0.5 if number == 2 else 3600
        end = asyncio.get_running_loop().time() + seconds
        async for _ in socket:
            if asyncio.get_running_loop().time() > end:
                return
async def keep(number):
    while True:
        await panel(number)
async def all():
    panels = [asyncio.create_task(keep(number)) for number in range(int(sys.argv[2]))]
    while len(told) < len(panels):
        await asyncio.sleep(0.01)
        for panel in panels:
            if panel.done():
                panel.result()
    print('told', flush=True)
    await asyncio.gather(*panels)
asyncio.run(all())
"""


class Crowd:
    """A number of panels that run during its block."""

    def __init__(self, web, count):
        self.count, self.url = count, f"ws://127.0.0.1:{web}/"

    def __enter__(self):
        self.process = self.count and subprocess.Popen([sys.executable, "-c", PANELS, self.url, str(self.count), str(PATIENCE)], stdin=subprocess.DEVNULL,
                                                       stdout=subprocess.PIPE, text=True)
        # Waits until each has received a message.
        if self.process and self.process.stdout.readline() != "told\n":
            raise Complaint(f"{self.count} panels are not let in")
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()

    def check(self):
        if self.process and self.process.poll() is not None:
            raise Complaint(f"{self.count} panels are not let in")


def cost(pid, seconds):
    """Returns the share of a core of a process, and its memory in MB."""
    def spent():
        # Nanoseconds of all its threads; a thread that ends between listing and reading is omitted.
        total = 0
        for each in pathlib.Path(f"/proc/{pid}/task").iterdir():
            try:
                total += int((each / "schedstat").read_text().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                continue
        return total / 1e9
    before, began = spent(), time.monotonic()
    time.sleep(seconds)
    resident = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return (spent() - before) / (time.monotonic() - began), resident


def burden(stage, web):
    """Returns text on the cost of one and of twenty panels beyond none: share of a core, and additional MB."""
    pid, shares, most = stage.process.pid, {1: [], 20: []}, {}
    for _ in range(3):
        # The cases alternate, so that other load affects all.
        found = {}
        for count in (0, 1, 20):
            with Crowd(web, count) as crowd:
                # Waits until the cost of connecting is over.
                time.sleep(0.5)
                found[count], resident = cost(pid, 2)
                most[count] = max(most.get(count, 0), resident)
                crowd.check()
        for count in shares:
            shares[count].append(100 * (found[count] - found[0]))
    if most[20] - most[0] > MOST_MB:
        raise Complaint(f"MB with none, one, twenty: {[round(each) for each in most.values()]}")
    middle = {count: sorted(each)[len(each) // 2] for count, each in shares.items()}
    if any(middle[count] > CROWDED * ALLOWED[count] for count in ALLOWED):
        raise Disturbed(f"% of a core for one, twenty: {middle}")
    return (f"one panel {middle[1]:.1f} %, twenty {middle[20]:.1f} % of a core (wanted: {ALLOWED[1]} and {ALLOWED[20]}); "
            f"{most[20] - most[0]:+.0f} MB, one of them never reading, one loaded anew twice a second")


def take(program, folder, name, count, lead):
    """Records the same programme in freewheel with a number of panels; returns whether frames were skipped."""
    port, web = free_ports(2)
    with Stage(program, folder, port, name, "--panel", str(web), "--hrtf", "generated", "--fresh", "--name", name, "--room", "studio") as stage:
        stage.status
        with Crowd(web, count) as crowd:
            crowd.check()
            before = stage.status["skippedFrames"]
            stage.play("programme.wav", lead=lead, into=name)
            subprocess.run(["jack_freewheel", "y"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                stage.begun()
                stage.wait_for(RATE * SECONDS + RATE // 2)
            finally:
                subprocess.run(["jack_freewheel", "n"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            crowd.check()
        skipped = stage.status["skippedFrames"] - before
        stage.finish()
    return skipped


def bits(program, folder):
    """Compares the sound without panels and with twenty: returns (whether they are equal, text)."""
    folder = pathlib.Path(folder) / "bits"
    folder.mkdir()
    random = np.random.default_rng(11)
    floatwav.write(folder / "programme.wav", 0.05 * random.standard_normal((RATE * SECONDS, 6)), RATE)
    leads = itertools.cycle((4, 8))

    def pair():
        heard, skipped = {}, 0
        lead = next(leads)
        for name, count in (("alone", 0), ("crowded", 20)):
            try:
                skipped += take(program, folder, name, count, lead)
            except Missed as missed:
                return None, str(missed)
            sound, _ = floatwav.read(folder / f"{name}.wav")
            heard[name] = sound[np.argmax(np.any(sound, 1)):][:RATE * SECONDS]
        frames = min(len(each) for each in heard.values())
        if frames < RATE * (SECONDS - 0.5) or not np.any(heard["alone"]):
            return False, f"only {frames} frames were recorded"
        different = np.count_nonzero(heard["alone"][:frames] != heard["crowded"][:frames])
        if different and skipped:
            return None, f"the server skipped {skipped} frames"
        return different == 0, f"{frames} frames beside none and beside twenty panels, {different} samples differ"

    return until_whole("same bits", pair)


def perform(program, folder):
    """Runs inside a sandbox. Returns an error, or None."""
    said = {}
    port, web, tracker = free_ports(3)

    def judge(name, part, *arguments):
        try:
            found = part(*arguments)
            said[name] = found if isinstance(found, tuple) else (True, found)
        except Complaint as complaint:
            said[name] = (disturbed() if isinstance(complaint, Disturbed) else False, str(complaint))

    try:
        with Stage(program, folder, port, "take", "--panel", str(web), "--head", f"udp:{tracker}", "--hrtf", "generated", "--fresh") as stage:
            stage.status
            stage.ctl("start")
            judge("pose's way", panel_pose.check, web, tracker)
            judge("burden", burden, stage, web)
        judge("same bits", bits, program, folder)
    except (Complaint, RuntimeError, OSError) as complaint:
        return str(complaint)
    (folder / "said").write_text(json.dumps(said))
    return None


def main(program):
    try:
        import websockets  # noqa: F401
    except ImportError:
        return tally("panel's crowd", [("all", None, "Python's websockets are not there (Scripts/python-env)")])
    return tally("panel's crowd", said_inside(__file__, program))


if __name__ == "__main__":
    enter(__doc__, main, perform)

"""What checks on a real JACK server share: a stage that is told what to do through its control port, a programme played into
it on a frame, and takes that are made again where the server itself skipped sound."""
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from free_ports import free_ports

RATE = 48000
#: Takes after which the server is held to be unable to play without skips.
TRIES = 6


class Complaint(Exception):
    """What went wrong with a take."""


class Stage:
    """`proscenium run` of a 5.1 layout in `folder`, which records into TAKE.wav from its start on; gone with its `with` block."""

    def __init__(self, program, folder, port, take, *options):
        self.program, self.folder, self.port, self.player = program, folder, str(port), None
        self.process = subprocess.Popen(
            [program, "run", "--quiet", "--layout", "5.1", "--start", "ctl", "--record", f"{take}.wav", "--overwrite", "--control",
             self.port, *options], cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.player, self.process):
            if process and process.poll() is None:
                process.kill()
                process.wait()

    def ctl(self, *words):
        """What the stage answers, as an object; None where it refuses or does not answer."""
        answer = subprocess.run([self.program, "ctl", *words, "--port", self.port], capture_output=True, text=True)
        return json.loads(answer.stdout) if answer.returncode == 0 and answer.stdout.startswith("{") else None

    @property
    def status(self):
        """The stage's state, as soon as it answers."""
        for _ in range(200):
            if self.process.poll() is not None:
                raise Complaint(f"the stage ended: {self.process.stderr.read()}")
            if state := self.ctl("status", "--json"):
                return state
            time.sleep(0.1)
        raise Complaint("the stage does not answer")

    def loop(self, path):
        """Has a programme played round and round, and starts the stream; returns once sound comes in."""
        self.status
        self.player = subprocess.Popen([self.program, "demo", "play", path, "--into", "proscenium", "--loop"], cwd=self.folder,
                                       stdin=subprocess.DEVNULL)
        self.ctl("start")
        end = time.monotonic() + 30
        while max(self.status["inputPeaks"]) < -60:
            if time.monotonic() > end:
                raise Complaint("no sound comes in")
            time.sleep(0.1)
    def play(self, path, *options):
        """Has the programme played from a period's first frame on, some four seconds ahead; returns that frame.

        The stream is started at once, too: that tells where periods begin."""
        period = self.status["period"]
        first = self.ctl("start")["frame"]
        frame = (first + (4 * RATE + period - 1) // period * period) % 2**32
        self.player = subprocess.Popen(
            [self.program, "demo", "play", path, "--into", "proscenium", "--at", str(frame), *options], cwd=self.folder,
            stdin=subprocess.DEVNULL)
        return frame

    def wait_for(self, frames):
        """Until the stream is so many frames long."""
        end = time.monotonic() + 60
        while (self.ctl("status", "--json") or {"streamFrame": 0})["streamFrame"] < frames:
            if time.monotonic() > end:
                raise Complaint("the stream stands still")
            time.sleep(0.1)

    def finish(self):
        """Has the stage end and complete its recordings."""
        self.ctl("quit")
        if self.process.wait(timeout=20) != 0:
            raise Complaint(f"the stage ended with code {self.process.returncode}: {self.process.stderr.read()[-300:]}")


def until_whole(take):
    """`take()` answers whether all is well, None where the server skipped sound, and what there is to say.

    A skip says nothing of the program (a crowded machine): another take is made, TRIES at most; if all are disturbed, that is a
    failure. What is said in words tells which take counted."""
    for number in range(1, TRIES + 1):
        well, what = take()
        if well is not None:
            break
    if number > 1 and isinstance(what, str):
        what += f" (take {number})"
    return bool(well), what


def tally(title, outcomes):
    """Prints each outcome (label, whether it is good, what was found) as it comes and their sum; the exit status."""
    failed = passed = 0
    for label, good, what in outcomes:
        passed += good
        failed += not good
        print(f"{'ok  ' if good else 'FAIL'}  {label}: {what}", flush=True)
    print(f"{title}: {passed} passed, {failed} failed")
    return 1 if failed else 0


def enter(usage, main, perform):
    """The script's own end: `main(PROGRAM)`, or, called by itself inside a sandbox, `perform(PROGRAM, FOLDER)`, which answers
    what went wrong, or None."""
    if len(sys.argv) == 4 and sys.argv[1] == "--inside":
        sys.exit(perform(sys.argv[2], pathlib.Path(sys.argv[3])))
    if len(sys.argv) != 2:
        sys.exit(usage)
    sys.exit(main(os.path.abspath(sys.argv[1])))

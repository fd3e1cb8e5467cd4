"""Shared code of the checks: runs the program under test, makes one-loudspeaker stages, and compares sound."""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from listening import floatwav

#: Options of the verification path: the set as measured, no trim, no limiter.
AS_MEASURED = ["--hrtf", "kemar", "--processing", "none", "--limiter", "off", "--gain", "0"]


class Program:
    """The `proscenium` under test, and a temporary folder for its files."""

    def __init__(self, path):
        if not os.access(path, os.X_OK):
            sys.exit(f"{path}: no such program; build it with `make build`")
        self.path = os.path.abspath(path)
        self._folder = tempfile.TemporaryDirectory(prefix="proscenium-verify-")
        self.folder = self._folder.name

    def run(self, *words):
        """Returns standard output; a failure ends the check with the program's message."""
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"`proscenium {' '.join(map(str, words))}` failed with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def render(self, samples, rate, *options, loudspeakers=None, mask=0):
        """Returns both ears [frame][ear] of `samples` on a stage of `loudspeakers` [(azimuth, elevation)], or by
        `mask`."""
        source, result = f"{self.folder}/in.wav", f"{self.folder}/out.wav"
        floatwav.write(source, samples, rate, mask)
        layout = []
        if loudspeakers:
            path = f"{self.folder}/layout.json"
            with open(path, "w") as file:
                json.dump({"name": "check", "loudspeakers": [
                    {"name": f"s{n + 1}", "azimuth": a, "elevation": e} for n, (a, e) in enumerate(loudspeakers)]}, file)
            layout = ["--layout", path]
        self.run("render", "-y", source, result, *layout, *options)
        out, out_rate = floatwav.read(result)
        if out_rate != rate or out.shape[1] != 2:
            sys.exit(f"expected two channels at {rate} Hz, got {out.shape[1]} at {out_rate}")
        return out


def relative_db(heard, reference):
    """Returns 20 log10(rms(heard - reference) / rms(reference)); the shorter one is padded with silence."""
    size = max(len(heard), len(reference))
    heard, reference = (np.pad(x, ((0, size - len(x)), (0, 0))) for x in (heard, reference))
    return 10 * np.log10(max(np.sum((heard - reference) ** 2), 1e-300) / np.sum(reference**2))


class Report:
    """A table of measures against one bound each; the exit code states whether all are within theirs."""

    def __init__(self, title):
        self.missed = 0
        print(title)

    def row(self, what, value, bound, unit="dB"):
        ok = value <= bound
        self.missed += not ok
        shown = f"{value:9.2f} {unit}" if value > -400 else f"{'same bits':>12}"
        print(f"  {what:58} {shown}  (at most {bound:g})  {'ok' if ok else 'MISSED'}")

    def fact(self, what, ok, detail=""):
        self.missed += not ok
        print(f"  {what:58} {'ok' if ok else 'MISSED'}{'  ' + detail if detail else ''}")

    def finish(self):
        if self.missed:
            print(f"  {self.missed} missed")
        sys.exit(1 if self.missed else 0)


def noise(frames, channels=1, seed=1, level=0.1):
    """Returns white noise [frame][channel], float32 values, RMS `level`."""
    return np.float32(np.random.default_rng(seed).standard_normal((frames, channels)) * level).astype(float)


def program_from_arguments():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} PROGRAM")
    return Program(sys.argv[1])

#!/usr/bin/python3
"""Compares `proscenium upmix` with ffmpeg's `surround` as whole programs: upmix_programs.py PROSCENIUM [OUTPUT.json].

User and system time of upmixing a long stereo file to 5.1 less that of a short one, so that start-up does not count;
reading and writing sound does, for both. The order changes in each round. The timed output is verified in the same run,
see `verify`.
"""

import json
import os
import shutil
import statistics
import sys
import tempfile

import numpy as np
from scipy import signal

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts"))
import programs
import runs
from listening import floatwav

RATE, SHORT, LONG, ROUNDS = 48_000, 5, 125, 7
ROOT = np.sqrt(0.5)


def write_inputs(folder):
    """Writes voice-like noise that comes and goes in the middle, other noise left and right, and a diffuse field; long
    and short."""
    rng = np.random.default_rng(2)
    frames = LONG * RATE
    t = np.arange(frames) / RATE
    sounds = signal.lfilter([0.3], [1, -0.7], rng.standard_normal((5, frames)) * 0.1)
    for row, beat in ((0, 2.1), (1, 1.3), (2, 0.9)):
        sounds[row] *= np.maximum(0, np.sin(2 * np.pi * beat * t)) ** 2
    sides = [ROOT * sounds[0] + sounds[1 + c] + 0.2 * sounds[3 + c] for c in (0, 1)]
    stereo = np.stack(sides, 1)
    for name, seconds in (("long", LONG), ("short", SHORT)):
        floatwav.write(f"{folder}/{name}.wav", stereo[:seconds * RATE], RATE, 3)


def commands(program, folder, name):
    """Returns (name, role, command, remark) of the programs."""
    sound, out = f"{folder}/{name}.wav", f"{folder}/out.wav"
    found = [(f"proscenium upmix, {latency}, {mode}", "ours",
              [program, "upmix", sound, out, "--latency", latency, "--mode", mode], "")
             for latency in ("player", "live") for mode in ("identity", "energy")]
    if shutil.which("ffmpeg"):
        base = ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", "-filter_threads", "1", "-y", "-i", sound]
        end = ["-c:a", "pcm_f32le", out]
        found.append(("ffmpeg surround", "peer", [*base, "-af", "surround=chl_out=5.1", *end],
                      "as it is: frames of 4096, overlapping by half"))
        pan = "pan=5.1|FL=FL|FR=FR|FC=0.5*FL+0.5*FR|LFE=0*FL|BL=FL|BR=FR"
        found.append(("ffmpeg, reading, mixing and writing only", "part", [*base, "-af", pan, *end], ""))
    return found


def verify(program, folder, name, out):
    """Returns a fault of a program's output; None without one. The product: six channels, the input's length, LFE
    silent; with the decorrelators off, the fold-down equals the input within -100 dB (identity) or keeps the power
    within 1 dB (energy); the timed output has the same front, bit for bit, and surrounds of that power within 0.5 dB.
    ffmpeg: six channels, the input's length within 4096 frames, only finite samples, and power within 6 dB of the
    input's."""
    x, y = floatwav.read(f"{folder}/short.wav")[0], floatwav.read(out)[0]
    power = lambda z: 10 * np.log10(np.sum(z**2) + 1e-30)
    if y.shape[1] != 6 or not np.isfinite(y).all():
        return "not six channels of numbers"
    if not name.startswith("proscenium"):
        if abs(len(y) - len(x)) > 4096 or abs(power(y) - power(x)) > 6:
            return f"{len(y)} frames of {len(x)}, power {power(y) - power(x):+.1f} dB"
        return None
    words = name.split(", ")
    plain = f"{folder}/plain.wav"
    programs.seconds_of([program, "upmix", f"{folder}/short.wav", plain, "--latency", words[1], "--mode", words[2],
                         "--decorrelate", "off"])
    z = floatwav.read(plain)[0]
    if y.shape != (len(x), 6) or z.shape != y.shape or y[:, 3].any():
        return "length, or LFE not silent"
    if (y[:, :4] != z[:, :4]).any() or abs(power(y[:, 4:]) - power(z[:, 4:])) > 0.5:
        return "front or surrounds differ from those without decorrelators"
    fold = z[:, :2] + ROOT * z[:, 2:3] + ROOT * z[:, 4:]
    if words[2] == "identity" and power(fold - x) - power(x) > -100:
        return f"the fold-down differs by {power(fold - x) - power(x):.0f} dB"
    if words[2] == "energy" and abs(power(y) - power(x)) > 1:
        return f"power {power(y) - power(x):+.1f} dB"
    return None


def measure(program, folder, absent):
    """Returns the cell programs/upmix."""
    if not shutil.which("ffmpeg"):
        absent.append({"id": "programs/upmix/ffmpeg", "reason": "ffmpeg is not installed (Debian: apt-get install ffmpeg)"})
    write_inputs(folder)
    short, long = (commands(program, folder, name) for name in ("short", "long"))
    times = {(length, entry[0]): [] for length in (SHORT, LONG) for entry in long}
    wrong = []
    for turn in range(ROUNDS):
        for index in range(len(long)):
            place = (index + turn) % len(long)
            for length, choices in ((SHORT, short), (LONG, long)):
                name, role, command, _ = choices[place]
                times[length, name].append(programs.seconds_of(command))
                if turn == 0 and length == SHORT and role != "part":
                    fault = verify(program, folder, name, f"{folder}/out.wav")
                    wrong += [f"{name}: {fault}"] if fault else []
        print(f"bench: upmix programs, round {turn + 1} of {ROUNDS}")
    frames = (LONG - SHORT) * RATE
    contenders = []
    for name, role, _, remark in long:
        less = statistics.median(times[SHORT, name])
        contenders.append(programs.figures(name, role, [(t - less) * 1e9 / frames for t in times[LONG, name]], remark))
    found = programs.cell("programs/upmix", "programs", "whole programs opening a stereo file into 5.1, reading and writing included",
                          "ns of processor time per frame", {"sampleRate": RATE}, contenders)
    found["void"] = "; ".join(wrong) or None
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: upmix_programs.py PROSCENIUM [OUTPUT.json]")
    absent = []
    with tempfile.TemporaryDirectory() as folder:
        cell = measure(os.path.abspath(sys.argv[1]), folder, absent)
    peer = next((c["value"] for c in cell["contenders"] if c["role"] == "peer"), None)
    for c in cell["contenders"]:
        ratio = f'  ffmpeg surround takes {peer / c["value"]:.2f} times as long' if peer and c["role"] == "ours" else ""
        print(f'{c["value"]:8.1f} ns per frame  {c["name"]}{ratio}')
    print(cell["void"] or "outputs verified")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w") as file:
            json.dump({"schema": runs.SCHEMA, "machine": {}, "run": {}, "cells": [cell], "absent": absent}, file)


if __name__ == "__main__":
    main()

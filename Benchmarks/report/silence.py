#!/usr/bin/python3
"""Measures the cost of silence after a sound: silence.py PROSCENIUM OUTPUT.json.

Each offline command processes two minutes of noise and, in turn, a click followed by two minutes of zeros; the figure
is the ratio of the processor times, zeros over noise. Filters that reach denormal numbers make it many times 1.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import programs
import runs

RATE, SECONDS, TURNS = 48_000, 120, 3
#: Arguments of a command between its name and its output, by the cell's name; {x} is the input, {y} the output.
COMMANDS = {
    "loudness": ("5.1", "loudness {x} --layout 5.1"),
    "render": ("5.1", "render {x} {y} --layout 5.1"),
    "room": ("5.1", "render {x} {y} --layout 5.1 --room studio"),
    "field": ("ambi1", "render {x} {y} --layout ambi1"),
    "mix": ("ambi1", "process {x} {y} --layout ambi1 --mix cinematic --to ambi1"),
    "upmix": ("stereo", "upmix {x} {y}"),
    "bake": ("5.1", "bake {x} {y} --layout 5.1"),
}
CHANNELS = {"5.1": 6, "ambi1": 4, "stereo": 2}


def write(path, samples):
    """Writes a WAV file of 32-bit floats."""
    data = samples.astype("<f4").tobytes()
    count = samples.shape[1]
    head = b"WAVEfmt " + np.array([18], "<u4").tobytes() + np.array([3, count], "<u2").tobytes()
    head += np.array([RATE, RATE * 4 * count], "<u4").tobytes() + np.array([4 * count, 32, 0], "<u2").tobytes()
    with open(path, "wb") as file:
        file.write(b"RIFF" + np.array([len(head) + 8 + len(data)], "<u4").tobytes() + head)
        file.write(b"data" + np.array([len(data)], "<u4").tobytes() + data)


def cost(program, words):
    """Returns the processor time of a command, seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, *words], check=True, capture_output=True, text=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def measure(program, name, folder):
    layout, words = COMMANDS[name]
    ratios, sizes = [], set()
    for turn in range(TURNS + 1):
        spent = {}
        for sound in ("zeros", "noise"):
            output = f"{folder}/out-{sound}.wav"
            said = words.format(x=f"{folder}/{sound}-{layout}.wav", y=output).split()
            spent[sound] = cost(program, said + (["--overwrite"] if "{y}" in words else []))
            if "{y}" in words:
                sizes.add(os.path.getsize(output) // 1_000_000)
        # The first turn has cold caches and does not count.
        if turn:
            ratios.append(spent["zeros"] / spent["noise"])
    facts = {"seconds": SECONDS, "sampleRate": RATE, "layout": layout}
    cell = programs.cell(f"silence/{name}", "silence", f"a click and zeros: {words.split()[0]}", "times the processor time of noise", facts,
                         [programs.figures("Proscenium", "ours", ratios)])
    if len(sizes) > 1:
        cell["void"] = "the two outputs differ in length"
    return cell


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: silence.py PROSCENIUM OUTPUT.json")
    cells = []
    with tempfile.TemporaryDirectory() as folder:
        for layout, count in CHANNELS.items():
            zeros = np.zeros((RATE * SECONDS, count))
            zeros[100] = 0.5
            write(f"{folder}/zeros-{layout}.wav", zeros)
            write(f"{folder}/noise-{layout}.wav", 0.05 * np.random.default_rng(1).standard_normal(zeros.shape))
        for name in COMMANDS:
            cells.append(measure(os.path.abspath(sys.argv[1]), name, folder))
            print(f"bench: silence/{name}: {cells[-1]['contenders'][0]['value']:.2f} times the processor time of noise", flush=True)
    with open(sys.argv[2], "w") as file:
        json.dump({"schema": runs.SCHEMA, "machine": {}, "run": {}, "cells": cells, "absent": []}, file)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Measures the same program on each instruction set: instruction_sets.py BENCH OUTPUT.json [--quick].

PROSCENIUM_ISA is read when a program is loaded, so each set runs in a process of its own; three rounds alternate
between the sets. Results of the narrower sets are compared with the widest one's: a difference beyond 1e-6 of its root
mean square voids the cell.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import runs

SETS = ["avx512", "avx2", "sse2"]
LIMIT = 1e-6
QUICK = ["moving/n16/period64/taps256", "engine/n12/period128/taps256/turning"]
FULL = [f"moving/n{n}/period{p}/taps256" for n in (2, 6, 16) for p in (64, 256)] + [
    "static/n16/period64/taps256", "fft/n128", "fft/n320", "fft/n1024", "engine/n12/period128/taps256/turning",
    "engine/n6/period64/taps256/turning", "rooms/n12/slice64/taps24000", "ambisonics/order3/turning"]


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: instruction_sets.py BENCH OUTPUT.json [--quick]")
    bench, output = sys.argv[1:3]
    quick = "--quick" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        found = {name: [] for name in SETS}
        for turn in range(1 if quick else 3):
            for name in SETS:
                run = once(bench, name, QUICK if quick else FULL, f"{folder}/{name}", turn)
                if run is not None:
                    found[name].append(run)
        found = {name: rounds for name, rounds in found.items() if rounds}
        if not found:
            sys.exit("bench: no instruction set could be measured")
        report(found, folder, output)


def once(bench, name, cells, folder, turn):
    """Runs one process; returns None if the processor lacks the set."""
    os.makedirs(folder, exist_ok=True)
    words = [bench, "--ours", "--results", folder, "--output", f"{folder}/run{turn}.json"]
    for cell in cells:
        words += ["--only", cell]
    done = subprocess.run(words, env={**os.environ, "PROSCENIUM_ISA": name}, capture_output=True, text=True)
    if done.returncode == 3:
        print(f"bench: {name}: {done.stderr.strip()}")
        return None
    if done.returncode != 0:
        sys.exit(f"bench: with {name}: {done.stderr.strip()[-400:]}")
    print(f"bench: instruction set {name}, round {turn + 1}")
    return runs.read(f"{folder}/run{turn}.json")


def report(found, folder, output):
    """Returns cells isa/ID with one contender per set."""
    widest = next(iter(found))
    cells = []
    for cell_id, cell in runs.cells(found[widest][0]).items():
        contenders, wrong = [], []
        for name, rounds in found.items():
            for c in runs.ours(runs.cells(rounds[0])[cell_id]):
                values = [o["value"] for r in rounds for o in runs.ours(runs.cells(r)[cell_id]) if o["name"] == c["name"]]
                difference = unlike(folder, cell_id, c["name"], name, widest)
                if difference is not None and difference > LIMIT:
                    wrong.append(f"{name} differs from {widest} by {difference:.1e}")
                remark = "" if difference is None else f"differs from {widest} by {difference:.1e}"
                contenders.append({**c, "name": f"{c['name']}, {name}", "value": statistics.median(values),
                                   "remark": remark})
        if contenders:
            cells.append({**cell, "id": f"isa/{cell_id}", "group": "isa", "contenders": contenders,
                          "void": "; ".join(wrong) or cell.get("void")})
    base = found[widest][0]
    with open(output, "w") as file:
        json.dump({**base, "cells": cells}, file)


def unlike(folder, cell, contender, name, widest):
    """Returns the difference from the widest set's result, root mean squares' ratio; None without written results."""
    paths = [f"{folder}/{which}/{cell.replace('/', '-')}-{contender}.f32" for which in (widest, name)]
    if name == widest or not all(os.path.exists(path) for path in paths):
        return None
    a, b = (np.fromfile(path, "<f4").astype(float) for path in paths)
    return float(np.sqrt(np.sum((a - b) ** 2) / np.sum(a ** 2)))


if __name__ == "__main__":
    main()

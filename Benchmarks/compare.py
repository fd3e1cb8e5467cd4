#!/usr/bin/python3
"""Ratios of medians of two revisions' runs, with bootstrap confidence intervals.

    compare.py DIR BASE     reads DIR/run-{base,here}-N.json, writes DIR/compare.json
"""

import glob
import json
import sys

import numpy as np

RESAMPLES = 4000


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: compare.py DIR BASE")
    folder, base = sys.argv[1:]
    sides = {side: runs(folder, side) for side in ("base", "here")}
    rng = np.random.default_rng(1)
    rows = []
    pairs = len(next(iter(sides["here"].values())))
    print(f"this tree over {base}: median ratio of {pairs} pairs of runs (99 % interval)")
    for key, here in sides["here"].items():
        there = sides["base"].get(key, [])
        if len(there) != len(here):
            print(f"  {words(key)}: not measured at {base}")
            continue
        # The two of a pair ran one after the other: what the machine did meanwhile cancels in their ratio.
        ratios = np.array(here) / np.array(there)
        draws = np.median(rng.choice(ratios, (RESAMPLES, len(ratios))), 1)
        low, high = np.percentile(draws, [0.5, 99.5])
        verdict = "faster" if high < 1 else "slower" if low > 1 else "no difference shown"
        row = {"cell": words(key), "ratio": float(np.median(ratios)), "low": float(low), "high": float(high)}
        rows.append(row)
        print(f"  {row['cell']:80} {row['ratio']:6.3f}  ({low:.3f} to {high:.3f})  {verdict}")
    with open(f"{folder}/compare.json", "w") as file:
        json.dump({"base": base, "pairs": pairs, "rows": rows}, file, indent=1)


def runs(folder, side):
    """Nanoseconds per frame and source of each cell and contender, one value per run, in the order of the pairs."""
    values = {}
    paths = glob.glob(f"{folder}/run-{side}-*.json")
    for path in sorted(paths, key=lambda p: int(p.rsplit("-", 1)[1].removesuffix(".json"))):
        with open(path) as file:
            for cell in json.load(file)["cells"]:
                for timing in cell["timings"]:
                    key = (cell["sources"], cell["slice"], cell["taps"], timing["name"], timing["moving"])
                    values.setdefault(key, []).append(timing["nanosecondsPerFrameAndSource"])
    return values


def words(key):
    sources, size, taps, name, moving = key
    return f"{sources} sources, slice {size}, {taps} taps, {'turning' if moving else 'still'}: {name}"


if __name__ == "__main__":
    main()

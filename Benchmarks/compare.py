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
    sides = {side: runs(f"{folder}/run-{side}-*.json") for side in ("base", "here")}
    rng = np.random.default_rng(1)
    rows = []
    print(f"this tree against {base}: ratio of medians of {len(next(iter(sides['here'].values())))} runs (95 % interval)")
    for key in sides["here"]:
        here, there = np.array(sides["here"][key]), np.array(sides["base"].get(key, []))
        if len(there) == 0:
            print(f"  {words(key)}: not measured at {base}")
            continue
        ratio = np.median(here) / np.median(there)
        draws = np.median(rng.choice(here, (RESAMPLES, len(here))), 1) / np.median(rng.choice(there, (RESAMPLES, len(there))), 1)
        low, high = np.percentile(draws, [2.5, 97.5])
        verdict = "faster" if high < 1 else "slower" if low > 1 else "no difference shown"
        rows.append({"cell": words(key), "ratio": ratio, "low": low, "high": high})
        print(f"  {words(key):64} {ratio:6.3f}  ({low:.3f} to {high:.3f})  {verdict}")
    with open(f"{folder}/compare.json", "w") as file:
        json.dump({"base": base, "rows": rows}, file, indent=1)


def runs(pattern):
    """Nanoseconds per frame and source of each cell and contender, one value per run."""
    values = {}
    for path in sorted(glob.glob(pattern)):
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

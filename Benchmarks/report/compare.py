#!/usr/bin/python3
"""Lays pairs of runs of two revisions side by side: compare.py FOLDER BASE [FOLDER/compare.json].

FOLDER holds run-base-N.json and run-here-N.json. Exit status: 0 where no regression beyond the threshold is significant,
1 where one is, 3 where the runs cannot be compared.
"""

import glob
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import runs
import statistics_of_pairs as statistics


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: compare.py FOLDER BASE")
    folder, base = sys.argv[1:3]
    try:
        pairs, disturbed, lost = gather(folder)
    except runs.Unusable as error:
        print(f"bench-compare: {error}", file=sys.stderr)
        return 3
    count = min((len(values) for values in pairs.values()), default=0)
    if count < statistics.LEAST_PAIRS:
        print(f"bench-compare: {count} pairs of runs left; {statistics.LEAST_PAIRS} are needed", file=sys.stderr)
        return 3
    found = statistics.compare(pairs)
    percent = f"{100 * statistics.CONFIDENCE:g}"
    print(f"this tree over {base}: median ratio of {count} pairs of runs ({percent} % interval); "
          f"a regression is an interval wholly above {1 + statistics.THRESHOLD:.2f}")
    for row in found:
        print(f"  {row.cell:44} {row.contender:30} {row.ratio:6.3f}  ({row.low:.3f} to {row.high:.3f})  {row.verdict}")
    for key in lost:
        print(f"  {key}: measured on one side only, not compared")
    if disturbed:
        print(f"  {disturbed} pairs were left out: a hypervisor took more than a tenth of the processors meanwhile")
    regressions = [row for row in found if row.verdict == "REGRESSION"]
    with open(f"{folder}/compare.json", "w") as file:
        json.dump({"base": base, "threshold": statistics.THRESHOLD, "confidence": statistics.CONFIDENCE, "pairs": count,
                   "rows": [{**vars(row), "verdict": row.verdict} for row in found]}, file, indent=1)
    if regressions:
        print(f"bench-compare: REGRESSION in {len(regressions)} of {len(found)} rows.")
        return 1
    print("bench-compare: no regression beyond the threshold.")
    return 0


def gather(folder):
    """Figures of our contenders in the pairs that were not disturbed, how many were, and what one side alone has."""
    numbers = sorted(int(path.rsplit("-", 1)[1].removesuffix(".json")) for path in glob.glob(f"{folder}/run-here-*.json"))
    pairs, disturbed, lost = {}, 0, set()
    for n in numbers:
        base, here = (runs.read(f"{folder}/run-{side}-{n}.json") for side in ("base", "here"))
        if statistics.is_disturbed(base["run"]["stealShare"], here["run"]["stealShare"]):
            disturbed += 1
            continue
        left, right = figures(base), figures(here)
        lost |= {" ".join(key) for key in left.keys() ^ right.keys()}
        for key in left.keys() & right.keys():
            pairs.setdefault(key, []).append((left[key], right[key]))
    return {key: pairs[key] for key in sorted(pairs)}, disturbed, sorted(lost)


def figures(run):
    """The lower quartile of each of our contenders' steps: what other work on the machine touches least."""
    return {(cell["id"], c["name"]): runs.number(c["lowerQuartile"]) for cell in run["cells"] for c in runs.ours(cell)}


if __name__ == "__main__":
    sys.exit(main())

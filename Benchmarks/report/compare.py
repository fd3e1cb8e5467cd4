#!/usr/bin/python3
"""Judges two revisions by lockstep.py's results: compare.py FOLDER BASE [--confirms FIRST], or compare.py --slower FOLDER.

With --confirms only a regression of FIRST can be one. --slower prints the cells that were regressions, one per line
(all compared cells, if only their mean was one).
Exit status: 0 without a significant regression beyond the threshold, 1 with one, 3 if nothing can be compared, 4 if
results of this tree are wrong. Where the length of the filters changed, both lengths are printed beside the ratio,
because the work changed with it.
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import statistics_of_pairs as statistics


def main():
    words = sys.argv[1:]
    if len(words) == 2 and words[0] == "--slower":
        rows = earlier(words[1])
        named = {row["cell"] for row in rows if row["verdict"] == "REGRESSION"} - {statistics.ALL}
        print(*sorted(named or {row["cell"] for row in rows} - {statistics.ALL}), sep="\n")
        return 0
    if len(words) not in (2, 4) or len(words) == 4 and words[2] != "--confirms":
        sys.exit("usage: compare.py FOLDER BASE [--confirms FIRST], or compare.py --slower FOLDER")
    folder, base = words[:2]
    asked = None
    if len(words) == 4:
        asked = {(row["cell"], row["contender"]) for row in earlier(words[3]) if row["verdict"] == "REGRESSION"}
    try:
        pairs, alone, void, lengths = gather(folder)
    except OSError as error:
        print(f"bench-compare: {error}", file=sys.stderr)
        return 3
    count = min((len(values) for values in pairs.values()), default=0)
    if count < statistics.LEAST_PAIRS:
        print(f"bench-compare: {count} pairs; {statistics.LEAST_PAIRS} are needed", file=sys.stderr)
        return 3
    found = statistics.compare(pairs)
    if asked is not None:
        found = [row for row in found if (row.cell, row.contender) in asked]
    percent = f"{100 * statistics.CONFIDENCE:g}"
    print(f"this tree over {base}: median ratio of {count} pairs of processes ({percent} % interval); "
          f"a regression is an interval wholly above {1 + statistics.THRESHOLD:.2f}")
    for row in found:
        print(f"  {row.cell:44} {row.contender:30} {row.ratio:6.3f}  ({row.low:.3f} to {row.high:.3f})  {row.verdict}")
    for cell, (before, now) in sorted(lengths.items()):
        print(f"  {cell}: filters of {now} taps, {before} there")
    for key in alone:
        print(f"  {key}: on one side only, not compared")
    for cell, reason in sorted(void.items()):
        print(f"  {cell}: WRONG here: {reason}")
    regressions = [row for row in found if row.verdict == "REGRESSION"]
    with open(f"{folder}/compare.json", "w") as file:
        json.dump({"base": base, "threshold": statistics.THRESHOLD, "confidence": statistics.CONFIDENCE, "pairs": count,
                   "rows": [{**vars(row), "verdict": row.verdict} for row in found]}, file, indent=1)
    if void:
        print(f"bench-compare: results of {len(void)} cells are wrong here: their speed says nothing.")
        return 4
    if regressions:
        print(f"bench-compare: REGRESSION in {len(regressions)} of {len(found)} rows.")
        return 1
    print("bench-compare: no regression beyond the threshold.")
    return 0


def earlier(folder):
    """Reads the rows of a folder that compare.py wrote."""
    with open(f"{folder}/compare.json") as file:
        return json.load(file)["rows"]


def gather(folder):
    """Returns {(cell, contender): [here/base of each pair]}, the keys that one side lacks, {cell: reason} of void cells
    of this tree, and {cell: [taps of base, taps here]} where the lengths differ."""
    with open(f"{folder}/pairs.json") as file:
        found = json.load(file)["pairs"]
    ratios, alone, void, lengths = {}, set(), {}, {}
    for pair in found:
        alone |= set(pair["alone"])
        void |= pair["void"]
        lengths |= pair["taps"]
        for key, ratio in pair["ratios"].items():
            ratios.setdefault(tuple(key.split("\t")), []).append(ratio)
    return {key: ratios[key] for key in sorted(ratios)}, sorted(alone), void, lengths


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Adds a run to the history: keep.py REPORT.json NAME writes Benchmarks/results/DATE-NAME.json, to be committed by hand."""

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import runs


def main():
    if len(sys.argv) != 3 or not re.fullmatch(r"[A-Za-z0-9.-]+", sys.argv[2]):
        sys.exit("usage: keep.py REPORT.json NAME (letters, digits, dots and dashes)")
    try:
        run = runs.read(sys.argv[1])
    except runs.Unusable as error:
        sys.exit(f"bench: {error}")
    path = os.path.normpath(os.path.join(runs.RESULTS, f"{run['run']['date'][:10]}-{sys.argv[2]}.json"))
    kept = runs.small(run)
    cells = ",\n".join(json.dumps(cell, separators=(",", ":"), ensure_ascii=False) for cell in kept.pop("cells"))
    head = json.dumps(kept, separators=(",", ":"), ensure_ascii=False)
    with open(path, "w") as file:
        # One line per cell, so that differences between runs are readable.
        file.write(f'{head[:-1]},"cells":[\n{cells}\n]}}\n')
    print(f"bench: kept as {path}")


if __name__ == "__main__":
    main()

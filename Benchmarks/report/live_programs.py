"""Compares JACK clients, one after the other in a sandbox: the product and the SoundScape Renderer, the head
turning."""

import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
PERIODS = [64, 256]
COUNTS = [2, 16]
ROUNDS = 5


def measure(program, folder, absent):
    """Returns cells programs/live/periodN; adds missing programs to `absent`."""
    import programs
    lacking = [tool for tool in ("jackd", "ssr-binaural", "jack_simple_client", "jack_connect", "jack_lsp")
               if not shutil.which(tool)]
    if lacking:
        absent.append({"id": "programs/live", "reason": f"not installed: {', '.join(lacking)} (make setup)"})
        return []
    cells = []
    for period in PERIODS:
        found = {}
        for turn in range(ROUNDS):
            print(f"bench: live programs, period {period}, round {turn + 1} of {ROUNDS}")
            done = subprocess.run(
                [f"{ROOT}/Scripts/jack-sandbox", "--period", str(period), sys.executable, f"{HERE}/live_sandbox.py", program,
                 folder], capture_output=True, text=True, timeout=300)
            if done.returncode != 0:
                absent.append({"id": f"programs/live/period{period}", "reason": done.stderr.strip()[-300:]})
                break
            print(done.stderr, end="")
            for name, values in json.loads(done.stdout.splitlines()[-1]).items():
                found.setdefault(name, []).append(values)
        else:
            facts = {"sources": COUNTS[1], "period": period, "sampleRate": 48_000, "filters": "KEMAR, 256 taps",
                     "directions": "ours turns at 100° a second; SSR as its name says, its set having one response a degree"}
            for end, title, figure in (
                    ("", "16 sources less 2, so that waking up does not count", less),
                    ("/all", "16 sources and everything beside: waking up, meters, watching", all_of_it)):
                contenders = [programs.figures(name, "ours" if name.startswith("Proscenium") else "peer", figure(values))
                              for name, values in found.items()]
                cells.append(programs.cell(
                    f"programs/live/period{period}{end}", "programs", f"JACK clients, the head turning: {title}",
                    "ns of processor time per frame and source", facts, contenders))
    return cells


def less(rounds):
    """Returns the cost of each source beyond the first two: each round's cost with many sources, less the median with
    few."""
    few = statistics.median(values[0] for values in rounds)
    return [(values[1] - few) / (COUNTS[1] - COUNTS[0]) for values in rounds]


def all_of_it(rounds):
    """Returns the cost of the whole program, divided by its number of sources."""
    return [values[1] / COUNTS[1] for values in rounds]

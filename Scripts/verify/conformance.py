#!/usr/bin/env python3
"""Checks the JACK client's behaviour towards other clients, on jackd and on PipeWire's JACK, each check in a separate
sandbox. The table in Documentation/measurements/jack.md lists the servers, and what other checks and tests cover.

usage: conformance.py PROGRAM
"""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import conformance_monitor
import conformance_ports
import conformance_sound
from conformance_sound import Suspect
from servers import SERVERS, here
from takes import Complaint, enter, free_ports, tally, trouble, until_whole

#: Checks in order, each with its options of the sandbox.
CHECKS = {
    "ports": (conformance_ports.ports, {}),
    "latency": (conformance_ports.latency, {}),
    "clash": (conformance_ports.clash, {}),
    "none": (conformance_ports.none, {}),
    "exhaustion": (conformance_ports.exhaustion, {"ports": 16}),
    "periods": (conformance_sound.periods, {}),
    "sixteen": (conformance_sound.sixteen, {"period": 1024}),
    "inserts": (conformance_sound.inserts, {"period": 1024}),
    "midi": (conformance_sound.midi, {"period": 1024}),
    "stages": (conformance_monitor.stages, {"period": 1024}),
    "past the stage": (conformance_monitor.past, {"period": 1024}),
}


def perform(program, folder):
    """Runs one check inside a sandbox and writes its result to `said`. Returns an error, or None."""
    check, _ = CHECKS[(folder / "check").read_text()]
    try:
        outcome = check(program, folder, str(free_ports(1)[0]), here())
    except Suspect as suspect:
        (folder / "suspect").write_text(f"{suspect.step}\n{suspect}")
        return None
    except (Complaint, RuntimeError, OSError, subprocess.SubprocessError) as complaint:
        return str(complaint)
    if isinstance(outcome, tuple):
        (folder / "disturbed").write_text(outcome[1])
    else:
        (folder / "said").write_text(outcome)
    return None


def rehearse(program, server, name, seen):
    """Runs one check: returns (whether it passed, None if the server itself disturbed it; text).

    `seen`: steps at which earlier takes had a break. A fault of the program recurs: a break counts if a second take has
    one at the same step. A break by a late machine occurs at any step."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "check").write_text(name)
        run = subprocess.run([*server.sandbox(**CHECKS[name][1]), sys.executable, __file__, "--inside", program, folder],
                             capture_output=True, text=True, check=False)
        if run.returncode == 0 and (folder / "suspect").exists():
            step, words = (folder / "suspect").read_text().split("\n", 1)
            if step in seen:
                return False, f"{words}, as in a take before"
            seen.add(step)
            return None, words
        for word, well in (("said", True), ("disturbed", None)):
            if run.returncode == 0 and (folder / word).exists():
                return well, (folder / word).read_text()
        return trouble(run)


def judge(program, server, name):
    """Returns the outcome of one check, after as many takes as it needs."""
    seen = set()
    return until_whole(f"{server.name}, {name}", lambda: rehearse(program, server, name, seen))


def main(program):
    pairs = [(name, server) for name in CHECKS for server in SERVERS]
    # The checks mostly wait, so those of both servers run in parallel.
    with concurrent.futures.ThreadPoolExecutor(len(SERVERS)) as hands:
        outcomes = hands.map(lambda pair: judge(program, pair[1], pair[0]), pairs)
        return tally("conformance", ((f"{server.name}, {name}", *outcome) for (name, server), outcome in zip(pairs, outcomes)))


if __name__ == "__main__":
    enter(__doc__, main, perform)

#!/usr/bin/env python3
"""The JACK client as others on its server meet it, on jackd and on PipeWire's JACK, each check in a sandbox of its own. What the other
checks and tests prove of it, and on which server, is in the table of Documentation/jack.md.

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
from conformance_monitor import Suspect
from servers import SERVERS, here
from takes import Complaint, enter, free_ports, tally, trouble, until_whole

#: Checks in their order, and what each is given of its sandbox.
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
    """Inside a sandbox: one check, whose words are left in `said`. What went wrong, or None."""
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
    """(whether all was well, None where the server itself disturbed it; what there is to say) of one check.

    `seen`: where earlier takes broke. What the program does it does again: a break counts where a second take has it at the same
    step; a break by a machine that is late comes anywhere."""
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
    """The outcome of one check, after as many takes as it needs."""
    seen = set()
    return until_whole(f"{server.name}, {name}", lambda: rehearse(program, server, name, seen))


def main(program):
    pairs = [(name, server) for name in CHECKS for server in SERVERS]
    # Most of each is waiting: both servers' at once.
    with concurrent.futures.ThreadPoolExecutor(len(SERVERS)) as hands:
        outcomes = hands.map(lambda pair: judge(program, pair[1], pair[0]), pairs)
        return tally("conformance", ((f"{server.name}, {name}", *outcome) for (name, server), outcome in zip(pairs, outcomes)))


if __name__ == "__main__":
    enter(__doc__, main, perform)

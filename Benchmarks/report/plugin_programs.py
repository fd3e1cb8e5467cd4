#!/usr/bin/python3
"""Cost of a plugin in a live session, beside jalv, a JACK client that runs one plugin: whole programs in a sandbox.

The product's figure is the cost of the session with the plugin at its ears less that without it; jalv's is the whole
program, since a user who runs a plugin beside a session runs all of it. In the sandbox: plugin_programs.py --inside
PROSCENIUM FOLDER prints {name: seconds of processor time per second of sound} as JSON.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

PLUGIN, BUNDLE = "http://gareus.org/oss/lv2/fil4#stereo", "/usr/lib/lv2/fil4.lv2"
PERIOD, ROUNDS = 64, 5
WITHOUT, WITH, JALV = "Proscenium run, without it", "Proscenium run, with it", "jalv"


def measure(program, folder, absent):
    """Returns the cell programs/plugin; adds missing programs to `absent`."""
    import programs
    lacking = [tool for tool in ("jackd", "jalv", "jack_simple_client", "jack_connect", "jack_lsp") if not shutil.which(tool)]
    if not os.path.isdir(BUNDLE):
        lacking.append(PLUGIN)
    if lacking:
        absent.append({"id": "programs/plugin", "reason": f"not installed: {', '.join(lacking)} (make setup)"})
        return []
    rounds = []
    for turn in range(ROUNDS):
        print(f"bench: plugins in live programs, round {turn + 1} of {ROUNDS}")
        done = subprocess.run(
            [f"{HERE}/../../Scripts/jack-sandbox", "--period", str(PERIOD), sys.executable, os.path.abspath(__file__), "--inside",
             program, folder], capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            absent.append({"id": "programs/plugin", "reason": done.stderr.strip()[-300:]})
            return []
        rounds.append(json.loads(done.stdout.splitlines()[-1]))
    few = statistics.median(found[WITHOUT] for found in rounds)
    milliseconds = lambda name, less=0: [(found[name] - less) * 1e3 for found in rounds]
    return [programs.cell(
        "programs/plugin", "programs", "an equaliser (x42 fil4, stereo) in live programs: what the session takes more with it, and "
        "jalv as a JACK client beside it", "ms of processor time per second of sound",
        {"period": PERIOD, "sampleRate": 48_000, "filters": PLUGIN},
        [programs.figures("Proscenium run, more with it", "ours", milliseconds(WITH, few)),
         programs.figures(WITH, "part", milliseconds(WITH)),
         programs.figures(WITHOUT, "part", milliseconds(WITHOUT)),
         programs.figures(JALV, "peer", milliseconds(JALV), "the whole program")])]


def inside(program, folder):
    import live_sandbox
    log = f"{folder}/plugin.log"
    tone = subprocess.Popen(["jack_simple_client", "tone"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    live_sandbox.await_port("tone:output1")
    session = [program, "run", "--layout", "stereo", "--hrtf", "kemar", "--name", "ours", "--control", "none"]
    choices = {WITHOUT: ("ours:", session), WITH: ("ours:", [*session, "--plugin", f"ears={PLUGIN}"]),
               JALV: ("jalv:", ["jalv", "-x", "-n", "jalv", PLUGIN])}
    found = {}
    try:
        for name, (prefix, command) in choices.items():
            with open(log, "w") as said:
                # jalv ends at the end of its input.
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said)
            try:
                ports = live_sandbox.await_inputs(prefix, 2)
                found[name] = live_sandbox.watch(process, ports, log) / live_sandbox.SECONDS
            except live_sandbox.Ended as ended:
                sys.exit(f"{name}: {ended}")
            finally:
                live_sandbox.stop(process)
        print(json.dumps(found))
    finally:
        tone.terminate()
        tone.wait()


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] != "--inside":
        sys.exit("usage: plugin_programs.py --inside PROSCENIUM FOLDER")
    inside(*sys.argv[2:])

#!/usr/bin/python3
"""Inside the sandbox: live_sandbox.py PROSCENIUM FOLDER prints {program: [ns per frame with 2 sources, with 16]} as JSON."""

import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Scripts"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Scripts", "demo"))
import peer_ssr
import razor_tracker

RATE = 48_000
SECONDS = 6.0
COUNTS = [2, 16]


class Ended(Exception):
    """A program ended while it was measured."""


def main():
    program, folder = sys.argv[1:3]
    if not os.path.exists(f"{folder}/ssr-set.wav"):
        peer_ssr.write_set(f"{folder}/ssr-set.wav", RATE)
    tone = subprocess.Popen(["jack_simple_client", "tone"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    await_port("tone:output1")
    # SSR changes filters when its listener has turned by a degree: a hundred times a second, and at nearly every block.
    choices = {
        "Proscenium run, 100° a second": lambda count: ours(program, folder, count),
        "SSR, 100° a second": lambda count: ssr(folder, count, 100),
        "SSR, a degree each block": lambda count: ssr(folder, count, 1000),
    }
    try:
        figures = {}
        for name, run in choices.items():
            figures[name] = [patiently(name, run, count) * 1e9 / (SECONDS * RATE) for count in COUNTS]
        print(json.dumps(figures))
    finally:
        tone.terminate()
        tone.wait()


def patiently(name, run, count):
    """Returns seconds of processor time. The renderer of Debian 12 sometimes crashes (a null pointer in its own code)
    and is then measured again, at most three times. The product is measured once."""
    for left in (2, 1, 0):
        try:
            return run(count)
        except Ended as ended:
            if left == 0 or name.startswith("Proscenium"):
                sys.exit(f"{name}: {ended}")
            print(f"{name}: {ended}; measured again", file=sys.stderr)


def ports():
    return subprocess.run(["jack_lsp"], capture_output=True, text=True).stdout.split()


def await_port(name, seconds=20):
    end = time.monotonic() + seconds
    while name not in ports():
        if time.monotonic() > end:
            sys.exit(f"no port {name} after {seconds} s")
        time.sleep(0.1)


def spent(process):
    """Returns the processor time of all threads of a process, ended ones included, seconds: the clock of
    clock_getcpuclockid(3)."""
    return time.clock_gettime(~process.pid << 3 | 2)


def watch(process, inputs, log):
    """Connects the tone to all inputs and measures for some seconds. `log` holds the program's output."""
    for port in inputs:
        if subprocess.run(["jack_connect", "tone:output1", port], capture_output=True).returncode != 0:
            raise Ended(f"{port} could not be connected")
    time.sleep(1)
    before = spent(process)
    time.sleep(SECONDS)
    used = spent(process) - before
    if process.poll() is not None:
        with open(log, errors="replace") as file:
            said = file.read().strip()[-300:]
        raise Ended(f"{os.path.basename(process.args[0])} ended with {process.wait()} while it was measured: {said}")
    return used


def stop(process):
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def azimuth(index, count):
    return index * 360 / count - 170


def ours(program, folder, count):
    layout = {"name": f"ring of {count}",
              "loudspeakers": [{"name": f"s{i + 1}", "azimuth": azimuth(i, count)} for i in range(count)]}
    with open(f"{folder}/ring{count}.json", "w") as file:
        json.dump(layout, file)
    log = f"{folder}/ours.log"
    with open(log, "w") as said:
        process = subprocess.Popen(
            [program, "run", "--layout", f"{folder}/ring{count}.json", "--hrtf", "kemar", "--poses", f"{folder}/turn.csv",
             "--name", "ours", "--control", "none"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
    try:
        return watch(process, await_inputs("ours:", count), log)
    finally:
        stop(process)


def await_inputs(prefix, count, seconds=20):
    end = time.monotonic() + seconds
    while True:
        listed = subprocess.run(["jack_lsp", "-p"], capture_output=True, text=True).stdout.splitlines()
        inputs = [name for name, kind in zip(listed[::2], listed[1::2]) if name.startswith(prefix) and "input" in kind]
        audio = [name for name in inputs if "midi" not in name.lower()]
        if len(audio) >= count:
            return audio[:count]
        if time.monotonic() > end:
            raise Ended(f"{prefix} has {len(audio)} inputs after {seconds} s, not {count}")
        time.sleep(0.1)


def ssr(folder, count, speed):
    peer_ssr.write_scene(f"{folder}/scene.asd", [(i + 1, azimuth(i, count)) for i in range(count)])
    razor_tracker.RATE = max(50, int(speed))
    tracker = razor_tracker.RazorTracker(lambda moment: (speed * moment % 360 - 180, 0, 0))
    renderer = peer_ssr.Renderer("scene", folder, tracker, SECONDS)
    try:
        if not renderer.wait():
            raise Ended("it did not start")
        return watch(renderer.ssr, await_inputs("scene:", count), f"{folder}/scene.log")
    finally:
        renderer.close()
        tracker.close()


if __name__ == "__main__":
    main()

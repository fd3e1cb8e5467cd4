#!/usr/bin/env python3
"""Checks stereo and mono upmixed into a stage while they play, over a real JACK server: the session runs on, its meters
show the input channels, and JACK gets the latency of the upmix: at most 2048 frames as a player, at most 2 ms live,
plus 8 frames of the colour filters.

usage: opened.py PROGRAM
"""
import json
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from takes import PATIENCE, RATE, enter, free_ports, tally

PORT = str(free_ports(1)[0])
#: (layout, its first port, latency, greatest latency in frames)
TAKES = [("stereo", "in_FL", "player", 2048 + 8), ("stereo", "in_FL", "live", 2 * RATE // 1000 + 8), ("mono", "in_M", "live", 2 * RATE // 1000)]


def latency(port):
    """Returns the playback latency of a port in frames, as JACK reports it; 0 before it is known."""
    told = subprocess.run(["jack_lsp", "-l", port], capture_output=True, text=True).stdout
    found = re.search(r"playback latency = \[ (\d+)", told)
    return int(found[1]) if found else 0


def session(program, port, *options):
    """Runs a session and returns the latency of an input and the names of its meters; or an error."""
    running = subprocess.Popen([program, "run", "--quiet", "--control", PORT, "--connect-out", "system:playback_{1,2}", *options],
                               stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        end = time.monotonic() + PATIENCE
        while True:
            answer = subprocess.run([program, "ctl", "loudness", "--json", "--port", PORT], capture_output=True, text=True)
            if running.poll() is not None:
                return f"the session ended with {running.returncode}: {running.stderr.read().strip()[:200]}", None
            if answer.returncode == 0 and latency("proscenium:" + port):
                break
            if time.monotonic() > end:
                return f"the session did not answer: {answer.stderr.strip()}", None
            time.sleep(0.05)
        # The meters run on: another reading a second later.
        time.sleep(1)
        answer = subprocess.run([program, "ctl", "loudness", "--json", "--port", PORT], capture_output=True, text=True)
        if answer.returncode != 0:
            return f"the session is gone: {answer.stderr.strip()}", None
        found = latency("proscenium:" + port), [meter["name"] for meter in json.loads(answer.stdout)["inputs"]]
        subprocess.run([program, "ctl", "quit", "--port", PORT], check=True, capture_output=True)
        return found if running.wait(PATIENCE) == 0 else (f"the session ended with {running.returncode}", None)
    finally:
        if running.poll() is None:
            running.kill()
            running.wait()


def perform(program, _):
    """Runs all takes inside a sandbox."""
    def outcomes():
        unopened = {}
        for layout, port, how, most in TAKES:
            if layout not in unopened:
                unopened[layout], _ = session(program, port, "--layout", layout)
            plain = unopened[layout]
            opened, meters = session(program, port, "--layout", layout, "--upmix", "identity", "--upmix-latency", how)
            if meters is None or isinstance(plain, str):
                yield f"{layout}, {how}", False, opened if meters is None else plain
            else:
                yield f"{layout}, {how}", 0 < opened - plain <= most and meters == ["main"], \
                    f"{opened - plain} frames (at most {most}), meters: {', '.join(meters)}"
    return tally("opened live", outcomes())


def main(program):
    return subprocess.run([HERE.parent / "jack-sandbox", "--sync", "--period", "256", sys.executable, __file__, "--inside", program, "."]).returncode


if __name__ == "__main__":
    enter(__doc__, main, perform)

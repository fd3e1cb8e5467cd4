#!/usr/bin/env python3
"""Plays the ride with the user's own trackers and headphones and a looped scene; writes a page at the end.

    bus_live.py PROGRAM OUTDIR --head TRACKER [--device TRACKER] [--connect-out PORTS] [--seconds S]

Put a phone that sends its motion on a swivel chair (--device), a tracker on your head (--head), and headphones on. Uses
the running JACK server. The scene of the bus ride plays in a loop; the state of tracking is printed once a second.
Ctrl-C ends it, or --seconds. While it plays, Return makes your present direction the front.

OUTDIR/ears.wav        recording of your headphones
OUTDIR/motion.ndjson   all poses and tracker data; `proscenium render --motion` renders it again
OUTDIR/live.html       page with both
"""

import argparse
import json
import os
import select
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import live_page
import processes
import session_phase
from free_ports import free_ports
from processes import Failure

HERE = os.path.dirname(os.path.abspath(__file__))
CONTROL, NAME = str(free_ports(1)[0]), "proscenium-bus"
#: Timeout for the stage's preparation of HRTFs and room, also on a busy machine, seconds.
BOARDING = 600.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--head", required=True)
    parser.add_argument("--device", default="none")
    parser.add_argument("--connect-out", default="physical")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print("bus: making the scene", flush=True)
    processes.run([sys.executable, f"{HERE}/make_scene.py", f"{options.folder}/scene.wav"], "making the scene")
    # From here on these signals end the ride, and the page is still written.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end_ride)
    ride(options)
    live_page.write(options.folder, options.head, options.device)
    print(f"bus: what you heard and how you moved: {options.folder}/live.html")


def end_ride(*_):
    """Ends the ride at the first signal; ignores further ones, so that they do not interrupt the end."""
    # By a handler, because children inherit ignored signals.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    raise KeyboardInterrupt


def ride(options):
    """Plays until the user ends it."""
    stage = processes.start(
        [options.program, "run", "--quiet", "--name", NAME, "--layout", "7.1.4", "--room", "studio", "--control", CONTROL,
         f"--head={options.head}", f"--device={options.device}", f"--connect-out={options.connect_out}", "--fresh", "--record",
         "ears.wav", "--record-motion", "motion.ndjson", "--overwrite", "--start", "ctl"],
        cwd=options.folder, stdin=subprocess.DEVNULL)
    player = None
    try:
        def ready():
            if stage.poll() is not None:
                raise Failure("the stage did not start; what it said stands above", stage.returncode)
            state = status(options.program)
            progress.tell(session_phase.words(state))
            return state if session_phase.has_stage(state) else None

        with processes.Progress("boarding") as progress:
            client = processes.wait_until(ready, lambda: f"the stage was not ready within {BOARDING:g} s; it is "
                                          f"{session_phase.words(status(options.program))}", BOARDING)["client"]
        player = processes.start([options.program, "demo", "play", f"{options.folder}/scene.wav", "--into", client, "--loop"],
                                 stdin=subprocess.DEVNULL)
        control(options.program, "start")
        print("bus: playing; Return makes where you look now the front, Ctrl-C ends the ride", flush=True)
        watch(options, stage, player)
    except KeyboardInterrupt:
        print()
    finally:
        if stage.poll() is None:
            control(options.program, "quit")
        try:
            stage.wait(timeout=20)
        except subprocess.TimeoutExpired:
            pass  # It has ended; its exit status is used.
        processes.end([process for process in (stage, player) if process])
    if stage.returncode != 0:
        raise Failure(f"the stage ended with code {stage.returncode}; what it said stands above", stage.returncode)


def watch(options, stage, player):
    """Prints the state of tracking, and recentres on Return."""
    end, next_line = time.monotonic() + options.seconds, time.monotonic()
    keys = sys.stdin.isatty()
    while time.monotonic() < end and stage.poll() is None:
        if player.poll() is not None:
            raise Failure("the player ended; what it said stands above")
        if keys and select.select([sys.stdin], [], [], 0)[0] and sys.stdin.readline():
            control(options.program, "recentre")
        if time.monotonic() >= next_line:
            now = status(options.program)
            if session_phase.has_stage(now):
                print(("\r" if sys.stdout.isatty() else "") + described(now), end="\x1b[K" if sys.stdout.isatty() else "\n",
                      flush=True)
            next_line += 1
        time.sleep(0.05)


def described(now):
    """Returns one line about pose and trackers."""
    parts = [f"{now['mode']:9} yaw {now['yaw']:+6.1f}° pitch {now['pitch']:+5.1f}° roll {now['roll']:+5.1f}°"]
    for who in ("head", "device"):
        stream = now.get(who)
        if stream:
            heard = "nothing heard" if stream.get("ageSeconds") is None else f"{stream['rateHertz']:.0f} Hz"
            parts.append(f"{who} {heard}{'' if stream['fresh'] else ', STALE'}")
    return " | ".join(parts)


def control(program, *words):
    try:
        answer = subprocess.run([program, "ctl", *words, "--port", CONTROL], capture_output=True, text=True, timeout=15)
    except subprocess.TimeoutExpired:
        raise Failure(f"ctl {' '.join(words)} was not answered within 15 s") from None
    if answer.returncode != 0 and words[0] != "status":
        print(f"\nbus: {' '.join(words)}: {answer.stderr.strip()}", flush=True)
    return answer


def status(program):
    answer = control(program, "status", "--json")
    return json.loads(answer.stdout) if answer.returncode == 0 else None


if __name__ == "__main__":
    processes.manners(main)

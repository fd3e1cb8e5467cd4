#!/usr/bin/env python3
"""The bus ride from end to end: private JACK server, three stages, real UDP packets, an independent judge, a page.

    bus.py PROGRAM OUTDIR [--seconds 60]

PROGRAM is the proscenium to ride with. Runs itself inside Scripts/jack-sandbox: no sound card, nothing left behind. Three
clients play the same programme at the same time: `untracked`, `head-only` (a head tracker alone) and `ours` (head and
device). The poses each of them rendered are recorded; the voice alone is rendered again from those, for the judge.
Exits 0 if ours keeps the voice in its place.
"""

import argparse
import concurrent.futures
import json
import os
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SANDBOX = os.path.join(HERE, "..", "jack-sandbox")
RATE, PERIOD = 48000, 256
#: Name: control port, UDP port of the head's tracker, UDP port of the device's tracker.
CLIENTS = {"untracked": (9161, None, None), "head-only": (9162, 9163, None), "ours": (9164, 9165, 9166)}
#: Seconds from the start of the stream to the start of the ride.
LEAD = 2.0
#: A ride is made again where 1 % of the packets leave later than this, or JACK skips more sound than this in all.
LATE_MS, SKIPPED_SECONDS, ATTEMPTS = 20.0, 1.0, 3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    if "PROSCENIUM_BUS_INSIDE" not in os.environ:
        begun = time.monotonic()
        prepare(options)
        environment = dict(os.environ, PROSCENIUM_BUS_INSIDE="1")
        arguments = [os.path.abspath(options.program), os.path.abspath(options.folder), "--seconds", str(options.seconds)]
        for attempt in range(1, ATTEMPTS + 1):
            subprocess.run([SANDBOX, "--rate", str(RATE), "--period", str(PERIOD), sys.executable, os.path.abspath(__file__),
                            *arguments], env=environment, check=True)
            complaint = stall(options.folder)
            if not complaint:
                break
            print(f"bus: this computer itself stood still at times ({complaint}), which says nothing of the stage"
                  + ("; riding again" if attempt < ATTEMPTS else "; judged all the same"), flush=True)
        code = judge(options)
        print(f"bus: took {time.monotonic() - begun:.0f} s; the page is {options.folder}/index.html")
        sys.exit(code)
    ride(options)


def script(name, *arguments, **more):
    return subprocess.run([sys.executable, f"{HERE}/{name}", *arguments], check=True, text=True, **more)


def prepare(options):
    """The programme and the ride."""
    shutil.rmtree(f"{options.folder}/motion", ignore_errors=True)
    os.makedirs(f"{options.folder}/motion")
    print("bus: making the scene and the ride", flush=True)
    script("make_scene.py", f"{options.folder}/scene.wav")
    script("make_motion.py", f"{options.folder}/motion", str(options.seconds))


def ride(options):
    """Everything that happens beside the JACK server, in real time."""
    program, folder = options.program, options.folder
    stages, player, load = {}, None, {name: [] for name in CLIENTS}
    try:
        for name, (port, head, device) in CLIENTS.items():
            command = [program, "run", "--quiet", "--name", name, "--layout", "7.1.4", "--control", str(port), "--start", "ctl",
                       "--record", f"{folder}/{name}.wav", "--record-poses", f"{folder}/{name}-poses.csv"]
            command += ["--head", f"osc:{head}"] if head else []
            command += ["--device", f"opentrack:{device}"] if device else []
            with open(f"{folder}/{name}.log", "w") as log:
                stages[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for name in CLIENTS:
            wait_until(lambda: status(program, name) is not None, f"stage '{name}' did not start; see {folder}/{name}.log")
        # Stream time 0 shall be the same JACK frame for all; the player begins there too.
        frame = (status(program, "ours")["jackFrame"] + 3 * RATE) % 2**32
        player = subprocess.Popen(
            [program, "demo", "play", f"{folder}/scene.wav", "--at", str(frame), "--into", ",".join(CLIENTS)],
            stdin=subprocess.DEVNULL)
        with concurrent.futures.ThreadPoolExecutor(len(CLIENTS)) as pool:
            starts = list(pool.map(lambda name: control(program, name, "start", "--at", str(frame)), CLIENTS))
        started = dict(zip(CLIENTS, starts))
        start = started["ours"]["heardAt"] + LEAD
        sender = subprocess.Popen(
            [sys.executable, f"{HERE}/send_motion.py", f"{folder}/motion", "--head", "osc:9163", "--head", "osc:9165",
             "--device", "opentrack:9166", "--start", repr(start), "--seconds", str(options.seconds)],
            stdout=subprocess.PIPE, text=True)
        # Until the ride begins both trackers say where the front is; a second of it is enough.
        time.sleep(1)
        for name in ("head-only", "ours"):
            control(program, name, "recentre")
        end = start + options.seconds
        # Seconds of each stream against seconds of the ride: where the server misses a period, sound and world part.
        clocks = {name: [] for name in CLIENTS}
        while time.monotonic() < end and sender.poll() is None:
            time.sleep(0.05)
            for name, (port, _, _) in CLIENTS.items():
                now = quick_status(port)
                if now:
                    load[name].append(now["load"])
                    clocks[name].append((now["streamFrame"] / RATE, now["heardAt"] - start))
            show_progress(1 - (end - time.monotonic()) / options.seconds, end - time.monotonic())
        packets = json.loads(sender.communicate(timeout=30)[0])
        last = {name: status(program, name) for name in CLIENTS}
        for name in CLIENTS:
            control(program, name, "quit")
        for name, stage in stages.items():
            if stage.wait(timeout=30) != 0:
                sys.exit(f"bus: stage '{name}' ended with code {stage.returncode}; see {folder}/{name}.log")
    finally:
        for process in [*stages.values(), player]:
            if process and process.poll() is None:
                process.terminate()
                process.wait()
    write_run(folder, load, last, packets)
    for name, clock in clocks.items():
        with open(f"{folder}/{name}-clock.csv", "w") as file:
            file.write("stream,ride\n" + "".join(f"{a:.6f},{b:.6f}\n" for a, b in sorted(set(clock))))


def judge(options):
    """The voice alone with the poses that were rendered, the judge's word, the page."""
    program, folder = options.program, options.folder
    print("bus: rendering the voice for the judge, judging", flush=True)

    def heard(name):
        if name == "floor":
            return script("judge.py", "--floor", f"{folder}/voice.wav", f"{folder}/motion/truth.csv", "--out",
                          f"{folder}/floor", stdout=subprocess.DEVNULL)
        subprocess.run([program, "render", f"{folder}/voice.wav", f"{folder}/{name}-voice.wav", "--layout", "7.1.4",
                        "--poses", f"{folder}/{name}-poses.csv"], check=True, stderr=subprocess.DEVNULL)
        return script("judge.py", f"{folder}/{name}-voice.wav", f"{folder}/voice.wav", f"{folder}/motion/truth.csv",
                      "--events", f"{folder}/motion/events.json", "--clock", f"{folder}/{name}-clock.csv", "--out",
                      f"{folder}/{name}-judge", stdout=subprocess.DEVNULL)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(heard, ["floor", *CLIENTS]))
    return subprocess.run([sys.executable, f"{HERE}/bus_page.py", folder]).returncode


def control(program, name, *words):
    """Speaks to a stage; its answer as JSON where it is."""
    port = str(CLIENTS[name][0])
    answer = subprocess.run([program, "ctl", *words, "--port", port], capture_output=True, text=True)
    if answer.returncode != 0:
        sys.exit(f"bus: ctl {' '.join(words)} to '{name}': {answer.stderr.strip()}")
    return json.loads(answer.stdout) if answer.stdout.startswith("{") else None


def status(program, name):
    """A stage's state; None while it does not answer."""
    port = str(CLIENTS[name][0])
    answer = subprocess.run([program, "ctl", "status", "--json", "--port", port], capture_output=True, text=True)
    return json.loads(answer.stdout) if answer.returncode == 0 else None


def stall(folder):
    """What kept this computer from playing the ride in time, or None: no tracker is late by LATE, no server skips so much."""
    with open(f"{folder}/run.json") as file:
        run = json.load(file)
    late, skipped = run["stall"]["packets_late_p99_ms"], run["stall"]["skipped_seconds"]
    if late <= LATE_MS and skipped <= SKIPPED_SECONDS:
        return None
    return f"packets left {late:.0f} ms late, JACK skipped {skipped:.1f} s of sound"


def quick_status(port):
    """A stage's state by one OSC message and its answer, without a process in between; None if none comes at once."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.settimeout(0.2)
        asker.sendto(b"/proscenium/status\0\0,\0\0\0", ("127.0.0.1", port))
        try:
            answer = asker.recv(65536)
        except OSError:
            return None
    text = answer[answer.index(b"{"):answer.rindex(b"}") + 1]
    return json.loads(text)


def wait_until(condition, complaint, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"bus: {complaint}")
        time.sleep(0.1)


def show_progress(fraction, left):
    if sys.stderr.isatty():
        print(f"\rbus: riding, {max(0, fraction) * 100:3.0f} %, {max(0, left):.0f} s left ", end="", file=sys.stderr, flush=True)


def write_run(folder, load, last, packets):
    """What cannot be heard, for the page."""
    ours = last["ours"]
    period_us = ours["period"] / ours["sampleRate"] * 1e6
    variants = {}
    for name, values in load.items():
        ordered = sorted(values) or [0.0]
        variants[name] = {
            "motion_start": LEAD, "share_of_core": statistics.median(ordered),
            "p50_us": statistics.median(ordered) * period_us,
            "p99_us": ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))] * period_us}
    conditions = {
        "HRTF": ours["hrtf"], "period": f"{ours['period']} frames at {ours['sampleRate'] / 1000:g} kHz, {ours['xruns']} xruns",
        "slice": str(ours["slice"]), "processor": processor(),
        "packets": f"{packets['packets']}, 99 % sent within {packets['late_p99_ms']:.1f} ms of their time"}
    with open(f"{folder}/run.json", "w") as file:
        json.dump({"conditions": conditions, "variants": variants, "stall": {
            "packets_late_p99_ms": packets["late_p99_ms"],
            "skipped_seconds": ours["skippedFrames"] / ours["sampleRate"]}}, file, indent=1)


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


if __name__ == "__main__":
    main()

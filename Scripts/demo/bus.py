#!/usr/bin/env python3
"""The bus ride from end to end: private JACK server, three stages, real UDP packets, an independent judge, a page.

    bus.py PROGRAM OUTDIR [--seconds 60]

PROGRAM is the proscenium to ride with. Runs itself inside Scripts/jack-sandbox: no sound card, nothing left behind. Four
clients play the same programme at the same time: `untracked`, `head-only` (a head tracker alone), `ours` (fused orientations
of head and device) and `imu` (raw IMUs of head and device, on a serial line and over UDP). The poses each of them rendered
are recorded; the voice alone is rendered again from those, for the judge. Beside them rides SSR where it is installed, with
its own head tracker (see peer_ssr.py), and Android's rule is simulated afterwards (see peer_android.py).
Exits 0 if ours keeps the voice in its place, both with fused and with raw sensors.
"""

import argparse
import bisect
import concurrent.futures
import glob
import json
import os
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import judge as ears
import peer_ssr
import razor_tracker
from listening import floatwav, rotations

HERE = os.path.dirname(os.path.abspath(__file__))
SANDBOX = os.path.join(HERE, "..", "jack-sandbox")
RATE, PERIOD = 48000, 256
#: Name: control port, tracker of the head, tracker of the device.
CLIENTS = {
    "untracked": (9161, "none", "none"), "head-only": (9162, "osc:9163", "none"),
    "ours": (9164, "osc:9165", "opentrack:9166"), "imu": (9167, "serial:head.tty,ximu3", "udp:9168")}
#: Where the programme's loudspeakers stand, degrees, in its order; those overhead as seen from above. LFE is silent.
AZIMUTHS = [30, -30, 0, 0, 135, -135, 90, -90, 45, -45, 135, -135]
#: SSR's clients: the scene for you, the voice alone for the judge.
SSR = {"ssr": list(enumerate(AZIMUTHS, 1)), "ssr-voice": [(1, 0)]}
#: Seconds that raw IMUs rest before the ride.
REST = 10.0
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
    # One thread each: two scripts run at a time.
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    return subprocess.run([sys.executable, f"{HERE}/{name}", *arguments], check=True, text=True, env=environment, **more)


def prepare(options):
    """The programme and the ride."""
    shutil.rmtree(f"{options.folder}/motion", ignore_errors=True)
    os.makedirs(f"{options.folder}/motion")
    # What an earlier ride left must not be taken for this one's.
    for left in {*glob.glob(f"{options.folder}/*-judge.*"), *glob.glob(f"{options.folder}/ssr*")}:
        os.unlink(left)
    print("bus: making the scene and the ride", flush=True)
    script("make_scene.py", f"{options.folder}/scene.wav")
    script("make_motion.py", f"{options.folder}/motion", str(options.seconds))
    script("make_imu.py", f"{options.folder}/motion", str(options.seconds))
    if peer_ssr.installed():
        peer_ssr.write_set(f"{options.folder}/ssr-set.wav", RATE)
        voice, _ = floatwav.read(f"{options.folder}/voice.wav")
        floatwav.write(f"{options.folder}/voice-alone.wav", voice[:, 2], RATE)
        for name, sources in SSR.items():
            peer_ssr.write_scene(f"{options.folder}/{name}.asd", sources)
    else:
        print("bus: the SoundScape Renderer is not installed (apt install soundscaperenderer-nox); the ride goes without it")


def ride(options):
    """Everything that happens beside the JACK server, in real time."""
    program, folder = options.program, options.folder
    stages, players, load, peers = {}, [], {name: [] for name in CLIENTS}, []
    link = f"{folder}/head.tty"
    imus = subprocess.Popen(
        [sys.executable, f"{HERE}/send_imu.py", f"{folder}/motion", "--head", f"serial:{link}", "--device", "udp:9168",
         "--seconds", str(options.seconds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    begun = time.monotonic()
    # What devices are remembered by shall not be taken from another ride, nor be left behind.
    environment = dict(os.environ, XDG_STATE_HOME=f"{folder}/state")
    shutil.rmtree(f"{folder}/state", ignore_errors=True)
    try:
        imus.stdout.readline()
        for name, (port, head, device) in CLIENTS.items():
            command = [program, "run", "--quiet", "--name", name, "--layout", "7.1.4", "--control", str(port), "--start", "ctl",
                       "--record", f"{name}.wav", "--record-poses", f"{name}-poses.csv", "--head", head, "--device", device]
            with open(f"{folder}/{name}.log", "w") as log:
                stages[name] = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                env=environment)
        turning = Turning(f"{folder}/motion/head.csv")
        if os.path.exists(f"{folder}/ssr-set.wav"):
            peers = board_ssr(folder, turning, LEAD + options.seconds + 4)
        for name in CLIENTS:
            wait_until(lambda: status(program, name) is not None, f"stage '{name}' did not start; see {folder}/{name}.log")
        # Stream time 0 shall be the same JACK frame for all; the players begin there too.
        rest = max(3, REST - LEAD - (time.monotonic() - begun))
        frame = (status(program, "ours")["jackFrame"] + round(rest * RATE)) % 2**32
        for sound, into in [("scene", ",".join(CLIENTS))] + [("scene", "ssr"), ("voice-alone", "ssr-voice")][:len(peers)]:
            players.append(subprocess.Popen(
                [program, "demo", "play", f"{folder}/{sound}.wav", "--at", str(frame), "--into", into],
                stdin=subprocess.DEVNULL))
        for peer, _ in peers:
            peer.record()
        with concurrent.futures.ThreadPoolExecutor(len(CLIENTS)) as pool:
            starts = list(pool.map(lambda name: control(program, name, "start", "--at", str(frame)), CLIENTS))
        started = dict(zip(CLIENTS, starts))
        start = started["ours"]["heardAt"] + LEAD
        turning.start = start
        imus.stdin.write(f"START {start!r}\n")
        imus.stdin.flush()
        sender = subprocess.Popen(
            [sys.executable, f"{HERE}/send_motion.py", f"{folder}/motion", "--head", "osc:9163", "--head", "osc:9165",
             "--device", "opentrack:9166", "--start", repr(start), "--seconds", str(options.seconds)],
            stdout=subprocess.PIPE, text=True)
        # Until the ride begins both trackers say where the front is; a second of it is enough.
        time.sleep(1)
        for name in ("head-only", "ours", "imu"):
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
        raw = json.loads(imus.communicate(timeout=30)[0].splitlines()[-1])
        for peer, _ in peers:
            peer.finish()
    finally:
        for peer, tracker in peers:
            peer.close()
            tracker.close()
        for process in [*stages.values(), *players, imus]:
            if process.poll() is None:
                process.terminate()
                process.wait()
        if os.path.islink(link):
            os.unlink(link)
    packets["late_p99_ms"] = max(packets["late_p99_ms"], raw["late_p99_ms"])
    packets["packets"] += raw["packets"]
    write_run(folder, load, last, packets)
    for name, clock in clocks.items():
        with open(f"{folder}/{name}-clock.csv", "w") as file:
            file.write("stream,ride\n" + "".join(f"{a:.6f},{b:.6f}\n" for a, b in sorted(set(clock))))


class Turning:
    """Where SSR's tracker looks: the head against the earth, true and without drift; silent where the head's stream is."""

    def __init__(self, path):
        rows = np.loadtxt(path, delimiter=",", skiprows=1)
        self.times = rows[:, 0].tolist()
        self.angles = np.stack(rotations.angles(rows[:, 1:]), 1).tolist()
        #: When the ride begins, seconds of CLOCK_MONOTONIC.
        self.start = float("inf")

    def __call__(self, moment):
        at = moment - self.start
        row = max(0, bisect.bisect_right(self.times, at) - 1)
        return None if 0.015 < at - self.times[row] < 1 else self.angles[row]


def board_ssr(folder, turning, seconds):
    """SSR's clients with a tracker each, ready to play; none if it does not start, which is said."""
    peers = []
    for name in SSR:
        tracker = razor_tracker.RazorTracker(turning)
        peers.append((peer_ssr.Renderer(name, folder, tracker, seconds), tracker))
    if all(peer.wait() for peer, _ in peers):
        return peers
    for peer, tracker in peers:
        peer.close()
        tracker.close()
    print(f"bus: the SoundScape Renderer did not start (see {folder}/ssr.log); the ride goes without it", flush=True)
    return []


def align(folder, name, programme):
    """Cuts SSR's recording so that it begins with the programme; by cross-correlation."""
    path = f"{folder}/{name}-recorded.wav"
    if not os.path.exists(path):
        return False
    heard, _ = floatwav.read(path)
    dry, _ = floatwav.read(programme)
    late = ears.delay(heard.sum(1), dry.sum(1))
    heard = heard[late:] if late >= 0 else np.pad(heard, ((-late, 0), (0, 0)))
    if not np.any(heard):
        return False
    floatwav.write(f"{folder}/{name}.wav", heard[:len(dry)], RATE)
    return True


def judge(options):
    """The voice alone with the poses that were rendered, the judge's word, the page."""
    program, folder = options.program, options.folder
    print("bus: rendering the voice for the judge, judging", flush=True)

    def heard(name):
        if name == "floor":
            return script("judge.py", "--floor", f"{folder}/voice.wav", f"{folder}/motion/truth.csv", "--out",
                          f"{folder}/floor", stdout=subprocess.DEVNULL)
        clock = ["--clock", f"{folder}/{name if name in CLIENTS else 'ours'}-clock.csv"]
        if name == "android":
            script("peer_android.py", f"{folder}/motion", f"{folder}/{name}-poses.csv", str(LEAD))
            clock = ["--motion-start", str(LEAD)]
            render("scene", name, f"{name}.wav")
        if name != "ssr":
            render("voice", name, f"{name}-voice.wav")
        return script("judge.py", f"{folder}/{name}-voice.wav", f"{folder}/voice.wav", f"{folder}/motion/truth.csv",
                      "--events", f"{folder}/motion/events.json", *clock, "--out", f"{folder}/{name}-judge",
                      stdout=subprocess.DEVNULL)

    def render(programme, name, output):
        subprocess.run([program, "render", f"{folder}/{programme}.wav", f"{folder}/{output}", "--layout", "7.1.4", "--poses",
                        f"{folder}/{name}-poses.csv"], check=True, stderr=subprocess.DEVNULL)

    names = ["floor", *CLIENTS, "android"]
    if align(folder, "ssr", f"{folder}/scene.wav") and align(folder, "ssr-voice", f"{folder}/voice-alone.wav"):
        names.append("ssr")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(heard, names))
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
        **({"SSR": peer_ssr.version()} if os.path.exists(f"{folder}/ssr-recorded.wav") else {}),
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

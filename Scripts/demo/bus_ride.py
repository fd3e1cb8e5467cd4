#!/usr/bin/env python3
"""Makes the ride in real time, with the running JACK server: stages, players, trackers, SSR.

    bus_ride.py PROGRAM FOLDER --seconds S

Reads the files of bus.py in FOLDER. Four clients play the same programme at the same time: `untracked`, `head-only`
(only a head tracker), `ours` (fused orientations of head and device) and `imu` (raw IMUs of head and device, on a
serial line and over UDP). The rendered poses of each are recorded. SSR runs beside them if installed, with its own head
tracker (see peer_ssr.py). Every wait has a timeout; a failure is one line, and all started programs end.
"""

import argparse
import bisect
import concurrent.futures
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import peer_ssr
import processes
import razor_tracker
import session_phase
from bus_clients import CLIENTS, LEAD, RATE, REST, write_failure, write_run
from free_ports import free_ports
from listening import rotations
from processes import Failure, Late

HERE = os.path.dirname(os.path.abspath(__file__))
#: Timeout for players and trackers, and for a stage, seconds: a stage may have to prepare the HRTF set first, on a busy
#: machine.
BOARDING, PREPARING = 45.0, 600.0
#: Seconds within which a stage that runs must answer.
ANSWERING = 30.0
#: Seconds of skipped sound after which the ride is abandoned.
HOPELESS = 1.0
#: Number of tries for a stage that the server does not accept at once, with many clients connecting.
TRIES = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    try:
        Ride(options.program, options.folder, options.seconds).go()
    except Exception as error:
        # The caller prints the reason for the ride in freewheel.
        write_failure(options.folder, error)
        raise


class Ride:
    """All activity beside the server."""

    def __init__(self, program, folder, seconds):
        self.program, self.folder, self.seconds = program, folder, seconds
        self.link = f"{folder}/head.tty"
        ports = free_ports(len(CLIENTS) + 4)
        self.ports = dict(zip(CLIENTS, ports))
        alone, head, self.device_port, self.raw_port = ports[len(CLIENTS):]
        self.head_ports = (alone, head)
        self.trackers = {
            "untracked": ("none", "none"), "head-only": (f"osc:{alone}", "none"),
            "ours": (f"osc:{head}", f"opentrack:{self.device_port}"),
            "imu": ("serial:head.tty,ximu3", f"udp:{self.raw_port}")}
        self.stages, self.players, self.peers = {}, [], []
        self.loads = {name: [] for name in CLIENTS}
        #: Seconds of each stream against seconds of the ride: they diverge if the server misses a period.
        self.clocks = {name: [] for name in CLIENTS}
        #: Lateness of this script's own wake-ups, ms.
        self.woken = []

    def go(self):
        begun = time.monotonic()
        processes.forget_later(self.link)
        with processes.Progress("boarding") as progress:
            imus = processes.start(
                [sys.executable, f"{HERE}/send_imu.py", f"{self.folder}/motion", "--head", f"serial:{self.link}", "--device",
                 f"udp:{self.raw_port}", "--seconds", self.seconds], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            processes.line_of(imus, "the raw sensors' sender", BOARDING)
            self.board_stages(progress)
            sender = processes.start(
                [sys.executable, f"{HERE}/send_motion.py", f"{self.folder}/motion", "--head", f"osc:{self.head_ports[0]}",
                 "--head", f"osc:{self.head_ports[1]}", "--device", f"opentrack:{self.device_port}", "--start", "-", "--seconds",
                 self.seconds], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            turning = Turning(f"{self.folder}/motion/head.csv")
            processes.line_of(sender, "the fused trackers' sender", BOARDING)
            if os.path.exists(f"{self.folder}/ssr-set.wav"):
                self.board_ssr(turning)
            for name in CLIENTS:
                self.await_stage(name, progress)
            progress.tell("the sensors rest")
            start = self.depart(begun)
        turning.start = start
        for one in (imus, sender):
            one.stdin.write(f"START {start!r}\n".encode())
        self.recentre(start)
        with processes.Progress("riding") as progress:
            self.watch(start + self.seconds, start, progress)
        packets = json.loads(processes.line_of(sender, "the fused trackers' sender", 30))
        last = self.running("ours")
        self.leave()
        raw = json.loads(processes.line_of(imus, "the raw sensors' sender", 30))
        for peer, _ in self.peers:
            peer.finish()
        self.close_peers()
        self.write(last, packets, raw)

    def board_stages(self, progress):
        """Starts the stages: the first alone, to prepare the HRTF set, the others with the prepared set at the same
        time."""
        # Stored values of devices must neither come from another ride nor remain.
        shutil.rmtree(f"{self.folder}/state", ignore_errors=True)
        self.tries = {name: 0 for name in CLIENTS}
        for number, name in enumerate(CLIENTS):
            self.start_stage(name)
            if number == 0:
                self.await_stage(name, progress)

    def await_stage(self, name, progress):
        """Waits until a stage runs, and shows its preparation."""
        place = f"stage {list(CLIENTS).index(name) + 1} of {len(CLIENTS)}"
        processes.wait_until(
            lambda: self.is_ready(name, lambda words: progress.tell(f"{place} is {words}")),
            lambda: f"stage '{name}' did not run within {PREPARING:g} s; it is {session_phase.words(self.status(name))}; see "
                    f"{self.folder}/{name}.log", PREPARING)

    def start_stage(self, name):
        head, device = self.trackers[name]
        self.tries[name] += 1
        for left in (f"{name}.wav", f"{name}-poses.csv"):
            if os.path.exists(f"{self.folder}/{left}"):
                os.unlink(f"{self.folder}/{left}")
        with open(f"{self.folder}/{name}.log", "w") as log:
            self.stages[name] = processes.start(
                [self.program, "run", "--quiet", "--name", name, "--layout", "7.1.4", "--control", self.ports[name], "--start",
                 "ctl", "--record", f"{name}.wav", "--record-poses", f"{name}-poses.csv", "--overwrite", "--head", head, "--device",
                 device, "--fresh"],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=dict(os.environ, XDG_STATE_HOME=f"{self.folder}/state"))

    def is_ready(self, name, tell):
        code = self.stages[name].poll()
        if code is not None:
            if code == 3 and self.tries[name] < TRIES:
                self.start_stage(name)
                return False
            with open(f"{self.folder}/{name}.log") as log:
                said = log.read().strip().splitlines()
            raise Failure(f"stage '{name}' ended with code {code}: {said[-1] if said else 'it said nothing'}")
        state = self.status(name)
        tell(session_phase.words(state))
        return session_phase.has_stage(state) and state["phase"] == "running"

    def board_ssr(self, turning):
        """Starts SSR's clients with a tracker each, ready to play; none, with a message, if SSR does not start."""
        for name in ("ssr", "ssr-voice"):
            tracker = razor_tracker.RazorTracker(turning)
            self.peers.append((peer_ssr.Renderer(name, self.folder, tracker, LEAD + self.seconds + 4), tracker))
        if not all(peer.wait() for peer, _ in self.peers):
            self.close_peers()
            print(f"bus: the SoundScape Renderer did not start (see {self.folder}/ssr.log); the ride goes without it", flush=True)

    def close_peers(self):
        for peer, tracker in self.peers:
            peer.close()
            tracker.close()
        self.peers = []

    def depart(self, begun):
        """Starts all streams and players at one frame; returns the time of the ride's second 0, seconds of
        CLOCK_MONOTONIC."""
        rest = max(4, REST - LEAD - (time.monotonic() - begun))
        while True:
            try:
                return self.depart_after(rest)
            except Failure as failure:
                # On a busy machine the request came too late: it is repeated with more time.
                if "had passed" not in str(failure) or rest > 60:
                    raise
            processes.end(self.players + [peer.recorder for peer, _ in self.peers])
            self.players = []
            rest *= 3

    def depart_after(self, rest):
        """Does the same as `depart`, `rest` seconds from now."""
        now = self.running("ours")
        frame = (now["jackFrame"] + round(rest * RATE)) % 2**32
        sounds = [("scene", ",".join(CLIENTS))] + [("scene", "ssr"), ("voice-alone", "ssr-voice")][:len(self.peers)]
        for sound, into in sounds:
            self.players.append(processes.start(
                [self.program, "demo", "play", f"{self.folder}/{sound}.wav", "--at", frame, "--into", into],
                stdin=subprocess.DEVNULL))
        for peer, _ in self.peers:
            peer.record()
        with concurrent.futures.ThreadPoolExecutor(len(CLIENTS)) as pool:
            starts = dict(zip(CLIENTS, pool.map(lambda name: self.control(name, "start", "--at", str(frame)), CLIENTS)))
        return starts["ours"]["heardAt"] + LEAD

    def recentre(self, start):
        """Recentres before the ride, once all trackers have sent: their orientation becomes the front."""
        for name, followed in CLIENTS.items():
            if not followed:
                continue

            def heard(name=name, followed=followed):
                state = quick_status(self.ports[name]) or {}
                return all((state.get(who) or {}).get("fresh") for who in followed)

            processes.wait_until(heard, f"the trackers of '{name}' were not heard before the ride began",
                                 max(1.0, start - 0.2 - time.monotonic()))
        # Both trackers have sent; a second of rest completes the transition from the front to the first pose.
        time.sleep(max(0, min(1.0, start - 0.3 - time.monotonic())))
        for name, followed in CLIENTS.items():
            if followed:
                self.control(name, "recentre")

    def watch(self, end, start, progress):
        """Monitors the clients during the ride."""
        while (now := time.monotonic()) < end:
            time.sleep(0.05)
            self.woken.append(max(0, time.monotonic() - now - 0.05) * 1000)
            for name, port in self.ports.items():
                state = quick_status(port)
                if session_phase.has_stage(state):
                    self.loads[name].append(state["load"])
                    self.clocks[name].append((state["streamFrame"] / RATE, state["heardAt"] - start))
                    if state["skippedFrames"] > HOPELESS * RATE:
                        raise Late(f"JACK skipped more than {HOPELESS:g} s of sound, {now - start:.0f} s into the ride")
                elif (code := self.stages[name].poll()) is not None:
                    raise Failure(f"stage '{name}' ended with code {code} on the way; see {self.folder}/{name}.log")
            for player in self.players:
                if player.poll() is not None:
                    raise Failure(f"a player ended with code {player.returncode}")
            left = end - time.monotonic()
            progress.tell(f"{min(1, 1 - left / self.seconds) * 100:.0f} %, {max(0, left):.0f} s left")

    def leave(self):
        """Ends the stages in order, so that their recordings are complete."""
        for name in CLIENTS:
            self.control(name, "quit")
        for name, stage in self.stages.items():
            if (code := processes.ended(stage, f"stage '{name}'", 20)) != 0:
                raise Failure(f"stage '{name}' ended with code {code}; see {self.folder}/{name}.log")
            for left in (f"{name}.wav", f"{name}-poses.csv"):
                if not os.path.exists(f"{self.folder}/{left}"):
                    raise Failure(f"stage '{name}' recorded no {left}; see {self.folder}/{name}.log")

    def control(self, name, *words):
        """Sends a command to a stage; returns its answer, as an object if it is JSON."""
        try:
            answer = subprocess.run([self.program, "ctl", *words, "--port", str(self.ports[name])], capture_output=True, text=True,
                                    timeout=15)
        except subprocess.TimeoutExpired:
            raise Failure(f"ctl {' '.join(words)} to '{name}' was not answered within 15 s") from None
        if answer.returncode != 0:
            raise Failure(f"ctl {' '.join(words)} to '{name}': {answer.stderr.strip()}")
        return json.loads(answer.stdout) if answer.stdout.startswith("{") else None

    def status(self, name):
        """Returns a stage's state; None without a prompt answer."""
        return quick_status(self.ports[name])

    def running(self, name):
        """Returns the state of a stage that runs. On a busy machine an answer may take seconds, and is requested again;
        raises `Failure` without one in time."""
        def asked():
            state = self.status(name)
            return state if session_phase.has_stage(state) else None
        return processes.wait_until(
            asked, lambda: f"stage '{name}' is {session_phase.words(self.status(name))}; see {self.folder}/{name}.log", ANSWERING)

    def write(self, last, packets, raw):
        """Writes the facts for the page that are not in the sound, and each stream's clock."""
        period_us = last["period"] / last["sampleRate"] * 1e6
        variants = {}
        for name, values in self.loads.items():
            ordered = sorted(values) or [0.0]
            variants[name] = {
                "motion_start": LEAD, "share_of_core": statistics.median(ordered),
                "p50_us": statistics.median(ordered) * period_us,
                "p99_us": ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))] * period_us}
        late = max(packets["late_p99_ms"], raw["late_p99_ms"])
        conditions = {
            "HRTF": last["hrtf"],
            "period": f"{last['period']} frames at {last['sampleRate'] / 1000:g} kHz, {last['xruns']} xruns",
            "slice": str(last["slice"]),
            **({"SSR": peer_ssr.version()} if os.path.exists(f"{self.folder}/ssr-recorded.wav") else {}),
            "packets": f"{packets['packets'] + raw['packets']}, 99 % sent within {late:.1f} ms of their time"}
        write_run(self.folder, conditions, variants, {
            "packets_late_p99_ms": late, "packets_late_max_ms": max(packets["late_max_ms"], raw["late_max_ms"]),
            "woken_late_p99_ms": float(np.percentile(self.woken or [0], 99)),
            "skipped_seconds": last["skippedFrames"] / last["sampleRate"]})
        for name, clock in self.clocks.items():
            with open(f"{self.folder}/{name}-clock.csv", "w") as file:
                file.write("stream,ride\n" + "".join(f"{a:.6f},{b:.6f}\n" for a, b in sorted(set(clock))))


class Turning:
    """Orientations of SSR's tracker: the head relative to the earth, exact and without drift; silent in dropouts of the
    head's stream."""

    def __init__(self, path):
        rows = np.loadtxt(path, delimiter=",", skiprows=1)
        self.times = rows[:, 0].tolist()
        self.angles = np.stack(rotations.angles(rows[:, 1:]), 1).tolist()
        #: Start of the ride, seconds of CLOCK_MONOTONIC.
        self.start = float("inf")

    def __call__(self, moment):
        at = moment - self.start
        row = max(0, bisect.bisect_right(self.times, at) - 1)
        return None if 0.015 < at - self.times[row] < 1 else self.angles[row]


def quick_status(port):
    """Returns a stage's state by one OSC message, without a child process; None without a prompt answer. A refusal
    raises an error with its text."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.settimeout(0.2)
        asker.sendto(b"/proscenium/status\0\0,\0\0\0", ("127.0.0.1", port))
        try:
            answer = asker.recv(65536)
        except OSError:
            return None
    address, _, _, text = (part.decode(errors="replace") for part in osc_texts(answer, 4))
    if address != "/proscenium/reply":
        raise Failure(f"the session at port {port} answers to 'status': {text}")
    return json.loads(text)


def osc_texts(packet, count):
    """Returns the first texts of an OSC message, including its address and types: each ends with a zero, padded to a
    multiple of four bytes."""
    texts = []
    for _ in range(count):
        end = packet.index(b"\0")
        texts.append(packet[:end])
        packet = packet[(end // 4 + 1) * 4:]
    return texts


if __name__ == "__main__":
    processes.manners(main)

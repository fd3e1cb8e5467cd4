#!/usr/bin/env python3
"""Checks that a flood of packets and silences of the trackers do not disturb the sound. A stage runs in real time on a
JACK server; its head tracker repeats each packet a thousand times for a second (100 000 a second), falls silent, and
returns, and so does the device's tracker.

The sound is still the rendering of the poses, sample for sample; the stage moves by at most 1 degree per slice; and
afterwards it follows the head again.

usage: flood.py PROGRAM
"""
import json
import os
import pathlib
import socket
import struct
import sys
import time

import numpy as np

import motion
from listening import rotations
from takes import enter, tally, until_whole

#: Duration of a round of the trackers' motion, seconds; the sound lasts longer than a round, whenever it begins.
motion.SECONDS = 5
ROUND, FLOOD = 4.0, (0.0, 1.2)
SILENCE = {"head": (1.6, 2.0), "device": (1.8, 2.2)}
SETTLED = (2.8, 4.0)
#: Greatest step of the stage between poses, degrees; and greatest error of a pose after the disturbance, degrees (the
#: head turns by up to 100 degrees a second, so ten are a tenth of a second).
STEP, MISS = 1.0, 10.0
CLOCK_NAME = "mover.json"


def true_yaw(t):
    """Returns the yaw of the head against the device, degrees: at most 100 degrees a second."""
    return 40 * np.sin(2.5 * t)


def flood(ended):
    """Sends head and device as `motion.shake` does, but with a flood and silences; writes the time of its start."""
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    begun = time.monotonic()
    pathlib.Path(os.environ["FLOOD_DIR"], CLOCK_NAME).write_text(json.dumps(begun))
    sent = 0
    while not ended.wait(0.01):
        t = time.monotonic() - begun
        device = rotations.from_angles(60 * np.sin(0.9 * t), 0, 0)
        head = rotations.multiply(device, rotations.from_angles(true_yaw(t), 0, 0))
        place = t % ROUND
        silent = {who for who, (a, b) in SILENCE.items() if a <= place < b}
        if "head" not in silent:
            packet = b"/quaternion\0,ffff\0\0\0" + struct.pack(">4f", *head)
            for _ in range(1000 if FLOOD[0] <= place < FLOOD[1] else 1):
                sender.sendto(packet, ("127.0.0.1", motion.HEAD))
                sent += 1
        if "device" not in silent:
            yaw = rotations.angles(device)[0]
            sender.sendto(struct.pack("<6d", 0, 0, 0, -yaw, 0, 0), ("127.0.0.1", motion.DEVICE))
    print(f"{sent} packets of the head", file=sys.stderr)


def compare(program, folder):
    """Compares as `motion.compare` does, and checks the steps and the end of the motion."""
    same, said = motion.compare(program, folder)
    if not same:
        return same, said
    lines = [json.loads(line) for line in open(folder / "motion.ndjson")]
    begin = max(number for number, line in enumerate(lines) if "start" in line)
    poses = np.array([line["pose"] for line in lines[begin:] if "pose" in line])
    # Both signs of a quaternion are the same rotation.
    inner = np.abs(np.sum(poses[1:, 1:5] * poses[:-1, 1:5], 1)).clip(0, 1)
    # Per slice of 64 frames: a fade between poses may span two.
    step = np.degrees(2 * np.arccos(inner) * 64 / np.diff(poses[:, 0])).max()
    begun = json.loads((folder / CLOCK_NAME).read_text())
    t = poses[:, 5] - begun
    yaw = np.degrees(2 * np.arctan2(poses[:, 4], poses[:, 1]))
    settled = (t % ROUND > SETTLED[0]) & (t % ROUND < SETTLED[1])
    # The stage's front is the head's direction in its first packet.
    miss = rotations.wrap(yaw - true_yaw(t))[settled]
    miss = np.abs(miss - np.median(miss)).max()
    heard = sum("head" in line for line in lines)
    # A late sender describes an earlier pose; a session that has lost the head misses it in every take.
    good = False if step > STEP else None if miss > MISS else True
    return good, f"0 samples differ; steps of {step:.2f} degrees at most; {heard} samples of the head used; back within {miss:.1f} degrees"


def main(program):
    take = until_whole("flood", lambda: motion.rehearse(program, 256, script=__file__, compare=compare))
    return tally("flood", [("flood of 100 000 packets a second, and silences", *take)])


def perform(program, folder):
    """Runs as `motion.perform` does, inside a sandbox and under the flood."""
    os.environ["FLOOD_DIR"] = str(folder)
    return motion.perform(program, folder, mover=flood)


if __name__ == "__main__":
    enter(__doc__, main, perform)

#!/usr/bin/python3
"""Plays a recorded ride as two trackers: UDP packets in real time.

    send_motion.py MOTIONDIR --head osc:PORT --device opentrack:PORT [--start T|-] [--seconds S]
    send_motion.py MOTIONDIR --packets PREFIX --start T [--seconds S]

Sends MOTIONDIR/head.csv and device.csv (t,w,x,y,z; see make_motion.py): each sample leaves at T + t, T being seconds of
CLOCK_MONOTONIC (default: one second from now). Until T the first pose is sent, to define the front. With `--start -`
that begins at once, after a line `ready`, and T comes as a line `START T` on standard input. A tracker may be given
several times, once per listening program; PORT may be ADDRESS:PORT.

osc        /quaternion w x y z
opentrack  48 bytes: x, y, z, yaw, pitch, roll; degrees, yaw to the right

At the end prints the delays of the packets as JSON. With --packets nothing is sent: PREFIXhead.csv (osc) and
PREFIXdevice.csv (opentrack) get the packets, `seconds,bytes in hexadecimal`, with the ride's start at T, from 0 on.
"""

import argparse
import json
import select
import socket
import struct
import sys
import time
import os

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from listening import rotations


def osc(pose):
    """Encodes an OSC 1.0 message: padded address, type tags, big-endian floats."""
    return b"/quaternion\0,ffff\0\0\0" + struct.pack(">4f", *pose)


def opentrack(pose):
    """Encodes opentrack's datagram; its yaw is positive to the right."""
    yaw, pitch, roll = rotations.angles(pose)
    return struct.pack("<6d", 0, 0, 0, -yaw, pitch, roll)


FORMATS = {"osc": osc, "opentrack": opentrack}


def tracker(text):
    """Parses `osc:9000` or `opentrack:127.0.0.1:4242` to (encoder, (address, port))."""
    kind, _, place = text.partition(":")
    address, _, port = place.rpartition(":")
    if kind not in FORMATS or not port.isdigit():
        raise argparse.ArgumentTypeError(f"{text}: expected osc:[ADDRESS:]PORT or opentrack:[ADDRESS:]PORT")
    return FORMATS[kind], (address or "127.0.0.1", int(port))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("motion")
    parser.add_argument("--head", type=tracker, action="append", default=[])
    parser.add_argument("--device", type=tracker, action="append", default=[])
    parser.add_argument("--start", default=None, help="seconds of CLOCK_MONOTONIC, or - for standard input")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this much of the ride")
    parser.add_argument("--packets", metavar="PREFIX", help="write the packets instead of sending them")
    options = parser.parse_args()
    if options.packets:
        start = float(options.start)
        for name, encode in (("head", osc), ("device", opentrack)):
            packets = [(start + moment, encode(pose)) for moment, pose in poses(options, name, -start)]
            write_packets(f"{options.packets}{name}.csv", packets)
        return
    asked = options.start == "-"
    start = 0.0 if asked else time.monotonic() + 1 if options.start is None else float(options.start)
    begin = 0.0 if asked else time.monotonic() - start

    packets = []
    for name, listeners in (("head", options.head), ("device", options.device)):
        for encode, place in listeners:
            packets += [(moment, encode(pose), place) for moment, pose in poses(options, name, begin)]
    packets.sort(key=lambda packet: packet[0])

    real_time()
    if asked:
        start = wait(packets)
    lateness = send(packets, start)
    print(json.dumps({
        "packets": len(packets), "late_p50_ms": float(np.median(lateness)), "late_p99_ms": float(np.percentile(lateness, 99)),
        "late_max_ms": float(lateness.max())}))


def wait(packets):
    """Sends the packets of second 0 a hundred times a second until shortly before the ride; returns its start, from
    standard input."""
    print("ready", flush=True)
    first = [packet for packet in packets if packet[0] == 0]
    start, due = None, time.monotonic()
    while start is None or due < start - 0.005:
        send([(due, content, place) for _, content, place in first], 0)
        due += 0.01
        if start is None and select.select([sys.stdin], [], [], 0)[0]:
            words = sys.stdin.readline().split()
            if len(words) != 2 or words[0] != "START":
                sys.exit("send_motion: standard input ended without 'START T'")
            start = float(words[1])
    return start


def poses(options, name, begin):
    """Yields (seconds of the ride, pose) of a sensor; its first pose repeatedly from `begin` to the start of the
    ride."""
    rows = np.loadtxt(f"{options.motion}/{name}.csv", delimiter=",", skiprows=1)
    early = np.arange(begin, -0.005, 0.01)
    rows = np.vstack([np.column_stack([early, np.tile(rows[0, 1:], (len(early), 1))]), rows])
    return [(row[0], row[1:]) for row in rows if row[0] <= options.seconds]


def write_packets(path, packets):
    """Writes rows of (seconds, bytes) as text."""
    with open(path, "w") as file:
        file.writelines(f"{at:.9f},{content.hex()}\n" for at, content in packets)


def real_time():
    """Sets real-time priority if permitted: real trackers are separate devices, not delayed by programs of this
    machine."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        pass  # Not permitted: the delays of the packets are printed.


def send(packets, start):
    """Sends each packet at its time; returns the delays in milliseconds."""
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    lateness = np.zeros(len(packets))
    for number, (moment, content, place) in enumerate(packets):
        ahead = start + moment - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        lateness[number] = max(0, time.monotonic() - start - moment) * 1000
        try:
            sender.sendto(content, place)
        except ConnectionRefusedError:
            pass  # No listener at present.
    return lateness


if __name__ == "__main__":
    main()

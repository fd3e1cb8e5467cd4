#!/usr/bin/python3
"""Plays a recorded ride as two trackers would: UDP packets in real time.

    send_motion.py MOTIONDIR --head osc:PORT --device opentrack:PORT [--start T] [--seconds S]

Sends MOTIONDIR/head.csv and device.csv (t,w,x,y,z; see make_motion.py): each sample leaves at T + t, T being seconds of
CLOCK_MONOTONIC (default: one second from now). Until T the first pose is sent, so that the front is known. A tracker may
be given several times, one for each program that listens; PORT may be ADDRESS:PORT.

osc        /quaternion w x y z
opentrack  48 bytes: x, y, z, yaw, pitch, roll; degrees, yaw to the right

At the end prints as JSON how late the packets left.
"""

import argparse
import json
import socket
import struct
import sys
import time
import os

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from listening import rotations


def osc(pose):
    """An OSC 1.0 message: padded address, type tags, big-endian floats."""
    return b"/quaternion\0,ffff\0\0\0" + struct.pack(">4f", *pose)


def opentrack(pose):
    """opentrack's datagram; its yaw counts to the right."""
    yaw, pitch, roll = rotations.angles(pose)
    return struct.pack("<6d", 0, 0, 0, -yaw, pitch, roll)


FORMATS = {"osc": osc, "opentrack": opentrack}


def tracker(text):
    """`osc:9000` or `opentrack:127.0.0.1:4242`: (encoder, (address, port))."""
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
    parser.add_argument("--start", type=float, default=None, help="seconds of CLOCK_MONOTONIC")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this much of the ride")
    options = parser.parse_args()
    start = options.start if options.start is not None else time.monotonic() + 1

    packets = []
    for name, listeners in (("head", options.head), ("device", options.device)):
        rows = np.loadtxt(f"{options.motion}/{name}.csv", delimiter=",", skiprows=1)
        early = np.arange(time.monotonic() - start, -0.005, 0.01)
        rows = np.vstack([np.column_stack([early, np.tile(rows[0, 1:], (len(early), 1))]), rows])
        for encode, place in listeners:
            packets += [(row[0], encode(row[1:]), place) for row in rows if row[0] <= options.seconds]
    packets.sort(key=lambda packet: packet[0])

    lateness = send(packets, start)
    print(json.dumps({
        "packets": len(packets), "late_p50_ms": float(np.median(lateness)), "late_p99_ms": float(np.percentile(lateness, 99)),
        "late_max_ms": float(lateness.max())}))


def send(packets, start):
    """Sends each packet when its time comes; milliseconds by which each was late."""
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
            pass  # Nobody listens there yet, or any more.
    return lateness


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Plays a motion log as a head tracker would: one UDP packet per row, each at its time.

    send_motion.py LOG osc:9000                     /ypr, degrees
    send_motion.py LOG osc:9000 --as quaternion     /quaternion w x y z
    send_motion.py LOG osc:9000 --as scenerotator   /SceneRotator/quaternions: the scene's rotation
    send_motion.py LOG opentrack:4242               opentrack's 48-byte datagram

LOG is CSV t,w,x,y,z: seconds, body to world, x front, y left, z up. --rate interpolates a log
with few rows (packets per second, by slerp). --repeat plays it until Ctrl-C. Only Python's standard library is used.
"""

import argparse
import csv
import math
import socket
import struct
import sys
import time


def read_log(path):
    """Reads rows (t, (w, x, y, z)) of a motion log; the header is optional."""
    rows = []
    with open(path, newline="") as file:
        for number, fields in enumerate(csv.reader(file), 1):
            if not fields or fields[0].startswith("#") or (not rows and fields[0].strip() == "t"):
                continue
            try:
                t, *q = map(float, fields)
                length = math.sqrt(sum(c * c for c in q))
                if len(q) != 4 or not 0.9 <= length <= 1.1:
                    raise ValueError
            except ValueError:
                sys.exit(f"{path}, line {number}: expected t,w,x,y,z with a unit quaternion")
            if rows and t <= rows[-1][0]:
                sys.exit(f"{path}, line {number}: the time does not come after the one before")
            rows.append((t, tuple(c / length for c in q)))
    if not rows:
        sys.exit(f"{path}: no rows")
    return rows


def slerp(a, b, u):
    """Interpolates between two unit quaternions, the shorter way."""
    dot = sum(p * q for p, q in zip(a, b))
    if dot < 0:
        b, dot = tuple(-c for c in b), -dot
    if dot > 1 - 1e-12:
        return a
    angle = math.acos(dot)
    s, e = math.sin((1 - u) * angle) / math.sin(angle), math.sin(u * angle) / math.sin(angle)
    return tuple(s * p + e * q for p, q in zip(a, b))


def resample(rows, rate):
    """Returns the log at `rate` rows per second."""
    result, index = [], 0
    for step in range(int((rows[-1][0] - rows[0][0]) * rate) + 1):
        t = rows[0][0] + step / rate
        while index + 2 < len(rows) and rows[index + 1][0] <= t:
            index += 1
        (t0, a), (t1, b) = rows[index], rows[min(index + 1, len(rows) - 1)]
        result.append((t, slerp(a, b, min(1, (t - t0) / (t1 - t0)) if t1 > t0 else 0)))
    return result


def angles(q):
    """Returns yaw (left), pitch (up) and roll (right ear down), degrees."""
    w, x, y, z = q
    yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    pitch = -math.asin(max(-1, min(1, 2 * (w * y - x * z))))
    roll = math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    return tuple(math.degrees(a) for a in (yaw, pitch, roll))


def osc(address, *numbers):
    """Encodes an OSC 1.0 message of floats: strings padded to four bytes, numbers big-endian."""
    def padded(text):
        return text.encode() + b"\0" * (4 - len(text) % 4)
    return padded(address) + padded("," + "f" * len(numbers)) + struct.pack(f">{len(numbers)}f", *numbers)


def opentrack(q):
    """Encodes opentrack's datagram with position 0; its yaw is positive to the right."""
    yaw, pitch, roll = angles(q)
    return struct.pack("<6d", 0, 0, 0, -yaw, pitch, roll)


FORMS = {
    "ypr": lambda q: osc("/ypr", *angles(q)),
    "quaternion": lambda q: osc("/quaternion", *q),
    "scenerotator": lambda q: osc("/SceneRotator/quaternions", q[0], -q[1], -q[2], -q[3]),
    "opentrack": opentrack,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log")
    parser.add_argument("to", metavar="osc:[ADDRESS:]PORT or opentrack:[ADDRESS:]PORT")
    parser.add_argument("--as", dest="form", choices=("ypr", "quaternion", "scenerotator"), default="ypr")
    parser.add_argument("--rate", type=float, help="packets per second instead of one per row")
    parser.add_argument("--repeat", action="store_true")
    options = parser.parse_args()

    kind, _, place = options.to.partition(":")
    address, _, port = place.rpartition(":")
    if kind not in ("osc", "opentrack") or not port.isdigit():
        parser.error(f"'{options.to}': expected osc:[ADDRESS:]PORT or opentrack:[ADDRESS:]PORT")
    encode = FORMS["opentrack" if kind == "opentrack" else options.form]
    rows = read_log(options.log)
    if options.rate:
        rows = resample(rows, options.rate)

    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        while True:
            start = time.monotonic() - rows[0][0]
            for t, q in rows:
                time.sleep(max(0, start + t - time.monotonic()))
                try:
                    sender.sendto(encode(q), (address or "127.0.0.1", int(port)))
                except ConnectionRefusedError:
                    pass  # No program listens yet.
            if not options.repeat:
                break
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

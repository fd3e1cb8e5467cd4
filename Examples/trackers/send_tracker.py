#!/usr/bin/env python3
"""Simulates a tracker in the protocol of Documentation/reference/tracker-protocol.md, as of a phone or microcontroller.

    send_tracker.py                              raw IMU rows to 127.0.0.1:9870, for `--head udp:9870`
    send_tracker.py --as quat                    orientations instead
    send_tracker.py --as json                    raw rows as JSON
    send_tracker.py --to 192.168.1.5:9870        to another machine, which listens with `udp:0.0.0.0:9870`
    send_tracker.py --to /dev/ttyACM0            along a serial line (or a pseudo-terminal)
    send_tracker.py --to -                       to standard output, at once

The motion is a head that looks round: yaw ±40° in eight seconds, a slight nod. The raw rows are those of an ideal IMU.
Replace `head()` by your sensor. Only Python's standard library is used.
"""

import argparse
import json
import math
import socket
import sys
import time

GRAVITY = 9.80665


def head(t):
    """Returns body to world (w, x, y, z) at time t: x front, y left, z up; yaw left, then pitch, nose up."""
    yaw = math.radians(40) * math.sin(2 * math.pi * t / 8)
    pitch = math.radians(8) * math.sin(2 * math.pi * t / 5)
    cy, sy, cp, sp = math.cos(yaw / 2), math.sin(yaw / 2), math.cos(-pitch / 2), math.sin(-pitch / 2)
    return (cy * cp, -sy * sp, cy * sp, sy * cp)


def conjugate(q):
    return (q[0], -q[1], -q[2], -q[3])


def product(a, b):
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw)


def measure(t, step=1e-4):
    """Returns an ideal IMU's angular rate (rad/s) and specific force (m/s²) at time t, body axes."""
    w, *turn = product(conjugate(head(t - step / 2)), head(t + step / 2))
    rate = [2 * math.copysign(1, w) * v / step for v in turn]
    _, *force = product(product(conjugate(head(t)), (0, 0, 0, GRAVITY)), head(t))
    return rate, force


def checked(row):
    """Returns the row with its checksum: the exclusive or of all bytes before the star, in hexadecimal."""
    total = 0
    for byte in row.encode():
        total ^= byte
    return f"{row}*{total:02X}"


def make_row(form, count, t):
    """Returns one row, without its line end. The stamp is the time of the sender's own clock, with any zero, ns."""
    ns = round(t * 1e9)
    count %= 1 << 32
    if form == "quat":
        return f"quat,{count},{ns}," + ",".join(f"{v:.7f}" for v in head(t))
    rate, force = measure(t)
    if form == "json":
        return json.dumps({"seq": count, "ns": ns, "gyro": [round(v, 6) for v in rate],
                           "acc": [round(v, 5) for v in force]}, separators=(",", ":"))
    return f"imu,{count},{ns}," + ",".join(f"{v:.6f}" for v in rate + force)


def open_way(to):
    """Returns a function that sends one row's bytes, and whether rows are sent at their times."""
    if to == "-":
        return sys.stdout.buffer.write, False
    address, _, port = to.rpartition(":")
    if port.isdigit():
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

        def send(row):
            try:
                sender.sendto(row, (address or "127.0.0.1", int(port)))
            except ConnectionRefusedError:
                pass  # No program listens yet.
        return send, True
    line = open(to, "wb", buffering=0)
    return line.write, True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", default="127.0.0.1:9870", help="ADDRESS:PORT, a serial line, or - (default %(default)s)")
    parser.add_argument("--as", dest="form", choices=("imu", "quat", "json"), default="imu")
    parser.add_argument("--rate", type=float, default=100, help="rows per second")
    parser.add_argument("--seconds", type=float, help="ends after this time")
    parser.add_argument("--no-checksum", action="store_true")
    options = parser.parse_args()

    send, waits = open_way(options.to)
    finish = (lambda row: row) if options.no_checksum else checked
    start = time.monotonic()
    count = 0
    try:
        while options.seconds is None or count < options.seconds * options.rate:
            t = count / options.rate
            if waits:
                time.sleep(max(0, start + t - time.monotonic()))
            if count % max(1, round(options.rate)) == 0:  # A name, each second: a session may have come late.
                send((finish("device,example") + "\n").encode())
            send((finish(make_row(options.form, count, t)) + "\n").encode())
            count += 1
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

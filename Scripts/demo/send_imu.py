#!/usr/bin/python3
"""Plays the ride's raw IMUs as two trackers: bytes on a serial line and datagrams, in real time.

    send_imu.py MOTIONDIR --head serial:LINK --device udp:PORT [--seconds S]
    send_imu.py MOTIONDIR --packets PREFIX --begin B --start T [--seconds S]

Sends MOTIONDIR/head-imu.csv and device-imu.csv (see make_imu.py). LINK becomes a symbolic link to a pseudo-terminal
with the head sensor's binary x-IMU3 messages. The device's sensor sends rows of this project's format to a UDP port of
this machine, with count, time stamp and checksum, through a simulated radio link with a random delay of up to some
milliseconds.

Both begin at once, at rest. A line `START T` on standard input, T in seconds of CLOCK_MONOTONIC, sets the start of the
ride. Each sensor has its own clock, which starts with the sensor and runs slightly fast or slow. At the end prints the
delays of the packets as JSON. With --packets nothing is sent: PREFIXhead.csv and PREFIXdevice.csv get the packets,
`seconds,bytes in hexadecimal`, of sensors that begin at B and a ride that begins at T.
"""

import argparse
import json
import os
import pty
import select
import socket
import struct
import sys
import threading
import time
import tty

import numpy as np

import send_motion

#: Relative error of each sensor's clock; its first reading, s.
SKEW = {"head": 60e-6, "device": -40e-6}
FIRST = {"head": 17.25, "device": 3.5}
#: Mean of the radio link's random delay, s.
JITTER = 0.002
DEGREES, GRAVITY = 180 / np.pi, 9.80665
#: End of the recorded rest before the ride, seconds; the rest may be repeated, later samples are played once.
REST_ENDS = -1.5


def ximu3(row, stamp, _count):
    """Encodes x-IMU3's inertial message: identifier, µs, °/s, g; terminator and escape bytes are escaped."""
    body = struct.pack("<Q6f", round(stamp * 1e6), *(row[1:4] * DEGREES), *(row[4:7] / GRAVITY))
    body = body.replace(b"\xdb", b"\xdb\xdd").replace(b"\x0a", b"\xdb\xdc")
    return bytes([0x80 + ord("I")]) + body + b"\x0a"


def row_of_text(row, stamp, count):
    """Encodes a row of this project's format: count, ns, rad/s, m/s², checksum."""
    text = f"imu,{count},{round(stamp * 1e9)}," + ",".join(f"{v:.7g}" for v in row[1:7])
    check = 0
    for byte in text.encode():
        check ^= byte
    return f"{text}*{check:02X}\n".encode()


class SerialLine:
    """A pseudo-terminal with a link to it; data written to it are read and discarded."""

    def __init__(self, link):
        self.master, self.slave = pty.openpty()
        tty.setraw(self.master)
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        if os.path.islink(link):
            os.unlink(link)
        os.symlink(os.ttyname(self.slave), link)
        self.link = link

    def send(self, content):
        while select.select([self.master], [], [], 0)[0]:
            os.read(self.master, 4096)
        try:
            os.write(self.master, content)
        except BlockingIOError:
            pass  # The line is full, because no program reads.

    def close(self):
        os.unlink(self.link)


class Datagrams:
    """Sends UDP to a port of this machine."""

    def __init__(self, port):
        self.place = ("127.0.0.1", port)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(self, content):
        try:
            self.socket.sendto(content, self.place)
        except ConnectionRefusedError:
            pass  # No listener at present.

    def close(self):
        self.socket.close()


class Sensor:
    """One IMU in real time."""

    def __init__(self, who, rows, encode, carrier, jitter, begun):
        self.rows, self.encode, self.carrier, self.jitter, self.begun = rows, encode, carrier, jitter, begun
        self.skew, self.first = SKEW[who], FIRST[who]
        self.random = np.random.default_rng(len(who))
        self.count, self.lateness, self.last = 0, [], begun

    def packets(self, start, seconds):
        """Yields (time, bytes) of rest until `start()` returns a near time, then of the ride; `start` returns None
        before."""
        rest = self.rows[self.rows[:, 0] < REST_ENDS]
        step = rest[1, 0] - rest[0, 0]
        moment, number = self.begun, 0
        while start() is None or moment < start() + REST_ENDS - step / 2:
            yield self.packet(rest[number % len(rest)], moment)
            moment, number = moment + step, number + 1
        ride = self.rows[(self.rows[:, 0] >= moment - start() - step / 2) & (self.rows[:, 0] <= seconds)]
        for row in ride:
            yield self.packet(row, start() + row[0])

    def packet(self, row, moment):
        """Returns the departure time of a row measured at a moment, and its bytes."""
        stamp = self.first + (moment - self.begun) * (1 + self.skew)
        self.last = max(moment + (self.random.exponential(self.jitter) if self.jitter else 0), self.last)
        self.count += 1
        return self.last, self.encode(row, stamp, self.count - 1)

    def play(self, start, seconds):
        """Sends each packet at its time."""
        for due, content in self.packets(start, seconds):
            ahead = due - time.monotonic()
            if ahead > 0:
                time.sleep(ahead)
            self.lateness.append(max(0, time.monotonic() - due) * 1000)
            self.carrier.send(content)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("motion")
    parser.add_argument("--head", metavar="serial:LINK")
    parser.add_argument("--device", metavar="udp:PORT")
    parser.add_argument("--packets", metavar="PREFIX", help="write the packets instead of sending them")
    parser.add_argument("--begin", type=float, help="with --packets: when the sensors begin")
    parser.add_argument("--start", type=float, help="with --packets: when the ride begins")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this much of the ride")
    options = parser.parse_args()

    def both(carriers, begun):
        rows = {who: np.loadtxt(f"{options.motion}/{who}-imu.csv", delimiter=",", skiprows=1) for who in ("head", "device")}
        return [Sensor("head", rows["head"], ximu3, carriers[0], 0, begun),
                Sensor("device", rows["device"], row_of_text, carriers[1], JITTER, begun)]

    if options.packets:
        for who, sensor in zip(("head", "device"), both((None, None), options.begin)):
            send_motion.write_packets(
                f"{options.packets}{who}.csv", sensor.packets(lambda: options.start, options.seconds))
        return
    if options.head is None or options.device is None:
        parser.error("--head and --device are needed, or --packets")
    begin = []
    sensors = both((SerialLine(options.head.removeprefix("serial:")), Datagrams(int(options.device.removeprefix("udp:")))),
                   time.monotonic())
    send_motion.real_time()
    threads = [threading.Thread(target=s.play, args=(lambda: begin[0] if begin else None, options.seconds)) for s in sensors]
    for thread in threads:
        thread.daemon = True
        thread.start()
    print("ready", flush=True)
    line = sys.stdin.readline().split()
    if len(line) == 2 and line[0] == "START":
        begin.append(float(line[1]))
        for thread in threads:
            thread.join()
    for sensor in sensors:
        sensor.carrier.close()
    late = np.concatenate([s.lateness for s in sensors])
    print(json.dumps({"packets": len(late), "late_p99_ms": float(np.percentile(late, 99)),
                      "late_max_ms": float(late.max())}))


if __name__ == "__main__":
    main()

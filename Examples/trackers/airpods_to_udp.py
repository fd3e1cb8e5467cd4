#!/usr/bin/env python3
"""Forwards the head-tracking packets of AirPods from BlueZ to `--head airpods:9871`.

    airpods_to_udp.py AA:BB:CC:DD:EE:FF             to 127.0.0.1:9871
    airpods_to_udp.py AA:BB:CC:DD:EE:FF --to 192.168.1.5:9871
    airpods_to_udp.py --replay CAPTURE              plays packets from a text, one in hexadecimal per line

The AirPods must be paired and connected (`bluetoothctl connect AA:BB:CC:DD:EE:FF`). The script opens a second channel to
them, L2CAP port 0x1001, greets, asks for head tracking, and passes each packet on unchanged. It asks again when
packets stop, connects again every three seconds when the channel is lost, and stops the tracking at its end.
Only Python's standard library is used.

Tried: the exchange with a program in the place of the AirPods (`unix:PATH` for the address), and the replay of public
captures. Not tried: AirPods themselves, which were not at hand. The greeting and both requests are those that
the public project kavishdevar/aln (LibrePods) sends; no other interval than 40 ms has been seen.
"""

import argparse
import signal
import socket
import struct
import sys
import time

PORT = 0x1001  # L2CAP's port (PSM) of the accessory protocol.
GREETING = bytes.fromhex("00000400010002000000000000000000")
SENSORS = bytes.fromhex("04000400170000001000")
STOP = SENSORS + bytes.fromhex("1100087e1002420b084e10021a050100000000")
PATIENCE = 5  # Seconds without a packet after which the request is repeated.


def start(interval):
    """Returns the request for head tracking, one packet per `interval` milliseconds."""
    return SENSORS + bytes.fromhex("100008a102420b080e10021a0501") + struct.pack("<I", interval * 1000)


def say(text):
    print(text, file=sys.stderr, flush=True)


class Destination:
    """Destination of the packets: a UDP port, or standard output."""

    def __init__(self, to, limit):
        self.left = limit
        self.socket = None
        if to == "-":
            return
        address, _, port = to.rpartition(":")
        if not port.isdigit() or not 0 < int(port) < 65536:
            sys.exit(f"--to {to}: expected ADDRESS:PORT, such as 127.0.0.1:9871, or -")
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.target = (address or "127.0.0.1", int(port))

    def send(self, packet):
        """Sends a packet. Returns False after the last of the requested number."""
        if self.socket is None:
            sys.stdout.buffer.write(packet)
            sys.stdout.buffer.flush()
        else:
            try:
                self.socket.sendto(packet, self.target)
            except ConnectionRefusedError:
                pass  # No program listens yet.
            except OSError as error:
                sys.exit(f"--to {self.target[0]}:{self.target[1]}: {error.strerror or error}")
        if self.left is not None:
            self.left -= 1
        return self.left != 0


def connect(address):
    """Returns a connection that keeps the boundaries of packets."""
    if address.startswith("unix:"):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        target = address[len("unix:"):]
    else:
        connection = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_SEQPACKET, socket.BTPROTO_L2CAP)
        target = (address, PORT)
    connection.settimeout(10)
    try:
        connection.connect(target)
    except BaseException:
        connection.close()
        raise
    return connection


def follow(connection, destination, interval):
    """Passes packets on until the channel closes (True) or their requested number is reached (False)."""
    connection.send(GREETING)
    connection.settimeout(PATIENCE)
    asked = heard = False
    while True:
        try:
            packet = connection.recv(4096)
        except TimeoutError:
            packet = None
        if packet == b"":
            return True
        if packet is None:
            say(f"no packet for {PATIENCE} s: asking again" if asked else "no answer to the greeting: asking all the same")
        if packet is None or not asked:
            # Any answer to the greeting suffices.
            connection.send(start(interval))
            asked = True
        if packet and packet.startswith(SENSORS):
            if not heard:
                say("packets of the sensors arrive")
                heard = True
            if not destination.send(packet):
                return False


def forward(address, destination, interval):
    """Connects, and reconnects after each loss."""
    if not address.startswith("unix:"):
        if not hasattr(socket, "AF_BLUETOOTH") or not hasattr(socket, "BTPROTO_L2CAP"):
            sys.exit("this Python was built without Bluetooth: use the distribution's own (/usr/bin/python3)")
        parts = address.split(":")
        if len(parts) != 6 or not all(len(part) == 2 and all(c in "0123456789abcdefABCDEF" for c in part) for part in parts):
            sys.exit(f"{address}: expected an address such as AA:BB:CC:DD:EE:FF; `bluetoothctl devices` lists them")
    last = None
    while True:
        connection = None
        goes_on = True
        try:
            connection = connect(address)
            last = None
            goes_on = follow(connection, destination, interval)
            if goes_on:
                say("the AirPods closed the channel: connecting again every 3 s")
        except OSError as error:
            if str(error) != last:
                say(f"{address}: {error}. Are the AirPods connected (bluetoothctl info {address}), and does no other "
                    "program hold this channel? Trying again every 3 s")
                last = str(error)
        finally:
            if connection is not None:
                try:
                    connection.send(STOP)
                except OSError:
                    pass
                connection.close()
        if not goes_on:
            return
        time.sleep(3)


def replay(path, destination, interval, waits):
    """Sends the packets of a capture."""
    begun = time.monotonic()
    count = 0
    try:
        with open(path) as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    data = bytes.fromhex(line)
                except ValueError:
                    sys.exit(f"{path}, line {number}: expected a packet in hexadecimal")
                place = data.find(SENSORS)
                if place < 0:
                    say(f"{path}, line {number}: no packet of the sensors, passed over")
                    continue
                if waits:
                    time.sleep(max(0, begun + count * interval / 1000 - time.monotonic()))
                count += 1
                if not destination.send(data[place:]):
                    return
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="the AirPods' Bluetooth address, or unix:PATH of a stand-in")
    parser.add_argument("--to", default="127.0.0.1:9871", help="ADDRESS:PORT, or - (default %(default)s)")
    parser.add_argument("--interval", type=int, default=40, help="milliseconds between packets (default %(default)s)")
    parser.add_argument("--packets", type=int, help="ends after this number of packets")
    parser.add_argument("--replay", metavar="CAPTURE", help="plays a text of packets in the place of AirPods")
    options = parser.parse_args()
    if (options.address is None) == (options.replay is None):
        parser.error("expected either the address of the AirPods or --replay CAPTURE")
    if not 5 <= options.interval <= 1000:
        parser.error("--interval: expected 5 to 1000 milliseconds")
    if options.packets is not None and options.packets < 1:
        parser.error("--packets: expected at least 1")
    destination = Destination(options.to, options.packets)

    def end(*_):
        sys.exit(130)

    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    if options.replay:
        replay(options.replay, destination, options.interval, waits=options.to != "-")
    else:
        forward(options.address, destination, options.interval)


if __name__ == "__main__":
    main()

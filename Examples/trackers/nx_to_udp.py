#!/usr/bin/env python3
"""Forwards the notifications of a Waves Nx head tracker to `--head waves-nx:9872`.

    nx_to_udp.py                                    the first tracker found, 100 Hz, to 127.0.0.1:9872
    nx_to_udp.py AA:BB:CC:DD:EE:FF --rate 50

It needs bleak (`pip install bleak`, or the distribution's python3-bleak) and BlueZ. Wake a sleeping tracker by its
button. A lost channel is opened again.

Tried: with a module in the place of bleak. Not tried: a tracker, which was not at hand. Names, characteristics and the
request are those that two public accounts describe: mgth/nx-tracker-osc and mormegil6/opennx.
"""

import argparse
import asyncio
import socket
import sys

BASE = "0000{}-5761-7665-7341-7564696f4c74"
REQUEST, ORIENTATION = BASE.format("a011"), BASE.format("a015")


def say(text):
    print(text, file=sys.stderr, flush=True)


async def find(bleak):
    """Returns the address of the first device with the tracker's name."""
    while True:
        say("looking for a Waves Nx tracker (a press of its button wakes it)")
        device = await bleak.BleakScanner.find_device_by_filter(
            lambda device, data: "nx tracker" in (data.local_name or device.name or "").lower(), timeout=10)
        if device is not None:
            return device


async def follow(bleak, device, send, rate):
    """Passes notifications on until the connection is lost."""
    lost = asyncio.Event()
    async with bleak.BleakClient(device, disconnected_callback=lambda _: lost.set()) as client:
        await client.start_notify(ORIENTATION, lambda _, data: send(bytes(data)))
        await client.write_gatt_char(REQUEST, bytes([rate, 0, 0, 0, 1]), response=True)
        say(f"connected, {rate} Hz requested")
        await lost.wait()


async def forward(bleak, options, send):
    while True:
        try:
            await follow(bleak, options.address or await find(bleak), send, options.rate)
            say("the connection was lost")
        except (OSError, asyncio.TimeoutError, bleak.exc.BleakError) as error:
            say(f"{options.address or 'Waves Nx'}: {error or 'no answer'}. Trying again every 3 s")
        await asyncio.sleep(3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="Bluetooth address; without it the first tracker found")
    parser.add_argument("--to", default="127.0.0.1:9872", help="ADDRESS:PORT (default %(default)s)")
    parser.add_argument("--rate", type=int, default=100, help="notifications per second, 20 to 100 (default %(default)s)")
    options = parser.parse_args()
    if not 20 <= options.rate <= 100:
        parser.error("--rate: expected 20 to 100")
    host, _, port = options.to.rpartition(":")
    if not port.isdigit() or not 0 < int(port) < 65536:
        parser.error("--to: expected ADDRESS:PORT, such as 127.0.0.1:9872")
    try:
        import bleak
    except ImportError:
        sys.exit("bleak is not installed: pip install bleak, or the distribution's python3-bleak")
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(data):
        try:
            out.sendto(data, (host or "127.0.0.1", int(port)))
        except ConnectionRefusedError:
            pass  # No program listens yet.

    try:
        asyncio.run(forward(bleak, options, send))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

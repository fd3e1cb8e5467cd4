#!/usr/bin/python3
"""Inside the sandbox: telemetry_sandbox.py PROSCENIUM FOLDER prints as JSON the load of the session's threads in each
turn, in shares of a core, and the messages that subscribers received."""

import json
import math
import multiprocessing
import os
import signal
import socket
import statistics
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "..", "Scripts"))
import live_sandbox
from free_ports import free_ports

#: Number of turns of each kind, and counted seconds of each.
TURNS, SECONDS = 8, 5.0
#: Text of a pose and of a meter message, by the encoding of the door.
OSC = (b"/proscenium/pose\0", b"/proscenium/meters/ears\0")
JSON = (b'"pose":[', b'"meters":{')


def move(ports):
    """Sends a turning head and device, opentrack packets at 100 Hz, until this process is ended."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        while True:
            t = time.monotonic()
            for number, port in enumerate(ports):
                angles = (40 * math.sin((1.3 + number) * t), 10 * math.sin(0.7 * t), 5 * math.sin(0.9 * t))
                sender.sendto(struct.pack("<6d", 0, 0, 0, *angles), ("127.0.0.1", port))
            time.sleep(0.01)


def osc(address):
    """Returns a subscription message without arguments: all topics."""
    text = address.encode()
    return text + b"\0" * (4 - len(text) % 4) + b",\0\0\0"


def opened(door, control, web, path):
    """Opens a subscriber of a door: returns its socket, and the texts to count."""
    if door == "OSC UDP":
        found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        found.connect(("127.0.0.1", control))
        found.send(osc("/proscenium/subscribe"))
        return found, OSC
    if door == "OSC TCP":
        found = socket.create_connection(("127.0.0.1", control))
        packet = osc("/proscenium/subscribe")
        found.sendall(struct.pack(">I", len(packet)) + packet)
        return found, OSC
    request = b'{"address":"subscribe"}'
    if door == "socket":
        found = socket.socket(socket.AF_UNIX)
        found.connect(path)
        found.sendall(request + b"\n")
        return found, JSON
    found = socket.create_connection(("127.0.0.1", web))
    found.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
    while b"\r\n\r\n" not in found.recv(4096):
        pass
    # A mask of zeros is valid.
    found.sendall(bytes([0x81, 0x80 | len(request), 0, 0, 0, 0]) + request)
    return found, JSON


DOORS = ["OSC UDP", "OSC TCP", "socket", "WebSocket"]


def listen(door, control, web, path, told):
    """Subscribes, and counts poses and meters until it is ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    found, words = opened(door, control, web, path)
    rest = b""
    try:
        while data := found.recv(65536):
            # A text may be split between two reads of a stream; the kept rest is shorter than any, so that none counts
            # twice.
            data = rest + data
            for kind, word in enumerate(words):
                told[kind] += data.count(word)
            rest = b"" if door == "OSC UDP" else data[1 - min(map(len, words)):]
    finally:
        if door == "OSC UDP":
            found.send(osc("/proscenium/unsubscribe"))


def spent(pid):
    """Returns the processor time of each thread, seconds, by the scheduler's count."""
    found = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/schedstat") as file, open(f"/proc/{pid}/task/{task}/comm") as name:
                found[task] = (name.read().strip(), int(file.read().split()[0]) * 1e-9)
        except OSError:
            continue  # It has ended.
    return found


def turn(process, audio):
    """Returns the shares of a core in a turn: of the audio thread, of all others, and by name."""
    begun, before = time.monotonic(), spent(process.pid)
    time.sleep(SECONDS)
    seconds, after = time.monotonic() - begun, spent(process.pid)
    if process.poll() is not None:
        sys.exit("the session ended while it was measured")
    used = {task: (name, (value - before.get(task, (name, 0.0))[1]) / seconds) for task, (name, value) in after.items()}
    names = {}
    for task, (name, share) in used.items():
        if task != audio:
            names[name] = names.get(name, 0.0) + share
    return {"audio": used[audio][1], "rest": sum(names.values()), "names": names}


def main():
    program, folder = sys.argv[1:3]
    control, web, head, device = free_ports(4)
    path = f"{folder}/proscenium/proscenium.sock"
    tone = subprocess.Popen(["jack_simple_client", "tone"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    live_sandbox.await_port("tone:output1")
    session = subprocess.Popen(
        [program, "run", "--quiet", "--layout", "7.1.4", "--hrtf", "kemar", "--control", str(control), "--http", str(web), "--head",
         f"opentrack:{head}", "--device", f"opentrack:{device}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    mover = multiprocessing.Process(target=move, args=[(head, device)], daemon=True)
    try:
        for port in live_sandbox.await_inputs("proscenium:", 12):
            subprocess.run(["jack_connect", "tone:output1", port], check=True)
        mover.start()
        time.sleep(3)
        first = spent(session.pid)
        time.sleep(2)
        # The audio thread is the busiest thread, whatever its name.
        audio = max(first, key=lambda task: spent(session.pid)[task][1] - first[task][1])
        turns, heard = {"silent": [], "told": []}, {door: [0, 0] for door in DOORS}
        for number in range(TURNS):
            turns["silent"].append(turn(session, audio))
            told = {door: multiprocessing.Array("q", 2, lock=False) for door in DOORS}
            listeners = [multiprocessing.Process(target=listen, args=(door, control, web, path, told[door]), daemon=True)
                         for door in DOORS]
            for listener in listeners:
                listener.start()
            time.sleep(1)
            before, begun = {door: list(told[door]) for door in DOORS}, time.monotonic()
            turns["told"].append(turn(session, audio))
            for door in DOORS:
                for kind in range(2):
                    heard[door][kind] += (told[door][kind] - before[door][kind]) / (time.monotonic() - begun) / TURNS
            for listener in listeners:
                listener.terminate()
                listener.join()
            time.sleep(1)
    finally:
        for process in (session, tone):
            process.terminate()
            process.wait()
    names = {name for one in turns["told"] for name in one["names"]}
    threads = {name: 100 * statistics.median(b["names"].get(name, 0.0) - a["names"].get(name, 0.0)
                                             for a, b in zip(turns["silent"], turns["told"])) for name in sorted(names)}
    print(json.dumps({**turns, "heard": heard, "threads": {name: share for name, share in threads.items() if abs(share) > 0.005}}))


if __name__ == "__main__":
    main()

"""Measures the delay of a pose from the tracker's port to a message of the WebSocket: a head at rest turns by a degree
at random times; the delay ends with the first message of the turn."""
import json
import math
import random
import socket
import threading
import time

from takes import PATIENCE, Complaint, Disturbed

#: Greatest delay of 99 of 100 turns on an idle machine, milliseconds; elsewhere the limit of the median, with a factor
#: for one of 100.
WANTED, CROWDED = 10, 20
#: Turn of the head, and least change that counts as its arrival, degrees: the forecast moves to a new sample gradually.
TURN, NEWS = 1.0, 0.03


def measure(web, tracker, turns=200):
    """Returns the delays of `turns` turns in milliseconds, sorted."""
    import websockets.sync.client
    chance, asked, end = random.Random(5), {}, threading.Event()

    def send():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            number, yaw, left = 0, 0.0, 100
            while not end.is_set():
                number, left = number + 1, left - 1
                if left == 0:
                    yaw, left = TURN - yaw, chance.randrange(14, 24)
                half = math.radians(yaw) / 2
                row = f"quat,{number},{number * 10_000_000},{math.cos(half):.9f},0,0,{math.sin(half):.9f}".encode()
                # Random intervals, to avoid synchrony with the session's regular work.
                time.sleep(0.01 + chance.uniform(-0.001, 0.001))
                now = time.perf_counter()
                sender.sendto(row, ("127.0.0.1", int(tracker)))
                if yaw != asked.get("yaw"):
                    asked["yaw"], asked["at"] = yaw, now

    thread = threading.Thread(target=send, daemon=True)
    delays, rest, seen = [], None, None
    with websockets.sync.client.connect(f"ws://127.0.0.1:{web}/", max_size=None) as connection:
        connection.send('{"address":"subscribe","arguments":["pose"]}')
        thread.start()
        try:
            limit = time.monotonic() + 2 * PATIENCE
            while len(delays) < turns:
                try:
                    told = connection.recv(timeout=1)
                except TimeoutError:
                    told = ""
                now = time.perf_counter()
                if time.monotonic() > limit:
                    raise Complaint(f"{len(delays)} of {turns} turns were told")
                if '"pose"' not in told:
                    continue
                yaw, at = json.loads(told)["pose"][0], asked.get("at")
                # A turn counts if the head was at rest before it.
                if at is not None and at != seen and rest is not None and abs(yaw - rest) > NEWS:
                    seen = at
                    delays.append(1000 * (now - at))
                if asked.get("yaw") is not None and now - asked["at"] > 0.12:
                    rest = yaw
        finally:
            end.set()
            thread.join()
    return sorted(delays[5:])


def check(web, tracker):
    """Returns the result as text."""
    delays = measure(web, tracker)
    half, most, last = (delays[min(len(delays) - 1, len(delays) * share // 100)] for share in (50, 95, 99))
    if half > WANTED:
        raise Disturbed(f"half of the poses take {half:.1f} ms")
    if last > CROWDED * WANTED:
        raise Disturbed(f"one pose of 100 takes {last:.0f} ms")
    return (f"from the tracker's port to the message: p50 {half:.1f}, p95 {most:.1f}, p99 {last:.1f} ms of {len(delays)} turns "
            f"(wanted: p99 {WANTED} ms)")

"""Invalid requests for doors.py, to every control interface of a session, from a separate process: valid requests of
all kinds, damaged at random.

No request here ends a session: an end would therefore be a fault.
"""
import json
import multiprocessing
import os
import random
import socket
import struct
import time

#: Greatest time that an interface may keep a client waiting, seconds; beyond it the interface counts as stuck.
PATIENCE = 60
VALUES = [0, 1, -1, 0.5, -6, 1e9, -1e-30, "on", "off", "toggle", "nan", "inf", "tracked", "", "\u00e9" * 40, True, None, [1, 2, 3], [], {}]
#: Empty or incomplete queries.
QUERIES = ["/?=", "/?a&=", "/?&", "/?%zz", "/?token", "/?=&=", "/??", "/?token=%", "/state?=VALUE"]
ADDRESSES = ["input/main/level", "input/main/mode", "input/main/place", "mode", "level", "dim", "monitor-level", "loudspeaker/FL/mute",
             "room", "follow", "status", "loudness", "undo", "redo", "start", "subscribe", "unsubscribe", "plugin", "plugin/x/set/gain",
             "plugin/add", "watch", "token", "recentre", "resume", "interrupt", "input//level", "input/nobody/mute", "/", "//", ""]


def osc(address, *arguments):
    """Returns an OSC message; unsupported arguments are omitted."""
    def padded(text):
        data = text.encode(errors="replace")
        return data + b"\0" * (4 - len(data) % 4)

    tags, data = ",", b""
    for value in arguments:
        if isinstance(value, bool):
            tags += "T" if value else "F"
        elif isinstance(value, int):
            tags, data = tags + "i", data + struct.pack(">i", max(-2**31, min(2**31 - 1, value)))
        elif isinstance(value, float):
            tags, data = tags + "f", data + struct.pack(">f", value)
        elif isinstance(value, str):
            tags, data = tags + "s", data + padded(value)
    return padded("/proscenium/" + address) + padded(tags) + data


def message(chance):
    """Returns a valid OSC packet: a message, or a bundle of several with an immediate or later time."""
    one = osc(chance.choice(ADDRESSES), *chance.choices(VALUES, k=chance.randrange(4)))
    if chance.randrange(4):
        return one
    when = chance.choice([1, int((time.time() + 2_208_988_800 + chance.uniform(-1, 3)) * 2**32)])
    parts = [one] + [osc(chance.choice(ADDRESSES), chance.choice(VALUES)) for _ in range(chance.randrange(5))]
    return b"#bundle\0" + struct.pack(">Q", when) + b"".join(struct.pack(">I", len(part)) + part for part in parts)


def request(chance):
    """Returns a valid request in JSON."""
    asked = {"address": chance.choice(ADDRESSES)}
    if chance.randrange(4):
        asked["arguments"] = chance.choice(VALUES)
    if chance.randrange(2):
        asked["id"] = chance.choice(VALUES)
    return json.dumps(asked).encode()


def length_framed(chance):
    packet = message(chance)
    return struct.pack(">I", len(packet)) + packet


def slip_framed(chance):
    return b"\xc0" + message(chance).replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"


def http(chance):
    if chance.randrange(2):
        body = request(chance)
        return b"POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    path = chance.choice(["/state", "/", "/?HOST_INFO", "/proscenium/input/main/level?VALUE", "/nothing", "/%00", "/" + "x" * 3000]
                         + QUERIES)
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


UPGRADE = (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")


def frame(chance):
    """Returns a valid WebSocket frame of a client: text, bytes, a ping, a continuation, a close."""
    data, mask = request(chance), chance.randbytes(4)
    kind = chance.choice([0x81, 0x81, 0x81, 0x82, 0x89, 0x01, 0x80, 0x88])
    length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + struct.pack(">H", len(data))
    return bytes([kind]) + length + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))


def damaged(chance, data):
    """Returns data with up to a dozen damages; one in eight stays undamaged."""
    data = bytearray(data)
    for _ in range(0 if chance.randrange(8) == 0 else chance.randrange(12)):
        match chance.randrange(4):
            case 0 if data: data[chance.randrange(len(data))] = chance.randrange(256)
            case 1: data += chance.randbytes(chance.randrange(200))
            case 2 if data: data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            case _ if data: del data[chance.randrange(len(data)):]
    return bytes(data)


def datagrams(chance, end, sent, where):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        while time.monotonic() < end:
            sender.sendto(damaged(chance, message(chance))[:60_000], where)
            sent.value += 1
            if sent.value % 50 == 0:
                time.sleep(0.005)


def stream(chance, end, sent, family, where, made, begin=b""):
    """Sends data over connections that are kept for some time, with or without reading."""
    while time.monotonic() < end:
        with socket.socket(family) as once:
            once.settimeout(PATIENCE)
            try:
                once.connect(where)
                if begin and chance.randrange(8):
                    once.sendall(begin)
                    once.recv(4096)
                reads = chance.randrange(2)
                for _ in range(chance.choice([1, 1, 5, 40])):
                    # A session whose answers are not read stops reading; the timeout is therefore short.
                    once.settimeout(0.05)
                    once.sendall(damaged(chance, made(chance)))
                    sent.value += 1
                    once.setblocking(False)
                    if reads:
                        once.recv(1 << 16)
            except BlockingIOError:
                pass  # no answer yet
            except OSError:
                pass  # refused, as expected


def midi(chance, device, end, sent):
    """Sends MIDI messages from a connected device: of all kinds, damaged, and of a Mackie surface. The server may drop
    or pass on invalid MIDI."""
    while time.monotonic() < end:
        if len(device.queue) < 200:
            kind = chance.choice([0x80, 0x90, 0xA0, 0xB0, 0xC0, 0xD0, 0xE0]) | chance.randrange(16)
            plain = [kind] + [chance.randrange(128) for _ in range(1 if kind >> 4 in (12, 13) else 2)]
            exclusive = [0xF0, 0, 0, 0x66, 0x14, *[chance.randrange(128) for _ in range(chance.randrange(20))], 0xF7]
            other = [chance.choice([0xF1, 0xF2, 0xF3, 0xF6, 0xF8, 0xFA, 0xFC, 0xFE, 0xFF])] + [chance.randrange(128)] * chance.randrange(3)
            said = damaged(chance, bytes(chance.choice([plain, plain, plain, exclusive, other])))
            if said:
                device.send(said)
                sent.value += 1
        else:
            time.sleep(0.002)


def throw(seed, seconds, udp, path, web, device):
    """Sends invalid data to every interface at once for `seconds`; returns the amount sent to each."""
    end, count = time.monotonic() + seconds, {}
    host = "127.0.0.1"
    plans = {
        "OSC over UDP": (datagrams, (host, udp)),
        "OSC over TCP": (stream, socket.AF_INET, (host, udp), length_framed),
        "OSC in SLIP": (stream, socket.AF_INET, (host, udp), slip_framed),
        "JSON": (stream, socket.AF_UNIX, path, lambda chance: request(chance) + b"\n"),
        "HTTP": (stream, socket.AF_INET, (host, web), http),
        "WebSocket": (stream, socket.AF_INET, (host, web), frame, UPGRADE),
    }
    context, throwers = multiprocessing.get_context("fork"), []
    for name, (act, *words) in plans.items():
        count[name] = context.Value("q", 0, lock=False)
        thrower = context.Process(target=act, args=(random.Random(f"{seed}/{name}"), end, count[name], *words), daemon=True)
        thrower.start()
        throwers.append(thrower)
    count["MIDI"] = context.Value("q", 0, lock=False)
    midi(random.Random(f"{seed}/MIDI"), device, end, count["MIDI"])
    for thrower in throwers:
        thrower.join(PATIENCE + 10)
        if thrower.is_alive():
            thrower.kill()
            raise TimeoutError("a door is stuck")
    return {name: sent.value for name, sent in count.items()}


def burden(pid):
    """Returns resident MB, descriptors and threads of a process."""
    resident = int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return resident, len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))

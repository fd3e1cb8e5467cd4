"""A session on a JACK server with invalid messages at its control port: words, types, bundles, floods."""
import re
import socket
import struct
import time

from . import mutations, trackers
from .watching import Finding, Running

#: Words of OSC control, used besides those that the session lists; without `quit`, which ends it.
WORDS = ["recentre", "reference", "follow", "yaw-pull", "room", "start", "status", "loudness", "watch", "level", "place", "width", "mode",
         "upmix", "spatialize", "rendition", "drc", "drc-cut", "drc-boost", "dialnorm", "loudness-target", "programme-loudness", "resume",
         "interrupt/begin", "interrupt/end", "seek", "pause", "skip", "input/talk/level", "input/main/place", "input/talk/mode"]
TEXTS = ["yaw", "full", "reset", "device", "head", "static", "on", "off", "tracked", "fixed", "none", "stereo", "multichannel", "all", "auto",
         "film-standard", "music-light", "line", "rf", "pause", "duck", "resume", "no-resume", "talk", "main", "call", "", "x" * 3000,
         "\U0001f600", "%s%n", "nan", "-6", "1e19", "\"", "\\u0000"]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -6.0, 30.0, 90.0, -120.0, 1e-45, 1e-30, 1e-10, 1e10, 3e38, -3e38, 99.9, 100.0, 100.1, 7e18,
          float("nan"), float("inf"), float("-inf")]
INTEGERS = [0, 1, 2, -1, -31, 48_000, 0x7FFFFFFF, -0x80000000]


def padded(text):
    data = text.encode() if isinstance(text, str) else text
    return data + bytes(4 - len(data) % 4)


def packet(random, words):
    """Returns one message with arguments of any type."""
    tags, body = "", b""
    for _ in range(random.choice((0, 1, 1, 1, 2, 3, 3, 4, 40))):
        tag = random.choice("fffssiidhTFNtb")
        tags += tag
        if tag == "f":
            body += struct.pack(">f", random.choice(FLOATS))
        elif tag == "d":
            body += struct.pack(">d", random.choice(FLOATS + [1e-320, 1e300]))
        elif tag == "i":
            body += struct.pack(">i", random.choice(INTEGERS))
        elif tag == "h":
            body += struct.pack(">q", random.choice(INTEGERS + [(1 << 63) - 1, -(1 << 63)]))
        elif tag == "t":
            body += struct.pack(">Q", random.choice((0, 1, (1 << 64) - 1, 1 << 63)))
        elif tag == "b":
            blob = bytes(random.choice((0, 1, 4, 1000)))
            body += struct.pack(">I", len(blob)) + blob + bytes(-len(blob) % 4)
        elif tag == "s":
            body += padded(random.choice(TEXTS))
    return padded("/proscenium/" + random.choice(words)) + padded("," + tags) + body


def bundle(random, words):
    """Returns nested bundles of messages, with any time tag and sometimes a wrong size."""
    elements = [packet(random, words) for _ in range(random.choice((0, 1, 3, 30, 800)))]
    for _ in range(random.choice((0, 1, 1, 2, 8, 40))):
        now = int((time.time() + 2_208_988_800) * 2 ** 32)
        tag = random.choice((0, 1, now, now + (1 << 31), now + (3600 << 32), (1 << 64) - 1))
        sizes = [len(e) if random.random() < 0.98 else random.choice((0, 1, 4, 0x7FFFFFFF, 0xFFFFFFFF)) for e in elements]
        elements = [b"#bundle\0" + struct.pack(">Q", tag) + b"".join(struct.pack(">I", s) + e for s, e in zip(sizes, elements))]
    return elements[0] if elements else b"#bundle\0" + struct.pack(">Q", 1)


class Line:
    """Client of a session's control port."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(0.5)
        self.port = port

    def send(self, data):
        try:
            self.socket.sendto(data[:65_507], ("127.0.0.1", self.port))
        except (ConnectionRefusedError, BlockingIOError):
            pass

    def ask(self, word, seconds):
        """Returns the answer to a word, or None."""
        # A separate socket, which gets no answers to the invalid messages.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
            own.settimeout(0.5)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                try:
                    own.sendto(padded("/proscenium/" + word) + padded(","), ("127.0.0.1", self.port))
                    return own.recv(65_536)
                except (TimeoutError, ConnectionRefusedError):
                    continue
        return None

    def words(self):
        """Returns the words that the session lists, and WORDS."""
        answer = self.ask("no-such-word", 5) or b""
        found = re.findall(rb"/proscenium/([a-zA-Z/-]+)", answer)
        known = [word.decode().replace("NAME", "talk") for word in found]
        return sorted((set(known) | set(WORDS)) - {"quit", "no-such-word", "reply", "refused"})

    def drain(self):
        self.socket.settimeout(0)
        try:
            while True:
                self.socket.recv(65_536)
        except OSError:
            pass


def begin(rig, arguments, folder, port, environment=None):
    """Starts a session and waits until it answers; returns the program and the client of its control port."""
    running = Running(rig.program, arguments, folder, environment=environment)
    line = Line(port)
    try:
        end = time.monotonic() + 90
        while b'"client"' not in (line.ask("status", 1) or b""):
            if running.poll():
                running.judge()
                raise Finding(f"the session did not begin: {running.last_words()}")
            if time.monotonic() > end:
                raise Finding("hang: no session within 90 s")
    except BaseException:
        running.destroy()
        raise
    return running, line


def session(rig, random, folder):
    """Runs a session with trackers, a second input and sometimes a stereo rendition, and sends it invalid messages for
    12 s."""
    port, head, device = (trackers.free_port() for _ in range(3))
    layout = random.choice(("stereo", "5.1", "ambi1"))
    arguments = ["run", "--quiet", "--layout", layout, "--hrtf", "generated", "--room", "none", "--control", port, "--input",
                 "talk=mono,role=direct", "--head", f"osc:{head}", "--device", f"opentrack:{device}", "--name", f"fuzz{port}"]
    if layout == "5.1" and random.random() < 0.5:
        arguments += ["--stereo-rendition"] if rig.knows("run", "--stereo-rendition") else []
    running, line = begin(rig, arguments, folder, port)
    try:
        words = line.words()
        begun, sent = time.monotonic(), 0
        while time.monotonic() - begun < 12:
            for _ in range(50):
                kind = random.random()
                if kind < 0.55:
                    data = packet(random, words)
                elif kind < 0.75:
                    data = mutations.of_bytes(random, packet(random, words))
                elif kind < 0.9:
                    data = bundle(random, words)
                else:
                    name, place = random.choice((("osc", head), ("opentrack", device)))
                    line.socket.sendto(trackers.message(random, trackers.DATAGRAMS[name])[:65_507], ("127.0.0.1", place))
                    continue
                if b"quit" not in data:
                    line.send(data)
                    sent += 1
            if random.random() < 0.02:
                flood = packet(random, words)
                for _ in range(2000):
                    line.send(flood)
            line.drain()
            time.sleep(0.02)
            if running.poll():
                running.judge()
                raise Finding(f"the session ended by itself ({running.status}): {running.last_words()}")
            if running.memory() > rig.memory:
                raise Finding(f"memory: {running.memory()} MB after {sent} messages")
        if line.ask("status", 20) is None:
            raise Finding(f"hang: no answer within 20 s after {sent} messages")
        running.end(20)
    finally:
        running.destroy()

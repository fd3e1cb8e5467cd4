"""Patchbay and control surface for checks: a JACK client that connects and disconnects ports of others, and an OSC
client of a session that receives its messages."""
import ctypes
import json
import select
import socket
import struct
import time

#: Timeout of every wait, seconds, for a machine with other load.
PATIENCE = 60


class Patchbay:
    """Connects and disconnects ports by name; has no ports itself."""

    def __init__(self, name="patchbay"):
        self.jack = ctypes.CDLL("libjack.so.0")
        self.jack.jack_client_open.restype = ctypes.c_void_p
        for call in ("jack_connect", "jack_disconnect"):
            getattr(self.jack, call).argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
        self.jack.jack_port_by_name.restype = ctypes.c_void_p
        self.jack.jack_port_by_name.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.jack.jack_port_get_latency_range.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
        self.jack.jack_frame_time.argtypes = self.jack.jack_client_close.argtypes = [ctypes.c_void_p]
        self.jack.jack_frame_time.restype = ctypes.c_uint32
        status = ctypes.c_int(0)
        no_start = 1
        self.client = self.jack.jack_client_open(name.encode(), no_start, ctypes.byref(status))
        if not self.client:
            raise RuntimeError(f"the patchbay reaches no JACK server (status {status.value})")

    @staticmethod
    def keep(callback):
        """Keeps a callback of libjack until the process ends: the thread of a client that is not closed calls it even
        after the last reference to the client, and would run freed memory."""
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(callback))
        return callback

    def connect(self, source, target):
        """Connects two ports, once this client sees both: PipeWire announces a new port to one client after the other,
        and refuses a connection by a client that does not know the port yet (EINVAL)."""
        end = time.monotonic() + PATIENCE
        while not all(self.jack.jack_port_by_name(self.client, port.encode()) for port in (source, target)):
            if time.monotonic() > end:
                raise RuntimeError(f"{source} -> {target}: no such ports within {PATIENCE} s")
            time.sleep(0.01)
        code = self.jack.jack_connect(self.client, source.encode(), target.encode())
        if code not in (0, 17):  # 17: EEXIST
            raise RuntimeError(f"{source} -> {target}: not connected ({code})")

    def disconnect(self, source, target):
        code = self.jack.jack_disconnect(self.client, source.encode(), target.encode())
        if code != 0:
            raise RuntimeError(f"{source} -> {target}: not disconnected ({code})")

    def latency(self, port):
        """Returns a port's capture and playback latency in frames: ((least, most), (least, most))."""
        port = self.jack.jack_port_by_name(self.client, port.encode())
        if not port:
            raise RuntimeError("there is no such port")
        found = []
        for playback in (0, 1):
            both = (ctypes.c_uint32 * 2)()
            self.jack.jack_port_get_latency_range(port, playback, both)
            found.append(tuple(both))
        return tuple(found)

    @property
    def frame(self):
        """Current time of JACK's frame clock."""
        return self.jack.jack_frame_time(self.client)

    def close(self):
        self.jack.jack_client_close(self.client)


def _padded(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def encode(address, *arguments):
    """Encodes an OSC message of texts and numbers; whole numbers modulo 2³²."""
    tags, data = ",", b""
    for argument in arguments:
        if isinstance(argument, str):
            tags, data = tags + "s", data + _padded(argument)
        elif isinstance(argument, int):
            tags, data = tags + "i", data + struct.pack(">I", argument % 2**32)
        else:
            tags, data = tags + "f", data + struct.pack(">f", argument)
    return _padded(address) + _padded(tags) + data


def decode(data):
    """Returns (address, texts) of an OSC message; numbers are omitted."""
    texts, at = [], 0
    def text():
        nonlocal at
        end = data.index(b"\0", at)
        found = data[at:end].decode()
        at = end + 4 - (end % 4)
        return found
    address, tags = text(), text()
    for tag in tags[1:]:
        if tag == "s":
            texts.append(text())
        else:
            at += 8 if tag in "dh" else 4
    return address, texts


class Surface:
    """Sends requests to a session and receives its messages; `events` fills with (kind, text)."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", int(port)))
        self.events = []

    def _receive(self, seconds):
        if not select.select([self.socket], [], [], seconds)[0]:
            return None
        address, texts = decode(self.socket.recv(1 << 16))
        if address == "/proscenium/event":
            self.events.append((texts[0], json.loads(texts[1])))
        return address, texts

    def send(self, address, *arguments):
        self.socket.send(encode(address, *arguments))

    def ask(self, address, *arguments, patience=30):
        """Sends a request and returns the answer's text; raises an error on a refusal."""
        self.send(address, *arguments)
        return self.answer(address, patience)

    def answer(self, address, patience=30):
        """Returns the text of the answer to the last request; raises an error on a refusal."""
        end = time.monotonic() + patience
        while (left := end - time.monotonic()) > 0:
            answer = self._receive(left)
            if answer and answer[0] in ("/proscenium/reply", "/proscenium/refused") and answer[1][0] == address:
                if answer[0] == "/proscenium/refused":
                    raise RuntimeError(f"{address}: refused: {answer[1][1]}")
                return answer[1][1]
        raise RuntimeError(f"{address}: no answer within {patience} s")

    def listen(self, seconds):
        """Receives messages for `seconds`."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._receive(left)

    @property
    def playback(self):
        """Requests the destination of the ears and the interruptions in force."""
        return json.loads(self.ask("/proscenium/status"))["playback"]

    def until(self, state, patience=30):
        """Waits for a state of playback."""
        end = time.monotonic() + patience
        while (found := self.playback)["state"] != state:
            if time.monotonic() > end:
                raise RuntimeError(f"the session is {found['state']}, not {state}, after {patience} s: {found}")
            time.sleep(0.01)
        return found

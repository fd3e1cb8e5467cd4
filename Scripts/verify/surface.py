#!/usr/bin/env python3
"""Tests a control surface on a real server, jackd and PipeWire: a MIDI client is connected to `events_in` and
`events_out`. Its messages take effect; values in force are echoed to it, whichever client set them, also after a late
connection and after a kill of the server; and `--learn` writes a working map.

usage: surface.py PROGRAM
"""
import collections
import contextlib
import ctypes
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from portplay import Patchbay
from restarts import serve
from takes import PATIENCE, Complaint, Stage, enter, free_ports, tally

PORT = str(free_ports(1)[0])
SERVERS = [("jackd", ["jack-sandbox", "--sync"]), ("PipeWire", ["pipewire-sandbox"])]
MAP = {"version": 1, "maker": "somebody", "bindings": [
    {"control": "note 36", "address": "input/main/mute"},
    {"control": "cc 7", "channel": 1, "address": "input/main/level"},
    {"control": "cc14 1", "address": "input/main/drc-cut"},
]}


class Device(Patchbay):
    """A MIDI device as a JACK client: sends messages and stores those received."""

    class Event(ctypes.Structure):
        _fields_ = [("time", ctypes.c_uint32), ("size", ctypes.c_size_t), ("buffer", ctypes.POINTER(ctypes.c_ubyte))]

    def __init__(self):
        super().__init__("device")
        jack, pointer = self.jack, ctypes.c_void_p
        jack.jack_port_register.restype = jack.jack_port_get_buffer.restype = jack.jack_midi_event_reserve.restype = pointer
        jack.jack_port_register.argtypes = [pointer, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_ulong]
        jack.jack_port_get_buffer.argtypes = [pointer, ctypes.c_uint32]
        jack.jack_midi_get_event_count.argtypes = jack.jack_midi_clear_buffer.argtypes = [pointer]
        jack.jack_midi_event_get.argtypes = [pointer, pointer, ctypes.c_uint32]
        jack.jack_midi_event_write.argtypes = [pointer, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_size_t]
        jack.jack_set_process_callback.argtypes = [pointer, pointer, pointer]
        jack.jack_activate.argtypes = [pointer]
        kind = b"8 bit raw midi"
        self.gives = jack.jack_port_register(self.client, b"gives", kind, 2, 0)
        self.takes = jack.jack_port_register(self.client, b"takes", kind, 1, 0)
        self.queue, self.heard = collections.deque(), []
        self.callback = Patchbay.keep(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, pointer)(self.process))
        jack.jack_set_process_callback(self.client, self.callback, None)
        jack.jack_activate(self.client)

    def process(self, frames, _):
        buffer = self.jack.jack_port_get_buffer(self.takes, frames)
        event = self.Event()
        for index in range(self.jack.jack_midi_get_event_count(buffer)):
            if self.jack.jack_midi_event_get(ctypes.byref(event), buffer, index) == 0:
                self.heard.append(bytes(event.buffer[:event.size]))
        buffer = self.jack.jack_port_get_buffer(self.gives, frames)
        self.jack.jack_midi_clear_buffer(buffer)
        place = 0
        while self.queue and place < frames:
            message = self.queue.popleft()
            self.jack.jack_midi_event_write(buffer, place, message, len(message))
            place += 1
        return 0

    def send(self, *messages):
        self.queue.extend(bytes(message) for message in messages)

    def all_heard(self, *messages):
        """Whether each of these messages was received."""
        return all(bytes(message) in self.heard for message in messages)

    def any_heard(self, *messages):
        """Whether one of these messages was received."""
        return any(bytes(message) in self.heard for message in messages)

    def took(self):
        """Returns the last messages received, for an error text."""
        return [each.hex(" ") for each in self.heard[-8:]]


def main_input(stage):
    """Returns the status of the main input."""
    return next(each for each in stage.status["programmes"] if each["name"] == "main")


def becomes(is_so, patience=PATIENCE):
    """Whether a condition becomes true within `patience` seconds."""
    end = time.monotonic() + patience
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def until(what, is_so):
    if not becomes(is_so):
        raise Complaint(f"not so: {what}")


def connect_anew(device):
    """Connects the session's output to the device; disconnects it first if it is connected."""
    with contextlib.suppress(RuntimeError):
        device.disconnect("proscenium:events_out", "device:takes")
    device.connect("proscenium:events_out", "device:takes")


class Exchange:
    """Actions and their expected effects. jackd in synchronous mode waits for its clients, so no message is lost, and each action is done
    once. PipeWire leaves a late client out of a cycle, and the messages of that cycle are lost: there an action is repeated, at most six
    times; an effect that never follows from the action is an error on both."""

    def __init__(self, device, server):
        self.device, self.attempts = device, 6 if server == "PipeWire" else 1

    def step(self, what, act, is_so):
        for _ in range(self.attempts):
            self.device.heard.clear()
            act()
            if becomes(is_so, PATIENCE / self.attempts):
                return
        raise Complaint(f"not so: {what}; the device took {self.device.took()}")


def perform(program, folder):
    """Runs all parts inside a sandbox. Returns an error, or None."""
    server, part = (folder / "part").read_text().split(": ")
    try:
        if part == "after a restart":
            return restarted(program, folder)
        device = Device()
        if part == "learning":
            return learns(program, folder, device, server)
        (folder / "map.json").write_text(json.dumps(MAP))
        with Stage(program, folder, PORT, "ears", "--surface", "map.json") as stage:
            stage.status
            stage.ctl("level", "-6", "--input", "main")
            stage.ctl("mute", "on", "--input", "main")
            # A late device receives the values in force at each new connection.
            exchange = Exchange(device, server)
            for _ in range(2):
                exchange.step("the values are sent to a new connection", lambda: connect_anew(device),
                              lambda: device.all_heard([0xB0, 7, 86], [0x90, 36, 127]))
            device.disconnect("proscenium:events_out", "device:takes")
            stage.ctl("mute", "off", "--input", "main")
            device.connect("device:gives", "proscenium:events_in")
            device.connect("proscenium:events_out", "device:takes")
            # PipeWire makes a connection some time after the request; messages sent before it are lost.
            until("the fader is heard", lambda: device.send([0xB0, 7, 127]) or abs(main_input(stage)["level"] - 10) < 1e-3)

            def press_to(is_muted):
                """Presses the key unless the input is in that state already."""
                if main_input(stage)["isMuted"] != is_muted:
                    device.send([0x90, 36, 100], [0x90, 36, 0])

            def set_to(*words):
                """Sets a value from the command line, from another value, so that an echo follows."""
                stage.ctl(*words[:-1], "-30" if words[0] == "level" else "on", "--input", "main")
                stage.ctl(*words, "--input", "main")

            # A message of the device: its effect, and the echo to the device.
            exchange.step("the key mutes", lambda: press_to(True), lambda: main_input(stage)["isMuted"])
            exchange.step("the mute is echoed", lambda: stage.ctl("mute", "off", "--input", "main") or press_to(True),
                          lambda: device.any_heard([0x90, 36, 127]))
            # A value of another client. PipeWire turns a note-on of velocity 0 into a note-off.
            exchange.step("another client's mute is shown", lambda: set_to("mute", "off"),
                          lambda: device.any_heard([0x90, 36, 0], [0x80, 36, 64]))
            # A thousand values of a fader: the last is in force. They start from another value, so that their end is
            # detectable.
            exchange.step("the fader is down", lambda: device.send([0xB0, 7, 0]), lambda: main_input(stage)["level"] < 0)
            exchange.step("the fader's last value is in force",
                          lambda: device.send(*[[0xB0, 7, 1 + k % 100] for k in range(1000)], [0xB0, 7, 127]),
                          lambda: abs(main_input(stage)["level"] - 10) < 1e-3)
            exchange.step("another client's level is shown", lambda: set_to("level", "0"), lambda: device.any_heard([0xB0, 7, 102]))
            stage.finish()
    except (Complaint, RuntimeError) as complaint:
        return str(complaint)
    return None


def restarted(program, folder):
    """Kills and restarts the server: the restarted device receives the values in force. The server waits for its
    clients, because messages sent in a cycle without a late device would be lost."""
    (folder / "map.json").write_text(json.dumps(MAP))
    os.kill(int(os.environ["JACK_SANDBOX_SERVER_PID"]), signal.SIGKILL)
    server = serve(48000, 256, "-S")
    try:
        with Stage(program, folder, PORT, "ears", "--surface", "map.json") as stage:
            stage.status
            stage.ctl("level", "-6", "--input", "main")
            device = Device()
            device.connect("proscenium:events_out", "device:takes")
            until("the level is sent", lambda: device.all_heard([0xB0, 7, 86]))
            server.kill()
            server.wait(timeout=PATIENCE)
            until("the session misses its server", lambda: stage.status.get("serverGoneFor") is not None)
            stage.ctl("mute", "on", "--input", "main")
            server = serve(48000, 256, "-S")
            until("the session is back", lambda: stage.status.get("serverGoneFor") is None)
            # The session reconnects itself with the earlier clients, in its own time; the device does not wait for
            # that.
            device = Device()
            device.connect("proscenium:events_out", "device:takes")
            until("level and mute are sent", lambda: device.all_heard([0xB0, 7, 86], [0x90, 36, 127]))
            stage.finish()
    finally:
        server.kill()
    return None


def learns(program, folder, device, server):
    with Stage(program, folder, PORT, "ears", "--surface", "new.json", "--learn", "recentre", "--learn", "input/main/level") as stage:
        stage.status
        device.connect("device:gives", "proscenium:events_in")
        path = folder / "new.json"
        # A key that is learnt again gets the same control; the fader is requested next.
        until("the key is learnt", lambda: path.exists() or device.send([0x93, 40, 1], [0x93, 40, 0]))
        exchange = Exchange(device, server)
        exchange.step("the fader is learnt", lambda: device.send([0xB2, 20, 64]), lambda: len(json.loads(path.read_text())["bindings"]) == 2)
        exchange.step("the fader moves what it learnt", lambda: device.send([0xB2, 20, 0]), lambda: main_input(stage)["level"] == -200)
        stage.finish()
    found = [(each["control"], each["channel"], each["address"]) for each in json.loads(path.read_text())["bindings"]]
    wanted = [("note 40", 4, "recentre"), ("cc 20", 3, "input/main/level")]
    return None if found == wanted else f"the map has {found}"


def rehearse(program, sandbox, server, part):
    with tempfile.TemporaryDirectory() as name:
        (pathlib.Path(name) / "part").write_text(f"{server}: {part}")
        take = subprocess.run(
            [HERE.parent / sandbox[0], *sandbox[1:], sys.executable, __file__, "--inside", program, name], capture_output=True,
            text=True)
        return take.returncode == 0, (take.stdout + take.stderr).strip()[-600:]


def main(program):
    parts = [(server, sandbox, part) for server, sandbox in SERVERS for part in ("by a map", "learning")]
    # PipeWire's restart is tested in restarts_pipewire.py; the echo to a surface is the same on both.
    parts.append((*SERVERS[0], "after a restart"))
    return tally("control surface", (
        (f"{server}, {part}", *rehearse(program, sandbox, server, part)) for server, sandbox, part in parts))


if __name__ == "__main__":
    enter(__doc__, main, perform)

#!/usr/bin/env python3
"""A control surface on a real server, jackd and PipeWire: a MIDI client of its own is connected to `events_in` and `events_out`; what it
sends is done, what is in force comes back to it, whichever client set it, when it is connected late and after the server was killed too, and
`--learn` writes a map that works.

usage: surface.py PROGRAM
"""
import collections
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
    """A MIDI device as a JACK client: what it sends and what it was sent."""

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
        self.callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, pointer)(self.process)
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

    def until_all_heard(self, *messages):
        """Waits until each of these messages came, and forgets all that did."""
        end = time.monotonic() + PATIENCE
        while missing := [each for each in messages if bytes(each) not in self.heard]:
            if time.monotonic() > end:
                raise Complaint(f"{bytes(missing[0]).hex(' ')} did not come; {[each.hex(' ') for each in self.heard[-8:]]} did")
            time.sleep(0.01)
        self.heard.clear()

    def until_heard(self, *messages):
        """Waits until one of these messages came, and forgets all that did."""
        end = time.monotonic() + PATIENCE
        while not any(bytes(message) in self.heard for message in messages):
            if time.monotonic() > end:
                raise Complaint(f"{bytes(messages[0]).hex(' ')} did not come; {[each.hex(' ') for each in self.heard[-8:]]} did")
            time.sleep(0.01)
        self.heard.clear()


def main_input(stage):
    """What the status says of the main input."""
    return next(each for each in stage.status["programmes"] if each["name"] == "main")


def until(what, is_so):
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise Complaint(f"not so: {what}")
        time.sleep(0.05)


def perform(program, folder):
    """Inside a sandbox; what went wrong, or None."""
    part = (folder / "part").read_text()
    try:
        if part == "after a restart":
            return restarted(program, folder)
        device = Device()
        if part == "learning":
            return learns(program, folder, device)
        (folder / "map.json").write_text(json.dumps(MAP))
        with Stage(program, folder, PORT, "ears", "--surface", "map.json") as stage:
            stage.status
            stage.ctl("level", "-6", "--input", "main")
            stage.ctl("mute", "on", "--input", "main")
            # Who is connected when all has long been set is told it, and again whenever they are connected anew.
            for _ in range(2):
                device.connect("proscenium:events_out", "device:takes")
                device.until_all_heard([0xB0, 7, 86], [0x90, 36, 127])
                device.disconnect("proscenium:events_out", "device:takes")
            stage.ctl("mute", "off", "--input", "main")
            device.connect("device:gives", "proscenium:events_in")
            device.connect("proscenium:events_out", "device:takes")
            # PipeWire makes connections in its own time; what is sent before is lost.
            until("the fader is heard", lambda: device.send([0xB0, 7, 127]) or abs(main_input(stage)["level"] - 10) < 1e-3)
            # The device's own word, and what comes of it.
            device.send([0x90, 36, 100], [0x90, 36, 0])
            until("the key mutes", lambda: main_input(stage)["isMuted"])
            device.until_heard([0x90, 36, 127])
            # Another door's word.
            stage.ctl("mute", "off", "--input", "main")
            # PipeWire hands a note of velocity 0 on as the note's end.
            device.until_heard([0x90, 36, 0], [0x80, 36, 64])
            # A fader in a rush: the last of a thousand values is the one in force. It begins elsewhere, so that its end can be told.
            device.send([0xB0, 7, 0])
            until("the fader is down", lambda: main_input(stage)["level"] < 0)
            device.send(*[[0xB0, 7, 1 + k % 100] for k in range(1000)], [0xB0, 7, 127])
            until("the fader's last value is in force", lambda: abs(main_input(stage)["level"] - 10) < 1e-3)
            # And where another client sets it, the fader follows.
            stage.ctl("level", "0", "--input", "main")
            device.until_heard([0xB0, 7, 102])
            stage.finish()
    except (Complaint, RuntimeError) as complaint:
        return str(complaint)
    return None


def restarted(program, folder):
    """The server is killed and comes back: the device, which has forgotten all, is shown what is in force. The server waits for its clients:
    what it sends in a cycle that a late device is left out of would be lost."""
    (folder / "map.json").write_text(json.dumps(MAP))
    os.kill(int(os.environ["JACK_SANDBOX_SERVER_PID"]), signal.SIGKILL)
    server = serve(48000, 256, "-S")
    try:
        with Stage(program, folder, PORT, "ears", "--surface", "map.json") as stage:
            stage.status
            stage.ctl("level", "-6", "--input", "main")
            device = Device()
            device.connect("proscenium:events_out", "device:takes")
            device.until_all_heard([0xB0, 7, 86])
            server.kill()
            server.wait(timeout=PATIENCE)
            until("the session misses its server", lambda: stage.status.get("serverGoneFor") is not None)
            stage.ctl("mute", "on", "--input", "main")
            server = serve(48000, 256, "-S")
            until("the session is back", lambda: stage.status.get("serverGoneFor") is None)
            # The session connects itself again with the clients that were there, in its own time; the device does not wait for that.
            device = Device()
            device.connect("proscenium:events_out", "device:takes")
            device.until_all_heard([0xB0, 7, 86], [0x90, 36, 127])
            stage.finish()
    finally:
        server.kill()
    return None


def learns(program, folder, device):
    with Stage(program, folder, PORT, "ears", "--surface", "new.json", "--learn", "recentre", "--learn", "input/main/level") as stage:
        stage.status
        device.connect("device:gives", "proscenium:events_in")
        path = folder / "new.json"
        # A key that is learnt again is learnt as the same; the fader is what is asked for next.
        until("the key is learnt", lambda: path.exists() or device.send([0x93, 40, 1], [0x93, 40, 0]))
        device.send([0xB2, 20, 64])
        until("the fader is learnt", lambda: len(json.loads(path.read_text())["bindings"]) == 2)
        device.send([0xB2, 20, 0])
        until("the fader moves what it learnt", lambda: main_input(stage)["level"] == -200)
        stage.finish()
    found = [(each["control"], each["channel"], each["address"]) for each in json.loads(path.read_text())["bindings"]]
    wanted = [("note 40", 4, "recentre"), ("cc 20", 3, "input/main/level")]
    return None if found == wanted else f"the map has {found}"


def rehearse(program, sandbox, part):
    with tempfile.TemporaryDirectory() as name:
        (pathlib.Path(name) / "part").write_text(part)
        take = subprocess.run(
            [HERE.parent / sandbox[0], *sandbox[1:], sys.executable, __file__, "--inside", program, name], capture_output=True,
            text=True)
        return take.returncode == 0, (take.stdout + take.stderr).strip()[-600:]


def main(program):
    parts = [(server, sandbox, part) for server, sandbox in SERVERS for part in ("by a map", "learning")]
    # PipeWire's server is restarted in restarts_pipewire.py; what a surface is told goes the same way on both.
    parts.append((*SERVERS[0], "after a restart"))
    return tally("control surface", (
        (f"{server}, {part}", *rehearse(program, sandbox, part)) for server, sandbox, part in parts))


if __name__ == "__main__":
    enter(__doc__, main, perform)

#!/usr/bin/env python3
"""Tests a session with random commands on a JACK server that is killed from time to time: 20 s, with PROSCENIUM_SOAK=1
for an hour, with a larger number for that many seconds.

Through the JSON socket come commands of the whole table of parameters, insertion, change and removal of plugins, undo
and redo, while the head's tracker turns and falls silent, subscribers come and go at all control interfaces, and the
ears and the motion are recorded. After each command the reported state must equal that of a model; a refused command
must have no effect. At the end the session must run, its recordings be complete, and memory, descriptors and threads
not exceed those of the first third. They are read from time to time with the initial stage and no other scene, since a
scene in a long room at 96 kHz takes a gigabyte.

usage: soak.py PROGRAM
"""
import json
import os
import pathlib
import random
import signal
import socket
import struct
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import hostile
import restarts
import session_model
from servers import few_plugins
from takes import PATIENCE, Complaint, Stage, alone, enter, free_ports

ASKED = float(os.environ.get("PROSCENIUM_SOAK", 0))
SECONDS = 20 if not ASKED else 3600 if ASKED == 1 else ASKED
SEED = int(os.environ.get("PROSCENIUM_SEED", 15))
#: Seconds between kills of the server, and between readings of the session's resources.
DEATHS, LOOK = ((6, 10), 8) if SECONDS < 100 else ((40, 120), 120)
SERVERS = [(48000, 256), (44100, 512), (48000, 128), (96000, 1024)]
AMP = "http://lv2plug.in/plugins/eg-amp"
PLACES = ["main", "talk", "ears", "FL"]


class Head(restarts.Head):
    """A head that turns, and falls silent for up to four seconds about every ten."""

    def run(self):
        chance, silent = random.Random(SEED), 0
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            while self.going:
                now = time.monotonic()
                if chance.random() < 0.001:
                    silent = now + chance.uniform(0, 4)
                if now >= silent:
                    sender.sendto(struct.pack("<6d", 0, 0, 0, (60 * now + 180) % 360 - 180, 0, 0), ("127.0.0.1", self.port))
                time.sleep(0.01)


class Door:
    """Client of the session's JSON socket: sends requests, waits for answers, and keeps the reported state."""

    def __init__(self, path, *topics):
        self.told, self.number, self.rest = {}, 0, b""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        if topics:
            self.ask("subscribe", list(topics))

    def ask(self, address, arguments=()):
        """Sends a request; returns (whether it succeeded, the answer)."""
        self.number += 1
        self.socket.sendall((json.dumps({"id": self.number, "address": address, "arguments": list(arguments)}) + "\n").encode())
        while True:
            answer = self.next()
            if answer.get("id") == self.number:
                return ("reply" in answer, answer.get("reply", answer.get("refused")))

    def next(self):
        while b"\n" not in self.rest:
            try:
                data = self.socket.recv(1 << 16)
            except TimeoutError:
                raise Complaint(f"the session says nothing for {PATIENCE} s") from None
            if not data:
                raise Complaint("the session closed its socket")
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        said = json.loads(line)
        for address, value in said.get("state", {}).items():
            if value is None:
                self.told.pop(address, None)
            else:
                self.told[address] = value
        return said

    def hear(self, seconds):
        """Receives messages for `seconds`."""
        self.socket.settimeout(seconds)
        try:
            self.next()
        except Complaint:
            pass
        self.socket.settimeout(PATIENCE)


class Visitors(threading.Thread):
    """Subscribers at all control interfaces that connect, read for a while or not at all, and disconnect."""

    def __init__(self, path, control, web):
        super().__init__(daemon=True)
        self.path, self.control, self.web, self.going, self.came = path, control, web, True, 0

    def run(self):
        chance, guests = random.Random(SEED + 1), []
        while self.going:
            if len(guests) < 6:
                guests.append(self.guest(chance))
                self.came += 1
            for guest in list(guests):
                guest.setblocking(False)
                try:
                    if chance.random() < 0.5:
                        guest.recv(1 << 16)
                except OSError:
                    pass
                if chance.random() < 0.02:
                    self.leave(guest)
                    guests.remove(guest)
            time.sleep(0.05)
        for guest in guests:
            self.leave(guest)

    def guest(self, chance):
        kind = chance.randrange(4)
        packet = hostile.osc("subscribe")
        if kind == 0:
            guest = socket.socket(socket.AF_UNIX)
            guest.connect(self.path)
            guest.sendall(b'{"address":"subscribe"}\n')
        elif kind == 1:
            guest = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            guest.connect(("127.0.0.1", self.control))
            guest.send(packet)
        elif kind == 2:
            guest = socket.create_connection(("127.0.0.1", self.control))
            guest.sendall(struct.pack(">I", len(packet)) + packet)
        else:
            guest = socket.create_connection(("127.0.0.1", self.web))
            guest.sendall(hostile.UPGRADE)
            guest.recv(4096)
            words = b'{"address":"subscribe"}'
            guest.sendall(bytes([0x81, 0x80 | len(words), 0, 0, 0, 0]) + words)
        return guest

    def leave(self, guest):
        if guest.type == socket.SOCK_DGRAM:
            try:
                guest.send(hostile.osc("unsubscribe"))
            except OSError:
                pass
        guest.close()


class Soak:
    """Sends random commands to a session and updates the model."""

    def __init__(self, path):
        self.chance, self.door, self.path = random.Random(SEED), Door(path, "state", "events"), path
        self.rows = session_model.table()
        while not self.door.told:
            self.door.next()
        kinds = {row.name: self.kind(row.name) for row in self.rows}
        self.model = session_model.Model(self.door.told, kinds, effects=("reverb",))
        self.counts = {"done": 0, "refused": 0, "undo": 0, "redo": 0, "plugins": 0, "stages": 0, "scenes": 0, "servers": 0}
        self.number, self.log = 0, []
        self.first = {row: self.door.told[row.name] for row in self.rows
                      if row.name in session_model.OF_STAGE and row.name in self.door.told}

    def kind(self, name):
        """Returns the scope of a parameter: an invalid value reveals it without effect."""
        word = name.removeprefix("loudspeaker-")
        if f"input/main/{name}" in self.door.told:
            return "input"
        if any(address.startswith("loudspeaker/") and address.endswith("/" + word) for address in self.door.told):
            return "loudspeaker"
        _, answer = self.door.ask(f"input/main/{name}", ["no such value"])
        return "input" if answer.startswith(f"{name} takes") else "session"

    def turn(self):
        """Sends one random command."""
        kind = self.chance.random()
        if kind < 0.08:
            self.back(self.chance.choice(["undo", "undo", "redo"]))
        elif kind < 0.18:
            self.plugin()
        elif kind < 0.2:
            self.scene()
        elif kind < 0.22:
            self.say(self.chance.choice(["recentre", "status", "loudness", "resume"]))
        else:
            self.set()

    def say(self, word):
        self.note(word, self.door.ask(word)[0])

    def set(self):
        row = self.chance.choice(self.rows)
        value, target = row.value(self.chance), None
        if value is None:
            return
        kind, model = self.model.kinds[row.name], self.model
        if kind != "session" and self.chance.random() < 0.7:
            target = self.chance.choice(model.inputs if kind == "input" else model.loudspeakers)
        self.give(row, target, value)

    def give(self, row, target, value):
        """Sets a parameter of one input or loudspeaker, or (None) of the session or all."""
        kind, model, address = self.model.kinds[row.name], self.model, row.name
        if target:
            address = f"{kind}/{target}/{row.name.removeprefix('loudspeaker-') if kind == 'loudspeaker' else row.name}"
        try:
            expected = model.put(row, target, value)
            self.apart(model.step(expected[0], False))
        except KeyError:
            # Commands that depend on a value missing in this session must be refused.
            expected = None
        arguments = value if isinstance(value, list) else [value]
        if row.name in session_model.OF_STAGE:
            # The addresses of its step are known only afterwards.
            time.sleep(session_model.GESTURE + 0.3)
        done, answer = self.door.ask(address, arguments)
        self.note(f"{address} {value}", done, answer)
        if done:
            if expected is None:
                raise Complaint(f"{address} {value} is done, and cannot be")
            if row.name in session_model.OF_STAGE:
                self.counts["stages"] += 1
                if row.name == "room-name" and "room" in model.values:
                    model.hidden["room"] = model.values["room"]
                model.settle(expected[0], self.told({row.name: expected[0][row.name]}))
            model.note(*expected, time.monotonic())
        self.counts["done" if done else "refused"] += 1
        self.check(f"{address} {value}")

    def told(self, wanted):
        """Returns the state once these values are reported."""
        end = time.monotonic() + 10
        while not all(session_model.alike(self.door.told.get(address), value) for address, value in wanted.items()):
            if time.monotonic() > end:
                raise Complaint(f"{wanted} is never told; the last: {'; '.join(self.log)}")
            self.door.hear(0.2)
        return self.door.told

    def scene(self):
        """Selects another scene, removes one, or compares two blind."""
        scene, act = self.chance.choice("ab"), self.chance.choice(["scene", "scene", "scene-clear", "abx"])
        if act == "abx":
            self.compare_blind()
        else:
            self.stage(act, scene)

    def stage(self, act, scene):
        """Selects or removes a scene, unless that is impossible at the moment."""
        model = self.model
        done, answer = self.door.ask(act, [scene])
        self.note(f"{act} {scene}", done, answer)
        if not done and "ask again" in answer:
            return
        if done != (act == "scene" or scene in model.others):
            raise Complaint(f"{act} {scene}: {answer}")
        if not done:
            return
        self.counts["scenes"] += 1
        if act == "scene":
            model.hear(scene, self.told({"scene": scene}))
        else:
            model.clear(scene)
        self.check(f"{act} {scene}")

    def rest(self):
        """Restores the initial stage, and removes other scenes."""
        end = time.monotonic() + 4 * PATIENCE
        while self.model.scene != "a" or self.model.others:
            if time.monotonic() > end:
                raise Complaint(f"scene a is not heard alone; the last: {'; '.join(self.log)}")
            self.stage(*(("scene", "a") if self.model.scene != "a" else ("scene-clear", "b")))
        for row, value in self.first.items():
            if not session_model.alike(self.model.values.get(row.name, value), value):
                self.give(row, None, value)

    def compare_blind(self):
        model = self.model
        done, answer = self.door.ask("abx", ["ab"])
        self.note("abx ab", done, answer)
        if not done and "ask again" in answer:
            return
        if done != ({"a", "b"} == {model.scene, *model.others}):
            raise Complaint(f"abx ab: {answer}")
        if not done:
            return
        for _ in range(self.chance.randrange(5)):
            for word, choice in (("abx-listen", "abx"), ("abx-answer", "ab")):
                done, answer = self.door.ask(word, [self.chance.choice(choice)])
                if not done and "ask again" not in answer:
                    raise Complaint(f"{word}: {answer}")
        done, answer = self.door.ask("abx", ["off"])
        if not done:
            raise Complaint(f"abx off: {answer}")
        self.told({"abx": "off"})
        model.hear(self.door.told["scene"], self.door.told)
        self.counts["scenes"] += 1
        self.check("abx off")

    def plugin(self):
        model = self.model
        names = sorted({address.split("/")[1] for address in model.plugins()})
        act = self.chance.choice(["add", "add", "remove", "set", "set", "bypass"]) if 0 < len(names) < 6 else "remove" if names else "add"
        values, chains = dict(model.values), act in ("add", "remove")
        if act == "add":
            self.number += 1
            name, gain = f"p{self.number}", round(self.chance.uniform(-40, 6), 1)
            address, words = "plugin/add", [f"{self.chance.choice(PLACES)}={AMP},name={name},gain={gain}"]
            values[f"plugin/{name}/bypass"], values[f"plugin/{name}/set/gain"] = "off", gain
        else:
            name = self.chance.choice(names)
            address, words = f"plugin/{name}/{act}", []
            if act == "remove":
                values = {place: value for place, value in values.items() if not place.startswith(f"plugin/{name}/")}
            elif act == "set":
                address, words = f"plugin/{name}/set/gain", [round(self.chance.uniform(-60, 20), 1)]
                values[address] = words[0]
            else:
                words = [self.chance.choice(["on", "off"])]
                values[address] = words[0]
        self.apart(model.step(values, True))
        done, answer = self.door.ask(address, words)
        self.note(f"{address} {words}", done, answer)
        if not done:
            raise Complaint(f"{address} {words}: {answer}")
        model.note(values, model.modes, time.monotonic(), of_plugins=True, chains=chains)
        self.counts["plugins"] += 1
        self.check(f"{address} {words}")

    def back(self, word):
        done, answer = self.door.ask(word)
        self.note(word, done, answer)
        # A stage is not rebuilt without a server: the step waits.
        if not done and "ask again" in answer:
            return
        if self.model.turn(word, self.told) != done:
            raise Complaint(f"{word}: {answer}; the model has {len(self.model.done)} steps done and {len(self.model.undone)} undone")
        self.counts[word] += 1
        self.check(word)

    def apart(self, step):
        """Waits until the step can no longer be merged with the last one."""
        while self.model.joins(step, time.monotonic(), gesture=0.8):
            time.sleep(0.05)

    def note(self, words, done, answer=""):
        self.log = (self.log + [f"{words}{'' if done else f' REFUSED: {answer}'}"])[-12:]

    def check(self, what):
        """Waits until the reported state is the expected one."""
        end = time.monotonic() + 10
        while wrong := self.model.differences(self.door.told):
            if time.monotonic() > end:
                raise Complaint(f"after {what}: (must be, is told) {wrong}; the last: {'; '.join(self.log)}")
            self.door.hear(0.2)


def death(soak, server):
    """Kills the server and restarts it with other settings; commands are still sent meanwhile."""
    server.send_signal(soak.chance.choice([signal.SIGKILL, signal.SIGTERM]))
    server.wait(timeout=PATIENCE)
    soak.note("the server is killed", True)
    await_word(soak, "server", "gone")
    for _ in range(soak.chance.randrange(6)):
        soak.turn()
    rate, period = soak.chance.choice(SERVERS)
    server = restarts.serve(rate, period)
    await_word(soak, "server", "here")
    await_word(soak, "sample-rate", rate)
    await_word(soak, "period", period)
    # Other scenes are rebuilt after the current one, and reported when ready.
    await_word(soak, "scenes", "".join(sorted([soak.model.scene, *soak.model.others])))
    soak.counts["servers"] += 1
    soak.note(f"the server is back at {rate}/{period}", True)
    soak.check("the server's return")
    return server


def await_word(soak, address, value):
    # A room whose early part follows the head takes ten seconds to build at 96 kHz, and more on a busy machine.
    end = time.monotonic() + 4 * PATIENCE
    while soak.door.told.get(address) != value:
        if time.monotonic() > end:
            raise Complaint(f"{address} is {soak.door.told.get(address)}, never {value}")
        soak.door.hear(0.5)


def perform(program, folder):
    few_plugins(folder)
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    control, web, tracker = free_ports(3)
    os.kill(int(os.environ["JACK_SANDBOX_SERVER_PID"]), signal.SIGKILL)
    server = restarts.serve(*SERVERS[0])
    head = Head(tracker)
    head.start()
    path, burdens, visitors, soak = f"{folder}/proscenium/proscenium.sock", [], None, None
    try:
        with Stage(program, folder, control, "ears", "--http", str(web), "--head", f"opentrack:{tracker}", "--input", "talk=mono",
                   "--effect", "reverb=stereo,main=-12", "--record-motion", "motion.ndjson", "--connect-out", "system:playback_{1,2}",
                   "--start", "now") as stage:
            stage.status
            soak = Soak(path)
            visitors = Visitors(path, control, web)
            visitors.start()
            begun = time.monotonic()
            dies, looks = begun + soak.chance.uniform(*DEATHS), begun + LOOK
            while (now := time.monotonic()) < begun + SECONDS:
                if stage.process.poll() is not None:
                    raise Complaint(f"the session ended: {stage.process.stderr.read()[-600:]}")
                if now >= dies:
                    server = death(soak, server)
                    dies = time.monotonic() + soak.chance.uniform(*DEATHS)
                if now >= looks:
                    soak.rest()
                    burdens.append((soak.door.told.get("sample-rate"), *hostile.burden(stage.process.pid)))
                    looks = now + LOOK
                soak.turn()
                time.sleep(soak.chance.uniform(0, 0.1))
            seconds = time.monotonic() - begun
            visitors.going = False
            visitors.join(PATIENCE)
            stage.finish()
        told = report(soak, visitors, burdens, folder, seconds)
        print(f"ok    soak: {told}")
        return None
    except (Complaint, RuntimeError, OSError) as complaint:
        print(f"FAIL  soak (seed {SEED}): {complaint}")
        if soak:
            print(f"      {soak.counts}; rate, MB, descriptors, threads at rest {[(rate, *map(round, each)) for rate, *each in burdens]}")
        return 1
    finally:
        head.going = False
        server.kill()


def report(soak, visitors, burdens, folder, seconds):
    """Returns the results as text; raises an error on growth and on invalid recordings."""
    sounds, motions = sorted(folder.glob("ears*.wav")), sorted(folder.glob("motion*.ndjson"))
    wanted = soak.counts["servers"] + 1
    # Each rebuilt stage has a separate motion log, and no other change has one.
    changes = sum(soak.counts[kind] for kind in ("done", "undo", "redo", "scenes"))
    if len(sounds) != wanted or not wanted <= len(motions) <= wanted + changes or list(folder.glob("*.part")):
        raise Complaint(f"{len(sounds)} recordings and {len(motions)} motion logs of {wanted} servers and {changes} changes; "
                        f"{sorted(folder.glob('*.part'))}")
    for sound in sounds:
        with open(sound, "rb") as file:
            head = file.read(4)
            if head not in (b"RIFF", b"RF64") or sound.stat().st_size < 4096:
                raise Complaint(f"{sound.name} is no recording")
    for motion in motions:
        with open(motion, "rb") as file:
            json.loads(file.readline())
            file.seek(max(0, motion.stat().st_size - 4096))
            json.loads(file.read().splitlines()[-1])
    third = len(burdens) // 3
    second, last = burdens[third:2 * third], burdens[2 * third:]
    least = [[min(burden[kind] for burden in part) for kind in (1, 2, 3)] for part in (second, last)] if third > 2 else [[0] * 3] * 2
    # Subscribers come and go, so the least value counts. A stage at 96 kHz holds more than one at 44.1: growth counts
    # only if it occurs at every rate that was read in both thirds.
    rates = {burden[0] for burden in second} & {burden[0] for burden in last}
    growth = {rate: min(b[1] for b in last if b[0] == rate) - min(b[1] for b in second if b[0] == rate) for rate in rates}
    # A short run cannot show growth.
    if SECONDS >= 1200 and min(growth.values(), default=least[1][0] - least[0][0]) > 12 or least[1][1] > least[0][1] + 4 \
            or least[1][2] > least[0][2] + 3:
        raise Complaint(f"least (MB, descriptors, threads) of the second third {least[0]}, of the last {least[1]}; MB more by rate: {growth}")
    size = sum(file.stat().st_size for file in sounds + motions) / 2**20
    return (f"{seconds:.0f} s: {soak.counts['done']} parameters set and {soak.counts['refused']} refused, {soak.counts['plugins']} changes "
            f"of plugins, {soak.counts['stages']} of what a stage is built of and {soak.counts['scenes']} of scenes, {soak.counts['undo']} undo and {soak.counts['redo']} redo, {soak.counts['servers']} servers killed, "
            f"{visitors.came} subscribers; the state as the model's after each; {wanted} recordings and {len(motions)} motion logs whole ({size:.0f} MB); least of the second third "
            f"and the last: {least[0][0]:.1f} and {least[1][0]:.1f} MB, {least[0][1]} and {least[1][1]} descriptors, "
            f"{least[0][2]} and {least[1][2]} threads")


if __name__ == "__main__":
    enter(__doc__, alone(__file__), perform)

#!/usr/bin/env python3
"""Tests every value at every control interface of a session on a JACK server: OSC over UDP and TCP (both framings),
JSON over the socket, WebSocket and HTTP, with third-party clients (python-osc, websockets, oscsend). A value set at one
interface is reported at all others. The nodes that OSC Query lists are set to their limits and words and read back.
Invalid bytes at every interface and by MIDI (with PROSCENIUM_SOAK=1 for ten minutes), clients that never read and
foreign pages harm no client.

usage: doors.py PROGRAM
"""
import asyncio
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import hostile as nonsense
from surface import Device
from takes import PATIENCE, Complaint, Stage, enter, free_ports, said_inside, tally

try:
    import websockets
    from pythonosc.osc_message_builder import OscMessageBuilder
    from pythonosc.osc_packet import OscPacket
except ImportError:
    venv = pathlib.Path(__file__).resolve().parents[2] / ".build/venv"
    if (venv / "packages").exists() and pathlib.Path(sys.prefix) != venv:
        os.execv(venv / "bin/python", [str(venv / "bin/python"), *sys.argv])
    websockets = None

PORT, WEB, FEEDBACK, TRACKER = (str(port) for port in free_ports(4))
SEED = 15


class Heard:
    """Messages to a subscriber: the newest value at each address, and its time."""

    def __init__(self):
        self.values, self.times, self.lock = {}, {}, threading.Lock()
        #: Reason why the subscription ended; None while it runs.
        self.ended = None

    def by(self, listen):
        """Runs `listen` on a thread until it ends, and records the reason."""
        def run():
            try:
                listen()
                self.ended = "the session closed it"
            except Exception as error:
                self.ended = f"{type(error).__name__}: {error}"

        threading.Thread(target=run, daemon=True).start()

    def put(self, address, value):
        with self.lock:
            self.values[address] = value
            self.times[address] = time.monotonic()

    def get(self, address):
        with self.lock:
            return self.values.get(address), self.times.get(address, 0)

    def newest(self, addresses):
        """Returns the time of the newest message for any of these addresses."""
        with self.lock:
            return max(self.times.get(address, 0) for address in addresses)


def message(address, *arguments):
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build().dgram


def take(heard, packet):
    for timed in OscPacket(packet).messages:
        address = timed.message.address.removeprefix("/proscenium/")
        arguments = list(timed.message.params)
        heard.put(address, arguments)


class UDP:
    """A separate port for every message, as with oscsend, and a subscriber that is registered by its address."""

    def __init__(self):
        self.heard = Heard()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.socket.bind(("127.0.0.1", int(FEEDBACK)))
        self.heard.by(self.listen)
        subprocess.run(["oscsend", "localhost", PORT, "/proscenium/subscribe", "ss", f"127.0.0.1:{FEEDBACK}", "state"],
                       check=True)

    def listen(self):
        while True:
            take(self.heard, self.socket.recv(65536))

    def set(self, address, arguments):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as once:
            once.sendto(message("/proscenium/" + address, *arguments), ("127.0.0.1", int(PORT)))


class TCP:
    """OSC in a stream; `slip`: with END bytes around a packet, else with its length in front."""

    def __init__(self, slip):
        self.slip, self.heard = slip, Heard()
        self.socket = socket.create_connection(("127.0.0.1", int(PORT)))
        self.heard.by(self.listen)
        self.send(message("/proscenium/subscribe", "state"))

    def send(self, packet):
        if self.slip:
            packet = b"\xc0" + packet.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"
        else:
            packet = struct.pack(">I", len(packet)) + packet
        self.socket.sendall(packet)

    def listen(self):
        begun = b""
        while data := self.socket.recv(65536):
            begun += data
            while True:
                if self.slip:
                    packet, end, rest = begun.partition(b"\xc0")
                    if not end:
                        break
                    begun = rest
                    if packet:
                        take(self.heard, packet.replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb"))
                else:
                    if len(begun) < 4 or len(begun) < 4 + (count := struct.unpack(">I", begun[:4])[0]):
                        break
                    take(self.heard, begun[4:4 + count])
                    begun = begun[4 + count:]

    def set(self, address, arguments):
        self.send(message("/proscenium/" + address, *arguments))


def note(heard, text):
    told = json.loads(text)
    for address, value in told.get("state", {}).items():
        heard.put(address, value if isinstance(value, list) else [value])


class Lines:
    """JSON lines over the session's socket."""

    def __init__(self, path):
        self.heard = Heard()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.heard.by(self.listen)
        self.send({"address": "subscribe", "arguments": ["state"]})

    def send(self, request):
        self.socket.sendall((json.dumps(request) + "\n").encode())

    def listen(self):
        for line in self.socket.makefile():
            note(self.heard, line)

    def set(self, address, arguments):
        self.send({"address": address, "arguments": arguments})


class Web:
    """A WebSocket, by the package `websockets`."""

    def __init__(self):
        self.heard, self.queue, ready = Heard(), None, threading.Event()
        self.loop = asyncio.new_event_loop()

        async def speak():
            async with websockets.connect(f"ws://127.0.0.1:{WEB}/", max_size=None) as self.socket:
                await self.socket.send(json.dumps({"address": "subscribe", "arguments": ["state"]}))
                ready.set()
                async for text in self.socket:
                    note(self.heard, text)

        self.heard.by(lambda: self.loop.run_until_complete(speak()))
        if not ready.wait(PATIENCE):
            raise Complaint("no WebSocket could be opened")

    def set(self, address, arguments):
        request = json.dumps({"address": address, "arguments": arguments})
        asyncio.run_coroutine_threadsafe(self.socket.send(request), self.loop).result(PATIENCE)


def fetch(path, body=None, **headers):
    """Sends an HTTP request; returns the status and the JSON."""
    request = urllib.request.Request(f"http://127.0.0.1:{WEB}{path}", body and json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def leaves(node):
    """Returns the settable nodes of OSC Query's tree, by their address."""
    if node["ACCESS"] == 3 and "VALUE" in node:
        yield node["FULL_PATH"].removeprefix("/proscenium/"), node
    for below in node.get("CONTENTS", {}).values():
        yield from leaves(below)


def trials(node):
    """Returns values for a node, in the form in which they are sent."""
    if node["TYPE"] == "T":
        return [["on"], ["off"]]
    limits = node.get("RANGE")
    if limits and "VALS" in limits[0]:
        return [[word] for word in limits[0]["VALS"] if word != "toggle"]
    if not limits:
        return []
    # Beyond a quarter turn the same place has other angles: the value read back would differ from the one set.
    ends = [(limit["MIN"], limit["MAX"]) if limit["MAX"] != 360 else (-80, 70) for limit in limits]
    return [[float(low + share * (high - low)) for low, high in ends] for share in (0, 1, 0.5)]


def same(told, meant):
    def plain(value):
        return {"on": 1.0, "off": 0.0, True: 1.0, False: 0.0}.get(value, value) if not isinstance(value, float) else value

    if told is None or len(told) != len(meant):
        return False
    told, meant = [plain(value) for value in told], [plain(value) for value in meant]
    return all(abs(a - b) < 1e-3 if isinstance(a, (int, float)) and isinstance(b, (int, float)) else a == b
               for a, b in zip(told, meant))


#: Values that rebuild the stage: they are reported when the new stage plays, a second or two after the command.
BUILT = {"layout", "hrtf", "room-name", "angles", "ambisonics", "processing", "diffuse-field", "bass", "phase",
         "head-circumference", "distance", "voice-distance", "slice", "gain", "lfe-gain", "limiter", "room-early",
         "room-tail", "room-level", "scene", "abx", "print-bus"}


def told(doors, address, value, by):
    """Waits until all interfaces report a value."""
    for name, door in doors:
        end = time.monotonic() + PATIENCE
        while not same(door.heard.get(address)[0], value):
            if time.monotonic() > end:
                ended = [f"{each} is heard no more: {other.heard.ended}" for each, other in doors if other.heard.ended]
                raise Complaint("; ".join([f"{address} {value} set by {by}: {name} tells {door.heard.get(address)[0]}", *ended]))
            time.sleep(0.0005)


def every_value(doors):
    """Sets every value to each of its limits, by each interface in turn: all interfaces report it; returns the delays.
    A value that this session refuses (a fold-down to more channels than it has) is refused with a reason and without
    effect."""
    nodes = dict(leaves(fetch("/")[1]))
    delays, count, refusals = [], 0, 0
    for turn, (address, node) in enumerate(sorted(nodes.items())):
        for number, value in enumerate(trials(node)):
            name, door = doors[(turn + number) % len(doors)]
            before = doors[0][1].heard.get(address)[0]
            status, answer = fetch("/command", {"address": address, "arguments": value})
            if status == 400:
                refusals += 1
                if not answer["refused"] or not same(doors[0][1].heard.get(address)[0], before):
                    raise Complaint(f"{address} {value} is refused without a reason, or in force: {answer}")
                continue
            told(doors, address, value, "HTTP")
            if before is None or same(value, before):
                continue
            back = ["on" if part is True else "off" if part is False else part for part in before]
            fetch("/command", {"address": address, "arguments": back})
            told(doors, address, before, "HTTP")
            sent = time.monotonic()
            door.set(address, value)
            told(doors, address, value, name)
            heard = [other.heard.get(address)[1] for _, other in doors if other is not door]
            # For values that take long, the delay counts from the first interface that reports them.
            begun = min(heard) if address.strip("/").split("/")[-1] in BUILT else sent
            delays += [max(0.0, moment - begun) for moment in heard]
            count += 1
    delays.sort()
    return (f"{len(nodes)} addresses, {count} values set, each told at {len(doors)} doors, {refusals} refused; after p50 "
            f"{1e3 * delays[len(delays) // 2]:.1f}, p99 {1e3 * delays[int(0.99 * len(delays))]:.1f} ms")


def http():
    status, state = fetch("/state")
    if status != 200 or state["state"]["layout"] != "5.1":
        raise Complaint(f"GET /state: {status} {state}")
    if fetch("/command", {"address": "input/main/level", "arguments": -7})[1] != {"reply": "done"}:
        raise Complaint("POST /command was not done")
    status, value = fetch("/proscenium/input/main/level?VALUE")
    if value != {"VALUE": [-7]}:
        raise Complaint(f"OSC Query: {value}")
    status, refused = fetch("/command", {"address": "mode", "arguments": "sideways"})
    if status != 400 or "off, fixed or tracked" not in refused["refused"]:
        raise Complaint(f"a wrong value: {status} {refused}")
    status, answer = fetch("/command", {"address": "status"})
    if status != 200 or "control" not in answer["reply"]:
        raise Complaint(f"the status: {status}")
    if fetch("/?HOST_INFO")[1]["OSC_PORT"] != int(PORT):
        raise Complaint("HOST_INFO does not tell the OSC port")
    for headers in [{"Origin": "http://evil.example"}, {"Host": "evil.example"}, {"Host": "127.evil.example"}]:
        if fetch("/state", **headers)[0] != 403:
            raise Complaint(f"{headers} came in")
    for query in nonsense.QUERIES:
        if fetch(query)[0] not in (200, 204):
            raise Complaint(f"GET {query}: {fetch(query)}")
    tree = fetch("/")[1]["CONTENTS"]["proscenium"]["CONTENTS"]
    if missing := {"start", "status", "quit", "interrupt", "surface", "plugin", "solo-clear", "level", "loudspeaker-mute"} - set(tree):
        raise Complaint(f"OSC Query has no {missing}")
    if fetch("/nothing")[0] != 404:
        raise Complaint("there is something at /nothing")
    return "state, commands, OSC Query; other pages and other names turned away"


def asleep(stage):
    """A client requests the whole tree again and again and never reads: the session does not buffer the answers, and
    serves others."""
    before = nonsense.burden(stage.process.pid)[0]
    with socket.create_connection(("127.0.0.1", int(WEB))) as sleeper:
        sleeper.settimeout(1)
        asked = 0
        try:
            while asked < 50_000:
                sleeper.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100)
                asked += 100
        except TimeoutError:
            pass
        status, _ = fetch("/state")
        if status != 200:
            raise Complaint(f"beside one who does not read: {status}")
        # All the answers would take gigabytes.
        grown = nonsense.burden(stage.process.pid)[0] - before
        if grown > 64:
            raise Complaint(f"{grown:.0f} MB more for one who does not read")
        return f"{asked} questions asked by one who never reads, and all others answered, {grown:+.1f} MB"


def own_address():
    """Returns an address of this machine other than the loopback, treated as a remote one; None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        found = probe.getsockname()[0]
        return None if found.startswith("127.") else found


def guarded(stage):
    """Tests a session that listens to a network: over HTTP this machine also needs the token, over OSC only other
    machines do; a client that sends nothing is disconnected."""
    port, web = free_ports(2)
    command = [stage.program, "run", "--quiet", "--layout", "stereo", "--hrtf", "generated", "--fresh", "--name", "guarded", "--start",
               "ctl", "--control", f"0.0.0.0:{port}", "--http", f"0.0.0.0:{web}", "--token", "open sesame"]
    other = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def look(host, path="/state", **headers):
        try:
            with urllib.request.urlopen(urllib.request.Request(f"http://{host}:{web}{path}", None, headers), timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return None

    def say(stream, *packet):
        data = message(*packet)
        stream.sendall(struct.pack(">I", len(data)) + data)
        length = struct.unpack(">I", stream.recv(4, socket.MSG_WAITALL))[0]
        return OscPacket(stream.recv(length, socket.MSG_WAITALL)).messages[0].message.address

    async def upgrade(host, path):
        try:
            async with websockets.connect(f"ws://{host}:{web}{path}"):
                return True
        except (OSError, websockets.exceptions.WebSocketException):
            return False

    try:
        until("the guarded session's door", lambda: look("127.0.0.1") is not None)
        address = own_address()
        for host in ["127.0.0.1"] + ([address] if address else []):
            found = [look(host), look(host, Authorization="Bearer open sesame"), look(host, "/state?token=open%20sesame"),
                     look(host, Authorization="Bearer sesame")]
            if found != [401, 200, 200, 401]:
                raise Complaint(f"HTTP at {host} without the token, with it in two ways, with a wrong one: {found}")
            if asyncio.run(upgrade(host, "/")) or not asyncio.run(upgrade(host, "/?token=open%20sesame")):
                raise Complaint(f"a WebSocket at {host} opens without the token, or not with it")
        with socket.create_connection(("127.0.0.1", int(port)), timeout=PATIENCE) as stream:
            if say(stream, "/proscenium/subscribe", "events") != "/proscenium/reply":
                raise Complaint("this machine is asked for the token by OSC")
        if not address:
            return "a token by HTTP and WebSocket; this machine has no other address to be a stranger from"
        with socket.create_connection((address, int(port)), timeout=PATIENCE) as stream, \
                socket.create_connection((address, int(port)), timeout=PATIENCE) as silent:
            found = [say(stream, "/proscenium/subscribe", "events"), say(stream, "/proscenium/token", "sesame"),
                     say(stream, "/proscenium/token", "open sesame"), say(stream, "/proscenium/subscribe", "events")]
            if [each.split("/")[-1] for each in found] != ["refused", "refused", "reply", "reply"]:
                raise Complaint(f"TCP from {address}: {found}")
            if silent.recv(1) != b"":
                raise Complaint("who said nothing was told something")
        return f"a token by HTTP, WebSocket and TCP from 127.0.0.1 and {address}; who says nothing is not kept"
    finally:
        other.terminate()
        other.wait(timeout=PATIENCE)


def undone(stage, listener):
    ask(stage, "level", "-12")
    ask(stage, "level", "-3", "--input", "main")
    time.sleep(0.6)
    ask(stage, "mode", "fixed")
    ask(stage, "undo")
    until("mode to be undone", lambda: same(listener.heard.get("input/main/mode")[0], ["tracked"]))
    ask(stage, "redo")
    until("mode to be done again", lambda: same(listener.heard.get("input/main/mode")[0], ["fixed"]))
    ask(stage, "undo")
    return "a value taken back and done again, told at once"


def ask(stage, *words):
    answer = subprocess.run([stage.program, "ctl", words[0], "--to", "proscenium", *words[1:]], capture_output=True, text=True)
    if answer.returncode != 0:
        raise Complaint(f"ctl {' '.join(words)}: {answer.stderr.strip()[-300:]}")
    return answer.stdout


def until(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise Complaint(f"{what}: not within {PATIENCE} s")
        time.sleep(0.01)


def namesakes(stage, folder):
    """Starts sessions of one name at once, beside the one that plays: each has a socket that answers, and removes only
    its own socket."""
    before = {file.name for file in folder.glob("*.sock")}
    command = [stage.program, "run", "--quiet", "--layout", "stereo", "--hrtf", "generated", "--fresh", "--control", "none", "--start", "ctl"]
    others = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(3)]

    def answering():
        found = sorted({file.name for file in folder.glob("*.sock")} - before)
        return [name for name in found if subprocess.run([stage.program, "ctl", "status", "--to", name[:-5]], capture_output=True,
                                                         check=False).returncode == 0]

    try:
        until("a socket for each", lambda: len(answering()) == len(others))
        first = sorted({file.name for file in folder.glob("*.sock")} - before)[0]

        def has_ended():
            # On a busy machine the answer may come after the timeout; the retried request may then find no session.
            subprocess.run([stage.program, "ctl", "quit", "--to", first[:-5]], capture_output=True, check=False)
            return any(other.poll() is not None for other in others)

        until("one session to end", has_ended)
        until("the others to answer", lambda: len(answering()) == len(others) - 1)
        if first in answering():
            raise Complaint(f"'{first}' has ended and answers")
    finally:
        for other in others:
            other.terminate()
            other.wait(timeout=PATIENCE)
    until("the sockets to go", lambda: {file.name for file in folder.glob("*.sock")} == before)
    return f"{len(others)} begun at once, each with a socket of its own; one that ends takes its own away"


def hostile(stage, doors, path, device):
    """Sends invalid data to every interface at once, MIDI included, with subscribers that never read: it is counted and
    refused, no resource grows, and every interface works afterwards."""
    asleep = []
    for _ in range(20):
        sleeper = socket.socket(socket.AF_UNIX)
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleeper.connect(path)
        sleeper.sendall(b'{"address":"subscribe"}\n')
        asleep.append(sleeper)
    seconds = 600 if os.environ.get("PROSCENIUM_SOAK") == "1" else 4
    nonsense.throw(SEED, 2, int(PORT), path, int(WEB), device)
    before = nonsense.burden(stage.process.pid)
    sent = nonsense.throw(SEED + 1, seconds, int(PORT), path, int(WEB), device)
    for sleeper in asleep:
        sleeper.close()
    if stage.process.poll() is not None:
        raise Complaint(f"the session ended: {stage.process.stderr.read()[-600:]}")
    status = json.loads(ask(stage, "status", "--json"))
    after = nonsense.burden(stage.process.pid)
    if status["control"]["malformed"] == 0:
        raise Complaint("nothing was malformed")
    # The clients that never read are disconnected by now.
    if after[0] - before[0] > 64 or after[1] > before[1] - len(asleep) + 4 or after[2] > before[2] + 4:
        raise Complaint(f"(MB, descriptors, threads) {before} before {sent} lots of nonsense, {after} after")
    # All interfaces must still work. Pending requests may still change the values set here, also after a rebuild of
    # some seconds: an `undo` reverts any value. The requests are done once an answer comes at once and no value has
    # changed for three seconds.
    values = [address for address, _ in leaves(fetch("/")[1])]
    end = time.monotonic() + 4 * PATIENCE
    while True:
        asked = time.monotonic()
        ask(stage, "solo-clear", "all")
        now = time.monotonic()
        if now - asked < 2 and max(door.heard.newest(values) for _, door in doors) < now - 3:
            break
        if now > end:
            raise Complaint("the nonsense does not end")
        time.sleep(0.5)
    repeated = []
    for number, (name, door) in enumerate(doors):
        value = [-1.0 - number]
        door.set("monitor-level", value)
        try:
            told(doors, "monitor-level", value, name)
        except Complaint as complaint:
            # A request that is still pending may revert this value too. A second time it may not.
            now = {each: other.heard.get("monitor-level")[0] for each, other in doors}
            repeated.append(f"{complaint}; then {now}")
            door.set("monitor-level", value)
            try:
                told(doors, "monitor-level", value, name)
            except Complaint as second:
                raise Complaint("; ".join([*repeated, f"again: {second}", ask(stage, "status", "--json")[:2000]])) from None
    counts = ", ".join(f"{count} {name}" for name, count in sent.items())
    return (f"{seconds} s of nonsense at each door and 20 who never read: {counts}; {status['control']['malformed']} malformed, "
            f"{after[0] - before[0]:+.1f} MB, {after[1] - before[1] + len(asleep):+d} descriptors, {after[2] - before[2]:+d} threads"
            + "".join(f"; repeated: {one}" for one in repeated))


PARTS = {"values": lambda stage, doors, path: every_value(doors), "web": lambda stage, doors, path: http(),
         "namesakes": lambda stage, doors, path: namesakes(stage, pathlib.Path(path).parent),
         "asleep": lambda stage, doors, path: asleep(stage),
         "token": lambda stage, doors, path: guarded(stage),
         "undo": lambda stage, doors, path: undone(stage, doors[0][1]),
         "hostile": lambda stage, doors, path: hostile(stage, doors, path, DEVICE[0])}
#: The device connected to the session's MIDI ports.
DEVICE = []


def perform(program, folder):
    """Runs all parts on one session inside a sandbox. Returns an error, or None."""
    path = f"{os.environ['XDG_RUNTIME_DIR']}/proscenium/proscenium.sock"
    said = {}
    try:
        with Stage(program, folder, PORT, "take", "--http", WEB, "--head", f"osc:{TRACKER}", "--surface", "mackie",
                   "--reference-input", "on", "--talkback-input", "on") as stage:
            stage.status
            DEVICE.append(Device())
            DEVICE[0].connect("device:gives", "proscenium:events_in")
            DEVICE[0].connect("proscenium:events_out", "device:takes")
            if os.stat(path).st_mode & 0o777 != 0o600:
                raise Complaint("others may speak to the socket")
            doors = [("UDP", UDP()), ("TCP", TCP(False)), ("TCP in SLIP", TCP(True)), ("socket", Lines(path)), ("WebSocket", Web())]
            for name, door in doors:
                until(f"{name} to be told all", lambda: same(door.heard.get("layout")[0], ["5.1"]))
            for name, part in PARTS.items():
                try:
                    said[name] = [True, part(stage, doors, path)]
                except Complaint as complaint:
                    said[name] = [False, str(complaint)]
    except (Complaint, RuntimeError, OSError) as complaint:
        return str(complaint)
    (folder / "said").write_text(json.dumps(said))
    return None


def main(program):
    if websockets is None:
        return tally("doors", [("all", None, "python-osc or websockets is not there (Scripts/python-env)")])
    return tally("doors", said_inside(__file__, program))


if __name__ == "__main__":
    enter(__doc__, main, perform)

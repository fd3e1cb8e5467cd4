"""Checks of conformance.py on the ports of the JACK client, and on its errors without a usable server."""
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from free_ports import free_ports
from planted import AHEAD, DPL
from servers import AUDIO, IS_INPUT, IS_OUTPUT, Neighbour, Stranger, few_plugins, latencies, listing, until
from takes import PATIENCE, Complaint, Stage

INTEGER = "http://www.w3.org/2001/XMLSchema#integer"
#: Name, pretty name, group: of a 5.1 stage with an input `talk`, in the order for patchbays.
PORTS = [("in_FL", "Front Left", "5.1"), ("in_FR", "Front Right", "5.1"), ("in_FC", "Front Centre", "5.1"),
         ("in_LFE", "Low Frequency Effects", "5.1"), ("in_SL", "Side Left", "5.1"), ("in_SR", "Side Right", "5.1"),
         ("in_talk_FL", "talk Front Left", "talk"), ("in_talk_FR", "talk Front Right", "talk"),
         ("out_L", "Left Ear", "Headphones"), ("out_R", "Right Ear", "Headphones")]


def expect(found, wanted, what):
    if found != wanted:
        raise Complaint(f"{what}: {found}, not {wanted}")


def refused(program, folder, *options):
    """Returns the message of a refused `run`, and its exit status."""
    run = subprocess.run([program, "run", "--quiet", *options], cwd=folder, capture_output=True, text=True, timeout=PATIENCE,
                         stdin=subprocess.DEVNULL, check=False)
    lines = [line for line in run.stderr.splitlines() if not line.endswith("...")]
    return run.returncode, "\n".join(lines)


def ports(program, folder, port, server):
    """Checks names, order, flags, types and metadata of all ports; no connections, and no ports left after the end."""
    with Stage(program, folder, port, "ears", "--input", "talk=stereo") as stage:
        stage.status
        stranger = Stranger()
        names = [f"proscenium:{name}" for name, _, _ in PORTS]
        expect(set(stranger.names("^proscenium:")), set(names), "the ports")
        for place, (name, (symbol, pretty, group)) in enumerate(zip(names, PORTS)):
            expect(stranger.flags(name), IS_INPUT if symbol.startswith("in_") else IS_OUTPUT, f"flags of {name}")
            expect(stranger.kind(name), AUDIO, f"type of {name}")
            for key, wanted in (("pretty-name", (pretty, "text/plain")), ("order", (str(place), INTEGER)),
                                ("port-group", (group, "text/plain")), ("signal-type", ("AUDIO", "text/plain"))):
                expect(stranger.property(name, key), wanted, f"{key} of {name}")
        if server.name == "jackd":
            expect(stranger.names("^proscenium:"), names, "the ports' own order")
        links = [line for line in listing("-c", "proscenium").splitlines() if line.startswith("   ")]
        expect([line for line in links if line.strip()], [], "connections that were not asked for")
        stage.finish()
    until("the ports go with the session", lambda: not stranger.names("^proscenium:"))
    left = subprocess.run(["jack_property", "-l"], capture_output=True, text=True, check=False).stdout
    if "jackaudio.org" in left or "x-proscenium" in left:
        raise Complaint(f"metadata stays behind: {left[:300]}")
    return f"{len(PORTS)} ports, four properties each, in their order; no connection, and nothing stays"


class Matrix:
    """The stage's latencies as `jack_lsp -l` prints them, between neighbours that report their own."""

    def __init__(self, server):
        self.server = server
        self.before = [Neighbour("before1", IS_OUTPUT, 100), Neighbour("before2", IS_OUTPUT, 100)]
        self.behind = Neighbour("behind", IS_INPUT, 30)

    def comes_to(self, own, least=100, most=100):
        """Waits until the ports have the latencies of a stage with a latency of `own` frames."""
        wanted = {"in_FL": {"capture": (100, 100), "playback": (30 + own, 30 + own)},
                  "in_FR": {"capture": (most, most), "playback": (30 + own, 30 + own)},
                  "out_L": {"capture": (least + own, most + own), "playback": (30, 30)},
                  "out_R": {"capture": (least + own, most + own), "playback": (30, 30)}}
        end = time.monotonic() + PATIENCE / 4
        while (found := {name.split(":")[1]: both for name, both in latencies("proscenium:").items()}) != wanted:
            if time.monotonic() > end:
                raise Complaint(f"with {own} frames of its own: " + "; ".join(
                    f"{name} {found.get(name)}, not {both}" for name, both in wanted.items() if found.get(name) != both))
            time.sleep(0.05)


def latency(program, folder, port, server):
    """Checks both modes at all ports: 0 frames, N more with a plugin, a change of a neighbour's latency, and back."""
    few_plugins(folder)
    with Stage(program, folder, port, "ears", "--limiter", "off", layout="stereo") as stage:
        stage.status
        matrix = Matrix(server)
        for source, target in (("before1:port", "proscenium:in_FL"), ("before2:port", "proscenium:in_FR"),
                               ("proscenium:out_L", "behind:port"), ("proscenium:out_R", "behind:port")):
            matrix.behind.connect(source, target)
        steps = [(0, None), (240, ["add", f"main={AHEAD},name=ahead"]), (304, ["add", f"ears={DPL},name=dpl"]),
                 (304, ["bypass", "ahead", "on"]), (64, ["remove", "ahead"]), (0, ["remove", "dpl"])]
        for own, words in steps:
            if words:
                answer = subprocess.run([program, "ctl", "plugin", *words, "--port", port], capture_output=True, text=True, check=False)
                if answer.returncode != 0:
                    raise Complaint(f"ctl plugin {' '.join(words)}: {answer.stderr.strip()[-200:]}")
            matrix.comes_to(own)
        # One neighbour has a greater latency than the other: the range spans both.
        matrix.before[1].reports(356)
        matrix.comes_to(0, 100, 356)
        stage.finish()
    return f"{len(steps) + 1} times both modes at four ports as jack_lsp says them"


def clash(program, folder, port, server):
    """Checks that a second session of the same name gets separate ports, reports its name, and connects those ports."""
    second = str(free_ports(1)[0])
    with Stage(program, folder, port, "first", layout="stereo") as first:
        first.status
        with Stage(program, folder, second, "second", "--connect-out", server.ears, layout="mono") as other:
            expect(other.status["client"], "proscenium-01", "the second client's name")
            expect(set(Stranger().names("^proscenium(-01)?:")),
                   {"proscenium:in_FL", "proscenium:in_FR", "proscenium:out_L", "proscenium:out_R", "proscenium-01:in_M",
                    "proscenium-01:out_L", "proscenium-01:out_R"}, "the ports of both")
            until("the second's ears are connected", lambda: other.status["playback"]["left"] == [server.phones[0]])
            expect(first.status["playback"]["left"], [], "the first's left ear")
            other.finish()
            said = other.process.stderr.read()
            if "the name 'proscenium' was taken" not in said:
                raise Complaint(f"the second does not say how it is called: {said[-300:]}")
        first.finish()
    code, words = refused(program, folder, "--name", "x" * 64, "--control", port)
    if code != 2 or "1 to 63 bytes" not in words:
        raise Complaint(f"a name of 64 bytes: exit status {code}: {words}")
    return "the second is proscenium-01, says so, and connects its own ports"


def none(program, folder, port, server):
    """Checks that `run` without a server ends at once, with a remedy in its message, and starts no server."""
    server.end(9)
    code, words = refused(program, folder, "--control", port)
    if code != 3 or "no JACK server is running" not in words or words.count("\n") > 0:
        raise Complaint(f"exit status {code}: {words}")
    if listing():
        raise Complaint("a server was started")
    return "exit status 3, one line, no server started"


class Words:
    """Output of a process so far."""

    def __init__(self, stream):
        self.descriptor, self.bytes = stream.fileno(), b""
        os.set_blocking(self.descriptor, False)

    def so_far(self):
        try:
            while data := os.read(self.descriptor, 1 << 16):
                self.bytes += data
        except BlockingIOError:
            pass
        return self.bytes.decode(errors="replace")


def exhaustion(program, folder, port, server):
    """Requests more ports than the server has: a plain error, nothing left, and the server continues to run; then a
    smaller stage plays."""
    if server.name == "PipeWire":
        # The server has more ports than a stage: 64 channels and the ears.
        many = [word for number in range(3) for word in ("--input", f"more{number}=9.1.6")]
        with Stage(program, folder, port, "ears", *many, layout="9.1.6") as stage:
            stage.status
            expect(len(Stranger().names("^proscenium:in_")), 64, "inputs of the largest stage")
            stage.finish()
        return "no limit within a stage's own, of 64 channels"
    code, words = refused(program, folder, "--layout", "9.1.6", "--control", port)
    found = re.search(r"no ports left: (\d+) of 18 could be registered", words)
    if code != 3 or not found or "jackd -p" not in words:
        raise Complaint(f"exit status {code}: {words}")
    if "proscenium" in listing():
        raise Complaint(f"ports stay behind: {listing('proscenium')}")
    with Stage(program, folder, port, "ears", layout="stereo") as stage:
        stage.status
        server.end(9)
        server.start(48000, 256, ports=8)
        told = "the JACK server has no ports left: 3 of 4 could be registered"
        said = Words(stage.process.stderr)
        until("a server without ports is no server to play on", lambda: told in said.so_far())
        if stage.status.get("serverGoneFor") is None or len(listing().split()) > 4:
            raise Complaint("the stage says that it plays where it has no ports, or keeps some")
        server.end(9)
        server.start(48000, 256)
        until("the stage plays on a server with ports", lambda: stage.status.get("serverGoneFor") is None)
        stage.finish()
    if said.so_far().count("no ports left") != 1:
        raise Complaint(f"of the server without ports it says: {said.so_far()[-900:]}")
    return f"{found[1]} of 18 ports, exit status 3; a stage whose server comes back with too few says so once, and waits"

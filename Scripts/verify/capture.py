#!/usr/bin/env python3
"""Tests `proscenium capture` beside a private JACK server: kills at random moments, a full disk, a source that is
unplugged, returns and is exchanged, a kill of the JACK server, and reports of faulty input. The captured sound is a
ramp whose samples contain the number of their frame in the source.

usage: capture.py PROGRAM        (PROSCENIUM_SOAK=1: a hundred kills)
"""
import json
import math
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from array import array

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from portplay import Patchbay
from recording import markers as marked_frames
from servers import Jackd
from takes import AGAIN, PATIENCE, RATE, Complaint, Disturbed, alone, enter, is_beside, stop

SOAK = os.environ.get("PROSCENIUM_SOAK") == "1"
#: Number of kills on a server: each killed client leaves a lock in jackd's metadata, and too many block the server.
KILLS = 25 if SOAK else 6
TURN = int(os.environ.get("PROSCENIUM_TURN", 0))
SEED = 31
#: Greatest loss of sound by a kill, seconds.
LOSS = 1.0
#: Seconds between the start of a player and its first frame.
LEAD = 3
#: Divisor of a frame's number that gives its sample in the ramp.
SCALE = 2.0 ** 23
#: Length of the ramp, frames.
LENGTH = 60 * RATE
PLAIN = ["--array", "ambix", "--high-pass", "off"]


def write_float(path, channels):
    """Writes a WAVE file of 32-bit floats from rows of samples."""
    frames, count = len(channels[0]), len(channels)
    samples = array("f", bytes(4 * frames * count))
    for place, row in enumerate(channels):
        samples[place::count] = row
    data = samples.tobytes()
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 3, count, RATE, RATE * 4 * count,
                       4 * count, 32, b"data", len(data))
    path.write_bytes(head + data)


def read_float(path):
    """Returns the channels of a WAVE file of 32-bit floats, to the length stated in its header."""
    data, at, count = path.read_bytes(), 12, 0
    while at + 8 <= len(data):
        name, size = data[at:at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if name == b"fmt ":
            count = struct.unpack_from("<H", data, at + 10)[0]
        if name == b"data":
            if at + 8 + size > len(data):
                raise Complaint(f"{path.name} promises {size} bytes and has {len(data) - at - 8}")
            samples = array("f", data[at + 8:at + 8 + size // 4 * 4])
            return [samples[channel::count] for channel in range(count)]
        at += 8 + size + size % 2
    raise Complaint(f"{path.name} has no sound")


def pcm_frames(path):
    """Returns the number of frames stated in the header of a WAVE file."""
    data, at, size = path.read_bytes(), 12, 0
    while at + 8 <= len(data):
        name, length = data[at:at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if name == b"fmt ":
            size = struct.unpack_from("<H", data, at + 20)[0]
        if name == b"data":
            if at + 8 + length > len(data):
                raise Complaint(f"{path.name} promises {length} bytes and has {len(data) - at - 8}")
            return length / size
        at += 8 + length + length % 2
    raise Complaint(f"{path.name} has no sound")


def markers(path):
    """Returns the names of a file's markers."""
    data, found, at = path.read_bytes(), [], 0
    while (at := data.find(b"labl", at)) >= 0:
        length = struct.unpack_from("<I", data, at + 4)[0]
        found.append(data[at + 12:at + 8 + length].split(b"\0")[0].decode())
        at += 8
    return found


class Capture:
    """`proscenium capture` in a folder, with requests and messages as lines; killed at the end of its `with` block if
    it still runs."""

    def __init__(self, program, folder, *words):
        self.folder, self.lines = folder, []
        self.process = subprocess.Popen([program, "capture", *words], cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, text=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def said(self, words, patience=PATIENCE):
        """Waits for a message that contains `words`; returns it."""
        end = time.monotonic() + patience
        while True:
            for line in list(self.lines):
                if words in line:
                    return line
            if time.monotonic() > end or (self.process.poll() is not None and not self.reader.is_alive()):
                raise Complaint(f"it does not say '{words}' but {self.lines}")
            time.sleep(0.01)

    def grows(self, name, beyond=200_000):
        """Waits until the `.part` of a file has `beyond` bytes."""
        part, end = self.folder / (name + ".part"), time.monotonic() + PATIENCE
        while not part.exists() or part.stat().st_size < beyond:
            if time.monotonic() > end or self.process.poll() is not None:
                raise Complaint(f"{name} does not grow: {self.lines}")
            time.sleep(0.005)

    def end(self, number=signal.SIGINT):
        """Ends the capture by a signal; returns its exit status."""
        self.process.send_signal(number)
        try:
            status = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise Complaint(f"it does not end: {self.lines}")
        self.reader.join(timeout=5)
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)


class Sources:
    """Players of files, connected to a capture that only waits; other captures can then use their ports."""

    def __init__(self, program, folder):
        self.program, self.folder, self.players = program, folder, {}
        self.holder = Capture(program, folder, "held.wav", *PLAIN, "--name", "holder", "--wait")
        self.patchbay = Patchbay()
        self.wait_for("holder:in_ACN3")

    def ports(self):
        try:
            return subprocess.run(["jack_lsp"], capture_output=True, text=True, timeout=PATIENCE).stdout.split("\n")
        except subprocess.TimeoutExpired:
            raise Complaint("the JACK server does not answer") from None

    def wait_for(self, port):
        end = time.monotonic() + PATIENCE
        while port not in self.ports():
            if time.monotonic() > end:
                raise Complaint(f"there is no port {port}: {self.holder.lines}")
            time.sleep(0.02)

    def play(self, path, name="player"):
        """Plays a file in a loop; returns the server's frame at which it began."""
        frame = (self.patchbay.frame + LEAD * RATE) % 2 ** 32
        self.players[name] = subprocess.Popen(
            [self.program, "demo", "play", path, "--into", "holder", "--loop", "--at", str(frame)], cwd=self.folder,
            stdin=subprocess.DEVNULL)
        self.wait_for(f"{name}:out_4")
        while not 0 < (self.patchbay.frame - frame) % 2 ** 32 < 2 ** 31:
            time.sleep(0.02)
        return frame

    def unplug(self, name="player"):
        stop(self.players.pop(name))

    def close(self):
        for player in self.players.values():
            stop(player)
        stop(self.holder.process)


def emptied(folder):
    for path in folder.glob("take*"):
        path.unlink()


def furnish(folder):
    """Writes the ramp."""
    write_float(folder / "ramp.wav", [array("f", (i / SCALE for i in range(LENGTH))), *(array("f", bytes(4 * LENGTH)) for _ in "YZX")])


def kills(program, folder, sources):
    """Kills captures at random moments (SIGKILL): the remaining files open and lack at most LOSS."""
    chance, worst = random.Random(SEED + TURN), 0
    began = None
    for number in range(KILLS):
        emptied(folder)
        # All measurements are far from the end of the loop.
        if began is None or (sources.patchbay.frame - began) % 2 ** 32 > LENGTH / 2:
            if began is not None:
                sources.unplug()
            began = sources.play("ramp.wav")
        with Capture(program, folder, "take.wav", *PLAIN, "--source", "player:out_{1,2,3,4}") as capture:
            capture.grows("take.wav")
            time.sleep(chance.uniform(0, 3))
            heard = (sources.patchbay.frame - began) % 2 ** 32
            capture.process.send_signal(signal.SIGKILL)
            capture.process.wait()
        left = sorted(p.name for p in folder.glob("take*"))
        expected = {"take.wav.part", "take-stereo.wav.part", "take-safety.wav.part"}
        if set(left) != expected:
            raise Complaint(f"kill {number}: there is {left}")
        ramp = read_float(folder / "take.wav.part")[0]
        last = round(ramp[-1] * SCALE)
        lost = (heard - last) / RATE
        if not -0.2 < lost <= LOSS:
            raise Complaint(f"kill {number}: heard {heard / RATE:.2f} s, the file ends with {last / RATE:.2f} s")
        steps = [round(b * SCALE) - round(a * SCALE) for a, b in zip(ramp, ramp[1:]) if a > 0 and b > 0]
        if steps.count(1) < 0.99 * len(steps):
            raise Complaint(f"kill {number}: the take is not the source: {len(steps) - steps.count(1)} steps")
        worst = max(worst, lost)
        done = subprocess.run([program, "recover", "--json", *left], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0 or len(read_float(folder / "take-recovered.wav")[0]) != len(ramp):
            raise Complaint(f"kill {number}: recover: {done.stderr[-300:]}")
    sources.unplug()
    emptied(folder)
    return f"{KILLS} kills at random moments: every file opens and is recovered, at most {worst:.2f} s are lost"


def unplugged(program, folder, sources):
    """Unplugs and restores the source, then changes to another: the take continues, and gaps keep their lengths."""
    emptied(folder)
    sources.play("ramp.wav")
    with Capture(program, folder, "take.wav", *PLAIN, "--source", "player:out_{1,2,3,4}") as capture:
        capture.grows("take.wav")
        time.sleep(0.5)
        sources.unplug()
        capture.said("are gone")
        time.sleep(1)
        sources.play("ramp.wav")
        capture.said("are back")
        time.sleep(1.5)
        tone = array("f", [0.25] * (10 * RATE))
        write_float(folder / "other.wav", [tone] * 4)
        sources.play("other.wav", "player-01")
        capture.ask("source player-01:out_{1,2,3,4}")
        capture.said("the sources of the inputs are player-01:out_1")
        time.sleep(2)
        capture.ask("marker the end")
        capture.said("marker 'the end'")
        status = capture.end()
    sources.unplug("player-01")
    sources.unplug()
    if status != 130 or (folder / "take.wav.part").exists():
        raise Complaint(f"status {status}, {capture.lines}")
    field = read_float(folder / "take.wav")
    # When a client is killed the server may skip a period, which is marked too.
    marked = [name for name in markers(folder / "take.wav") if not name.endswith("frames lost")]
    if marked != ["source gone", "source back", "the end"]:
        raise Complaint(f"markers {marked}")
    w = field[0]
    silent = sum(1 for value in w if value == 0) / RATE
    if silent < 1 or max(w) < 0.24:
        raise Complaint(f"{silent:.2f} s are silent, the loudest is {max(w)}")
    # The other source fades in over at least 20 ms, so no sample steps. Periods that the server skipped are silent in
    # the take and marked with their length: they are excluded, and there must be no other silence.
    last = len(w) - int(2.5 * RATE)
    late = w[last:]
    start = next((i for i, value in enumerate(late) if value > 0.2), None)
    steps = [abs(b - a) for a, b in zip(late, late[1:]) if a != 0 and b != 0]
    if start is None or max(steps) > 0.01:
        raise Complaint(f"the other source came in with a step of {max(steps):.3f}")
    lost = sum(int(name.split()[0]) for frame, name in marked_frames(folder / "take.wav")
               if name.endswith("frames lost") and frame >= last - RATE)
    silent_late = sum(1 for value in late if value == 0)
    if silent_late > lost:
        raise Complaint(f"turning to the other source left a gap of {silent_late} frames; the server skipped {lost}")
    return f"a source unplugged ({silent:.2f} s of silence), back, and another without a gap: the take goes on, markers say it"


def full_disk(program, folder, sources):
    """Fills the disk: the earlier sound is kept and can be opened; with space again the take continues in the next
    part."""
    small = folder / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", small], capture_output=True).returncode != 0:
        small.rmdir()
        return "skip  no file system of one's own may be mounted here"
    try:
        (small / "ballast").write_bytes(bytes(45 << 20))
        sources.play("ramp.wav")
        with Capture(program, folder, "small/take.wav", *PLAIN, "--source", "player:out_{1,2,3,4}") as capture:
            capture.said("no more can be written")
            capture.said("complete: small/take.wav")
            kept = len(read_float(small / "take.wav")[0])
            (small / "ballast").unlink()
            capture.said("the take continues in small/take-2.wav")
            time.sleep(1.5)
            status = capture.end()
        for name in ("take", "take-2"):
            lengths = {len(read_float(small / f"{name}{mark}.wav")[0]) for mark in ("", "-stereo")}
            lengths.add(pcm_frames(small / f"{name}-safety.wav"))
            if len(lengths) != 1:
                raise Complaint(f"the files of {name} have {lengths} frames")
        later = read_float(small / "take-2.wav")[0]
        if status != 130 or kept < RATE // 2 or len(later) < RATE:
            raise Complaint(f"status {status}, {kept} and {len(later)} frames, {capture.lines}")
        for path in small.glob("take*"):
            path.unlink()
        (small / "ballast").write_bytes(bytes(45 << 20))
        with Capture(program, folder, "small/take.wav", *PLAIN, "--source", "player:out_{1,2,3,4}", "--seconds", "8") as capture:
            capture.said("no more can be written")
            status = capture.process.wait(timeout=PATIENCE)
        if status != 3:
            raise Complaint(f"a capture that lacks sound ends by itself with status {status}, {capture.lines}")
        sources.unplug()
        return f"full disk: {kept / RATE:.2f} s are kept and open, and the take goes on in a part of its own; status 3 says it"
    finally:
        sources.players.get("player") and sources.unplug()
        subprocess.run(["umount", small], capture_output=True)


def parts(program, folder, sources):
    """Splits a take into parts, which must be contiguous to the frame."""
    emptied(folder)
    sources.play("ramp.wav")
    with Capture(program, folder, "take.wav", *PLAIN, "--source", "player:out_{1,2,3,4}", "--split", "1") as capture:
        capture.said("the take continues in take-3.wav")
        capture.end()
    sources.unplug()
    rows = [read_float(folder / name)[0] for name in ("take.wav", "take-2.wav", "take-3.wav")]
    for before, after in zip(rows, rows[1:]):
        if round(after[0] * SCALE) - round(before[-1] * SCALE) != 1:
            raise Complaint(f"a part ends at {before[-1] * SCALE}, the next begins at {after[0] * SCALE}")
    return f"parts of 1 MB follow each other to the frame ({', '.join(str(len(row)) for row in rows)} frames)"


def wrong(program, folder, sources):
    """Checks that faulty input is refused, or detected and reported."""
    emptied(folder)
    chance = random.Random(SEED)
    noise = [array("f", (chance.uniform(-0.2, 0.2) for _ in range(8 * RATE))) for _ in range(4)]
    # Furse-Malham: W 3 dB lower, order W X Y Z; a wave from the left front.
    w = array("f", (0.5 ** 0.5 * value for value in noise[0]))
    x, y = (array("f", (gain * value for value in noise[0])) for gain in (0.8, 0.6))
    write_float(folder / "fuma.wav", [w, x, y, array("f", bytes(4 * len(w)))])
    loud = array("f", (max(-1.0, min(1.0, 8 * value)) for value in noise[1]))
    write_float(folder / "faulty.wav", [noise[0], array("f", bytes(4 * len(w))), loud, noise[3]])
    sources.play("fuma.wav")
    with Capture(program, folder, "take.wav", "--array", "ambix", "--source", "player:out_{1,2,3}") as capture:
        status = capture.process.wait(timeout=PATIENCE)
        capture.said("takes 4 channels (ACN0 ACN1 ACN2 ACN3), and there are 3 sources")
    if status != 2 or list(folder.glob("take*")):
        raise Complaint(f"three sources: status {status}")
    with Capture(program, folder, "take.wav", "--array", "ambix", "--source", "player:out_{1,2,3,4}") as capture:
        capture.said("seems to be fuma, not ambix")
        capture.end()
    emptied(folder)
    sources.unplug()
    sources.play("faulty.wav")
    with Capture(program, folder, "take.wav", "--array", "tetrahedral", "--source", "player:out_{1,2,3,4}") as capture:
        capture.said("no signal comes from FRD")
        capture.said("BLD clips")
        capture.end()
    listed = subprocess.run([program, "capture", "--list", "--json"], capture_output=True, text=True)
    rows = {row["port"]: row for row in json.loads(listed.stdout)}
    level, silent = rows["player:out_1"].get("rms"), rows["player:out_2"].get("rms")
    if level is None or abs(level - -18.8) > 1.5 or silent is not None:
        raise Complaint(f"the list: {rows}")
    sources.unplug()
    emptied(folder)
    return "three channels, Furse-Malham said to be AmbiX, a silent and a clipping capsule are said; the list has levels"


def amplitude(row, hertz):
    """Returns the complex amplitude of a tone over the last second of a row."""
    last = row[-RATE:]
    turn = [2 * math.pi * hertz * i / RATE for i in range(len(last))]
    return 2 / RATE * complex(sum(x * math.cos(t) for x, t in zip(last, turn)), -sum(x * math.sin(t) for x, t in zip(last, turn)))


def held(program, folder, sources):
    """Checks that left stays left in each orientation of the device: four tones, each from the side of the device that
    is the scene's left in one orientation."""
    emptied(folder)
    # Frequency of each tone, and its sign in the device's Y and Z: from its left, top, bottom and right.
    tones = {"portrait": (500, 1, 0), "landscape-left": (700, 0, 1), "landscape-right": (900, 0, -1), "upside-down": (1100, -1, 0)}
    waves = {name: [0.1 * math.sin(2 * math.pi * hertz * i / RATE) for i in range(RATE)] for name, (hertz, _, _) in tones.items()}
    rows = [array("f", map(sum, zip(*([gain(tones[name]) * x for x in wave] for name, wave in waves.items())))) * 8
            for gain in (lambda tone: 1, lambda tone: tone[1], lambda tone: tone[2], lambda tone: 0)]
    write_float(folder / "tones.wav", rows)
    sources.play("tones.wav")
    worst, least = 0, math.inf
    for name, (hertz, _, _) in tones.items():
        with Capture(program, folder, f"take-{name}.wav", *PLAIN, "--source", "player:out_{1,2,3,4}", "--orientation", name, "--seconds",
                     "2") as capture:
            if capture.process.wait(timeout=PATIENCE) != 0:
                raise Complaint(f"{name}: {capture.lines}")
        w, y, z, x = (amplitude(row, hertz) for row in read_float(folder / f"take-{name}.wav"))
        left, right = (abs(amplitude(row, hertz)) for row in read_float(folder / f"take-{name}-stereo.wav"))
        off = max(abs(y / w - 1), abs(z / w), abs(x / w))
        level = 20 * math.log10(left / max(right, 1e-9))
        if off > 0.02 or level < 6:
            raise Complaint(f"{name}: left is off by {off:.3f}, and {level:.1f} dB louder on the left")
        worst, least = max(worst, off), min(least, level)
    sources.unplug()
    emptied(folder)
    return (f"held in four ways: left is left within {math.degrees(worst):.2f} degrees, and {least:.1f} dB louder in the left channel "
            "at least")


def message(address, *texts):
    """Returns an OSC message of texts."""
    def padded(text):
        data = text.encode() + b"\0"
        return data + b"\0" * (-len(data) % 4)
    return padded(address) + padded("," + "s" * len(texts)) + b"".join(padded(text) for text in texts)


def steered(program, folder, sources):
    """Controls a capture by OSC: each request is answered and has its effect."""
    emptied(folder)
    sources.play("ramp.wav")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Capture(program, folder, "take.wav", *PLAIN, "--source", "player:out_{1,2,3,4}", "--wait", "--control", str(port)) as capture, \
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as surface:
        capture.said("control: OSC on")
        surface.settimeout(PATIENCE)

        def ask(address, *texts):
            surface.sendto(message(address, *texts), ("127.0.0.1", port))
            return surface.recv(65536)

        time.sleep(1)
        if b"recording into take.wav, from " not in (answer := ask("/proscenium/record/start")):
            raise Complaint(f"start: {answer}")
        if b"marker 'verse' at" not in (answer := ask("/proscenium/record/marker", "verse")):
            raise Complaint(f"marker: {answer}")
        if b"/proscenium/refused" in (answer := ask("/proscenium/capture/rendition", "ms")):
            raise Complaint(f"rendition: {answer}")
        capture.said("rendition ms")
        if b"rendition takes" not in (answer := ask("/proscenium/capture/rendition", "quad")):
            raise Complaint(f"a rendition that there is not: {answer}")
        if b'"markers":1' not in (answer := ask("/proscenium/status")):
            raise Complaint(f"status: {answer}")
        if b"complete: take.wav" not in (answer := ask("/proscenium/record/stop")):
            raise Complaint(f"stop: {answer}")
        capture.end()
    sources.unplug()
    ramp = read_float(folder / "take.wav")[0]
    if markers(folder / "take.wav") != ["verse"] or len(ramp) < RATE:
        raise Complaint(f"{len(ramp)} frames, markers {markers(folder / 'take.wav')}")
    return "steered by OSC: begun, marked, its rendition changed, completed; what is no request is refused with what there is"


def turned(program, folder, sources):
    """Checks that the device's rotation is written beside the take, and that `--steady` applies it to the field that
    the take declares."""
    emptied(folder)
    motion = folder / "motion.csv"
    halves = [min(1, i / 200) * math.pi / 4 for i in range(2000)]
    motion.write_text("t,w,x,y,z\n" + "".join(f"{i / 100},{math.cos(half)},0,0,{math.sin(half)}\n" for i, half in enumerate(halves)))
    sources.play("ramp.wav")
    with Capture(program, folder, "take.wav", *PLAIN, "--source", "player:out_{1,2,3,4}", "--device", f"file:{motion}", "--seconds",
                 "4") as capture:
        if capture.process.wait(timeout=PATIENCE) != 0:
            raise Complaint(f"{capture.lines}")
    sources.unplug()
    rows = [[float(number) for number in line.split(",")] for line in
            (folder / "take.wav.orientation.csv").read_text().splitlines()[1:]]
    if len(rows) < 50 or any(b[0] <= a[0] for a, b in zip(rows, rows[1:])) or rows[-1][0] < 2:
        raise Complaint(f"{len(rows)} turns, from {rows[:1]} to {rows[-1:]}")
    for words in (["capture", "held.wav", "--from", "take.wav", "--steady", "world"],
                  ["render", "take.wav", "ears.wav", "--steady", "world"],
                  ["process", "take.wav", "processed.wav", "--steady", "world", "--to", "ambi1"]):
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise Complaint(f"{' '.join(words)}: {done.stderr[-300:]}")
    if len(read_float(folder / "held.wav")[0]) != len(read_float(folder / "take.wav")[0]):
        raise Complaint("the steadied take has another length")
    if read_float(folder / "held.wav") != read_float(folder / "processed.wav"):
        raise Complaint("a take steadied by capture is not the take steadied by process")
    return f"{len(rows)} turns of the device beside the take, which is steadied by them and played as the sound field it says it is"


def gone(program, folder, sources):
    """Kills the server and starts another: the take waits, and continues in the same file. This is the last part,
    because no other client outlives the server."""
    sources.close()
    emptied(folder)
    server = Jackd()
    with Capture(program, folder, "take.wav", *PLAIN, "--source", "system:capture_{1,2,3,4}") as capture:
        capture.grows("take.wav")
        server.end(signal.SIGKILL)
        capture.said("JACK is gone")
        before = (folder / "take.wav.part").stat().st_size
        server.start(RATE, 256)
        capture.said("JACK is back")
        end = time.monotonic() + PATIENCE
        while (folder / "take.wav.part").stat().st_size < before + 16 * RATE:
            if time.monotonic() > end:
                raise Complaint(f"the take does not grow on: {capture.lines}")
            time.sleep(0.05)
        connected = subprocess.run(["jack_lsp", "-c", "system:capture"], capture_output=True, text=True).stdout
        status = capture.end()
    stop(server.process)
    if status != 130 or "JACK again" not in markers(folder / "take.wav"):
        raise Complaint(f"status {status}, markers {markers(folder / 'take.wav')}, {capture.lines}")
    if "in_ACN0" not in connected:
        raise Complaint(f"the source is not connected again: {connected}")
    return "a server that was killed and started again: the take goes on in the same file, its source connected, with a marker"


def in_turn(parts, program, folder):
    """Runs the parts one after the other. Returns an error, or None."""
    sources = Sources(program, folder)
    try:
        for part in parts:
            begin = time.monotonic()
            try:
                said = part(program, folder, sources)
                word = "" if said.startswith("skip") else "ok    "
                print(f"{word}{said} ({time.monotonic() - begin:.0f} s)", flush=True)
            except (Complaint, RuntimeError, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as complaint:
                if isinstance(complaint, Disturbed) and is_beside():
                    print(f"again {part.__name__}: {complaint}", flush=True)
                    return AGAIN
                print(f"FAIL  {part.__name__}: {complaint}", flush=True)
                return f"{part.__name__}: {complaint}"
    finally:
        sources.close()
    return None


#: Parts that run in each sandbox; after `gone` the sandbox has no other clients.
TURNS = [(kills, steered), (unplugged, full_disk, parts, gone), (wrong, held, turned)] + [(kills,)] * (3 if SOAK else 0)


def perform(program, folder):
    """Runs the parts of this sandbox. Returns an error, or None."""
    furnish(folder)
    return in_turn(TURNS[TURN], program, folder)


if __name__ == "__main__":
    enter(__doc__, alone(__file__, "--sync", "--capture", "4", times=len(TURNS), hands=1 if SOAK else 3), perform)

#!/usr/bin/env python3
"""Checks recordings after an end of the session other than 'quit': by signals, also at start-up and at the first sound;
by SIGKILL at random moments; with a stalled server; and on a full disk. Also takes by command, and their markers. All
beside private JACK servers.

usage: recording.py PROGRAM        (PROSCENIUM_SOAK=1: fifty kills, and every signal at every moment)
"""
import json
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from portplay import Surface
from session_phase import has_stage, words
from takes import AGAIN, PATIENCE, RATE, Complaint, Disturbed, Program, alone, enter, is_beside

LONG = os.environ.get("PROSCENIUM_SOAK") == "1"
KILLS = 50 if LONG else 3
SEED = 12
#: Timeout for a session's end, whatever its server does, seconds. The program allows itself 1.9; a busy machine wakes
#: it late.
END = 2.0 if LONG else 4.0
#: Greatest loss of sound, seconds.
LOSS = 1.0
MOTION = ["--record-poses", "poses.csv", "--record-motion", "motion.ndjson"]


def deaf_to(process):
    """Returns the signals that a process ignores, a bit each."""
    with open(f"/proc/{process}/status") as lines:
        return int(next(line.split()[1] for line in lines if line.startswith("SigIgn")), 16)


def free_port():
    """Returns a port that is free at the moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Session(Program):
    """`proscenium run` of stereo that records `name` (None: nothing yet); killed at the end of its `with` block if it
    still runs."""

    def __init__(self, program, folder, name, *options, port="none", before=()):
        self.folder, self.take, self.port = folder, name and folder / name, port
        super().__init__([*before, program, "run", "--quiet", "--layout", "stereo", "--control", port, "--allow-write", str(folder),
                          *(["--record", name] if name else []), *options], folder)

    @property
    def part(self):
        return self.take.with_name(self.take.name + ".part")

    def first_sound(self, beyond=4096):
        """Returns once sound is in the file."""
        end = time.monotonic() + 60
        while not self.part.exists() or self.part.stat().st_size <= beyond:
            if self.process.poll() is not None:
                raise Complaint(f"the session ended: {self.process.stderr.read()[-300:]}")
            if time.monotonic() > end:
                raise Complaint("no sound is recorded")
            time.sleep(0.002)

    def surface(self):
        """Returns a control surface, once the session has a stage."""
        surface, end = Surface(self.port), time.monotonic() + 60
        while True:
            try:
                state = json.loads(surface.ask("/proscenium/status", patience=1))
                if has_stage(state):
                    return surface
                missing = words(state)
            except (ConnectionRefusedError, RuntimeError) as refusal:
                missing = str(refusal)
            if time.monotonic() > end or self.process.poll() is not None:
                raise Complaint(f"the session has no stage: {missing}")
            time.sleep(0.02)

    def end(self, *signals):
        """Sends signals; returns the seconds to the end, the exit status and the output."""
        begin = time.monotonic()
        for number in signals:
            self.process.send_signal(number)
            if len(signals) > 1:
                time.sleep(0.3)
        try:
            _, said = self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            raise Complaint("it does not end")
        return time.monotonic() - begin, self.process.returncode, said


def frames(path):
    """Returns the number of frames in a RIFF file's header, two channels of float."""
    data = path.read_bytes()[:4096]
    at = data.find(b"data")
    if data[:4] != b"RIFF" or at < 0:
        raise Complaint(f"{path.name} has no header: {data[:16]!r}")
    size = struct.unpack_from("<I", data, at + 4)[0]
    if at + 8 + size > path.stat().st_size:
        raise Complaint(f"{path.name} promises {size} bytes and has {path.stat().st_size - at - 8}")
    return size // 8


def leftovers(folder):
    return sorted(p.name for p in folder.iterdir() if ".part" in p.name)


def emptied(folder):
    for path in folder.iterdir():
        path.unlink()


def signals(program, folder):
    """Sends each signal, at start-up, at the first sound and in the middle."""
    moments = ["start-up", "first sound", "middle"]
    chosen = [(s, m) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) for m in moments
              if LONG or m == "first sound" or (s, m) == (signal.SIGHUP, "start-up")]
    slowest = 0
    for number, moment in chosen:
        for delay in ([0.05, 0.2, 0.4, 0.7, 1.0] if LONG else [0.2]) if moment == "start-up" else [0]:
            emptied(folder)
            with Session(program, folder, "ears.wav", *MOTION) as session:
                if moment == "start-up":
                    time.sleep(delay)
                else:
                    session.first_sound()
                    time.sleep(0 if moment == "first sound" else 0.7)
                seconds, status, said = session.end(number)
            what = f"{number.name} at {moment}"
            slowest = max(slowest, seconds)
            # In the first moments of a process the system's default handling applies.
            if status != 130 and (moment, status) != ("start-up", -number):
                raise Complaint(f"{what}: status {status}, {said[-300:]}")
            if seconds > END:
                raise Disturbed(f"{what}: it took {seconds:.2f} s to end")
            if leftovers(folder):
                raise Complaint(f"{what}: left {leftovers(folder)}")
            if moment != "start-up" or session.take.exists():
                if frames(session.take) == 0:
                    raise Complaint(f"{what}: nothing is in {session.take.name}")
                if not (folder / "poses.csv").exists() or not (folder / "motion.ndjson").exists():
                    raise Complaint(f"{what}: the motion's recordings are not there")
    return f"{len(chosen)} signals at start-up, first sound or later: takes complete, slowest end after {slowest:.2f} s"


def kills(program, folder):
    """Sends SIGKILL at random moments: the remaining file opens, and is recovered."""
    chance = random.Random(SEED)
    formats = ["wav", "flac", "caf", "w64", "aiff", "rf64", "bw64"]
    worst = 0
    for number in range(KILLS):
        emptied(folder)
        name = "ears." + ("wav" if number % 2 == 0 else formats[number // 2 % len(formats)])
        port = free_port()
        with Session(program, folder, name, *MOTION, port=port) as session:
            session.first_sound()
            surface = session.surface()
            time.sleep(chance.uniform(0, 3))
            stream = json.loads(surface.ask("/proscenium/status"))["streamFrame"] / RATE
            session.process.send_signal(signal.SIGKILL)
            session.process.wait()
        if session.take.exists() or not session.part.exists():
            raise Complaint(f"kill {number}: there is {[p.name for p in folder.iterdir()]}")
        if name.endswith("wav"):
            worst = max(worst, stream - frames(session.part) / RATE)
        parts = [p.name for p in folder.iterdir() if p.name.endswith(".part")]
        if len(parts) != 3:
            raise Complaint(f"kill {number}: three takes were recorded, there are {parts}")
        done = subprocess.run([program, "recover", "--json", *parts], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0 or leftovers(folder):
            raise Complaint(f"kill {number}: recover: {done.stderr[-300:]}")
        found = {entry["part"]: entry for entry in json.loads(done.stdout)}
        lost = stream - found[session.part.name]["seconds"]
        worst = max(worst, lost)
        if lost > LOSS:
            raise Complaint(f"kill {number} of {name} at {stream:.2f} s: {lost:.2f} s are lost")
        poses = (folder / found["poses.csv.part"]["path"]).read_text().splitlines()
        # In the first moments the file has only its header.
        behind = stream - (float(poses[-1].split(",")[0]) if len(poses) > 1 else 0)
        if behind > LOSS:
            raise Complaint(f"kill {number}: {behind:.2f} s of poses are lost")
        for line in (folder / found["motion.ndjson.part"]["path"]).read_text().splitlines():
            json.loads(line)
    return f"{KILLS} kills at random moments: every .part opens and is recovered, at most {worst:.2f} s lost"


def standstill(program, folder):
    """Stops the server: the session still ends in time, and its take is complete."""
    server = int(os.environ["JACK_SANDBOX_SERVER_PID"])
    said = []
    for numbers in [(signal.SIGTERM,), (signal.SIGINT, signal.SIGINT)]:
        emptied(folder)
        with Session(program, folder, "ears.wav", *MOTION) as session:
            session.first_sound()
            time.sleep(0.3)
            os.kill(server, signal.SIGSTOP)
            try:
                seconds, status, words = session.end(*numbers)
            finally:
                os.kill(server, signal.SIGCONT)
        if status != 130 or seconds > END or leftovers(folder) or frames(session.take) == 0:
            # After a second Ctrl-C takes get a quarter of a second, which may be too short on a busy machine.
            is_late = seconds > END or len(numbers) > 1 and leftovers(folder) == ["ears.wav.part"]
            raise (Disturbed if is_late else Complaint)(f"server stands still: {seconds:.2f} s, status {status}, {leftovers(folder)}, {words[-300:]}")
        said.append(f"{'twice ' if len(numbers) > 1 else ''}{numbers[0].name} {seconds:.2f} s")
    time.sleep(0.5)
    return "a server that stands still: " + ", ".join(said) + ", takes complete"


def full_disk(program, folder):
    """Fills the disk: the recording ends and is kept, and playback continues."""
    emptied(folder)
    small, before = folder / "small", []
    small.mkdir()
    how = "a file system of 512 kB"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", small], capture_output=True).returncode != 0:
        how, before = "a limit of 500 kB", ["prlimit", "--fsize=500000"]
    try:
        port = free_port()
        with Session(program, folder, "small/ears.wav", port=port, before=before) as session:
            session.first_sound()
            surface = session.surface()
            surface.ask("/proscenium/watch", 0.1)
            end = time.monotonic() + 20
            while not (told := [what for kind, what in surface.events if kind == "recording-ended"]):
                if time.monotonic() > end:
                    raise Complaint("full disk: the watcher was not told")
                surface.listen(0.1)
            if not told[0]["file"].endswith("ears.wav") or not told[0]["reason"]:
                raise Complaint(f"full disk: {told}")
            kept = frames(session.take)
            state = json.loads(surface.ask("/proscenium/status"))
            time.sleep(0.3)
            later = json.loads(surface.ask("/proscenium/status"))
            if later["streamFrame"] <= state["streamFrame"]:
                raise Complaint("full disk: the sound does not go on")
            if not any(r.get("ended") for r in later["recordings"]):
                raise Complaint(f"full disk: the status does not say it: {later['recordings']}")
            seconds, status, said = session.end(signal.SIGTERM)
        if "the recording ended" not in said or status != 3 or kept < 20_000 or leftovers(small):
            raise Complaint(f"full disk: {kept} frames, status {status}, left {leftovers(small)}, said {said[-300:]}")
    finally:
        if not before:
            subprocess.run(["umount", small], capture_output=True)
        for path in small.iterdir():
            path.unlink()
        small.rmdir()
    return f"full disk ({how}): {kept / RATE:.2f} s are kept, told and readable while the sound goes on"


def names(program, folder):
    """Checks that no file is replaced silently, an interrupted recording is recovered, and a failed start leaves no
    file."""
    emptied(folder)
    take = folder / "ears.wav"
    take.write_text("old")
    with Session(program, folder, "ears.wav") as session:
        _, said = session.process.communicate(timeout=30)
    if session.process.returncode != 2 or "--overwrite" not in said or take.read_text() != "old":
        raise Complaint(f"an existing file: status {session.process.returncode}, {said[-300:]}")
    with Session(program, folder, "ears.wav", "--overwrite") as session:
        session.first_sound()
        session.process.send_signal(signal.SIGKILL)
        session.process.wait()
    if take.read_text() != "old":
        raise Complaint("--overwrite replaced the file before the take was complete")
    with Session(program, folder, "ears.wav", "--overwrite") as session:
        end = time.monotonic() + PATIENCE
        while session.process.poll() is None and not (folder / "ears-recovered.wav").exists():
            if time.monotonic() > end:
                raise Complaint("a take that was cut off is not brought back")
            time.sleep(0.01)
        session.first_sound()
        # Signals that this process ignores are excluded: under nohup, hang-ups stay ignored, as intended.
        ignored = deaf_to(session.process.pid) & ~deaf_to("self")
        _, status, said = session.end(signal.SIGINT)
    if status != 130 or frames(take) == 0 or frames(folder / "ears-recovered.wav") == 0 or "ears-recovered.wav" not in said:
        raise Complaint(f"a take that was cut off: status {status}, {said[-300:]}")
    # Children inherit ignored signals, but not handlers.
    if any(ignored >> (number - 1) & 1 for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)):
        raise Complaint(f"children are born deaf to signals: {ignored:x}")
    emptied(folder)
    with Session(program, folder, "ears.wav", *MOTION, "--connect-out", "nobody:there") as session:
        session.process.communicate(timeout=30)
    if session.process.returncode != 2 or list(folder.iterdir()):
        raise Complaint(f"a start that failed left {[p.name for p in folder.iterdir()]}")
    return "names: nothing replaced unasked, a cut-off take is recovered at the next start, a failed start leaves nothing"


def markers(path):
    """Returns the markers of a WAVE file, (frame, name), from its `cue ` and `adtl` chunks only."""
    data, at, cues, labels = path.read_bytes(), 12, [], {}
    while at + 8 <= len(data):
        name, size = data[at:at + 4], struct.unpack_from("<I", data, at + 4)[0]
        body = data[at + 8:at + 8 + size]
        if name == b"cue ":
            for index in range(struct.unpack_from("<I", body)[0]):
                number, _, chunk, _, _, frame = struct.unpack_from("<II4sIII", body, 4 + 24 * index)
                if chunk != b"data":
                    raise Complaint(f"a cue point of {chunk!r}")
                cues.append((number, frame))
        if name == b"LIST" and body[:4] == b"adtl":
            place = 4
            while place + 12 <= len(body):
                kind, length, number = struct.unpack_from("<4sII", body, place)
                if kind == b"labl":
                    labels[number] = body[place + 12:place + 8 + length].split(b"\0")[0].decode()
                place += 8 + length + length % 2
        at += 8 + size + size % 2
    if at != len(data) or struct.unpack_from("<I", data, 4)[0] != len(data) - 8:
        raise Complaint(f"{path.name} is not whole: its chunks end at {at} of {len(data)} bytes")
    return [(frame, labels.get(number)) for number, frame in cues]


def takes(program, folder):
    """Starts, marks and completes takes by command, and kills one with a marker."""
    emptied(folder)
    port = free_port()

    def ctl(*words):
        done = subprocess.run([program, "ctl", "record", *words, "--port", port], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise Complaint(f"ctl record {' '.join(words)}: {done.stderr[-300:]}")
        return done.stdout.strip()

    with Session(program, folder, None, port=port) as session:
        session.surface().ask("/proscenium/status")
        if leftovers(folder):
            raise Complaint(f"it records unasked: {leftovers(folder)}")
        asked = time.monotonic()
        said = ctl("start", "song.wav")
        answered = time.monotonic()
        session.take = folder / "song.wav"
        session.first_sound(beyond=48_000)
        time.sleep(1)
        before = time.monotonic() - answered
        marker = ctl("marker", "second verse")
        after = time.monotonic() - asked
        done = ctl("stop")
        if not said.endswith("/song.wav") or "second verse" not in marker or "1 marker" not in done:
            raise Complaint(f"takes: {said!r}, {marker!r}, {done!r}")
        found, length = markers(session.take), frames(session.take)
        # The audible sound was played one latency earlier; the take began between the request and its answer.
        if len(found) != 1 or found[0][1] != "second verse" or not before - 1 < found[0][0] / RATE < after or found[0][0] > length:
            raise Complaint(f"takes: {found} of {length} frames, asked for {before:.2f} to {after:.2f} s after the beginning")
        kept = session.take.read_bytes()
        if not ctl("start", "song.wav").endswith("/song-2.wav"):
            raise Complaint("takes: the next is not numbered")
        session.take = folder / "song-2.wav"
        session.first_sound()
        ctl("marker")
        state = json.loads(session.surface().ask("/proscenium/status"))["recordings"][0]
        if (state["number"], state["markers"]) != (2, 1) or not state["file"].endswith("song-2.wav"):
            raise Complaint(f"takes: the status says {state}")
        session.process.send_signal(signal.SIGKILL)
        session.process.wait()
    if leftovers(folder) != ["song-2.wav.markers.txt.part", "song-2.wav.part"] or (folder / "song.wav").read_bytes() != kept:
        raise Complaint(f"takes: a kill left {leftovers(folder)}")
    label = (folder / "song-2.wav.markers.txt.part").read_text().split("\t")
    if len(label) != 3 or label[2] != "marker 1\n" or not 0 <= float(label[0]) < PATIENCE:
        raise Complaint(f"takes: of the marker there is {label}")
    return f"takes by command: numbered, a marker {found[0][0] / RATE:.2f} s in, set {before:.2f} s after the beginning; one outlives a kill"


def perform(program, folder):
    """Runs all parts inside a sandbox. Returns an error, or None."""
    for part in (names, takes, signals, standstill, full_disk, kills):
        begin = time.monotonic()
        try:
            print(f"ok    {part(program, folder)} ({time.monotonic() - begin:.0f} s)", flush=True)
        except (Complaint, RuntimeError, OSError) as complaint:
            if isinstance(complaint, Disturbed) and is_beside():
                print(f"again {part.__name__}: {complaint}", flush=True)
                return AGAIN
            print(f"FAIL  {part.__name__}: {complaint}", flush=True)
            return f"{part.__name__}: {complaint}"
    return None


if __name__ == "__main__":
    enter(__doc__, alone(__file__, "--sync"), perform)

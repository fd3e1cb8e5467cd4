#!/usr/bin/env python3
"""Kills a feeder and records the ears with two listeners, each a separate JACK client.

usage: handover.py PROGRAM

Two feeders play one programme, in 5.1 and in stereo; the multichannel one is killed (SIGKILL) at random moments, on
jackd and on PipeWire, without a look-ahead and with `--hold 100ms`. Programmes of six kinds, each over a noise of -80
dBFS, so that no pause in a programme is silence. The listeners:
  stage  at the stage's own outputs, like a meter or recorder
  card   at the sound card's input: system:monitor_… of jackd or of PipeWire's sink. No feeder and no stage precedes it
         in the server's order, so it is called in every cycle of the server and records what a card plays

No take is discarded. Between 50 ms before a kill and a second after it every hole is reported, by length and kind:
  silence     neither ear above -120 dBFS
  old period  the previous period was repeated, as a card does when no client writes a new one
  not called  the server's frame clock advanced without a call of the listener
  stood       the wall clock advanced and the server's did not (a synchronous jackd waits in this way for dead clients)
and by cause:
  dead   the stage was not called, because a client before it in the server's order was dead: until the server's
         timeout no client after the dead one is called
  late   the server or the listener was late, which also occurs without a kill (a busy machine)
  stage  the stage was called and produced silence: the stage's own fault
Windows of the same length before each kill show the machine's own lateness; takes with holes there are counted
separately.

Fails if a kill was not noticed (the other rendition does not play), if holes are the stage's fault in more than one
kill of twenty, or if dead clients stopped a stage with a look-ahead in more than a third of the kills (no client
precedes it; lateness may look alike). A feeder delayed by a busy machine is silent too, which looks like the stage's
fault: such a take of three kills is repeated. Number and length of the other holes depend on server and machine, and
are printed. With PROSCENIUM_SOAK=1 forty kills for each server and look-ahead, otherwise three.
HANDOVER_OPTIONS are further options of the sandbox, for other servers (`--sync`, `--timeout 500`, `--period 64`,
`--quantum 64`).
"""
import ctypes
import json
import os
import pathlib
import random
import shutil
import signal as signals
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parent / "listening"))
from listening import floatwav, instruments, pieces
from portplay import Surface
from servers import Stranger
from takes import PATIENCE, RATE, Complaint, Program, Stage, enter, free_ports, side_by_side, tally, trouble, until_whole

PORT = str(free_ports(1)[0])
KILLS = 40 if os.environ.get("PROSCENIUM_SOAK") == "1" else 3
#: Duration of a programme, seconds; it then repeats.
SECONDS = 6
KINDS = ["noise", "speech", "tones", "percussion", "music", "piano"]
HOLDS = ["0ms", "100ms"]
#: Sandbox, destination ports of the ears, ports that carry the card's input.
SERVERS = {
    "jackd": (["jack-sandbox", "--monitor", "--period", "256"], ["system:playback_1", "system:playback_2"],
              ["system:monitor_1", "system:monitor_2"]),
    "PipeWire": (["pipewire-sandbox", "--quantum", "256"], ["system:playback_FL", "system:playback_FR"],
                 ["system:monitor_FL", "system:monitor_FR"]),
}
#: Further options of the sandbox.
OPTIONS = os.environ.get("HANDOVER_OPTIONS", "").split()
#: Threshold of silence of a sample; the programme's own noise is forty times higher.
SILENT = 1e-6
#: Evaluated window around a kill, seconds before and after.
WINDOW = (0.05, 1.0)
#: Seconds after a kill within which a missing call is attributed to the dead client.
DEATH = 0.1
#: Shortest counted hole, seconds.
SHORTEST = 0.001


def programme(kind):
    """Returns [frame][6] and its ITU fold-down [frame][2]."""
    frames, rng = RATE * SECONDS, np.random.default_rng(7)
    five = np.zeros((frames, 6))
    t = 2 * np.pi * np.arange(frames) / RATE
    if kind == "noise":
        for place in (0, 1, 2, 4, 5):
            five[:, place] = 0.05 * pieces.pink(frames, rng)
    elif kind == "speech":
        five[:, 2] = pieces.level(sum(part.sum(1) for part in pieces.mix("speech", SECONDS).values())[:frames], -24)
    elif kind == "tones":
        five[:, 0] = five[:, 1] = 0.1 * np.sin(220 * t) + 0.05 * np.sin(331 * t) + 0.03 * np.sin(1207 * t)
    elif kind == "percussion":
        hits = instruments.castanets(7, SECONDS)
        hits = hits[0] if isinstance(hits, tuple) else hits
        five[:, :2] = hits[:frames]
        for beat in range(2 * SECONDS):
            sound = 0.3 * instruments.kick()
            five[beat * RATE // 2:, 3][:len(sound)] += sound[:len(five) - beat * RATE // 2]
    elif kind == "music":
        for place, part in zip((0, 1, 4, 5, 2, 0, 1), pieces.mix("band", SECONDS).values()):
            five[:, place] += part.sum(1)[:frames]
        five *= 0.1 / np.sqrt(np.mean(five[:, :2] ** 2))
    else:
        for number in range(SECONDS * 2 // 3):
            note = 0.2 * instruments.piano((60, 67, 63, 70)[number % 4], 1.4)
            at = int(1.5 * number * RATE)
            five[at:, number % 3][:len(note)] += note[:len(five) - at]
    five += 1e-4 * rng.standard_normal(five.shape)
    five = np.clip(five, -0.9, 0.9)
    return five, five[:, :2] + np.sqrt(0.5) * five[:, [2]] + np.sqrt(0.5) * five[:, 4:6]


class Listener(Program):
    """A client that records ports until it is ended."""

    def __init__(self, ear, name, folder, ports, seconds):
        super().__init__([ear, name, f"{name}.take", str(seconds), *ports], folder, stdout=subprocess.PIPE)
        if self.process.stdout.readline() != "listens\n":
            raise Complaint(f"the listener {name} hears nothing: {self.process.stderr.read()}")

    def finish(self):
        self.process.terminate()
        if self.process.wait(timeout=PATIENCE) != 0:
            raise Complaint("a listener could not write what it heard")


class Wirer(Stranger):
    """Connects ports and reports connections."""

    def __init__(self):
        super().__init__()
        self.jack.jack_port_connected_to.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.jack.jack_get_time.restype = ctypes.c_uint64

    @property
    def time(self):
        """Returns the time in seconds on the listeners' clock."""
        return self.jack.jack_get_time() / 1e6

    def joined(self, source, target):
        """Whether two ports are connected; False for a port that disappeared with its client."""
        try:
            return bool(self.jack.jack_port_connected_to(self.port(source), target.encode()))
        except Complaint:
            return False


class Heard:
    """Recording of a listener."""

    def __init__(self, path):
        data = path.read_bytes()
        head, body = data.split(b"\n", 1)
        words = head.split()
        cycles, frames, channels = int(words[1]), int(words[3]), int(words[5])
        record = np.frombuffer(body, np.uint64, 3 * cycles).reshape(cycles, 3).astype(np.int64)
        self.frame, self.count, self.time = record[:, 0], record[:, 1], record[:, 2] / 1e6
        self.sound = np.frombuffer(body, np.float32, channels * frames, offset=24 * cycles).reshape(channels, frames)
        self.start = np.concatenate([[0], np.cumsum(self.count)])[:-1]
        #: Frames by which the server's clock advanced before a cycle, without a call of this listener.
        self.jump = np.zeros(cycles, int)
        self.jump[1:] = (self.frame[1:] - self.frame[:-1] - self.count[:-1] + 2**31) % 2**32 - 2**31
        # Wall-clock time that the server's clock lacks: a step of their offset, greater than any lateness.
        offset = self.time - self.time[0] - np.cumsum(self.jump + np.concatenate([[0], self.count[:-1]])) / RATE
        before = np.array([offset[max(0, i - 12):i].min() if i else offset[0] for i in range(cycles)])
        after = np.array([offset[i:i + 12].min() for i in range(cycles)])
        self.stood, step = np.zeros(cycles), after - before
        # All cycles around a step show it; it is reported once, where the clocks diverge.
        edges = np.flatnonzero(np.diff(np.concatenate([[0], (step > SHORTEST).astype(int), [0]])))
        for first, past in zip(edges[::2], edges[1::2]):
            self.stood[first + np.argmax(np.diff(offset, prepend=offset[0])[first:past])] = step[first:past].max()

    def holes(self, begin, end):
        """Returns (wall-clock time, duration, kind) of each hole between two times, seconds."""
        found = []

        def add(time, length, kind):
            if found and found[-1][2] == kind and time - (found[-1][0] + found[-1][1]) < 0.0002:
                found[-1] = (found[-1][0], time + length - found[-1][0], kind)
            else:
                found.append((time, length, kind))
        silence = 0
        for i in range(max(1, np.searchsorted(self.time, begin)), min(np.searchsorted(self.time, end), len(self.time))):
            if self.jump[i] > 0:
                found.append((self.time[i] - self.jump[i] / RATE, self.jump[i] / RATE, "not called"))
            if self.stood[i]:
                found.append((self.time[i] - self.stood[i], self.stood[i], "stood"))
            at, count = self.start[i], self.count[i]
            now, last = self.sound[:, at:at + count], self.sound[:, at - count:at]
            quiet = np.abs(now).max(0) < SILENT
            if np.array_equal(now, last) and not quiet.all():
                add(self.time[i], count / RATE, "old period")
            # Runs of silence, which may span periods.
            edges = np.flatnonzero(np.diff(np.concatenate([[0], quiet.astype(int), [0]])))
            for first, past in zip(edges[::2], edges[1::2]):
                add(self.time[i] + first / RATE, (past - first) / RATE, "silence")
        return [hole for hole in found if hole[1] > SHORTEST]

    def gaps(self, begin, end):
        """Returns (begin, end) of the times between two in which the server advanced without this listener."""
        found = []
        for i in np.flatnonzero((self.jump > 0) & (self.time >= begin) & (self.time < end)):
            gap = (self.time[i] - self.jump[i] / RATE, self.time[i])
            if found and gap[0] - found[-1][1] < 2 * self.count[i] / RATE:
                gap = (found.pop()[0], gap[1])
            found.append(gap)
        return found


def state(surface):
    return json.loads(surface.ask("/proscenium/status"))


def until(surface, what, is_so):
    end = time.monotonic() + PATIENCE
    while not is_so(found := state(surface)):
        if time.monotonic() > end:
            raise Complaint(f"{what}: not within {PATIENCE} s: {found['programmes'][0].get('renditions')}")
        time.sleep(0.05)
    return found


def perform(program, folder):
    """Runs, inside a sandbox, all kills of one server and look-ahead. Returns an error, or None."""
    take = json.loads((folder / "take.json").read_text())
    ear, server, hold = take["ear"], take["server"], take["hold"]
    _, server_ports, card = SERVERS[server]
    dice, kills = random.Random(f"{server} {hold}"), []

    def feed(path, into):
        return Program([program, "demo", "play", path, "--into", into, "--loop"], folder)

    def patch_stereo():
        """Moves the feeder that is connected to the card to the ports for stereo."""
        end = time.monotonic() + PATIENCE
        while not (ports := [port for port in stranger.names("^player.*:out_1$")
                             if stranger.joined(port, server_ports[0]) and stranger.joined(port[:-1] + "2", server_ports[1])]):
            if time.monotonic() > end:
                raise Complaint("the stereo feeder does not come")
            time.sleep(0.05)
        for number, ear in enumerate("LR"):
            port = ports[0][:-1] + str(number + 1)
            # With a look-ahead the inputs belong to another client.
            stranger.connect(port, stranger.names(f"^proscenium.*:in_stereo_{ear}$")[0])
            stranger.disconnect(port, server_ports[number])

    def playing(which):
        return lambda found: found["programmes"][0]["renditions"]["playing"] == which
    try:
        with Stage(program, folder, PORT, "inside", "--stereo-rendition", "--hold", hold, "--connect-out", ",".join(server_ports)) as stage:
            stage.status
            surface = Surface(PORT)
            stage.ctl("start")
            stranger = Wirer()
            seconds = 12 * take["kills"] + 60
            with Listener(ear, "card", folder, card, seconds) as at_card, \
                    Listener(ear, "stage", folder, ["proscenium:out_L", "proscenium:out_R"], seconds) as at_stage:
                for number in range(take["kills"]):
                    kind = KINDS[(take["first"] + number) % len(KINDS)]
                    with feed(f"{kind}-2.wav", "system"):
                        patch_stereo()
                        until(surface, "a stereo feeder is there", lambda found: found["programmes"][0]["renditions"]["hasStereo"])
                        with feed(f"{kind}-6.wav", "proscenium") as feeder:
                            until(surface, "the multichannel rendition plays", playing("multichannel"))
                            calm = state(surface)
                            time.sleep(dice.uniform(1.2, 2.2))
                            # A period that the machine lost may make the session play stereo for two seconds.
                            before = until(surface, "the multichannel rendition plays", playing("multichannel"))
                            now = stranger.time
                            feeder.process.send_signal(signals.SIGKILL)
                            after = until(surface, "the stereo rendition plays", playing("stereo"))
                            noticed = stranger.time - now
                            time.sleep(max(0.1, WINDOW[1] + 0.3 - noticed))
                            after = state(surface)
                    kills.append({"kind": kind, "time": now, "skipped": after["skippedFrames"] - calm["skippedFrames"],
                                  "handOvers": after["programmes"][0]["renditions"]["handOvers"]
                                  - before["programmes"][0]["renditions"]["handOvers"]})
                for listener in (at_card, at_stage):
                    listener.finish()
            stage.finish()
    except (Complaint, RuntimeError) as complaint:
        return str(complaint)
    (folder / "kills.json").write_text(json.dumps(kills))
    return None


def cause(hole, gaps, silences, killed, waits, period):
    """Returns the cause of a hole at the card: `dead`, `late`, or `stage`, if the stage was called and produced
    silence.

    `gaps`: (begin, end) of the times without a call of the stage; `silences`: of those in which its own listener
    recorded silence. The stage's output reaches the card one period later. `waits`: the whole server waits for a dead
    client."""
    begin, length, kind = hole

    def near(times):
        return [time for time in times if time[0] < begin + length + period and time[1] > begin - 3 * period]
    if any(-period < gap[0] - killed < DEATH for gap in near(gaps)) or waits and abs(begin - killed) < DEATH:
        return "dead"
    return "stage" if kind == "silence" and near(silences) and not near(gaps) else "late"


def judge(folder, hold):
    """Reports every kill; returns (good, text). None for good: only the stage seems at fault, but the machine may
    be."""
    waits = "--sync" in OPTIONS
    kills = json.loads((folder / "kills.json").read_text())
    card, stage = Heard(folder / "card.take"), Heard(folder / "stage.take")
    if min(card.time[-1], stage.time[-1]) < kills[-1]["time"] + WINDOW[1]:
        return False, "a listener was full, or ended, before the last kill"
    period = int(np.median(card.count)) / RATE
    good, sums, counts = True, {}, {"dead": 0, "late": 0, "stage": 0}
    disturbed, calm, taken, each = 0, 0, [], []
    for number, kill in enumerate(kills):
        words, killed = [], kill["time"]
        for window, begin, end in (("before", killed - WINDOW[0] - sum(WINDOW), killed - WINDOW[0]),
                                   ("kill", killed - WINDOW[0], killed + WINDOW[1])):
            gaps = stage.gaps(begin - 0.1, end + 0.1)
            silences = [(at, at + length) for at, length, kind in stage.holes(begin - 0.1, end + 0.1) if kind == "silence"]
            # PipeWire may call the listener in a cycle without the stage: the stage's own count of skipped frames shows
            # it.
            hidden = kill["skipped"] / RATE
            for silence in silences if window == "kill" else ():
                if hidden > period / 2 and silence[1] - silence[0] < hidden + period / 2:
                    gaps.append(silence)
                    hidden -= silence[1] - silence[0]
            holes = [(*hole, cause(hole, gaps, silences, killed, waits, period)) for hole in card.holes(begin, end)]
            if window == "before":
                disturbed += bool(holes)
                if holes:
                    words.append(f"before it {len(holes)} holes, the longest {1000 * max(h[1] for h in holes):.1f} ms")
                continue
            for _, length, kind, why in holes:
                sums.setdefault((why, kind), []).append(length)
            found = {why for *_, why in holes}
            calm += not holes
            for why in found:
                counts[why] += 1
            taken.append(sum(gap[1] - gap[0] for gap in gaps if -period < gap[0] - killed < DEATH))
            words.append(", ".join(f"{1000 * length:.1f} ms {kind} ({why}, at {1000 * (at - killed):+.0f} ms)"
                                   for at, length, kind, why in holes) or "no hole")
            words.append(f"the stage was not called for {taken[-1] / period:.0f} periods")
            if kill["handOvers"] < 1:
                good = False
        each.append(f"      kill {number + 1}, {kill['kind']}: {'; '.join(words)}")
    if hold != "0ms" and counts["dead"] > len(kills) / 3 or counts["stage"] > len(kills) / 20:
        # A delayed feeder, or lateness, looks the same; with forty kills nothing is excused.
        good = None if good and KILLS < 40 else False
    periods = np.round(np.array(taken) / period).astype(int)
    parts = [f"{len(kills)} kills, none left out, {disturbed} with holes in the second before",
             f"{calm} without a hole over {1000 * SHORTEST:.0f} ms, {counts['dead']} with one by the dead client, "
             f"{counts['late']} by lateness, {counts['stage']} by the stage",
             "periods the dead client took: "
             + ", ".join(f"{count} in {np.sum(periods == count)}" for count in np.unique(periods))]
    for (why, kind), lengths in sorted(sums.items()):
        parts.append(f"{kind} ({why}) {len(lengths)} times, median {1000 * np.median(lengths):.1f} ms, "
                     f"longest {1000 * max(lengths):.1f} ms")
    return good, "\n".join(["; ".join(parts), *each])


def furnish(folder):
    """Writes all programmes, in 5.1 and in stereo."""
    for kind in KINDS:
        five, two = programme(kind)
        floatwav.write(folder / f"{kind}-6.wav", five, RATE, 0x60F)
        floatwav.write(folder / f"{kind}-2.wav", two, RATE)


def rehearse(program, ear, server, hold, first=0):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in ear.parent.glob("*.wav"):
            (folder / path.name).symlink_to(path)
        (folder / "take.json").write_text(json.dumps({"ear": str(ear), "server": server, "hold": hold, "kills": KILLS, "first": first}))
        words = [*SERVERS[server][0], *OPTIONS]
        take = subprocess.run([HERE.parent / words[0], *words[1:], sys.executable, __file__, "--inside", program, name],
                              capture_output=True, text=True)
        return trouble(take) or judge(folder, hold)


def main(program):
    with tempfile.TemporaryDirectory() as name:
        ear = pathlib.Path(name) / "ear"
        compiler = next(filter(shutil.which, ("cc", "clang")), None)
        if not compiler:
            print("skip  hand-over at the ear: no C compiler (Debian: apt-get install gcc)")
            return 0
        subprocess.run([compiler, "-O2", "-o", ear, HERE / "handover_ear.c", "-ljack"], check=True)
        furnish(pathlib.Path(name))

        def judged(number, server, hold):
            # The few kills are distributed over all kinds.
            return f"{server}, --hold {hold}", *until_whole(f"{server}, {hold}", lambda: rehearse(program, ear, server, hold, KILLS * number))
        takes = [(number, server, hold) for number, (server, hold) in enumerate((server, hold) for server in SERVERS for hold in HOLDS)]
        return tally("hand-over at the ear", side_by_side(judged, takes, hands=1 if KILLS == 40 else 2))


if __name__ == "__main__":
    enter(__doc__, main, perform)

#!/usr/bin/env python3
"""Tests `proscenium desktop` in a private PipeWire with WirePlumber, pipewire-pulse if it is installed, and pw-play,
mpv and ffmpeg as players: refusal of sinks that are not known to be headphones and of the own sink; the sink as others
see it; the right loudspeaker for every channel of 2.0, 5.1 (side and rear) and 7.1; the ears against `render` of the
same file, bit for bit, with every step of the lag noted; the true peak of eight coherent channels at full scale;
PipeWire, WirePlumber and the session killed in turn (with PROSCENIUM_SOAK=1 thirty times each); a default sink that the
user changes; four programs with rules, and the levels of their ways; headphones that disappear and return; connections
into the own sink; other layouts; and that `off` leaves nothing.

usage: desktop.py PROGRAM
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import wave

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav
from planted import cache
from portplay import Surface
from servers import QUIET, PipeWire, runs, until
from takes import PATIENCE, RATE, Complaint, disturbed, enter, free_ports, tally

SOAK = os.environ.get("PROSCENIUM_SOAK") == "1"
SESSION, SINK, PHONES = "proscenium-desktop", "proscenium.7.1", "phones"
PORT = str(free_ports(1)[0])
CHANNELS = ["FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR"]
#: Layouts of programmes: channel mask, and the inputs of a 7.1 session at which the channels arrive, in the file's
#: order.
MAPS = {"2.0": (0x3, ["FL", "FR"]), "5.1 rear": (0x3F, ["FL", "FR", "FC", "LFE", "BL", "BR"]),
        "5.1 side": (0x60F, ["FL", "FR", "FC", "LFE", "SL", "SR"]), "7.1": (0x63F, CHANNELS)}
#: Seconds of sound in each channel of a programme of MAPS, and of the programme whose recording is compared.
SLOT, LONG = 0.5, 8
#: Frames of a window in which the recording is compared.
WINDOW = RATE // 4
#: Seconds after which a player that is linked and runs without sound is restarted.
STUCK = 20
#: Properties of simulated headphones.
HEADPHONES = ('{ factory.name=support.null-audio-sink node.name=phones node.description="My phones" media.class=Audio/Sink '
              "audio.position=[ FL FR ] device.form-factor=headphone priority.driver=9000 node.pause-on-idle=false "
              "object.linger=true }")


class Desktop:
    """The desktop in a sandbox: its server, the program, and a folder."""

    def __init__(self, program, folder):
        self.program, self.folder, self.server = program, folder, PipeWire()
        self.pulse = None

    def say(self, *words):
        """Runs the program; returns its exit status and its output."""
        run = subprocess.run([self.program, *words], capture_output=True, text=True, timeout=3 * PATIENCE, check=False, cwd=self.folder,
                             stdin=subprocess.DEVNULL)
        return run.returncode, run.stdout + run.stderr

    def on(self, *words):
        code, said = self.say("desktop", "on", "--control", PORT, *words)
        if code != 0:
            raise Complaint(f"'desktop on {' '.join(words)}' ended with {code}: {said[-600:]}; {self.messages[-600:]}")

    @property
    def report(self):
        code, said = self.say("desktop", "status", "--json")
        if code != 0:
            raise Complaint(f"'desktop status' ended with {code}: {said}")
        return json.loads(said)

    @property
    def state(self):
        """The session's state; {} without an answer."""
        code, said = self.say("status", "--json", "--to", SESSION)
        return json.loads(said) if code == 0 and said.startswith("{") else {}

    @property
    def messages(self):
        path = pathlib.Path(os.environ["XDG_RUNTIME_DIR"]) / "proscenium/desktop.log"
        return path.read_text() if path.exists() else ""

    @property
    def process(self):
        """Process id of the session; None without one."""
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if entry.name.isdigit() and b"--desktop" in words and words[0].endswith(b"proscenium") and \
                        os.environ["XDG_RUNTIME_DIR"].encode() in (entry / "environ").read_bytes():
                    return int(entry.name)
            except OSError:
                continue
        return None

    def heard(self):
        """Whether the sink is heard at the headphones, by PipeWire's links."""
        found = self.report
        return found.get("sinkExists") and found.get("isHeard") and found.get("earsConnected") and found.get("playback") == "playing"


def objects():
    """Returns PipeWire's objects."""
    run = subprocess.run(["pw-dump", "-N"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    # A second array follows if an object changes meanwhile; then all are requested again.
    try:
        return json.loads(run.stdout) if run.returncode == 0 else []
    except ValueError:
        time.sleep(0.05)
        return objects()


def nodes(name):
    """Returns the properties of the nodes with a name."""
    return [o["info"]["props"] for o in objects()
            if o["type"].endswith(":Node") and o.get("info") and o["info"]["props"].get("node.name") == name]


def links():
    run = subprocess.run(["pw-link", "-l"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    return run.stdout


def chosen():
    """Returns the name of the default sink that the user has chosen, and of the one in use."""
    for o in objects():
        if o["type"].endswith(":Metadata") and o.get("props", {}).get("metadata.name") == "default":
            values = {entry["key"]: entry["value"].get("name") for entry in o["metadata"] if isinstance(entry["value"], dict)}
            return values.get("default.configured.audio.sink"), values.get("default.audio.sink")
    return None, None


def choose(name):
    subprocess.run(["pw-metadata", "0", "default.configured.audio.sink", json.dumps({"name": name}), "Spa:String:JSON"], check=True,
                   timeout=PATIENCE, **QUIET)
    until(f"'{name}' is the default", lambda: chosen()[0] == name)


def plug():
    """Plugs the headphones in."""
    subprocess.run(["pw-cli", "create-node", "adapter", HEADPHONES], check=True, timeout=PATIENCE, **QUIET)
    until("the headphones have ports", lambda: "phones:playback_FR" in inputs())


def unplug():
    for node in nodes(PHONES):
        subprocess.run(["pw-cli", "destroy", str(node["object.id"])], check=True, timeout=PATIENCE, **QUIET)


def inputs():
    run = subprocess.run(["pw-link", "-i"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    return run.stdout


def play(path, target=SINK):
    """Returns a process that plays a file to a sink, given by its name."""
    serial = str(nodes(target)[0]["object.serial"])
    return subprocess.Popen(["pw-play", "--target", serial, str(path)], **QUIET)


def refused(desktop):
    code, said = desktop.say("desktop", "on")
    if code != 2 or "desktop on --output system" not in said:
        return False, f"without headphones: {code}, {said}"
    own, told = desktop.say("desktop", "on", "--output", SINK)
    code, no = desktop.say("desktop", "on", "--output", "nothing")
    state, off = desktop.say("desktop", "status")
    well = own == 2 and "back into its input" in told and code == 2 and "these work" in no and state == 0 and off.strip() == "off"
    return well, "loudspeakers, the own sink and unknown names are refused, with the line to type" if well else f"{told} {no} {off}"


def begun(desktop):
    """Switches the sink on, as the default."""
    plug()
    desktop.on("--default")
    until("the sink is the default", lambda: chosen() == (SINK, SINK))
    found = desktop.report
    well = found["on"] and found["serviceRuns"] and found["isDefault"] and desktop.heard() and found["output"] == PHONES
    return well, f"played by a {found['service']} of its own to {found['output']}, period {found.get('period')}" if well else f"{found}"


def seen(desktop):
    """Checks the sink as pactl, wpctl and mpv show it."""
    words = {}
    words["wpctl"] = "Proscenium 7.1" in subprocess.run(["wpctl", "status"], capture_output=True, text=True, check=False).stdout
    if desktop.pulse:
        said = subprocess.run(["pactl", "list", "sinks"], capture_output=True, text=True, check=False).stdout
        part = next((part for part in said.split("Sink #") if f"Name: {SINK}" in part), "")
        want = "front-left,front-right,front-center,lfe,rear-left,rear-right,side-left,side-right"
        words["pactl"] = f"Channel Map: {want}" in part and "Description: Proscenium 7.1" in part
    if shutil.which("mpv"):
        said = subprocess.run(["mpv", "--no-config", "--audio-device=help"], capture_output=True, text=True, check=False).stdout
        words["mpv"] = SINK in said
    return all(words.values()), ", ".join(name if well else f"NOT {name}" for name, well in words.items())


def maps(desktop, player):
    """Checks at which loudspeaker each channel of each programme is loudest."""
    rng = np.random.default_rng(7)
    said, surface = [], Surface(PORT)
    for name, (mask, inputs) in MAPS.items():
        frames = int(SLOT * RATE)
        sound = np.zeros((frames * len(inputs), len(inputs)))
        for channel in range(len(inputs)):
            sound[channel * frames:(channel + 1) * frames, channel] = 0.2 * rng.standard_normal(frames)
        path = desktop.folder / "map.wav"
        floatwav.write(path, sound, RATE, mask)
        # The meters must first fall after the earlier programme.
        until("the meters are down", lambda: max(json.loads(surface.ask("/proscenium/status"))["inputPeaks"]) < -60)
        process, order, seen_last, count = player(path), [], None, 0
        try:
            while process.poll() is None:
                found = json.loads(surface.ask("/proscenium/status"))["inputPeaks"]
                loudest = CHANNELS[int(np.argmax(found))] if max(found) > -40 else None
                seen_last, count = loudest, count + 1 if loudest == seen_last else 1
                # At a change the former channel's meter still falls.
                if loudest and count == 4 and (not order or order[-1] != loudest):
                    order.append(loudest)
                time.sleep(0.02)
        finally:
            process.kill()
            process.wait()
        # In 7.1, PipeWire plays the surrounds of 5.1 at the backs or at the sides: both are accepted.
        want = [side.replace("B", "S", 1) if name.startswith("5.1") else side for side in inputs]
        got = [side.replace("B", "S", 1) if name.startswith("5.1") else side for side in order]
        if got != want:
            return disturbed(), f"{name} at {' '.join(order)}, not {' '.join(inputs)}"
        said.append(f"{name} at {' '.join(order)}")
    return True, "; ".join(said)


def only_two(desktop, player):
    """Checks that a stereo programme arrives at two inputs only, although PipeWire would spread it over all."""
    rng, surface = np.random.default_rng(8), Surface(PORT)
    frames = 6 * RATE
    sound = 0.1 * (rng.standard_normal((frames, 2)) + rng.standard_normal((frames, 1)))
    floatwav.write(desktop.folder / "two.wav", sound, RATE, 0x3)
    until("the meters are down", lambda: max(json.loads(surface.ask("/proscenium/status"))["inputPeaks"]) < -60)
    process, found = player(desktop.folder / "two.wav"), []
    try:
        while process.poll() is None:
            peaks = json.loads(surface.ask("/proscenium/status"))["inputPeaks"]
            if min(peaks[:2]) > -40:
                found.append(max(peaks[2:]))
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    # At first PipeWire spreads the programme, until the program has seen the stream; then the meters fall.
    if not found:
        return False, "stereo is not heard at FL and FR"
    return min(found) < -60, f"stereo at FL and FR; the others at {found[0]:.0f} dB at first, {min(found):.0f} later"


def by_mpv(path):
    return subprocess.Popen(["mpv", "--no-config", "--no-video", "--ao=pipewire", f"--audio-device=pipewire/{SINK}",
                             "--audio-channels=auto", str(path)], **QUIET)


class Programs:
    """Programs that play noise into the default sink, each with the name and the role of an application."""

    def __init__(self, desktop):
        self.path, self.running = desktop.folder / "program.wav", []
        noise = np.random.default_rng(11).integers(-8000, 8000, (8 * 60 * 8000, 2), dtype=np.int16)
        with wave.open(str(self.path), "wb") as file:
            file.setparams((2, 2, 8000, 0, "NONE", ""))
            file.writeframes(noise.tobytes())

    def begin(self, name, role="Music"):
        properties = f'{{ application.name = "{name}" node.name = "{name}" }}'
        self.running.append(subprocess.Popen(["pw-play", "-P", properties, "--media-role", role, str(self.path)], **QUIET))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()


def sinks_of(name):
    """Returns the names of the sinks that a program's stream is linked to."""
    found, is_own = set(), False
    for line in links().splitlines():
        if not line.startswith(" "):
            is_own = line.startswith(f"{name}:output_")
        elif is_own and "|->" in line:
            found.add(line.split("|->")[1].strip().rsplit(":", 1)[0])
    return found


def volume(name):
    """Returns the volumes of a sink's first two channels."""
    for o in objects():
        if o["type"].endswith(":Node") and o.get("info") and o["info"]["props"].get("node.name") == name:
            found = [props["channelVolumes"] for props in o["info"]["params"].get("Props", []) if "channelVolumes" in props]
            return found[0][:2] if found else None
    return None


def requested():
    """Returns the sinks of this program that were requested for streams."""
    return [entry["value"] for o in objects() if o["type"].endswith(":Metadata") for entry in o.get("metadata", [])
            if entry["key"] == "target.object" and str(entry["value"]).startswith("proscenium.")]


def ruled(desktop):
    """Checks four programs with rules, one without, and a notification; then other rules, another default sink, and a
    program that the user moves."""
    def rule(*words):
        code, said = desktop.say("desktop", "rule", *words)
        if code != 0:
            raise Complaint(f"'desktop rule {' '.join(words)}' ended with {code}: {said[-400:]}")
        return said

    rule("Alpha", "upmix")
    rule("Beta", "past")
    rule("Gamma", "own", "--place", "60", "--level", "-6")
    rule("--role", "Game", "plain")
    until("the session plays its further inputs", desktop.heard, 2 * PATIENCE)
    if (found := desktop.report["inputs"]) != ["past", "upmix", "gamma"]:
        return False, f"the session has the inputs {found}"
    upmix, past, own = (f"proscenium.input.{name}" for name in ("upmix", "past", "gamma"))
    places = {"Alpha": upmix, "Beta": past, "Gamma": own, "Delta": SINK, "Epsilon": SINK, "Zeta": past}
    roles = {"Delta": "Game", "Zeta": "Notification"}

    def at(names):
        return all(sinks_of(name) == {places[name]} for name in names)

    def arrive(what, names=places, patience=PATIENCE):
        try:
            until(what, lambda: at(names), patience)
        except Complaint as complaint:
            found = {name: sorted(sinks_of(name)) for name in names}
            raise Complaint(f"{complaint}: {found}; requested: {requested()}; default: {chosen()}") from None

    with Programs(desktop) as programs:
        for name in places:
            programs.begin(name, roles.get(name, "Music"))
        arrive("each program is at the sink of its rule")
        surface = Surface(PORT)

        def sounds():
            peaks = json.loads(surface.ask("/proscenium/status"))["inputPeaks"]
            return all(max(peaks[first:first + 2]) > -40 for first in (0, 8, 10, 12))
        until("each input has sound", sounds)
        listed = json.loads(desktop.say("desktop", "streams", "--json")[1])
        ways = {stream["application"]: stream.get("way") for stream in listed}
        if ways != {"Alpha": "upmix", "Beta": "past", "Gamma": "own", "Delta": "plain", "Epsilon": None, "Zeta": "past"}:
            return False, f"'desktop streams' says {ways}"
        # The volume of the further sinks follows that of the main one.
        number = str(nodes(SINK)[0]["object.id"])
        subprocess.run(["wpctl", "set-volume", number, "50%"], check=True, timeout=PATIENCE, **QUIET)
        until("the main sink is half as loud", lambda: volume(SINK) and max(volume(SINK)) < 0.9)
        until("the others are too", lambda: all(volume(name) == volume(SINK) for name in (upmix, past, own)))
        subprocess.run(["wpctl", "set-volume", number, "100%"], check=True, timeout=PATIENCE, **QUIET)
        # The default rule changes, which applies to all programs without a rule of their own.
        rule("--default", "upmix")
        places["Epsilon"] = upmix
        arrive("the program without a rule is upmixed, the others stay")
        # A program that the user has moved stays when the rules of others change.
        node, phones = nodes("Epsilon")[0], nodes(PHONES)[0]
        subprocess.run(["pw-metadata", str(node["object.id"]), "target.object", str(phones["object.serial"]), "Spa:Id"],
                       check=True, timeout=PATIENCE, **QUIET)
        places["Epsilon"] = PHONES
        arrive("the program is where it was moved")
        rule("--role", "Movie", "past")
        time.sleep(1)
        if not at(places):
            return False, f"after a rule for others, the program that was moved is at {sinks_of('Epsilon')}"
        # The user's default sink takes the programs without a rule of their own.
        choose("system")
        places["Delta"] = "system"
        arrive("programs follow the default sink, those with rules stay", ("Alpha", "Beta", "Gamma", "Delta"))
        choose(SINK)
        places["Delta"] = SINK
        arrive("they return with it")
        rule("--clear")
        until("the session plays without them", desktop.heard, 2 * PATIENCE)
        places.update({name: SINK for name in ("Alpha", "Beta", "Gamma")})
        arrive("the programs are in the main sink, the notification is not", ("Alpha", "Beta", "Gamma", "Zeta"), 2 * PATIENCE)
    found = desktop.report["inputs"]
    return found == ["past"], "four at the sinks of their rules; default, default sink and hand as said" if found == ["past"] else f"{found}"


def alike(desktop):
    """Checks the level at the ears of one stereo programme on each way."""
    code, said = desktop.say("desktop", "rule", "--role", "Production", "upmix")
    if code != 0:
        return False, said
    until("the session plays an upmix", desktop.heard, 2 * PATIENCE)
    # Pink noise whose channels are partly correlated, as in music.
    rng, frames = np.random.default_rng(12), 3 * RATE
    pink = 1 / np.sqrt(np.maximum(1, np.arange(frames // 2 + 1)))
    parts = [np.fft.irfft(np.fft.rfft(rng.standard_normal(frames)) * pink, frames) for _ in range(3)]
    sound = np.column_stack([parts[0] + parts[2], parts[1] + parts[2]])
    floatwav.write(desktop.folder / "alike.wav", 0.05 * sound / np.sqrt(np.mean(sound ** 2)), RATE, 0x3)
    found = {}
    for way, sink in (("plain", SINK), ("upmix", "proscenium.input.upmix"), ("past", "proscenium.input.past")):
        ears, _ = recorded(desktop, f"alike-{way}.wav", lambda: play(desktop.folder / "alike.wav", sink), 3 + PATIENCE)
        power = np.mean(ears ** 2, axis=1)
        loud = np.flatnonzero(power > 1e-9)
        if len(loud) < RATE:
            return disturbed(), f"{way}: no sound"
        found[way] = 10 * np.log10(np.mean(power[loud[0] + RATE // 2:loud[-1] - RATE // 2]))
    desktop.say("desktop", "rule", "--clear")
    until("the session plays without an upmix", desktop.heard, 2 * PATIENCE)
    text = ", ".join(f"{way} {level - found['plain']:+.1f} dB" for way, level in found.items())
    return max(found.values()) - min(found.values()) <= 4, f"stereo at the ears: {text}"


def recorded(desktop, name, player, patience):
    """Plays a file while the ears are recorded; returns the recording, and the steps of the lag noted meanwhile."""
    before = desktop.state["lagSteps"]
    path = desktop.folder / name
    code, said = desktop.say("ctl", "record", "start", str(path), "--to", SESSION)
    if code != 0:
        raise Complaint(f"no recording: {said}")
    process = player()
    try:
        process.wait(timeout=patience)
    finally:
        process.kill()
    time.sleep(0.3)
    code, said = desktop.say("ctl", "record", "stop", "--to", SESSION)
    if code != 0:
        raise Complaint(f"no end of the recording: {said}")
    after = desktop.state["lagSteps"]
    return floatwav.read(path)[0], {key: after[key] - before[key] for key in after}


def lag_of(ears, render, first, lowest, highest):
    """Returns the lag, in `lowest...highest`, of a window of the render in the recording."""
    part = render[first:first + 1024, 0]
    ahead = ears[first + lowest:first + highest + 1024, 0]
    size = 1 << int(np.ceil(np.log2(len(ahead) + 1024)))
    found = np.fft.irfft(np.fft.rfft(ahead, size) * np.conj(np.fft.rfft(part, size)), size)
    return lowest + int(np.argmax(found[:max(1, len(ahead) - 1023)]))


def compared(desktop):
    """Compares the ears with `render` of the same file: the bits are the same in windows without a step of the lag."""
    rng = np.random.default_rng(3)
    sound = 0.02 * rng.standard_normal((LONG * RATE, 8))
    floatwav.write(desktop.folder / "noise.wav", sound, RATE, 0x63F)
    code, said = desktop.say("render", "noise.wav", "render.wav", "--layout", "7.1", "--limiter", "lookahead", "--gain=-3", "--overwrite")
    if code != 0:
        return False, said
    render = floatwav.read(desktop.folder / "render.wav")[0]
    ears, told = recorded(desktop, "ears.wav", lambda: play(desktop.folder / "noise.wav"), LONG + PATIENCE)
    lag, same, steps, stepped, windows = None, 0, 0, 0, 0
    for first in range(WINDOW, LONG * RATE - 2 * WINDOW, WINDOW):
        # After a disturbed window the lag may have any value.
        near = lag is not None and same == windows
        found = lag_of(ears, render, first, lag - 8192 if near else 0, lag + 8192 if near else len(ears) - len(render) + RATE)
        windows += 1
        # The window is compared at the lag of its first frames, and at the lag of the last window that was as rendered.
        for at in [found] if lag is None else [found, lag]:
            if np.array_equal(ears[first + at:first + at + WINDOW], render[first:first + WINDOW]):
                same += 1
                if lag is not None and at != lag:
                    steps, stepped = steps + 1, stepped + abs(at - lag)
                lag = at
                break
    disturbed_windows = windows - same
    said = (f"{same} of {windows} windows have the bits of render; {steps} steps of {stepped} frames in all; told: {told['count']} steps, "
            f"{told['skippedFrames']} frames skipped, {told['emptyFrames']} empty")
    # Each step, and each window without the bits of render, is noted.
    lost = told["skippedFrames"] + told["emptyFrames"]
    well = same > 0 and steps <= told["count"] and stepped <= lost and disturbed_windows <= 2 * told["count"]
    return well, said


def peaks(desktop):
    """Checks the true peak of eight coherent channels at full scale."""
    t = np.arange(2 * RATE) / RATE
    loud = np.sign(np.sin(2 * np.pi * 997 * t)) * np.minimum(1, t * 4)
    floatwav.write(desktop.folder / "loud.wav", np.column_stack([loud] * 8), RATE, 0x63F)
    ears, _ = recorded(desktop, "peaks.wav", lambda: play(desktop.folder / "loud.wav"), 2 + PATIENCE)
    # Four times the rate, through the spectrum of the whole recording, shows peaks between the samples too.
    length = 1 << int(np.ceil(np.log2(len(ears))))
    highest = 0.0
    for ear in range(2):
        spectrum = np.fft.rfft(ears[:, ear], length)
        highest = max(highest, float(np.abs(np.fft.irfft(spectrum, 4 * length)).max() * 4))
    level = 20 * np.log10(highest)
    return -12 < level <= -0.99, f"true peak {level:.2f} dBTP"


def looped(desktop):
    """Checks connections of the ears into the own sink, made by the user."""
    ports = inputs()
    if f"{SINK}:playback_FL" not in ports:
        return False, "the sink has no ports"
    subprocess.run(["pw-link", f"{SESSION}:out_L", f"{SINK}:playback_FL"], check=True, timeout=PATIENCE, **QUIET)
    until("the connection is undone", lambda: links().count(f"|-> {SINK}:playback_FL") == 0 and f"{SESSION}:out_L\n  |-> {SINK}" not in links())
    until("it is told", lambda: "is a feedback loop" in desktop.messages)
    return desktop.heard(), "undone, and told; the headphones stay connected"


def respected(desktop):
    """Checks that a default sink chosen by the user is kept when everything restarts, and by `off`."""
    choose("system")
    os.kill(desktop.process, signal.SIGKILL)
    until("the session is back", desktop.heard, 2 * PATIENCE)
    now = chosen()[0]
    choose(SINK)
    # WirePlumber writes a choice to its file a second later; before, it would not outlive PipeWire.
    time.sleep(3)
    return now == "system", f"after a restart of the session the default is still '{now}'"


class Listener:
    """A program that always plays into the sink: it is restarted whenever it has ended."""

    def __init__(self, desktop):
        self.path, self.process, self.surface = desktop.folder / "long.wav", None, Surface(PORT)
        #: Number of restarts of the player because it was linked and running, and silent.
        self.restarts = 0
        noise = np.random.default_rng(9).integers(-8000, 8000, (30 if SOAK else 5, 60 * 8000, 2), dtype=np.int16)
        with wave.open(str(self.path), "wb") as file:
            file.setparams((2, 2, 8000, 0, "NONE", ""))
            file.writeframes(noise.tobytes())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def hears(self):
        """Whether its sound is heard at the ears. Starts the player if the sink exists and no player runs."""
        if self.process is None or self.process.poll() is not None:
            if not nodes(SINK):
                return False
            self.process = play(self.path)
        try:
            state = json.loads(self.surface.ask("/proscenium/status", patience=1))
        except (OSError, ValueError, RuntimeError):
            return False
        if "inputPeaks" not in state:
            return False  # The session is being built.
        # The meters fall slowly; the links show whether their values are current.
        joined = links()
        return min(state["inputPeaks"][:2]) > -40 and min(state["outputPeaks"]) > -60 and all(
            f"{one}\n  |-> {other}" in joined for one, other in
            [("pw-play:output_FL", f"{SINK}:playback_FL"), (f"{SINK}:monitor_FL", f"{SESSION}:in_FL"),
             (f"{SESSION}:out_L", f"{PHONES}:playback_FL")])


def killed(desktop, what, listener):
    """Kills one of the servers or the session; returns the seconds until the listener hears the sink again."""
    began = time.monotonic()
    if what == "session":
        old = desktop.process
        os.kill(old, signal.SIGKILL)
        until("it ends", lambda: not runs(old))
    elif what == "pipewire":
        desktop.server.end(random.choice([signal.SIGKILL, signal.SIGTERM]))
        desktop.server.start(RATE, 256)
        began = time.monotonic()
    else:
        manager = desktop.server.manager
        manager.kill()
        manager.wait()
        desktop.server.manager = subprocess.Popen(["wireplumber"], **QUIET)
    try:
        until("sound", listener.hears, STUCK)
    except Complaint:
        # pw-play 0.3.65 may run on without data after its links were lost: all is linked and runs, but silent.
        report = desktop.report
        if not desktop.heard():
            raise Complaint(f"no sound after {what} was killed: {report}") from None
        listener.stop()
        listener.restarts += 1
        until(f"sound after {what} was killed and the player begun again: {report}", listener.hears, 2 * PATIENCE)
        return None
    seconds = time.monotonic() - began
    until(f"all connections after {what} was killed", desktop.heard, 2 * PATIENCE)
    return seconds


def returned(desktop):
    """Checks that the sound returns after PipeWire, WirePlumber and the session are killed in random order."""
    conf = pathlib.Path(os.environ["XDG_CONFIG_HOME"]) / "pipewire/pipewire.conf.d/20-phones.conf"
    conf.write_text('context.objects = [ { factory = adapter args = ' + HEADPHONES + " } ]\n")
    # The first server is the sandbox's, whose session manager this check cannot end.
    with Listener(desktop) as listener:
        return kills(desktop, listener)


def kills(desktop, listener):
    """Kills the servers and the session in random order while a player plays."""
    until("sound", listener.hears)
    killed(desktop, "pipewire", listener)
    memory = resident(desktop.process)
    plan = ["pipewire", "wireplumber", "session"] * (30 if SOAK else 1)
    random.Random(5).shuffle(plan)
    delays = {}
    for what in plan:
        if (seconds := killed(desktop, what, listener)) is not None:
            delays.setdefault(what, []).append(seconds)
        if len(nodes(SINK)) != 1:
            return False, f"{len(nodes(SINK))} sinks after {what} was killed"
        # The session manager restores the choice from its own file, at any time after its start.
        until(f"the sink is the default again after {what} was killed", lambda: chosen()[0] == SINK)
    whole = sorted(sum(delays.values(), []))
    return not SOAK or np.median(whole) <= 2 and whole[-1] <= 5, "heard again after " + ", ".join(
        f"{what} {np.median(found):.2f} s ({max(found):.2f} at most)" for what, found in sorted(delays.items())) + (
        f"; all {np.median(whole):.2f} s ({whole[-1]:.2f} at most); {listener.restarts} times the player was stuck; memory {memory} MB, {resident(desktop.process)} MB")


def resident(process):
    """Returns a process's resident memory, MB."""
    return int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1]) >> 8


def unplugged(desktop):
    """Checks headphones that disappear: the output is muted, and continues if the same ones return in time."""
    unplug()
    until("the ears are held", lambda: desktop.report.get("playback") == "held")
    elsewhere = f"{SESSION}:out_L\n  |->" in links()
    plug()
    until("the ears play", desktop.heard)
    return not elsewhere, "held while they are away, connected nowhere else, and playing when they are back"


def another(desktop):
    """Checks other layouts, set up while one plays: the sink is replaced, and stays the default."""
    for layout, last in (("stereo", "FR"), ("7.1.4", "TRR")):
        desktop.on("--layout", layout)
        name = f"proscenium.{layout}"
        until(f"'{name}' is the default", lambda: chosen()[0] == name)
        if nodes(SINK) or len(nodes(name)) != 1 or f"{name}:playback_{last}" not in inputs() or not desktop.heard():
            return False, f"{layout}: {desktop.report}"
    return True, "stereo and 7.1.4 take the place of 7.1, as the default"


def unharmed(desktop):
    """Checks that a set-up that fails leaves the former one playing, as the default."""
    before = chosen()
    code, said = desktop.say("desktop", "on", "--control", PORT, "--hrtf", "/nowhere.sofa")
    until("the former set-up plays again", desktop.heard)
    until("the default is as before", lambda: chosen() == before)
    well = code != 0 and "/nowhere.sofa" in said and "former setup is restored" in said
    return well, "a set that is missing is told, and what played before plays again" if well else f"{code}: {said[-300:]}"


def gone(desktop, former):
    """Checks that `off` leaves nothing but the rules, and that `rule --clear` removes these."""
    code, said = desktop.say("desktop", "rule", "Alpha", "past")
    if code != 0:
        return False, said
    code, said = desktop.say("desktop", "off")
    asked = requested()
    # The rules are the user's, and stay; then they are removed too.
    rules, _ = desktop.say("desktop", "rule", "--clear")
    own = [o for o in objects() if o["type"].endswith(":Node") and o.get("info")
           and o["info"]["props"].get("node.name", "").startswith("proscenium.")]
    left = sorted(str(path.relative_to(home)) for home in homes() for path in home.rglob("*") if path.is_file() and kept(path))
    found = {"exit": code == rules == 0, "sinks": not own, "requests": not asked, "session": not nodes(SESSION) and desktop.process is None,
             "links": SESSION not in links() and SINK not in links(), "default": chosen()[0] == former, "files": left == desktop.before}
    well = all(found.values())
    return well, "no sink, no process, no link, no file; the default as before" if well else (
        f"{[name for name, good in found.items() if not good]}: {said} {chosen()} {[path for path in left if path not in desktop.before]}")


def homes():
    return [pathlib.Path(os.environ[name]) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")]


def kept(path):
    """Whether a file counts: not those of PipeWire and WirePlumber, nor of this check."""
    return "wireplumber" not in path.parts and "pipewire.conf.d" not in path.parts and not path.name.startswith(("pipewire", "bus")) \
        and path.name != "lock" and "pulse" not in path.parts


def perform(program, folder):
    os.environ["PROSCENIUM_CACHE"] = cache(folder / "cache")
    desktop = Desktop(program, folder)
    desktop.before = sorted(str(path.relative_to(home)) for home in homes() for path in home.rglob("*") if path.is_file() and kept(path))
    if shutil.which("pipewire-pulse") and shutil.which("pactl"):
        desktop.pulse = subprocess.Popen(["pipewire-pulse"], **QUIET)
        until("pipewire-pulse answers", lambda: subprocess.run(["pactl", "info"], check=False, **QUIET).returncode == 0)
    parts = [("refused", lambda: refused(desktop)), ("on", lambda: begun(desktop)), ("seen", lambda: seen(desktop)),
             ("channels, pw-play", lambda: maps(desktop, play))]
    parts.append(("stereo, pw-play", lambda: only_two(desktop, play)))
    if shutil.which("mpv"):
        parts += [("channels, mpv", lambda: maps(desktop, by_mpv)), ("stereo, mpv", lambda: only_two(desktop, by_mpv))]
    parts += [("ears", lambda: compared(desktop)), ("peaks", lambda: peaks(desktop)), ("into itself", lambda: looped(desktop)),
              ("the user's default", lambda: respected(desktop)), ("rules", lambda: ruled(desktop)),
              ("loudness", lambda: alike(desktop)), ("headphones", lambda: unplugged(desktop)),
              ("killed", lambda: returned(desktop)),
              ("layouts", lambda: another(desktop)), ("failed", lambda: unharmed(desktop)), ("off", lambda: gone(desktop, None))]

    def outcomes():
        for name, part in parts:
            try:
                yield name, *part()
            except (Complaint, OSError, subprocess.SubprocessError, KeyError, IndexError) as complaint:
                yield name, False, f"{type(complaint).__name__} {complaint}; {desktop.messages[-400:]}"
    try:
        return tally("desktop", outcomes())
    finally:
        desktop.say("desktop", "off")
        for process in (desktop.pulse, desktop.server.process, desktop.server.manager):
            if process:
                process.kill()


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([*PipeWire.sandbox(), sys.executable, __file__, "--inside", program, folder], check=False).returncode


if __name__ == "__main__":
    enter(__doc__, main, perform)

#!/usr/bin/env python3
"""Tests plugins while a stage plays on a JACK server: their latency is reported to other clients, exactly and in both
directions; faulty plugins are named, bypassed and restored while the rest continues to play; states, files and
properties survive a move to another folder; a save cut off by SIGKILL leaves the old chains or the new ones; and
temporary folders are removed with their session, or by the next one after SIGKILL.

usage: plugins_live.py PROGRAM     (three kills; PROSCENIUM_SOAK=1: two hundred)
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

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav
from planted import AHEAD, AMP, CONVOLVER, DPL, PARAMS, SAMPLER, plant, uri, use
from portplay import Patchbay
from takes import PATIENCE, RATE, Complaint, Stage, enter, free_ports, tally, trouble, until_whole

PORT = str(free_ports(1)[0])
KILLS = 200 if os.environ.get("PROSCENIUM_SOAK") == "1" else 3
SEED = 15
EARS = ["proscenium:out_L", "proscenium:out_R"]


def furnish(folder):
    t = np.arange(RATE) / RATE
    floatwav.write(folder / "tones.wav", np.column_stack([0.05 * np.sin(2 * np.pi * 220 * t)] * 6), RATE)
    random = np.random.default_rng(3)
    for name in ("sample", "ir"):
        floatwav.write(folder / f"{name}.wav", 0.2 * random.standard_normal(RATE // 5), RATE)
    plant(folder / "planted", "not-a-number", ("after", 0, 4800, 48000))
    plant(folder / "planted", "growing")
    plant(folder / "planted", "sleep")


def say(stage, *words):
    """Sends the stage a plugin command, which must not be refused."""
    # Options come before values that may begin with a sign.
    answer = subprocess.run([stage.program, "ctl", "plugin", words[0], "--port", stage.port, *map(str, words[1:])],
                            cwd=stage.folder, capture_output=True, text=True)
    if answer.returncode != 0:
        raise Complaint(f"ctl plugin {' '.join(map(str, words))}: {answer.stderr.strip()[-300:]}")
    return answer.stdout


def listed(stage):
    """Returns the list of `ctl plugin list`, by name."""
    found = json.loads(say(stage, "list", "--json"))
    return {plugin["name"]: plugin for plugin in (found if isinstance(found, list) else found["plugins"])}


def until(what, condition):
    """Waits for an expected state, with the timeout of a busy machine."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() > end:
            raise Complaint(f"{what}: not within {PATIENCE} s")
        time.sleep(0.05)
    return found


class Latency:
    """Increase of the latency of the stage's ports since its creation, read by a separate client."""

    def __init__(self):
        self.bay = Patchbay("reader")
        names = subprocess.run(["jack_lsp", "proscenium:in"], capture_output=True, text=True, check=True).stdout.split()
        #: (port, 0: capture latency, 1: playback latency)
        self.ends = [(port, 0) for port in EARS] + [(port, 1) for port in names]
        if len(names) != 8:
            raise Complaint(f"the inputs are {names}")
        self.first = self.read()

    def read(self):
        return [self.bay.latency(port)[direction] for port, direction in self.ends]

    def added(self):
        """Returns the increase that all ports have, frames; None if it differs between them."""
        both = {now - then for new, old in zip(self.read(), self.first) for now, then in zip(new, old)}
        return both.pop() if len(both) == 1 else None

    def comes_to(self, frames):
        until(f"all ports {frames} frames later, now {self.read()}, at first {self.first}", lambda: self.added() == frames)


def latency(program, folder):
    with Stage(program, folder, PORT, "ears", "--input", "talk=stereo", "--connect-out", "system:playback_{1,2}") as stage:
        stage.loop("tones.wav")
        bay = Patchbay()
        bay.connect("system:capture_1", "proscenium:in_FC")
        bay.close()
        told = Latency()
        if told.first[0][1] == 0 or told.first[2][0] == 0:
            raise Complaint(f"the server's own latency is not passed on: {told.first}")
        steps = [(240, "add", f"talk={AHEAD},name=ahead"), (304, "add", f"talk={DPL},name=dpl"), (304, "bypass", "ahead", "on"),
                 (304, "bypass", "dpl", "on"), (304, "bypass", "ahead", "off"), (304, "add", f"main={DPL},name=other"),
                 (64, "remove", "ahead"), (128, "add", f"ears={DPL},name=last"), (368, "add", f"main/FC={AHEAD},name=centre"),
                 (368, "bypass", "centre", "on"), (128, "remove", "centre"), (128, "remove", "dpl"), (64, "remove", "other"),
                 (0, "remove", "last")]
        before = 0
        for frames, *words in steps:
            say(stage, *words)
            told.comes_to(frames)
            # An unchanged latency must also stay unchanged during a fade.
            for _ in range(10 if frames == before else 1):
                if told.added() != frames:
                    raise Complaint(f"{' '.join(words)}: {told.added()} frames, not {frames}")
                time.sleep(0.02)
            before = frames
        stage.finish()
    return f"{len(steps)} changes under signal, each exact at {len(told.ends)} ports"


def faults(program, folder):
    words = {"not-a-number": "not a number", "growing": "60 dB above full scale", "sleep": "delayed the audio thread"}
    with Stage(program, folder, PORT, "ears", "--limiter", "off") as stage:
        stage.loop("tones.wav")
        places = dict(zip(words, ("FL", "FR", "FC")))
        for name, place in places.items():
            say(stage, "add", f"{place}={uri(name)},name={name}" + (",after=48000" if name == "not-a-number" else ""))
            fault = until(f"{name} is taken out", lambda: listed(stage)[name].get("fault"))
            if words[name] not in fault:
                raise Complaint(f"{name}: {fault}")
            in_status = {plugin["name"]: plugin.get("fault") for plugin in stage.status["plugins"]}
            if in_status[name] != fault:
                raise Complaint(f"{name} in the status: {in_status}")
        others = [name for name in places if listed(stage)[name].get("fault") is None]
        if others:
            raise Complaint(f"taken back unasked: {others}")
        # This plugin works for a second after its creation.
        say(stage, "restart", "not-a-number")
        if listed(stage)["not-a-number"].get("fault") is not None:
            raise Complaint("a plugin that was made anew is still taken out")
        until("a plugin that was taken back misbehaves again", lambda: listed(stage)["not-a-number"].get("fault"))
        for name in places:
            say(stage, "remove", name)
        stage.finish()
    ears, _ = floatwav.read(folder / "ears.wav")
    if not np.all(np.isfinite(ears)):
        raise Complaint("the ears hear what is no number")
    peaks = np.abs(ears[:len(ears) // 4800 * 4800]).max(1).reshape(-1, 4800).max(1)
    peaks = peaks[np.flatnonzero(peaks > 0.001)[0] + 1:-1]
    usual = np.median(peaks)
    if peaks.min() < 0.25 * usual:
        raise Complaint(f"the sound stopped: {20 * np.log10(peaks.min() / usual):.1f} dB at its softest")
    return f"{', '.join(words)} named, taken out, taken back; all else at {20 * np.log10(peaks.min() / usual):+.1f} dB and more"


def heard_sample(folder, take):
    """Returns the recording of the ears from the first sound on."""
    ears, _ = floatwav.read(folder / f"{take}.wav")
    sounding = np.flatnonzero(np.any(ears, 1))
    return ears[sounding[0]:sounding[-1] + 1] if len(sounding) else ears[:0]


def strike(stage, take):
    """Plays the sampler by MIDI until its sound has ended."""
    say(stage, "midi", "sampler", 0x90, 60, 100)
    until("the sampler is heard", lambda: max(stage.status["outputPeaks"]) > -60)
    until("the sampler falls silent", lambda: max(stage.status["outputPeaks"]) < -100)
    time.sleep(0.5)
    stage.finish()
    return heard_sample(stage.folder, take)


def states(program, folder):
    values = {"string": "far away", "int": "43", "float": "0.25"}
    (folder / "there").mkdir()
    options = ["--limiter", "off", "--gain", "0"]
    with Stage(program, folder, PORT, "first", *options) as stage:
        stage.status
        stage.ctl("start")
        say(stage, "add", f"ears={SAMPLER},name=sampler")
        say(stage, "add", f"ears={PARAMS},name=params")
        say(stage, "add", f"ears={AMP},name=amp,gain=-12")
        say(stage, "set", "sampler", "sample", folder / "sample.wav")
        for symbol, value in values.items():
            say(stage, "set", "params", symbol, value)
        say(stage, "set", "amp", "gain", "-9")
        # A worker reads files, the audio thread applies values.
        time.sleep(1)
        # After its restart it has its file again.
        say(stage, "restart", "sampler")
        time.sleep(1)
        say(stage, "save", folder / "chains")
        first = strike(stage, "first")
    shutil.move(folder / "chains", folder / "there/moved")
    os.rename(folder / "sample.wav", folder / "away.wav")
    with Stage(program, folder, PORT, "second", "--plugins", "there/moved", *options) as stage:
        stage.status
        stage.ctl("start")
        gain = listed(stage)["amp"]["controls"]["gain"]
        time.sleep(0.5)
        say(stage, "save", folder / "chains-again")
        second = strike(stage, "second")
    os.rename(folder / "away.wav", folder / "sample.wav")
    sound, _ = floatwav.read(folder / "sample.wav")
    if gain != -9:
        raise Complaint(f"the gain came back as {gain}, not -9")
    kept = [(path / "params/state.ttl").read_text() for path in (folder / "there/moved", folder / "chains-again")]
    missing = [value for value in values.values() for text in kept if value not in text]
    if missing:
        raise Complaint(f"properties lost: {missing}: {kept[1][-600:]}")
    if len(first) < 0.9 * len(sound) or first.shape != second.shape or np.any(first != second):
        raise Complaint(f"the sampler plays {len(first)} frames, then {len(second)}, of {len(sound)}")
    factor = np.sum(first[:len(sound), 0] * sound[:len(first), 0]) / np.sum(sound[:len(first), 0] ** 2)
    left = np.sum((first[:len(sound), 0] - factor * sound[:len(first), 0]) ** 2) / np.sum(first[:, 0] ** 2)
    if left > 1e-6:
        raise Complaint(f"what the sampler plays is not the file: {10 * np.log10(left):.0f} dB")
    return f"a sampler's file struck by MIDI, {len(first)} frames the same bits; {', '.join(values)} and a gain as they were"


def cut(program, folder):
    chance = random.Random(SEED)
    chains = folder / "kept"
    begin = [f"main={AMP},name=amp,gain=0", f"main={CONVOLVER},name=convolver,ir={folder}/ir.wav"]
    options, value, news, took = [part for word in begin for part in ("--plugin", word)], 0, 0, None
    for number in range(KILLS + 1):
        with Stage(program, folder, PORT, "take", *options) as stage:
            stage.status
            found = listed(stage)["amp"]["controls"]["gain"]
            if number and found not in (value, value + 1):
                raise Complaint(f"after kill {number} the gain is {found}, neither {value} nor {value + 1}")
            news += number > 0 and found == value + 1
            value = found
            if number == 0:
                begun = time.monotonic()
                say(stage, "save", chains)
                took = time.monotonic() - begun
                options = ["--plugins", str(chains)]
            value = value - 60 if value > 20 else value
            say(stage, "set", "amp", "gain", value)
            say(stage, "save", chains)
            say(stage, "set", "amp", "gain", value + 1)
            saving = subprocess.Popen([program, "ctl", "plugin", "save", "--port", PORT, chains], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 1.5 * took))
            stage.process.kill()
            stage.process.wait()
            saving.kill()
            saving.wait()
        left = [path.name for path in folder.iterdir() if path.name.startswith(".kept")]
        if len(left) > 1:
            raise Complaint(f"left behind: {left}")
    with Stage(program, folder, PORT, "take", *options) as stage:
        stage.status
        if set(listed(stage)) != {"amp", "convolver"}:
            raise Complaint(f"the chains at the end are {listed(stage)}")
    return f"{KILLS} kills within {1500 * took:.0f} ms of the request: always loaded, {news} times the new chains, else the old"


def leavings(program, folder):
    temporary = folder / "temporary"
    temporary.mkdir()
    os.environ["TMPDIR"] = str(temporary)

    def left():
        return sorted(path.name for path in temporary.iterdir() if path.name.startswith("proscenium-"))

    ends = {"quit": None, "SIGTERM": signal.SIGTERM, "SIGKILL": signal.SIGKILL, "a quit after a killed session": None}
    for how, number in ends.items():
        with Stage(program, folder, PORT, "take", "--plugin", f"main={AMP},name=amp,gain=-6") as stage:
            stage.status
            stage.ctl("slice", "128")
            until("a folder of states", left)
            if how != "SIGKILL" and len(left()) > 1:
                raise Complaint(f"while a session runs there are {left()}")
            if number is None:
                stage.finish()
            else:
                stage.process.send_signal(number)
                stage.process.wait(timeout=PATIENCE)
        if how == "SIGKILL" and not left():
            raise Complaint("a killed session leaves no folder: nothing is checked")
        if how != "SIGKILL" and left():
            raise Complaint(f"after {how}: {left()}")
    return f"no folder is left after {', '.join(how for how in ends if how != 'SIGKILL')}"


PARTS = {part.__name__: part for part in (latency, faults, states, cut, leavings)}


def perform(program, folder):
    """Runs one part inside a sandbox. Returns an error, or None."""
    try:
        (folder / "said").write_text(PARTS[(folder / "part").read_text()](program, folder))
    except (Complaint, RuntimeError, OSError) as complaint:
        return str(complaint)
    return None


def rehearse(program, folder, part):
    """Runs one part: returns (whether it passed, None if the server did not start in time; text)."""
    (folder / "part").write_text(part)
    run = subprocess.run([HERE.parent / "jack-sandbox", "--sync", sys.executable, __file__, "--inside", program, folder],
                         capture_output=True, text=True)
    return trouble(run) or (True, (folder / "said").read_text())


def outcomes(program):
    for part in PARTS:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            furnish(folder)
            use(program, folder, folder / "planted")
            yield part, *until_whole(part, lambda: rehearse(program, folder, part))


def main(program):
    return tally("plugins live", outcomes(program))


if __name__ == "__main__":
    enter(__doc__, main, perform)

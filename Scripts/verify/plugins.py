#!/usr/bin/env python3
"""Checks the processing of plugins, without a clock: twelve linked equalisers equal twelve of `lv2apply`, to the bit; a
chain with a worker renders the same bits twice, and live in freewheel; the latency of a plugin delays all other paths
equally, to the sample; a gain is the same in `render`, `run` and `preview`.

usage: plugins.py PROGRAM
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav
from planted import AHEAD, AMP, CONVOLVER, DPL, PARAMETRIC, use
from takes import RATE, Complaint, Missed, Stage, enter, free_ports, tally, trouble, until_whole

SECONDS = 2
PORT = str(free_ports(1)[0])
PERIOD = 256
#: Greatest residue of two sounds that should be equal, dB.
ALIKE = -100.0
#: Gain, and tolerance, dB.
GAIN, NEAR = -6.0, 0.001
DRY = ["--limiter", "off"]


def furnish(folder):
    """Writes noise in twelve, six and two channels, an impulse response, and impulses of six channels, then of two."""
    random = np.random.default_rng(21)
    for channels in (12, 6):
        mask = floatwav.MASK_7_1_4 if channels == 12 else 0
        floatwav.write(folder / f"noise{channels}.wav", 0.05 * random.standard_normal((RATE * SECONDS, channels)), RATE, mask)
    fall = 10 ** (-3 * np.arange(RATE // 4) / (RATE // 4))
    floatwav.write(folder / "ir.wav", 0.05 * random.standard_normal((RATE // 4, 2)) * fall[:, None], RATE)
    six, two = np.zeros((RATE * SECONDS, 6)), np.zeros((RATE * SECONDS, 2))
    for number, channel in enumerate((0, 1, 2, 4, 5)):
        six[4800 + 9600 * number, channel] = 0.25
    for channel in (0, 1):
        two[60_000 + 9600 * channel, channel] = 0.25
    floatwav.write(folder / "six.wav", six, RATE)
    floatwav.write(folder / "two.wav", two, RATE)
    floatwav.write(folder / "eight.wav", np.hstack([six, two]), RATE)


def make(program, folder, command, source, *options, out="out.wav"):
    """Returns the output of `render` or `process`."""
    done = subprocess.run([program, command, source, out, "-y", *options], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Complaint(f"{command} {' '.join(map(str, options))}: {done.stderr.strip()[-300:]}")
    return floatwav.read(folder / out)[0]


def render(program, folder, source, *options, layout="5.1"):
    return make(program, folder, "render", source, "--layout", layout, "--block", str(PERIOD), *DRY, *options)


def plugins(*words):
    return [part for word in words for part in ("--plugin", word)]


def rest(heard, expected):
    """Returns the residue of two sounds that should be equal, dB."""
    size = min(len(heard), len(expected))
    left = np.sum((heard[:size] - expected[:size]) ** 2)
    return 10 * np.log10(max(left, 1e-30) / np.sum(expected[:size] ** 2))


def begins(sound):
    """Returns the frame of the first sound: transforms and some plugins add inaudible noise before it."""
    return int(np.argmax(np.abs(sound).max(1) > 1e-5))


def level(sound, reference):
    return 10 * np.log10(np.sum(sound**2) / np.sum(reference**2))


def equaliser(program, folder):
    controls = {"gain": 6, "fc": 1000, "bw": 1.5}
    words = ",".join([f"main={PARAMETRIC}"] + [f"{symbol}={value}" for symbol, value in controls.items()])
    ours = make(program, folder, "process", "noise12.wav", "--layout", "7.1.4", "--to", "7.1.4", *plugins(words))
    dry, _ = floatwav.read(folder / "noise12.wav")
    for channel in range(12):
        floatwav.write(folder / "one.wav", dry[:, channel], RATE)
        subprocess.run(["lv2apply", "-i", "one.wav", "-o", "one-out.wav", *(word for pair in controls.items() for word in
                        ("-c", *map(str, pair))), PARAMETRIC], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        alone = floatwav.read(folder / "one-out.wav")[0][:, 0]
        different = np.count_nonzero(ours[:len(alone), channel] != alone)
        if different or not np.any(alone != dry[:len(alone), channel]):
            yield "twelve equalisers", False, f"channel {channel}: {different} of {len(alone)} samples differ from lv2apply's"
            return
    yield "twelve equalisers", len(ours) == len(dry), f"{ours.size} samples, each lv2apply's"


def parallel(program, folder):
    """Checks plugins on one loudspeaker: all others are delayed alike, and a file's start is not delayed."""
    plain = render(program, folder, "six.wav")
    for words in ([f"FL={AHEAD}"], [f"main={DPL}"], [f"FL={AHEAD}", f"main={DPL}"], [f"main={AHEAD}", f"ears={DPL}"],
                  [f"FL={AHEAD},bypass=yes"]):
        heard = render(program, folder, "six.wav", *plugins(*words))
        left = rest(heard, plain)
        yield ("rendered with plugins on " + " and ".join(word.split("=")[0] for word in words)
               + (", bypassed" if "bypass" in words[0] else ""), len(heard) == len(plain) and left <= ALIKE,
               f"every loudspeaker where it was, {left:.0f} dB left (at most {ALIKE:g})")


def chain(folder):
    return plugins(f"main={CONVOLVER},ir={folder}/ir.wav,wet=-3,dry=-12", f"main={AMP},gain={GAIN}", f"ears={DPL},gain=3")


def again(program, folder):
    once, twice = (render(program, folder, "noise6.wav", *chain(folder)) for _ in range(2))
    plain = render(program, folder, "noise6.wav")
    different = np.count_nonzero(once != twice)
    yield ("rendered twice", len(once) == len(twice) and different == 0 and rest(once, plain) > -20,
           f"{once.size} samples through a chain with a worker, {different} differ")


def gain(program, folder):
    plain = render(program, folder, "noise6.wav")
    off = level(render(program, folder, "noise6.wav", *plugins(f"main={AMP},gain={GAIN}")), plain) - GAIN
    yield "gain in render", abs(off) <= NEAR, f"{off:+.4f} dB off {GAIN:g} dB (at most {NEAR})"
    inside(program, folder, {"what": "preview", "file": "noise6.wav", "options": plugins(f"main={AMP},gain={GAIN}")})
    live, _ = floatwav.read(folder / "live.wav")
    # Skips of the server remove sound; the noise has the same level throughout.
    window = RATE // 10
    levels = [np.median([np.mean(sound[n:n + window] ** 2) for n in range(0, len(sound) - window, window)]) for sound in (live, plain)]
    off = 10 * np.log10(levels[0] / levels[1]) - GAIN
    yield "gain in preview", abs(off) <= 0.2, f"{off:+.2f} dB off {GAIN:g} dB (at most 0.2)"


def perform(program, folder):
    """Makes a take in freewheel, or a preview, inside a sandbox. Returns an error, or None."""
    plan = json.loads((folder / "plan.json").read_text())
    if plan["what"] == "preview":
        done = subprocess.run([program, "preview", plan["file"], "--layout", "5.1", "--quiet", "--room", "none", "--control", "none",
                               "--record", "live.wav", "--overwrite", *DRY, *plan["options"]], cwd=folder, capture_output=True, text=True)
        return done.stderr if done.returncode != 0 else None
    try:
        with Stage(program, folder, PORT, "live", *DRY, *plan["options"]) as stage:
            before = stage.status["skippedFrames"]
            stage.play(plan["file"], channels=plan["channels"])
            subprocess.run(["jack_freewheel", "y"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            stage.begun()
            stage.wait_for(RATE * SECONDS + PERIOD)
            subprocess.run(["jack_freewheel", "n"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            skipped = stage.status["skippedFrames"] - before
            stage.finish()
    except Complaint as complaint:
        return str(complaint)
    (folder / "take.json").write_text(json.dumps({"skipped": skipped}))
    return None


def inside(program, folder, plan):
    """Makes a take by a plan and returns its notes."""
    (folder / "plan.json").write_text(json.dumps(plan))
    (folder / "take.json").write_text("{}")
    take = subprocess.run([HERE.parent / "jack-sandbox", "--sync", "--period", str(PERIOD), sys.executable, __file__, "--inside",
                           program, folder], capture_output=True, text=True)
    if wrong := trouble(take):
        if wrong[0] is None:
            raise Missed(wrong[1])
        raise Complaint(wrong[1])
    return json.loads((folder / "take.json").read_text())


def live(program, folder, plan, expected, judge):
    """Compares a take with the expected sound, from the first sound of both on."""
    try:
        take = inside(program, folder, dict(plan, what="take"))
    except Missed as missed:
        return None, str(missed)
    heard, _ = floatwav.read(folder / "live.wav")
    heard = heard[max(0, begins(heard) - begins(expected)):][:len(expected)]
    if len(heard) < 0.9 * len(expected):
        # A player that the machine held up leaves out the beginning; the take is made again.
        return None, f"only {len(heard)} of {len(expected)} frames were recorded"
    well, what = judge(heard, expected[:len(heard)])
    return (None, f"the server skipped {take['skipped']} frames") if not well and take["skipped"] else (well, what)


def same_bits(heard, expected):
    different = np.count_nonzero(heard != expected)
    return different == 0, f"{heard.size} samples, {different} differ from render's"


def same_places(heard, expected):
    left = rest(heard, expected)
    return left <= ALIKE, f"seven impulses of two programmes stand to each other as without plugins, {left:.0f} dB left (at most {ALIKE:g})"


def freewheel(program, folder):
    expected = render(program, folder, "noise6.wav", "--no-tail", *chain(folder))
    plan = {"file": "noise6.wav", "channels": 6, "options": chain(folder)}
    yield "live in freewheel", *until_whole("live", lambda: live(program, folder, plan, expected, same_bits))
    main, talk = render(program, folder, "six.wav"), render(program, folder, "two.wav", layout="stereo")
    size = max(len(main), len(talk))
    expected = sum(np.pad(sound, ((0, size - len(sound)), (0, 0))) for sound in (main, talk))[:RATE * SECONDS]
    for place in ("talk", "main", "FC"):
        plan = {"file": "eight.wav", "channels": 8, "options": ["--input", "talk=stereo", *plugins(f"{place}={AHEAD}")]
                + (plugins(f"{place}={DPL}") if place != "FC" else [])}
        yield f"two programmes, plugins on {place}", *until_whole(place, lambda: live(program, folder, plan, expected, same_places))


def outcomes(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        furnish(folder)
        use(program, folder)
        for part in (equaliser, parallel, again, gain, freewheel):
            try:
                yield from part(program, folder)
            except Complaint as complaint:
                yield part.__name__, False, str(complaint)


def main(program):
    return tally("plugins", outcomes(program))


if __name__ == "__main__":
    enter(__doc__, main, perform)

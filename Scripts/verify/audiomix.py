#!/usr/bin/env python3
"""Measures an Audio Mix on generated scenes of talkers, rooms and noise, through the program's command line.

usage: audiomix.py PROGRAM (PROSCENIUM_SOAK=1: all held-out scenes, and `live` on each of them)

The measures are defined in Scripts/soundfields/mixes.py, the scenes beside it. Results and targets are in
Documentation/measurements/audio-mix.md. The bounds here are slightly wider than the measured values, so that a regression is
noticed. A talker's direction is computed from the four channels of the speech stem.
"""

import os
import pathlib
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "soundfields")]
from listening import floatwav
from renderings import Program, Report
import mixes
import scenes
from room import RATE

SOAK = os.environ.get("PROSCENIUM_SOAK") == "1"
#: Least SI-SDR gain from 4 s on, dB: `player`, `live`.
GAINS = {"babble 0.3 h": (7.6, 4.6), "babble 0.6 h": (7.9, 3.3), "music 0.3 h": (9.9, 3.4), "music 0.6 h": (7, 0.8), "two 0.3 h": (7.8, 0.8)}


class Mix:
    """Runs the program on arrays [channel][frame]."""

    def __init__(self, program):
        self.program = program

    def __call__(self, x, latency, style, intensity, heading=0, field=60, keep_speech=False, stems=True):
        folder = self.program.folder
        floatwav.write(f"{folder}/field.wav", x.T, RATE)
        self.program.run(
            "process", "-y", f"{folder}/field.wav", f"{folder}/mix.wav", "--layout", "ambi1", "--to", "ambi1", "--mix", style, "--mix-intensity",
            intensity, "--mix-latency", latency, "--camera-heading", heading, "--camera-field", field,
            "--mix-keep", "speech" if keep_speech else "whole", *(["--stems", f"{folder}/stems"] if stems else []))
        paths = {"mix": f"{folder}/mix.wav"}
        if stems:
            paths |= {name: f"{folder}/stems/{name}.wav" for name in ("speech", "ambience")}
        found = {}
        for name, path in paths.items():
            rows, rate = floatwav.read(path)
            if rate != RATE or rows.T.shape != x.shape:
                sys.exit(f"{path}: {rows.T.shape} at {rate} Hz of {x.shape}")
            found[name] = rows.T
        return found


class Table(Report):
    """Report with rows that must reach a lower bound."""

    def least(self, what, value, bound, unit="dB"):
        ok = value >= bound
        self.missed += not ok
        print(f"  {what:58} {value:9.2f} {unit}  (at least {bound:g})  {'ok' if ok else 'MISSED'}")


def separation(table, run, name, latencies):
    """Adds rows on a scene of talkers in noise; returns the scene."""
    scene = scenes.scene(name)
    for number, latency in latencies:
        table.least(f"SI-SDR gain, {name}, {latency}", mixes.gain(run, scene, latency)[1], GAINS[name][number])
    return scene


def directions(table, run):
    """Adds rows on the direction of the voice in the stem of a talker who moves by 30°/s, in frames of 50 ms with
    speech from 4 s on."""
    moving = scenes.Moving(mixes.talkers.HELD_OUT[1], -60, 30, 1.2, 0.3, 7, 63)
    x = moving.image * 0.05 / np.sqrt(mixes.power(moving.image[0]))
    w, y, _, front = run(x, "player", "standard", 1)["speech"]
    size, errors = RATE // 20, []
    for at in range(4 * RATE, x.shape[1] - RATE // 2, size):
        part = slice(at, at + size)
        if np.mean(w[part] ** 2) > 0.05 * np.mean(w**2):
            azimuth = np.degrees(np.arctan2(w[part] @ y[part], w[part] @ front[part]))
            errors.append((azimuth - moving.angles[at + size // 2] + 180) % 360 - 180)
    table.fact("a talker who moves is heard", len(errors) > 20, f"in {len(errors)} frames")
    table.row("direction of the voice at 30°/s, root of the mean square", float(np.sqrt(np.mean(np.square(errors)))), 6, "°")


def latency(table, run, program, x):
    """Checks that a click keeps its position in stems and mix, and that a render with a mix has the length and latency
    of one without."""
    click = np.zeros((4, RATE))
    click[[0, 3], 20_000] = 0.5
    for look in ("player", "live"):
        r = run(click, look, "cinematic", 1)
        total = r["speech"][0] + r["ambience"][0]
        table.fact(f"a click is where it was, {look}", np.argmax(np.abs(r["mix"][0])) == 20_000 and np.flatnonzero(total).tolist() == [20_000])
        said = program.run("render", "-y", f"{program.folder}/field.wav", f"{program.folder}/ears.wav", "--layout", "ambi1", "--hrtf", "generated",
                           "--mix", "standard", "--mix-latency", look, "--json")
        frames = {"player": 47_616, "live": 480}[look]
        table.fact(f"render says how late it would be played, {look}", f"({look}): {frames} frames" in said, f"{frames} frames")
    program.run("render", "-y", f"{program.folder}/field.wav", f"{program.folder}/plain.wav", "--layout", "ambi1", "--hrtf", "generated")
    ears, plain = (floatwav.read(f"{program.folder}/{name}.wav")[0] for name in ("ears", "plain"))
    table.fact("ears as long with and without", ears.shape == plain.shape)
    difference = np.sum((ears - plain) ** 2) / np.sum(plain**2) if ears.shape == plain.shape else 1
    table.row("ears of a mix as recorded against those without", mixes.db(difference), -100)


def camera(table, run, program, x):
    """Checks that a camera whose headings come from a file gives the mix of that fixed heading, and that `render`
    writes the stems that `process` writes."""
    path = pathlib.Path(program.folder) / "camera.csv"
    still = run(x, "live", "in-frame", 1, heading=120)
    for what, text, same in (("that stands still", "seconds,degrees\n0,120\n9,120\n", True),
                             ("with its field", "0,120,60\n9,120,60\n", True), ("that turns", "0,120\n4,120\n4.1,-60\n", False)):
        path.write_text(text)
        found = run(x, "live", "in-frame", 1, heading=path)["mix"]
        table.fact(f"camera along a file {what}", np.array_equal(found, still["mix"]) == same)
    program.run("render", "-y", f"{program.folder}/field.wav", f"{program.folder}/ears.wav", "--layout", "ambi1", "--hrtf", "generated",
                "--mix", "in-frame", "--mix-latency", "live", "--camera-heading", path, "--stems", f"{program.folder}/others")
    same = all(np.array_equal(floatwav.read(f"{program.folder}/others/{name}.wav")[0].T, still[name]) for name in ("speech", "ambience"))
    table.fact("render leaves the stems that process leaves", same)
    for what, text, said in (("no number", "0,1\n1,west\n", "line 2"), ("a time before the last", "1,0\n0,0\n", "line 2")):
        path.write_text(text)
        done = subprocess.run([program.path, "process", f"{program.folder}/field.wav", f"{program.folder}/none.wav", "--layout", "ambi1",
                               "--to", "ambi1", "--mix", "in-frame", "--camera-heading", path], capture_output=True, text=True)
        table.fact(f"refused in a camera's file: {what}", done.returncode == 1 and said in done.stderr and str(path) in done.stderr)


def refusals(table, program):
    """Checks that unsuitable input is refused with a message and without output."""
    folder = pathlib.Path(program.folder)
    floatwav.write(folder / "three.wav", np.zeros((4800, 3)), RATE)
    floatwav.write(folder / "surround.wav", np.zeros((4800, 6)), RATE, 0x3F)
    floatwav.write(folder / "good.wav", np.zeros((4800, 4)), RATE)
    for what, name, words, said in (
            ("three channels", "three", ["--layout", "ambi1", "--mix", "studio"], "three.wav"),
            ("loudspeakers", "surround", ["--mix", "studio"], "sound field"),
            ("stems without a mix", "good", ["--layout", "ambi1", "--stems", folder / "none"], "--mix"),
            ("an intensity of 2", "good", ["--layout", "ambi1", "--mix", "studio", "--mix-intensity", 2], "--mix-intensity"),
            ("a style there is not", "good", ["--layout", "ambi1", "--mix", "loud"], "cinematic"),
            ("stems in a file's place", "good", ["--layout", "ambi1", "--mix", "studio", "--stems", folder / "good.wav"], "good.wav")):
        target = folder / "refused.wav"
        done = subprocess.run([program.path, "process", folder / f"{name}.wav", target, "--to", "ambi1", *map(str, words)],
                              capture_output=True, text=True)
        ok = done.returncode not in (0, -6, -11) and said in done.stderr and not target.exists() and not (folder / "none").exists()
        table.fact(f"refused: {what}", ok, "" if ok else f"{done.returncode}: {done.stderr.strip()[:120]}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = Program(sys.argv[1])
    run, table = Mix(program), Table("audio mix")
    names = list(mixes.scenes.HELD_OUT) if SOAK else ["music 0.3 h", "babble 0.6 h"]
    for name in names:
        scene = separation(table, run, name, enumerate(("player", "live") if SOAK or name == names[0] else ("player",)))
        for style in ("cinematic", "studio") if SOAK else ("studio",):
            for latency_name in ("player", "live") if SOAK or name == names[0] else ("player",):
                spread = mixes.steadiness(run, scene, latency_name, style)[0]
                table.row(f"loudness over intensity, {name}, {style}, {latency_name}", spread, 0.5, "LU")
    table.row("speech over intensity, its level kept", mixes.speech_steadiness(run, scene, "player", "cinematic"), 0.5, "LU")
    for latency_name in ("player", "live"):
        whole, error, bits = mixes.sums(run, scene, latency_name)
        table.fact(f"stems add up in double precision, {latency_name}", whole)
        table.row("stems in float files", error, -140)
        table.fact("intensity 0: the same bits", bits)
    for kind, x in (("babble", scenes.babble(8, 70, mixes.talkers.HELD_OUT)), ("traffic", scenes.traffic(8, 70)), ("music", scenes.music(8, 71, "orchestra")),
                    ("music of another kind", scenes.music(8, 74, "song"))):
        table.row(f"speech stem of diffuse {kind} alone", mixes.stolen(run, 0.05 * x / np.std(x[0]), "player"), -15)
    for latency_name in ("player", "live"):
        table.least(f"a voice alone: what the stem has of it, {latency_name}", mixes.alone(run, latency_name, mixes.talkers.HELD_OUT[:3])[0], -1)
        others = mixes.taken_for_speech(run, latency_name, 91)
        worst = max(others, key=others.get)
        table.row(f"one place, no speech, {latency_name}: {worst}", others[worst], -15 if latency_name == "player" else -12)
    both, turns, level, bits = mixes.in_frame(run, "player", 62)
    table.least("in frame: a talker ahead over one at 90°, both at once", both, 12)
    table.least("by turns", turns, 12)
    table.fact("in frame at intensity 0: the same bits", bits and level <= 0.1)
    for latency_name, dry in (("player", 18), ("live", 10.5)):
        table.least(f"SI-SDR of a talker in a dry room, noise at -10 dB, {latency_name}", mixes.quiet(run, latency_name), dry)
        table.row(f"pre-echo before clicks, {latency_name}", mixes.pre_echo(run, latency_name), -35)
        steady, speech, between = mixes.musical_noise(run, latency_name)
        table.row(f"musical noise in steady noise, {latency_name}", max(steady, speech), 0.2, "")
        table.row(f"in a talker's pauses, stem, {latency_name}", between["speech"][0], 0.6, "")
        table.row(f"ambience and mix, {latency_name}", max(between[name][0] for name in ("ambience", "mix")), 0.2, "")
    directions(table, run)
    latency(table, run, program, scene.x)
    camera(table, run, program, scene.x)
    refusals(table, program)
    table.finish()


if __name__ == "__main__":
    main()

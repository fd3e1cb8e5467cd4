#!/usr/bin/env python3
"""Measures captures of arrays with unequal capsules: simulated arrays play into `proscenium capture`, all at once,
beside a private JACK server. Prints the errors of direction and level for 36 plane waves up to 5 kHz, the errors of
patterns up to 4 kHz, and the warnings about swapped capsules.

usage: capture_arrays.py PROGRAM        (PROSCENIUM_SOAK=1: five arrays of each kind)

Capsules are cardioids at a radius of 10 mm, with errors of up to 1 dB, 5 degrees of phase and 5 degrees of axis.
Calibrations have 30 directions and noise 40 dB below. The waves arrive from the horizon; each is noise, white from 100
Hz to 5 kHz. Patterns are evaluated in third octaves where they pass -12 dB or more, relative to the array's mean
sensitivity.
"""
import json
import math
import os
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from capture import Capture, in_turn
from listening import floatwav
from takes import PATIENCE, RATE, Complaint, Disturbed, alone, enter, tries

SPEED, RADIUS = 343.2, 0.01
SEEDS = range(1, 6) if os.environ.get("PROSCENIUM_SOAK") == "1" else range(3, 4)
#: Frames of a wave's period; periods of each wave, whose middle one is measured at any phase; number of waves.
PERIOD, PERIODS, WAVES = 4000, 3, 36
#: Seconds of silence before the waves.
LEAD = 1
HEIGHT = math.degrees(math.atan(0.5 ** 0.5))
ARRAYS = {
    "tetrahedral": [(45, HEIGHT), (-45, -HEIGHT), (135, -HEIGHT), (-135, HEIGHT)],
    "planar3": [(0, 0), (120, 0), (-120, 0)],
    "planar4": [(45, 0), (-45, 0), (135, 0), (-135, 0)],
    "pair": [(90, 0), (-90, 0)],
}
#: Patterns left and right: share of pressure and figure of eight of each, front and left.
PATTERNS = {
    "omni": [(1, 0, 0)] * 2, "cardioid": [(0.5, 0.5, 0)] * 2, "subcardioid": [(0.7, 0.3, 0)] * 2, "figure8": [(0, 1, 0)] * 2,
    "xy": [(0.5, 0.5 * 0.5 ** 0.5, side * 0.5 * 0.5 ** 0.5) for side in (1, -1)],
    "ms": [(0.5, 0.5, side) for side in (1, -1)],
    "ortf": [(0.5, 0.5 * math.cos(math.radians(55)), side * 0.5 * math.sin(math.radians(55))) for side in (1, -1)],
}
#: Directions of a calibration: every second one of the waves, and rings above and below.
MEASURED = [(20 * i, 0) for i in range(18)] + [(60 * i, side * 40) for i in range(6) for side in (-1, 1)]


def unit(azimuth, elevation=0):
    a, e = math.radians(azimuth), math.radians(elevation)
    return np.array([math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)])


class Array:
    """A simulated array with manufacturing errors; independent of the program."""

    def __init__(self, name, seed, decibels=1, degrees=5):
        chance = np.random.default_rng(1000 * seed + len(name))
        self.name, self.places = name, np.array([unit(*place) for place in ARRAYS[name]])
        count = len(self.places)
        self.gains = 10 ** (decibels * chance.uniform(-1, 1, count) / 20)
        self.phases = np.radians(degrees * chance.uniform(-1, 1, count))
        self.axes = []
        for place in self.places:
            side = chance.uniform(-1, 1, 3)
            side -= side @ place * place
            angle = math.radians(degrees * chance.uniform())
            self.axes.append(math.cos(angle) * place + math.sin(angle) * side / np.linalg.norm(side))

    def responses(self, u, hertz):
        """Returns the responses [capsule][bin] to a plane wave from a direction."""
        return np.array([gain * (0.5 + 0.5 * axis @ u) * np.exp(1j * (phase + 2 * np.pi * hertz / SPEED * RADIUS * (place @ u)))
                         for gain, axis, phase, place in zip(self.gains, self.axes, self.phases, self.places)])

    def hear(self, u, wave):
        """Returns the samples [capsule][frame] of a periodic wave."""
        spectrum = np.fft.rfft(wave)
        return np.fft.irfft(spectrum * self.responses(u, np.fft.rfftfreq(len(wave), 1 / RATE)), len(wave))

    def calibrate(self, folder):
        """Writes a measurement with a loudspeaker at one metre; returns the path of its JSON."""
        chance, hertz, rows = np.random.default_rng(9), np.fft.rfftfreq(1024, 1 / RATE), []
        for number, (azimuth, elevation) in enumerate(MEASURED):
            heard = np.fft.irfft(self.responses(unit(azimuth, elevation), hertz) * np.exp(-2j * np.pi * hertz / SPEED), 1024)
            heard += 0.01 / 1024 ** 0.5 * chance.standard_normal(heard.shape)
            name = f"{self.name}-{number:02}.wav"
            floatwav.write(folder / name, heard.T, RATE)
            rows.append({"azimuth": azimuth, "elevation": elevation, "file": name})
        path = folder / f"{self.name}.json"
        path.write_text(json.dumps({"responses": rows}))
        return path


def noise(frames, low, high, seed):
    """Returns periodic noise, equally loud in every bin between two frequencies; root mean square 0.05."""
    hertz, chance = np.fft.rfftfreq(frames, 1 / RATE), np.random.default_rng(seed)
    spectrum = np.exp(2j * np.pi * chance.uniform(size=len(hertz))) * ((hertz >= low) & (hertz <= high))
    wave = np.fft.irfft(spectrum, frames)
    return 0.05 * wave / np.sqrt(np.mean(wave ** 2))




def turned(array, wave):
    """Returns [input][frame]: silence, then the wave from 36 directions; silent inputs fill every array to four."""
    rows = np.hstack([np.zeros((len(array.places), LEAD * RATE))]
                     + [np.tile(array.hear(unit(10 * number), wave), PERIODS) for number in range(WAVES)])
    return np.vstack([rows, np.zeros((4 - len(rows), rows.shape[1]))])


def periods(path):
    """Returns [wave][channel][frame] of a take after its initial silence."""
    rows = floatwav.read(path)[0].T
    loud = np.abs(rows).max(axis=0) > 1e-3
    quiet = np.cumsum(loud)
    length = LEAD * RATE // 2
    ends = np.flatnonzero(quiet[length:] == quiet[:-length])
    if not len(ends):
        raise Complaint(f"{path.name} has no silence between the waves")
    first = ends[0] + 1 + int(np.argmax(loud[ends[0] + 1:]))
    middle = first + PERIODS * PERIOD // 2 - PERIOD // 2
    cut = [rows[:, middle + number * PERIODS * PERIOD:][:, :PERIOD] for number in range(WAVES)]
    if cut[-1].shape[1] < PERIOD:
        raise Complaint(f"{path.name} has {rows.shape[1]} frames, too few behind the silence")
    return np.array(cut)


def power(rows):
    return np.mean(np.square(rows), axis=-1)


def decibels(ratio):
    return 10 * np.log10(np.maximum(ratio, 1e-12))


def field(name, path, wave):
    """Returns the greatest error of direction in degrees, and the greatest level errors of W and of Y, Z and X in
    dB."""
    degrees, pressure, velocity = [], [], []
    for number, (w, y, z, x) in enumerate(periods(path)):
        u = unit(10 * number)
        if name == "pair":
            # Left and right only: the lateral angle, as far as first order resolves it.
            lateral = np.mean(w * y) / np.mean(w * w)
            due = u[1]
            if abs(due) < 0.95:
                degrees.append(abs(math.degrees(math.asin(max(-1, min(1, lateral))) - math.asin(due))))
            if abs(due) >= 0.25:
                velocity.append(abs(decibels(power(y) / power(wave) / due ** 2)))
        else:
            intensity = np.array([np.mean(w * x), np.mean(w * y), np.mean(w * z)])
            degrees.append(math.degrees(math.acos(min(1, intensity @ u / np.linalg.norm(intensity)))))
            velocity.append(abs(decibels((power(x) + power(y) + power(z)) / power(wave))))
        pressure.append(abs(decibels(power(w) / power(wave))))
    return max(degrees), max(pressure), max(velocity)


def pattern(stereo, path, wave, array):
    """Returns the greatest errors of a rendition against theory: dB where it passes -12 dB or more, and a share of full
    gain elsewhere."""
    hertz, sent = np.fft.rfftfreq(PERIOD, 1 / RATE), np.abs(np.fft.rfft(wave)) ** 2
    worst, elsewhere = 0, 0
    for number, rows in enumerate(periods(path)):
        u, heard = unit(10 * number), np.abs(np.fft.rfft(rows)) ** 2
        for centre in (250, 500, 1000, 2000, 3150, 4000):
            band = (hertz >= centre * 2 ** (-1 / 6)) & (hertz <= centre * 2 ** (1 / 6))
            for channel, (share, front, left) in enumerate(PATTERNS[stereo]):
                got = math.sqrt(heard[channel][band].sum() / sent[band].sum()) / array.gains.mean()
                due = abs(share + front * u[0] + left * u[1])
                if due >= 0.25:
                    worst = max(worst, abs(20 * math.log10(got / due)))
                else:
                    elsewhere = max(elsewhere, abs(got - due))
    return worst, elsewhere


def whole(program, folder, sources, seed):
    """Returns the result of `workshop` from the first run without server skips: a skip shifts all measured samples."""
    for left in reversed(range(tries())):
        try:
            return workshop(program, folder, sources, seed)
        except Disturbed:
            if not left:
                raise


def workshop(program, folder, sources, seed):
    """Runs one array of each kind, and every rendition of the tetrahedron: returns rows of figures, and the warnings
    about silent components."""
    wave, arrays, captures = noise(PERIOD, 100, 5000, 7), {name: Array(name, seed) for name in ARRAYS}, []
    for number, array in enumerate(arrays.values()):
        array.player = f"player-{number:02}" if number else "player"
        floatwav.write(folder / f"{array.name}.wav", turned(array, wave).T, RATE)
        array.calibration = str(array.calibrate(folder))
        sources.play(f"{array.name}.wav", array.player)
    seconds = 2 * (LEAD + WAVES * PERIODS * PERIOD / RATE) + 1
    try:
        for name, stereo, measured in ([(name, "xy", True) for name in ARRAYS] + [("tetrahedral", stereo, True) for stereo in PATTERNS]
                                       + [("tetrahedral", "omni", False)]):
            take = f"take-{len(captures)}.wav"
            inputs = ",".join(str(i + 1) for i in range(len(ARRAYS[name])))
            words = [take, "--array", name, "--source", f"{arrays[name].player}:out_{{{inputs}}}", "--high-pass", "off", "--no-safety",
                     "--stereo", stereo, "--seconds", f"{seconds:.1f}", "--overwrite", "--name", f"capture{len(captures)}",
                     *(["--calibration", arrays[name].calibration] if measured else [])]
            captures.append((name, stereo, measured, take, Capture(program, folder, *words)))
            # Captures start one after the other: jackd 1.9.21 may hang while many clients open at once. A capture that
            # neither starts nor reports an error is retried.
            try:
                captures[-1][-1].said("recording into")
            except Complaint as fault:
                if captures[-1][-1].process.poll() is None:
                    raise Disturbed(f"{take}: {fault}") from fault
                raise
        figures, silent = [], {}
        for name, stereo, measured, take, capture in captures:
            if capture.process.wait(timeout=PATIENCE + seconds) != 0:
                raise Complaint(f"{take}: {capture.lines}")
            capture.reader.join(timeout=5)
            if any("lost" in line for line in capture.lines):
                raise Disturbed(f"{take}: {capture.lines}")
            if len(figures) < len(ARRAYS) or not measured:
                figures.append((name, measured, *field(name, folder / take, wave)))
                silent.setdefault(name, [line for line in capture.lines if "silent" in line])
            else:
                figures.append((stereo, "pattern", *pattern(stereo, folder / take.replace(".wav", "-stereo.wav"), wave, arrays[name])))
    finally:
        for *_, capture in captures:
            capture.__exit__()
        for array in arrays.values():
            sources.unplug(array.player)
    return figures, silent


#: Greatest errors: degrees, dB of W, dB of Y, Z and X. A pair has no third capsule to separate errors of its axes from
#: errors of level: the first-order error of two axes is stated and bounded.
BOUNDS = {"tetrahedral": (3, 1, 1), "planar3": (3, 1, 1), "planar4": (3, 1, 1), "pair": (8, 1.7, 2)}
DEAF = {"tetrahedral": None, "planar3": "does not resolve Z: it is silent", "planar4": "does not resolve Z: it is silent",
        "pair": "does not resolve Z and X: they are silent"}


def figured(program, folder, sources):
    """Returns the figures of waves through all arrays, over all seeds."""
    worst, lacking = {}, []
    for seed in SEEDS:
        figures, silent = whole(program, folder, sources, seed)
        for key, measured, *row in figures:
            former = worst.setdefault((key, measured), row)
            worst[key, measured] = [max(pair) for pair in zip(former, row)]
        lacking += [name for name, words in DEAF.items() if words and not any(words in line for line in silent[name])]
        lacking += [name for name, words in DEAF.items() if not words and silent[name]]
    for (key, measured), row in worst.items():
        if measured == "pattern":
            print(f"      {key}: {row[0]:.2f} dB off theory to 4 kHz, {row[1]:.3f} of full gain where it passes less than -12 dB")
        else:
            print(f"      {key}{'' if measured else ', not calibrated'}: {row[0]:.1f} degrees, W {row[1]:.2f} dB, Y Z X {row[2]:.2f} dB")
    wrong = [f"{key} {row}" for (key, measured), row in worst.items()
             if measured is True and any(value > bound for value, bound in zip(row, BOUNDS[key]))
             or measured == "pattern" and (row[0] > 1 or row[1] > 0.12)]
    wrong += [f"{name} says wrongly what it leaves silent" for name in lacking]
    if wrong:
        raise Complaint("; ".join(wrong))
    return (f"36 waves up to 5 kHz through {len(SEEDS)} of each array, capsules off by 1 dB and 5 degrees, calibrated; what planar arrays and "
            "pairs do not hear is said")


def diffuse(array, seconds):
    """Returns [capsule][frame] in a diffuse field: 100 directions, each with its own noise."""
    frames, heard = 16_384, np.zeros((len(array.places), 16_384))
    for number in range(100):
        height, azimuth = 1 - (2 * number + 1) / 100, 222.5 * number
        heard += array.hear(unit(azimuth, math.degrees(math.asin(height))), noise(frames, 80, 8000, 50 + number))
    return 0.1 * np.tile(heard, seconds * RATE // frames + 1) / np.sqrt(power(heard)).max()


def swapped(program, folder, sources):
    """Checks that two swapped capsules of a ring and one of reversed polarity are reported, and that the right order is
    not."""
    right = diffuse(Array("planar4", 8), 20)
    found, captures = [], []
    for number, rows in enumerate((right, right[[2, 1, 0, 3]], right * [[1], [1], [-1], [1]])):
        player = f"player-{number:02}" if number else "player"
        floatwav.write(folder / f"{player}.wav", rows.T, RATE)
        sources.play(f"{player}.wav", player)
        # Started one after the other: jackd 1.9.21 may hang while many clients open at once.
        captures.append(Capture(program, folder, f"ring-{number}.wav", "--array", "planar4", "--source", player + ":out_{1,2,3,4}", "--no-safety",
                                "--name", f"ring{number}", "--seconds", "15"))
        captures[-1].said("recording into")
    for number, (words, capture) in enumerate(zip((None, "the capsules seem to be swapped", "the polarity of BL seems to be inverted"), captures)):
        with capture:
            if capture.process.wait(timeout=PATIENCE) != 0:
                raise Complaint(f"{capture.lines}")
            capture.reader.join(timeout=5)
            accused = [line for line in capture.lines if "seem" in line]
            if (words is None) != (not accused) or words and not any(words in line for line in accused):
                raise Complaint(f"of order {number} it says {accused}")
            found += accused
    for name in list(sources.players):
        sources.unplug(name)
    return "swapped capsules and an inverted polarity are said, a right order is not accused: " + found[0].split(": ", 1)[1][:60]


def perform(program, folder):
    """Runs all parts inside a sandbox."""
    return in_turn((figured, swapped), program, folder)


if __name__ == "__main__":
    enter(__doc__, alone(__file__, "--sync", "--ports", "512"), perform)

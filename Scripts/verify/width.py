#!/usr/bin/env python3
"""Measures the effect of width on a source at the ears: coherence, level, centre, colour.

usage: width.py PROGRAM

Pink noise from one loudspeaker is rendered narrow and wide. Checked: width 0 equals no width, to the bit; the total
level of both ears is constant; the interaural cross-correlation coefficient (ISO 3382-1) falls; the interaural level
difference of a frontal source is constant. Unavailable values are refused. PROSCENIUM_SOAK=1: every width and azimuth
of the table, with PROSCENIUM_HRTF as the set.
"""
import copy
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav

RATE = 48000
SOAK = os.environ.get("PROSCENIUM_SOAK") == "1"
AZIMUTHS = [0, 30, 90, 150] if SOAK else [0]
WIDTHS = [20, 45, 90, 135, 180] if SOAK else [60, 180]
OPTIONS = ["--hrtf", os.environ["PROSCENIUM_HRTF"]] if "PROSCENIUM_HRTF" in os.environ else []


def pink(frames):
    """Returns noise of power 1/f from 20 Hz on."""
    random = np.random.default_rng(7)
    bins = frames // 2 + 1
    frequency = np.arange(bins) * RATE / frames
    spectrum = (random.standard_normal(bins) + 1j * random.standard_normal(bins)) / np.sqrt(np.maximum(frequency, 20))
    spectrum[frequency < 20] = 0
    sound = np.fft.irfft(spectrum, frames)
    return 0.1 * sound / sound.std()


class Measured:
    """Measures of the sound at two ears."""

    def __init__(self, samples):
        spectra = np.fft.rfft(samples[RATE // 2:].T)
        frequency = np.arange(spectra.shape[1]) * RATE / (len(samples) - RATE // 2)
        self.power, self.cross, self.frequency = np.abs(spectra) ** 2, spectra[0] * spectra[1].conj(), frequency
        self.frames = len(samples) - RATE // 2
        self.level = 10 * np.log10(self.power.sum())
        self.difference = 10 * np.log10(self.power[0].sum() / self.power[1].sum())
        self.broad = self.coherence(100, 8000)
        self.middle = np.mean([self.coherence(f / 2 ** 0.5, f * 2 ** 0.5) for f in (500, 1000, 2000)])

    def coherence(self, low, high):
        """Returns the interaural cross-correlation coefficient of a band."""
        band = (self.frequency >= low) & (self.frequency < high)
        correlation = np.fft.irfft(np.where(band, self.cross, 0), self.frames)
        span = round(0.001 * RATE)
        largest = np.abs(np.r_[correlation[:span + 1], correlation[-span:]]).max()
        power = [2 * self.power[ear][band].sum() / self.frames for ear in (0, 1)]
        return largest / np.sqrt(power[0] * power[1])

    def colour(self, other):
        """Returns both ears' power relative to another's per ERB from 100 Hz to 12 kHz, with equal total power: the
        worst band's, and rms, dB."""
        edges, low = [], 100.0
        while low < 12000:
            edges.append((low, low + 24.7 * (4.37 * low / 1000 + 1)))
            low = edges[-1][1]
        ratios = np.array([self.power[:, (self.frequency >= a) & (self.frequency < b)].sum()
                           / other.power[:, (self.frequency >= a) & (self.frequency < b)].sum() for a, b in edges])
        decibels = 10 * np.log10(ratios) - (self.level - other.level)
        return decibels[np.abs(decibels).argmax()], np.sqrt((decibels ** 2).mean())


def main(program):
    program = str(pathlib.Path(program).resolve())
    faults = []

    def expect(what, is_kept):
        if not is_kept:
            faults.append(what)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        floatwav.write(folder / "pink.wav", pink(10 * RATE), RATE)

        def run(*words):
            return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True)

        def ears(azimuth, *options):
            (folder / "one.json").write_text(json.dumps(
                {"name": "one", "loudspeakers": [{"name": "S", "azimuth": (azimuth + 180) % 360 - 180}]}))
            answer = run("render", "-y", "pink.wav", "ears.wav", "--layout", "one.json", *OPTIONS, *options)
            if answer.returncode != 0:
                sys.exit(f"width: {answer.stderr}")
            return floatwav.read(folder / "ears.wav")[0]

        worst, farthest, fall = 0.0, 0.0, 0.0
        @functools.cache
        def narrow_at(azimuth):
            return Measured(ears(azimuth))

        for azimuth in AZIMUTHS:
            plain = ears(azimuth)
            narrow = Measured(plain)
            if azimuth == 0:
                expect("--source-width 0 changes bits", np.array_equal(plain, ears(azimuth, "--source-width", "0")))
            last = narrow
            if SOAK:
                print(f"  {azimuth:3d}°   0°: coherence {narrow.broad:.2f} ({narrow.middle:.2f}), ILD {narrow.difference:+.1f}")
            for width in WIDTHS:
                wide = Measured(ears(azimuth, "--source-width", str(width)))
                change = wide.level - narrow.level
                worst = max(worst, abs(change))
                expect(f"{azimuth}°, {width}° wide: level {change:+.2f} dB", abs(change) <= 0.5)
                # From 30° a source of 180° reaches past the side, where both ears hear its ends alike again: +0.04.
                expect(f"{azimuth}°, {width}° wide: coherence {wide.broad:.2f} after {last.broad:.2f}",
                       wide.broad < last.broad + 0.05)
                if azimuth == 0:
                    moved = abs(wide.difference - narrow.difference)
                    farthest = max(farthest, moved)
                    expect(f"in front, {width}° wide: {moved:.2f} dB off the middle", moved <= 0.5)
                    fall = wide.broad
                if SOAK:
                    band, rms = wide.colour(narrow)
                    arc = copy.copy(narrow)
                    arc.power = sum(narrow_at(azimuth + k * width / 3).power for k in (-1, 0, 1)) / 3
                    arc.level = 10 * np.log10(arc.power.sum())
                    from_arc = wide.colour(arc)
                    print(f"  {azimuth:3d}° {width:3d}°: coherence {wide.broad:.2f} ({wide.middle:.2f}), level {change:+.2f} dB, "
                          f"ILD {wide.difference:+.1f} dB, colour rms {rms:.1f} dB, worst ERB {band:+.1f} dB; against three sources rms {from_arc[1]:.1f} dB, worst {from_arc[0]:+.1f} dB")
                last = wide

        # Set by the layout, by the metadata beside the file, and by the option.
        asked = ears(0, "--source-width", "60")
        (folder / "pink.wav.json").write_text('{ "width": 60 }')
        expect("the metadata's width is another than the option's", np.array_equal(asked, ears(0)))
        (folder / "pink.wav.json").unlink()
        (folder / "wide.json").write_text(json.dumps(
            {"name": "one", "loudspeakers": [{"name": "S", "azimuth": 0, "width": 60}]}))
        run("render", "-y", "pink.wav", "own.wav", "--layout", "wide.json", *OPTIONS)
        expect("the layout's width is another than the option's",
               np.array_equal(asked, floatwav.read(folder / "own.wav")[0]))

        floatwav.write(folder / "field.wav", pink(RATE)[:, None] * [1, 0, 0, 1], RATE)
        refusal = run("render", "field.wav", "x.wav", "--layout", "ambi1", "--source-width", "30")
        expect("a sound field takes a width", refusal.returncode == 2 and "no sources" in refusal.stderr)
        refusal = run("render", "pink.wav", "x.wav", "--source-width", "200")
        expect("a width of 200° is taken", refusal.returncode == 2 and "180" in refusal.stderr)

    if faults:
        print("width: FAILED\n  " + "\n  ".join(faults))
        return 1
    print(f"width: of one loudspeaker, level within {worst:.2f} dB, the middle within {farthest:.2f} dB, coherence down to {fall:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

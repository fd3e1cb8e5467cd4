#!/usr/bin/python3
"""Checks that a turning head causes neither clicks nor zipper noise.

    clicks.py PROGRAM

Tone: 1 kHz, the head turning at 100 degrees/s for 10 s, without the first and last second, Blackman-Harris window.
Power outside 1 kHz +- 150 Hz relative to the total, worse ear: at most -80 dB, at every slice and at periods of 16 to
2048.
Reference: difference from the same field (`hrtf sample`) followed at every sample in double precision, at most -60 dB
at 100 degrees/s and -45 dB at 300 degrees/s, for 1 kHz, 8 kHz, pink noise and music.
"""

import os
import sys

import numpy as np
from scipy import signal

from renderings import Report, program_from_arguments, relative_db
from listening import rotations

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "demo"))
import small_music

RATE = 48000
#: Step of azimuth in the reference, degrees: finer than the resolution of the responses.
STEP = 0.1
TONE_BOUND, REFERENCE_BOUNDS = -80.0, {100: -60.0, 300: -45.0}


def turning(program, speed, seconds):
    """Writes a pose log of a head that turns left at a constant rate from the start."""
    path = f"{program.folder}/turn-{speed}.csv"
    t = np.arange(0, seconds + 1, 0.05)
    np.savetxt(path, np.column_stack([t, rotations.from_angles(speed * t)]), "%.12f", ",")
    return path


def outside(samples, frequency):
    """Returns the power beyond +-150 Hz relative to the total, dB, worse ear."""
    window = signal.windows.blackmanharris(len(samples), sym=False)
    power = np.abs(np.fft.rfft(samples * window[:, None], axis=0)) ** 2
    away = np.abs(np.fft.rfftfreq(len(samples), 1 / RATE) - frequency) > 150
    return 10 * np.log10(np.max(power[away].sum(0) / power.sum(0)))


def tones(program, report):
    t = np.arange(10 * RATE) / RATE
    tone = 0.1 * np.sin(2 * np.pi * 1000 * t)
    poses = turning(program, 100, 10)
    for size in (64, 128, 256):
        for block in (16, 64, 100, 441, 1024, 2048):
            heard = program.render(
                tone, RATE, "--hrtf", "kemar", "--poses", poses, "--slice", size, "--block", block, loudspeakers=[(0, 0)])
            level = outside(heard[RATE:9 * RATE], 1000)
            report.row(f"tone, 100°/s: slice {size}, block {block}", level, TONE_BOUND)


def field(program):
    """Returns the played responses of the whole horizon: [direction][ear][tap]."""
    azimuths = np.arange(0, 360, STEP)
    directions, samples = f"{program.folder}/directions.csv", f"{program.folder}/field.f32"
    rows = np.column_stack([np.arange(len(azimuths)), azimuths, 0 * azimuths, 0 * azimuths + 1.4])
    np.savetxt(directions, rows, ["%d", "%.3f", "%.1f", "%.2f"], ",", header="index,az_deg,el_deg,r_m", comments="")
    program.run("hrtf", "sample", "-y", "kemar", "--directions", directions, "--output", samples, "--rate", RATE)
    return np.fromfile(samples, "<f4").astype(float).reshape(len(azimuths), 2, -1)


def followed(programme, responses, speed):
    """Convolves the programme with the response for each sample's own azimuth, linear between steps of 0.1 degrees."""
    count, _, taps = responses.shape
    place = -speed * np.arange(len(programme)) / RATE / STEP
    left = np.floor(place).astype(int)
    u = place - left
    out = np.zeros((len(programme), 2))
    history = np.concatenate([np.zeros(taps - 1), programme])
    # All samples between two steps use the same two filters.
    edges = np.flatnonzero(np.diff(left)) + 1
    for start, end in zip(np.append(0, edges), np.append(edges, len(programme))):
        pieces = np.lib.stride_tricks.sliding_window_view(history[start:end + taps - 1], taps)[:, ::-1]
        near, far = responses[left[start] % count], responses[(left[start] + 1) % count]
        out[start:end] = (1 - u[start:end, None]) * (pieces @ near.T) + u[start:end, None] * (pieces @ far.T)
    return out


def references(program, report):
    seconds = 3
    t = np.arange(seconds * RATE) / RATE
    rng = np.random.default_rng(4)
    spectrum = np.fft.rfft(rng.standard_normal(len(t)))
    pink = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(len(spectrum)), 20)), len(t))
    music = sum(small_music.play(len(t), RATE).values())
    programmes = {"1 kHz": np.sin(2 * np.pi * 1000 * t), "8 kHz": np.sin(2 * np.pi * 8000 * t), "pink noise": pink, "music": music}
    responses = field(program)
    for name, programme in programmes.items():
        programme = np.float32(0.1 * programme / np.abs(programme).max()).astype(float)
        for speed, bound in REFERENCE_BOUNDS.items():
            reference = followed(programme, responses, speed)
            # +6 dB cancels the default trim: the field plays at its own level.
            heard = program.render(
                programme, RATE, "--hrtf", "kemar", "--poses", turning(program, speed, seconds), "--limiter", "off",
                "--gain", 6, "--slice", 64, loudspeakers=[(0, 0)])
            report.row(f"against the reference, {speed}°/s: {name}", relative_db(heard[:len(t)], reference), bound)


def main():
    program = program_from_arguments()
    report = Report("clicks: a head that turns evenly")
    tones(program, report)
    references(program, report)
    report.finish()


if __name__ == "__main__":
    main()

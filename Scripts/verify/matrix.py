#!/usr/bin/env python3
"""Tests Lt/Rt encoded by this program and by ffmpeg, and decoded by `upmix --mode matrix` in both latencies.

usage: matrix.py PROGRAM

One channel of 5.1 at a time carries sound, first the same throughout, then another every quarter of a second. The
figure is its level relative to each other channel after decoding.
"""

import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "listening"))
from renderings import Program
from listening import floatwav
import pieces

RATE = pieces.RATE
NAMES = ["left", "right", "centre", "LFE", "surround left", "surround right"]
#: WAVE mask of 5.1, and its left, right, centre and both surrounds.
MASK, SOUNDING = 0x60F, [0, 1, 2, 4, 5]
AIM, AIM_BY_TURNS = 20, 4


def encode(program, encoder, x):
    """Encodes 5.1 to two channels."""
    five, two = f"{program.folder}/five.wav", f"{program.folder}/lt-rt.wav"
    floatwav.write(five, x, RATE, MASK)
    if encoder == "proscenium":
        program.run("process", "-y", five, two, "--to", "stereo", "--fold-down", "ltrt")
    else:
        command = ["ffmpeg", "-v", "error", "-y", "-i", five, "-af",
                   f"aresample=matrix_encoding={encoder}:osf=flt:ochl=stereo", "-c:a", "pcm_f32le", two]
        subprocess.run(command, check=True, timeout=60)
    return two


def decode(program, two, latency):
    stage = f"{program.folder}/stage.wav"
    program.run("upmix", "-y", two, stage, "--mode", "matrix", "--latency", latency)
    return floatwav.read(stage)[0]


def level(x):
    return 10 * np.log10(np.mean(np.square(x, dtype=float), axis=0) + 1e-15)


def alone(program, encoder, latency):
    """Returns the least separation of each channel alone, dB; the two surrounds of a matrix with one surround count as
    one."""
    noise, least = pieces.pink(2 * RATE, np.random.default_rng(5)) * 0.1, {}
    for channel in SOUNDING:
        x = np.zeros((len(noise), 6))
        x[:, channel] = noise
        found = level(decode(program, encode(program, encoder, x), latency)[RATE // 2:])
        own = [4, 5] if encoder == "dolby" and channel >= 4 else [channel]
        others = [found[other] for other in SOUNDING if other not in own]
        least[NAMES[channel]] = found[channel] - max(others)
    return least


def by_turns(program, encoder, latency):
    """Returns the same if the channel changes every quarter of a second; the first 50 ms after each change count
    too."""
    rng, turn = np.random.default_rng(6), RATE // 4
    x, order = np.zeros((20 * turn, 6)), [SOUNDING[i % 5] for i in rng.permutation(20)]
    for i, channel in enumerate(order):
        x[i * turn:(i + 1) * turn, channel] = pieces.pink(turn, rng) * 0.1
    y, least = decode(program, encode(program, encoder, x), latency), np.inf
    for channel in SOUNDING:
        heard = np.concatenate([y[i * turn:(i + 1) * turn] for i, own in enumerate(order) if own == channel])
        found = level(heard)
        own = [4, 5] if encoder == "dolby" and channel >= 4 else [channel]
        least = min(least, found[channel] - max(found[other] for other in SOUNDING if other not in own))
    return least


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program, missed = Program(sys.argv[1]), False
    for encoder in ("proscenium", "dplii", "dolby"):
        for latency in ("player", "live"):
            least, turns = alone(program, encoder, latency), by_turns(program, encoder, latency)
            worst = min(least, key=least.get)
            holds = least[worst] >= AIM and turns >= AIM_BY_TURNS
            missed |= not holds
            print(f"  {encoder if encoder == 'proscenium' else 'ffmpeg ' + encoder:14} {latency:7} alone {least[worst]:6.1f} dB "
                  f"({worst}; aim {AIM}), by turns {turns:5.1f} (aim {AIM_BY_TURNS})  {'ok' if holds else 'MISSED'}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()

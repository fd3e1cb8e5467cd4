#!/usr/bin/python3
"""Makes the files for the commands of this folder's README: a microphone's calibration, and a take with the rotation of
its device.

    make.py FOLDER      writes calibration/ (calibration.json and a response for each direction), street.wav, street.wav.orientation.csv
"""

import json
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts"))
from listening import floatwav

RATE, SECONDS, SPEED = 48000, 10, 343.0


def unit(azimuth, elevation=0.0):
    """Returns the unit vector (x front, y left, z up) of a direction in degrees."""
    a, e = np.radians(azimuth), np.radians(elevation)
    return np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])


def write_calibration(folder):
    """Writes impulse responses of four cardioids of a tetrahedron (FLU FRD BLD BRU, 10 mm), with errors of gain, from
    18 directions."""
    os.makedirs(folder, exist_ok=True)
    random = np.random.default_rng(1)
    axes = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / math.sqrt(3)
    gains, taps = 10 ** (random.uniform(-1, 1, 4) / 20), 512
    hertz = np.fft.rfftfreq(taps, 1 / RATE)
    entries = []
    for azimuth, elevation in [(a, 0) for a in range(0, 360, 30)] + [(a, e) for a in (0, 120, 240) for e in (-40, 40)]:
        u = unit(azimuth, elevation)
        # The wave reaches the middle after 2 ms, capsules that face it earlier.
        delays = 0.002 - 0.01 * axes @ u / SPEED
        spectra = (gains * (0.5 + 0.5 * axes @ u))[:, None] * np.exp(-2j * np.pi * delays[:, None] * hertz)
        name = f"{azimuth:03d}{elevation:+03d}.wav"
        floatwav.write(os.path.join(folder, name), 0.5 * np.fft.irfft(spectra, taps).T, RATE)
        entries.append({"azimuth": azimuth, "elevation": elevation, "file": name})
    with open(os.path.join(folder, "calibration.json"), "w") as file:
        json.dump({"responses": entries}, file, indent=1)


def voice(seed, pitch):
    """Returns syllables of a buzzing voice: pulses of a gliding pitch through two resonances that change, and now and then
    a fricative."""
    random, out, at = np.random.default_rng(seed), np.zeros(RATE * SECONDS), 0
    speech = np.random.default_rng(1000 + seed)
    while at < len(out):
        length = int(RATE * random.uniform(0.15, 0.25))
        t = np.arange(min(length, len(out) - at)) / RATE
        syllable = np.zeros(len(t))
        formants = random.uniform([300, 900], [800, 2200])
        glide = speech.uniform(0.85, 1.15) * (1 + speech.choice([-0.25, 0.25]) * (t * RATE / length - 0.5))
        phase = 2 * np.pi * pitch * np.cumsum(glide) / RATE
        for k in range(1, 30):
            level = sum(1 / (1 + ((k * pitch - f) / 80) ** 2) for f in formants)
            syllable += level * np.sin(k * phase)
        if speech.uniform() < 0.25:
            # Noise about 5 kHz.
            hiss = np.diff(speech.uniform(-1, 1, len(t) + 3))
            syllable = 0.5 * (hiss[:-2] + 2 * hiss[1:-1] + hiss[2:])
        if random.uniform() > 0.15:
            out[at:at + len(t)] = 0.05 * syllable * np.sin(np.pi * t * RATE / length) ** 2
        at += length
    return out


def write_street(path):
    """Writes two talkers who alternate every two seconds, at 20° and -70° in the world, with noise from all sides; the
    device turns by 60° to the left."""
    t = np.arange(RATE * SECONDS) / RATE
    yaw = np.pi / 3 * (0.5 - 0.5 * np.cos(np.pi * np.clip((t - 4) / 2, 0, 1)))
    field = np.zeros((4, len(t)))
    random = np.random.default_rng(3)
    waves = [(20, voice(4, 110) * (t % 4 < 2)), (-70, voice(5, 190) * (t % 4 >= 2))]
    waves += [(azimuth, 0.001 * random.standard_normal(len(t))) for azimuth in range(0, 360, 20)]
    for azimuth, sound in waves:
        seen = np.radians(azimuth) - yaw
        field += sound * np.stack([np.ones_like(seen), np.sin(seen), np.zeros_like(seen), np.cos(seen)])
    floatwav.write(path, field.T, RATE)
    with open(path + ".orientation.csv", "w") as file:
        file.write("t,w,x,y,z\n")
        for i in range(0, len(t), RATE // 100):
            file.write(f"{i / RATE:.2f},{math.cos(yaw[i] / 2):.9f},0,0,{math.sin(yaw[i] / 2):.9f}\n")


def main():
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit("usage: make.py FOLDER")
    write_calibration(os.path.join(sys.argv[1], "calibration"))
    write_street(os.path.join(sys.argv[1], "street.wav"))


if __name__ == "__main__":
    main()

#!/usr/bin/python3
"""Makes a sound field for a turning head: three voices of noise round the listener, one above, and rain from
everywhere.

    sound_field.py ORDER OUT.wav      ORDER: 1 to 7; (order + 1)^2 channels, AmbiX (ACN, SN3D), 48 kHz float
"""

import math
import os
import sys

import numpy as np
from scipy import signal, special

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts"))
from listening import floatwav

RATE, SECONDS = 48000, 12


def harmonics(order, azimuth, elevation):
    """Returns the real spherical harmonics, ACN and SN3D; angles in degrees, left and up positive."""
    azimuth, height = math.radians(azimuth), math.sin(math.radians(elevation))
    gains = []
    for degree in range(order + 1):
        for index in range(-degree, degree + 1):
            m = abs(index)
            scale = math.sqrt((2 - (m == 0)) * math.factorial(degree - m) / math.factorial(degree + m))
            # scipy's functions include the Condon-Shortley phase, ambisonics do not.
            legendre = (-1) ** m * special.lpmv(m, degree, height)
            gains.append(scale * legendre * (math.cos(m * azimuth) if index >= 0 else math.sin(m * azimuth)))
    return np.array(gains)


def knock(random, hertz):
    """Returns repeated short bursts of noise about a frequency."""
    frames = RATE * SECONDS
    low, high = hertz / 1.4, hertz * 1.4
    noise = signal.sosfilt(signal.butter(2, [low, high], "bandpass", fs=RATE, output="sos"), random.standard_normal(frames))
    beat = np.arange(frames) % (RATE // 2) / RATE
    return 0.4 * noise * np.exp(-beat * 25)


def main():
    if len(sys.argv) != 3 or not sys.argv[1].isdigit() or not 1 <= int(sys.argv[1]) <= 7:
        sys.exit("usage: sound_field.py ORDER OUT.wav; orders 1 to 7")
    order = int(sys.argv[1])
    random = np.random.default_rng(7)
    field = np.zeros((RATE * SECONDS, (order + 1) ** 2))
    places = [(0, 0, 700), (120, 0, 1500), (-120, 0, 3000), (0, 80, 5000)]
    for number, (azimuth, elevation, hertz) in enumerate(places):
        voice = np.roll(knock(random, hertz), number * RATE // 8)
        field += voice[:, None] * harmonics(order, azimuth, elevation)
    # Independent noise in every channel, degree l at 1/sqrt(2l + 1), is a diffuse field.
    degrees = np.floor(np.sqrt(np.arange((order + 1) ** 2)))
    field += 0.004 * random.standard_normal(field.shape) / np.sqrt(2 * degrees + 1)
    floatwav.write(sys.argv[2], field, RATE)
    print(f"{sys.argv[2]}: order {order}, {field.shape[1]} channels, {SECONDS} s")


if __name__ == "__main__":
    main()

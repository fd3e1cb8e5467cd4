#!/usr/bin/python3
"""Makes a file in which each channel says its name in turn, to check by ear the directions of the loudspeakers.

    channel_walk.py LAYOUT OUT.wav      LAYOUT: stereo, 5.1, 7.1 or 7.1.4

Made by code, 48 kHz float. The names are spoken by espeak-ng; without it each channel plays a burst of noise.
"""

import os
import shutil
import subprocess
import sys

import numpy as np
from scipy import signal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts"))
from listening import floatwav

RATE, SECONDS = 48000, 1.6
NAMES = {
    "FL": "front left", "FR": "front right", "FC": "centre", "LFE": "low frequencies", "BL": "back left",
    "BR": "back right", "SL": "side left", "SR": "side right", "TFL": "top front left", "TFR": "top front right",
    "TBL": "top back left", "TBR": "top back right",
}
#: Layout: (channel mask of WAVE_FORMAT_EXTENSIBLE, channels in its order).
LAYOUTS = {
    "stereo": (0x3, ["FL", "FR"]),
    "5.1": (0x60F, ["FL", "FR", "FC", "LFE", "SL", "SR"]),
    "7.1": (0x63F, ["FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR"]),
    "7.1.4": (floatwav.MASK_7_1_4, floatwav.CHANNELS_7_1_4),
}


def sound(channel, number):
    """Returns the sound of one channel."""
    frames = int(RATE * SECONDS)
    if channel == "LFE":
        t = np.arange(frames // 2) / RATE
        return 0.1 * np.sin(2 * np.pi * 50 * t) * signal.windows.tukey(len(t), 0.3)
    program = shutil.which("espeak-ng")
    if program:
        wav = subprocess.run(
            [program, "-v", "en", "-w", "/dev/stdout", NAMES[channel]], check=True, capture_output=True).stdout
        at = wav.index(b"data") + 8
        rate = int.from_bytes(wav[24:28], "little")
        pcm = np.frombuffer(wav[at:at + (len(wav) - at) // 2 * 2], "<i2") / 32768
        common = np.gcd(rate, RATE)
        return 0.4 * signal.resample_poly(pcm, RATE // common, rate // common)[:frames]
    noise = np.random.default_rng(number).standard_normal(frames // 2)
    return 0.1 * noise * signal.windows.tukey(len(noise), 0.3)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in LAYOUTS:
        sys.exit(f"usage: channel_walk.py LAYOUT OUT.wav; layouts: {', '.join(LAYOUTS)}")
    mask, channels = LAYOUTS[sys.argv[1]]
    turn = int(RATE * SECONDS)
    samples = np.zeros((turn * len(channels), len(channels)), np.float32)
    for number, channel in enumerate(channels):
        said = sound(channel, number)
        samples[number * turn:number * turn + len(said), number] = said
    floatwav.write(sys.argv[2], samples, RATE, mask)
    print(f"{sys.argv[2]}: {sys.argv[1]}, {len(channels)} channels, {len(samples) / RATE:.1f} s")


if __name__ == "__main__":
    main()

"""Talkers by espeak-ng: read sentences, at 48 kHz, with RMS 1 over the spoken parts. Speech is cached in
`.build/talkers`."""

import hashlib
import math
import pathlib
import subprocess
import tempfile
import sys

import numpy as np
from scipy import signal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "listening"))
import floatwav

RATE = 48_000
KEPT = pathlib.Path(__file__).resolve().parent.parent.parent / ".build" / "talkers"

SENTENCES = (
    "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It is easy to tell the depth of a well.",
    "These days a chicken leg is a rare dish. Rice is often served in round bowls. The juice of lemons makes fine punch.",
    "The box was thrown beside the parked truck. The hogs were fed chopped corn and garbage. Four hours of steady work faced us.",
    "A large size in stockings is hard to sell. The boy was there when the sun rose. A rod is used to catch pink salmon.",
    "The source of the huge river is the clear spring. Kick the ball straight and follow through. Help the woman get back to her feet.",
    "A pot of tea helps to pass the evening. Smoky fires lack flame and heat. The soft cushion broke the man's fall.",
    "The salt breeze came across from the sea. The girl at the booth sold fifty bonds. The small pup gnawed a hole in the sock.",
    "The fish twisted and turned on the bent hook. Press the pants and sew a button on the vest. The swan dive was far short of perfect.",
    "The beauty of the view stunned the young boy. Two blue fish swam in the tank. Her purse was full of useless trash.",
    "The colt reared and threw the tall rider. It snowed, rained, and hailed the same morning. Read verse out loud for pleasure.",
)
#: Voices used for tuning; the others are held out.
KNOWN = ("en-us+m1", "en-gb+f2", "en-us+f4", "en-gb+m5", "en-gb-scotland+m3", "en-029+f1")
HELD_OUT = ("en-gb-x-rp+m7", "en-us+f5", "en-gb-x-gbclan+m4", "en-029+f3", "en-us+m6", "en-gb-x-gbcwmd+f2")


def speak(voice, text, speed=165, pitch=50):
    """Returns speech of a voice, without silence at the ends; root mean square 1 over the samples louder than -40 dB of
    the peak."""
    key = hashlib.sha256(repr((voice, text, speed, pitch, 1)).encode()).hexdigest()[:24]
    kept = KEPT / f"{key}.npy"
    if kept.exists():
        return np.load(kept).astype(float)
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        subprocess.run(["espeak-ng", "-v", voice, "-s", str(speed), "-p", str(pitch), "-w", file.name, text], check=True)
        x, rate = floatwav.read(file.name)
    common = math.gcd(RATE, rate)
    x = signal.resample_poly(x[:, 0], RATE // common, rate // common)
    x = signal.sosfilt(signal.butter(2, 60, "high", fs=RATE, output="sos"), x)
    loud = np.flatnonzero(np.abs(x) > 0.003 * np.abs(x).max())
    x = x[max(0, loud[0] - 480):loud[-1] + 960]
    x /= np.sqrt(np.mean(x[np.abs(x) > 0.01 * np.abs(x).max()] ** 2))
    KEPT.mkdir(parents=True, exist_ok=True)
    np.save(kept, x.astype(np.float32))
    return x.astype(np.float32).astype(float)


def talk(voice, seconds, seed, start=0.4, pause=0.35, speed=165):
    """Returns sentences for `seconds`, in an order by the seed, with pauses of about `pause` seconds."""
    rng = np.random.default_rng(seed)
    out, at = np.zeros(int(seconds * RATE)), start
    order = rng.permutation(len(SENTENCES))
    number = 0
    while at < seconds - 0.5:
        for sentence in SENTENCES[order[number % len(order)]].split(". "):
            x = speak(voice, sentence.strip(".") + ".", speed)[:max(0, len(out) - int(at * RATE))]
            out[int(at * RATE):int(at * RATE) + len(x)] += x
            at += len(x) / RATE + pause * rng.uniform(0.5, 1.5)
        number += 1
    return out

"""Scenes for separation: talkers in rooms with diffuse babble, music or traffic, in first-order ambisonics, with known
parts.

Levels: noise at 0 dB has in W the power of the talkers' whole image in W, over the seconds with speech.
"""

import functools
import os
import pathlib
import sys

import numpy as np
from scipy import signal

import talkers
from room import RATE, Room, encode, unit

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "listening"))
import pieces

#: Seconds of a room's response that count as early, from the direct sound on.
EARLY = 0.05


def sphere(count, rng):
    """Returns evenly distributed directions (a spiral, rotated at random): [count][3]."""
    i = np.arange(count) + 0.5
    z, turn = 1 - 2 * i / count, np.pi * (1 + 5**0.5) * i
    points = np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z], -1)
    return points @ np.linalg.qr(rng.standard_normal((3, 3)))[0]


def field(rows, directions):
    """Returns plane waves [wave][frame] from directions: [4][frame]; W is their sum."""
    return encode(directions) @ rows


def babble(seconds, seed, voices, count=32):
    """Returns `count` talkers at once, with `voices` in turn: each from another direction, with a short
    reverberation."""
    rng = np.random.default_rng(seed)
    tail = 10 ** (-3 * np.arange(int(0.3 * RATE)) / RATE / 0.4)
    rows = []
    for number in range(count):
        x = talkers.talk(voices[number % len(voices)], seconds, seed * 100 + number, start=-0.0, pause=0.15,
                         speed=150 + 8 * (number % 6))
        x = np.roll(x, rng.integers(len(x)))
        h = rng.standard_normal(len(tail)) * tail * 0.02
        h[0] = 1
        rows.append(signal.fftconvolve(x, h)[:len(x)])
    return field(np.array(rows), sphere(count, rng))


def music(seconds, seed, piece, count=32):
    """Returns a generated piece as diffuse reverberation from all directions."""
    rng = np.random.default_rng(seed)
    dry = sum(pieces.level(x, level) for x, (_, level) in zip(getattr(pieces, piece)(seconds).values(), pieces.STAGE.values()))
    tail = 10 ** (-3 * np.arange(int(0.6 * RATE)) / RATE / 0.8)
    rows = [signal.fftconvolve(dry, rng.standard_normal(len(tail)) * tail)[:int(seconds * RATE)] for _ in range(count)]
    return field(np.array(rows), sphere(count, rng))


def traffic(seconds, seed, count=32):
    """Returns a road from all directions: noise that falls by 6 dB per octave from 100 Hz on, and passing cars."""
    rng = np.random.default_rng(seed)
    frames = int(seconds * RATE)
    shape = signal.butter(1, 100, fs=RATE, output="sos")
    t, rows = np.arange(frames) / RATE, []
    for _ in range(count):
        swell = sum(np.exp(-((t - rng.uniform(-1, seconds + 1)) / rng.uniform(0.7, 2)) ** 2) for _ in range(3))
        rows.append(signal.sosfilt(shape, rng.standard_normal(frames)) * (0.3 + swell))
    return field(np.array(rows), sphere(count, rng))


def steady(seconds, seed, count=64):
    """Returns pink noise from all directions."""
    return _steady(seconds, seed, count).copy()


@functools.lru_cache(maxsize=16)
def _steady(seconds, seed, count):
    rng = np.random.default_rng(seed)
    return field(np.array([pieces.pink(int(seconds * RATE), rng) for _ in range(count)]), sphere(count, rng))


class Talker:
    """A voice in a room: `image` and `early`, [4][frame], with the direct sound's delay."""

    def __init__(self, voice, azimuth, elevation, distance, room, microphone, seconds, seed, start=0.4, pause=0.35):
        self.azimuth, self.elevation = azimuth, elevation
        self.direction = unit(azimuth, elevation)
        self.dry = talkers.talk(voice, seconds, seed, start, pause)
        response = room.response(microphone + distance * self.direction, microphone)
        first = int(distance / 343 * RATE)
        early = response.copy()
        cut = first + int(EARLY * RATE)
        early[:, cut:] = 0
        self.response = response
        self.image = signal.fftconvolve(response, self.dry[None], axes=1)[:, :len(self.dry)]
        self.early = signal.fftconvolve(early, self.dry[None], axes=1)[:, :len(self.dry)]
        direct = response.copy()
        direct[:, first + 40:] = 0
        self.direct = signal.fftconvolve(direct, self.dry[None], axes=1)[:, :len(self.dry)]

    def scale(self, gain):
        self.image, self.early, self.direct = gain * self.image, gain * self.early, gain * self.direct


class Moving:
    """A voice that moves around the listener at `speed` degrees per second from `azimuth` on, with diffuse late
    reverberation."""

    def __init__(self, voice, azimuth, speed, distance, rt60, seconds, seed):
        self.dry = talkers.talk(voice, seconds, seed, pause=0.15)
        t = np.arange(len(self.dry)) / RATE
        self.angles = azimuth + speed * t
        direct = encode(unit(self.angles)) * self.dry / distance
        rng = np.random.default_rng(seed)
        tail = 10 ** (-3 * np.arange(int(rt60 * RATE)) / RATE / rt60)
        tail[:int(0.005 * RATE)] = 0
        tail *= np.sqrt(0.35 / np.sum(tail**2))
        rows = [signal.fftconvolve(self.dry, rng.standard_normal(len(tail)) * tail)[:len(self.dry)] for _ in range(32)]
        self.early = direct
        self.image = direct + field(np.array(rows), sphere(32, rng)) / np.sqrt(32)


class Scene:
    """Talkers and noise, and their sum `x`, [4][frame]; `target` is W of the talkers' images within 50 ms."""

    def __init__(self, name, voices, noise, noise_level=0.0):
        self.name, self.voices = name, voices
        power = np.mean(sum(v.image[0] for v in voices) ** 2) if voices else 1.0
        gain = 10 ** (noise_level / 20) * np.sqrt(power / np.mean(noise[0] ** 2)) if noise is not None else 0
        self.noise = gain * noise if noise is not None else 0 * voices[0].image
        level = 0.05 / np.sqrt(np.mean((self.noise[0] + sum(v.image[0] for v in voices)) ** 2))
        self.noise *= level
        for v in voices:
            v.early, v.image = level * v.early, level * v.image
        self.x = self.noise + sum(v.image for v in voices)
        self.target = sum(v.early[0] for v in voices) if voices else None


#: Scenes used for tuning, and five held-out ones: kind of noise, rt60, talkers' azimuths, seed.
KNOWN = {
    "babble 0.3": ("babble", 0.3, (20,), 11), "babble 0.6": ("babble", 0.6, (-50,), 12),
    "music 0.3": ("band", 0.3, (75,), 13), "music 0.6": ("song", 0.6, (-15,), 14),
    "two 0.3": ("babble", 0.3, (35, -55), 15), "traffic 0.6": ("traffic", 0.6, (110,), 16),
}
HELD_OUT = {
    "babble 0.3 h": ("babble", 0.3, (-35,), 51), "babble 0.6 h": ("babble", 0.6, (65,), 52),
    "music 0.3 h": ("orchestra", 0.3, (-80,), 53), "music 0.6 h": ("jazz", 0.6, (30,), 54),
    "two 0.3 h": ("electronic", 0.3, (-25, 70), 55),
}


def scene(name, seconds=12):
    """Returns a scene by its name in `KNOWN` or `HELD_OUT`."""
    kind, rt60, azimuths, seed = {**KNOWN, **HELD_OUT}[name]
    rng = np.random.default_rng(seed)
    voices = talkers.KNOWN if name in KNOWN else talkers.HELD_OUT
    size = np.array([rng.uniform(5, 8), rng.uniform(4, 6), rng.uniform(2.5, 3.2)])
    room, microphone = Room(size, rt60, seed), size * (0.5 + 0.08 * rng.uniform(-1, 1, 3))
    people = [
        Talker(voices[(seed + i) % len(voices)], azimuth, rng.uniform(-8, 12), rng.uniform(1.0, 1.5), room, microphone, seconds,
               seed * 10 + i, start=0.4 + 0.15 * i)
        for i, azimuth in enumerate(azimuths)]
    noise = babble(seconds, seed, voices) if kind == "babble" else traffic(seconds, seed) if kind == "traffic" else music(seconds, seed, kind)
    return Scene(name, people, noise)

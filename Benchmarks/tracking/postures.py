"""Postures: a head that keeps its place but sways, and that looks to the side now and then.

Source of the spectrum: upright posture sways mostly below 0.5 Hz; its power is flat below some 0.1 Hz, falls by about
6 dB per octave up to the limit of the body's balance at 0.3 to 0.7 Hz, and by 18 dB beyond (Maurer & Peterka, "A new
interpretation of spontaneous sway measures based on a simple model of human postural control", J. Neurophysiol. 93,
2005; Collins & De Luca, Exp. Brain Res. 95, 1993). Heads of sitting persons sway by 0.1 to 0.5°.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

import generated
import motions
import references
from listening import rotations
from recordings import Trial

SWAYS = (0.05, 0.2, 0.5)  #: °, RMS of each angle
RATES = (50, 100, 200)  #: Hz
DURATION = 125.0  #: seconds, of which the first five are without looks
SLOWEST, FASTEST = 0.02, 2.5  #: Hz, band of the sway
FLAT, BALANCE = (0.06, 0.15), (0.3, 0.7)  #: Hz, ranges of the two corners of the spectrum
#: Share of the sway of each angle: yaw, pitch, roll.
SHARES = (0.8, 1.0, 0.8)


@dataclass
class Posture:
    """A head that sways by `sway` ° RMS about each axis; `height` m above the axis of its pitch and roll. With `looks`
    it turns aside every few seconds and rests there."""

    sway: float
    height: float
    looks: bool

    def ideal(self, times, rng):
        corners = rng.uniform(*FLAT), rng.uniform(*BALANCE)
        angle, acceleration = swaying(times, corners, rng)
        sizes = self.sway * np.asarray(SHARES)
        angle, acceleration = angle * sizes, np.radians(acceleration * sizes)
        yaw = angle[:, 0] + (looking(times, rng) if self.looks else 0)
        pose = rotations.from_angles(yaw, angle[:, 1], angle[:, 2])
        step = times[1] - times[0]
        turn = references.rotation_vectors(rotations.multiply(rotations.conjugate(pose[:-1]), pose[1:])) / step
        rate = np.vstack([turn[:1], (turn[:-1] + turn[1:]) / 2, turn[-1:]])
        # Small angles: a pitch carries the head forwards, a roll to the side.
        moved = self.height * np.column_stack([acceleration[:, 1], -acceleration[:, 2], 0 * times])
        heading = rotations.from_angles(yaw)
        force = rotations.rotate(rotations.conjugate(pose), rotations.rotate(heading, moved) + motions.GRAVITY)
        return motions.Ideal(times, pose, rate, force)


def swaying(times, corners, rng, count=60):
    """Returns three independent processes [n][3] of variance 1 with the spectrum of sway, and their second
    derivatives."""
    edges = SLOWEST * (FASTEST / SLOWEST) ** (np.arange(count + 1) / count)
    frequency = edges[:-1] + np.diff(edges) * rng.random(count)
    flat, balance = corners
    power = np.diff(edges) / (1 + (frequency / flat) ** 2) / (1 + (frequency / balance) ** 4)
    size = np.sqrt(power / power.sum())[:, None]
    omega = 2 * np.pi * frequency
    of_sine, of_cosine = rng.standard_normal((2, count, 3)) * size
    angle = np.sin(np.outer(times, omega)) @ of_sine + np.cos(np.outer(times, omega)) @ of_cosine
    squares = omega[:, None] ** 2
    return angle, (-np.sin(np.outer(times, omega)) @ (squares * of_sine)
                   - np.cos(np.outer(times, omega)) @ (squares * of_cosine))


def looking(times, rng):
    """Returns a yaw [n], degrees: turns by 30° (standard deviation) at 10 to 90°/s, seconds of rest between."""
    yaw, at = np.zeros(len(times)), generated.SETTLES
    while at < times[-1] - 2:
        angle = rng.normal(0, 30)
        lasts = max(0.4, abs(angle) / rng.uniform(10, 90))
        u = np.clip((times - at) / lasts, 0, 1)
        yaw += angle * u**3 * (10 - 15 * u + 6 * u * u)
        at += lasts + 0.3 + rng.exponential(3)
    return yaw


def trials(seeds):
    """Returns trials of each sway, with looks and without, of each kind of IMU."""
    return [Trial("sway", f"{sway:g}°{', looks' * looks}, {kind}", f"{sway:g}° {'looks ' * looks}{kind} {seed}",
                  partial(_posture, sway, looks, kind, seed))
            for sway in SWAYS for looks in (False, True) for kind in generated.KINDS for seed in seeds]


def _posture(sway, looks, kind, seed):
    dice = np.random.default_rng([seed, 17, round(1000 * sway), looks, list(generated.KINDS).index(kind)])
    posture = Posture(sway, dice.uniform(0.2, 1.6), looks)
    return generated.recorded(posture, generated.KINDS[kind](dice), int(dice.choice(RATES)), DURATION, dice, dice)

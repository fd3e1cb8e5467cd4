"""Motion in closed form, and the samples of an ideal IMU that takes part in it.

A hand or a head turns about a centre that sways; the IMU is at a lever arm from it. Angular rate and sway are smooth
random processes: sums of sinusoids with Gaussian coefficients, whose derivatives are exact. Also steady turns.
"""

from dataclasses import dataclass

import numpy as np

import places
import strapdown
from listening import rotations

GRAVITY = np.array([0, 0, 9.81])  #: m/s², specific force at rest, world axes
RATE_BAND, SWAY_BAND = (0.3, 1.2), (0.2, 1.5)  #: Hz


@dataclass
class Ideal:
    """Ideal samples at the times [n], spaced by `times[1] - times[0]` seconds, in body axes."""

    times: np.ndarray
    pose: np.ndarray  #: [n][4], body to world
    rate: np.ndarray  #: [n][3] rad/s
    force: np.ndarray  #: [n][3] m/s²


@dataclass
class Path:
    """Motion of a body relative to its surroundings, the earth or a vehicle, at times [n]."""

    pose: np.ndarray  #: [n][4], body to surroundings
    rate: np.ndarray  #: [n][3] rad/s, body axes
    place: np.ndarray  #: [n][3] m, axes of the surroundings
    speed: np.ndarray  #: [n][3] m/s
    acceleration: np.ndarray  #: [n][3] m/s²


@dataclass
class Motion:
    """Random motion of a body."""

    speed: float  #: °/s, RMS about an axis of weight 1
    axes: tuple = (1, 1, 1)  #: weights of the body's axes
    lever: float = 0.1  #: distance from the centre of turns to the IMU, m, in a random direction
    sway: float = 0.03  #: m, RMS of the centre along each axis
    rest: float = 2.0  #: seconds before the motion, which starts within one more; 0: motion from the first sample

    def ideal(self, times, rng):
        path = self.path(times, rng)
        force = rotations.rotate(rotations.conjugate(path.pose), path.acceleration + GRAVITY)
        return Ideal(times, path.pose, path.rate, force)

    def path(self, times, rng):
        """Returns the path. Source: rigid-body kinematics, v = ω × r and a = α × r + ω × (ω × r) in body axes, plus the
        motion of the centre."""
        onset, onset_1, onset_2 = (part[:, None] for part in minimum_jerk(times - self.rest, bool(self.rest)))
        turning, turning_1, _ = smooth(times, RATE_BAND, rng)
        weights = np.radians(self.speed) * np.asarray(self.axes)
        rate = onset * turning * weights
        angular_acceleration = (onset_1 * turning + onset * turning_1) * weights
        place, place_1, place_2 = smooth(times, SWAY_BAND, rng)
        lever = rng.standard_normal(3)
        lever *= self.lever / np.linalg.norm(lever)
        pose = turned(rotations.from_angles(0, *rng.uniform(-20, 20, 2)), times, rate)
        carried = np.cross(rate, lever)
        return Path(
            pose, rate, rotations.rotate(pose, np.broadcast_to(lever, rate.shape)) + self.sway * onset * place,
            rotations.rotate(pose, carried) + self.sway * (onset_1 * place + onset * place_1),
            rotations.rotate(pose, np.cross(angular_acceleration, lever) + np.cross(rate, carried))
            + self.sway * (onset_2 * place + 2 * onset_1 * place_1 + onset * place_2))


@dataclass
class SteadyTurn:
    """An inclined body on a vehicle: at rest, in a turn about the vertical at one rate, and at rest again."""

    speed: float  #: °/s
    rest: float  #: rest before the turn, seconds
    lasts: float = 40.0  #: duration of the turn, seconds
    inclined: float = 8.0  #: °, inclination about a random level axis

    def ideal(self, times, rng):
        heading = self.speed * np.clip(times - self.rest, 0, self.lasts)
        way = rng.uniform(0, 360)
        tilt = rotations.multiply(rotations.from_angles(way), rotations.multiply(
            rotations.from_angles(0, self.inclined), rotations.from_angles(-way)))
        pose = rotations.multiply(rotations.from_angles(heading), tilt)
        turns = (times >= self.rest) & (times < self.rest + self.lasts)
        up = rotations.rotate(rotations.conjugate(tilt), [0, 0, 1.0])
        # The IMU is on the axis of the turn: it measures only gravity.
        rate = turns[:, None] * np.radians(self.speed) * up
        return Ideal(times, pose, rate, np.tile(GRAVITY[2] * up, (len(times), 1)))


def smooth(times, band, rng, count=40):
    """Returns a random process [n][3] of variance 1 within `band` (Hz), and its first two derivatives."""
    low, high = band
    omega = 2 * np.pi * (low + (high - low) * (np.arange(count) + rng.random(count)) / count)
    of_sine, of_cosine = rng.standard_normal((2, count, 3)) / np.sqrt(count)
    sine, cosine = np.sin(np.outer(times, omega)), np.cos(np.outer(times, omega))
    omega = omega[:, None]
    return (sine @ of_sine + cosine @ of_cosine, cosine @ (omega * of_sine) - sine @ (omega * of_cosine),
            -(sine @ (omega**2 * of_sine) + cosine @ (omega**2 * of_cosine)))


def minimum_jerk(times, ramps=True):
    """Returns a step from 0 at time 0 to 1 a second later, smooth at both ends, and two derivatives; 1 throughout
    unless `ramps`.

    Source: Flash & Hogan, J. Neurosci. 5, 1985: 10 u³ − 15 u⁴ + 6 u⁵."""
    u = np.clip(times, 0, 1) if ramps else np.ones_like(times)
    return u**3 * (10 - 15 * u + 6 * u * u), 30 * u**2 * (1 - u) ** 2, 60 * u * (1 - u) * (1 - 2 * u)


def turned(start, times, rate):
    """Returns the poses [n][4] of a body that turns at `rate` [n][3] from the pose `start`.

    The rotation vector of each step is the Magnus expansion of a rate that is linear in it: the mean and the coning
    term."""
    step = times[1] - times[0]
    mean = (rate[:-1] + rate[1:]) / 2 * step + np.cross(rate[:-1], rate[1:]) * step**2 / 12
    return strapdown.integrated(start, np.vstack([np.zeros(3), mean]))

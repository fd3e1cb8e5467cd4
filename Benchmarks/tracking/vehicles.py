"""Motion and vibration of vehicles in closed form: axes x front, y left, z up of the vehicle; the world's axes are the
vehicle's at its start."""

from dataclasses import dataclass

import numpy as np

import places
from listening import rotations
from motions import GRAVITY, minimum_jerk, smooth

VIBRATION_BAND = (5.0, 40.0)  #: Hz
#: Shares of a vibration's RMS along x, y and z: mostly vertical. The sum of their squares is 1.
VIBRATION_AXES = np.array([0.5, 0.4, np.sqrt(1 - 0.5**2 - 0.4**2)])
STANDARD_GRAVITY = 9.80665  #: m/s²


@dataclass
class Course:
    """Motion of a vehicle at times [n] without vibration, and its vibration."""

    pose: np.ndarray  #: [n][4], vehicle to world
    rate: np.ndarray  #: [n][3] rad/s, vehicle axes
    angular_acceleration: np.ndarray  #: [n][3] rad/s², vehicle axes
    acceleration: np.ndarray  #: [n][3] m/s², vehicle axes
    shaking: np.ndarray  #: [n][3] m/s², vehicle axes

    @property
    def force(self):
        """Specific force [n][3] in vehicle axes, m/s², without vibration."""
        return self.acceleration + rotations.rotate(rotations.conjugate(self.pose), GRAVITY)


def course(heading, roll, acceleration, shaking):
    """Returns the course of a vehicle that turns about the vertical and rolls. Heading and roll are [3][n], the angle
    in radians (positive to the left, and with the right side down) and its two derivatives; the others are [n][3]."""
    (angle, first, second), (bank, bank_1, bank_2) = heading, roll
    sine, cosine = np.sin(bank), np.cos(bank)
    rate = np.column_stack([bank_1, first * sine, first * cosine])
    angular = np.column_stack([bank_2, second * sine + first * bank_1 * cosine,
                               second * cosine - first * bank_1 * sine])
    return Course(rotations.from_angles(np.degrees(angle), 0, np.degrees(bank)), rate, angular, acceleration, shaking)


def straight(times, acceleration=None, shaking=None):
    """Returns the course of a vehicle that does not turn; without `acceleration` [n][3] its speed is constant, without
    `shaking` it has no vibration."""
    none = np.zeros((3, len(times)))
    still = np.zeros((len(times), 3))
    return course(none, none, still if acceleration is None else acceleration, still if shaking is None else shaking)


def steps(times, events):
    """Returns the sum of minimum-jerk steps [3][n], with two derivatives: `events` are (start, seconds, height)."""
    total = np.zeros((3, len(times)))
    for start, lasts, height in events:
        total += height * np.stack(minimum_jerk((times - start) / lasts)) / lasts ** np.arange(3)[:, None]
    return total


def vibration(times, rms, rng, begins=0.0):
    """Returns broadband vibration [n][3] of total RMS `rms` m/s². It starts within a second from `begins`, or at once
    if that is 0."""
    onset = minimum_jerk(times - begins, bool(begins))[0][:, None]
    return onset * rms * VIBRATION_AXES * smooth(times, VIBRATION_BAND, rng, count=60)[0]


def shock(times, start, lasts, height):
    """Returns half a sine of `height` and its rebound, half as high and twice as long [n]: together they leave no
    speed."""
    after = times - start
    up = np.where((after >= 0) & (after < lasts), np.sin(np.pi * after / lasts), 0)
    back = np.where((after >= lasts) & (after < 3 * lasts), np.sin(np.pi * (after - lasts) / (2 * lasts)), 0)
    return height * (up - back / 2)


def potholes(times, begins, rng, spacing):
    """Returns shocks of 1 to 3 g for 20 to 80 ms, upwards and by a third against the motion; `spacing`: (least, most)
    seconds between them."""
    found = np.zeros((len(times), 3))
    at = begins + rng.uniform(*spacing)
    while at < times[-1]:
        hit = shock(times, at, rng.uniform(0.02, 0.08), rng.uniform(1, 3) * STANDARD_GRAVITY)
        found += hit[:, None] * [-1 / 3, 0, 1]
        at += rng.uniform(*spacing)
    return found


# The rides, functions of (times, begins, rng). `begins`: seconds of rest, 0 for motion from the first sample.

def parked(times, begins, rng):
    return straight(times)


def rough_road(times, begins, rng):
    """Constant speed; vibration of 0.5 to 3 m/s²."""
    return straight(times, shaking=vibration(times, 0.5 * 6 ** rng.random(), rng, begins))


def pothole_road(times, begins, rng):
    """Constant speed; a shock every 3 to 12 s, and vibration of 0.5 m/s² between them."""
    return straight(times, shaking=vibration(times, 0.5, rng, begins) + potholes(times, begins, rng, (3, 12)))


def bus(times, begins, rng):
    """Drives from stop to stop at 6 to 12 m/s, up to 2.5 m/s²; between them bends of 30 to 90° at up to 3 m/s² sideways;
    vibration of 0.5 to 1 m/s², and a pothole every 20 to 60 s."""
    speeds, turns = [], []
    at = begins + rng.uniform(2, 5)
    while at < times[-1]:
        speed = rng.uniform(6, 12)
        # A minimum-jerk step is 1.875 times as fast in its middle as on average.
        gains, slows = (1.875 * speed / rng.uniform(1.2, 2.5) for _ in range(2))
        speeds.append((at, gains, speed))
        at += gains + rng.uniform(1, 4)
        for _ in range(rng.integers(1, 4)):
            angle = np.radians(rng.uniform(30, 90))
            lasts = 1.875 * angle * speed / rng.uniform(1.5, 3)
            turns.append((at, lasts, angle * rng.choice([-1, 1])))
            at += lasts + rng.uniform(0, 6)
        speeds.append((at, slows, -speed))
        at += slows + rng.uniform(2, 12)
    speed, gain, _ = steps(times, speeds)
    heading = steps(times, turns)
    acceleration = np.column_stack([gain, speed * heading[1], np.zeros(len(times))])
    shaking = vibration(times, rng.uniform(0.5, 1), rng, begins) + potholes(times, begins, rng, (20, 60))
    return course(heading, np.zeros((3, len(times))), acceleration, shaking)


def escalator(times, begins, rng):
    """Up and down at 30°, 0.5 to 0.75 m/s, rides of 15 to 40 s that start and stop within 0.4 to 1 s; while it runs,
    vibration of 0.3 m/s² and that of the steps, 0.4 m each, with its first overtone."""
    speed = rng.uniform(0.5, 0.75)
    climbs, runs = [], []
    at = begins + rng.uniform(1, 4)
    while at < times[-1]:
        lasts, ramps, way = rng.uniform(15, 40), rng.uniform(0.4, 1, 2), rng.choice([-1, 1])
        for start, ramp, height in ((at, ramps[0], 1), (at + lasts, ramps[1], -1)):
            runs.append((start, ramp, height))
            climbs.append((start, ramp, way * height))
        at += lasts + ramps[1] + rng.uniform(2, 8)
    # Both directions go to the front.
    running, gain, _ = steps(times, runs)
    acceleration = speed * np.column_stack([np.cos(np.radians(30)) * gain, np.zeros(len(times)),
                                            np.sin(np.radians(30)) * steps(times, climbs)[1]])
    passing = 2 * np.pi * speed / 0.4 * times
    phases = rng.uniform(0, 2 * np.pi, 2)
    step = 0.2 * np.sin(passing + phases[0]) + 0.1 * np.sin(2 * passing + phases[1])
    shaking = running[:, None] * (vibration(times, 0.3, rng) + step[:, None] * [0.3, 0, 1])
    return straight(times, acceleration, shaking)


def aeroplane(times, begins, rng):
    """A coordinated turn: 25° of bank at 1.5 or 3°/s, so fast that the specific force stays normal to the floor; begun
    and ended within 6 s, and 3 to 5 minutes long or to the end of `times`; vibration of 0.3 m/s²."""
    speed_of_turn = np.radians(rng.choice([1.5, 3.0])) * rng.choice([-1, 1])
    speed = GRAVITY[2] * np.tan(np.radians(25)) / abs(speed_of_turn)
    starts, ramp, lasts = begins + rng.uniform(10, 20), 6.0, rng.uniform(180, 300)
    rate, rate_1, rate_2 = steps(times, [(starts, ramp, speed_of_turn), (starts + lasts, ramp, -speed_of_turn)])
    heading = sum(height * integral_of_step((times - start) / ramp) * ramp
                  for start, height in ((starts, speed_of_turn), (starts + lasts, -speed_of_turn)))
    # tan(roll) = −v·ω/g: a turn to the left has the left side down.
    slope = speed / GRAVITY[2]
    share = 1 + (slope * rate) ** 2
    roll = (-np.arctan(slope * rate), -slope * rate_1 / share,
            -slope * rate_2 / share + 2 * slope**3 * rate * rate_1**2 / share**2)
    level = np.column_stack([np.zeros(len(times)), speed * rate, np.zeros(len(times))])
    # Level axes with the vehicle's heading, seen by the rolled vehicle.
    acceleration = rotations.rotate(rotations.from_angles(0, 0, -np.degrees(roll[0])), level)
    return course((heading, rate, rate_1), roll, acceleration, vibration(times, 0.3, rng, begins))


def integral_of_step(u):
    """Returns the integral of a minimum-jerk step from 0 to 1: 5/2 u⁴ − 3 u⁵ + u⁶, and u − 1/2 after 1."""
    inside = np.clip(u, 0, 1)
    return inside**4 * (2.5 - 3 * inside + inside**2) + np.maximum(0, u - 1)

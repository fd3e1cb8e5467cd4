"""Generated recordings with an exactly known truth: random motions, one sensor error at a time, and steady turns.

Seeds from `REPORTED` on are for reports. Constants are to be chosen on generated recordings with lower seeds.
"""

from dataclasses import replace
from functools import partial

import numpy as np

import sensors
from motions import Motion, SteadyTurn
from recordings import Recording, Trial

REPORTED = 1000
KINDS = {"calibrated": sensors.calibrated, "consumer": sensors.consumer}
SPEEDS, LEVERS = (30, 100, 250), (0.0, 0.4, 0.9)  #: °/s, m
#: Weights of the body axes in the rate: all alike; mostly y, which stays almost level; mostly x, which tilts slowly.
AXES = ((1, 1, 1), (0.1, 1, 0.1), (1, 0.3, 0.05))
RATES = (48, 100, 286, 400)  #: Hz
DURATION = 90.0  #: seconds of random motion
SETTLES = 5.0  #: seconds without reference where a body moves from the first sample on
#: Least sample rate of the ideal motion, Hz.
FINE = 1000

TURNS = (0.5, 1, 2, 3, 5, 10, 30, 100, 200)  #: °/s
RESTS = (0, 2, 5, 10, 30)  #: seconds before the turn
TURN_BIAS = 0.05  #: °/s per axis, at most


def motions(seeds):
    """Returns trials of each kind of IMU at each speed and lever; axes, sample rate and an initial rest are drawn at
    random."""
    return [Trial("generated", f"{kind}, {speed}°/s", f"{kind} {speed}°/s {lever} m {seed}",
                  partial(_motion, kind, speed, lever, seed))
            for seed in seeds for kind in KINDS for speed in SPEEDS for lever in LEVERS]


def _motion(kind, speed, lever, seed):
    dice = np.random.default_rng([seed, list(KINDS).index(kind), speed, round(100 * lever)])
    motion = Motion(speed, AXES[dice.integers(len(AXES))], lever, rest=dice.choice([0.0, 2.0]))
    return recorded(motion, KINDS[kind](dice), int(dice.choice(RATES)), DURATION, dice, dice)


#: Change of each row of cells in a calibrated IMU, or in the motion.
CHANGES = {
    "as calibrated": lambda motion, sensor: (motion, sensor),
    "scale +2 %": lambda motion, sensor: (motion, _scaled(sensor, 0.02)),
    "scale −2 %": lambda motion, sensor: (motion, _scaled(sensor, -0.02)),
    "noise × 10": lambda motion, sensor: (motion, replace(sensor, gyroscope_noise=10 * sensor.gyroscope_noise,
                                                          accelerometer_noise=10 * sensor.accelerometer_noise)),
    "accelerometer bias 0.05 g": lambda motion, sensor: (motion, _offset(sensor, 0.05)),
    "no rest at the start": lambda motion, sensor: (replace(motion, rest=0.0), sensor),
}


def cells(seeds):
    """Returns trials of each change at each rate. In all of them, one seed gives the same motion and the same IMU."""
    return [Trial("cells", f"{change}, {rate} Hz", f"{change} {rate} Hz {seed}", partial(_cell, change, rate, seed))
            for change in CHANGES for rate in RATES for seed in seeds]


def _cell(change, rate, seed):
    dice = np.random.default_rng([seed, 7])
    motion = Motion(speed=20 * 12.5 ** dice.random(), lever=0.9 * dice.random(), axes=AXES[dice.integers(len(AXES))])
    motion, sensor = CHANGES[change](motion, sensors.calibrated(dice))
    return recorded(motion, sensor, rate, DURATION, np.random.default_rng([seed, 8]), np.random.default_rng([seed, 9]))


def _scaled(sensor, error):
    return replace(sensor, gyroscope_errors=sensor.gyroscope_errors + error * np.eye(3))


def _offset(sensor, size):
    """Returns a sensor with an accelerometer bias of `size` g along the diagonal of the body's axes."""
    return replace(sensor, accelerometer_bias=np.full(3, size * sensors.STANDARD_GRAVITY / np.sqrt(3)))


def steady_turns(seeds):
    """Returns trials of turns about the vertical for 40 s after rest; the heading error counts at the end and 40 s
    later."""
    return [Trial("steady turns", f"{speed:g}°/s after {rest:g} s", f"{speed:g}°/s after {rest:g} s {seed}",
                  partial(_steady_turn, speed, rest, seed), {"speed": speed, "rest": rest})
            for speed in TURNS for rest in RESTS for seed in seeds]


def _steady_turn(speed, rest, seed):
    dice = np.random.default_rng([seed, 11])
    turn = SteadyTurn(speed, rest)
    sensor = sensors.Sensor(gyroscope_bias=dice.uniform(-TURN_BIAS, TURN_BIAS, 3))
    recording = recorded(turn, sensor, 100, rest + turn.lasts + 40, dice, dice)
    return replace(recording, marks=(rest + turn.lasts, rest + turn.lasts + 40))


def recorded(motion, sensor, rate, duration, of_motion, of_noise):
    """Returns the samples of `motion` by `sensor` at `rate` Hz, with random generators for motion and noise."""
    every = -(-FINE // rate)
    times = np.arange(round(duration * rate) * every + 1) / (rate * every)
    when, turning, force, truth = sensor.measured(motion.ideal(times, of_motion), every, of_noise)
    counted = np.ones(len(when), bool)
    if isinstance(motion, Motion):
        begins = motion.rest or SETTLES
        counted = when > begins + 1
        if not motion.rest:
            truth[when < begins] = np.nan
    return Recording(when, turning, force, truth, counted, float(rate))

"""Recordings with a magnet of known field beside the sensor: attached to it, standing in the room, or carried past.

The magnet's field is added to the magnetometer samples of BROAD's undisturbed recordings. Generated motion also gets
the earth's field, which varies slightly from place to place as indoors, and a magnetometer with noise and a residual
offset after calibration.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

import generated
import motions
import places
import recordings
from listening import rotations
from recordings import Trial

EARTH, DIP = 49.0, 67.0  #: µT and degrees, middle Europe
#: Standard deviations along each axis: noise of a sample, µT; offset after calibration, µT; gradient of the field in
#: rooms, µT per metre.
NOISE, OFFSET, BEND = 0.4, 0.5, 4.0
#: Path of the sensor in the room, metres: at the end of an arm that turns with it, whose centre wanders.
ARM, WANDER, WANDER_BAND = 0.2, 0.08, (0.05, 0.3)
#: A magnet in the room: moments in A·m² (from a headphone's to a large loudspeaker's), nearest distances in m, speeds
#: of a carried one in m/s.
MOMENTS, DISTANCES, SPEEDS = (2.0, 20.0), (0.5, 0.9), (0.05, 0.4)
#: Least distance from a magnet at which its field is evaluated, metres.
NEAREST = 0.15
STRENGTHS = (0.05, 0.2, 0.5, 1.0, 2.0)  #: fields of an attached magnet, in units of the earth's field
RATES = (100, 286)  #: Hz, of generated motion
DURATION = 120.0  #: seconds of it


@dataclass
class Scene:
    """Motion of a body through a room during a recording."""

    times: np.ndarray  #: [n] seconds
    pose: np.ndarray  #: [n][4], body to world, known throughout
    place: np.ndarray  #: [n][3] position, m, world axes
    moves: tuple  #: beginning and end of the motion, seconds

    def moment(self, share):
        """Returns the time at which this share of the motion is over."""
        return self.moves[0] + share * (self.moves[1] - self.moves[0])


def scene(recording, dice):
    """Returns the path of a recording's body; unknown poses take the next known one."""
    known = recording.known
    pose = rotations.slerp(recording.times[known], recording.truth[known], recording.times)
    arm = ARM * direction(dice)
    centre = WANDER * motions.smooth(recording.times, WANDER_BAND, dice)[0]
    counted = recording.times[recording.counted]
    begins, ends = counted[0], counted[-1]
    centre *= motions.minimum_jerk(recording.times - begins)[0][:, None]
    return Scene(recording.times, pose, rotations.rotate(pose, arm) + centre, (begins, ends))


def direction(dice):
    """Draws a unit vector [3], uniform over the sphere."""
    way = dice.standard_normal(3)
    return way / np.linalg.norm(way)


def drawn(dice, bounds):
    """Draws a number between two bounds, uniform in its logarithm."""
    low, high = np.log(bounds)
    return float(np.exp(dice.uniform(low, high)))


def dipole(moment, away):
    """Returns the field [n][3] in µT of a magnetic moment [3] (A·m²) at offsets `away` from it [n][3] (m): μ0/4π (3
    r̂(m·r̂) − m)/r³."""
    distance = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), NEAREST)
    way = away / np.linalg.norm(away, axis=1, keepdims=True)
    return 0.1 * (3 * way * (way @ moment)[:, None] - moment) / distance**3


def attached(strength, share, scene, dice):
    """Returns the field of a magnet fixed to the sensor: constant in body axes, `strength` times the earth's, between
    two shares of the motion (None: from the first sample, or to the last)."""
    strength = strength or drawn(dice, (STRENGTHS[1], STRENGTHS[-1]))
    there = np.ones(len(scene.times), bool)
    for bound, compare in zip(share, (np.greater_equal, np.less)):
        if bound is not None:
            there &= compare(scene.times, scene.moment(bound))
    return there[:, None] * strength * EARTH * direction(dice)


def standing(scene, dice):
    """Returns the field of a magnet that stands in the room."""
    moment, away = drawn(dice, MOMENTS) * direction(dice), dice.uniform(*DISTANCES) * direction(dice)
    return seen(scene, dipole(moment, scene.place - away))


def passing(scene, dice):
    """Returns the field of three magnets, each carried past once on its own straight path."""
    field = np.zeros((len(scene.times), 3))
    for share in (0.25, 0.5, 0.75):
        moment, nearest = drawn(dice, MOMENTS) * direction(dice), dice.uniform(*DISTANCES) * direction(dice)
        way = np.cross(nearest, direction(dice))
        way *= drawn(dice, SPEEDS) / np.linalg.norm(way)
        field += dipole(moment, scene.place - nearest - np.outer(scene.times - scene.moment(share), way))
    return seen(scene, field)


def seen(scene, field):
    """Converts a field [n][3] from world to body axes."""
    return rotations.rotate(rotations.conjugate(scene.pose), field)


def nothing(scene, dice):
    """Returns no field."""
    return np.zeros((len(scene.times), 3))


#: Functions of a scene and a random generator that return the field [n][3] of each group, µT, body axes.
GROUPS = {
    "no magnet": nothing,
    **{f"attached, {strength:g} of the earth's field": partial(attached, strength, (None, None))
       for strength in STRENGTHS},
    "attached for a while": partial(attached, None, (0.35, 0.65)),
    "attached, then taken off": partial(attached, None, (None, 0.5)),
    "standing in the room": standing,
    "carried past": passing,
    "attached, 0.1 of the earth's field": partial(attached, 0.1, (None, None)),
    "attached from half-way on": partial(attached, None, (0.5, None)),
}


def room(scene, dice):
    """Returns the field at a magnetometer without a magnet, µT, body axes."""
    bend = dice.standard_normal((3, 3))
    # Without currents or magnets nearby, divergence and curl are zero.
    bend = BEND * ((bend + bend.T) / 2 - np.trace(bend) / 3 * np.eye(3))
    north = EARTH * np.array([0, np.cos(np.radians(DIP)), -np.sin(np.radians(DIP))])
    return (seen(scene, north + scene.place @ bend) + OFFSET * dice.standard_normal(3)
            + NOISE * dice.standard_normal((len(scene.times), 3)))


def planted(recording, magnet, dice):
    """Returns a recording with a magnet of `GROUPS`; one without a field also gets the earth's."""
    way = scene(recording, dice)
    field = room(way, dice) if recording.field is None else recording.field
    return replace(recording, field=field + magnet(way, dice))


def trials(folder, seeds):
    """Returns trials of each group on each undisturbed recording of BROAD in `folder` (None: without), and on generated
    motion."""
    real = [trial for trial in recordings.broad(folder) if trial.group == "undisturbed"] if folder else []
    found = []
    for group in GROUPS:
        for seed in seeds:
            found += [Trial("magnets", group, f"{group}, {trial.name} {seed}", partial(_real, group, trial, seed),
                            axes=(9,)) for trial in real]
            found += [Trial("magnets", group, f"{group}, {kind} {speed}°/s {seed}",
                            partial(_generated, group, kind, speed, seed), axes=(9,))
                      for kind in generated.KINDS for speed in (30, 100)]
    return found


def _dice(group, seed, *more):
    return np.random.default_rng([seed, 13, list(GROUPS).index(group), *more])


def _real(group, trial, seed):
    return planted(trial.load(), GROUPS[group], _dice(group, seed, *trial.name.encode()))


def _generated(group, kind, speed, seed):
    dice = _dice(group, seed, list(generated.KINDS).index(kind), speed)
    motion = motions.Motion(speed, generated.AXES[dice.integers(len(generated.AXES))], ARM, rest=2.0)
    recording = generated.recorded(motion, generated.KINDS[kind](dice), int(dice.choice(RATES)), DURATION, dice, dice)
    return planted(recording, GROUPS[group], dice)

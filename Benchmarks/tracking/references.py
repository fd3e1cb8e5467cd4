"""A body with a reference orientation and an IMU fixed to it: the clocks' offset and the mounting between them.

A set whose IMUs have unknown axes or another clock needs both before an orientation can be scored. They follow from the
measured rates alone, and are the same for every estimator."""

from dataclasses import dataclass

import numpy as np

import places
from listening import rotations

#: Greatest offset of the clocks, seconds.
LATEST = 0.1
#: Seconds of a turn over which rates are compared.
SPAN = 0.04
#: Weight of gravity's direction against that of the rates, for mountings that turns about a single axis leave open.
GRAVITY = 0.01


@dataclass
class Fit:
    """What lies between an IMU and its reference."""

    offset: float  #: seconds; the reference's time is the IMU's plus this
    mounting: np.ndarray  #: [4] w x y z, IMU to body
    agreement: float  #: correlation of the IMU's rates with the reference's, 1: the same


def fitted(times, rate, force, frames, poses):
    """Returns the `Fit` of samples [n] (seconds; rad/s; m/s², IMU axes) to poses [m][4] of the body at evenly spaced
    times `frames` [m]; unknown poses are NaN. A rate holds for the interval that it ends, as in all estimators here, so
    that half a sample of delay is part of the offset. The mounting is the least-squares rotation between both rates
    (Wahba's problem, by singular values: Markley, J. Astronautical Sciences 36, 1988). O(m) for each of 58 offsets."""
    apart = max(1, round(SPAN / np.median(np.diff(frames))))
    first, second = poses[:-apart], poses[apart:]
    turns = rotations.multiply(rotations.conjugate(first), second)
    # Turns that the samples cover at every offset.
    known = np.isfinite(turns).all(1) & (frames[:-apart] >= times[0] + LATEST) & (frames[apart:] <= times[-1] - LATEST)
    if not known.any():
        return Fit(0.0, np.array([1.0, 0, 0, 0]), 0.0)
    begins, ends = frames[:-apart][known], frames[apart:][known]
    theirs = rotation_vectors(turns[known]) / (ends - begins)[:, None]
    angle = np.vstack([np.zeros(3), np.cumsum(rate[1:] * np.diff(times)[:, None], axis=0)])

    def profile(offset):
        ours = (interpolated(times, angle, ends - offset) - interpolated(times, angle, begins - offset)) / (
            ends - begins)[:, None]
        energy = np.linalg.norm(theirs) * np.linalg.norm(ours)
        return theirs.T @ ours / energy if energy > 0 else np.zeros((3, 3))

    def agreement(offset):
        found = profile(offset)
        return float(np.sum(found * rotation(found)))

    best = max(np.arange(-LATEST, LATEST + 1e-9, 0.005), key=agreement)
    best = max(best + np.arange(-0.004, 0.0041, 0.0005), key=agreement)
    # Up in the body's axes, and the force there: over the whole motion the force is gravity in the mean.
    up = rotations.rotate(rotations.conjugate(first[known]), np.array([0, 0, 1.0]))
    felt = interpolated(times, force, begins - best)
    gravity = up.T @ felt / np.linalg.norm(felt) / np.linalg.norm(up)
    return Fit(float(best), quaternion(rotation(profile(best) + GRAVITY * gravity)), agreement(best))


def rotation(profile):
    """Returns the rotation matrix nearest to a profile [3][3] of two sets of vectors."""
    left, _, right = np.linalg.svd(profile)
    return left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right


def at_samples(fit, times, frames, poses):
    """Returns the poses [n][4] of the IMU at its samples' times; NaN where one of the two nearest frames is unknown."""
    wanted = times + fit.offset
    known = np.isfinite(poses).all(1)
    right = np.clip(np.searchsorted(frames, wanted), 1, len(frames) - 1)
    inside = (wanted >= frames[0]) & (wanted <= frames[-1]) & known[right] & known[right - 1]
    found = np.full((len(times), 4), np.nan)
    found[inside] = rotations.multiply(
        rotations.slerp(frames[known], poses[known], wanted[inside]), fit.mounting)
    return found


def interpolated(times, values, at):
    """Interpolates columns [n][3] at times."""
    return np.column_stack([np.interp(at, times, column) for column in values.T])


def rotation_vectors(turns):
    """Returns rotation vectors [n][3], radians, of quaternions [n][4]."""
    turns = turns * np.where(turns[:, :1] < 0, -1, 1)
    size = np.linalg.norm(turns[:, 1:], axis=1, keepdims=True)
    return turns[:, 1:] * np.where(size > 1e-12, 2 * np.arctan2(size, turns[:, :1]) / np.maximum(size, 1e-12), 2)


def quaternion(matrix):
    """Returns the quaternion of a rotation matrix: the eigenvector of the greatest eigenvalue of Bar-Itzhack's matrix
    (J. Guidance 23, 2000)."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    symmetric = np.array([[a + e + i, h - f, c - g, d - b], [h - f, a - e - i, b + d, c + g],
                          [c - g, b + d, e - a - i, f + h], [d - b, c + g, f + h, i - a - e]])
    found = np.linalg.eigh(symmetric)[1][:, -1]
    return found * (-1 if found[0] < 0 else 1)

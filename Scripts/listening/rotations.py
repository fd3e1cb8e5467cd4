"""Quaternions [.., 4] as w x y z, Hamilton, body to reference; axes x front, y left, z up.

Positive yaw looks left, positive pitch looks up, positive roll lowers the right ear: R = Rz(yaw) Ry(-pitch) Rx(roll).
"""

import numpy as np


def multiply(a, b):
    """Returns the rotation by `b`, then by `a`."""
    aw, ax, ay, az = np.moveaxis(np.asarray(a, float), -1, 0)
    bw, bx, by, bz = np.moveaxis(np.asarray(b, float), -1, 0)
    return np.stack([
        aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw], -1)


def conjugate(q):
    """Returns the inverse rotation."""
    return np.asarray(q, float) * [1, -1, -1, -1]


def from_angles(yaw, pitch=0.0, roll=0.0):
    """Returns the quaternion of angles in degrees, broadcast against each other."""
    yaw, pitch, roll = np.broadcast_arrays(*(np.radians(np.asarray(v, float)) / 2 for v in (yaw, pitch, roll)))
    zero = np.zeros_like(yaw)
    about_z = np.stack([np.cos(yaw), zero, zero, np.sin(yaw)], -1)
    about_y = np.stack([np.cos(pitch), zero, -np.sin(pitch), zero], -1)
    about_x = np.stack([np.cos(roll), np.sin(roll), zero, zero], -1)
    return multiply(about_z, multiply(about_y, about_x))


def angles(q):
    """Returns yaw, pitch, roll in degrees."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    pitch = -np.arcsin(np.clip(2 * (w * y - x * z), -1, 1))
    roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    return np.degrees(yaw), np.degrees(pitch), np.degrees(roll)


def rotate(q, v):
    """Transforms the vector `v` [.., 3] to the reference frame."""
    v = np.asarray(v, float)
    pure = np.concatenate([np.zeros(v.shape[:-1] + (1,)), v], -1)
    return multiply(multiply(q, pure), conjugate(q))[..., 1:]


def slerp(times, poses, at):
    """Interpolates poses at the times `at`, constant beyond the ends; `times` rising."""
    times, poses = np.asarray(times, float), np.asarray(poses, float)
    at = np.clip(at, times[0], times[-1])
    right = np.clip(np.searchsorted(times, at, side="right"), 1, len(times) - 1)
    left = right - 1
    u = (at - times[left]) / (times[right] - times[left])
    a, b = poses[left], poses[right]
    dot = np.sum(a * b, -1)
    b = np.where(dot[:, None] < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(dot), 0, 1))
    sine = np.where(angle < 1e-6, 1, np.sin(angle))
    wa = np.where(angle < 1e-6, 1 - u, np.sin((1 - u) * angle) / sine)
    wb = np.where(angle < 1e-6, u, np.sin(u * angle) / sine)
    mixed = wa[:, None] * a + wb[:, None] * b
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def direction(azimuth, elevation=0.0):
    """Returns the unit vector [.., 3] of a direction in degrees, azimuth counter-clockwise."""
    azimuth, elevation = np.radians(azimuth), np.radians(elevation)
    return np.stack(np.broadcast_arrays(
        np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)), -1)


def wrap(degrees):
    """Wraps degrees to -180..<180."""
    return (np.asarray(degrees) + 180) % 360 - 180

"""Dynamics of the bus: its speed along the turns of the ride, and the accelerations of bodies in it.

The turns are given; the driver slows down for them. Accelerations stay within the comfort of passengers: sideways 2
m/s², forward 1.2 m/s², braking 1.5 m/s².
"""

import numpy as np
from scipy import ndimage

import make_motion
from listening import rotations

#: Sample rate of the simulation, Hz.
RATE = 1000
#: Cruising speed, m/s; accelerations, m/s².
CRUISE, SIDEWAYS, FORWARD, BRAKING = 10.0, 2.0, 1.2, 1.5
#: Seconds of the ride at which the bus departs and at which it begins to brake to a stop.
DEPARTURE, ARRIVAL = 0.5, 57.0
GRAVITY = 9.81
#: Position of the neck relative to the device on the lap, and of the headphones relative to the neck, metres.
NECK, HEADPHONES = np.array([-0.25, 0.0, 0.45]), np.array([0.02, 0.09, 0.15])


def speed(t):
    """Returns the speed in m/s at the evenly spaced times `t`: as fast as turns, engine and brakes allow, with smooth
    changes."""
    step = t[1] - t[0]
    turning = np.abs(np.gradient(np.radians(make_motion.yaw_of("bus", t)), step))
    limit = np.minimum(CRUISE, 0.9 * SIDEWAYS / np.maximum(turning, 1e-6))
    limit[(t < DEPARTURE) | (t > ARRIVAL + 1.5)] = 0
    for i in range(1, len(t)):
        limit[i] = min(limit[i], limit[i - 1] + 0.9 * FORWARD * step)
    for i in range(len(t) - 2, -1, -1):
        limit[i] = min(limit[i], limit[i + 1] + 0.9 * BRAKING * step)
    return ndimage.gaussian_filter1d(limit, 0.25 / step, mode="nearest")


def rumble(t, speed_now, low, high, seed):
    """Returns the road's vibration, m/s²: noise between `low` and `high` Hz of RMS 1 at cruising speed, less when
    slower."""
    from scipy import signal
    noise = np.random.default_rng(seed).standard_normal(len(t))
    noise = signal.sosfilt(signal.butter(2, [low, high], "band", fs=RATE, output="sos"), noise)
    return noise / noise.std() * speed_now / CRUISE


def measured(t, device_to_world, head_to_world):
    """Returns the samples of ideal inertial sensors at `t` (evenly spaced, RATE): {sensor: (rate rad/s, force m/s²)},
    body axes."""
    step = 1 / RATE
    v = speed(t)
    heading = np.radians(make_motion.yaw_of("bus", t))
    velocity = np.stack([v * np.cos(heading), v * np.sin(heading), np.zeros_like(v)], -1)
    road = np.stack([rumble(t, v, 2, 12, 21) * 0.15, rumble(t, v, 2, 12, 22) * 0.15, rumble(t, v, 2, 15, 23) * 0.4], -1)
    bus = np.gradient(velocity, step, axis=0) + road
    # Seat, neck and headphones rotate relative to each other: the levers add accelerations.
    neck = rotations.rotate(device_to_world, NECK) + rotations.rotate(head_to_world, HEADPHONES)
    head = bus + np.gradient(np.gradient(neck, step, axis=0), step, axis=0)
    up = np.array([0, 0, GRAVITY])
    return {
        "device": (rates(device_to_world), rotations.rotate(rotations.conjugate(device_to_world), bus + up)),
        "head": (rates(head_to_world), rotations.rotate(rotations.conjugate(head_to_world), head + up)),
    }


def rates(poses):
    """Returns angular rates in body axes, rad/s, from poses at RATE: the rotation from each to the next."""
    step = rotations.multiply(rotations.conjugate(poses[:-1]), poses[1:])
    step *= np.sign(step[:, :1])
    sine = np.linalg.norm(step[:, 1:], axis=1)
    angle = 2 * np.arctan2(sine, step[:, 0])
    rate = step[:, 1:] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2)[:, None] * RATE
    return np.vstack([rate, rate[-1:]])

"""Rides: generated IMUs of a head and a device in one vehicle, and the same head with the vehicle parked."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.signal import bilinear, lfilter

import generated
import places
import strapdown
import vehicles
from listening import rotations
from motions import Ideal, Motion, Path
from recordings import Recording, Trial

#: Vehicle motions, and their durations in seconds.
RIDES = {"rough road": (vehicles.rough_road, 180.0), "potholes": (vehicles.pothole_road, 180.0),
         "bus": (vehicles.bus, 240.0), "escalator": (vehicles.escalator, 180.0),
         "aeroplane": (vehicles.aeroplane, 330.0)}
RATES = (100, 200, 286)  #: Hz, of both IMUs
SPEEDS = (30, 100)  #: °/s of the head
#: Range of the accelerometer of each kind of IMU, g.
RANGES = {"calibrated": 8.0, "consumer": 4.0}
#: Initial rest of vehicle and head, seconds.
REST = 5.0
INCLINED = 10.0  #: greatest inclination of the device about a random level axis, °


@dataclass
class Pair:
    """Samples of two IMUs at the same times, and the relative pose to be estimated."""

    head: Recording
    device: Recording

    @property
    def relative(self):
        """The head's recording with the pose head to device as its truth."""
        return replace(self.head, truth=between(self.head.truth, self.device.truth))


@dataclass
class Ride:
    """The same head motion and IMUs in a moving vehicle and in a parked one."""

    riding: Pair
    parked: Pair


@dataclass
class Seat:
    """Transmission of vibration from a vehicle to a body in it: a mass on a spring, which nods."""

    place: np.ndarray  #: [3] m from the vehicle's centre
    resonance: float  #: Hz
    damping: float  #: ratio to critical damping
    nod: float  #: rate of nod about the vehicle's y per upward acceleration, °/s per m/s²


def between(head, device):
    """Returns the poses head to device from poses [n][4] of both in one world."""
    return rotations.multiply(rotations.conjugate(device), head)


def trials(seeds):
    """Returns trials of each ride with each kind of IMU; the head's motion and the rates are drawn at random."""
    return [Trial("rides", f"{ride}, {kind}", f"{ride} {kind} {seed}", partial(_ride, ride, kind, seed))
            for ride in RIDES for kind in generated.KINDS for seed in seeds]


def _ride(ride, kind, seed):
    def dice(of):
        return np.random.default_rng([seed, 13, list(RIDES).index(ride), list(generated.KINDS).index(kind), of])

    rng = dice(0)
    rate = int(rng.choice(RATES))
    speed, axes = int(rng.choice(SPEEDS)), generated.AXES[rng.integers(len(generated.AXES))]
    make, duration = RIDES[ride]
    every = -(-generated.FINE // rate)
    times = np.arange(round(duration * rate) * every + 1) / (rate * every)
    place = rng.uniform(-3, 3, 3) * [1, 0.4, 0.2]
    seats = (Seat(place, rng.uniform(4, 6), rng.uniform(0.3, 0.5), 2.0),
             Seat(place + rng.uniform(-1, 1, 3), rng.uniform(20, 30), rng.uniform(0.1, 0.3), 0.2))
    paths = (facing(Motion(speed, axes, rest=REST).path(times, dice(1))), fixed(times, rng))
    kinds = [replace(generated.KINDS[kind](rng), accelerometer_range=RANGES[kind]) for _ in range(2)]

    def pair(course):
        both = (recorded(aboard(times, course, seat, path), every, sensor, dice(2 + n), rate)
                for n, (seat, path, sensor) in enumerate(zip(seats, paths, kinds)))
        return Pair(*both)

    return Ride(pair(make(times, REST, dice(4))), pair(vehicles.parked(times, REST, dice(4))))


def facing(path):
    """Turns a path about the vertical so that its first pose is a turn about a level axis. A filter whose heading
    begins at 0, levelled by the shortest turn, then has the vehicle's heading."""
    first = path.pose[0]
    turn = rotations.multiply(strapdown.levelled(rotations.rotate(rotations.conjugate(first), [[0, 0, 1.0]])),
                              rotations.conjugate(first))
    return Path(rotations.multiply(turn, path.pose), path.rate, *(
        rotations.rotate(turn, part) for part in (path.place, path.speed, path.acceleration)))


def fixed(times, rng):
    """Returns the path of a body fixed to a vehicle, slightly inclined."""
    way = rng.uniform(0, 2 * np.pi)
    tilt = np.radians(INCLINED) * rng.random() * np.array([[np.cos(way), np.sin(way), 0]])
    none = np.zeros((len(times), 3))
    return Path(np.repeat(strapdown.from_rotation_vectors(tilt), len(times), 0), none, none, none, none)


def aboard(times, course, seat, path):
    """Returns the ideal samples of an IMU that moves along `path` in a seat of a vehicle.

    Source: rigid-body kinematics in a moving frame: a + α × r + ω × (ω × r) + 2 ω × v + the acceleration relative to
    it. The nod is about the IMU itself."""
    shaken = transmitted(course.shaking, seat, times[1] - times[0])
    nodding = np.zeros_like(shaken)
    nodding[:, 1] = np.radians(seat.nod) * shaken[:, 2]
    turned = np.zeros_like(nodding)
    turned[1:] = np.cumsum(nodding[1:] + nodding[:-1], axis=0) * (times[1] - times[0]) / 2
    nod = strapdown.from_rotation_vectors(turned)
    # The nod is between vehicle and body: both turn about one axis by it.
    pose = rotations.multiply(nod, path.pose)
    toward = rotations.conjugate(pose)
    place, turning = seat.place + path.place, course.rate
    force = (course.force + shaken + np.cross(course.angular_acceleration, place)
             + np.cross(turning, np.cross(turning, place)) + 2 * np.cross(turning, path.speed) + path.acceleration)
    rate = path.rate + rotations.rotate(toward, turning + nodding)
    return Ideal(times, rotations.multiply(course.pose, pose), rate, rotations.rotate(toward, force))


def transmitted(shaking, seat, step):
    """Returns the acceleration [n][3] of a mass on a spring whose base is shaken, from rest.

    Source: base excitation, (2ζωs + ω²) / (s² + 2ζωs + ω²)."""
    omega = 2 * np.pi * seat.resonance
    over, under = [2 * seat.damping * omega, omega**2], [1, 2 * seat.damping * omega, omega**2]
    return lfilter(*bilinear(over, under, 1 / step), shaking, axis=0)


def recorded(ideal, every, sensor, rng, rate):
    """Returns the samples of a sensor at `rate` Hz; the error counts from one second after the rest."""
    when, turning, force, truth = sensor.measured(ideal, every, rng)
    return Recording(when, turning, force, truth, when > REST + 1, float(rate))

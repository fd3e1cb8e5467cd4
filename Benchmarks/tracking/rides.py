"""Rides: a head's IMU and a device's aboard one vehicle, both generated, and the same head with the vehicle parked."""

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

#: What is ridden, and for how many seconds.
RIDES = {"rough road": (vehicles.rough_road, 180.0), "potholes": (vehicles.pothole_road, 180.0),
         "bus": (vehicles.bus, 240.0), "escalator": (vehicles.escalator, 180.0),
         "aeroplane": (vehicles.aeroplane, 330.0)}
RATES = (100, 200, 286)  #: Hz, of both IMUs
SPEEDS = (30, 100)  #: °/s of the head
#: g: where the accelerometer of each kind clips.
RANGES = {"calibrated": 8.0, "consumer": 4.0}
#: Seconds for which vehicle and head are at rest at first.
REST = 5.0
INCLINED = 10.0  #: ° of the device at most, about a random level axis


@dataclass
class Pair:
    """What two IMUs say, of the same times, and the relative pose that is asked for."""

    head: Recording
    device: Recording

    @property
    def relative(self):
        """The head's recording with head to device for its truth."""
        return replace(self.head, truth=between(self.head.truth, self.device.truth))


@dataclass
class Ride:
    """The same head, motion and IMUs in a moving vehicle and in a parked one."""

    riding: Pair
    parked: Pair


@dataclass
class Seat:
    """How what shakes a vehicle reaches a body in it: a mass on a spring, which nods."""

    place: np.ndarray  #: [3] m from the vehicle's centre
    resonance: float  #: Hz
    damping: float  #: of the critical one
    nod: float  #: °/s about the vehicle's y for each m/s² up


def between(head, device):
    """Head to device of poses [n][4] of both in one world."""
    return rotations.multiply(rotations.conjugate(device), head)


def trials(seeds):
    """Each ride with each kind of IMU; the head's motion and the rates are drawn."""
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
    """The path turned about the vertical so that its first pose is a turn about a level axis: a filter whose heading
    begins at 0, levelled by the shortest turn, then has no other heading than the vehicle's."""
    first = path.pose[0]
    turn = rotations.multiply(strapdown.levelled(rotations.rotate(rotations.conjugate(first), [[0, 0, 1.0]])),
                              rotations.conjugate(first))
    return Path(rotations.multiply(turn, path.pose), path.rate, *(
        rotations.rotate(turn, part) for part in (path.place, path.speed, path.acceleration)))


def fixed(times, rng):
    """The path of what is fixed to a vehicle, a little inclined."""
    way = rng.uniform(0, 2 * np.pi)
    tilt = np.radians(INCLINED) * rng.random() * np.array([[np.cos(way), np.sin(way), 0]])
    none = np.zeros((len(times), 3))
    return Path(np.repeat(strapdown.from_rotation_vectors(tilt), len(times), 0), none, none, none, none)


def aboard(times, course, seat, path):
    """What an ideal IMU measures that moves along `path` in a seat of a vehicle.

    Source: rigid-body kinematics in a moving frame: a + α × r + ω × (ω × r) + 2 ω × v + the own acceleration. It nods
    about the IMU itself."""
    shaken = transmitted(course.shaking, seat, times[1] - times[0])
    nodding = np.zeros_like(shaken)
    nodding[:, 1] = np.radians(seat.nod) * shaken[:, 2]
    turned = np.zeros_like(nodding)
    turned[1:] = np.cumsum(nodding[1:] + nodding[:-1], axis=0) * (times[1] - times[0]) / 2
    nod = strapdown.from_rotation_vectors(turned)
    # The nod is between vehicle and body: both turn by it about one axis.
    pose = rotations.multiply(nod, path.pose)
    toward = rotations.conjugate(pose)
    place, turning = seat.place + path.place, course.rate
    force = (course.force + shaken + np.cross(course.angular_acceleration, place)
             + np.cross(turning, np.cross(turning, place)) + 2 * np.cross(turning, path.speed) + path.acceleration)
    rate = path.rate + rotations.rotate(toward, turning + nodding)
    return Ideal(times, rotations.multiply(course.pose, pose), rate, rotations.rotate(toward, force))


def transmitted(shaking, seat, step):
    """What a mass on a spring feels of what shakes its base, [n][3], from rest on.

    Source: base excitation, (2ζωs + ω²) / (s² + 2ζωs + ω²)."""
    omega = 2 * np.pi * seat.resonance
    over, under = [2 * seat.damping * omega, omega**2], [1, 2 * seat.damping * omega, omega**2]
    return lfilter(*bilinear(over, under, 1 / step), shaking, axis=0)


def recorded(ideal, every, sensor, rng, rate):
    """What a sensor says `rate` times a second; the error counts from a second after the rest on."""
    when, turning, force, truth = sensor.measured(ideal, every, rng)
    return Recording(when, turning, force, truth, when > REST + 1, float(rate))

#!/usr/bin/python3
"""Tests that vehicles obey mechanics, that both IMUs aboard follow from it, and that rides are judged by the
requirements."""

import os
import sys
import unittest
from dataclasses import replace

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import places
import requirements
import rides
import scores
import sensors
import strapdown
import vehicles
from listening import rotations
from motions import GRAVITY, Motion, turned

TIMES = np.arange(60001) / 1000
RIGID = rides.Seat(np.array([0.4, -0.3, 0.2]), 25, 0.2, 0.0)


def dice(seed=1):
    return np.random.default_rng(seed)


def middle(values):
    return values[50:-50]


def smooth(course):
    """Returns the course without vibration."""
    return replace(course, shaking=np.zeros_like(course.shaking))


class Vehicles(unittest.TestCase):
    def courses(self):
        for make, _ in rides.RIDES.values():
            yield make.__name__, make(TIMES, 3.0, dice(4))

    def test_the_gyroscope_sums_up_to_the_heading(self):
        for name, course in self.courses():
            pose = turned(course.pose[0], TIMES, course.rate)
            self.assertLess(np.degrees(scores.errors(pose, course.pose)[0].max()), 0.005, name)
            slopes = np.gradient(course.rate, 0.001, axis=0)
            np.testing.assert_allclose(middle(slopes), middle(course.angular_acceleration), atol=2e-3, err_msg=name)

    def test_they_rest_first_and_then_are_shaken(self):
        for name, course in self.courses():
            first = TIMES < 3
            still = [course.rate[first], course.acceleration[first], course.shaking[first]]
            self.assertLess(max(np.abs(part).max() for part in still), 1e-9, name)
            self.assertGreater(np.abs(course.shaking).max(), 0.2, name)

    def test_a_bus_goes_where_it_looks(self):
        """Checks that the integrated acceleration is a speed along the bus's axis, and that the bus stops."""
        course = vehicles.bus(TIMES, 3.0, dice(4))
        speed = np.cumsum(rotations.rotate(course.pose, course.acceleration), axis=0) * 0.001
        along, side, up = rotations.rotate(rotations.conjugate(course.pose), speed).T
        self.assertLess(np.abs(side).max(), 0.05)
        self.assertLess(np.abs(up).max(), 1e-6)
        self.assertTrue(6 < along.max() < 12.1 and along.min() > -0.05)
        self.assertLessEqual(np.abs(course.acceleration[:, 0]).max(), 2.51)
        self.assertLessEqual(np.abs(course.acceleration[:, 1]).max(), 3.01)
        self.assertGreater(np.ptp(np.unwrap(rotations.angles(course.pose)[0], period=360)), 25)

    def test_in_a_coordinated_turn_what_is_felt_is_along_the_floor(self):
        times = np.arange(33001) / 100
        for seed in range(4):
            course = vehicles.aeroplane(times, 3.0, dice(seed))
            np.testing.assert_allclose(course.force[:, :2], 0, atol=1e-9)
            turns = np.abs(course.rate[:, 2]) > np.abs(course.rate[:, 2]).max() - 1e-9
            self.assertGreaterEqual(np.sum(turns), 174e2 - 1)
            self.assertLessEqual(np.sum(turns), 300e2 + 1)
            np.testing.assert_allclose(course.force[turns, 2], GRAVITY[2] / np.cos(np.radians(25)), rtol=1e-7)
            roll = rotations.angles(course.pose[turns])[2]
            np.testing.assert_allclose(np.abs(roll), 25, atol=1e-6)
            heading = np.unwrap(rotations.angles(course.pose)[0], period=360)
            rate = np.mean(np.diff(heading[turns])) * 100
            self.assertIn(round(abs(rate), 3), (1.5, 3.0))
            # A turn to the left with the left side down, which is a negative roll.
            self.assertLess(rate * roll[0], 0)
            # The ground speed, by integration, is constant and turns with the heading.
            speed = np.cumsum(rotations.rotate(course.pose, course.acceleration), axis=0) * 0.01
            start = GRAVITY[2] * np.tan(np.radians(25)) / np.radians(abs(rate))
            going = speed + [start, 0, 0]
            np.testing.assert_allclose(np.linalg.norm(going, axis=1), start, rtol=1e-3)
            np.testing.assert_allclose(going[:, 2], 0, atol=1e-6)

    def test_an_escalator_reaches_one_speed_along_its_incline_and_stops(self):
        course = vehicles.escalator(TIMES, 3.0, dice(4))
        speed = np.cumsum(course.acceleration, axis=0) * 0.001
        size = np.linalg.norm(speed, axis=1)
        runs = size > size.max() - 1e-3
        self.assertTrue(0.5 <= size.max() <= 0.751 and runs.mean() > 0.3 and (size < 1e-3).mean() > 0.05)
        np.testing.assert_allclose(np.degrees(np.arcsin(np.abs(speed[runs, 2]) / size[runs])), 30, atol=0.1)
        self.assertLess(np.abs(course.shaking[size < 1e-6]).max(), 1e-3)

    def test_a_vibration_has_the_size_and_band_it_is_asked_for(self):
        times = np.arange(120000) / 1000
        found = vehicles.vibration(times, 2.0, dice())
        self.assertAlmostEqual(np.sqrt(np.mean(np.sum(found**2, 1))), 2.0, delta=0.3)
        power = np.abs(np.fft.rfft(found * np.hanning(len(times))[:, None], axis=0)) ** 2
        frequencies = np.fft.rfftfreq(len(times), 0.001)
        self.assertLess(power[(frequencies < 4.9) | (frequencies > 40.1)].sum() / power.sum(), 1e-6)

    def test_a_shock_leaves_no_speed(self):
        for lasts in (0.02, 0.08):
            hit = vehicles.shock(TIMES, 1.0, lasts, 25.0)
            self.assertAlmostEqual(hit.max(), 25, delta=0.1)
            self.assertAlmostEqual(hit.min(), -12.5, delta=0.1)
            self.assertAlmostEqual(hit.sum() * 0.001, 0, delta=1e-3)
            self.assertAlmostEqual(np.ptp(TIMES[hit != 0]), 3 * lasts, delta=0.003)
        g = vehicles.STANDARD_GRAVITY
        found = vehicles.potholes(TIMES, 5.0, dice(), (3, 12))[:, 2]
        self.assertEqual(np.abs(found[TIMES < 8]).max(), 0)
        self.assertTrue(g < found.max() < 3.01 * g)


class Aboard(unittest.TestCase):
    def test_what_is_felt_is_the_second_derivative_of_the_place(self):
        """Compares the place of a head that moves in a bus, from its course and its path, with the closed form."""
        course = smooth(vehicles.bus(TIMES, 3.0, dice(4)))
        path = Motion(speed=60, lever=0.3, rest=3.0).path(TIMES, dice(5))
        ideal = rides.aboard(TIMES, course, RIGID, path)
        felt = rotations.rotate(ideal.pose, ideal.force) - GRAVITY

        def second(values):
            return np.gradient(np.gradient(values, 0.001, axis=0), 0.001, axis=0)

        of_bus = rotations.rotate(course.pose, course.acceleration)
        expected = of_bus + second(rotations.rotate(course.pose, RIGID.place + path.place))
        np.testing.assert_allclose(middle(felt), middle(expected), atol=0.02)

    def test_the_gyroscope_sums_up_to_the_truth(self):
        for name, (make, _) in rides.RIDES.items():
            path = Motion(speed=60, rest=3.0).path(TIMES, dice(5))
            seat = replace(RIGID, resonance=5.0, nod=2.0)
            ideal = rides.aboard(TIMES, make(TIMES, 3.0, dice(6)), seat, path)
            pose = turned(ideal.pose[0], TIMES, ideal.rate)
            self.assertLess(np.degrees(scores.errors(pose, ideal.pose)[0].max()), 0.05, name)

    def test_a_seat_passes_what_is_slow_rings_and_keeps_out_what_is_fast(self):
        seat = rides.Seat(np.zeros(3), 5.0, 0.4, 0.0)
        for hertz in (0.5, 5.0, 30.0):
            wave = np.sin(2 * np.pi * hertz * TIMES)[:, None] * [0, 0, 1.0]
            out = rides.transmitted(wave, seat, 0.001)[30000:, 2]
            u = hertz / 5
            expected = abs((1 + 0.8j * u) / (1 - u * u + 0.8j * u))
            self.assertAlmostEqual(np.sqrt(2) * out.std(), expected, delta=0.01)

    def test_a_head_nods_and_comes_back(self):
        seat = rides.Seat(np.zeros(3), 5.0, 0.4, 2.0)
        course = vehicles.pothole_road(TIMES, 3.0, dice(4))
        ideal = rides.aboard(TIMES, course, seat, rides.fixed(TIMES, dice(5)))
        away = np.degrees(scores.errors(ideal.pose, ideal.pose[:1])[0])
        self.assertGreater(away.max(), 0.3)
        self.assertLess(np.median(away[-20000:]), 0.2)

    def test_a_filter_that_is_levelled_first_has_the_heading_of_the_vehicle(self):
        for seed in range(5):
            path = rides.facing(Motion(speed=50, rest=3.0).path(TIMES[:5000], dice(seed)))
            up = rotations.rotate(rotations.conjugate(path.pose[:1]), [[0, 0, 1.0]])
            np.testing.assert_allclose(strapdown.levelled(up), path.pose[0], atol=1e-9)
            slopes = np.gradient(path.place, 0.001, axis=0)
            np.testing.assert_allclose(middle(slopes), middle(path.speed), atol=1e-3)


class Sets(unittest.TestCase):
    def ride(self, name, seed=1):
        return {trial.name: trial for trial in rides.trials([seed])}[f"{name} {seed}"].load()

    def test_parked_and_riding_differ_by_the_vehicle_alone(self):
        ride = self.ride("bus calibrated")
        np.testing.assert_array_equal(ride.riding.head.times, ride.parked.head.times)
        before = slice(100, 200)
        for who in ("head", "device"):
            riding, parked = getattr(ride.riding, who), getattr(ride.parked, who)
            self.assertGreater(np.abs(riding.force - parked.force).max(), 2)
            np.testing.assert_array_equal(riding.counted, parked.counted)
        # The pose of the head in the vehicle is the same except for the nods of head and holder.
        apart = scores.errors(ride.riding.relative.truth, ride.parked.relative.truth)[0]
        self.assertLess(np.degrees(np.nanmedian(apart)), 0.5)
        self.assertTrue(np.ptp(ride.parked.device.rate[before], 0).max() < 0.1)

    def test_recordings_are_the_same_every_time_and_differ_between_seeds(self):
        one, again, other = (self.ride("potholes consumer", seed).riding.head for seed in (1, 1, 2))
        np.testing.assert_array_equal(one.force, again.force)
        self.assertFalse(np.array_equal(one.rate[:1000], other.rate[:1000]))

    def test_shocks_clip_where_the_range_ends(self):
        found = [self.ride("potholes consumer", seed).riding.device for seed in range(1, 4)]
        reach = 4 * sensors.STANDARD_GRAVITY
        self.assertLessEqual(max(np.abs(one.force).max() for one in found), reach)
        self.assertAlmostEqual(max(one.force.max() for one in found), reach, delta=0.01)

    def test_perfect_gyroscopes_give_the_relative_pose(self):
        """Checks that the truth of a pair is consistent with its samples: both perfect gyroscopes integrate to the
        relative pose."""
        course = vehicles.bus(TIMES, 3.0, dice(4))
        perfect = sensors.Sensor(gyroscope_noise=0, accelerometer_noise=0)
        paths = rides.facing(Motion(speed=60, rest=3.0).path(TIMES, dice(5))), rides.fixed(TIMES, dice(6))
        seat = replace(RIGID, resonance=5.0, nod=2.0)
        pair = rides.Pair(*(rides.recorded(rides.aboard(TIMES, course, seat, path), 10, perfect, dice(), 100)
                            for path in paths))

        def summed(recording):
            turns = recording.rate / 100
            turns[1:] += np.cross(turns[:-1], turns[1:]) / 12
            turns[0] = 0
            return strapdown.integrated(recording.truth[0], turns)

        found = scores.score(pair.relative, rides.between(summed(pair.head), summed(pair.device)))
        self.assertLess(found.total, 0.3)

    def test_every_ride_with_every_imu_is_there(self):
        self.assertEqual(len(rides.trials([1, 2])), 5 * 2 * 2)


def row(who, total, parked):
    return {"collection": "rides", "group": "bus, consumer", "estimator": who, "total": total,
            "facts": {"parked": parked}}


class Requirements(unittest.TestCase):
    def test_a_ride_may_cost_three_tenths_of_a_degree_against_parked_and_against_two_filters(self):
        for ours, parked, apart, missed in ((1.29, 1, 1, 0), (1.31, 1, 1.1, 1), (1.31, 1.1, 1, 1), (1.41, 1, 1.1, 2)):
            rows = [row("Proscenium", ours - 0.1, parked), row("Proscenium", ours + 0.1, parked),
                    row("two filters", apart, 9), row("two filters", apart, 9)]
            self.assertEqual(len(requirements.ride_misses(rows)), missed, (ours, parked, apart))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""Tests that generated motion obeys mechanics and that each sensor error has its stated effect."""

import os
import sys
import unittest
from dataclasses import replace

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generated
import motions
import places
import scores
import sensors
import strapdown
from listening import rotations

TIMES = np.arange(20001) / 1000
PERFECT = sensors.Sensor(gyroscope_noise=0, accelerometer_noise=0)
#: Quantisation steps: °/s, m/s².
DIGIT, FORCE_DIGIT = 2000 / 32768, 16 * 9.80665 / 32768


def dice(seed=1):
    return np.random.default_rng(seed)


def middle(values):
    """Returns values without the ends, where there are no differences."""
    return values[50:-50]


class Motion(unittest.TestCase):
    def test_derivatives_are_those_of_the_process(self):
        value, first, second = motions.smooth(TIMES, (0.3, 1.2), dice())
        np.testing.assert_allclose(middle(np.gradient(value, 0.001, axis=0)), middle(first), atol=1e-3)
        np.testing.assert_allclose(middle(np.gradient(first, 0.001, axis=0)), middle(second), atol=1e-2)
        value, first, second = motions.minimum_jerk(TIMES - 5)
        np.testing.assert_allclose(middle(np.gradient(value, 0.001)), middle(first), atol=1e-4)
        np.testing.assert_allclose(middle(np.gradient(first, 0.001)), middle(second), atol=0.05)

    def test_the_process_has_the_variance_and_band_it_is_asked_for(self):
        times = np.arange(100000) / 50
        value = motions.smooth(times, (0.3, 1.2), dice())[0]
        variances = [np.var(motions.smooth(times[::50], (0.3, 1.2), dice(n))[0]) for n in range(20)]
        self.assertAlmostEqual(np.mean(variances), 1, delta=0.05)
        power = np.abs(np.fft.rfft(value * np.hanning(len(times))[:, None], axis=0)) ** 2
        frequencies = np.fft.rfftfreq(len(times), 0.02)
        self.assertLess(power[(frequencies < 0.29) | (frequencies > 1.21)].sum() / power.sum(), 1e-6)

    def test_what_is_felt_is_the_second_derivative_of_the_place(self):
        """Compares differences of place and lever with the closed form."""
        motion = motions.Motion(speed=120, lever=0.5, sway=0.0, rest=3.0)
        ideal = motion.ideal(TIMES, dice())
        felt = rotations.rotate(ideal.pose, ideal.force) - motions.GRAVITY

        def second(values):
            return np.gradient(np.gradient(values, 0.001, axis=0), 0.001, axis=0)

        # The place is linear in the lever, which is random: find it, and its length, by least squares.
        ways = [second(rotations.rotate(ideal.pose, np.tile(axis, (len(TIMES), 1)))) for axis in np.eye(3)]
        table = np.stack([middle(way).ravel() for way in ways], 1)
        lever, *_ = np.linalg.lstsq(table, middle(felt).ravel(), rcond=None)
        self.assertAlmostEqual(np.linalg.norm(lever), 0.5, places=3)
        self.assertLess(np.abs(table @ lever - middle(felt).ravel()).max(), 0.01)

    def test_sway_comes_back_to_where_it_was(self):
        """Without a lasting speed: the integral of the measured acceleration in the world is the speed of the sway."""
        ideal = motions.Motion(speed=0, lever=0, sway=0.03, rest=3.0).ideal(TIMES, dice())
        felt = rotations.rotate(ideal.pose, ideal.force) - motions.GRAVITY
        self.assertLess(np.abs(felt[:3000]).max(), 1e-12)
        speed = np.cumsum(felt, axis=0) * 0.001
        self.assertLess(np.abs(speed[5000:].mean(0)).max(), 0.03)
        self.assertGreater(speed[5000:].std(), 0.05)

    def test_it_rests_first_or_not(self):
        for rest, moves in ((2.0, False), (0.0, True)):
            ideal = motions.Motion(speed=100, rest=rest).ideal(TIMES, dice())
            self.assertEqual(np.abs(ideal.rate[:2000]).max() > 0.1, moves)
            self.assertGreater(np.abs(ideal.rate[4000:]).max(), 1)

    def test_a_steady_turn_keeps_its_inclination_and_feels_gravity_alone(self):
        ideal = motions.SteadyTurn(speed=30, rest=5, lasts=10).ideal(TIMES, dice())
        up = rotations.rotate(ideal.pose, [0, 0, 1.0])
        np.testing.assert_allclose(np.degrees(np.arccos(up[:, 2])), 8, atol=1e-6)
        felt = rotations.rotate(ideal.pose, ideal.force)
        np.testing.assert_allclose(felt, np.tile(motions.GRAVITY, (len(TIMES), 1)), atol=1e-9)
        turned = motions.turned(ideal.pose[0], TIMES, ideal.rate)
        self.assertLess(np.degrees(scores.errors(turned, ideal.pose)[0].max()), 0.02)
        heading = np.unwrap(rotations.angles(ideal.pose)[0], period=360)
        self.assertAlmostEqual(heading[-1] - heading[0], 300, places=6)


class Sensors(unittest.TestCase):
    def resting(self, sensor, rate=(0, 0, 0), seed=3):
        """Returns the mean samples of a level sensor that turns at a constant rate in place, °/s and m/s²."""
        count = len(TIMES)
        ideal = motions.Ideal(TIMES, np.tile([1.0, 0, 0, 0], (count, 1)), np.tile(np.radians(rate), (count, 1)),
                              np.tile([0, 0, 9.80665], (count, 1)))
        _, turning, force, _ = sensor.measured(ideal, 10, dice(seed))
        return np.degrees(turning), force

    def assertRests(self, sensor, rate, turning, force):
        found = self.resting(sensor, rate)
        np.testing.assert_allclose(found[0].mean(0), turning, atol=0.51 * DIGIT)
        np.testing.assert_allclose(found[1].mean(0), force, atol=0.51 * FORCE_DIGIT)

    def test_each_error_adds_what_it_says(self):
        g = 9.80665
        self.assertRests(PERFECT, (10, 0, -20), (10, 0, -20), (0, 0, g))
        self.assertRests(replace(PERFECT, gyroscope_bias=np.array([1, 2, 3.0])), (10, 0, 0), (11, 2, 3), (0, 0, g))
        scale = np.diag([0.1, 0, 0]) + np.array([[0, 0, 0], [0.02, 0, 0], [0, 0, 0]])
        self.assertRests(replace(PERFECT, gyroscope_errors=scale), (100, 0, 0), (110, 2, 0), (0, 0, g))
        sensitive = np.array([[0, 0, 0.5], [0, 0, 0], [0, 0, -1]])
        self.assertRests(replace(PERFECT, g_sensitivity=sensitive), (0, 0, 0), (0.5, 0, -1), (0, 0, g))
        self.assertRests(replace(PERFECT, accelerometer_bias=np.array([0.5, 0, 0])), (0, 0, 0), (0, 0, 0), (0.5, 0, g))
        mixed = np.array([[0, 0, 0.1], [0, 0, 0], [0, 0, -0.02]])
        self.assertRests(replace(PERFECT, accelerometer_errors=mixed), (0, 0, 0), (0, 0, 0), (0.1 * g, 0, 0.98 * g))

    def test_ranges_clip(self):
        found = self.resting(replace(PERFECT, gyroscope_range=500.0, accelerometer_range=0.5), (700, -700, 400))
        np.testing.assert_allclose(found[0].mean(0), (500, -500, 400), atol=0.02)
        np.testing.assert_allclose(found[1].mean(0), (0, 0, 0.5 * 9.80665), atol=0.01)

    def test_noise_has_the_density_it_says(self):
        turning, force = self.resting(sensors.Sensor(gyroscope_noise=0.1, accelerometer_noise=0.02))
        # 100 samples a second: a band of 50 Hz.
        np.testing.assert_allclose(turning.std(0), 0.1 * np.sqrt(50), rtol=0.1)
        np.testing.assert_allclose(force.std(0), 0.02 * np.sqrt(50), rtol=0.1)

    def test_lag_delays_the_accelerometer_behind_the_gyroscope(self):
        wave = np.sin(2 * np.pi * TIMES)[:, None] * [1.0, 0, 0]
        ideal = motions.Ideal(TIMES, np.tile([1.0, 0, 0, 0], (len(TIMES), 1)), wave, 20 * wave)
        for lag in (0.0, 0.02):
            sensor = replace(PERFECT, lag=lag)
            when, turning, force, _ = sensor.measured(ideal, 2, dice())
            late = [np.angle(np.sum(part[:, 0] * np.exp(-2j * np.pi * when))) for part in (turning, force)]
            # The mean over an interval of 2 ms is delayed by half of it; the value at its end is not.
            self.assertAlmostEqual((late[0] - late[1]) / (2 * np.pi), lag - 0.0005, delta=2e-4)

    def test_the_reference_stands_where_the_gyroscope_does(self):
        """Checks that a perfect gyroscope integrates to the turns of the reference, with band limits and at every
        rate."""
        for rate in generated.RATES:
            recording = generated.recorded(motions.Motion(speed=150), PERFECT, rate, 60, dice(5), dice(6))
            turns = recording.rate / rate
            # With the coning term of two successive intervals, as in strapdown integration.
            turns[1:] += np.cross(turns[:-1], turns[1:]) / 12
            turns[0] = 0
            found = scores.score(recording, strapdown.integrated(recording.truth[0], turns))
            self.assertLess(found.total, 0.2, f"{rate} Hz")


class Sets(unittest.TestCase):
    def test_recordings_are_the_same_every_time_and_differ_between_seeds(self):
        one, again, other = (generated.cells([seed])[0].load() for seed in (1, 1, 2))
        np.testing.assert_array_equal(one.rate, again.rate)
        self.assertFalse(np.array_equal(one.rate, other.rate))

    def test_a_cell_changes_what_it_names_and_nothing_else(self):
        of = {trial.name: trial for trial in generated.cells([1])}
        plain, scaled, moving = (of[f"{change} 100 Hz 1"].load()
                                 for change in ("as calibrated", "scale +2 %", "no rest at the start"))
        np.testing.assert_array_equal(plain.truth, scaled.truth)
        np.testing.assert_array_equal(plain.force, scaled.force)
        slope = np.sum(scaled.rate * plain.rate) / np.sum(plain.rate**2)
        self.assertAlmostEqual(slope, 1.02, delta=1e-3)
        self.assertGreater(np.abs(moving.rate[:50]).max(), 10 * np.abs(plain.rate[:50]).max())
        self.assertTrue(np.isnan(moving.truth[:400]).all() and np.isfinite(plain.truth).all())

    def test_every_cell_every_rate_and_every_turn_is_there(self):
        self.assertEqual(len(generated.cells([1, 2])), 6 * 4 * 2)
        self.assertEqual(len(generated.steady_turns([1])), 9 * 5)
        self.assertEqual(len(generated.motions([1])), 2 * 3 * 3)
        trial = generated.steady_turns([1])[-1]
        recording = trial.load()
        self.assertEqual((trial.facts, recording.marks), ({"speed": 200, "rest": 30}, (70.0, 110.0)))
        heading = np.unwrap(rotations.angles(recording.truth)[0], period=360)
        self.assertAlmostEqual(heading[6990] - heading[0], 199.5 * 40, delta=30)
        self.assertAlmostEqual(heading[-1] - heading[0], 8000, delta=1e-3)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""Tests that planted magnets have the physical fields at the stated places and times."""

import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import magnets
import places
from listening import rotations


def load(group, seed=1):
    """Returns the first generated recording of a group."""
    return next(trial for trial in magnets.trials(None, [seed]) if trial.group == group).load()


def in_world(recording):
    return rotations.rotate(recording.truth, recording.field)


class Fields(unittest.TestCase):
    def test_a_dipole_is_twice_as_strong_on_its_axis_and_falls_with_the_cube(self):
        found = magnets.dipole(np.array([0, 0, 5.0]), np.array([[0, 0, 0.5], [0.5, 0, 0], [0, 0, 1.0]]))
        # μ0/4π · 2m/r³ = 1e-7 · 10 / 0.125 T = 8 µT.
        np.testing.assert_allclose(found, [[0, 0, 8], [0, 0, -4], [0, 0, 1]], atol=1e-12)

    def test_a_dipole_has_neither_divergence_nor_curl(self):
        at, step, moment = np.array([0.4, -0.3, 0.5]), 1e-4, np.array([3.0, -2, 5])
        slope = np.stack([(magnets.dipole(moment, (at + step * axis)[None]) - magnets.dipole(
            moment, (at - step * axis)[None]))[0] / (2 * step) for axis in np.eye(3)])
        self.assertLess(abs(np.trace(slope)), 1e-4 * np.abs(slope).max())
        np.testing.assert_allclose(slope, slope.T, atol=1e-4 * np.abs(slope).max())

    def test_without_a_magnet_the_field_is_the_earths(self):
        field = in_world(load("no magnet")).mean(0)
        self.assertAlmostEqual(np.linalg.norm(field), magnets.EARTH, delta=3)
        self.assertAlmostEqual(np.degrees(np.arctan2(-field[2], np.hypot(*field[:2]))), magnets.DIP, delta=4)
        self.assertLess(abs(np.degrees(np.arctan2(field[0], field[1]))), 8)


class Groups(unittest.TestCase):
    def planted(self, group, seed=1):
        """Returns the field [n][3] that a group's magnet adds to a generated recording, and the scene."""
        recording = load("no magnet")
        scene = magnets.scene(recording, np.random.default_rng(3))
        return magnets.GROUPS[group](scene, np.random.default_rng(seed)), scene

    def test_an_attached_magnet_is_constant_in_body_axes_and_as_strong_as_it_says(self):
        for strength in magnets.STRENGTHS:
            field, _ = self.planted(f"attached, {strength:g} of the earth's field")
            self.assertEqual(np.ptp(field, axis=0).max(), 0)
            self.assertAlmostEqual(np.linalg.norm(field[0]), strength * magnets.EARTH)

    def test_it_comes_and_goes_when_it_should(self):
        for group, there in (("attached for a while", lambda share: (share >= 0.35) & (share < 0.65)),
                             ("attached, then taken off", lambda share: share < 0.5)):
            field, scene = self.planted(group)
            begins, ends = scene.moves
            share = (scene.times - begins) / (ends - begins)
            np.testing.assert_array_equal(np.linalg.norm(field, axis=1) > 1, there(share))

    def test_a_standing_magnet_is_felt_by_place_and_one_carried_past_by_time(self):
        field, scene = self.planted("standing in the room")
        rest = scene.times < 1.5
        world = rotations.rotate(scene.pose, field)
        self.assertLess(np.ptp(world[rest], axis=0).max(), 1e-6)
        self.assertGreater(np.ptp(world, axis=0).max(), 0.5)
        field, scene = self.planted("carried past")
        strength = np.linalg.norm(field, axis=1)
        for share in (0.25, 0.5, 0.75):
            near = np.abs(scene.times - scene.moment(share)) < 5
            self.assertGreater(strength[near].max(), 3 * np.median(strength[scene.times < 3]))

    def test_every_group_is_there_with_nine_axes_alone(self):
        trials = magnets.trials(None, [1, 2])
        self.assertEqual(len(trials), len(magnets.GROUPS) * 2 * 4)
        self.assertEqual({trial.axes for trial in trials}, {(9,)})
        self.assertEqual(len({trial.name for trial in trials}), len(trials))

    def test_a_seed_is_the_same_every_time_and_another_differs(self):
        one, again, other = (load("carried past", seed).field for seed in (1, 1, 2))
        np.testing.assert_array_equal(one, again)
        self.assertFalse(one.shape == other.shape and np.array_equal(one, other))


if __name__ == "__main__":
    unittest.main()

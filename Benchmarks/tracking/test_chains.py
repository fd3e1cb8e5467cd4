#!/usr/bin/python3
"""Tests the loaders of RING and OpenAXES on planted files, the fit of a reference, and the requirement on headings."""

import contextlib
import io
import os
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chains
import places
import references
import requirements
import scores
import strapdown
import tables
from listening import rotations
from recordings import RecordingError

#: The IMU's axes against the body's.
MOUNTING = rotations.from_angles(80, -20, 130)
GRAVITY = np.array([0, 0, 9.81])


def motion(seconds, rate, axes=(1, 1, 1)):
    """Returns times [n] and poses [n][4] of a body that is at rest for a second and then swings."""
    times = np.arange(round(seconds * rate)) / rate
    moving = np.maximum(0, times - 1)[:, None]
    speed = np.array(axes) * (1 - np.exp(-moving)) * np.sin(moving * [1.9, 2.3, 1.1] + [0, 1, 2])
    return times, strapdown.integrated(np.array([0.8, 0.6, 0, 0]), speed / rate)


def samples(poses, rate, late=0):
    """Returns rates and forces [n][3] of an IMU with the axes `MOUNTING`, `late` samples behind the poses."""
    poses = rotations.multiply(np.vstack([poses[:1]] * late + [poses[:len(poses) - late]]), MOUNTING)
    turns = rotations.multiply(rotations.conjugate(poses[:-1]), poses[1:])
    rates = np.vstack([np.zeros(3), references.rotation_vectors(turns) * rate])
    return rates, rotations.rotate(rotations.conjugate(poses), GRAVITY)


def text(names, rows, head=()):
    return "\n".join([*head, ",".join(names), *(
        ",".join("" if np.isnan(value) else f"{value:.12g}" for value in row) for row in rows)]) + "\n"


class Planted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, content, *names):
        path = os.path.join(self.folder, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(content)
        return path

    def near(self, found, truth, degrees):
        """Checks that poses are the same, but for a small angle."""
        self.assertLess(np.degrees(scores.errors(found, truth)[0].max()), degrees)


class Fits(Planted):
    def test_offset_and_mounting_are_found(self):
        times, poses = motion(20, 100)
        for late in (0, 3):
            rate, force = samples(poses, 100, late)
            fit = references.fitted(times, rate, force, times, poses)
            self.assertAlmostEqual(fit.offset, -0.01 * late, places=6)
            self.near(fit.mounting[None], MOUNTING[None], 0.1)
            self.assertGreater(fit.agreement, 0.9999)

    def test_gravity_decides_where_turns_about_one_axis_do_not(self):
        times, poses = motion(20, 100, axes=(1, 0, 0))
        fit = references.fitted(times, *samples(poses, 100), times, poses)
        self.near(fit.mounting[None], MOUNTING[None], 0.1)

    def test_poses_are_those_of_the_imu_and_unknown_ones_stay_unknown(self):
        times, poses = motion(10, 100)
        fit = references.Fit(0.005, MOUNTING, 1)
        frames, known = times[::4], poses[::4].copy()
        known[50:60] = np.nan
        found = references.at_samples(fit, times, frames, known)
        unknown = np.isnan(found).any(1)
        self.assertEqual(np.flatnonzero(unknown).tolist(), [*range(196, 240), 996, 997, 998, 999])
        half = rotations.slerp(times, poses, times + 0.005)
        self.near(found[~unknown], rotations.multiply(half, MOUNTING)[~unknown], 0.05)

    def test_the_quaternion_of_a_matrix(self):
        for angles in ((0, 0, 0), (180, 0, 0), (0, 0, 180), (30, 40, -50), (170, -80, 175)):
            expected = rotations.from_angles(*map(float, angles))
            matrix = np.column_stack([rotations.rotate(expected, axis) for axis in np.eye(3)])
            self.near(references.quaternion(matrix)[None], expected[None], 1e-6)


class Ring(Planted):
    def plant(self, lost=slice(600, 700), imu_lines=None):
        """Writes a trial: cameras at 30 Hz that lose segment 2 for a while, IMUs at 40 Hz, 25 ms late."""
        times, poses = motion(30, 120)
        rate, force = samples(poses[::3], 40, 1)
        names = [f"seg{n}_{what}_{axis}" for n in chains.SEGMENTS for what in ("acc", "gyr") for axis in "xyz"]
        table = text(names, np.hstack([force, rate] * 5), imu_lines or ("# sampling frequency: 40", "# units"))
        for kind in ("imu_rigid", "imu_nonrigid"):
            self.write(table, "trial7", f"{kind}.csv")
        seen = np.hstack([poses] * 5)
        seen[lost, 4:8] = np.nan
        names = [f"seg{n}_quat_{part}" for n in chains.SEGMENTS for part in "wxyz"]
        self.write(text(names, seen[::4], ("# sampling frequency: 30", "# units")), "trial7", "omc.csv")
        return poses

    def test_every_imu_is_a_trial(self):
        self.plant()
        trials = chains.ring(self.folder)
        self.assertEqual([trial.name for trial in trials][4:6], ["trial7 rigid 5", "trial7 loose 1"])
        self.assertEqual({(trial.collection, trial.group) for trial in trials}, {("RING", "rigid"), ("RING", "loose")})

    def test_the_reference_is_the_imus(self):
        poses = self.plant()
        found = chains.ring(self.folder)[3].load()
        self.assertAlmostEqual(found.sample_rate, 40)
        self.assertEqual((len(found.times), found.field), (1200, None))
        # Segment 4 is seen where segment 2 is lost, and does not count there.
        lost = (found.times > 5.05) & (found.times < 5.75)
        self.assertFalse(found.known[lost].any())
        self.assertFalse(found.counted[found.times < 2].any())
        there = found.known & (found.times > 0.1)
        self.assertGreater(there.mean(), 0.95)
        # A camera's frame is 33 ms long, in which a swing bends a little.
        self.near(found.truth[1:][there[1:]], rotations.multiply(poses[::3][:-1], MOUNTING)[there[1:]], 0.3)
        self.assertLess(scores.score(found, strapdown.gyroscope_alone(found)).total, 0.3)

    def test_other_files_are_refused_by_name(self):
        for lines, said in ((("frequency", "# units"), "sampling frequency"),
                            (("# sampling frequency: 0", ""), "0 Hz")):
            self.plant(imu_lines=lines)
            with self.assertRaises(RecordingError) as caught:
                chains.ring(self.folder)[0].load()
            self.assertIn("imu_rigid.csv", str(caught.exception))
            self.assertIn(said, str(caught.exception))
        self.plant()
        self.write(text(["seg1_quat_w"], [[1]], ("# sampling frequency: 30", "")), "trial7", "omc.csv")
        with self.assertRaisesRegex(RecordingError, "omc.csv.*no column seg1_quat_x"):
            chains.ring(self.folder)[0].load()
        self.plant(lost=slice(0, None))
        with self.assertRaisesRegex(RecordingError, "no poses"):
            chains.ring(self.folder)[0].load()


class OpenAxes(Planted):
    def plant(self, name="circle-1", bone="radius", filled=50, shown=None, rows=None):
        times, poses = motion(20, 125)
        rate, force = samples(poses if shown is None else shown, 125)
        both = np.hstack([force, rate])
        both[len(both) - filled:] = both[len(both) - filled]
        numbers = np.arange(len(both))[:, None]
        names = ["", *(f"{what}_{axis}" for what in ("acc", "gyr") for axis in "xyz")]
        self.write(text(names, np.hstack([numbers, both])[:rows]), "synced_imu", name, f"{bone}_adx.csv")
        truth = np.hstack([1e9 + times[:, None] * 1e6, poses])
        self.write(text(["TIME", *(f"QUATERNION_{part}" for part in range(4))], truth), "groundtruth", f"robot-{name}",
                   f"{bone}.csv")
        return poses

    def test_filled_times_are_cut_and_the_reference_is_the_imus(self):
        poses = self.plant()
        trial, = chains.openaxes(self.folder)
        self.assertEqual((trial.collection, trial.group, trial.name), ("OpenAXES", "circle", "circle-1 radius"))
        found = trial.load()
        self.assertEqual(len(found.times), 2500 - 49)
        self.assertAlmostEqual(found.sample_rate, 125, places=6)
        self.near(found.truth[found.known], rotations.multiply(poses[:2451], MOUNTING)[found.known], 0.1)

    def test_an_imu_of_another_motion_is_left_out_with_a_message(self):
        self.plant()
        self.plant("circle-2", shown=motion(20, 125, axes=(-1, 2, 0))[1][::-1])
        with contextlib.redirect_stderr(io.StringIO()) as said:
            found = chains.openaxes(self.folder)
        self.assertEqual([trial.name for trial in found], ["circle-1 radius"])
        self.assertIn("circle-2", said.getvalue())
        self.assertIn("correlation", said.getvalue())

    def test_files_that_do_not_belong_together_are_refused(self):
        self.plant(rows=2000)
        with self.assertRaisesRegex(RecordingError, "2000 samples, 2500 in"):
            chains.openaxes(self.folder)
        self.plant(filled=2500)
        with self.assertRaisesRegex(RecordingError, "never change"):
            chains.openaxes(self.folder)


class Headings(unittest.TestCase):
    def rows(self, ours, alone, collection="RING"):
        return [{"collection": collection, "group": "g", "trial": "t", "axes": 6, "estimator": who,
                 **scores.Score(heading, 0.5, heading, heading, heading).facts(), "facts": {}}
                for who, heading in (("Proscenium", ours), ("gyroscope", alone))]

    def test_learning_may_cost_a_little_and_no_more(self):
        self.assertEqual(requirements.misses(self.rows(2.29, 2.0)), [])
        self.assertEqual(requirements.misses(self.rows(2.4, 2.0)), [
            "RING, t: heading 2.40°, the bare gyroscope's 2.00°, at most 0.3° more allowed"])
        self.assertEqual(requirements.misses(self.rows(9, 2.0, "BROAD")), [])

    def test_the_report_shows_every_trial(self):
        report = tables.report(self.rows(2.4, 2.0))
        self.assertIn("| RING: t | 2.40 / 0.50 / 2.40 | 2.00 / 0.50 / 2.00 | 0.40 |", report)


if __name__ == "__main__":
    unittest.main()

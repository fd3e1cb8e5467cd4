#!/usr/bin/python3
"""Tests the loaders, the program's input and output, and the whole evaluation, with a substitute for `proscenium`."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import estimators
import outcomes
import places
import recordings
import scores
import strapdown
from listening import rotations
from recordings import Recording, RecordingError, Trial

#: A substitute for `proscenium`; its `fuse` integrates the gyroscope, times a constant that should be 1.
STAND_IN = """#!{python}
import sys
sys.path.insert(0, {here!r})
import numpy as np
import strapdown
from recordings import Recording
words = sys.argv[2:]
if "--help" in words:
    print({help!r})
elif "--constants" in words:
    print("name\\tunit\\tdefault\\tchosen on\\ngain\\t1\\t{gain}\\tBROAD\\nunused\\ts\\t3\\tBROAD\\nfixed\\ts\\t1\\tdata sheets")
else:
    settings = dict(words[n + 1].split("=") for n, word in enumerate(words) if word == "--set")
    if set(settings) - {{"gain", "unused", "fixed"}}:
        sys.exit("no such constant")
    rows = np.loadtxt(sys.stdin, delimiter=",")
    assert rows.shape[1] == (10 if "--magnetometer" in words else 7)
    rate = rows[:, 1:4] * float(settings.get("gain", {gain}))
    body = Recording(rows[:, 0], rate, rows[:, 4:7], None, None, 1 / np.median(np.diff(rows[:, 0])))
    out = [rows[:, :1], strapdown.gyroscope_alone(body)]
    if "--uncertainty" in words:
        out.append(0.5 * rows[:, :1])
    np.savetxt(sys.stdout, np.hstack(out)[{part}], delimiter=",")
"""
NEW = "--uncertainty --constants --set"


def stand_in(folder, name="proscenium", help=NEW, gain=1, part=":"):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(STAND_IN.format(python=sys.executable, here=HERE, help=help, gain=gain, part=part))
    os.chmod(path, 0o755)
    return path


def turning(count=600, rate=100.0, field=False):
    """Returns a recording: level, at rest for a second, then turning at 20°/s."""
    times = np.arange(count) / rate
    speed = np.where(times < 1, 0, np.radians(20))[:, None] * [0, 0, 1.0]
    truth = strapdown.integrated(np.array([1.0, 0, 0, 0]), speed / rate)
    return Recording(times, speed, np.tile([0, 0, 9.81], (count, 1)), truth, times >= 1, rate,
                     field=np.tile([1.0, 0, 0], (count, 1)) if field else None)


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with (gzip.open(path, "wt") if name.endswith(".gz") else open(path, "w")) as file:
            file.write(text)
        return path


class Loaders(WithFolder):
    HEAD = "t,gx,gy,gz,ax,ay,az,mx,my,mz,qw,qx,qy,qz,movement\n"

    def test_broad(self):
        rows = ["0,1,2,3,4,5,6,7,8,9,1,0,0,0,0", "0.01,1,2,3,4,5,6,7,8,9,,,,,1", "0.02,1,2,3,4,5,6,7,8,9,0,0,0,0,1",
                "0.03,1,2,3,4,5,6,7,8,9,0,0,0,1,1"]
        self.write("broad_28_disturbed_stationary_magnet_A.csv.gz", self.HEAD + "\n".join(rows) + "\n")
        trial, = recordings.broad(self.folder)
        self.assertEqual((trial.group, trial.name), ("stationary magnet", "28_disturbed_stationary_magnet_A"))
        found = trial.load()
        self.assertEqual(found.known.tolist(), [True, False, False, True])
        self.assertEqual(found.counted.tolist(), [False, False, False, True])
        self.assertAlmostEqual(found.sample_rate, 100)
        self.assertEqual((found.rate[0].tolist(), found.force[0].tolist(), found.field[0].tolist()),
                         ([1, 2, 3], [4, 5, 6], [7, 8, 9]))

    def test_groups_of_broad(self):
        for name, group in (("01_undisturbed_slow_rotation_A", "undisturbed"), ("24_disturbed_tapping_A", "tapping"),
                            ("26_disturbed_phone_vibration_A", "phone vibration"), ("39_disturbed_mixed", "mixed"),
                            ("33_disturbed_attached_magnet_2cm", "attached magnet")):
            self.assertEqual(recordings.broad_group(name), group)

    def test_repoimu(self):
        # Repeated times; a body on its side, whose reference begins at the identity and turns about its own x.
        turn = np.radians(0.1)
        rows = [f"{n // 2 * 0.02:.2f};{np.cos(n * turn / 2)};{np.sin(n * turn / 2)};0;0;0;9.81;0;1;2;3;0;0;0"
                for n in range(500)]
        self.write("Pendulum_Test03_Trial1_Segment_2.csv", "Time;...\ns;W;...\n" + "\n".join(rows) + "\n")
        self.write("Pendulum_Test01a_Static_Segment_1.csv", "nothing\n")
        trial, = recordings.repoimu(self.folder)
        self.assertEqual((trial.group, trial.name), ("Pendulum Test03", "Pendulum_Test03_Trial1_Segment_2"))
        found = trial.load()
        np.testing.assert_allclose(np.diff(found.times), 4.98 / 499)
        self.assertEqual(found.counted.tolist(), [False] * 200 + [True] * 300)
        self.assertEqual(found.rate[0].tolist(), [1, 2, 3])
        self.assertAlmostEqual(np.degrees(scores.errors(found.truth[:1], found.truth[-1:])[0][0]), 49.9, places=6)
        np.testing.assert_allclose(rotations.rotate(found.truth[0], [0, 1.0, 0]), [0, 0, 1], atol=1e-9)

    def test_files_of_another_kind_are_refused_by_name(self):
        for name, text, load in (("broad_1.csv.gz", "a,b\n1,2\n", recordings.load_broad),
                                 ("broad_2.csv.gz", "a\n1,2\n1,2,3\n", recordings.load_broad),
                                 ("X_Test1.csv", "a\nb\n", recordings.load_repoimu),
                                 ("X_Test2.csv", "a\nb\n1;2\n", recordings.load_repoimu)):
            with self.subTest(name), self.assertRaises(RecordingError) as caught:
                load(self.write(name, text))
            self.assertIn(name, str(caught.exception))


class Programs(WithFolder):
    def test_poses_and_uncertainty_are_read(self):
        program = estimators.Program(stand_in(self.folder))
        body = turning(field=True)
        for field in (False, True):
            poses, deviations = program.poses(body, field)
            self.assertLess(scores.errors(poses, body.truth)[0].max(), 1e-6)
            np.testing.assert_allclose(deviations, 0.5 * body.times)

    def test_a_program_that_states_nothing_is_not_asked(self):
        program = estimators.Program(stand_in(self.folder, help="fuse"))
        self.assertIsNone(program.poses(turning())[1])
        with self.assertRaisesRegex(estimators.ProgramFailed, "--constants"):
            program.constants()
        with self.assertRaisesRegex(estimators.ProgramFailed, "--set"):
            estimators.Program(program.path, ["gain=2"])

    def test_settings_reach_it(self):
        body, path = turning(), stand_in(self.folder)
        for always, settings in ((["gain=0.5"], []), ([], ["gain=0.5"])):
            program = estimators.Program(path, always)
            found = scores.score(body, program.poses(body, settings=settings)[0])
            self.assertAlmostEqual(found.largest, 0.5 * 20 * 5, places=1)

    def test_constants_are_read(self):
        program = estimators.Program(stand_in(self.folder))
        self.assertEqual(program.constants()[0], estimators.Constant("gain", "1", 1.0, "BROAD"))
        for text in ("", "name\tunit\tdefault\tchosen on\n", "gain\t1\tmuch\tBROAD\n", "gain\t1\t2\n"):
            with self.assertRaises(estimators.ProgramFailed):
                estimators.table_of_constants(text)

    def test_wrong_answers_are_told_in_words(self):
        for part, words in (("1:", "600 rows in, 599 rows"), ("..., :4", "4 values out"),
                            (":] * np.nan + out[0][:", "finite")):
            program = estimators.Program(stand_in(self.folder, part=part))
            with self.subTest(part), self.assertRaisesRegex(estimators.ProgramFailed, words):
                program.poses(turning())
        with self.assertRaisesRegex(estimators.ProgramFailed, "no such constant"):
            estimators.Program(stand_in(self.folder), ["other=1"]).poses(turning())
        with self.assertRaisesRegex(estimators.ProgramFailed, "make build"):
            estimators.Program(os.path.join(self.folder, "nothing"))

    def test_a_trial_has_a_row_for_each_estimator_and_number_of_axes(self):
        program = estimators.Program(stand_in(self.folder))
        rows = outcomes.scored(program, Trial("BROAD", "g", "t", lambda: turning(field=True)))
        expected = [("Proscenium", 6), ("gyroscope", 6), ("Proscenium", 9)]
        if estimators.VQF is not None:
            expected = [("Proscenium", 6), ("VQF", 6), ("gyroscope", 6), ("Proscenium", 9), ("VQF", 9)]
        self.assertEqual([(row["estimator"], row["axes"]) for row in rows], expected)
        # The alignment is over the first second, whose last sample is at 0.99 s; the end is the median of the last
        # second.
        stated = np.sqrt((0.5 * 5.495) ** 2 - (0.5 * 0.99) ** 2)
        self.assertAlmostEqual(rows[0]["deviation"], stated, places=2)


class Whole(WithFolder):
    def evaluate(self, path, *words):
        environment = {name: value for name, value in os.environ.items() if name != "PROSCENIUM_DATA"}
        return subprocess.run([sys.executable, os.path.join(HERE, "evaluate.py"), path, *words], env=environment,
                              capture_output=True, text=True)

    def test_steady_turns_with_a_gyroscope_that_is_right_and_one_that_is_not(self):
        words = ("--sets", "turns", "--seeds", "1", "--quick", "11", "--output", self.folder)
        done = self.evaluate(stand_in(self.folder), *words)
        # The bias is at most 0.05°/s: 6° in two minutes.
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn("Proscenium: turn", done.stdout)
        with open(os.path.join(self.folder, "trials.jsonl")) as file:
            rows = [json.loads(line) for line in file]
        ours = [row for row in rows if row["estimator"] == "Proscenium"]
        self.assertEqual(len(ours), 5)
        self.assertTrue(all(abs(value) < 6 for row in ours for value in row["headings"]))
        for name in ("report.md", "trials.md", "turns.svg"):
            self.assertTrue(os.path.getsize(os.path.join(self.folder, name)), name)
        done = self.evaluate(stand_in(self.folder, gain=1.5), *words)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Requirements missed:", done.stdout)

    def test_what_is_left_out_is_said(self):
        done = self.evaluate(stand_in(self.folder, help="fuse"), "--sets", "broad", "repoimu", "ring", "openaxes",
                             "turns", "--seeds", "1", "--quick", "40")
        for words in ("skip  broad", "skip  repoimu", "skip  ring: --ring names", "skip  openaxes", "no --uncertainty"):
            self.assertIn(words, done.stderr)
        self.assertIn("Not judged:\n\n- steady turns", done.stdout)

    def test_one_set_left_out(self):
        done = self.evaluate(stand_in(self.folder, gain=2), "--sets", "generated", "turns", "--seeds", "1",
                             "--quick", "16", "--leave-one-out", "gain")
        self.assertEqual(done.stdout.count("gain × 0.5"), 2, done.stdout + done.stderr)

    def test_nothing_to_evaluate_is_an_error(self):
        for words, said in (("--sets broad", "nothing to evaluate"),
                            (f"--sets repoimu --repoimu {self.folder}", "no recordings of repoimu"),
                            (f"--sets ring --ring {self.folder}", "no recordings of ring"),
                            (f"--sets openaxes --openaxes {self.folder}", "no recordings of openaxes"),
                            ("--sets turns --quick 40 --seeds 1 --leave-one-out", "two sets")):
            done = self.evaluate(stand_in(self.folder), *words.split())
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()

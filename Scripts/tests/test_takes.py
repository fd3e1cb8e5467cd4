"""Tests which takes of a check keep their result when `Scripts/verify/all` runs the check again."""
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "verify"))
import takes


class Takes(unittest.TestCase):
    def both_runs(self, beside, alone):
        """Returns the results of a take beside other checks, whose outcome is `beside`, and then alone."""
        with tempfile.TemporaryDirectory() as folder:
            judged = {takes.JUDGED: os.path.join(folder, "judged")}
            with unittest.mock.patch.dict(os.environ, {**judged, takes.BESIDE: "1"}):
                first = takes.until_whole("take", lambda: (beside, "beside"))[0]
            with unittest.mock.patch.dict(os.environ, judged):
                os.environ.pop(takes.BESIDE, None)
                return first, takes.until_whole("take", lambda: (alone, "alone"))

    def test_a_take_that_failed_beside_other_checks_is_made_again(self):
        self.assertEqual(self.both_runs(False, True), (False, (True, "alone")))
        self.assertEqual(self.both_runs(False, False), (False, (False, "alone")))

    def test_a_good_take_keeps_its_result(self):
        self.assertEqual(self.both_runs(True, False), (True, (True, "beside")))

    def test_a_disturbed_take_is_made_again(self):
        self.assertEqual(self.both_runs(None, True), (takes.DISTURBED, (True, "alone")))

    def test_a_disk_that_is_busy_disturbs_a_take(self):
        run = unittest.mock.Mock(returncode=1, stdout="", stderr="live.wav: the disk did not store the recording within 60 s")
        self.assertIsNone(takes.trouble(run)[0])


if __name__ == "__main__":
    unittest.main()

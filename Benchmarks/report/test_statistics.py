#!/usr/bin/python3
"""Tests the comparison's statistics on data with a known change. Runs in seconds: part of `make test`."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import statistics_of_pairs as statistics


def pairs(rng, cells, count, change, noise=0.02):
    """Returns ratios of pairs of processes: each has a constant error of scale `noise`, one in ten a large one."""
    found = {}
    for cell in range(cells):
        ratios = (1 + change.get(cell, 0)) * np.exp(noise * rng.standard_normal(count))
        ratios *= np.where(rng.random(count) < 0.05, 1.3, 1) / np.where(rng.random(count) < 0.05, 1.3, 1)
        found[(f"cell{cell}", "Proscenium")] = list(ratios)
    return found


def regressions(found):
    return [row.cell for row in found if row.verdict == "REGRESSION"]


class Comparing(unittest.TestCase):
    def test_an_unchanged_revision_passes_in_every_one_of_many_runs(self):
        for seed in range(25):
            rng = np.random.default_rng(seed)
            self.assertEqual(regressions(statistics.compare(pairs(rng, 12, 15, {}), seed)), [], f"seed {seed}")

    def test_ten_percent_in_one_cell_is_caught(self):
        caught = 0
        for seed in range(25):
            rng = np.random.default_rng(100 + seed)
            caught += "cell3" in regressions(statistics.compare(pairs(rng, 12, 20, {3: 0.10}, noise=0.01), seed))
        self.assertGreaterEqual(caught, 24)

    def test_ten_percent_in_all_cells_is_always_caught(self):
        for seed in range(25):
            rng = np.random.default_rng(200 + seed)
            change = {cell: 0.10 for cell in range(12)}
            self.assertTrue(regressions(statistics.compare(pairs(rng, 12, 15, change), seed)), f"seed {seed}")

    def test_three_percent_is_within_the_threshold(self):
        for seed in range(20):
            rng = np.random.default_rng(300 + seed)
            change = {cell: 0.03 for cell in range(12)}
            self.assertEqual(regressions(statistics.compare(pairs(rng, 12, 15, change, noise=0.01), seed)), [])

    def test_a_faster_revision_is_said_to_be_faster(self):
        rng = np.random.default_rng(5)
        found = statistics.compare(pairs(rng, 3, 20, {0: -0.3, 1: -0.3, 2: -0.3}))
        self.assertTrue(all(row.verdict == "faster" for row in found))

    def test_the_interval_covers_the_true_ratio_as_often_as_it_says(self):
        hits = 0
        for seed in range(300):
            rng = np.random.default_rng(seed)
            ratios = 1.07 * np.exp(0.03 * rng.standard_normal(15))
            _, low, high = statistics.interval(ratios, rng, confidence=0.9, resamples=1000)
            hits += low <= 1.07 <= high
        self.assertGreater(hits, 0.85 * 300)

    def test_too_few_pairs_are_refused(self):
        with self.assertRaises(ValueError):
            statistics.interval([1.0] * 7, np.random.default_rng(1))


class Program(unittest.TestCase):
    """Tests the exit status and the output of compare.py."""

    def compare(self, change, count=12, void={}, taps={}):
        rng = np.random.default_rng(7)
        found = [{"steal": 0.0, "alone": ["b: x"], "void": void, "taps": taps, "ratios": {"a\tx": (1 + change) * np.exp(0.01 * rng.standard_normal())}}
                 for _ in range(count)]
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/pairs.json", "w") as file:
                json.dump({"pairs": found}, file)
            return subprocess.run(
                [sys.executable, f"{HERE}/compare.py", folder, "old"], capture_output=True, text=True)

    def test_unchanged_ends_with_0_and_says_what_one_side_alone_has(self):
        done = self.compare(0)
        self.assertEqual(done.returncode, 0)
        self.assertIn("b: x: on one side only", done.stdout)

    def test_ten_percent_ends_with_1_and_names_the_cell(self):
        done = self.compare(0.1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("REGRESSION", done.stdout)

    def test_wrong_results_end_with_4_and_are_named(self):
        done = self.compare(0, void={"a": "x differs from the truth by -60 dB"})
        self.assertEqual(done.returncode, 4)
        self.assertIn("a: WRONG here: x differs", done.stdout)

    def test_longer_filters_are_told(self):
        done = self.compare(0, taps={"a": [243, 443]})
        self.assertEqual(done.returncode, 0)
        self.assertIn("a: filters of 443 taps, 243 there", done.stdout)

    def test_too_few_pairs_end_with_3(self):
        self.assertEqual(self.compare(0, count=5).returncode, 3)

    def judge(self, folder, changes, *options):
        """Writes pairs to a folder, one cell for each change, and runs compare.py on it."""
        os.makedirs(folder, exist_ok=True)
        rng = np.random.default_rng(9)
        found = [{"steal": 0.0, "alone": [], "void": {}, "taps": {},
                  "ratios": {f"{cell}\tx": (1 + change) * np.exp(0.01 * rng.standard_normal())
                             for cell, change in changes.items()}} for _ in range(12)]
        with open(f"{folder}/pairs.json", "w") as file:
            json.dump({"pairs": found}, file)
        return subprocess.run([sys.executable, f"{HERE}/compare.py", folder, "old", *options], capture_output=True, text=True)

    def test_only_what_was_slower_before_can_be_confirmed(self):
        with tempfile.TemporaryDirectory() as folder:
            first, again = f"{folder}/first", f"{folder}/again"
            self.assertEqual(self.judge(first, {"a": 0.1, "b": 0, "c": 0}).returncode, 1)
            slower = subprocess.run(
                [sys.executable, f"{HERE}/compare.py", "--slower", first], capture_output=True, text=True)
            self.assertEqual(slower.stdout, "a\n")
            self.assertEqual(self.judge(again, {"a": 0, "b": 0.1}, "--confirms", first).returncode, 0)
            self.assertEqual(self.judge(again, {"a": 0.1, "b": 0}, "--confirms", first).returncode, 1)

    def test_where_the_mean_alone_is_slower_all_cells_are_looked_at_again(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = [{"cell": cell, "contender": "x", "verdict": "no difference"} for cell in "ab"]
            rows.append({"cell": statistics.ALL, "contender": "geometric mean", "verdict": "REGRESSION"})
            with open(f"{folder}/compare.json", "w") as file:
                json.dump({"rows": rows}, file)
            slower = subprocess.run(
                [sys.executable, f"{HERE}/compare.py", "--slower", folder], capture_output=True, text=True)
            self.assertEqual(slower.stdout, "a\nb\n")


FAKE = """
import sys
factor = 1.1 if "--plant" in sys.argv else 1.0
turns = int(sys.argv[sys.argv.index("--lockstep") + 1]) if "--lockstep" in sys.argv else 0
names = ["a", "b"] if NAME == "base" else ["a", "c"]
if "--list" in sys.argv:
    print("one\\ntwo")
    sys.exit()
for cell in ["one", "two"] if NAME == "base" else ["two"]:
    print(f"taps {100 if NAME == 'base' else 200}", flush=True)
    print("\\t".join([f"cell {cell}", *names]), flush=True)
    for _ in range(len(names) * (turns + 1)):
        print("ready", flush=True)
        if not sys.stdin.readline():
            sys.exit()
        print(f"took {10 * factor}", flush=True)
    if NAME == "here":
        print("void c is wrong", flush=True)
"""


class Lockstep(unittest.TestCase):
    """Tests lockstep.py with two programs whose cells and contenders differ."""

    def test_what_both_have_is_compared_and_the_rest_passes_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("base", "here"):
                with open(f"{folder}/{name}", "w") as file:
                    file.write(f"#!{sys.executable}\nNAME = '{name}'\n" + FAKE.replace("\\\\", "\\"))
                os.chmod(f"{folder}/{name}", 0o755)
            done = subprocess.run(
                [sys.executable, f"{HERE}/lockstep.py", f"{folder}/base", f"{folder}/here", folder, "2", "--plant", "10"],
                capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(f"{folder}/pairs.json") as file:
                pair = json.load(file)["pairs"][0]
            self.assertEqual(list(pair["ratios"]), ["two\ta"])
            self.assertAlmostEqual(pair["ratios"]["two\ta"], 1.1)
            self.assertEqual(pair["alone"], ["one", "two: b", "two: c"])
            self.assertEqual(pair["void"], {"two": "c is wrong"})
            self.assertEqual(pair["taps"], {"two": [100, 200]})


if __name__ == "__main__":
    unittest.main()

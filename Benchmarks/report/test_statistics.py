#!/usr/bin/python3
"""The comparison's statistics on data with a planted truth. Runs in seconds: part of `make test`."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import runs
import statistics_of_pairs as statistics


def pairs(rng, cells, count, change, noise=0.02, drift=0.2):
    """Pairs of a machine whose speed wanders by `drift` from pair to pair and each run by `noise`, with outliers."""
    found = {}
    machine = np.exp(drift * rng.standard_normal(count))
    for cell in range(cells):
        base = 100 * machine * np.exp(noise * rng.standard_normal(count))
        here = 100 * machine * (1 + change.get(cell, 0)) * np.exp(noise * rng.standard_normal(count))
        # One run in ten met something else on the machine.
        base *= np.where(rng.random(count) < 0.1, 1.3, 1)
        here *= np.where(rng.random(count) < 0.1, 1.3, 1)
        found[(f"cell{cell}", "Proscenium")] = list(zip(base, here))
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

    def test_steal_leaves_a_pair_out(self):
        self.assertTrue(statistics.is_disturbed(0.0, 0.11))
        self.assertFalse(statistics.is_disturbed(0.02, 0.05))


class Program(unittest.TestCase):
    """compare.py as the script calls it: exit status and words."""

    def compare(self, change, schema=runs.SCHEMA):
        rng = np.random.default_rng(7)
        with tempfile.TemporaryDirectory() as folder:
            for n in range(12):
                machine = np.exp(0.2 * rng.standard_normal())
                for side, factor in (("base", 1.0), ("here", 1.0 + change)):
                    value = 10 * machine * factor * np.exp(0.01 * rng.standard_normal())
                    cell = {"id": "a", "contenders": [{"name": "x", "role": "ours", "lowerQuartile": value}]}
                    run = {"schema": schema, "run": {"stealShare": 0.01}, "cells": [cell]}
                    with open(f"{folder}/run-{side}-{n}.json", "w") as file:
                        json.dump(run, file)
            return subprocess.run(
                [sys.executable, f"{HERE}/compare.py", folder, "old"], capture_output=True, text=True)

    def test_unchanged_ends_with_0(self):
        self.assertEqual(self.compare(0).returncode, 0)

    def test_ten_percent_ends_with_1_and_names_the_cell(self):
        done = self.compare(0.1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("REGRESSION", done.stdout)

    def test_foreign_runs_end_with_3(self):
        done = self.compare(0, schema="other/9")
        self.assertEqual(done.returncode, 3)
        self.assertIn("other/9", done.stderr)


if __name__ == "__main__":
    unittest.main()

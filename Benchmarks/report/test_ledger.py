#!/usr/bin/python3
"""Tests the ledger's judgement on data with planted creep. Runs in seconds: part of `make check`."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import ledger
import statistics_of_pairs as statistics

#: Relative standard deviation of a pair's ratio: the middle of the measured range (0.003 to 0.04 by cell).
NOISE = 0.01
#: Number of pairs of a kept figure, of one compared with it, and of a repeated measurement.
KEPT, PAIRS, AGAIN = 48, 24, 72
#: Cost relative to the reference when the ledger began.
BEGIN = 1.2
#: Three commits of 2 % each.
CREEP = 1.02**3
CELL = "engine/n2"


def measured(rng, ratio, count):
    """Returns ratios of pairs, each with an error of scale NOISE, one in ten with a large one."""
    noise = np.exp(NOISE * rng.standard_normal(count))
    return list(ratio * noise * rng.choice([1, 1.3, 1 / 1.3], count, p=[0.9, 0.05, 0.05]))


def entry(rng, ratio, day=1, bought=None, processor="here"):
    figures = statistics.interval(measured(rng, ratio, KEPT), rng)
    return ledger.Entry(*figures, f"2026-01-{day:02}T12:00Z", f"{day:07}", processor, bought)


def has_crept(rng, kept, ratio):
    """Returns the judgement of one cell whose true cost is `ratio`, measured again if it is in question."""
    for count in (PAIRS, AGAIN):
        row, = ledger.judge({CELL: ("a" * 7, kept)}, {CELL: measured(rng, ratio, count)}, "here")
        if not row.is_in_question:
            break
    return row.has_crept


class Creep(unittest.TestCase):
    def test_three_commits_of_two_percent_pass_one_by_one_and_are_caught_together(self):
        caught = 0
        for seed in range(40):
            rng = np.random.default_rng(seed)
            found = statistics.compare({(f"commit {number}", "x"): measured(rng, 1.02, 12) for number in range(3)}, seed)
            self.assertNotIn("REGRESSION", [row.verdict for row in found], f"seed {seed}")
            caught += has_crept(rng, [entry(rng, BEGIN)], BEGIN * CREEP)
        self.assertGreaterEqual(caught, 36)

    def test_it_is_caught_although_each_commit_was_kept(self):
        caught = 0
        for seed in range(40):
            rng = np.random.default_rng(100 + seed)
            kept = [entry(rng, BEGIN * 1.02**number, day=number + 1) for number in range(4)]
            caught += has_crept(rng, kept, BEGIN * CREEP)
        self.assertGreaterEqual(caught, 36)

    def test_what_did_not_change_passes_in_every_one_of_many_runs_however_often_it_was_kept(self):
        for seed in range(60):
            rng = np.random.default_rng(200 + seed)
            kept = [entry(rng, BEGIN, day=number + 1) for number in range(seed % 6 + 1)]
            self.assertFalse(has_crept(rng, kept, BEGIN), f"seed {seed}")

    def test_four_percent_are_within_the_threshold(self):
        crept = sum(has_crept(rng, [entry(rng, BEGIN)], BEGIN * 1.04) for rng in map(np.random.default_rng, range(300, 360)))
        self.assertEqual(crept, 0)

    def test_a_bought_figure_is_the_one_to_compare_with(self):
        rng = np.random.default_rng(1)
        kept = [entry(rng, BEGIN), entry(rng, BEGIN * 1.1, day=2, bought="longer responses")]
        self.assertFalse(has_crept(rng, kept, BEGIN * 1.1))
        self.assertTrue(has_crept(rng, kept, BEGIN * 1.1 * 1.1))
        # What became cheaper since is the best again.
        self.assertTrue(has_crept(rng, [*kept, entry(rng, BEGIN, day=3)], BEGIN * 1.1))

    def test_the_order_of_the_file_does_not_matter(self):
        rng = np.random.default_rng(1)
        kept = [entry(rng, BEGIN * 1.1, day=2, bought="longer responses"), entry(rng, BEGIN)]
        self.assertEqual(ledger.best(kept, "here"), kept[0])

    def test_another_processors_figures_judge_nothing(self):
        rng = np.random.default_rng(1)
        self.assertFalse(has_crept(rng, [entry(rng, BEGIN, processor="there")], 2 * BEGIN))

    def test_a_quotients_interval_has_the_errors_of_both(self):
        quotient = ledger.Figure(1.2, 1.2 / 1.03, 1.2 * 1.03).over(ledger.Figure(1.0, 1 / 1.04, 1.04))
        self.assertAlmostEqual(quotient.ratio, 1.2)
        half = np.hypot(np.log(1.03), np.log(1.04))
        self.assertAlmostEqual(quotient.low, 1.2 * np.exp(-half))
        self.assertAlmostEqual(quotient.high, 1.2 * np.exp(half))


class Program(unittest.TestCase):
    """Tests ledger.py as the scripts call it: exit status, output and kept figures."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.rng = np.random.default_rng(3)

    def write(self, *kept):
        ledger.write(f"{self.folder}/ledger.json", {CELL: ("a" * 7, kept), "rooms": ("b" * 7, [])})

    def measure(self, ratio, void={}, cells=(CELL, "rooms"), name="pairs", count=12):
        """Writes the results of lockstep.py to a folder; returns it."""
        os.makedirs(f"{self.folder}/{name}", exist_ok=True)
        columns = {f"{cell}\tx": measured(self.rng, ratio, count) for cell in cells}
        pairs = [{"alone": [], "void": void, "taps": {}, "ratios": dict(zip(columns, row))} for row in zip(*columns.values())]
        with open(f"{self.folder}/{name}/pairs.json", "w") as file:
            json.dump({"pairs": pairs}, file)
        return f"{self.folder}/{name}"

    def run_it(self, *words):
        return subprocess.run([sys.executable, f"{HERE}/ledger.py", "--ledger", f"{self.folder}/ledger.json", *words],
                              capture_output=True, text=True)

    def kept(self, ratio=1.0, **options):
        return entry(self.rng, ratio, processor=ledger.processor(), **options)

    def test_without_kept_figures_nothing_is_judged_and_it_says_so(self):
        self.write()
        done = self.run_it(self.measure(1.5))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no figures of this processor were kept before", done.stdout)

    def test_creep_ends_with_1_and_names_the_cell(self):
        self.write(self.kept())
        done = self.run_it(self.measure(1.15))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, f"{CELL} .*CREPT")
        self.assertNotRegex(done.stdout, "rooms .*CREPT")

    def test_what_is_in_question_is_named_and_the_later_folder_counts(self):
        self.write(self.kept())
        first = self.measure(1.15)
        self.assertEqual(self.run_it("--again", first).stdout, f"{'a' * 7} {CELL}\n")
        self.assertEqual(self.run_it(first, self.measure(1.0, cells=[CELL], name="again")).returncode, 0)

    def test_a_bought_figure_is_kept_with_its_line_and_held_to_from_then_on(self):
        self.write(self.kept())
        folder = self.measure(1.15)
        done = self.run_it(folder, "--keep", "c" * 7, "--bought", f"{CELL}=longer responses")
        self.assertEqual(done.returncode, 0, done.stderr)
        last = ledger.read(f"{self.folder}/ledger.json")[CELL][1][-1]
        self.assertEqual((last.revision, last.processor, last.bought), ("c" * 7, ledger.processor(), "longer responses"))
        self.assertAlmostEqual(last.ratio, 1.15, delta=0.03)
        self.assertEqual(self.run_it(folder).returncode, 0)
        self.assertEqual(self.run_it("--last").stdout, "c" * 7 + "\n")

    def test_a_dearer_figure_that_is_kept_without_a_line_hides_nothing(self):
        self.write(self.kept())
        folder = self.measure(1.15)
        self.assertEqual(self.run_it(folder, "--keep", "c" * 7).returncode, 1)
        self.assertEqual(self.run_it(folder).returncode, 1)

    def test_wrong_results_end_with_4_and_are_not_kept(self):
        self.write()
        done = self.run_it(self.measure(1, void={"rooms": "x differs"}), "--keep", "c" * 7)
        self.assertEqual(done.returncode, 4)
        self.assertIn("rooms: WRONG here: x differs", done.stdout)
        self.assertEqual(ledger.read(f"{self.folder}/ledger.json")["rooms"][1], [])

    def test_a_cell_that_was_not_measured_ends_with_3_and_is_named(self):
        self.write()
        done = self.run_it(self.measure(1, cells=[CELL]))
        self.assertEqual(done.returncode, 3)
        self.assertIn("not measured, in this tree or its reference: rooms", done.stderr)
        self.assertEqual(self.run_it(self.measure(1, cells=[CELL]), "--only", "engine").returncode, 0)

    def test_nothing_kept_has_no_last_revision(self):
        self.write()
        self.assertEqual(self.run_it("--last").stdout, "\n")

    def test_wrong_options_end_with_2(self):
        self.write()
        for words in (["--only", "nothing"], ["--bought", f"{CELL}=x"], ["--keep", "c" * 7, "--bought", "other=x"],
                      ["--keep", "c" * 7, "--bought", f"{CELL}= "], ["--keep", "c" * 7, "--only", "rooms", "--bought", f"{CELL}=x"]):
            self.assertEqual(self.run_it("--cells", *words).returncode, 2, words)

    def test_a_malformed_ledger_is_refused_by_entry_and_field(self):
        good = {"date": "2026-01-01T12:00Z", "revision": "c" * 7, "processor": "p", "ratio": 1, "low": 0.9, "high": 1.1}
        for change, said in (
            ({"ratio": "1"}, f"{CELL}, kept entry 2: 'ratio' is \"1\"; wanted a number above 0"),
            ({"low": 0}, "'low' is 0; wanted a number above 0"),
            ({"high": 0.95}, "'ratio' does not lie between 'low' and 'high'"),
            ({"date": "yesterday"}, "'date' is \"yesterday\"; wanted one such as 2026-11-28T14:05Z"),
            ({"revision": None}, "'revision' is null"),
            ({"bought": ""}, "'bought' is \"\"; wanted a line"),
            ({"bougth": "x"}, "unknown field 'bougth'"),
        ):
            with open(f"{self.folder}/ledger.json", "w") as file:
                json.dump({"schema": ledger.SCHEMA, "cells": {CELL: {"reference": "a" * 7, "kept": [good, good | change]}}}, file)
            done = self.run_it("--cells")
            self.assertEqual(done.returncode, 3)
            self.assertIn(said, done.stderr)
        for text, said in (("{", "Expecting"), ("{}", "the ledger: 'schema' is missing"),
                           ('{"schema": "proscenium-ledger/1", "cells": {"fft": {"kept": []}}}', "fft: 'reference' is missing"),
                           ('{"schema": "proscenium-ledger/2", "cells": {}}', "'schema' is \"proscenium-ledger/2\"")):
            with open(f"{self.folder}/ledger.json", "w") as file:
                file.write(text)
            done = self.run_it("--cells")
            self.assertEqual(done.returncode, 3)
            self.assertIn(said, done.stderr)

    def test_the_ledger_of_this_tree_can_be_read_and_written_as_it_is(self):
        with open(ledger.LEDGER) as file:
            text = file.read()
        ledger.write(f"{self.folder}/ledger.json", ledger.read(ledger.LEDGER))
        with open(f"{self.folder}/ledger.json") as file:
            self.assertEqual(file.read(), text)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Evaluates the orientation filter of a `proscenium` on recordings, in comparison with VQF and the gyroscope alone.

    Scripts/python-env && .build/venv/bin/python Benchmarks/tracking/evaluate.py PROGRAM [--output FOLDER] ...

Sets: broad (broad_*.csv.gz in --broad, or in the folder imu of PROSCENIUM_DATA), repoimu (--repoimu FOLDER with
*_Test*.csv), ring (--ring FOLDER with trial*/omc.csv), openaxes (--openaxes FOLDER with synced_imu and groundtruth),
generated (random motions), cells (one sensor error at a time), sway (heads that keep their place), turns (steady
turns), magnets (beside the sensor, on recordings of BROAD and generated motion, 9 axes), rides (head against device
in vehicles). A set without a folder is left out, with a message. Prints Markdown. --output writes it to report.md, the trials to trials.md and
trials.jsonl, and figures as SVG. Exit status: 0 if all requirements are met, 1 if one is missed, 2 if the evaluation
failed.
"""

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

# Set before NumPy is imported: trials run in parallel, with one thread each.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

import chains
import estimators
import figures
import generated
import leave_one_out
import magnets
import outcomes
import postures
import recordings
import requirements
import rides
import tables

SETS = ("broad", "repoimu", "ring", "openaxes", "generated", "cells", "sway", "turns", "magnets", "rides")
SEEDS = [generated.REPORTED + n for n in range(1, 9)]
#: Number of parallel processes.
AT_ONCE = 2
#: Number of panels of heading error over time.
PANELS = 6


def chosen_trials(options):
    """Returns the trials of the requested sets, every `--quick`th of each."""
    broad = options.broad or os.environ.get("PROSCENIUM_DATA") and os.path.join(os.environ["PROSCENIUM_DATA"], "imu")
    made = {"broad": partial(recordings.broad, broad), "repoimu": partial(recordings.repoimu, options.repoimu),
            "ring": partial(chains.ring, options.ring), "openaxes": partial(chains.openaxes, options.openaxes),
            "generated": partial(generated.motions, options.seeds), "cells": partial(generated.cells, options.seeds),
            "sway": partial(postures.trials, options.seeds),
            "turns": partial(generated.steady_turns, options.seeds),
            "magnets": partial(magnets.trials, broad, options.seeds),
            "rides": partial(rides.trials, options.seeds)}
    folders = {"broad": (broad, "neither --broad nor PROSCENIUM_DATA names a folder"),
               **{name: (getattr(options, name), f"--{name} names no folder")
                  for name in ("repoimu", "ring", "openaxes")}}
    found = []
    for name in dict.fromkeys(options.sets):
        folder, why = folders.get(name, ("", ""))
        if name in folders and not folder:
            print(f"skip  {name}: {why}", file=sys.stderr)
            continue
        trials = made[name]()
        if not trials:
            raise recordings.RecordingError(f"{folder}: no recordings of {name} are there")
        found += trials[::options.quick]
    if not found:
        raise recordings.RecordingError("there is nothing to evaluate")
    return found


def left_out(program, trials, names, pool):
    """Scores each set with constants chosen on the others. Steady turns are included where their error has a bound.
    Cells are not, because they are made like `generated`; rides are not, because they have two IMUs."""
    sets = {}
    for trial in trials:
        turns = trial.collection == "steady turns"
        if 6 in trial.axes and trial.collection not in ("cells", "rides") and (
                not turns or requirements.turn_bound(**trial.facts)):
            sets.setdefault(trial.collection, []).append(trial)
    if len(sets) < 2:
        raise recordings.RecordingError("leaving one set out needs two sets at least, not counting cells and rides")
    constants = program.constants()
    unknown = set(names) - {constant.name for constant in constants}
    if unknown:
        raise estimators.ProgramFailed(f"`fuse --constants` does not list {', '.join(sorted(unknown))}")
    constants = [one for one in leave_one_out.tuned(constants) if not names or one.name in names]
    if not constants:
        raise estimators.ProgramFailed("`fuse --constants` lists no constant that was chosen on recordings")

    def score(collection, choices):
        print(f"  {collection}: {len(choices)} choices of constants", file=sys.stderr)
        of_trials = list(pool.map(partial(outcomes.under_constants, program, choices=choices), sets[collection]))
        return [tuple(map(float, mean)) for mean in np.mean(of_trials, axis=0)]

    return leave_one_out.leave_one_out(list(sets), constants, score)


def options_from_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the `proscenium` to evaluate, such as .build/release/proscenium")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS), help="all by default")
    parser.add_argument("--broad", metavar="FOLDER", help="recordings of BROAD")
    parser.add_argument("--repoimu", metavar="FOLDER", help="recordings of RepoIMU, such as its folder Pendulum")
    parser.add_argument("--ring", metavar="FOLDER",
                        help="recordings of RING: the folder data/dataset of its repository")
    parser.add_argument("--openaxes", metavar="FOLDER",
                        help="recordings of OpenAXES: the folder data/openaxes_dataset of RING's repository")
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS,
                        help=f"of generated recordings (default: {SEEDS[0]} to {SEEDS[-1]}; who chooses constants on "
                             f"them takes seeds below {generated.REPORTED})")
    parser.add_argument("--quick", nargs="?", type=int, const=5, default=1, metavar="N",
                        help="only every Nth trial of each set (5)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="a constant of the filter; may be repeated")
    parser.add_argument("--leave-one-out", nargs="*", metavar="CONSTANT",
                        help="also score each set with constants (all that were chosen on recordings, or these) that "
                             "are chosen on the others")
    parser.add_argument("--output", metavar="FOLDER", help="keeps report, trials and figures there")
    options = parser.parse_args()
    if options.quick < 1 or min(options.seeds) < 0:
        parser.error("--quick takes 1 and more, --seeds 0 and more")
    return options


def drawn(program, trials, rows, pool):
    """Returns {file: SVG}: totals, headings of the worst trials, steady turns."""
    worst = sorted((row for row in rows if row["estimator"] == "Proscenium" and row["axes"] == 6
                    and row["collection"] not in tables.GRIDS), key=lambda row: -row["total"])[:PANELS]
    named = {(trial.collection, trial.name): trial for trial in trials}
    shown = [named[row["collection"], row["trial"]] for row in worst]
    series = list(pool.map(partial(outcomes.heading_series, program), shown))
    found = {"totals.svg": figures.totals(rows), "turns.svg": figures.turns(rows)}
    if series:
        found["worst-headings.svg"] = figures.headings(series)
    return {name: text for name, text in found.items() if text}


def main():
    options = options_from_arguments()
    try:
        program = estimators.Program(options.program, options.set)
        trials = chosen_trials(options)
        if options.output:
            os.makedirs(options.output, exist_ok=True)
        if estimators.VQF is None:
            print("this Python has no `vqf`: its columns are left out (Scripts/python-env makes one that has it)",
                  file=sys.stderr)
        if not program.states_uncertainty:
            print("this program's `fuse` has no --uncertainty: the columns of it are left out", file=sys.stderr)
        rows = []
        with ProcessPoolExecutor(AT_ONCE) as pool:
            for number, found in enumerate(pool.map(partial(outcomes.scored, program), trials), 1):
                rows += found
                if number % 20 == 0 or number == len(trials):
                    print(f"  {number} of {len(trials)} trials", file=sys.stderr)
            text = tables.report(rows)
            if options.leave_one_out is not None:
                found = left_out(program, trials, options.leave_one_out, pool)
                text += "\nEach set with constants chosen on the others:\n\n" + tables.left_out(found)
            files = {}
            if options.output:
                files = {"report.md": text, "trials.md": tables.trials(rows),
                         "trials.jsonl": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
                         **drawn(program, trials, rows, pool)}
    except (estimators.ProgramFailed, recordings.RecordingError, OSError) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        sys.exit(2)
    print(text)
    for name, content in files.items():
        with open(os.path.join(options.output, name), "w") as file:
            file.write(content)
    sys.exit(1 if requirements.misses(rows) else 0)


if __name__ == "__main__":
    main()

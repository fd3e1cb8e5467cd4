#!/usr/bin/python3
"""Tests `proscenium fuse` on known motion: synthetic IMUs, slow turns of a vehicle, uneven times, and real recordings.

    fuse.py PROGRAM

With PROSCENIUM_DATA set, the recordings in its folder imu are fused too (BROAD, Laidig et al. 2021) and compared with
VQF (PyPI `vqf`, if installed): mean inclination and heading errors may be at most 0.1 degrees greater.
"""

import io
import os
import select
import subprocess
import sys
import time

import numpy as np
from scipy.spatial.transform import Rotation

from renderings import Report, program_from_arguments

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Benchmarks/tracking"))
import estimators
import outcomes
import recordings
import scores

DEGREE = np.pi / 180
BIAS = np.array([0.3, -0.2, 0.4]) * DEGREE
#: Seconds within which a line must be answered.
PATIENCE = 30


def errors(program, rows, truth):
    """Returns inclination and heading errors of the program in radians."""
    return scores.errors(estimators.fuse(program.path, rows), np.roll(truth.as_quat(), 1, axis=1))[1:]


def imu(truth, times, seed=1, bias=BIAS):
    """Returns the samples of a stationary IMU with the noise of BROAD's at 286 Hz."""
    dice = np.random.default_rng(seed)
    steps = np.diff(times)
    rate = (truth[:-1].inv() * truth[1:]).as_rotvec() / steps[:, None]
    rows = np.zeros((len(times), 7))
    rows[:, 0] = times
    rows[:, 1:4] = np.vstack([rate[:1], rate]) + bias + dice.normal(0, 0.12 * DEGREE, (len(times), 3))
    rows[:, 4:7] = truth.inv().apply([0, 0, 9.81]) + dice.normal(0, 0.03, (len(times), 3))
    return rows


def looking(times):
    """Returns the motion of a head that looks around without rest."""
    angles = np.c_[60 * np.sin(0.9 * times), -20 * np.sin(1.7 * times + 1), 10 * np.sin(2.3 * times)]
    return Rotation.from_euler("ZYX", angles, degrees=True)


def slow_turns(program, report):
    rate = 200.0
    for before in (30, 0):
        for turn in (0.5, 1.0, 1.5, 1.9):
            times = np.arange(int((before + 80) * rate)) / rate
            yaw = turn * np.clip(times - before, 0, 40)
            truth = Rotation.from_euler("z", yaw[:, None], degrees=True) * Rotation.from_euler("yx", [5, -8], degrees=True)
            heading = np.unwrap(errors(program, imu(truth, times), truth)[1]) / DEGREE
            heading -= heading[int(before * rate)]
            end, later = abs(heading[int((before + 40) * rate) - 1]), abs(heading[-1])
            if before:
                report.row(f"{turn}°/s for 40 s after 30 s of rest: heading at its end", end, 2, "°")
                report.row(f"{turn}°/s for 40 s after 30 s of rest: 40 s later", later, 2, "°")
            else:
                print(f"  {turn}°/s for 40 s from the first sample on: off by {end:.0f}°, 40 s later by {later:.0f}° "
                      "(cannot be told from bias)")


def uneven_times(program, report):
    even = np.arange(9000) / 100.0
    dice = np.random.default_rng(5)
    kept = dice.random(9000) > 0.05
    kept[:2] = True
    uneven = even[kept] + dice.uniform(-0.004, 0.004, kept.sum())
    for name, times in (("100 Hz", even), ("100 Hz, 5 % lost, ±4 ms of jitter", uneven),
                        ("50 Hz", np.arange(4500) / 50.0), ("1000 Hz", np.arange(90000) / 1000.0)):
        truth = looking(times)
        inclination, heading = errors(program, imu(truth, times), truth)
        late = times > 20
        report.row(f"{name}: inclination, RMS", np.sqrt(np.mean(inclination[late] ** 2)) / DEGREE, 0.5, "°")
        drift = np.ptp(np.unwrap(heading[late])) / DEGREE
        report.row(f"{name}: heading drift in 70 s without rest", drift, 8, "°")


def cost(program, report):
    times = np.arange(60000) / 300.0
    text = io.StringIO()
    np.savetxt(text, imu(looking(times), times), delimiter=",", fmt="%.9g")
    spent = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([program.path, "fuse"], input=text.getvalue(), capture_output=True, text=True, check=True)
        spent.append(time.perf_counter() - start)
    print(f"  60000 rows in {min(spent):.2f} s")


def live(program, report):
    """Checks that a line is answered before the next is sent."""
    process = subprocess.Popen([program.path, "fuse"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    answers = []
    try:
        for n in range(3):
            process.stdin.write(f"{n / 100},0,0,0,0,0,9.81\n")
            process.stdin.flush()
            # A program that keeps its answers back until its input ends would never give this one.
            if not select.select([process.stdout], [], [], PATIENCE)[0]:
                break
            answers.append(process.stdout.readline())
        process.stdin.close()
        process.wait(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    is_answered = [a.startswith(f"{n / 100},1.0") for n, a in enumerate(answers)]
    report.fact("each line is answered at once", len(is_answered) == 3 and all(is_answered))


def bad_lines(program, report):
    for name, text, words, expected in (
            ("too few fields", "0,0,0,0,0,0,9.81\n1,0,0\n", [], "line 2 has 3 fields"),
            ("not a number", "0,0,0,0,0,0,up\n", [], "line 1: 'up' is not a number"),
            ("not finite", "0,0,0,0,0,0,nan\n", [], "line 1: az is not finite"),
            ("time going back", "1,0,0,0,0,0,9.81\n0.5,0,0,0,0,0,9.81\n", [], "line 2: time 0.5 does not come after 1"),
            ("no magnetometer", "0,0,0,0,0,0,9.81\n", ["--magnetometer"], "line 1 has 7 fields"),
            ("nothing", "", [], "no samples")):
        done = subprocess.run([program.path, "fuse", *words], input=text, capture_output=True, text=True)
        report.fact(f"{name}: refused by name", done.returncode == 1 and expected in done.stderr, done.stderr.strip()[:50])


def hands(program, report):
    """Scores recordings of BROAD as Benchmarks/tracking does."""
    data = os.environ.get("PROSCENIUM_DATA")
    trials = recordings.broad(os.path.join(data, "imu")) if data else []
    if not trials:
        print("skip  fuse, recordings of hands: PROSCENIUM_DATA does not name a folder of evaluation data")
        return
    if estimators.VQF is None:
        print("  this Python has no `vqf`: fixed bounds only")
    found = {}
    for trial in trials:
        for row in outcomes.scored(estimators.Program(program.path), trial):
            values = [row[part] for part in ("inclination", "heading", "total")]
            found.setdefault((row["estimator"], row["axes"]), []).append(values)
    mean = {key: np.mean(values, 0) for key, values in found.items()}
    for (name, axes), (inclination, heading, total) in mean.items():
        print(f"  {name:10} {axes} axes: inclination {inclination:5.2f}°  heading {heading:5.2f}°  total {total:5.2f}°")
    six, nine = mean.get(("VQF", 6), (0.89, 5.39, 5.51)), mean.get(("VQF", 9), (0.89, 2.38, 2.55))
    report.row("6 axes: inclination, mean of the recordings", mean["Proscenium", 6][0], six[0] + 0.1, "°")
    report.row("6 axes: inclination, worst recording", np.max(found["Proscenium", 6], 0)[0], 2, "°")
    report.row("6 axes: heading, mean of the recordings", mean["Proscenium", 6][1], six[1] + 0.1, "°")
    report.row("9 axes: total, mean of the recordings", mean["Proscenium", 9][2], nine[2] + 0.1, "°")


def main():
    program = program_from_arguments()
    report = Report("fuse: orientation of one IMU")
    try:
        slow_turns(program, report)
        uneven_times(program, report)
        live(program, report)
        bad_lines(program, report)
        cost(program, report)
        hands(program, report)
    except (estimators.ProgramFailed, recordings.RecordingError) as error:
        sys.exit(str(error))
    report.finish()


if __name__ == "__main__":
    main()

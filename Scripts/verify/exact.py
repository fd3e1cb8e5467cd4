#!/usr/bin/python3
"""Compares the verification path with a double-precision convolution: twelve measured directions of the KEMAR set, <=
-100 dB.

    exact.py PROGRAM
"""

import json
import sys

import numpy as np
from scipy import signal

from renderings import AS_MEASURED, Report, noise, program_from_arguments, relative_db
from listening import kemar

#: (azimuth, elevation): directions all round the horizon, and at the other elevations of the set.
DIRECTIONS = [
    (0, 0), (30, 0), (90, 0), (145, 0), (180, 0), (270, 0), (330, 0), (0, -40), (90, -20), (0, 40), (180, 60), (0, 90),
]
BOUND = -100.0
#: Frames of noise at each loudspeaker, and of silence after it; responses have 512.
BURST, PAUSE = 12_000, 4096


def removed_delay(program, rate):
    """Returns the delay in samples common to all responses, which the program removes (negative: adds) and states."""
    answer = json.loads(program.run("hrtf", "info", "kemar", "--processing", "none", "--json"))
    if "common_delay_removed_s" not in answer:
        sys.exit(f"`hrtf info --json` does not state the common delay removed: it has {sorted(answer)}")
    return answer["common_delay_removed_s"] * rate


def main():
    program = program_from_arguments()
    measured = kemar.Measured()
    rate = int(measured.rate)
    removed = removed_delay(program, rate)
    if abs(removed - round(removed)) > 1e-6:
        sys.exit(f"the removed delay is {removed} samples: not whole, so that stored responses cannot be exact")
    removed = round(removed)
    report = Report(f"exact: against numpy in double precision, {removed} samples of common delay removed")
    # The loudspeakers play noise one after the other; all responses decay before the next.
    size = BURST + PAUSE
    programme = np.zeros((size * len(DIRECTIONS), len(DIRECTIONS)))
    for number in range(len(DIRECTIONS)):
        programme[number * size:number * size + BURST, number] = noise(BURST, seed=12 + number)[:, 0]
    heard = program.render(programme, rate, *AS_MEASURED, loudspeakers=[((azimuth + 180) % 360 - 180, elevation)
                                                                        for azimuth, elevation in DIRECTIONS])
    for number, (azimuth, elevation) in enumerate(DIRECTIONS):
        part = slice(number * size, (number + 1) * size)
        response = measured.responses[measured.index(azimuth, elevation)]
        reference = np.stack([signal.fftconvolve(programme[part, number], ear) for ear in response], 1)
        reference = reference[removed:] if removed >= 0 else np.pad(reference, ((-removed, 0), (0, 0)))
        report.row(f"azimuth {azimuth}°, elevation {elevation}°", relative_db(heard[part], reference[:size]), BOUND)
    report.finish()


if __name__ == "__main__":
    main()

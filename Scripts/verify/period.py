#!/usr/bin/python3
"""Checks that the sound depends on the slice, not on the period: 7.1.4 with a moving head at many --block sizes.

    period.py PROGRAM

Periods that are multiples of the slice give the same bits, all others agree within -120 dB.
"""

import numpy as np

from renderings import Report, noise, program_from_arguments, relative_db
from listening import floatwav, rotations

BOUND = -120.0
SAME = {64: [64, 256, 8192], 128: [128, 256, 8192], 256: [256, 512, 8192]}
CLOSE = [16, 100, 1000]


def main():
    program = program_from_arguments()
    report = Report("period: 7.1.4, head turning, against the first --block of each --slice")
    programme = noise(3 * 48000 + 17, 12, seed=3, level=0.02)
    poses = f"{program.folder}/poses.csv"
    t = np.arange(0, 3.2, 0.02)
    turning = rotations.from_angles(70 * np.sin(2.1 * t) + 40 * t, 20 * np.sin(1.3 * t), 10 * np.sin(3.1 * t))
    np.savetxt(poses, np.column_stack([t, turning]), "%.9f", ",", header="t,w,x,y,z", comments="")

    def heard(size, block):
        return program.render(
            programme, 48000, "--hrtf", "kemar", "--layout", "7.1.4", "--poses", poses, "--slice", size, "--block", block,
            mask=floatwav.MASK_7_1_4)

    for size, blocks in SAME.items():
        first = heard(size, blocks[0])
        for block in blocks[1:]:
            other = heard(size, block)
            report.fact(
                f"slice {size}: block {block} has the bits of block {blocks[0]}", np.array_equal(first, other),
                "" if np.array_equal(first, other) else f"{relative_db(other, first):.1f} dB")
        for block in CLOSE:
            report.row(f"slice {size}: block {block}", relative_db(heard(size, block), first), BOUND)
    report.finish()


if __name__ == "__main__":
    main()

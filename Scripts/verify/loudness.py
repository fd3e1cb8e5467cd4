#!/usr/bin/env python3
"""Compares loudness through the program, and its use, with an independent meter, ffmpeg's ebur128.

usage: loudness.py PROGRAM

Both measure a minute and a half of 5.1 with changing loudness. It is then rendered with and without a target, and by
its dialnorm, and the levels at the ears are compared. ffmpeg measures peaks after the look-ahead limiter, and files
that were processed to a loudness.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from listening import floatwav

RATE = 48000


def ffmpeg(path):
    """Returns integrated loudness, range and true peak by ffmpeg."""
    answer = subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostats", "-i", str(path), "-af", "ebur128=peak=true", "-f", "null", "-"],
        capture_output=True, text=True, check=True).stderr
    summary = answer[answer.rindex("Summary:"):]
    return [float(re.search(pattern, summary).group(1)) for pattern in
            (r"I:\s+(-?[\d.]+) LUFS", r"LRA:\s+(-?[\d.]+) LU", r"Peak:\s+(-?[\d.]+) dBFS")]


def ears(program, folder, *options):
    """Returns the report of a render."""
    answer = subprocess.run(
        [program, "render", "-y", "mix.wav", "ears.wav", "--json", *options], cwd=folder, capture_output=True, text=True,
        check=True).stdout
    return json.loads(answer)


def main(program):
    program = str(pathlib.Path(program).resolve())
    faults = []

    def expect(what, found, wanted, bound):
        if not abs(found - wanted) <= bound:
            faults.append(f"{what}: {found:.2f}, wanted {wanted:.2f} ± {bound}")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        random = np.random.default_rng(5)
        levels = 10 ** ((-28 + 12 * np.sin(2 * np.pi * np.arange(90 * RATE) / (30 * RATE))) / 20)
        sound = random.standard_normal((90 * RATE, 6)) * levels[:, None] * np.array([1, 0.9, 0.7, 3, 0.5, 0.6])
        floatwav.write(folder / "mix.wav", sound, RATE, mask=0x3F)
        own = json.loads(subprocess.run(
            [program, "loudness", "mix.wav", "--json"], cwd=folder, capture_output=True, text=True, check=True).stdout)[0]["loudness"]
        judge = ffmpeg(folder / "mix.wav")
        expect("integrated loudness, LUFS", own["integrated"], judge[0], 0.1)
        expect("loudness range, LU", own["range"], judge[1], 1)
        expect("true peak, dBTP", own["truePeak"], judge[2], 0.4)
        plain = ears(program, folder, "--limiter", "off")
        expect("loudness in render's report, LUFS", plain["loudness"]["integrated"], own["integrated"], 0.01)
        aimed = ears(program, folder, "--limiter", "off", "--programme-loudness", f"{own['integrated']:.2f}",
                     "--loudness-target", "-31")
        gain = -31 - own["integrated"]
        expect("ears at a target, LUFS", aimed["earLoudness"]["integrated"], plain["earLoudness"]["integrated"] + gain, 0.05)
        normed = ears(program, folder, "--limiter", "off", "--dialnorm", "-20")
        expect("ears by dialnorm, LUFS", normed["earLoudness"]["integrated"], plain["earLoudness"]["integrated"] - 11, 0.05)
        ears(program, folder, "--limiter", "lookahead", "--gain", "20")
        peak = ffmpeg(folder / "ears.wav")[2]
        if not -3 < peak <= -0.9:
            faults.append(f"true peak behind the look-ahead guard, by ffmpeg: {peak:.1f} dBTP, wanted -1 at most")
        written = []
        for options in (("--loudness-target", "-23"), ("--to", "stereo", "--loudness-target", "-23"), ("--loudness-target", "-8")):
            report = json.loads(subprocess.run(
                [program, "process", "-y", "mix.wav", "level.wav", "--json", *options], cwd=folder, capture_output=True, text=True,
                check=True).stdout)["loudness"]
            found = ffmpeg(folder / "level.wav")
            written.append(found[0])
            line = "process " + " ".join(options)
            expect(f"{line}, by ffmpeg, LUFS", found[0], report["integrated"], 0.1)
            if options[-1] == "-23":
                expect(f"{line}, LUFS", found[0], -23, 0.1)
            elif not (found[0] < -9 and -1.5 < found[2] <= -0.9):
                faults.append(f"{line}: {found[0]:.1f} LUFS and {found[2]:.1f} dBTP, wanted a true peak of -1 dBTP")
    if faults:
        print("\n".join(faults))
        return 1
    print(f"loudness: {own['integrated']:.1f} LUFS, {own['range']:.1f} LU, {own['truePeak']:.1f} dBTP; ffmpeg {judge[0]}, {judge[1]}, "
          f"{judge[2]}; targets and dialnorm are met; behind the guard {peak} dBTP; process to "
          f"-23 LUFS: {written[0]}, folded down {written[1]}; to -8, which the peak forbids: {written[2]}.")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))

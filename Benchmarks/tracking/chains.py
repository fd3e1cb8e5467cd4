"""Loaders of two sets with IMUs on a chain of segments: RING and OpenAXES. Each IMU with its reference is a trial.

Both lie in the repository github.com/anonymous-sup-material/ring_supplementary_material (Bachhuber et al., "Recurrent
inertial graph-based estimator (RING)", TMLR 2024), folders data/dataset and data/openaxes_dataset. Its modules
data/diodem.py, data/openaxes_dataset/time_sync.py and eval_section_5_5_external.py show the format.

The IMUs' axes and the clocks' offset are not stated, so `references.fitted` finds both. Headings are aligned over the
first second of reference, with 6 axes only: RING's magnetic field has no stated unit and its reference no north,
OpenAXES has no magnetometer. Errors count from `SETTLES` seconds on."""

import glob
import os
import sys
from functools import partial

import numpy as np

import references
from recordings import Recording, RecordingError, Trial, values

#: Seconds at the start of a trial that are not scored, while the filters find the vertical.
SETTLES = 2.0
#: Least agreement of an IMU's rates with its reference's. Where two recordings were laid over each other wrongly, it is
#: below a half.
AGREES = 0.9
SEGMENTS = range(1, 6)


def ring(folder):
    """Returns trials of RING in `folder` (data/dataset): trialN/imu_rigid.csv, imu_nonrigid.csv and omc.csv, five
    segments each."""
    return [Trial("RING", group, f"{os.path.basename(place)} {group} {segment}",
                  partial(load_ring, place, kind, segment))
            for place in sorted(os.path.dirname(path) for path in glob.glob(os.path.join(folder, "*", "omc.csv")))
            for kind, group in (("imu_rigid", "rigid"), ("imu_nonrigid", "loose")) for segment in SEGMENTS]


def load_ring(folder, kind, segment):
    """Loads one IMU of a trial: a chain of five segments moved by hand, each with an IMU fixed to it (`imu_rigid`) and
    one attached loosely (`imu_nonrigid`).

    Files have a line of frequency (40 Hz, of the cameras 30 Hz), one of units (s, m, rad) and one of names. Columns
    segN_acc_x…z: specific force, m/s², at rest up; segN_gyr_x…z: rad/s; segN_quat_w…z: segment to world, z up, empty
    where the cameras lost the chain. One segment of five has poses there that its gyroscope contradicts by 40°/s RMS,
    so a frame counts as known only if all segments are. Both clocks start within 30 ms of each other. The axes of
    fixed IMUs are the segment's within 1°. Those of loose IMUs differ by up to 11°, and their motion against the
    segment, which no reference shows, is part of their error."""
    samples, sample_rate = frequency_table(os.path.join(folder, f"{kind}.csv"))
    cameras, frame_rate = frequency_table(os.path.join(folder, "omc.csv"))
    names = [f"seg{segment}_{{}}_{axis}" for axis in "xyz"]
    rate, force = (columns(samples, [name.format(what) for name in names]) for what in ("gyr", "acc"))
    poses = columns(cameras, [f"seg{segment}_quat_{part}" for part in "wxyz"])
    everything = columns(cameras, [f"seg{one}_quat_{part}" for one in SEGMENTS for part in "wxyz"])
    poses[~np.isfinite(everything).all(1)] = np.nan
    return recording(f"{folder}: {kind} {segment}", rate, force, np.arange(len(rate)) / sample_rate,
                     np.arange(len(poses)) / frame_rate, poses)


def openaxes(folder):
    """Returns trials of OpenAXES in `folder` (data/openaxes_dataset): synced_imu/MOTION/BONE_adx.csv with
    groundtruth/robot-MOTION/BONE.csv. IMUs that were synchronised wrongly are left out with a message. The source's own
    evaluation leaves out the motions circle-200 and triangle-100 for that reason."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "synced_imu", "*", "*_adx.csv"))):
        motion, bone = os.path.basename(os.path.dirname(path)), os.path.basename(path)[:-len("_adx.csv")]
        truth = os.path.join(folder, "groundtruth", f"robot-{motion}", f"{bone}.csv")
        trial = Trial("OpenAXES", motion.rsplit("-", 1)[0], f"{motion} {bone}", partial(load_openaxes, path, truth))
        try:
            trial.load()
        except Disagreement as error:
            print(f"skip  openaxes: {error}", file=sys.stderr)
            continue
        found.append(trial)
    return found


def load_openaxes(path, truth_path):
    """Loads one IMU on a robot's arm that moves along circles and triangles (Webering, Fahnemann & Stanislawski,
    "OpenAXES Example Robot Dataset", LUIS 2023, doi 10.25835/psqqs9w0; gyroscope BMI160, accelerometer ADXL355).

    acc_x…z: specific force, m/s², at rest up, 3.5 % too small; gyr_x…z: rad/s. The source resampled them to the
    robot's 125 Hz by linear interpolation, with a scale and an offset of time fitted to one joint's angle. Times
    without samples hold a constant: such samples at the start and the end are cut. QUATERNION_0…3: w x y z of the
    segment to world, from the joints' encoders, at TIME in µs. An IMU's x, y, z are about the segment's −z, y, x. The
    world's z is some 1.2° off the vertical: inclination errors of all estimators have that share."""
    table, truth = named_table(path, 0), named_table(truth_path, 0)
    rate, force = (columns(table, [f"{what}_{axis}" for axis in "xyz"]) for what in ("gyr", "acc"))
    poses = columns(truth, [f"QUATERNION_{part}" for part in range(4)])
    times = columns(truth, ["TIME"])[:, 0] * 1e-6
    if len(rate) != len(times):
        raise RecordingError(f"{path}: {len(rate)} samples, {len(times)} in {truth_path}; they belong row to row")
    changes = np.flatnonzero(np.any(np.diff(np.hstack([rate, force]), axis=0) != 0, axis=1))
    if len(changes) < 2:
        raise RecordingError(f"{path}: the samples never change")
    real = slice(changes[0], changes[-1] + 2)
    times = times - times[0]
    return recording(path, rate[real], force[real], times[real], times, poses)


class Disagreement(RecordingError):
    """An IMU whose rates are not those of its reference."""


def recording(name, rate, force, times, frames, poses):
    """Returns a recording whose reference is that of the IMU's own axes and clock."""
    if len(times) < 2 or not np.isfinite(np.hstack([rate, force])).all() or not (np.diff(times) > 0).all():
        raise RecordingError(f"{name}: samples are missing, not finite or not in order of time")
    length = np.linalg.norm(poses, axis=1, keepdims=True)
    poses = np.where(length > 0.5, poses / np.where(length > 0.5, length, 1), np.nan)
    if np.isfinite(poses).all(1).sum() < 2:
        raise RecordingError(f"{name}: the reference has no poses")
    fit = references.fitted(times, rate, force, frames, poses)
    if fit.agreement < AGREES:
        raise Disagreement(f"{name}: its rates and the reference's have a correlation of {fit.agreement:.2f}, at least "
                           f"{AGREES} is needed; the two are not of one motion or not of one time")
    truth = references.at_samples(fit, times, frames, poses)
    counted = np.isfinite(truth).all(1) & (times - times[0] >= SETTLES)
    return Recording(times - times[0], rate, force, truth, counted, 1 / np.median(np.diff(times)))


def frequency_table(path):
    """Returns a file of RING as by `named_table`, and its frequency, Hz."""
    with open(path) as file:
        words = file.readline().split(":")
    try:
        frequency = float(words[1])
    except (IndexError, ValueError):
        raise RecordingError(f"{path}: the first line must be '# sampling frequency: HZ'") from None
    if not frequency > 0:
        raise RecordingError(f"{path}: a sampling frequency of {frequency:g} Hz")
    return named_table(path, 2), frequency


def named_table(path, above):
    """Returns the file's name and {column: numbers [row]}; `above`: lines before that of the names."""
    with open(path) as file:
        names = file.read().splitlines()[above:above + 1]
    rows = values(path, delimiter=",", skip_header=above + 1)
    names = names[0].split(",") if names else []
    if len(names) != rows.shape[1]:
        raise RecordingError(f"{path}: {len(names)} names in line {above + 1}, {rows.shape[1]} columns")
    return path, dict(zip(names, rows.T))


def columns(table, names):
    """Returns named columns [row][name] of a `named_table`."""
    path, found = table
    missing = [name for name in names if name not in found]
    if missing:
        raise RecordingError(f"{path}: no column {', '.join(missing)}")
    return np.column_stack([found[name] for name in names])

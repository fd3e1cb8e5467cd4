"""Recordings of one IMU with a reference orientation, and the loaders of public sets.

BROAD: Laidig, Caruso, Cereatti & Seel, "BROAD, a benchmark for robust inertial orientation estimation", Data 6(7),
2021, as one CSV per trial. RepoIMU: Szczęsna et al., "Reference data set for accuracy evaluation of orientation
estimation algorithms for inertial motion capture systems", ICCVG 2016.
"""

import glob
import os
import re
import warnings
from dataclasses import dataclass, field
from functools import partial
from typing import Callable

import numpy as np

import strapdown
from listening import rotations

#: Seconds at the start of a RepoIMU trial that are not scored, while the filters find the vertical.
REPOIMU_SETTLES = 2.0


class RecordingError(Exception):
    """A recording that cannot be used; the text names it and the reason."""


@dataclass
class Recording:
    """Samples [n] of one IMU; unknown reference poses are NaN."""

    times: np.ndarray  #: [n] seconds, rising
    rate: np.ndarray  #: [n][3] rad/s, body axes
    force: np.ndarray  #: [n][3] m/s², body axes; at rest it points up
    truth: np.ndarray  #: [n][4] w x y z, body to world, z up
    counted: np.ndarray  #: [n] whether the error counts
    sample_rate: float  #: Hz
    field: np.ndarray | None = None  #: [n][3] magnetic field in any unit; then the reference's x is east, y north
    marks: tuple = ()  #: further times of the heading error, seconds

    @property
    def known(self):
        """Whether there is a reference pose, [n]."""
        return np.isfinite(self.truth).all(1)


@dataclass
class Trial:
    """A recording that is loaded or made on demand; picklable, for another process."""

    collection: str
    group: str
    name: str
    load: Callable[[], Recording]
    facts: dict = field(default_factory=dict)  #: facts for tables
    axes: tuple = (6, 9)  #: numbers of axes for scoring; 9 needs a field in the recording


def broad(folder):
    """Returns trials of BROAD in `folder` (broad_*.csv.gz: t, gyroscope, accelerometer, magnetometer, reference,
    movement)."""
    return [Trial("BROAD", broad_group(name := os.path.basename(path)[6:-7]), name, partial(load_broad, path))
            for path in sorted(glob.glob(os.path.join(folder, "broad_*.csv.gz")))]


def broad_group(name):
    """Returns the group of a file: `28_disturbed_stationary_magnet_A` belongs to `stationary magnet`."""
    words = re.sub(r"^\d+_(disturbed_)?", "", name)
    if words.startswith("undisturbed"):
        return "undisturbed"
    return re.sub(r"_([A-Z]|\d+cm)$", "", words).replace("_", " ")


def load_broad(path):
    rows = values(path, delimiter=",", skip_header=1)
    if rows.shape[1] != 15:
        raise RecordingError(f"{path}: 15 columns are expected (t, g, a, m, quaternion, movement), not {rows.shape[1]}")
    truth = rows[:, 10:14]
    truth[~(np.linalg.norm(truth, axis=1) > 0.5)] = np.nan
    return Recording(rows[:, 0], rows[:, 1:4], rows[:, 4:7], truth, (rows[:, 14] > 0.5) & np.isfinite(truth).all(1),
                     1 / np.median(np.diff(rows[:, 0])), field=rows[:, 7:10])


def repoimu(folder):
    """Returns trials of a folder of RepoIMU (*_Test*.csv) without those named Static, which have no reference."""
    paths = [path for path in sorted(glob.glob(os.path.join(folder, "*_Test*.csv"))) if "Static" not in path]
    return [Trial("RepoIMU", re.sub(r"_(Test\d*).*", r" \1", name := os.path.basename(path)[:-4]), name,
                  partial(load_repoimu, path)) for path in paths]


def load_repoimu(path):
    """Loads a file. Two rows may have the same rounded time, so the samples are spaced evenly between the first and the
    last. The reference begins at the identity and is levelled by gravity in the first half second."""
    rows = values(path, delimiter=";", skip_header=2, usecols=range(11))
    rows = rows[np.isfinite(rows[:, 0])]
    if len(rows) < 2 or not np.isfinite(rows[0]).all():
        raise RecordingError(f"{path}: no recording (two lines of header, then t;quaternion;a;g;m from row one)")
    count, duration = len(rows), rows[-1, 0] - rows[0, 0]
    sample_rate = (count - 1) / duration
    force, reference = rows[:, 5:8], rows[:, 1:5]
    level = strapdown.levelled(force[:int(0.5 * sample_rate)])
    truth = rotations.multiply(level, rotations.multiply(rotations.conjugate(reference[0]), reference))
    counted = np.isfinite(truth).all(1)
    counted[:int(REPOIMU_SETTLES * sample_rate)] = False
    return Recording(np.linspace(0, duration, count), rows[:, 8:11], force, truth, counted, sample_rate)


def values(path, **format):
    """Reads numbers [row][column] of a text file; an error names the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return np.genfromtxt(path, ndmin=2, **format)
    except (ValueError, EOFError, UserWarning) as error:
        raise RecordingError(f"{path}: {error}") from None

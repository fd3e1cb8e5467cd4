"""Errors of orientations as BROAD defines them (Laidig et al., Data 6(7), 2021): total, inclination, heading, RMS."""

from dataclasses import asdict, dataclass

import numpy as np

import places
from listening import rotations
from recordings import RecordingError


@dataclass
class Score:
    """Scores of a trial, degrees."""

    total: float  #: RMS over the counted samples
    inclination: float
    heading: float
    end: float  #: signed heading error, median of the last counted second
    largest: float  #: greatest total error of a counted sample
    deviation: float | None = None  #: stated standard deviation of the heading at the end, relative to the alignment
    covered: float | None = None  #: share of samples with a heading error of at most two stated deviations plus `ALLOWED`
    headings: tuple = ()  #: signed heading errors at the recording's marks, with whole turns
    deviations: tuple = ()  #: stated deviations there

    def facts(self):
        return asdict(self)


#: Allowance for errors of the reference, its synchronisation and the alignment in the test of stated deviations,
#: degrees.
ALLOWED = 1.0


def errors(estimate, truth):
    """Returns total, inclination and heading errors [n] in radians of poses [n][4]; NaN where the truth is NaN."""
    truth = truth / np.linalg.norm(truth, axis=1, keepdims=True)
    estimate = estimate / np.linalg.norm(estimate, axis=1, keepdims=True)
    # Residual rotation in the world's frame: its turn about z is the heading error, the rest is inclination.
    w, x, y, z = rotations.multiply(estimate, rotations.conjugate(truth)).T
    # The arctangent keeps small angles, which an arccosine near 1 would lose.
    total = 2 * np.arctan2(np.sqrt(x * x + y * y + z * z), np.abs(w))
    inclination = 2 * np.arctan2(np.hypot(x, y), np.hypot(w, z))
    heading = np.angle(np.exp(2j * np.arctan2(z, w)))
    return total, inclination, heading


def aligned(estimate, recording):
    """Returns the estimate, turned about the vertical so that its mean heading error in the first second of reference
    is 0."""
    first = alignment(recording)
    error = errors(estimate[first], recording.truth[first])[2]
    yaw = np.degrees(np.angle(np.mean(np.exp(1j * error))))
    return rotations.multiply(rotations.from_angles(-yaw), estimate)


def alignment(recording):
    """Returns the indices of the samples over which headings are aligned."""
    return np.flatnonzero(recording.known)[:max(1, int(recording.sample_rate))]


def since_alignment(deviations, recording):
    """Returns the stated deviations of the heading [n] relative to the alignment, where the error is 0: variances
    add."""
    return np.sqrt(np.maximum(0, deviations**2 - deviations[alignment(recording)[-1]] ** 2))


def score(recording, estimate, free_heading=True, deviations=None):
    """Scores poses [n][4] and stated deviations of headings [n] in degrees, if any. `free_heading`: align first."""
    if free_heading:
        estimate = aligned(estimate, recording)
        if deviations is not None:
            deviations = since_alignment(deviations, recording)
    total, inclination, heading = (np.degrees(error) for error in errors(estimate, recording.truth))
    counted = recording.counted & recording.known
    if not counted.any():
        raise RecordingError("no sample of the recording counts: its reference or its movement is missing")
    second = max(1, int(recording.sample_rate))
    last = np.flatnonzero(counted)[-second:]
    found = Score(*(float(np.sqrt(np.mean(error[counted] ** 2))) for error in (total, inclination, heading)),
                  end=float(np.median(heading[last])), largest=float(total[counted].max()))
    # Median over the second before each mark, with whole turns: a heading off by 360° is wrong.
    marks = np.searchsorted(recording.times, recording.marks)
    before = [slice(max(0, mark - second), max(1, mark)) for mark in marks]
    found.headings = tuple(float(np.median(np.unwrap(heading, period=360)[part])) for part in before)
    if deviations is not None:
        found.deviation = float(np.median(deviations[last]))
        found.covered = float(np.mean(np.abs(heading[counted]) <= 2 * deviations[counted] + ALLOWED))
        found.deviations = tuple(float(np.median(deviations[part])) for part in before)
    return found

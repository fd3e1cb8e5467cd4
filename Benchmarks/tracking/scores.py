"""Errors of orientations as BROAD defines them (Laidig et al., Data 6(7), 2021): total, inclination, heading, RMS."""

from dataclasses import asdict, dataclass

import numpy as np

import places
from listening import rotations
from recordings import RecordingError


@dataclass
class Score:
    """Degrees throughout."""

    total: float  #: RMS where it counts
    inclination: float
    heading: float
    end: float  #: heading error, signed, median of the last second that counts
    largest: float  #: greatest total error of a sample that counts
    deviation: float | None = None  #: stated standard deviation of the heading at the end, since its alignment
    covered: float | None = None  #: share of samples whose heading error is at most two stated deviations and `ALLOWED`
    headings: tuple = ()  #: heading errors at the recording's marks, signed, whole turns counted
    deviations: tuple = ()  #: stated deviations there

    def facts(self):
        return asdict(self)


#: Degrees by which reference, its synchronisation and the alignment may be off where stated deviations are judged.
ALLOWED = 1.0


def errors(estimate, truth):
    """Total, inclination and heading errors [n] in radians of poses [n][4]; NaN where the truth is."""
    truth = truth / np.linalg.norm(truth, axis=1, keepdims=True)
    estimate = estimate / np.linalg.norm(estimate, axis=1, keepdims=True)
    # What is left in the world's frame: a turn about z is heading, the rest inclination.
    w, x, y, z = rotations.multiply(estimate, rotations.conjugate(truth)).T
    # The arctangent keeps small angles that an arccosine near 1 would lose.
    total = 2 * np.arctan2(np.sqrt(x * x + y * y + z * z), np.abs(w))
    inclination = 2 * np.arctan2(np.hypot(x, y), np.hypot(w, z))
    heading = np.angle(np.exp(2j * np.arctan2(z, w)))
    return total, inclination, heading


def aligned(estimate, recording):
    """The estimate turned about the vertical so that its mean heading error in the first second of reference is 0."""
    first = alignment(recording)
    error = errors(estimate[first], recording.truth[first])[2]
    yaw = np.degrees(np.angle(np.mean(np.exp(1j * error))))
    return rotations.multiply(rotations.from_angles(-yaw), estimate)


def alignment(recording):
    """Indices of the samples over which headings are aligned."""
    return np.flatnonzero(recording.known)[:max(1, int(recording.sample_rate))]


def since_alignment(deviations, recording):
    """Stated deviations of the heading [n] since the alignment, where the error is 0: variances add."""
    return np.sqrt(np.maximum(0, deviations**2 - deviations[alignment(recording)[-1]] ** 2))


def score(recording, estimate, free_heading=True, deviations=None):
    """Scores poses [n][4] and, where stated, deviations of headings [n] in degrees. `free_heading`: align first."""
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
    # The second before each mark, whole turns counted: a heading off by 360° is not right.
    marks = np.searchsorted(recording.times, recording.marks)
    before = [slice(max(0, mark - second), max(1, mark)) for mark in marks]
    found.headings = tuple(float(np.median(np.unwrap(heading, period=360)[part])) for part in before)
    if deviations is not None:
        found.deviation = float(np.median(deviations[last]))
        found.covered = float(np.mean(np.abs(heading[counted]) <= 2 * deviations[counted] + ALLOWED))
        found.deviations = tuple(float(np.median(deviations[part])) for part in before)
    return found

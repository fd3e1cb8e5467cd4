"""Localises a sound from two ear signals: interaural comparison with the measured ring, front and back included.

For a source spectrum S and ear responses H, the ears receive L = S·H_l and R = S·H_r, so L·H_r − R·H_l is zero in the
true direction for any source and any equalisation common to both ears. Its relative size at each candidate (the
cross-relation) depends on level and time differences at once; it is steep across the cone of confusion and flat near
the median plane, where the set is symmetric. There the colour decides: the spectrum of both ears over the dry
programme's, compared with the set's own. The playback may be diffuse-field equalised, so both colours are tried, with
and without, and the better one for the whole file is used.
"""

import numpy as np
from scipy import fft, signal

from . import kemar

#: Frame and hop in seconds, transform length in samples.
FRAME, HOP, SIZE = 0.060, 0.010, 4096
#: Candidates per degree of azimuth.
PER_DEGREE = 2
#: Band of the cross-relation in Hz, and of the colour.
CROSS_BAND, COLOUR_BAND = (150, 9000), (700, 14500)
#: Weight of one decibel (RMS) of colour error relative to the cross-relation.
COLOUR_WEIGHT = 0.012


def frames(samples, rate):
    """Returns windowed power and cross spectra at the hop: complex [frame][ear][bin]; times of the frame centres in
    s."""
    length, hop = round(FRAME * rate), round(HOP * rate)
    window = signal.windows.hann(length, sym=False)
    count = 1 + max(0, len(samples) - length) // hop
    starts = np.arange(count) * hop
    spectra = np.empty((count, samples.shape[1], SIZE // 2 + 1), np.complex64)
    for first in range(0, count, 256):
        block = starts[first:first + 256]
        for ear in range(samples.shape[1]):
            spectra[first:first + 256, ear] = fft.rfft(samples[block[:, None] + np.arange(length), ear] * window, SIZE)
    return spectra, (starts + length / 2) / rate


class Localizer:
    """Estimates azimuths from binaural frames with a measured set; `silent` bands in Hz are left out."""

    def __init__(self, measured, rate, silent=(), step=None):
        self.rate, self.step = rate, step
        frequencies = np.fft.rfftfreq(SIZE, 1 / rate)
        heard = ~np.any([(frequencies > a - 100) & (frequencies < b + 100) for a, b in silent] or [[False]], axis=0)
        self.cross_bins = np.flatnonzero(
            heard & (frequencies > CROSS_BAND[0]) & (frequencies < CROSS_BAND[1]))
        self.candidates = np.arange(0, 360 * PER_DEGREE) / PER_DEGREE
        ring = kemar.Ring(measured, frequencies, step)
        spectra = ring.spectra(self.candidates)
        cross = spectra[..., self.cross_bins]
        self._left = np.abs(cross[:, 0]) ** 2
        self._right = np.abs(cross[:, 1]) ** 2
        self._across = cross[:, 0] * np.conj(cross[:, 1])
        # Each candidate is relative to the residue of two unrelated ears of its size.
        norm = self._left + self._right
        self._left, self._right, self._across = self._left / norm, self._right / norm, self._across / norm
        self._weight = 1 / frequencies[self.cross_bins] ** 0.7
        # The colour: bands a quarter of an octave wide, a sixth of an octave apart.
        centres = COLOUR_BAND[0] * 2 ** np.arange(0, np.log2(COLOUR_BAND[1] / COLOUR_BAND[0]), 1 / 6)
        bands = [heard & (np.abs(np.log2(np.maximum(frequencies, 1) / c)) < 1 / 8) for c in centres]
        self._bands = np.array([b / b.sum() for b in bands if b.sum() > 4]).T
        power = np.abs(spectra) ** 2
        self._colours = {
            "raw": self._decibels(power),
            "diffuse-field": self._decibels(power / measured.diffuse_power(frequencies)),
        }

    def _decibels(self, power):
        """Returns band levels [.., band] in dB."""
        return 10 * np.log10(power @ self._bands + 1e-12)

    def locate(self, binaural, dry):
        """Returns azimuths in degrees for each frame of `binaural` [frame][ear] made from `dry` [frame],
        time-aligned."""
        ears, times = frames(binaural, self.rate)
        source, _ = frames(dry[:, None], self.rate)
        costs = self._cross_costs(ears)
        observed = self._decibels(np.abs(ears) ** 2) - self._decibels(np.abs(source) ** 2)
        observed = (observed - observed.mean((1, 2), keepdims=True)).reshape(len(observed), -1)
        trials = {}
        for name, template in self._colours.items():
            # One level offset for all bands of both ears.
            t = (template - template.mean((1, 2), keepdims=True)).reshape(len(template), -1)
            square = (observed**2).sum(1)[:, None] + (t**2).sum(1) - 2 * observed @ t.T
            colour = np.sqrt(np.maximum(square, 0) / t.shape[1])
            total = costs + COLOUR_WEIGHT * colour
            trials[name] = (total, colour)
        self.equalisation = min(trials, key=lambda name: np.median(trials[name][0].min(1)))
        total, self.colour = trials[self.equalisation]
        return times, self._refine(costs, total), total

    def _cross_costs(self, ears):
        """Returns the cross-relation, 0 (perfect) … about 1, [frame][candidate]."""
        cut = ears[..., self.cross_bins].astype(np.complex128)
        left, right = np.abs(cut[:, 0]) ** 2, np.abs(cut[:, 1]) ** 2
        loud = left + right
        floor = 1e-4 * loud.max(1, keepdims=True)
        weight = self._weight * loud / (loud + floor) / (loud + 1e-30)
        weight = weight / (weight * loud).sum(1, keepdims=True)
        across = np.conj(cut[:, 0] * np.conj(cut[:, 1])) * weight
        return (
            (left * weight) @ self._right.T + (right * weight) @ self._left.T
            - 2 * (across @ self._across.T).real)

    def _refine(self, costs, total):
        """Returns the best candidate by the total, refined to the vertex of a parabola through the cross-relation
        around it."""
        count = costs.shape[1]
        best = total.argmin(1)
        rows = np.arange(len(costs))
        # The colour is coarse: moves to the nearest minimum of the cross-relation, at most 8 degrees away.
        reach = np.arange(-8 * PER_DEGREE, 8 * PER_DEGREE + 1)
        near = (best[:, None] + reach) % count
        best = near[rows, costs[rows[:, None], near].argmin(1)]
        before, at, after = (costs[rows, (best + o) % count] for o in (-2, 0, 2))
        curve = before - 2 * at + after
        shift = np.where(curve > 1e-12, (before - after) / np.where(curve > 1e-12, curve, 1), 0)
        return self.candidates[best] + np.clip(shift, -1, 1) / PER_DEGREE

"""A moving binaural rendering in plain numpy, to test the judge: the raw set, crossfaded every 128 frames."""

import numpy as np

from . import kemar

_HOP = 128


def render(samples, rate, azimuths, measured, step=None):
    """Renders `samples` [frame] from `azimuths` [frame] (degrees, relative to the head): [frame][ear].

    `step` keeps only the measurements at multiples of it, so that the others are interpolated.
    """
    size = 2048
    frequencies = np.fft.rfftfreq(size, 1 / rate)
    ring = kemar.Ring(measured, frequencies, step)
    # The set has no content beyond its own Nyquist frequency.
    band = np.clip((measured.rate / 2 - frequencies) / 500, 0, 1)
    blocks = -(-len(samples) // _HOP) + 1
    padded = np.concatenate([np.zeros(size), samples, np.zeros(2 * _HOP)])
    fade = np.concatenate([np.arange(_HOP), np.arange(_HOP, 0, -1)]) / _HOP
    out = np.zeros(((blocks + 2) * _HOP, 2))
    for first in range(0, blocks, 512):
        numbers = np.arange(first, min(first + 512, blocks))
        spectra = ring.spectra(azimuths[np.clip(numbers * _HOP, 0, len(azimuths) - 1)]) * band
        # Block b fades in over frames (b - 1) hop ... b hop and out over the next hop; `out` starts one hop early.
        ends = size + (numbers + 1) * _HOP
        pieces = padded[(ends[:, None] - size + np.arange(size)).clip(0, len(padded) - 1)]
        heard = np.fft.irfft(np.fft.rfft(pieces)[:, None] * spectra, size)[..., -2 * _HOP:] * fade
        for row, number in enumerate(numbers):
            out[number * _HOP:(number + 2) * _HOP] += heard[row].T
    return out[_HOP:_HOP + len(samples)]

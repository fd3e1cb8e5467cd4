"""Programme loudness after ITU-R BS.1770-5, two channels."""

import numpy as np
from scipy import signal


def integrated(samples, rate):
    """Returns the LUFS of [frame][channel], gated in blocks of 400 ms, 75 % overlapping (BS.1770-5, annex 1)."""
    weighted = signal.sosfilt(_k_weighting(rate), samples, axis=0)
    block, hop = round(0.4 * rate), round(0.1 * rate)
    total = np.concatenate([[0], np.cumsum(np.sum(weighted**2, 1))])
    starts = np.arange(0, max(1, len(samples) - block + 1), hop)
    power = (total[np.minimum(starts + block, len(samples))] - total[starts]) / block
    power = power[_level(power) > -70]
    if len(power) == 0:
        return -np.inf
    power = power[_level(power) > _level(power.mean()) - 10]
    return float(_level(power.mean()))


def _level(power):
    return -0.691 + 10 * np.log10(np.maximum(power, 1e-20))


def _k_weighting(rate):
    """Returns the two filters of annex 1 at any rate, by bilinear transform of their analogue forms.

    Constants: the analogue values that give tables 1 and 2 at 48 kHz (De Man, "Evaluation of implementations of the
    EBU R128 loudness measurement", AES 145, 2018).
    """
    gain, q, f = 3.999843853973347, 0.7071752369554196, 1681.974450955533
    k = np.tan(np.pi * f / rate)
    high = 10 ** (gain / 20)
    band = high**0.4996667741545416
    shelf = np.array([high + band * k / q + k * k, 2 * (k * k - high), high - band * k / q + k * k,
                      1 + k / q + k * k, 2 * (k * k - 1), 1 - k / q + k * k]) / (1 + k / q + k * k)
    q, f = 0.5003270373238773, 38.13547087602444
    k = np.tan(np.pi * f / rate)
    low_cut = np.array([1, -2, 1, 1, 2 * (k * k - 1) / (1 + k / q + k * k), (1 - k / q + k * k) / (1 + k / q + k * k)])
    return np.array([shelf, low_cut])

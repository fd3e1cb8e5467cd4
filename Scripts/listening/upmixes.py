"""Measures of an upmix from stereo to 5.1 (L R C LFE Ls Rs) in dB, each defined above the function that computes it.

A program under test is a function from [frame][2] to [frame][6], aligned with its input and of the same length.
"""

import numpy as np
from scipy import signal

import instruments
import pieces

RATE, MAIN = pieces.RATE, [0, 1, 2, 4, 5]
ROOT = np.sqrt(0.5)


def db(power):
    return 10 * np.log10(max(float(power), 1e-20))


def power(x):
    return float(np.sum(np.square(x, dtype=float)))


# Level of the difference between the input and the stereo downmix of ITU-R BS.775 (L + C/√2 + Ls/√2), relative to the
# input.
def identity(x, y):
    return db(power(x - (y[:, :2] + ROOT * y[:, 2:3] + ROOT * y[:, 4:])) / power(x))


# Pink noise at one of five positions: power of both surrounds relative to all channels, the worst; and for a source in
# the middle, C relative to all others.
def steering(run):
    source, worst, middle = pieces.pink(2 * RATE, np.random.default_rng(2)) * 0.1, -300.0, 0.0
    for place in (-1, -0.5, 0, 0.5, 1):
        y = run(pieces.panned(source, place))[RATE // 2:]
        worst = max(worst, db(power(y[:, 4:]) / power(y)))
        if place == 0:
            middle = db(power(y[:, 2]) / max(power(y) - power(y[:, 2]), 1e-20))
    return worst, middle


# Clicks of 1 ms every 250 ms, in the middle or left of it, with a weak diffuse bed: energy in the 39 ms before each
# click, minus that in an equal window 80 ms earlier, relative to the click's. The worst channel whose clicks are within
# 30 dB of the whole output.
def pre_echo(run):
    frames, worst = 3 * RATE, -300.0
    places = np.arange(RATE // 4, frames - RATE // 4, RATE // 4)
    for pan in (0, -0.6):
        rng, clicks = np.random.default_rng(3), np.zeros(frames)
        for at in places:
            clicks[at:at + 48] = rng.standard_normal(48) * 0.3
        bed = pieces.pink(frames, rng) * 0.001
        y = run(pieces.panned(clicks, pan) + np.stack([bed, np.roll(bed, 7001)], 1))
        for c in MAIN:
            before = sum(power(y[at - 1920:at - 48, c]) - power(y[at - 5760:at - 3888, c]) for at in places)
            click = sum(power(y[at - 48:at + 480, c]) for at in places)
            if click > power(y) * 1e-3:
                worst = max(worst, db(max(before, 0) / click))
    return worst


# A tone of 997 Hz half left: energy more than four bins from it (Blackman window) relative to the tone's. The worst
# channel within 40 dB of the whole output.
def tone(run):
    x = pieces.panned(0.25 * np.sin(2 * np.pi * 997 * np.arange(4 * RATE) / RATE), -0.5)
    y, worst = run(x)[RATE:3 * RATE], -300.0
    for c in MAIN:
        if power(y[:, c]) >= power(y) * 1e-4:
            spectrum = np.abs(np.fft.rfft(y[:, c] * np.blackman(len(y)))) ** 2
            near = np.abs(np.arange(len(spectrum)) - round(997 * len(y) / RATE)) <= 4
            rest = ~near
            rest[:40] = False
            worst = max(worst, db(spectrum[rest].sum() / spectrum[near].sum()))
    return worst


# Independent steady pink noise left and right: logarithm of the spectrogram's kurtosis minus the input's, in the worst
# channel within 30 dB of the whole output (musical noise has isolated peaks); output power relative to input power;
# coherence of the surrounds.
def diffuse(run):
    rng = np.random.default_rng(4)
    x = np.stack([pieces.pink(6 * RATE, rng), pieces.pink(6 * RATE, rng)], 1) * 0.05
    y = run(x)[RATE:]

    def kurtosis(row):
        level = np.abs(signal.stft(row, RATE, nperseg=1024, noverlap=768)[2][4:200]) ** 2
        return np.log(np.mean((level / level.mean(1, keepdims=True)) ** 2))

    own = kurtosis(x[RATE:, 0])
    peaks = max(kurtosis(y[:, c]) - own for c in MAIN if power(y[:, c]) > power(y) * 1e-3)
    return peaks, db(power(y) / power(x[RATE:])), coherence(y)


# Greatest coherence of the surrounds in thirds of an octave above 300 Hz: |<Ls Rs*>| divided by the root of the product
# of their powers, from analytic signals over all time.
def coherence(y):
    worst, size = 0.0, len(y)
    spectra, f = np.fft.rfft(y[:, 4:], axis=0), np.fft.rfftfreq(size, 1 / RATE)
    total = power(y[:, 4:])
    for centre in 1000 * 2 ** (np.arange(-5, 13) / 3):
        # Magnitude of a fourth-order Butterworth band-pass.
        width = centre * (2 ** (1 / 6) - 2 ** (-1 / 6))
        gain = 1 / np.sqrt(1 + ((f**2 - centre**2) / np.maximum(f * width, 1e-9)) ** 8)
        a, b = spectra[:, 0] * gain, spectra[:, 1] * gain
        if (power(np.abs(a)) + power(np.abs(b))) / size > 1e-9 * total:
            worst = max(worst, abs(np.vdot(a, b)) / np.sqrt(power(np.abs(a)) * power(np.abs(b))))
    return worst


class Piece:
    """A piece of music, and the least-squares fit of a channel to its stems through fixed gains per bin of 4096."""

    N, HOP = 4096, 1024

    def __init__(self, name, seconds):
        self.parts, self.middle = pieces.mix(name, seconds), pieces.middle(name)
        self.mix = sum(self.parts.values())
        stems = {k: v.sum(1) for k, v in self.parts.items() if k != "ambience"}
        stems["ambience left"], stems["ambience right"] = self.parts["ambience"].T
        self.names = list(stems)
        self.known = np.stack([self.spectra(v) for v in stems.values()], 1)
        gram = self.known.conj() @ self.known.transpose(0, 2, 1)
        load = 1e-6 * np.einsum("fii->f", gram).real / len(stems) + 1e-12
        self.solve = np.linalg.inv(gram.astype(complex) + load[:, None, None] * np.eye(len(stems)))

    def spectra(self, x):
        x = np.pad(x.astype(np.float32), (self.N // 2, self.N))
        frames = np.lib.stride_tricks.sliding_window_view(x, self.N)[::self.HOP]
        return np.fft.rfft(frames * signal.windows.hann(self.N, False).astype(np.float32), axis=1).T.astype(np.complex64)

    def fit(self, y):
        """Returns {channel: {stem: power, 'rest': power that no fixed gains explain}}."""
        found = {}
        for c in MAIN:
            spectra = self.spectra(y[:, c])
            gains = (self.solve @ (self.known.conj() @ spectra[:, :, None])).astype(np.complex64)
            parts = {name: power(np.abs(gains[:, i] * self.known[:, i])) for i, name in enumerate(self.names)}
            parts["rest"] = power(np.abs(spectra - (gains.transpose(0, 2, 1) @ self.known)[:, 0]))
            found[c] = parts
        return found


# Centre separation: power of the middle's stems in C relative to that in L, R, Ls, Rs. Purity: the former relative to
# all other power in C, unexplained power included. Ambience gain: ambience relative to direct and unexplained sound in
# Ls and Rs, minus the same ratio of the input in dB. Recall: the share of all ambience that is in Ls and Rs. Power:
# output relative to input. Coherence as above.
def music(run, piece):
    y = run(piece.mix)
    fit = piece.fit(y)
    middle = {c: sum(fit[c][k] for k in piece.middle) for c in MAIN}
    ambient = {c: fit[c]["ambience left"] + fit[c]["ambience right"] for c in MAIN}
    all_of = {c: sum(fit[c].values()) for c in MAIN}
    surround = ambient[4] + ambient[5]
    dry = sum(power(v) for k, v in piece.parts.items() if k != "ambience")
    return {
        "separation": db(middle[2] / sum(middle[c] for c in (0, 1, 4, 5))),
        "purity": db(middle[2] / (all_of[2] - middle[2])),
        "power": db(power(y) / power(piece.mix)),
        "ambience": db(surround / (all_of[4] + all_of[5] - surround)) - db(power(piece.parts["ambience"]) / dry),
        "recall": db(surround / sum(ambient.values())),
        "coherence": coherence(y),
    }


# Alternating hits hard left and hard right, two, four and eight a second, decorrelators off: power of both surrounds
# relative to all channels; and power in the 3 ms before a hit relative to that in the 10 ms after its onset, in the
# worst channel within 30 dB of the whole output.
def castanets(run):
    hits, ahead = -300.0, -300.0
    for per_second in (2, 4, 8):
        x, places = instruments.castanets(per_second, 4)
        y = run(x)
        hits = max(hits, db(power(y[:, 4:]) / power(y)))
        for c in MAIN:
            if power(y[:, c]) > power(y) * 1e-3:
                ahead = max(ahead, db(sum(power(y[at - 144:at, c]) for at in places) / sum(power(y[at:at + 480, c]) for at in places)))
    return hits, ahead


# Level of the left ear relative to the right from 0.5 to 12 kHz, dB, and delay of the left ear below 1.5 kHz,
# microseconds.
def interaural(ears):
    def filtered(*words):
        return signal.sosfilt(signal.butter(4, *words, fs=RATE, output="sos"), ears, axis=0)

    level, low = filtered([500, 12_000], "band"), filtered(1500)
    size, reach = 2 * len(low), 16 * 48
    cross = np.fft.irfft(np.fft.rfft(low[:, 0], size) * np.fft.rfft(low[:, 1], size).conj(), 16 * size)
    lag = np.argmax(np.concatenate([cross[-reach:], cross[:reach + 1]])) - reach
    return db(power(level[:, 0]) / power(level[:, 1])), lag / 16 / RATE * 1e6


# Ratio of two sounds' powers per ERB (Glasberg and Moore 1990, 50 Hz to 15 kHz), both ears together, frames of 8192,
# dB.
def colour(ears, plain):
    def bands(x):
        frames = np.lib.stride_tricks.sliding_window_view(x, 8192, axis=0)[::4096]
        level = (np.abs(np.fft.rfft(frames * np.hanning(8192), axis=2)) ** 2).sum((0, 1))
        rate = 21.4 * np.log10(1 + 0.00437 * np.fft.rfftfreq(8192, 1 / RATE))
        edges = np.arange(21.4 * np.log10(1 + 0.00437 * 50), 21.4 * np.log10(1 + 0.00437 * 15_000))
        return np.array([level[(rate >= e) & (rate < e + 1)].sum() for e in edges])

    return 10 * np.log10(bands(ears) / bands(plain))

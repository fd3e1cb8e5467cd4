"""Shoebox rooms by image sources (Allen and Berkley, JASA 65, 1979) in first-order ambisonics, with wall absorption by
octave.

Axes: x front, y left, z up. Channels W, Y, Z, X in SN3D. Same numbers in every run.
"""

import numpy as np

RATE = 48_000
SPEED = 343.0
#: Octaves of absorption; absorption of the air in dB per metre at 20 °C and 50 % humidity (ISO 9613-1, rounded).
OCTAVES = (125, 250, 500, 1000, 2000, 4000, 8000, 16_000)
AIR = np.array([0.0004, 0.0011, 0.0024, 0.0047, 0.0099, 0.03, 0.105, 0.35])
#: Reverberation times by octave relative to that of 1 kHz.
COLOUR = np.array([1.25, 1.15, 1.05, 1.0, 0.95, 0.85, 0.75, 0.6])


def encode(directions):
    """Returns SN3D gains W, Y, Z, X of unit vectors [.., 3]: [4, ..]."""
    x, y, z = np.moveaxis(np.asarray(directions, float), -1, 0)
    return np.stack([np.ones_like(x), y, z, x])


def unit(azimuth, elevation=0.0):
    """Returns the unit vector of a direction in degrees."""
    a, e = np.radians(azimuth), np.radians(elevation)
    return np.stack([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e) + 0 * a], -1)


class Room:
    """A room of `size` metres whose reverberation time (-5 to -25 dB, all octaves) is `rt60` seconds within 5 %.

    Eyring's formula gives a first estimate. A box with mirroring walls decays more slowly, so the absorption is
    increased until the response between two positions has the required time.
    """

    def __init__(self, size, rt60, seed):
        self.size, self.rt60, self.seed = np.asarray(size, float), rt60, seed
        nominal = rt60
        for _ in range(8):
            self.paint(nominal)
            measured = reverberation_time(self.response(self.size * (0.7, 0.35, 0.55), self.size * (0.45, 0.52, 0.5)))
            if abs(measured / rt60 - 1) < 0.05:
                break
            nominal *= np.clip(rt60 / measured, 0.4, 2.5)

    def paint(self, rt60):
        """Sets the amplitude reflection of the walls, for a reverberation time by Eyring's formula."""
        size = self.size
        volume = np.prod(size)
        surface = 2 * (size[0] * size[1] + size[0] * size[2] + size[1] * size[2])
        times = rt60 * COLOUR
        # RT = 24 ln 10 / c · V / (-S ln(1 - a) + 4 m V), with m per metre of energy.
        exponent = 24 * np.log(10) / SPEED * volume / times - 4 * AIR * np.log(10) / 10 * volume
        # The amplitude after a reflection, by octave; walls differ, and the mean of their exponents is the required
        # one.
        rng = np.random.default_rng(self.seed)
        share = rng.uniform(0.6, 1.4, 6)
        areas = np.repeat([size[1] * size[2], size[0] * size[2], size[0] * size[1]], 2)
        share *= areas.sum() / (share * areas).sum()
        self.walls = np.exp(-0.5 * np.maximum(exponent, 0.01) / surface * share[:, None])  # [wall][octave]

    def response(self, source, microphone, seconds=None):
        """Returns the W, Y, Z, X responses [4][frame] from a source to a microphone, both in metres from a corner; the
        first arrival is at its true delay. `seconds` is the length, by default 1.1 reverberation times."""
        seconds = seconds or 1.1 * self.rt60 * COLOUR.max()
        frames, reach = int(seconds * RATE), seconds * SPEED
        counts = np.ceil(reach / (2 * self.size)).astype(int)
        axes = [np.arange(-n, n + 1) for n in counts]
        rng = np.random.default_rng(self.seed + 1)
        out = np.zeros((len(OCTAVES), 4, frames + 64))
        log = np.log(self.walls)
        for parity in np.ndindex(2, 2, 2):
            q = np.array(parity)
            grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
            place = (1 - 2 * q) * source + 2 * grid * self.size - microphone
            order = np.abs(grid - q).sum(1) + np.abs(grid).sum(1)
            # No room is a perfect box: images are displaced slightly, increasing with order, which breaks up the
            # sweeping echoes.
            place = place + rng.standard_normal(place.shape) * 0.03 * np.minimum(order, 8)[:, None] ** 0.5
            far = np.sqrt((place**2).sum(1))
            keep = far < reach
            place, far, grid = place[keep], far[keep], grid[keep]
            walls = np.concatenate([np.stack([np.abs(grid[:, a] - q[a]), np.abs(grid[:, a])], 1) for a in range(3)], 1)
            gains = np.exp(walls @ log - far[:, None] * AIR * np.log(10) / 20) / far[:, None]
            where = far / SPEED * RATE
            whole = np.floor(where).astype(int)
            part = where - whole
            harmonics = encode(place / far[:, None])
            for octave in range(len(OCTAVES)):
                for channel in range(4):
                    for step, share in ((0, 1 - part), (1, part)):
                        out[octave, channel] += np.bincount(
                            whole + step, gains[:, octave] * harmonics[channel] * share, minlength=frames + 64)[:frames + 64]
        return bands(out)[:, :frames]


def bands(rows):
    """Returns [octave][channel][frame] by linear-phase filters that sum to one."""
    size = 1 << (rows.shape[-1] + 4096 - 1).bit_length()
    octave = np.log2(np.maximum(np.fft.rfftfreq(size, 1 / RATE), 1) / OCTAVES[0])
    total = 0
    for number in range(len(OCTAVES)):
        gain = np.cos(np.pi / 2 * np.clip(octave - number, -1, 1)) ** 2
        if number == 0:
            gain[octave < 0] = 1
        if number == len(OCTAVES) - 1:
            gain[octave > number] = 1
        total = total + gain * np.fft.rfft(rows[number], size)
    return np.fft.irfft(total, size)[:, :rows.shape[-1]]


def reverberation_time(response):
    """Returns the seconds of a 60 dB decay, from -5 to -25 dB of the backward integral of W (ISO 3382)."""
    decay = np.cumsum(response[0, ::-1] ** 2)[::-1]
    decay = 10 * np.log10(np.maximum(decay / decay[0], 1e-12))
    first, last = np.argmax(decay < -5), np.argmax(decay < -25)
    return 60 / 20 * (last - first) / RATE

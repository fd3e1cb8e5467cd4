"""Far talkers: voices 1 to 3 m away in shoebox rooms with reverberation times of 0.3 to 0.9 s, with and without babble.

Each half ("limits", "others") has its own rooms, positions, babble and voices (`sounds`).
"""

import numpy as np
from scipy import signal

import mixes
import scenes
import talkers
from room import RATE, Room, unit

TIMES, DISTANCES = (0.3, 0.6, 0.9), (1, 2, 3)


def responses(half, rt60):
    """Returns {distance: response [4][frame]} of one room, each distance in another direction, 0.4 m from the walls at
    least."""
    seed = {"limits": 200, "others": 700}[half] + round(100 * rt60)
    rng = np.random.default_rng(seed)
    size = np.array([rng.uniform(7, 9), rng.uniform(5.5, 7), rng.uniform(2.6, 3.4)])
    microphone, places = size * (0.5 + 0.08 * rng.uniform(-1, 1, 3)), {}
    for distance in DISTANCES:
        while distance not in places:
            place = microphone + distance * unit(rng.uniform(-180, 180), rng.uniform(-5, 10))
            if np.all(place > 0.4) and np.all(place < size - 0.4):
                places[distance] = place
    room = Room(size, rt60, seed)
    return {distance: room.response(place, microphone) for distance, place in places.items()}


def babble(half, seconds):
    """Returns diffuse babble of the half's voices of espeak-ng."""
    return scenes.babble(seconds, *((900, talkers.KNOWN) if half == "limits" else (950, talkers.HELD_OUT)))


class Scene:
    """A voice in a room: the field `x` [4][frame], and its parts in W: `direct`, `early` (within 50 ms, the direct sound
    included), `late` and `noise`. The babble has the power of the voice in W; without babble, independent noise is 60 dB
    below it."""

    def __init__(self, response, distance, voice, noise, seed):
        first, frames = int(distance / 343 * RATE), len(voice)
        parts = []
        for end in (first + 40, first + int(scenes.EARLY * RATE), response.shape[1]):
            cut = response.copy()
            cut[:, end:] = 0
            parts.append(signal.fftconvolve(cut, voice[None], axes=1)[:, :frames])
        direct, early, image = parts
        if noise is None:
            rng = np.random.default_rng(seed)
            noise = 1e-3 * rng.standard_normal((4, frames)) * np.array([1, 0.577, 0.577, 0.577])[:, None] * np.std(image[0])
        else:
            noise = np.roll(noise, 37_000 * seed + 9000 * distance, 1) * np.std(image[0]) / np.std(noise[0])
        level = 0.05 / np.std(image[0] + noise[0])
        self.x = level * (image + noise)
        self.direct, self.early, self.late, self.noise = (level * row for row in (direct[0], early[0], image[0] - early[0], noise[0]))


def measure(run, scene, latency):
    """Returns the SI-SDR gain of the speech stem's W against the early image, over all but the first and last 0.1 s and
    from the fourth second on, and the level of the direct sound in the stem (least squares of direct sound, early
    reflections, late reverberation and noise), relative to the direct sound, dB."""
    stem, end = run(scene.x, latency, "standard", 1)["speech"][0].astype(float), scene.x.shape[1] - 4800
    gains = []
    for part in (slice(4800, end), slice(mixes.SETTLED * RATE, end)):
        silent = not np.any(stem[part])
        gains.append(-99.0 if silent else mixes.si_sdr(stem[part], scene.early[part]) - mixes.si_sdr(scene.x[0][part], scene.early[part]))
    part = slice(4800, end)
    parts = [scene.direct[part], scene.early[part] - scene.direct[part], scene.late[part], scene.noise[part]]
    return (*gains, mixes.db(mixes.fit(stem[part], parts)[0] + 1e-9))

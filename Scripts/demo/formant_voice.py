"""A small formant synthesiser for a localisable voice. Vowels after Peterson and Barney (1952)."""

import numpy as np
from scipy import signal

#: First three formants in Hz of a male speaker (Peterson and Barney 1952, table II).
VOWELS = {
    "a": (730, 1090, 2440), "e": (530, 1840, 2480), "i": (270, 2290, 3010), "o": (570, 840, 2410), "u": (300, 870, 2240),
}
#: Consonants: seconds, hiss (1) or hum (0), centre of the noise in Hz.
HISSING = {"s": 6500, "f": 4500, "t": 4000, "h": 1500, "c": 3500, "k": 2000, "p": 900, "x": 5000, "z": 6000}


def resonances(source, formants, rate):
    """Filters a source by three resonators of 60, 90 and 150 Hz width, in parallel."""
    return sum(
        gain * signal.lfilter(*signal.iirpeak(f, f / width, fs=rate), source)
        for f, width, gain in zip(formants, (60, 90, 150), (1, 0.7, 0.4)))


def speak(sentence, rate):
    """Speaks `sentence` letter by letter: vowels voiced, hissing consonants as noise, the rest a short hum; RMS near
    1."""
    rng = np.random.default_rng(len(sentence))
    parts, phase, place = [], 0.0, 0.0
    letters = [c for c in sentence.lower() if c.isalpha() or c in " ,.:?"]
    for letter in letters:
        place += 1 / len(letters)
        if letter in " ,.:?":
            parts.append(np.zeros(int((0.05 if letter == " " else 0.2) * rate)))
            continue
        seconds = 0.11 if letter in VOWELS else 0.06
        frames = int(seconds * rate)
        envelope = signal.windows.tukey(frames, 0.4)
        if letter in HISSING:
            centre = HISSING[letter]
            band = signal.butter(2, [centre * 0.7, min(centre * 1.5, 20000)], "band", fs=rate, output="sos")
            parts.append(0.8 * envelope * signal.sosfilt(band, rng.standard_normal(frames)))
            continue
        # The pitch falls over the sentence.
        pitch = 125 - 30 * place + 3 * rng.standard_normal()
        phases = phase + np.cumsum(np.full(frames, pitch / rate))
        phase = phases[-1] % 1
        glottis = np.diff(np.floor(phases), prepend=np.floor(phases[0])) + 0.02 * rng.standard_normal(frames)
        formants = VOWELS.get(letter, (280, 1300, 2300))
        level = 1.0 if letter in VOWELS else 0.4
        parts.append(level * envelope * 8 * resonances(glottis, formants, rate))
    return np.concatenate(parts)

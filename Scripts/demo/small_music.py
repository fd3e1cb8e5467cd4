"""A little generated music for the stage: plucked chords left and right, a bass, and a soft pad at the sides."""

import numpy as np
from scipy import signal

#: Chords of four seconds each, as MIDI notes: D minor 9, G 13, C major 9, A minor 9.
CHORDS = [(50, 57, 60, 64, 65), (43, 57, 59, 64, 65), (48, 55, 59, 62, 64), (45, 55, 59, 60, 64)]


def frequency(note):
    """Returns the frequency of a MIDI note, Hz, A4 = 440."""
    return 440 * 2 ** ((note - 69) / 12)


def pluck(note, seconds, rate, seed):
    """Returns a plucked string: Karplus and Strong (1983), as one recursive filter."""
    period = int(rate / frequency(note))
    tone = np.zeros(int(seconds * rate))
    tone[:period] = np.random.default_rng(seed).uniform(-1, 1, period)
    # y[n] = x[n] + 0.498 (y[n - period] + y[n - period - 1]): each period depends only on the one before.
    for start in range(period, len(tone), period):
        before = tone[start - period:start]
        after = np.append(tone[start - period - 1] if start > period else 0, before[:-1])
        tone[start:start + period] = (0.498 * (before + after))[:len(tone) - start]
    return tone


def pad(note, frames, rate, phase):
    """Returns a soft tone of six harmonics with a slow swell."""
    t = np.arange(frames) / rate
    tone = sum(np.sin(2 * np.pi * k * frequency(note) * t + phase * k) / k**1.7 for k in range(1, 7))
    return tone * signal.windows.tukey(frames, 0.5)


def play(frames, rate):
    """Returns tracks {channel symbol: samples}; the greatest RMS is 1."""
    tracks = {name: np.zeros(frames) for name in ("FL", "FR", "SL", "SR")}
    bar, beat = 4 * rate, rate // 2
    for number, start in enumerate(range(0, frames, bar)):
        root, *upper = CHORDS[number % len(CHORDS)]
        add(tracks["FL"], start, 0.8 * pluck(root - 12 if root > 45 else root, 3.5, rate, number))
        add(tracks["FR"], start, 0.8 * pluck(root - 12 if root > 45 else root, 3.5, rate, number))
        for step in range(8):
            note = upper[(step * 3 + number) % len(upper)] + (12 if step % 2 else 0)
            side = "FL" if (step + number) % 2 else "FR"
            add(tracks[side], start + step * beat, 0.5 * pluck(note, 2.0, rate, 100 * number + step))
        length = min(bar, frames - start)
        for voice, note in enumerate(upper[:4]):
            add(tracks["SL" if voice % 2 else "SR"], start, 0.12 * pad(note, length, rate, voice + number))
    loudest = max(np.sqrt(np.mean(track**2)) for track in tracks.values())
    return {name: track / loudest for name, track in tracks.items()}


def add(track, start, sound):
    sound = sound[:max(0, len(track) - start)]
    track[start:start + len(sound)] += sound

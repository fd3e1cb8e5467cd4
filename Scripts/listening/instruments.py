"""Synthesised instruments, and the score that plays them into stems. Same numbers in every run."""

import os
import sys

import numpy as np
from scipy import signal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "demo"))
from formant_voice import VOWELS, resonances, speak

RATE = 48_000


def hertz(note):
    """Returns the frequency of a MIDI note, A4 = 440."""
    return 440 * 2 ** ((note - 69) / 12)


def string(note, seconds, seed, bright=0.5, t60=2.5):
    """Returns the sound of a plucked string (Karplus and Strong 1983): the spectrum of a noise burst of one period, times
    1/(1 - g·e^{-iωP}·lowpass)."""
    frames = int(seconds * RATE)
    size = 1 << (2 * frames - 1).bit_length()
    period = RATE / hertz(note)
    burst = np.zeros(size)
    burst[:max(2, int(period))] = np.random.default_rng(seed).uniform(-1, 1, max(2, int(period)))
    w = 2 * np.pi * np.arange(size // 2 + 1) / size
    loss = 10 ** (-3 * period / (t60 * RATE)) * (bright + (1 - bright) * np.cos(w / 2) ** 2)
    return np.fft.irfft(np.fft.rfft(burst) / (1 - loss * np.exp(-1j * w * period)), size)[:frames] * fade(frames, 0.002, 0.05)


def fade(frames, rise, fall):
    """Returns an envelope that rises linearly for `rise` seconds at its start and falls linearly for `fall` seconds at its
    end."""
    t = np.arange(frames) / RATE
    return np.clip(np.minimum(t / rise, (frames / RATE - t) / fall), 0, 1)


def partials(note, seconds, gains, vibrato=0.0, seed=0, detune=(0.0,), stretch=0.0, decay=None):
    """Returns a sum of harmonics (`gains` of 1, 2, 3 …), with vibrato in semitones, voices detuned by cents, stiffness,
    and decay: in `decay` seconds harmonic n falls by 60·(1 + n/4) dB."""
    frames, rng = int(seconds * RATE), np.random.default_rng(seed)
    t, out = np.arange(frames) / RATE, np.zeros(int(seconds * RATE))
    for cents in detune:
        swing = vibrato * np.sin(2 * np.pi * (5.3 + rng.uniform(-0.4, 0.4)) * t + rng.uniform(0, 6)) * np.minimum(1, t / 0.25)
        phase = 2 * np.pi * np.cumsum(hertz(note + cents / 100 + swing)) / RATE if vibrato else 2 * np.pi * hertz(note + cents / 100) * t
        for number, gain in enumerate(gains, 1):
            if number * hertz(note) > 18_000:
                break
            tone = gain * np.sin(number * np.sqrt(1 + stretch * number**2) * phase + rng.uniform(0, 6))
            out += tone if decay is None else tone * 10 ** (-3 * t * (1 + 0.25 * number) / decay)
    return out


def noise(seconds, low, high, t60, seed):
    """Returns a decaying burst of noise in a band."""
    frames = int(seconds * RATE)
    sos = signal.butter(2, [low, high], "band", fs=RATE, output="sos")
    return signal.sosfilt(sos, np.random.default_rng(seed).standard_normal(frames)) * 10 ** (-3 * np.arange(frames) / RATE / t60)


def kick(seconds=0.3):
    """Returns a drum with falling pitch."""
    t = np.arange(int(seconds * RATE)) / RATE
    return np.sin(2 * np.pi * (48 * t + 2.5 * (1 - np.exp(-t / 0.03)))) * np.exp(-t / 0.1)


def put(track, sound, seconds):
    """Adds a sound to a track."""
    at = int(seconds * RATE)
    sound = sound[:max(0, len(track) - at)]
    track[at:at + len(sound)] += sound


def saw(count, slope=1.0):
    """Returns the harmonics of a sawtooth."""
    return 1 / np.arange(1, count + 1) ** slope


class Score:
    """Stems of a piece under construction, with a cache of its sounds."""

    def __init__(self, stage, seconds, beat):
        self.stems = {name: np.zeros(int(seconds * RATE)) for name in stage}
        self.beat, self.beats, self.made, self.seconds = beat, int(seconds / beat), {}, seconds

    def play(self, stem, beat, make, *words, gain=1.0, **more):
        """Adds the sound of `make(*words, **more)` to a stem at a beat."""
        key = (make.__name__, words, tuple(sorted(more.items())))
        if key not in self.made:
            self.made[key] = make(*words, **more)
        put(self.stems[stem], gain * self.made[key], beat * self.beat)

    def say(self, stem, sentence, start, pause):
        """Adds a spoken sentence to a stem repeatedly, from `start` seconds on, with pauses of `pause` seconds."""
        voice = speak(sentence, RATE)
        for at in np.arange(start, self.seconds, len(voice) / RATE + pause):
            put(self.stems[stem], voice, at)


def flute(note, seconds):
    return (partials(note, seconds, (1, 0.5, 0.15, 0.05), vibrato=0.15, seed=note) + 0.3 * noise(seconds, 800, 6000, 9, note)) * fade(int(seconds * RATE), 0.04, 0.06)


def piano(note, seconds):
    return partials(note, seconds, saw(14, 1.1), seed=note, stretch=4e-4, decay=2.2) * fade(int(seconds * RATE), 0.002, 0.04)


def bells(note, seconds):
    return partials(note, seconds, (1, 0, 0, 0.35, 0, 0, 0, 0, 0, 0.08), seed=note, decay=2.0) * fade(int(seconds * RATE), 0.001, 0.05)


def section(note, seconds, slope=1.2, count=24):
    return partials(note, seconds, tuple(saw(count, slope)), vibrato=0.1, seed=note, detune=(-9, -3, 4, 10)) * fade(int(seconds * RATE), 0.12, 0.15)


def reed(note, seconds):
    return partials(note, seconds, (0.5, 1, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1, 0.08), vibrato=0.12, seed=note) * fade(int(seconds * RATE), 0.03, 0.05)


def synth(note, seconds, count, detune=(0.0,), decay=1.0):
    return partials(note, seconds, tuple(saw(count)), seed=note, detune=detune, decay=decay) * fade(int(seconds * RATE), 0.003, 0.02)


def distorted(notes, seconds, seed, drive=8):
    """Returns a guitar's chord through a clipping stage and a loudspeaker."""
    chord = sum(partials(note, seconds, tuple(saw(20)), seed=seed + note, detune=(-4, 5)) for note in notes)
    clipped = np.tanh(drive * chord / np.abs(chord).max())
    return signal.sosfilt(signal.butter(2, [90, 6500], "band", fs=RATE, output="sos"), clipped) * fade(len(chord), 0.004, 0.03)


def sung(note, seconds, seed, vowel):
    """Returns six voices on a vowel."""
    chord = partials(note, seconds, tuple(saw(40, 0.7)), vibrato=0.18, seed=seed, detune=(-14, -8, -3, 2, 7, 12))
    return resonances(chord, VOWELS[vowel], RATE) * fade(len(chord), 0.15, 0.25)


def bowed(note, seconds, seed):
    tone = partials(note, seconds, tuple(saw(30, 1.1)), vibrato=0.2, seed=seed) * fade(int(seconds * RATE), 0.05, 0.08)
    return tone + 0.02 * noise(seconds, 2000, 9000, 5, seed)


def castanets(per_second, seconds, seed=1):
    """Returns hits hard left and hard right by turns, [frame][2], and their onsets."""
    rng, track, places = np.random.default_rng(seed), np.zeros((int(seconds * RATE), 2)), []
    t = np.arange(int(0.06 * RATE)) / RATE
    for number in range(int(seconds * per_second) - 1):
        rings = ((1150, 0.006), (2300, 0.004), (3700, 0.003), (5600, 0.002))
        hit = sum(np.sin(2 * np.pi * f * t + rng.uniform(0, 6)) * np.exp(-t / fall) for f, fall in rings)
        hit += rng.standard_normal(len(t)) * np.exp(-t / 0.0015)
        put(track[:, number % 2], 0.2 * hit, (number + 1) / per_second)
        places.append(int((number + 1) * RATE / per_second))
    return track, places

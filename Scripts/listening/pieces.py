"""Generated pieces of music of different kinds with known stems, for measurements of an upmix.

The five of this file have six dry mono stems: three in the middle (`lead`, `bass`, `drums`), one hard left, one hard
right, one half left. Those of `further_pieces` have their own positions. Same numbers in every run.
"""

import numpy as np
from scipy import signal

import further_pieces
from instruments import RATE, Score, bells, flute, kick, noise, partials, piano, reed, section, string, synth

#: Position of a stem, -1 left to +1 right, and its level in dB.
STAGE = {"lead": (0.0, -20), "bass": (0.0, -22), "drums": (0.0, -22), "left": (-1.0, -24), "right": (1.0, -24), "half": (-0.5, -27)}
#: Pieces used to tune the upmix; the others are held out.
KNOWN = ("band", "song", "orchestra", "rock", "choir", "chamber")
HELD_OUT = ("jazz", "electronic", "speech", "folk", "latin")


def band(seconds):
    """Flute, bass, drums; piano, guitar, strings."""
    s = Score(STAGE, seconds, 60 / 96)
    chords, tune = [(48, 55, 64), (45, 52, 60), (41, 53, 57), (43, 50, 59)], [76, 74, 72, 67, 69, 72, 71, 67]
    for beat in range(s.beats):
        chord = chords[beat // 4 % 4]
        s.play("lead", beat, flute, tune[(beat * 3 // 2) % 8], 0.55)
        s.play("bass", beat, string, chord[0] - 12 + (7 if beat % 4 == 2 else 0), 0.6, 3, bright=0.2)
        s.play("drums", beat, noise if beat % 2 else kick, *((0.2, 200, 9000, 0.25, 7) if beat % 2 else ()))
        for half in (0, 0.5):
            s.play("drums", beat + half, noise, 0.06, 6000, 16_000, 0.08, 5, gain=0.3)
            s.play("right", beat + half, string, chord[int(2 * half + beat) % 3] + 12, 0.6, int(beat) % 3, bright=0.8)
        for note in chord if beat % 2 == 0 else ():
            s.play("left", beat + (0.5 if beat % 4 else 0), piano, note + 12, 1.2)
        if beat % 4 == 0:
            for note in chord[1:]:
                s.play("half", beat, section, note + 12, 2.4)
    return s.stems


def song(seconds):
    """A voice, electric bass, drums; bells, strummed guitar, pad."""
    s = Score(STAGE, seconds, 60 / 112)
    s.say("lead", "I was walking down the river when the lights came on, and the city sang an answer to a half forgotten song. ", 0.4, 0.5)
    for beat in range(s.beats):
        chord = [(60, 64, 67), (57, 60, 64), (53, 57, 60), (55, 59, 62)][beat // 4 % 4]
        s.play("bass", beat, synth, chord[0] - 24, 0.5, 9, decay=1.5)
        s.play("drums", beat, kick if beat % 2 == 0 else noise, *(() if beat % 2 == 0 else (0.2, 300, 7000, 0.2, 9)))
        for half in (0, 0.5):
            s.play("drums", beat + half, noise, 0.05, 7000, 15_000, 0.06, 4, gain=0.25)
            for place, note in enumerate(chord):
                s.play("right", beat + half + 0.025 * place, string, note + 12, 0.35, note % 5, bright=0.6, t60=1.5)
        if beat % 4 in (0, 1, 3):
            for note in chord:
                s.play("left", beat + 0.5 * (beat % 4 == 1), bells, note + 12, 1.0)
        if beat % 4 == 0:
            for note in chord:
                s.play("half", beat, section, note, 2.1, 1.6, 12)
    return s.stems


def orchestra(seconds):
    """Oboe, double basses, timpani; violins, plucked violas, horns."""
    s = Score(STAGE, seconds, 60 / 72)
    tune, chords = [67, 70, 74, 72, 70, 69, 67, 65, 62, 65, 70, 69], [(55, 62, 70), (51, 58, 67), (53, 60, 69), (50, 57, 66)]
    for beat in range(s.beats):
        chord = chords[beat // 4 % 4]
        s.play("lead", beat, reed, tune[beat % 12], 0.86)
        if beat % 2 == 0:
            s.play("bass", beat, section, chord[0] - 12, 1.7, 1.4, 18)
        if beat % 4 in (0, 3):
            s.play("drums", beat, partials, 43, 0.9, (1, 0.6, 0.4), stretch=0.02, decay=0.9)
        for half in (0, 0.5):
            s.play("left", beat + half, section, chord[(2 * beat + int(2 * half)) % 3] + 12, 0.5)
            s.play("right", beat + half, string, chord[(beat + int(2 * half)) % 3], 0.5, int(2 * half), bright=0.4, t60=0.8)
        if beat % 4 == 0:
            for note in chord[1:]:
                s.play("half", beat, section, note, 3.3, 2.0, 10)
    return s.stems


def jazz(seconds):
    """Piano, walking bass, brushes; vibraphone, guitar, saxophone."""
    s, rng, place = Score(STAGE, seconds, 60 / 138), np.random.default_rng(13), 5
    scale, chords = [60, 62, 64, 65, 67, 69, 71, 72, 74, 76, 77, 79], [(50, 53, 57, 60), (55, 59, 62, 65), (48, 52, 55, 59), (57, 61, 64, 67)]
    for beat in range(s.beats):
        chord = chords[beat // 4 % 4]
        for off in (0, 2 / 3):
            if rng.random() < 0.72:
                place = int(np.clip(place + rng.integers(-2, 3), 0, 11))
                s.play("lead", beat + off, piano, scale[place], 0.5)
            if off == 0 or beat % 2:
                s.play("drums", beat + off, noise, 0.25, 3000, 14_000, 0.3, 8, gain=0.6)
        s.play("bass", beat, string, chord[beat % 4] - 12, 0.42, 2, bright=0.15, t60=1.6)
        if beat % 4 in (0, 2):
            for note in chord[1:]:
                s.play("left", beat + (2 / 3 if beat % 4 else 0), bells, note + 12, 1.2)
        if beat % 4 in (1, 3):
            for note in chord:
                s.play("right", beat + 2 / 3, string, note, 0.5, note % 4, bright=0.5, t60=1.2)
        if beat % 8 in (4, 6):
            s.play("half", beat + 2 / 3, reed, chord[2] + 5, 0.6)
    return s.stems


def electronic(seconds):
    """Sawtooths all round, and a drum machine."""
    s = Score(STAGE, seconds, 60 / 126)
    for beat in range(s.beats):
        root = (45, 41, 48, 43)[beat // 4 % 4]
        s.play("drums", beat, kick)
        s.play("drums", beat + 0.5, noise, 0.06, 5000, 17_000, 0.06, 3, gain=0.3)
        if beat % 2:
            s.play("drums", beat, noise, 0.2, 400, 12_000, 0.2, 6, gain=0.7)
        s.play("lead", beat, synth, root + (24, 27, 31, 29)[beat % 4], 0.42, 25, (0, 3), 3.0)
        for quarter in range(4):
            s.play("bass", beat + quarter / 4, synth, root - 12 + 12 * (quarter == 2), 0.11, 14, decay=0.5)
            s.play("left", beat + quarter / 4, synth, root + (12, 19, 24, 27)[(quarter * 5 + beat) % 4], 0.14, 40, (-5, 6), 0.5)
            if (4 * beat + quarter) % 3 == 0:
                s.play("right", beat + quarter / 4, synth, root + (24, 31, 28)[beat % 3], 0.3, 8, decay=0.7)
        if beat % 4 == 0:
            for note in (12, 16, 19):
                s.play("half", beat, section, root + note, 1.9, 1.0, 18)
    return s.stems


def panned(sound, place):
    """Returns left and right by the sine and cosine law."""
    angle = (place + 1) * np.pi / 4
    return np.stack([np.cos(angle) * sound, np.sin(angle) * sound], 1)


def level(sound, decibels):
    """Scales a sound so that the RMS of its non-silent part has this level, dB."""
    loud = np.abs(sound) > np.abs(sound).max() * 1e-3
    return sound * 10 ** (decibels / 20) / np.sqrt(np.mean(sound[loud] ** 2))


def diffuse(sound, rng, t60=1.2, gap=0.012):
    """Returns the reverberation of a sound in both channels, by two independent tails of noise."""
    frames = int(t60 * RATE)
    fall, out = 10 ** (-3 * np.arange(frames) / RATE / t60), []
    for _ in range(2):
        tail = signal.lfilter([0.35], [1, -0.65], rng.standard_normal(frames) * fall)
        out.append(signal.fftconvolve(np.concatenate([np.zeros(int(gap * RATE)), sound]), tail / np.sqrt(np.sum(tail**2)))[:len(sound)])
    return np.stack(out, 1)


def stage(name):
    """Returns {stem: (position, level)} of a piece."""
    return further_pieces.STAGES.get(name, STAGE)


def middle(name):
    """Returns the stems of a piece in the middle."""
    return [stem for stem, (place, _) in stage(name).items() if place == 0]


def mix(name, seconds):
    """Returns {stem: [frame][2]} of a piece as in the mix; `ambience` is the reverberation of all but the bass, or
    noise."""
    write = getattr(further_pieces, name, None) or globals()[name]
    decibels, t60 = further_pieces.AMBIENCE.get(name, (-9, 1.2))
    parts = {stem: panned(level(sound, stage(name)[stem][1]), stage(name)[stem][0]) for stem, sound in write(seconds).items()}
    dry, rng = sum(parts[stem].sum(1) for stem in parts if stem != "bass") * np.sqrt(0.5), np.random.default_rng(7)
    ambience = diffuse(dry, rng, t60) if t60 else np.stack([pink(len(dry), rng), pink(len(dry), rng)], 1)
    direct = sum(np.sum(part**2) for part in parts.values())
    parts["ambience"] = ambience * np.sqrt(direct * 10 ** (decibels / 10) / np.sum(ambience**2))
    return parts


def pink(frames, rng):
    """Returns noise of equal power per octave above 20 Hz, RMS 1."""
    spectrum, f = np.fft.rfft(rng.standard_normal(frames)), np.fft.rfftfreq(frames, 1 / RATE)
    x = np.fft.irfft(np.where(f < 20, 0, spectrum / np.sqrt(np.maximum(f, 20))), frames)
    return x / np.std(x)

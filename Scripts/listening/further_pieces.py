"""Six more pieces as stems, each with its own positions; see `pieces`."""

import numpy as np

from instruments import Score, bowed, distorted, flute, kick, noise, partials, piano, saw, string, sung, synth

#: Positions of the stems of a piece, -1 left to +1 right, and their levels in dB.
STAGES = {
    "rock": {"voice": (0, -20), "bass": (0, -21), "kit": (0, -20), "one guitar": (-1, -21), "another": (1, -21), "solo": (0.4, -24), "keys": (-0.6, -26)},
    "choir": {"organ": (0, -22), "sopranos": (-0.7, -22), "altos": (-0.25, -23), "tenors": (0.3, -23), "basses": (0.75, -22)},
    "chamber": {"viola": (0, -23), "violin": (-0.75, -22), "second": (-0.35, -24), "cello": (0.6, -22), "piano": (0.2, -23)},
    "speech": {"voice": (0, -20)},
    "folk": {"voice": (0, -20), "drum": (0, -27), "guitar": (-0.85, -23), "mandolin": (0.85, -24), "fiddle": (0.5, -24), "accordion": (-0.4, -25)},
    "latin": {"lead": (0, -21), "bass": (0, -22), "congas": (-0.5, -22), "shaker": (0.8, -25), "brass": (0.35, -22), "tres": (-0.9, -23)},
}
#: Level of the ambience relative to all direct sound in dB, and its reverberation time in seconds; None: steady pink
#: noise in both channels.
AMBIENCE = {"rock": (-10, 1.0), "choir": (-3, 4.5), "chamber": (-8, 2.0), "speech": (-6, None), "folk": (-12, 0.8), "latin": (-9, 1.4)}


def rock(seconds):
    """Voice, bass and drums between two walls of distorted guitars."""
    s, riffs = Score(STAGES["rock"], seconds, 60 / 132), [(40, 47, 52), (43, 50, 55), (45, 52, 57), (38, 45, 50)]
    s.say("voice", "we are running from the fire and the walls are coming down on every street tonight. ", 0.2, 0.1)
    for beat in range(s.beats):
        riff = riffs[beat // 4 % 4]
        for half in (0, 0.5):
            s.play("one guitar", beat + half, distorted, riff, 0.24, 3)
            s.play("another", beat + half + 0.012, distorted, riff, 0.24, 11)
            s.play("bass", beat + half, synth, riff[0] - 12, 0.22, 14)
            s.play("kit", beat + half, noise, 0.12, 5000, 17_000, 0.15, 5, gain=0.4)
        s.play("kit", beat, noise if beat % 2 else kick, *((0.25, 180, 12_000, 0.3, 7) if beat % 2 else ()))
        if beat % 8 == 0:
            s.play("kit", beat, noise, 1.5, 3000, 16_000, 1.8, 21, gain=0.6)
        s.play("solo", beat, distorted, (riff[0] + 24 + (0, 3, 5, 7)[beat % 4],), 0.42, 17)
        for note in riff if beat % 2 == 0 else ():
            s.play("keys", beat, synth, note + 24, 0.9, 10)
    return s.stems


def choir(seconds):
    """Four sections and an organ in a church."""
    s, chords = Score(STAGES["choir"], seconds, 1.0), [(50, 57, 66, 74), (48, 55, 64, 72), (53, 60, 69, 77), (45, 57, 64, 73)]
    for beat in range(s.beats):
        chord = chords[beat // 2 % 4]
        for note in chord[:3] if beat % 2 == 0 else ():
            s.play("organ", beat, partials, note - 12, 2.2, (1, 0.8, 0.3, 0.5, 0.1, 0.2, 0, 0.25), 0.0, note)
        for voice, (name, note) in enumerate(zip(("basses", "tenors", "altos", "sopranos"), chord)):
            s.play(name, beat + (0, 0.5, 0.25, 0)[voice], sung, note + (0, 0, 2, -1)[voice] * (beat % 2), 0.95, 30 + voice, "aoea"[voice])
    return s.stems


def chamber(seconds):
    """A string trio with a second violin, and a piano near the middle."""
    s, rng, scale = Score(STAGES["chamber"], seconds, 60 / 88), np.random.default_rng(5), [0, 2, 3, 5, 7, 8, 10, 12]
    for beat in range(s.beats):
        root = (57, 53, 60, 52)[beat // 4 % 4]
        for half in (0, 0.5):
            s.play("violin", beat + half, bowed, root + 12 + scale[rng.integers(8)], 0.36, 1)
        s.play("second", beat, bowed, root + scale[rng.integers(5)] + 5, 0.66, 2)
        s.play("viola", beat, bowed, root + scale[rng.integers(5)], 0.66, 3)
        if beat % 2 == 0:
            s.play("cello", beat, bowed, root - 12, 1.34, 4)
        for note in (0, 4, 7) if beat % 2 else ():
            s.play("piano", beat, piano, root + note, 0.8)
    return s.stems


def speech(seconds):
    """A voice; its ambience is noise."""
    s = Score(STAGES["speech"], seconds, 1.0)
    s.say("voice", "the committee met this morning in the old town hall to hear what the people of the valley had to say. ", 0.3, 0.6)
    return s.stems


def folk(seconds):
    """A voice among plucked strings, a fiddle and an accordion, in three four time."""
    s = Score(STAGES["folk"], seconds, 0.6)
    s.say("voice", "oh the winter it is over and the ships are on the sea, and my true love is a sailor who will not come home to me. ", 0.5, 0.4)
    for beat in range(s.beats):
        chord = [(55, 59, 62), (48, 52, 55), (50, 54, 57), (52, 55, 59)][beat // 3 % 4]
        if beat % 3 == 0:
            s.play("drum", beat, kick)
        for place, note in enumerate(chord):
            s.play("guitar", beat + 0.02 * place, string, note, 0.58, place, bright=0.6)
            s.play("mandolin", beat + 0.5 + 0.015 * place, string, note + 12, 0.28, place + 3, bright=0.8, t60=0.8)
            if beat % 3 == 0:
                s.play("accordion", beat, partials, note + 12, 1.7, tuple(saw(16, 0.9)), 0.0, note, (-8, 6))
        s.play("fiddle", beat, bowed, chord[beat % 3] + 24, 0.58, 7)
    return s.stems


def latin(seconds):
    """Flute and bass in the middle; congas, shaker, brass, a plucked tres."""
    s = Score(STAGES["latin"], seconds, 60 / 104)
    for beat in range(s.beats):
        chord = [(57, 60, 64), (50, 53, 57), (55, 59, 62), (52, 56, 59)][beat // 4 % 4]
        for quarter in range(4):
            s.play("shaker", beat + quarter / 4, noise, 0.05, 4000, 16_000, 0.05, 3 + quarter % 2, gain=1 if quarter % 2 else 0.5)
            if (4 * beat + quarter) % 16 in (0, 3, 6, 10, 12):
                s.play("congas", beat + quarter / 4, partials, 60 if quarter % 2 else 54, 0.25, (1, 0.4, 0.2), stretch=0.05, decay=0.2)
            if (4 * beat + quarter) % 8 in (0, 3, 6):
                s.play("bass", beat + quarter / 4, string, chord[0] - 24, 0.4, 2, bright=0.2)
            s.play("tres", beat + quarter / 4, string, chord[quarter % 3] + 12, 0.2, quarter, bright=0.7, t60=0.7)
        s.play("lead", beat, flute, chord[(2 * beat) % 3] + 12, 0.5)
        for note in chord if beat % 4 in (1, 3) else ():
            s.play("brass", beat + 0.5, partials, note + 12, 0.25, tuple(saw(24, 0.6)), 0.0, note, (-5, 4))
    return s.stems

#!/usr/bin/env python3
"""Types command lines as users of ffmpeg and sox do. Each works, or its error names a line that works.

usage: foreign_lines.py PROGRAM

LINES was written from the manuals of ffmpeg, ffprobe, ffplay, sox, soxi and play before any line was tried. Of a line
that is refused the check takes the line after `this works:` from the error, runs it, and looks at its output: a line
that works must have the sound that the first line asked for. ffprobe reads all files; lines for a JACK server
(`proscenium preview`) are only parsed.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from bad_input import wav

RATE = 48000
#: Phrase before the line in an error.
PHRASE = "this works: "


def sound(name, channels, rate=RATE, seconds=None, codec=None, peak=None):
    """Returns the properties of an output; None: any. `peak`: dB relative to that of film.wav."""
    return {"name": name, "channels": channels, "rate": rate, "seconds": seconds, "codec": codec, "peak": peak}


def text(*parts):
    """Returns the words that must be in standard output."""
    return parts


#: Lines and what comes of them.
LINES = [
    # ffmpeg: inputs with -i, the output last.
    ("proscenium render -i film.wav ears.wav", sound("ears.wav", 2)),
    ("proscenium render -i film.wav -o ears.wav", sound("ears.wav", 2)),
    ("proscenium -i film.wav ears.wav", sound("ears.wav", 2)),
    ("proscenium render -y -i film.wav ears.wav", sound("ears.wav", 2)),
    ("proscenium render film.wav ears.wav -n", sound("ears.wav", 2)),
    ("proscenium render film.wav ears.wav -ss 0.2 -t 0.5", sound("ears.wav", 2, seconds=0.5)),
    ("proscenium render -ss 00:00:00.2 -to 00:00:00.6 -i film.wav ears.wav", sound("ears.wav", 2, seconds=0.4)),
    ("proscenium render film.wav ears.wav -ar 44100", sound("ears.wav", 2, rate=44100)),
    ("proscenium process film.wav film.flac", sound("film.flac", 6, codec="flac")),
    ("proscenium process film.wav stereo.wav -ac 2", sound("stereo.wav", 2)),
    ("proscenium process -i film.wav -c:a pcm_s24le film24.wav", sound("film24.wav", 6, codec="pcm_s24le")),
    ("proscenium process film.wav stereo.wav --to stereo -sample_fmt s16", sound("stereo.wav", 2, codec="pcm_s16le")),
    ("proscenium process song.wav song.mp3 -b:a 192k", sound("song.mp3", 2, codec="mp3")),
    ("proscenium process film.wav film.opus -c:a libopus", sound("film.opus", 6, codec="opus")),
    ("proscenium process -i film.wav -acodec libvorbis -q:a 5 film.ogg", sound("film.ogg", 6, codec="vorbis")),
    ("proscenium process film.wav quiet.wav -af volume=-3dB", sound("quiet.wav", 6, peak=-3)),
    ("proscenium process film.wav stereo.wav -filter:a 'pan=stereo|FL<FL+0.7FC|FR<FR+0.7FC'", sound("stereo.wav", 2)),
    ("proscenium render film.wav ears.wav -channel_layout 5.1", sound("ears.wav", 2)),
    ("proscenium render -f s16le -ar 48000 -ac 6 -i film.raw ears.wav", sound("ears.wav", 2)),
    ("cat film.raw | proscenium process -f s16le -ar 48000 -ac 6 -i - -ac 2 stereo.wav", sound("stereo.wav", 2)),
    ("proscenium process film.wav -f f32le -ac 2 - > stereo.raw", sound("stereo.raw", 2)),
    ("proscenium render -i film.wav -f wav - > ears.wav", sound("ears.wav", 2)),
    ("proscenium render -hide_banner -nostdin -loglevel error -i film.wav ears.wav", sound("ears.wav", 2)),
    ("proscenium -version", text("proscenium 0.")),
    ("proscenium -h", text("render", "process")),
    ("proscenium help render", text("proscenium render mix.wav ears.wav")),
    ("proscenium info -hide_banner -show_streams -of json film.wav", text('"5.1"')),
    ("proscenium probe film.wav", text("layout: 5.1")),
    ("proscenium convert film.wav stereo.wav -ac 2", sound("stereo.wav", 2)),
    # sox: formats before the file they apply to, effects behind the files.
    ("proscenium film.wav ears.wav", sound("ears.wav", 2)),
    ("proscenium process film.wav -r 44100 -b 24 -c 2 stereo.wav",
     sound("stereo.wav", 2, rate=44100, codec="pcm_s24le")),
    ("proscenium process -t raw -r 48000 -e signed-integer -b 16 -c 6 film.raw film2.wav", sound("film2.wav", 6)),
    ("proscenium render film.wav ears.wav trim 0.2 0.5", sound("ears.wav", 2, seconds=0.5)),
    ("proscenium process film.wav stereo.wav channels 2", sound("stereo.wav", 2)),
    ("proscenium process film.wav mono.wav remix -", sound("mono.wav", 1)),
    ("proscenium process film.wav quiet.wav gain -3", sound("quiet.wav", 6, peak=-3)),
    ("proscenium process film.wav quiet.wav --gain=-3dB", sound("quiet.wav", 6, peak=-3)),
    ("proscenium process film.wav quiet.wav vol 0.5", sound("quiet.wav", 6, peak=-6.02)),
    ("proscenium process -v 0.5 film.wav quiet.wav", sound("quiet.wav", 6, peak=-6.02)),
    ("proscenium process song.wav song44.wav rate -v 44100", sound("song44.wav", 2, rate=44100)),
    ("proscenium process song.wav -b 16 song16.wav dither -s", sound("song16.wav", 2, codec="pcm_s16le")),
    ("proscenium process film.wav stereo.wav -c 2 norm", sound("stereo.wav", 2)),
    ("proscenium process film.wav field.amb --to ambi1", sound("field.amb", 4)),
    ("proscenium render take.amb ears.wav", sound("ears.wav", 2)),
    ("proscenium render film.wav song.wav ears/", sound("ears/song.wav", 2)),
    ("proscenium render -S -V2 film.wav ears.wav", sound("ears.wav", 2)),
    ("proscenium --i film.wav", text("layout: 5.1")),
    ("proscenium film.wav -n stats", text("LUFS")),
    ("proscenium loudness film.wav -n stat", text("LUFS")),
    ("proscenium play film.wav", None),
]

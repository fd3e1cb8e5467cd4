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


#: Lines and their expected results.
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
    # B-format files are read; a sound field is written in the formats that carry AmbiX.
    ("proscenium process film.wav field.amb --to ambi1", sound("field.amb", 4)),
    ("proscenium render take.amb ears.wav", sound("ears.wav", 2)),
    ("proscenium render film.wav song.wav ears/", sound("ears/song.wav", 2)),
    ("proscenium render -S -V2 film.wav ears.wav", sound("ears.wav", 2)),
    ("proscenium --i film.wav", text("layout: 5.1")),
    ("proscenium film.wav -n stats", text("LUFS")),
    ("proscenium loudness film.wav -n stat", text("LUFS")),
    ("proscenium play film.wav", None),
]


def furnish(folder):
    """Writes the files that the lines name: tones of integers, a second long."""
    def tones(channels, frames=RATE):
        period = [int(8000 * (1 - abs(2 * (n % 96) / 96 - 1))).to_bytes(2, "little", signed=True) for n in range(96)]
        return b"".join(period[n % 96] * channels for n in range(frames))

    wav(folder / "film.wav", 6, tones(6), 1, 16, mask=0x3F)
    wav(folder / "song.wav", 2, tones(2), 1, 16, mask=3)
    (folder / "film.raw").write_bytes(tones(6))
    wav(folder / "take.amb", 4, tones(4), 1, 16, mask=0)
    header = (folder / "take.amb").read_bytes()
    # The sub-format of a B-format file of integers.
    plain, field = bytes.fromhex("000000001000800000aa00389b71"), bytes.fromhex("00002107d3118644c8c1ca000000")
    (folder / "take.amb").write_bytes(header.replace(plain, field))


class Folder:
    """A folder with the inputs, in which a line is typed."""

    def __init__(self, program, path):
        self.program, self.path = program, path
        self.inputs = sorted(file.name for file in path.iterdir())

    def type(self, line):
        """Runs a line in a shell after the outputs of lines before are removed; returns its answer."""
        for file in self.path.iterdir():
            if file.is_dir():
                shutil.rmtree(file)
            elif file.name not in self.inputs:
                file.unlink()
        return subprocess.run(["bash", "-c", 'proscenium() { "$PROGRAM" "$@"; }; set -o pipefail; ' + line], cwd=self.path,
                              env={"PATH": "/usr/bin:/bin", "PROGRAM": self.program, "HOME": str(self.path)},
                              capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=120)

    def probe(self, name):
        """Returns ffprobe's description of a file's sound, with its peak in dBFS."""
        path = self.path / name
        form = ["-f", "f32le", "-ar", str(RATE), "-ac", "2"] if path.suffix == ".raw" else []
        said = subprocess.run(["ffprobe", "-v", "error", *form, "-show_streams", "-of", "json", path], capture_output=True,
                              text=True).stdout
        streams = json.loads(said or "{}").get("streams") or [{}]
        level = subprocess.run(["ffmpeg", "-v", "info", *form, "-i", path, "-af", "volumedetect", "-f", "null", "-"],
                               capture_output=True, text=True).stderr
        peak = re.search(r"max_volume: (\S+) dB", level)
        return dict(streams[0], peak=float(peak[1]) if peak else None)

    def fault(self, wanted, answer):
        """Returns the fault of a line's output; None if it is right."""
        if isinstance(wanted, tuple):
            absent = [part for part in wanted if part not in answer.stdout]
            return f"its output lacks {absent}" if absent else None
        found = self.probe(wanted["name"])
        if found.get("channels") != wanted["channels"]:
            return f"{wanted['name']} has {found.get('channels')} channels, not {wanted['channels']}"
        rate = float(found["sample_rate"])
        if rate != wanted["rate"]:
            return f"{wanted['name']} has {rate} Hz, not {wanted['rate']}"
        if wanted["seconds"] and abs(float(found["duration"]) - wanted["seconds"]) > 1 / rate:
            return f"{wanted['name']} lasts {found['duration']} s, not {wanted['seconds']}"
        if wanted["codec"] and found["codec_name"] != wanted["codec"]:
            return f"{wanted['name']} is {found['codec_name']}, not {wanted['codec']}"
        if wanted["peak"] is not None:
            step = found["peak"] - self.probe("film.wav")["peak"] - wanted["peak"]
            # volumedetect prints tenths of a decibel of samples of 16 bits.
            if abs(step) > 0.11:
                return f"{wanted['name']} is {step:+.1f} dB from the level that was asked for"
        return None

    def judge(self, line, wanted):
        """Returns the kind of the answer to a line, and its fault or None."""
        answer = self.type(line)
        if answer.returncode == 0:
            return "works", self.fault(wanted, answer)
        first = answer.stderr.strip().splitlines()[0] if answer.stderr.strip() else "nothing"
        if PHRASE not in first or answer.returncode != 2:
            return "fails", f"status {answer.returncode}, and the error names no line: {first}"
        named = first.split(PHRASE)[1]
        # Pipes and redirections before and after the command stay.
        typed = re.sub(r"proscenium [^|>]*", lambda _: named + " ", line, count=1) if "'" not in line else named
        if wanted is None:
            return f"names {named}", None if named.startswith("proscenium preview ") else "it is no line of preview"
        answer = self.type(typed)
        if answer.returncode != 0:
            return "fails", f"the line that it names, {named}, ends with {answer.returncode}: {answer.stderr.strip()}"
        return f"names {named}", self.fault(wanted, answer)


def main(program):
    if not shutil.which("ffprobe") or not shutil.which("ffmpeg"):
        print("skip  lines of ffmpeg and sox users: ffmpeg and ffprobe are not installed (Debian: apt-get install ffmpeg)")
        return 0
    failed = works = 0
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        furnish(folder)
        place = Folder(program, folder)
        for line, wanted in LINES:
            how, fault = place.judge(line, wanted)
            works += how == "works" and fault is None
            failed += fault is not None
            print(f"{'FAIL' if fault else 'ok  '}  {line}: {fault or how}", flush=True)
    print(f"foreign lines: {works} of {len(LINES)} work, {len(LINES) - works - failed} are answered with a line that does, "
          f"{failed} fail")
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))

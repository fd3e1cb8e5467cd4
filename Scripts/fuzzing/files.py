"""Files of every kind that the program reads, each with a different fault."""
import json
import math
import pathlib
import shutil
import struct
import subprocess

from . import mutations
from .watching import run

SOUNDS = ["wav", "rf64", "bw64", "caf", "aiff", "w64", "flac"]
LAYOUT = json.dumps({"name": "mine", "loudspeakers": [
    {"name": "a", "azimuth": 30, "elevation": 10, "width": 20}, {"name": "b", "azimuth": -30, "gain": -3, "lfe": False}]}, indent=1)
SIDECAR = json.dumps({"loudness": -23.1, "loudnessRange": 14.2, "truePeak": -1.4, "dialnorm": -27, "drc": "film-standard", "layout": "stereo",
                      "order": "film", "content": "av", "place": {"yaw": 20, "pitch": 0, "roll": 0}, "width": 15}, indent=1)
#: A bed of two channels, an object that is refused, and the parts they refer to.
MODEL = """<?xml version="1.0" encoding="UTF-8"?>
<ebuCoreMain xmlns="urn:ebu:metadata-schema:ebuCore_2014"><coreMetadata><format><audioFormatExtended>
<audioObject audioObjectID="AO_1001" audioObjectName="Bed"><audioPackFormatIDRef>AP_00010002</audioPackFormatIDRef>
<audioTrackUIDRef>ATU_00000001</audioTrackUIDRef><audioTrackUIDRef>ATU_00000002</audioTrackUIDRef></audioObject>
<audioChannelFormat audioChannelFormatID="AC_00031003" audioChannelFormatName="Bird" typeLabel="0003">
<audioBlockFormat audioBlockFormatID="AB_00031003_00000001" rtime="00:00:00.00000"><position coordinate="azimuth">30.0</position>
<position coordinate="elevation">0.0</position></audioBlockFormat></audioChannelFormat>
<audioStreamFormat audioStreamFormatID="AS_00031003" formatLabel="0001"><audioChannelFormatIDRef>AC_00031003</audioChannelFormatIDRef></audioStreamFormat>
<audioTrackFormat audioTrackFormatID="AT_00031003_01" formatLabel="0001"><audioStreamFormatIDRef>AS_00031003</audioStreamFormatIDRef></audioTrackFormat>
</audioFormatExtended></format></coreMetadata></ebuCoreMain>"""
ALLOCATION = struct.pack("<HH", 2, 2) + b"".join(
    struct.pack("<H12s14s11sx", track, b"ATU_%08X" % track, b"AT_0001000%d_01" % track, b"AP_00010002") for track in (1, 2))
POSES = "t,w,x,y,z\n" + "".join(f"{n / 50},{math.cos(n / 100)},0,0,{math.sin(n / 100)}\n" for n in range(8))
IMU = "".join(f"{n / 100},0.01,-0.02,{n / 100},0.1,0.2,9.81,20,1,-40\n" for n in range(40))
CONFIG = "# my defaults\nlayout = stereo\nhrtf = generated\n[render]\nroom = none\ngain = -3\nblock = 256\n[ctl]\nport = 9123\n"
SESSION = json.dumps({"layout": "stereo", "hrtf": "generated", "gain": -3, "slice": 128, "limiter": "off", "head": "osc:9000"})
STATE = {"level": 1, "duck": 1, "mode": "tracked", "spatialize": "all", "place": [1, 0, 0, 0], "width": 0, "upmix": True,
         "amounts": [1, 0, 0.5], "rendition": "auto", "normalisation": 0, "drc": "none", "cut": 1, "boost": 1, "reference": -31}
CONTROLS = {"level": 0.5, "mode": "fixed", "place": {"w": 0.6, "z": 0.8}, "upmix": {"amounts": {"centre": 0.5}}}
MOTION = "\n".join(json.dumps(line) for line in [
    {"motion": {"version": 1, "sampleRate": 48000, "slice": 64, "period": 256, "layout": "stereo", "hrtf": "generated", "head": "osc:9000",
                "device": "none", "yawPull": 0.1, "room": "none", "upmix": "none"}},
    {"start": 0}, {"input": {"name": "main", "frame": 0, "state": STATE}},
    {"input": {"name": "main", "frame": 64, "controls": CONTROLS}}, {"room": {"frame": 128, "on": False}},
    {"pose": [0, 1, 0, 0, 0, 1234.5]}, {"turn": [128, -1.2e-05]},
    {"head": {"time": 1, "arrival": 1.1, "orientation": [1, 0, 0, 0], "rate": [0.1, 0, 0]}},
    {"device": {"time": 1, "arrival": 1.1, "rate": [0, 0, 0], "force": [0, 0, 9.8], "field": [20, 0, -40]}},
    {"recentre": {"axes": "yaw", "time": 1.5}}, {"lead": {"seconds": 0.02, "time": 1}}, {"pose": [128, 1, 0, 0, 0, 1234.6]}]) + "\n"


def furnish(rig):
    """Makes valid files of every kind in `rig.seeds`; by the program, except for the first WAV and those of the
    corpus."""
    folder = rig.seeds
    samples = b"".join(struct.pack("<ff", 0.3 * math.sin(n / 9), 0.2 * math.sin(n / 7)) for n in range(480))
    head = struct.pack("<HHIIHH", 3, 2, 48_000, 48_000 * 8, 8, 32)
    cue = struct.pack("<I", 1) + struct.pack("<II4sIII", 1, 5, b"data", 0, 0, 5)
    label = b"adtllabl" + struct.pack("<II", 8, 1) + b"one\0"
    body = b"WAVE" + b"".join(name + struct.pack("<I", len(part)) + part for name, part in [
        (b"fmt ", head), (b"data", samples), (b"cue ", cue), (b"LIST", label)])
    wav = folder / "song.wav"
    wav.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    commands = [["process", "song.wav", f"song.{ending}", "--to", "stereo"] for ending in SOUNDS[1:]]
    # A program that cannot render at all would pass every attempt.
    for command in [*commands, ["render", "song.wav", "../ears.wav", "--hrtf", "generated"]]:
        answer = subprocess.run([rig.program, *command], cwd=folder, capture_output=True, text=True, timeout=120, env=rig.environment)
        if answer.returncode:
            raise SystemExit(f"fuzz: the program cannot do '{' '.join(command)}': {answer.stderr.strip()[-300:]}")


def seed(rig, random, *endings):
    """Returns a valid file with one of these endings, or a faulty one of the corpus."""
    kept = [path for path in rig.corpus if path.suffix[1:] in endings]
    if kept and random.random() < 0.3:
        return random.choice(kept)
    made = [path for path in sorted(rig.seeds.iterdir()) if path.suffix[1:] in endings]
    return random.choice(made or kept)


def sounds(rig, random, folder):
    """Reads a sound file of any format by any command that reads them offline."""
    source = seed(rig, random, *SOUNDS)
    name = "in" + source.suffix
    pathlib.Path(folder, name).write_bytes(mutations.of_bytes(random, source.read_bytes()))
    command = random.choice([
        ["process", name, "out.wav", "--to", "stereo"], ["process", name, "out.caf", "--to", "ambi1", "--layout", "stereo"],
        ["process", name, "out.flac", "--to", "mono"], ["loudness", name], ["loudness", "--save", name], ["bake", name, "out.wav"],
        ["upmix", name, "out.wav"], ["render", name, "out.wav", "--hrtf", "generated", "--no-tail"],
        ["render", rig.seeds / "song.wav", "out.wav", "--hrtf", "generated", "--room", name],
        ["render", rig.seeds / "song.wav", "out.wav", "--headphones", name] if rig.knows("render", "--headphones") else ["loudness", name]])
    run(rig.program, command, folder)


def definitions(rig, random, folder):
    """Reads a sound file with an audio definition model."""
    chunks = [(b"fmt ", struct.pack("<HHIIHH", 3, 2, 48_000, 48_000 * 8, 8, 32)),
              (b"chna", mutations.of_bytes(random, ALLOCATION) if random.random() < 0.6 else ALLOCATION),
              (b"axml", mutations.of_text(random, MODEL) if random.random() < 0.8 else MODEL.encode()),
              (b"data", bytes(8 * 480))]
    body = b"WAVE" + b"".join(name + struct.pack("<I", len(part)) + part + b"\0" * (len(part) % 2) for name, part in chunks)
    pathlib.Path(folder, "in.wav").write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    run(rig.program, random.choice([
        ["process", "in.wav", "out.wav", "--to", "stereo"], ["loudness", "in.wav"], ["bake", "in.wav", "out.wav"],
        ["render", "in.wav", "out.wav", "--hrtf", "generated", "--no-tail"]]), folder)


def preview(rig, random, folder):
    """Plays a sound file over JACK."""
    source = seed(rig, random, *SOUNDS)
    name = "in" + source.suffix
    pathlib.Path(folder, name).write_bytes(mutations.of_bytes(random, source.read_bytes()))
    begin = random.choice(["0", "0", "0.005", "1", "1e19", "1e308"])
    run(rig.program, ["preview", name, "--quiet", "--room", "none", "--hrtf", "generated", "--control", "none", "--from", begin], folder,
        seconds=90, interrupt=8)


def sofa(rig, random, folder):
    """Inspects twelve SOFA files in one command, and plots, converts or plays the first."""
    names = [f"{n}.sofa" for n in range(12)]
    for name in names:
        pathlib.Path(folder, name).write_bytes(mutations.of_bytes(random, seed(rig, random, "sofa").read_bytes()))
    run(rig.program, ["sofa", random.choice(["check", "info"]), *random.choice([[], ["--json"]]), *names], folder, seconds=60)
    song = rig.seeds / "song.wav"
    run(rig.program, random.choice([
        ["sofa", "plot", names[0], "--svg", "out.svg"], ["sofa", "convert", names[0], "new.sofa"], ["sofa", "info", "--levels", names[0]],
        ["hrtf", "info", names[0]], ["render", song, "out.wav", "--hrtf", names[0], "--processing", random.choice(["auto", "none"])],
        ["room", "info", names[0], "--hrtf", "generated"],
        ["render", song, "out.wav", "--hrtf", "generated", "--room", names[0]]]), folder, seconds=90)


def layouts(rig, random, folder):
    """Reads a custom layout."""
    pathlib.Path(folder, "mine.json").write_bytes(mutations.of_text(random, LAYOUT))
    song = rig.seeds / "song.wav"
    run(rig.program, random.choice([
        ["process", song, "out.wav", "--layout", "mine.json", "--to", "stereo"], ["process", song, "out.wav", "--to", "mine.json"],
        ["render", song, "out.wav", "--layout", "mine.json", "--hrtf", "generated"], ["loudness", song, "--layout", "mine.json"]]), folder)


def sidecars(rig, random, folder):
    """Reads a metadata file beside a sound file."""
    shutil.copy(rig.seeds / "song.wav", folder)
    pathlib.Path(folder, "song.wav.json").write_bytes(mutations.of_text(random, SIDECAR))
    run(rig.program, random.choice([
        ["process", "song.wav", "out.wav", "--to", "stereo"], ["bake", "song.wav", "out.wav"], ["loudness", "--save", "song.wav"],
        ["render", "song.wav", "out.wav", "--hrtf", "generated"]]), folder)


def poses(rig, random, folder):
    """Reads a CSV of poses, offline or as a tracker."""
    pathlib.Path(folder, "poses.csv").write_bytes(mutations.of_text(random, POSES))
    if random.random() < 0.6:
        run(rig.program, ["render", rig.seeds / "song.wav", "out.wav", "--hrtf", "generated", "--poses", "poses.csv"], folder)
    else:
        run(rig.program, ["track", "--head", "file:poses.csv", "--format", "ndjson"], folder, interrupt=1.5)


def motion(rig, random, folder):
    """Reads a motion log."""
    pathlib.Path(folder, "ride.ndjson").write_bytes(mutations.of_text(random, MOTION))
    command = ["render", rig.seeds / "song.wav", "out.wav", "--hrtf", "generated", "--motion", "ride.ndjson"]
    run(rig.program, command + random.choice([[], ["--block", "64"], ["--room", "studio"] if random.random() < 0.2 else []]), folder)


def settings(rig, random, folder):
    """Reads the user's config file, or a session."""
    song = rig.seeds / "song.wav"
    if random.random() < 0.5:
        place = pathlib.Path(folder, "config", "proscenium")
        place.mkdir(parents=True)
        (place / "config").write_bytes(mutations.of_text(random, CONFIG))
        run(rig.program, ["render", song, "out.wav"], folder, environment={"XDG_CONFIG_HOME": f"{folder}/config"})
    else:
        place = pathlib.Path(folder, "set")
        place.mkdir()
        (place / "session.json").write_bytes(mutations.of_text(random, SESSION))
        run(rig.program, ["render", song, "out.wav", "--session", "set"], folder)


def fuse(rig, random, folder):
    """Fuses raw samples from standard input."""
    rows = mutations.of_text(random, IMU)
    run(rig.program, ["fuse"] + random.choice([[], ["--magnetometer"]]), folder, stdin=rows * random.choice((1, 1, 1, 300)))

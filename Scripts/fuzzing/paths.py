"""A session that writes and reads under invalid names, or under names that lead out of its permitted folders."""
import os
import struct
import time

from . import control, mutations, trackers
from .control import padded
from .guarded import Guard
from .watching import Finding

#: Numbers at the limits of counters in names and programs.
NUMBERS = ["0", "00", "1", "2", "9", "999", "9999", "10000", "999990000", "999999999", "2147483647", "4294967295", "4294967296",
           "9223372036854765807", "9223372036854775806", "9223372036854775807", "9223372036854775808", "18446744073709551615",
           "18446744073709551616", "99999999999999999999999999999999", "-1", "1e9", "\u0663", "0x10"]
STEMS = ["a", "take", "a-1", "-", "--", "a.b", ".a", "a ", " a", "a\n", "a\t", "\u00fc", "e\u0301", "%s%n", "$(id)", "`id`", "~", "*", "a;b", "x" * 200,
         "x" * 300, "CON", "\u202ea", "\\", "a\\b", "'", '"', "session", "chains", "a.part", "last"]
ENDINGS = [".wav", ".rf64", ".caf", ".flac", ".WAV", ".wav.part", ".wav.markers.txt", ".json", "", ".", "..", ".wav/", ".\u00e9", "." + "x" * 250]
#: Folders of an attempt: a writable one, a protected one, links from the former into the latter, and devices.
FOLDERS = ["open", "open/sub", "open/deep/er", "precious", "precious/chains", "precious/empty", "open/to-precious", "open/to-nothing", "open/loop",
           "open/../precious", "open/./", "open//sub", "home/.local/state/proscenium/last", "home", "/dev", "/proc/self", "/proc/self/fd", "/dev/full", ""]


def furnish(folder):
    """Creates folders with files that must not change, and links to them."""
    for name in ("home", "open/sub", "precious/chains/gain", "precious/empty"):
        os.makedirs(folder / name)
    (folder / "precious" / "letter.txt").write_text("dear reader")
    (folder / "precious" / "song.wav").write_bytes(b"RIFF" + bytes(40))
    (folder / "precious" / "a-9223372036854775807.wav").write_bytes(b"kept")
    (folder / "precious" / "chains" / "chains.json").write_text('{"version":1,"plugins":[]}')
    (folder / "precious" / "chains" / "notes.txt").write_text("kept too")
    (folder / "precious" / "session.json").write_text("{}")
    for name, target in (("to-precious", "../precious"), ("to-nothing", "nowhere"), ("loop", "loop"), ("letter.wav", "../precious/letter.txt"),
                         ("song-2.wav", "../precious/none.wav")):
        os.symlink(target, folder / "open" / name)
    os.mkfifo(folder / "open" / "pipe.wav")


def path(random, folder):
    """Returns an invalid or unusual name in the attempt's folder."""
    if random.random() < 0.08:
        return random.choice(mutations.TEXTS).replace("\0", "")
    name = random.choice(STEMS)
    if random.random() < 0.5:
        name += "-" + random.choice(NUMBERS)
    name += random.choice(ENDINGS)
    if random.random() < 0.15:
        name = random.choice(("letter.wav", "song.wav", "song-2.wav", "pipe.wav", "letter.txt", "session.json", "../precious/letter.txt", "..", "."))
    place = random.choice(FOLDERS)
    if place.startswith("/"):
        # Devices and this process's own entries: no file can be left there.
        return place if random.random() < 0.5 else f"{place}/{name}"
    whole = "/".join(part for part in (place, name) if part)
    return whole if random.random() < 0.4 else f"{folder}/{whole}"


def message(address, *texts):
    return padded("/proscenium/" + address) + padded("," + "s" * len(texts)) + b"".join(padded(text.encode(errors="replace")) for text in texts)


def wish(random, folder):
    """Returns a command to write, read or name a file."""
    said = path(random, folder).replace("\0", "")
    return random.choice([
        lambda: message("record/start", said), lambda: message("record/start", said), lambda: message("record/start"), lambda: message("record/stop"),
        lambda: message("record/marker", said), lambda: message("plugin/save", said), lambda: message("plugin/save", os.path.dirname(said)),
        lambda: message("plugin/load", said), lambda: message("plugin/add", f"ears={said},isolate=yes"),
        lambda: message("plugin/add", f"main=urn:proscenium:planted:gain,state={said}"),
        lambda: message("plugin/add", f"main=urn:proscenium:planted:gain,name={said}"),
        lambda: message(f"plugin/{random.choice(('gain', 'gain-2', '../x', ''))}/preset", said), lambda: message("plugin/gain/set/gain", random.choice(NUMBERS)),
        lambda: message("plugin/gain/move", random.choice(NUMBERS)), lambda: message("hrtf", said), lambda: message("room-name", said),
        lambda: message("headphone-eq-file", said), lambda: message("layout", said),
        lambda: padded("/proscenium/plugin/gain/move") + padded(",i") + struct.pack(">i", random.choice(control.INTEGERS)),
    ])()


def names(rig, random, folder):
    """Runs a session that records, saves and loads under hostile names; files may change only in the permitted
    folders."""
    furnish(folder)
    guard = Guard(folder, rig.allowed)
    port = trackers.free_port()
    running, line = control.begin(
        rig, ["run", "--quiet", "--layout", "stereo", "--hrtf", "generated", "--room", "none", "--control", port, "--name", f"fuzz{port}"], folder, port,
        {"HOME": str(folder / "home"), "LV2_PATH": str(rig.plugins), "PROSCENIUM_CACHE": str(folder / "home" / "cache")})
    said = open(folder / "commands.txt", "wb")
    try:
        begun = time.monotonic()
        while time.monotonic() - begun < 10:
            data = wish(random, folder)
            said.write(data + b"\n")
            line.send(data)
            time.sleep(random.choice((0, 0.002, 0.02, 0.2)))
            if random.random() < 0.1:
                line.drain()
            if running.poll():
                raise Finding(f"the session ended by itself ({running.status}): {running.last_words()}")
            if running.memory() > rig.memory:
                raise Finding(f"memory: {running.memory()} MB")
        if line.ask("status", 30) is None:
            raise Finding("hang: no answer within 30 s")
        running.end(20)
    finally:
        said.close()
        running.destroy()
    guard.judge()

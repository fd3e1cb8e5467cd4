"""Command lines: every command with existing options and invalid values."""
import re
import subprocess

from . import files, mutations
from .watching import run

#: Arguments that each command needs before its options are read; commands that play the demo or measure for minutes are
#: omitted.
COMMANDS = {
    "run": (["--control", "none", "--quiet", "--hrtf", "generated", "--room", "none"], 3),
    "render": (["SONG", "out.wav", "--hrtf", "generated"], None), "process": (["SONG", "out.wav", "--to", "stereo"], None),
    "upmix": (["SONG", "out.wav"], None), "bake": (["SONG", "out.wav"], None), "loudness": (["SONG"], None),
    "preview": (["SONG", "--quiet", "--room", "none", "--hrtf", "generated", "--control", "none"], 4),
    "track": (["--head", "none"], 2), "tracker probe": (["none"], 2), "tracker list": ([], None), "sofa info": (["SOFA"], None),
    "sofa check": (["SOFA"], None), "sofa plot": (["SOFA", "--svg", "out.svg"], None), "sofa convert": (["SOFA", "new.sofa"], None), "hrtf list": ([], None), "hrtf info": (["generated"], None),
    "hrtf sample": (["generated", "--directions", "none.csv", "--output", "out.bin"], None), "room info": (["studio", "--hrtf", "generated"], 20),
    "fuse": ([], None), "doctor": ([], None), "ctl status": ([], None), "ctl level": (["0"], None), "ctl place": (["0"], None),
    "ctl recentre": ([], None), "ctl room": (["on"], None), "ctl upmix": (["on"], None), "ctl seek": (["1"], None), "ctl source-width": (["10"], None),
    "ctl loudness": ([], None), "ctl watch": ([], 2), "ctl start": ([], None), "ctl follow": (["1", "1", "1"], None),
}
#: Values that are valid for some option.
SENSIBLE = ["stereo", "5.1", "7.1.4", "ambi3", "generated", "none", "auto", "on", "off", "studio", "64", "256", "0", "1", "-6", "30", "48000",
            "osc:9000", "serial:auto", "film-standard", "physical", "talk=mono,role=direct,level=-6", "yaw", "full", "energy", "wave", "2s"]
_options = {}


def options(rig, command):
    """Returns the options in a command's help; [] for an unknown command."""
    if command not in _options:
        answer = subprocess.run([rig.program, *command.split(), "--help"], capture_output=True, text=True, timeout=60,
                                env={**rig.environment})
        text = answer.stdout if answer.returncode == 0 else ""
        found = set(re.findall(r"(?<![\w-])--([a-z][a-z-]*)", text[text.find("USAGE"):]))
        # Without options that write outside the attempt's folder, or connect to other sessions.
        _options[command] = sorted(found - {"help", "version", "connect-out", "connect-in", "broadcast"})
    return _options[command]


def words(rig, random, folder):
    """Runs one command line."""
    command = random.choice(sorted(COMMANDS))
    needs, patience = COMMANDS[command]
    known = options(rig, command)
    places = {"SONG": str(rig.seeds / "song.wav"), "SOFA": str(files.seed(rig, random, "sofa"))}
    line = command.split() + [places.get(word, word) for word in needs]
    for _ in range(random.choice((1, 1, 2, 3))):
        value = random.choice(mutations.TEXTS + mutations.NUMBERS + SENSIBLE * 2).replace("\0", "").replace("/", "").replace("..", "")
        name = random.choice(known or ["nothing"])
        kind = random.random()
        if kind < 0.5:
            line.append(f"--{name}={value}")
        elif kind < 0.8:
            line += [f"--{name}", value]
        elif kind < 0.9 and len(line) > len(command.split()):
            line[random.randrange(len(command.split()), len(line))] = value
        else:
            line.append(random.choice([f"--{name}", value, "-", "--", "-x", "--" + value[:200]]))
    # The program gets no absolute path: outputs stay in the folder of the attempt.
    run(rig.program, line, folder, seconds=120, interrupt=30 if patience is None else patience)

"""Commands of the tutorials and how-to pages, and how each is tried: see commands.py.

A command is followed as a reader would, unless a table below names the beginning of its text.
"""
import pathlib
import subprocess

PAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "Documentation"
#: The pages, in two lanes of about equal length. features.md is tried with README.md.
LANES = {
    "tutorials": sorted((PAGES / "tutorials").glob("*.md")),
    "how-to": [page for page in sorted((PAGES / "how-to").glob("*.md")) if page.name != "features.md"],
}

_PLUGIN, _TRACKER = "a plugin that is not named", "a serial line with a tracker"
_INSTALLED, _SYSTEM = "installs, or needs the network", "changes the system or the user's account"
_ARDOUR, _PIPEWIRE = "needs Ardour with a session", "needs PipeWire; desktop.py tries it"
_TRAIN = "needs PipeWire and two trackers"
#: Commands that are not started, and why.
LEFT_OUT = {
    "sudo apt install": _INSTALLED, "git clone": _INSTALLED, "make install": _INSTALLED, "arduino-cli": "needs a board",
    "cd proscenium": "the folder of the clone", "export PATH=": "the search path of a shell", "kill %1": "a job of a shell",
    "proscenium desktop": _PIPEWIRE, "proscenium ctl recentre --to proscenium-desktop": _PIPEWIRE,
    "proscenium status --to proscenium-desktop": _PIPEWIRE,
    "proscenium ctl reference head --to proscenium-desktop": _TRAIN,
    "proscenium ctl reference device --to proscenium-desktop": _TRAIN,
    "ardour": _ARDOUR, "jack_lsp -c ardour": _ARDOUR, "jack_disconnect 'ardour": _ARDOUR,
    "jack_connect metro:120_bpm 'ardour": _ARDOUR, "sudo cp": _SYSTEM, "systemctl": _SYSTEM,
    "bash -c 'yaw=0": "needs keys of a terminal", "proscenium panel\n": "opens a browser",
    "NSM_URL=": "needs the server of a session manager; nsm.py tries it",
}
#: Commands that are started without a server and need not succeed: their words must be right. And why.
PARSED = {
    "proscenium tracker probe opentrack:0.0.0.0:4242": "packets of a phone", "proscenium tracker probe serial:auto": _TRACKER, "proscenium tracker calibrate serial:auto": _TRACKER,
    "proscenium track --head serial:auto": _TRACKER,
    "proscenium preview walk.wav --loop --head serial:auto": _TRACKER,
    "proscenium tracker calibrate osc:9000": "four movements take 16 s",
    "proscenium render film.wav ears.wav --motion": "a log of a session", "ffmpeg -i": "a film in a container",
    "proscenium hrtf compare --resume": "answers of a person",
    "proscenium run --surface desk.json\n": "a map that --learn writes once a control is moved",
    "proscenium measure me": "a person with microphones; measure_me.py tries it",
    "proscenium measure headphones": "headphones over microphones in a person's ears",
    "proscenium run --headphone-eq my-headphones": "a file that a measurement makes",
    "proscenium measure responses": "recordings of a person; measure_responses.py tries it",
    "proscenium run --layout 5.1 --room my-room/room.sofa": "a room that a measurement makes",
    "rec -t raw": "sound from a microphone", "proscenium run --plugin 'ears=urn:example": _PLUGIN,
    "proscenium run --layout 5.1 --input talk=mono --effect reverb": _PLUGIN,
}
#: Commands whose exit status, as the page shows, is not 0; and that status.
ENDS = {"proscenium sofa check own": 1, "proscenium ctl plugin set voice-eq gain3 40": 1}
#: Commands of another terminal that continue, in addition to the commands with `&` at their end.
GOES_ON = ("socat ", "Examples/trackers/send_tracker.py --as quat --to wire", "Examples/trackers/send_tracker.py --to wire",
           "Examples/trackers/send_motion.py", "oscdump ")
#: Program that a page needs beside its commands.
BESIDE = {"capture.md": "Examples/trackers/send_motion.py Examples/motion/bus-device.csv osc:9000 --repeat &"}
#: Session that a page's first `ctl` needs, if the page starts none before it.
FIRST = {
    "headphones.md": "proscenium run", "monitor.md": "proscenium run --layout 5.1", "scenes.md": "proscenium run",
    "offline.md": "proscenium preview film.wav film.wav film.wav --loop",
}


def steps(page):
    """Yields (line number, command) of every command in the blocks marked `sh`; some take several lines."""
    fenced, lines, begin = False, [], 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = line.strip() == "```sh"
        elif fenced and (lines or line.strip()):
            begin = begin or number
            lines.append(line)
            if is_complete("\n".join(lines)):
                yield begin, "\n".join(lines).split(" #")[0].strip()
                lines, begin = [], 0


def is_complete(text):
    """Whether bash would run the text rather than wait for another line."""
    answer = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True)
    return answer.returncode == 0 and "here-document" not in answer.stderr and not text.endswith("\\")


def named(table, command):
    """Returns the beginning of a command that a table names; None without one."""
    return next((begin for begin in table if (command + "\n").startswith(begin)), None)


def stale():
    """Returns the beginnings in the tables that no page has."""
    commands = [command for pages in LANES.values() for page in pages for _, command in steps(page)]
    return [begin for table in (LEFT_OUT, PARSED, ENDS, GOES_ON) for begin in table
            if not any(named([begin], command) for command in commands)]

#!/usr/bin/env python3
"""Tests sessions in folders, on private JACK servers: values from the command line override and the rest of the state
is kept; a mute holds from the first sample; a folder is open in one session at a time; a session moved to another
machine (another home, folder and period, a set and a plugin missing) plays, reports the missing parts and keeps them;
one killed at random moments, with a plugin, a file and connections, always comes back.

usage: sessions.py PROGRAM     (three kills; PROSCENIUM_SOAK=1: two hundred)
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from planted import AMP, cache
from servers import few_plugins
from session_phase import has_stage
from takes import PATIENCE, RATE, Complaint, Program, disturbed, enter, free_ports, tally

KILLS = 200 if os.environ.get("PROSCENIUM_SOAK") == "1" else 3
SEED = 15
SET = HERE.parents[1] / "HRTF/generated.sofa"


def expect(what, is_true):
    if not is_true:
        raise Complaint(what)


def until(what, is_true):
    end = time.monotonic() + PATIENCE
    while not is_true():
        expect(f"it does not come to this: {what}", time.monotonic() < end)
        time.sleep(0.05)


class Run(Program):
    """A session; killed at the end of its `with` block if it still runs."""

    def __init__(self, program, folder, *options):
        self.program, self.port = program, str(free_ports(1)[0])
        self.log = folder / "said"
        with open(self.log, "w") as log:
            super().__init__([program, "run", "--quiet", "--control", self.port, *options], folder, stdout=subprocess.DEVNULL,
                             stderr=log)
        end = time.monotonic() + PATIENCE
        while not has_stage(json.loads(self.answer("status", "--json") or "null")):
            expect(f"it ended with {self.process.poll()}: {self.said[-600:]}", self.process.poll() is None)
            expect(f"it does not answer: {self.said[-600:]}", time.monotonic() < end)
            time.sleep(0.05)

    @property
    def said(self):
        return self.log.read_text()

    def answer(self, *words):
        # The port comes before numbers that might be taken for options.
        at = words.index("--") if "--" in words else len(words)
        words = [*words[:at], "--port", self.port, *words[at:]]
        answer = subprocess.run([self.program, "ctl", *words], capture_output=True, text=True)
        return answer.stdout if answer.returncode == 0 else None

    def ctl(self, *words):
        answer = self.answer(*words)
        expect(f"'ctl {' '.join(words)}' is refused", answer is not None)
        return answer

    @property
    def status(self):
        return json.loads(self.ctl("status", "--json"))

    @property
    def level(self):
        return round(self.status["programmes"][0]["level"], 3)

    @property
    def plugins(self):
        return {plugin["name"]: plugin for plugin in self.status["plugins"]}

    def quit(self):
        """Ends the session normally; returns its output."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        expect(f"it ends with {code}: {self.said[-600:]}", code == 130)
        return self.said


def connections(port):
    return subprocess.run(["jack_lsp", "-c", port], capture_output=True, text=True).stdout


def saved(folder):
    path = folder / "session.json"
    return json.loads(path.read_text()) if path.exists() else {"files": {}, "connections": [], "options": {}, "state": {}}


def wishes(session):
    """Returns a session's options without its control port."""
    return {option: value for option, value in session["options"].items() if option != "control"}


def machine(folder, name):
    """Returns the environment of another user's machine, without data of this one."""
    home = folder / name
    home.mkdir()
    os.environ.update(HOME=str(home), XDG_STATE_HOME=str(home / "state"), XDG_CONFIG_HOME=str(home / "config"),
                      XDG_DATA_HOME=str(home / "data"))
    return home


def typed(program, folder):
    """Runs the same command line twice, with a plugin, an input's level and a mute set in between."""
    few_plugins(folder)
    words = ["--session", str(folder / "film"), "--layout", "stereo", "--hrtf", "generated", "--input", "talk=mono,level=-3",
             "--plugin", f"main={AMP}"]
    with Run(program, folder, *words) as run:
        name = next(iter(run.plugins))
        run.ctl("plugin", "set", name, "gain", "--", "-12")
        run.ctl("level", "--input", "talk", "--", "-6")
        run.ctl("monitor-mute", "on")
        run.quit()
    with Run(program, folder, *words) as run:
        plugins, talk = run.plugins, {one["name"]: one["level"] for one in run.status["programmes"]}["talk"]
        expect(f"typed again there are {list(plugins)}", list(plugins) == [name])
        expect(f"its gain is {plugins[name]['controls']}", plugins[name]["controls"]["gain"] == -12)
        expect(f"a typed level of -3 is {talk}", round(talk, 3) == -3)
        expect("the mute is gone", run.status["monitor"]["isMuted"])
        run.ctl("plugin", "set", name, "gain", "--", "-6")
        said = run.quit()
    expect(f"the plugin is complained of: {said}", "already" not in said and "exists" not in said)
    with Run(program, folder, "--session", str(folder / "film"), "--plugin", f"main={AMP},gain=-3") as run:
        gain = run.plugins[name]["controls"]["gain"]
        expect(f"what is typed over a state of -6 is {gain}", gain == -3)
        other = subprocess.run([program, "run", "--quiet", "--control", "none", "--session", str(folder / "film")],
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        expect(f"a second session of the folder: {other.returncode}, {other.stderr}",
               other.returncode == 3 and "'proscenium', process" in other.stderr)
        run.quit()
    return "one plugin, its state kept, typed values on top; the mute is back; the folder is in one hand"


def made(program, folder):
    """Creates a session on one machine: a set by its file, a room, two plugins, an input with loudspeakers from a file,
    connections."""
    few_plugins(folder)
    home = machine(folder, "home-a")
    ours, layout = home / "ours.sofa", home / "talk.json"
    shutil.copy(SET, ours)
    layout.write_text(json.dumps({"name": "talk", "loudspeakers": [{"name": "T", "azimuth": 30, "elevation": 0}]}))
    limiter = "http://gareus.org/oss/lv2/dpl#stereo"
    with Run(program, folder, "--session", str(folder / "a/film"), "--layout", "5.1", "--hrtf", str(ours), "--room", "studio",
             "--plugin", f"ears={limiter},name=limit", "--plugin", f"main={AMP},name=amp", "--input", f"talk={layout}") as run:
        run.ctl("level", "--input", "main", "--", "-7")
        run.ctl("plugin", "set", "amp", "gain", "--", "-12")
        subprocess.run(["jack_connect", "proscenium:out_L", "system:playback_2"], check=True)
        until("the connection is saved", lambda: [":out_L", "system:playback_2"] in saved(folder / "a/film")["connections"])
        run.quit()
    kept = saved(folder / "a/film")
    expect(f"files: {kept['files']}", {"hrtf", "input:talk"} <= kept["files"].keys())
    return f"{len(kept['options'])} options, {len(kept['state'])} values, {len(kept['files'])} files"


def moved(program, folder):
    """Opens it on another machine without the set, the layout, one plugin and the original folder."""
    (folder / "b").mkdir()
    shutil.move(folder / "a/film", folder / "b/moved")
    shutil.rmtree(folder / "home-a")
    (folder / "lv2/dpl.lv2").unlink()
    os.environ.update(PROSCENIUM_CACHE=cache(folder / "cache-b"), LV2_PATH=str(folder / "lv2"))
    machine(folder, "home-b")
    session, before = folder / "b/moved", saved(folder / "b/moved")
    for _ in range(2):
        with Run(program, folder, "--session", str(session)) as run:
            expect(f"the level is {run.level}", run.level == -7)
            expect(f"plugins: {list(run.plugins)}", list(run.plugins) == ["amp"] and run.plugins["amp"]["controls"]["gain"] == -12)
            until("its connection comes back", lambda: "proscenium:out_L" in connections("system:playback_2"))
            run.ctl("dim", "on")
            until("it is saved", lambda: saved(session)["state"].get("dim") == "on")
            state = saved(session)["state"]
            said = run.quit()
        for words in ("ours.sofa is not on this machine", "--input talk", "talk.json is not on this machine", "dpl#stereo"):
            expect(f"nothing is said of {words}: {said}", words in said)
    after = saved(session)
    expect(f"the set is no wish any more: {after['options']}", wishes(after) == wishes(before))
    expect(f"its files are not kept: {after['files']}", after["files"] == before["files"])
    chains = json.loads((session / "plugins/chains.json").read_text())["plugins"]
    expect(f"plugins that are kept: {chains}", {plugin["name"] for plugin in chains} == {"amp", "limit"})
    expect("the state of what is missing is gone", (session / "plugins/limit").is_dir())
    expect(f"the room is {after['options']['room']}; {state}", after["options"]["room"] == "studio")
    # With the files at the reported places, the session is complete again.
    (session / "files" / after["files"]["hrtf"]["link"]).unlink()
    shutil.copy(SET, session / "files" / after["files"]["hrtf"]["link"])
    with Run(program, folder, "--session", str(session)) as run:
        said = run.quit()
    expect(f"what was put there is not found: {said}", "ours.sofa is not" not in said)
    expect("what was found is another wish", saved(session)["options"]["hrtf"] == before["options"]["hrtf"])
    return "plays, and says twice by name what is missing: a set, a layout and a plugin; all wishes are kept"


def killed(program, folder):
    few_plugins(folder)
    ours = folder / "ours.sofa"
    shutil.copy(SET, ours)
    session, chance = folder / "cut", random.Random(SEED)
    first = ["--layout", "stereo", "--hrtf", str(ours), "--plugin", f"main={AMP},name=amp"]
    wished, written = [0.0], 0
    for number in range(1, KILLS + 1):
        with Run(program, folder, "--session", str(session), *(first if number == 1 else [])) as run:
            level, plugins = run.level, run.plugins
            expect(f"after {number - 1} kills the level is {level}, none of {wished}", level in wished)
            written += number > 1 and level == wished[-1]
            expect(f"after {number - 1} kills there are the plugins {list(plugins)}: {run.said}",
                   list(plugins) == ["amp"] or number == 2 and not plugins)
            expect(f"after {number - 1} kills: {run.said}",
                   not any(word in run.said for word in ("cannot be read", "is invalid", "is not on this machine")))
            if number > 2:
                until("the connection comes back", lambda: "proscenium:out_L" in connections("system:playback_1"))
            if number <= 2:
                if not plugins:
                    run.ctl("plugin", "add", "main", AMP + ",name=amp")
                # Once saved, it must be restored in every case.
                subprocess.run(["jack_connect", "proscenium:out_L", "system:playback_1"], capture_output=True)
                until("all is saved", lambda: (session / "plugins/amp").is_dir() and saved(session)["files"] and saved(session)["connections"])
            wished = [level, -number / 2]
            run.ctl("level", "--input", "main", "--", str(wished[1]))
            run.ctl("plugin", "set", "amp", "gain", str(number % 20))
            # A save begins a second after the change, and takes some ten milliseconds.
            time.sleep(chance.choice([chance.uniform(0, 1), chance.uniform(0.95, 1.15)]))
            run.process.kill()
            run.process.wait()
    with Run(program, folder, "--session", str(session)) as run:
        expect(f"in the end the level is {run.level}, none of {wished}", run.level in wished)
        run.quit()
    leftovers = [path.name for path in session.iterdir() if path.name.endswith(".partial")]
    expect(f"left over: {leftovers}", not leftovers)
    return f"{KILLS} kills at random moments around the save: always loaded, {written} times with the last change"


#: Each in a separate sandbox; parts of one tuple share a folder and have servers with different periods.
PARTS = [(typed,), (made, moved), (killed,)]
NAMED = {part.__name__: part for parts in PARTS for part in parts}


def perform(program, folder):
    """Runs one part inside a sandbox. Returns an error, or None."""
    try:
        (folder / "outcome").write_text(NAMED[(folder / "part").read_text()](program, folder))
    except (Complaint, RuntimeError, OSError, KeyError, StopIteration, subprocess.SubprocessError) as complaint:
        return f"{type(complaint).__name__}: {complaint}"
    return None


def outcomes(program):
    for parts in PARTS:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for number, part in enumerate(parts):
                (folder / "part").write_text(part.__name__)
                run = subprocess.run(
                    [HERE.parent / "jack-sandbox", "--sync", "--rate", str(RATE), "--period", "256" if number == 0 else "96", sys.executable, __file__,
                     "--inside", program, folder], capture_output=True, text=True)
                if run.returncode == 125:
                    yield part.__name__, disturbed(), run.stderr.strip()[-100:]
                    break
                well = run.returncode == 0
                yield part.__name__, well, (folder / "outcome").read_text() if well else (run.stdout + run.stderr).strip()[-1500:]
                if not well:
                    break


def main(program):
    return tally("sessions", outcomes(program))


if __name__ == "__main__":
    enter(__doc__, main, perform)

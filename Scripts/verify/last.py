#!/usr/bin/env python3
"""Checks that a session resumes the values of the last session of its name, on a private JACK server: reported in one
line, not where options override them, not with --fresh or `fresh = on` in the config, and separately for each client
name; a killed session has saved all values but those of the last second.

usage: last.py PROGRAM
"""
import json
import os
import pathlib
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from recording import Session, free_port
from takes import PATIENCE, Complaint, alone, enter, tally


class Run(Session):
    """A session with a separate state and config; `said` is its output after its end."""

    def __init__(self, program, folder, *options):
        os.environ |= {"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}
        super().__init__(program, folder, None, *options, port=free_port())
        self.door, self.said = self.surface(), ""

    @property
    def monitor(self):
        return json.loads(self.door.ask("/proscenium/status"))["monitor"]

    def set(self, address, value):
        self.door.ask("/proscenium/" + address, value)

    def quit(self):
        _, status, self.said = self.end(signal.SIGTERM)
        if status != 130:
            raise Complaint(f"status {status}: {self.said[-300:]}")
        return self.said


def expect(what, isTrue):
    if not isTrue:
        raise Complaint(what)


def comes_back(program, folder):
    with Run(program, folder) as first:
        first.set("monitor-level", -12.0)
        first.set("dim", "on")
        first.set("input/main/level", -3.0)
        said = first.quit()
    expect(f"the first session reports values of an earlier one: {said}", "the last session" not in said)
    with Run(program, folder) as again:
        state = again.monitor
        expect(f"the restored monitor is {state}", (state["level"], state["isDimmed"]) == (-32, True))
        said = again.quit()
    lines = [line for line in said.splitlines() if "restored from the last session" in line]
    expect(f"the lines on the restored values: {lines}", len(lines) == 1 and "monitor-level -12" in lines[0] and "input/main/level -3" in lines[0])
    return lines[0].removeprefix("proscenium: ")


def holds(program, folder):
    with Run(program, folder, "--level", "0") as said:
        level = json.loads(said.door.ask("/proscenium/status"))["programmes"][0]["level"]
        words = said.quit()
    expect(f"with --level 0 the level is {level}: {words}", level == 0 and "have changed: input/main/level -3" in words)
    return "--level 0 overrides the saved level, and a line reports this"


def fresh(program, folder):
    with Run(program, folder, "--name", "other") as other:
        expect("a session of another name restores the values", other.monitor["level"] == 0)
        other.set("monitor-level", -30.0)
        other.quit()
    config = folder / "config/proscenium/config"
    config.parent.mkdir(parents=True)
    config.write_text("[run]\nfresh = on\n")
    with Run(program, folder, "--name", "other") as other:
        expect("'fresh = on' has no effect", other.monitor["level"] == 0)
        said = other.quit()
    config.unlink()
    expect(f"a fresh session does not report this: {said}", "begins fresh" in said)
    with Run(program, folder) as mine, Run(program, folder, "--name", "third") as third:
        expect("two sessions at once share values", (mine.monitor["level"], third.monitor["level"]) == (-32, 0))
        third.quit()
        mine.quit()
    with Run(program, folder, "--fresh") as new:
        expect("--fresh has no effect", new.monitor["level"] == 0)
        new.quit()
    return "another name, 'fresh = on' and --fresh begin with the defaults"


def killed(program, folder):
    kept = folder / "state/proscenium/last/values/killed.json"
    with Run(program, folder, "--name", "killed") as run:
        run.set("monitor-level", -18.0)
        end = time.monotonic() + PATIENCE
        while not kept.exists():
            expect("no values are saved in time", time.monotonic() < end)
            time.sleep(0.05)
        run.process.send_signal(signal.SIGKILL)
        run.process.wait()
    with Run(program, folder, "--name", "killed") as again:
        expect("the values of a killed session are not restored", again.monitor["level"] == -18)
        again.quit()
    kept.write_text("{")
    with Run(program, folder, "--name", "killed") as again:
        level, said = again.monitor["level"], again.quit()
    expect(f"a damaged file: {level}, {said}", level == 0 and "are not restored" in said)
    return "values that were set are restored after SIGKILL; a damaged file is reported"


def perform(program, folder):
    """Runs all parts inside a sandbox. Returns an error, or None."""
    def outcomes():
        for part in (comes_back, holds, fresh, killed):
            try:
                yield part.__name__.replace("_", " "), True, part(program, folder)
            except (Complaint, RuntimeError, OSError, KeyError) as complaint:
                yield part.__name__.replace("_", " "), False, str(complaint)
    return tally("the last session", outcomes())


if __name__ == "__main__":
    enter(__doc__, alone(__file__, "--sync"), perform)

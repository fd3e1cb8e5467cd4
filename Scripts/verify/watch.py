#!/usr/bin/env python3
"""Tests `proscenium watch` in a terminal (tmux) on a session on a JACK server: 80 × 24 and larger, resized, without
UTF-8, without colour. Its keys control the session; after an end by a key, by SIGTERM or by the session's end it
restores the terminal.

usage: watch.py PROGRAM
"""
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from free_ports import free_ports
from takes import PATIENCE, Complaint, Stage, alone, enter, tally

PORT = str(free_ports(1)[0])


class Terminal:
    """A terminal of tmux with a shell; closed with its `with` block."""

    numbers = itertools.count()

    def __init__(self, folder, columns, rows, **environment):
        self.socket = str(folder / f"tmux-{next(self.numbers)}")
        words = ["new-session", "-d", "-x", str(columns), "-y", str(rows)]
        for name, value in environment.items():
            words += ["-e", f"{name}={value}"]
        self.tmux(*words, "env PS1='$ ' bash --norc --noprofile")
        self.tmux("set-option", "-g", "status", "off")
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")

    def tmux(self, *words):
        run = subprocess.run(["tmux", "-f", "/dev/null", "-S", self.socket, *words], capture_output=True, text=True)
        return run.stdout

    def type(self, text, enter=True):
        self.tmux("send-keys", "-l", text)
        if enter:
            self.tmux("send-keys", "Enter")

    @property
    def text(self):
        return self.tmux("capture-pane", "-p")

    @property
    def inked(self):
        return self.tmux("capture-pane", "-p", "-e")

    @property
    def isAlternate(self):
        return self.tmux("display-message", "-p", "#{alternate_on}").strip() == "1"

    def until(self, what, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise Complaint(f"{what}: not within {PATIENCE} s; the terminal shows\n{self.text}")
            time.sleep(0.05)

    def shows(self, *words):
        self.until(f"{', '.join(words)} to be shown", lambda: all(word in self.text for word in words))

    def settings(self, name):
        """Returns the output of `stty -a` without the size."""
        file = pathlib.Path(f"{self.socket}-{name}")
        self.type(f"stty -a > {file}.part; mv {file}.part {file}")
        self.until("the shell to answer", file.exists)
        return re.sub(r"rows \d+; columns \d+", "", file.read_text())


def watched(terminal, program, style=""):
    before = terminal.settings("before")
    terminal.type(f"{style} {program} watch --to proscenium; echo LEFT=$?")
    terminal.shows("proscenium", "load", "left ear", "space recentre")
    return before


def left(terminal, before, code):
    terminal.shows(f"LEFT={code}")
    if terminal.isAlternate:
        raise Complaint("the screen was not given back")
    after = terminal.settings("after")
    if after != before:
        raise Complaint(f"stty before: {before}; after: {after}")


def small(stage, folder):
    with Terminal(folder, 80, 24, LC_ALL="C.UTF-8") as terminal:
        before = watched(terminal, stage.program)
        lines = terminal.text.splitlines()
        if not terminal.isAlternate or len(lines) > 24 or any(len(line) > 80 for line in lines):
            raise Complaint(f"80 × 24: {len(lines)} lines\n{terminal.text}")
        if "\x1b[3" not in terminal.inked:
            raise Complaint("no colour where there could be one")
        # Its keys take effect, and the display shows it.
        terminal.type("m", enter=False)
        terminal.shows("MUTED")
        if not stage.ctl("status", "--json")["monitor"]["isMuted"]:
            raise Complaint("MUTED is shown, and not so")
        terminal.type("m--", enter=False)
        terminal.shows("-2.0 dB")
        # A step goes from the level that is set, without the dim.
        terminal.type("D+", enter=False)
        terminal.shows("-21.0 dB, DIM")
        if (level := stage.ctl("state")["monitor-level"]) != -1:
            raise Complaint(f"+ on dimmed ears: the level that is set is {level} dB")
        terminal.type("D", enter=False)
        terminal.shows("-1.0 dB")
        terminal.type("?", enter=False)
        terminal.shows("any key goes back", "recentres")
        terminal.type("x", enter=False)
        terminal.shows("left ear")
        # A refusal is displayed.
        terminal.type("r", enter=False)
        terminal.shows("no head tracker")
        terminal.tmux("resize-window", "-x", "200", "-y", "60")
        terminal.until("its rows at the new size", lambda: len(terminal.text.splitlines()) > 50 and "space recentre" in terminal.text.splitlines()[59])
        terminal.tmux("resize-window", "-x", "80", "-y", "24")
        terminal.until("its rows at the former", lambda: "space recentre" in terminal.text.splitlines()[23])
        terminal.type("q", enter=False)
        left(terminal, before, 0)
    return "80 × 24, 200 × 60 and back; mutes, levels, help, refusals; q gives the terminal back"


def plain(stage, folder):
    with Terminal(folder, 100, 30, LC_ALL="C", NO_COLOR="1") as terminal:
        before = watched(terminal, stage.program)
        if not terminal.text.isascii() or "\x1b[3" in terminal.inked:
            raise Complaint(f"not plain:\n{terminal.inked}")
        pid = subprocess.run(["pgrep", "-f", f"{stage.program} watch --to proscenium"], capture_output=True, text=True).stdout.split()
        for each in pid:
            os.kill(int(each), 15)
        left(terminal, before, 130)
    return "LC_ALL=C and NO_COLOR: ASCII alone, no colour; SIGTERM gives the terminal back"


def ended(stage, folder):
    with Terminal(folder, 80, 24, LC_ALL="C.UTF-8") as terminal:
        before = watched(terminal, stage.program)
        stage.finish()
        left(terminal, before, 3)
        if "proscenium:" not in terminal.text:
            raise Complaint(f"why it ended is not said:\n{terminal.text}")
    return "the session's end is said, and gives the terminal back"


def perform(program, folder):
    """Runs all parts on one session inside a sandbox."""
    if not shutil.which("tmux"):
        return tally("watch", [("all", None, "tmux is not there (make setup)")])

    def outcomes():
        with Stage(program, folder, PORT, "take", "--hrtf", "generated", "--fresh") as stage:
            stage.status
            for name, part in [("small", small), ("plain", plain), ("ended", ended)]:
                try:
                    yield name, True, part(stage, folder)
                except Complaint as complaint:
                    yield name, False, str(complaint)

    return tally("watch", outcomes())


if __name__ == "__main__":
    enter(__doc__, alone(__file__), perform)

#!/usr/bin/env python3
"""Types command lines with the Tab key into bash, zsh and fish, and compares the words that the program then gets.

usage: completion.py PROGRAM

Each shell runs at a terminal of this check, with the script of `--generate-completion-script`. The program that it
starts answers the shell's requests for words with PROGRAM, and writes its words into a file otherwise. A shell that is
not installed is skipped. Before the shells, every option that has values is checked for having words to offer. Names of a
session are completed with a session on a JACK server; without one, and beside a session that does not answer, nothing
is offered and nothing printed.
"""
import json
import os
import pathlib
import pty
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from free_ports import free_ports

#: Seconds for a line's answer; many times what any shell needs.
PATIENCE = 60
#: Typed text (T: the Tab key), and the words that the program then gets.
LINES = [
    ("rendT", ["render"]),
    ("render --hrtf kemT", ["render", "--hrtf", "kemar"]),
    ("render --hrtf=kemT", ["render", "--hrtf=kemar"]),
    ("render --hrtf my.T", ["render", "--hrtf", "my.sofa"]),
    ("run --head osc:T", ["run", "--head", "osc:9000"]),
    ("run --head=opentT", ["run", "--head=opentrack:4242"]),
    ("process film.wav a.wav --to 9T", ["process", "film.wav", "a.wav", "--to", "9.1.6"]),
    ("render ourTsoT", ["render", "our sound/song.wav"]),
    ("render film.wav --poses poT", ["render", "film.wav", "--poses", "poses.csv"]),
    ("render --layout laT", ["render", "--layout", "layout.json"]),
    ("render --overT", ["render", "--overwrite"]),
    ("process --bits 32T", ["process", "--bits", "32"]),
    ("ctl levT", ["ctl", "level"]),
    ("ctl mode trT", ["ctl", "mode", "tracked"]),
    ("ctl loudspeaker FL solT", ["ctl", "loudspeaker", "FL", "solo"]),
    ("ctl record maT", ["ctl", "record", "marker"]),
    ("help infT", ["help", "info"]),
]
#: The same with a session of an input 'talk' and a plugin 'warm', where scene b was made.
OF_SESSION = [
    ("ctl level --input taT", ["ctl", "level", "--input", "talk"]),
    ("ctl level --input=taT", ["ctl", "level", "--input=talk"]),
    ("ctl interrupt begin taT", ["ctl", "interrupt", "begin", "talk"]),
    ("ctl interrupt end navT", ["ctl", "interrupt", "end", "navigation"]),
    ("ctl plugin bypass waT", ["ctl", "plugin", "bypass", "warm"]),
]
#: Words that are offered after these words, in any order.
OFFERED = [
    ("ctl --input", {"main", "talk"}), ("ctl drc --input", {"main", "talk"}), ("ctl --to proscenium --input", {"main", "talk"}),
    ("ctl --port 9999 --input", set()), ("ctl --to other --input", set()), ("ctl scene-clear", {"a", "b"}),
    ("ctl plugin remove", {"warm"}), ("ctl plugin preset", {"warm"}), ("ctl interrupt end", {"navigation"}),
    ("ctl interrupt begin", {"main", "talk"}),
]
PLUGIN = "http://lv2plug.in/plugins/eg-amp"
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set bell-style none'; . {folder}/bash"),
    "zsh": (["zsh", "-f", "-i"], "unsetopt zle_bracketed_paste beep; fpath=({folder}/zsh $fpath); autoload -Uz compinit; "
                                 "compinit -u -d {folder}/dump"),
    "fish": (["fish", "--no-config", "-i"], "source {folder}/fish"),
}
WRAPPER = """#!/bin/sh
case "$1" in ---*) exec "$PROGRAM" "$@" ;; esac
printf '%s\\0' "$@" >"$RECORD.part"
mv "$RECORD.part" "$RECORD"
"""


def run(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def without_words(program):
    """Returns the options that have values and offer none before any is typed."""
    absent, count = [], 0
    # Sessions have names only while they run, and a tree of folders may be empty.
    free = {"--to", "--port", "--input"}

    def visit(command, path):
        nonlocal count
        for argument in command.get("arguments", []):
            if argument["kind"] != "option" or not argument["shouldDisplay"] or not argument.get("completionKind"):
                continue
            name = "--" + argument["preferredName"]["name"]
            if path[:1] in (["ctl"], ["status"], ["watch"], ["panel"]) and name in free:
                continue
            count += 1
            if not run(program, "---offer", *path, name, "").strip():
                absent.append(" ".join([*path, name]))
        for below in command.get("subcommands", []):
            if below["commandName"] != "help" and below.get("shouldDisplay", True):
                visit(below, [*path, below["commandName"]])

    visit(json.loads(run(program, "--experimental-dump-help"))["command"], [])
    return absent, count


def is_beside_session():
    return sys.argv[1:2] == ["--session"]


class Shell:
    """An interactive shell at a pseudo-terminal."""

    def __init__(self, name, folder, program):
        self.record = folder / "record"
        words, start = SHELLS[name]
        environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": str(folder / "home"), "TERM": "vt100", "PS1": "$ ",
                       "PROGRAM": program, "RECORD": str(self.record), "LANG": "C.UTF-8",
                       "XDG_RUNTIME_DIR": os.environ["XDG_RUNTIME_DIR"] if is_beside_session() else str(folder)}
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder / "work")
            os.execvpe(words[0], words, environment)
        os.set_blocking(self.terminal, False)
        self.shown = ""
        # A shell reads keys only after its start.
        self.type(start.format(folder=folder) + "; proscenium ready")

    def type(self, line):
        """Types a line (T: the Tab key) and Enter; returns the words that the program got, None without any."""
        self.record.unlink(missing_ok=True)
        for part in (line.replace("T", "\t") + "\r",):
            os.write(self.terminal, part.encode())
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not self.record.exists():
            self.read()
            time.sleep(0.02)
        self.read()
        return self.record.read_bytes().decode().split("\0")[:-1] if self.record.exists() else None

    def read(self):
        try:
            self.shown += os.read(self.terminal, 1 << 16).decode(errors="replace")
        except OSError:
            pass

    def end(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def furnish(folder, program):
    for part in ("bin", "home", "work/our sound", "zsh"):
        (folder / part).mkdir(parents=True)
    (folder / "bin/proscenium").write_text(WRAPPER)
    (folder / "bin/proscenium").chmod(0o755)
    for name in ("film.wav", "my.sofa", "poses.csv", "layout.json", "our sound/song.wav"):
        (folder / "work" / name).touch()
    for shell in SHELLS:
        path = folder / ("zsh/_proscenium" if shell == "zsh" else shell)
        path.write_text(run(program, "--generate-completion-script", shell))


def plugin_lines(program):
    """Returns two lines that complete the URI of an installed plugin from its beginning; none if there is no plugin
    with a beginning of its own."""
    known = run(program, "---offer", "plugin", "info", "").split()
    for uri in known:
        part = uri[:-1]
        if uri.isprintable() and not set("#~T") & set(uri) and [other for other in known if other.startswith(part)] == [uri]:
            return [(f"plugin info {part}T", ["plugin", "info", uri]),
                    (f"run --plugin ears={part}T", ["run", "--plugin", f"ears={uri}"])]
    return []


def typed(program, lines):
    """Types lines into each installed shell; returns the count of wrong ones."""
    failed = 0
    for name in SHELLS:
        if not shutil.which(name):
            print(f"skip  {name} is not installed (Debian: apt-get install {name})", flush=True)
            continue
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            furnish(folder, program)
            shell = Shell(name, folder, program)
            wrong = 0
            for line, wanted in lines:
                found = shell.type("proscenium " + line)
                if found != wanted:
                    wrong += 1
                    print(f"FAIL  {name}: proscenium {line.replace('T', '<Tab>')} became {found}, not {wanted}; "
                          f"the terminal: {shell.shown[-200:]!r}", flush=True)
                shell.shown = ""
            shell.end()
            print(f"{'FAIL' if wrong else 'ok  '}  {name}: {len(lines) - wrong} of {len(lines)} lines completed", flush=True)
            failed += wrong
    return failed


def offered(program, line, runtime=None):
    """Returns the words offered after a line, and all that is printed on standard error."""
    environment = {**os.environ, **({"XDG_RUNTIME_DIR": str(runtime)} if runtime else {})}
    answer = subprocess.run([program, "---offer", *line.split(), ""], capture_output=True, text=True, check=True, env=environment)
    return {said.split("\t")[0] for said in answer.stdout.splitlines() if said}, answer.stderr


def without_session(program):
    """Checks that names of a session are not offered if no session runs, and if one does not answer."""
    failed = 0
    with tempfile.TemporaryDirectory() as made:
        runtime = pathlib.Path(made)
        (runtime / "proscenium").mkdir(mode=0o700)
        listening = socket.socket(socket.AF_UNIX)
        for what in ("no session", "a session that does not answer"):
            for line in ("ctl --input", "ctl plugin remove", "ctl interrupt end"):
                words, complaint = offered(program, line, runtime)
                # If no name fits, the options are offered.
                if complaint or not all(word.startswith("-") for word in words):
                    failed += 1
                    print(f"FAIL  {what}: behind '{line}' stand {words}, and {complaint!r} is printed", flush=True)
            if what == "no session":
                listening.bind(str(runtime / "proscenium/stuck.sock"))
                listening.listen(8)
        listening.close()
    print(f"{'FAIL' if failed else 'ok  '}  without a session, and beside one that does not answer, no names are offered", flush=True)
    return failed


def beside_session(program):
    """Completes names of a session; called inside a sandbox."""
    plugin = ["--plugin", f"main={PLUGIN},name=warm"] if PLUGIN in run(program, "---offer", "plugin", "info", "").split() else []
    if not plugin:
        print(f"skip  names of plugins: {PLUGIN} is not installed (Debian: apt-get install lv2-examples)", flush=True)
    session = subprocess.Popen([program, "run", "--quiet", "--layout", "5.1", "--hrtf", "generated", "--input", "talk=mono", "--control",
                                str(free_ports(1)[0]), *plugin], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        run(program, "ctl", "status", "--wait", str(PATIENCE))
        run(program, "ctl", "scene", "b")
        run(program, "ctl", "interrupt", "begin", "navigation", "--duck", "-6")
        failed = 0
        for line, wanted in OFFERED:
            if "warm" in wanted and not plugin:
                continue
            if (found := offered(program, line)) != (wanted, ""):
                failed += 1
                print(f"FAIL  behind '{line}' stand {found}, not {wanted}", flush=True)
        print(f"{'FAIL' if failed else 'ok  '}  names of a session: {len(OFFERED) - failed} of {len(OFFERED)} lists", flush=True)
        return failed + typed(program, [line for line in OF_SESSION if plugin or "plugin" not in line[0]])
    finally:
        session.terminate()
        session.wait()


def main(program):
    if is_beside_session():
        return beside_session(program) > 0
    absent, count = without_words(program)
    failed = len(absent)
    print(f"{'FAIL' if absent else 'ok  '}  {count} options with values: "
          + (f"no words for {', '.join(absent)}" if absent else "each offers words"), flush=True)
    failed += typed(program, LINES + plugin_lines(program)) + without_session(program)
    sandbox = [HERE.parent / "jack-sandbox", sys.executable, __file__, "--session", program]
    return failed + subprocess.run(sandbox, check=False).returncode > 0


if __name__ == "__main__":
    if len(sys.argv) != 2 + is_beside_session() or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    sys.exit(main(str(pathlib.Path(sys.argv[-1]).resolve())))

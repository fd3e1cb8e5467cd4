#!/usr/bin/env python3
"""Runs the commands of README.md, Examples/, the tutorials and the how-to pages as a reader would, and reports failures.

usage: commands.py PROGRAM

Commands are in fenced blocks marked `sh`. They run in a folder with the files they name (created here), inside the JACK
sandbox. Four sandboxes run in parallel: for README.md and Examples/ one for commands with sessions and ports and one for
the others, and one each for the tutorials and the how-to pages.

README.md and Examples/: each `proscenium` command runs in a folder of its own. A `run` is ended through its control
port once it answers; every other command must end by itself with code 0. Each command gets a control port of this
check, so that no other session on this machine is controlled. A tracker named by udp:9870 or as /dev/ttyUSB0 (here a
pseudo-terminal) is Examples/trackers/send_tracker.py.

Tutorials and how-to pages: all commands of a page are followed in their order, in one folder, the home of this reader. A
`run` or `preview` is the session of the commands after it, until the next one. Ports are replaced by free ones, and long
measurements are shortened. page_steps.py lists the commands that are not followed, each with its reason; words of those
that need a device or a person are checked all the same. At the end an option that no command has is planted in a tutorial,
and must be found.
"""
import concurrent.futures
import contextlib
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tty
import wave

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SANDBOX = ROOT / "Scripts" / "jack-sandbox"
SERIAL = "/dev/ttyUSB0"
sys.path[:0] = [str(ROOT / "Examples" / "trackers"), str(ROOT / "Scripts")]
import send_tracker
import page_steps
from free_ports import free_ports
from portplay import Surface
from session_phase import has_stage

#: Control port of the sessions of this check.
PORT = str(free_ports(1)[0])
#: Seconds until a command must report its start.
PATIENCE = 60
#: Seconds after which a command that is only parsed has shown that its words are right.
PARSING = 2
#: Ports named in the pages, each with the port of this check that replaces it.
PORTS = dict(zip(("9000", "9001", "4242", "9870", "8150", "15000"), map(str, free_ports(6))))


def commands(document):
    """Returns (line number, command) of every shell line in `document` that starts proscenium."""
    fenced = False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            fenced = line.strip() == "```sh"
        elif fenced and line.lstrip().startswith("proscenium "):
            yield number, line.strip().split(" #")[0].strip()


def make_programme(path, channels, seconds=1, rate=48000):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        frames = bytearray()
        for n in range(rate):
            value = int(3000 * ((n * 440 // rate) % 2 * 2 - 1)) if n % 4800 < 2400 else 0
            frames += value.to_bytes(2, "little", signed=True) * channels
        file.writeframes(bytes(frames) * seconds)


def furnish(folder, document):
    """Creates the files that commands in a document name."""
    shutil.copytree(made(document).name, folder, symlinks=True, copy_function=os.link, dirs_exist_ok=True)


@functools.cache
def made(document):
    """Returns the folder of these files; creates it once."""
    made = tempfile.TemporaryDirectory()
    folder = pathlib.Path(made.name)
    # The sections of offline.md end after two minutes.
    for name, channels, seconds in (("programme", 6, 1), ("mix", 6, 1), ("song", 2, 1), ("bed", 12, 1), ("bed-1", 12, 1),
                                    ("film", 6, 130 if document.name == "offline.md" else 1)):
        make_programme(folder / f"{name}.wav", channels, seconds)
    (folder / "HD 650 ParametricEQ.txt").write_text("Preamp: -6 dB\nFilter 1: ON PK Fc 100 Hz Gain 3 dB Q 1\n")
    (folder / "poses.csv").write_text("t,w,x,y,z\n0,1,0,0,0\n1,0.924,0,0,0.383\n")
    (folder / "directions.csv").write_text("index,az_deg,el_deg,r_m\n0,0,0,1.4\n1,90,0,1.4\n")
    kemar = pathlib.Path("/usr/share/libmysofa/default.sofa")
    if kemar.exists():
        (folder / "my.sofa").symlink_to(kemar)
    for part in ("Examples", "HRTF"):
        (folder / part).symlink_to(ROOT / part)
    if document.parent.name == "capture":
        subprocess.run([sys.executable, document.parent / "make.py", folder], check=True)
    return made


def with_port(words):
    """Returns the words of a command with this check's control port, in place of a named one or in addition."""
    if words[1:3] == ["measure", "capacity"]:
        # Without a limit the measurement would use the processor for a quarter of a minute.
        return [*words, "--seconds", "1"]
    option = {"run": "--control", "preview": "--control", "ctl": "--port"}.get(words[1])
    if option is None:
        return words
    if option in words:
        place = words.index(option)
        return [*words[:place], option, PORT, *words[place + 2:]]
    # After the last word of the command, before values that may begin with a sign.
    place = 3 + (words[2] == "interrupt") if words[1] == "ctl" else 2
    return [*words[:place], option, PORT, *words[place:]]


def await_answer(program, session, folder, environment):
    """Whether a session reports in time that its sound has started."""
    end = time.monotonic() + PATIENCE
    while session.poll() is None and time.monotonic() < end:
        with contextlib.suppress(OSError, RuntimeError):
            state = json.loads(Surface(PORT).ask("/proscenium/status", patience=2))
            if has_stage(state) and state.get("streamFrame", 0) > 0:
                answer = subprocess.run([program, "ctl", "status", "--json", "--port", PORT], cwd=folder, env=environment,
                                        capture_output=True, text=True)
                return answer.returncode == 0 and json.loads(answer.stdout)["streamFrame"] > 0
        time.sleep(0.02)
    return False


def run_live(program, words, folder, environment):
    """Starts `proscenium run …`, waits until it answers, ends it; returns (ok, its output)."""
    process = subprocess.Popen([program, *words[1:]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        if await_answer(program, process, folder, environment):
            subprocess.run([program, "ctl", "quit", "--port", PORT], cwd=folder, env=environment, check=True,
                           capture_output=True)
            output, _ = process.communicate(timeout=60)
            return process.returncode == 0, output
        return False, process.communicate(timeout=5)[0] if process.poll() is not None else "it never answered"
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def run_track(program, words, folder, environment):
    """Starts `proscenium track …`, which runs until it is stopped, and stops it at its first pose; returns (ok, its
    output)."""
    process = subprocess.Popen([program, *words[1:]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    stuck = threading.Timer(PATIENCE, process.kill)
    stuck.start()
    output, ok = "", False
    try:
        for line in process.stdout:
            output += line
            if ok := " pitch " in line and process.poll() is None:
                break
        process.terminate()
        output += process.stdout.read()
        process.wait()
        return ok, output
    finally:
        stuck.cancel()
        if process.poll() is None:
            process.kill()
            process.wait()


@contextlib.contextmanager
def trackers(words):
    """Starts the trackers that a command names; yields its words with the pseudo-terminal in place of the serial
    line."""
    ways = []
    if any("udp:9870" in word for word in words):
        ways.append(send_tracker.open_way("127.0.0.1:9870")[0])
    terminals = []
    if any(SERIAL in word for word in words):
        terminals = list(os.openpty())
        tty.setraw(terminals[1])
        os.set_blocking(terminals[0], False)
        ways.append(functools.partial(write_line, terminals[0]))
        words = [word.replace(SERIAL, os.ttyname(terminals[1])) for word in words]
    ended = threading.Event()
    sender = threading.Thread(target=play, args=(ways, ended))
    sender.start()
    try:
        yield words
    finally:
        ended.set()
        sender.join()
        for terminal in terminals:
            os.close(terminal)


def play(ways, ended):
    """Sends a hundred rows a second until the event is set."""
    count = 0
    while ways and not ended.wait(0.01):
        row = send_tracker.checked(send_tracker.make_row("imu", count, count / 100)) + "\n"
        for send in ways:
            send(row.encode())
        count += 1


def write_line(terminal, row):
    """Writes to a serial line that may have no reader."""
    with contextlib.suppress(BlockingIOError):
        os.write(terminal, row)


def patch(program, environment):
    """Runs the patching recipe between a client of jackd's own and a stage; returns an error, or None."""
    stage = subprocess.Popen([program, "run", "--quiet", "--control", "none"], env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    source = subprocess.Popen(["jack_simple_client", "source"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            listed = subprocess.run(["jack_lsp"], capture_output=True, text=True).stdout
            if "proscenium:in_FR" in listed and "source:output2" in listed:
                break
            time.sleep(0.1)
        recipe = subprocess.run([ROOT / "Examples" / "patching" / "connect", "source"], capture_output=True, text=True)
        wanted = "source:output1 -> proscenium:in_FL\nsource:output2 -> proscenium:in_FR\n"
        return None if recipe.returncode == 0 and recipe.stdout == wanted else recipe.stdout + recipe.stderr
    finally:
        for process in (source, stage):
            process.terminate()
            process.wait(timeout=60)


class Follower:
    """Follows a page's commands, one after the other, with at most one session, and with programs that continue beside
    it."""

    def __init__(self, program, page):
        self.program, self.page = program, page
        self.made = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.made.name)
        self.session, self.others = None, {}
        furnish(self.folder, page)
        config = self.folder / ".config/proscenium"
        config.mkdir(parents=True)
        (config / "config").write_text("overwrite = on\n")
        (self.folder / ".bin").mkdir()
        (self.folder / ".bin/proscenium").symlink_to(program)
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.environment = dict(
            os.environ, PROSCENIUM_SHARE=str(ROOT), HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder / ".config"),
            XDG_DATA_HOME=str(self.folder / ".local/share"), XDG_STATE_HOME=str(self.folder / ".local/state"),
            XDG_CACHE_HOME=cache, PATH=f"{self.folder}/.bin:{os.environ['PATH']}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end_session()
        for other in self.others.values():
            self.end(other)
        self.made.cleanup()

    def follow(self, command):
        """Runs a command; returns an error, or None."""
        text = re.sub(r"\b(?:" + "|".join(PORTS) + r")\b", lambda port: PORTS[port[0]], command)
        # The sandbox has neither PipeWire nor Ardour.
        text = re.sub(r"'ardour:Master/audio_out \[.*?\]'", "physical", text.removeprefix("pw-jack "))
        if page_steps.named(page_steps.LEFT_OUT, command):
            return None
        if page_steps.named(page_steps.PARSED, command):
            parts = [part.strip() for part in text.split(" | ") if part.strip().startswith("proscenium ")]
            return next(filter(None, map(self.parse, parts)), None)
        if page_steps.named(page_steps.GOES_ON, command) or text.endswith("&"):
            return self.go_on(text.rstrip("& "))
        words = shlex.split(text) if text.startswith("proscenium ") and "*" not in text else ["bash", "-c", text]
        if words[:2] in (["proscenium", "run"], ["proscenium", "preview"]):
            return self.begin_session(words)
        if words[0] == "proscenium":
            words = self.shortened(words)
            if words[1] == "track" and "--seconds" not in words:
                ok, output = run_track(self.program, words, self.folder, self.environment)
                return None if ok else output
            if words[1] == "ctl" and self.session is None and self.page.name in page_steps.FIRST:
                complaint = self.follow(page_steps.FIRST[self.page.name])
                if complaint:
                    return complaint
            words = [self.program, *words[1:]]
        begin = page_steps.named(page_steps.ENDS, command)
        try:
            answer = subprocess.run(words, cwd=self.folder, env=self.environment, text=True, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        except subprocess.TimeoutExpired:
            return "it did not end"
        wanted = page_steps.ENDS.get(begin, 0)
        return None if answer.returncode == wanted else f"it ended with {answer.returncode}, not {wanted}\n{answer.stdout}"

    @staticmethod
    def shortened(words):
        """Returns the words of a command that measures or records for less time."""
        if words[1:2] == ["capture"] and "--list" not in words or words[1:3] == ["tracker", "probe"] or "--seconds" in words:
            place = words.index("--seconds") if "--seconds" in words else len(words)
            return [*words[:place], "--seconds", "2", *words[place + 2:]]
        return words

    def parse(self, text):
        """Starts a command without a server, and stops it; returns an error if its words are wrong, else None."""
        words = [self.program, *shlex.split(text)[1:]]
        nowhere = dict(self.environment, JACK_DEFAULT_SERVER="absent", JACK_NO_START_SERVER="1")
        with subprocess.Popen(words, cwd=self.folder, env=nowhere, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as process:
            try:
                output = process.communicate(timeout=PARSING)[0].decode(errors="replace")
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return None
        return None if process.returncode in (0, 1, 3) else f"it ended with {process.returncode}\n{output}"

    def go_on(self, text):
        """Starts a command of another terminal, in place of an earlier one of the same program."""
        name = text.split()[0]
        if name in self.others:
            self.end(self.others.pop(name))
        self.others[name] = process = subprocess.Popen(
            ["bash", "-c", "exec " + text], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
            if process.returncode:
                return process.stderr.read()
        return None

    def begin_session(self, words):
        """Starts a session in place of an earlier one; returns an error unless its sound starts."""
        self.end_session()
        with open(self.folder / ".session", "w+", encoding="utf-8") as output:
            self.session = subprocess.Popen([self.program, *with_port(words)[1:]], cwd=self.folder, env=self.environment,
                                            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            if await_answer(self.program, self.session, self.folder, self.environment):
                return None
            output.seek(0)
            return output.read() or "it never answered"

    def end_session(self):
        if self.session and self.session.poll() is None:
            subprocess.run([self.program, "ctl", "quit", "--port", PORT], cwd=self.folder, env=self.environment,
                           capture_output=True)
            try:
                self.session.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.end(self.session)
        self.session = None

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()


def follow(program, lane):
    """Follows, inside a sandbox, the pages of a lane. In the lane of the tutorials also checks that a planted option is
    found."""
    failures = count = 0
    for page in page_steps.LANES[lane]:
        with Follower(program, page) as reader:
            beside = page_steps.BESIDE.get(page.name)
            for number, command in [*([(0, beside)] if beside else []), *page_steps.steps(page)]:
                count += 1
                complaint = reader.follow(command)
                if complaint:
                    failures += 1
                    print(f"{page.relative_to(ROOT)}:{number}: {command}\n{complaint}")
    if lane == "tutorials":
        count += 2
        page = ROOT / "Documentation/tutorials/first-stage.md"
        commands = [command for _, command in page_steps.steps(page)]
        with Follower(program, page) as reader:
            for command, part, planted in (("proscenium render ", "--room", "--rom"), ("proscenium preview ", "--head", "--hed")):
                text = next(text for text in commands if text.startswith(command)).replace(part, planted)
                for tried in (reader.follow, reader.parse):
                    if not tried(text):
                        failures += 1
                        print(f"{page.relative_to(ROOT)}: a planted option was not found: {text}")
                        break
        for begin in page_steps.stale():
            failures += 1
            print(f"page_steps.py: no page has a command that begins '{begin.strip()}'")
    print(f"commands, {lane}: {count - failures} passed, {failures} failed", flush=True)
    return 1 if failures or not count else 0


def has_ports(words):
    """Whether a command runs or controls a session, or names a port: such commands run one at a time."""
    return words[1] in ("run", "preview", "ctl", "track", "tracker", "measure") or any(re.search(r":[0-9]{4}", word) for word in words)


def perform(program, lane):
    """Runs, inside a sandbox, the commands with ports or those without, one after the other."""
    documents = [ROOT / "README.md", ROOT / "Documentation/how-to/features.md", *sorted((ROOT / "Examples").rglob("README.md"))]
    failures = count = 0
    nowhere = os.path.join(tempfile.gettempdir(), f"absent-{os.getpid()}", "config")
    environment = dict(os.environ, PROSCENIUM_SHARE=str(ROOT), XDG_CONFIG_HOME=nowhere)
    for document in documents:
        for number, command in commands(document):
            if has_ports(shlex.split(command)) != (lane == "ports"):
                continue
            count += 1
            with tempfile.TemporaryDirectory() as name, trackers(with_port(shlex.split(command))) as words:
                folder = pathlib.Path(name)
                furnish(folder, document)
                serving = None
                if words[1] == "ctl":  # needs a running session
                    serving = subprocess.Popen(
                        [program, "run", "--head", "file:Examples/motion/turn.csv", "--control", PORT], cwd=folder,
                        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    await_answer(program, serving, folder, environment)
                try:
                    if words[1] == "run":
                        ok, output = run_live(program, words, folder, environment)
                    elif words[1] == "track":
                        ok, output = run_track(program, words, folder, environment)
                    else:
                        answer = subprocess.run([program, *words[1:]], cwd=folder, env=environment, text=True,
                                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                                stderr=subprocess.STDOUT, timeout=300)
                        ok, output = answer.returncode == 0, answer.stdout
                finally:
                    if serving:
                        serving.terminate()
                        serving.wait(timeout=60)
            if not ok:
                failures += 1
                print(f"{document.relative_to(ROOT)}:{number}: {command}\n{output}")
    if lane == "ports":
        count += 1
        complaint = patch(program, environment)
        if complaint:
            failures += 1
            print(f"Examples/patching/connect: {complaint}")
    print(f"commands, {lane}: {count - failures} passed, {failures} failed", flush=True)
    return 1 if failures or not count else 0


def main(program):
    def sandboxed(lane):
        return subprocess.run([SANDBOX, "--period", "1024", "--capture", "8" if lane in page_steps.LANES else "4", sys.executable, __file__, program, lane], check=False).returncode
    lanes = ("ports", "files", *page_steps.LANES)
    with concurrent.futures.ThreadPoolExecutor(len(lanes)) as hands:
        return 1 if any(list(hands.map(sandboxed, lanes))) else 0


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.exit((follow if sys.argv[2] in page_steps.LANES else perform)(*sys.argv[1:]))
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))

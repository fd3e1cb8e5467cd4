"""Shared code of checks on a real JACK server: a stage controlled through its control port, a programme played into it
from a given frame, and takes that are repeated if the server skipped sound.

A take disturbed by the machine proves nothing, and must be repeated. If other checks run at the same time, up to TRIES
takes are made. If all are disturbed, the check ends with AGAIN, and `Scripts/verify/all` runs it once more at the end,
without other checks beside it: good takes keep their results, failed ones are made again and then judged, and disturbed
ones have up to TRIES_ALONE takes, after which the check fails."""
import concurrent.futures
import faulthandler
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from free_ports import free_ports
from portplay import PATIENCE, Surface
from session_phase import has_stage, words

RATE = 48000
#: Seconds after which code inside a sandbox counts as stuck: it prints its threads' positions, and ends.
STUCK = 14400 if os.environ.get("PROSCENIUM_SOAK") else 600
#: Text for a take for which the machine was late.
MISSED = "the machine was late"
#: Words of a session about a disk that was busy for a minute as a recording ended.
SLOW_DISK = "the disk did not store the recording"
#: Variable that `Scripts/verify/all` sets if other checks run beside this one.
BESIDE = "PROSCENIUM_VERIFY_BESIDE"
#: Variable with the file that keeps the results of takes between runs of a check: a JSON array for each, of label, good
#: and text.
JUDGED = "PROSCENIUM_VERIFY_JUDGED"
#: Number of takes that may all be disturbed, beside other checks and alone.
TRIES, TRIES_ALONE = 3, 12
#: What `until_whole` returns in place of good if the machine disturbed all takes; and `tally`'s exit status for it.
DISTURBED, AGAIN = "disturbed", 75


class Complaint(Exception):
    """An error in a take."""


class Disturbed(Complaint):
    """An error that may be caused by other load on the machine. If other checks run at the same time, the take is
    judged again, alone."""


class Missed(Complaint):
    """The machine was late for the stated event; no fault of the program."""

    def __init__(self, what="the first frame had passed"):
        super().__init__(f"{MISSED}: {what}")


def stop(process):
    """Kills a process that still runs."""
    if process.poll() is None:
        process.kill()
    process.wait()


class Program:
    """A program that runs in a folder; killed at the end of its `with` block if it still runs. `options` are
    `subprocess.Popen`'s."""

    def __init__(self, words, folder, **options):
        options = {"stderr": subprocess.PIPE, **options}
        self.process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, text=True, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)


class Stage(Program):
    """`proscenium run` of a layout in `folder`, recording into TAKE.wav from its start; ended with its `with` block."""

    def __init__(self, program, folder, port, take, *options, layout="5.1"):
        self.program, self.folder, self.port, self.player, self.hand = program, folder, str(port), None, None
        super().__init__([program, "run", "--quiet", "--layout", layout, "--start", "ctl", "--record", f"{take}.wav", "--overwrite",
                          "--allow-write", str(folder), "--control", self.port, *options], folder)

    def __exit__(self, *_):
        if self.player:
            stop(self.player)
        super().__exit__()

    def ctl(self, *words):
        """Returns the stage's answer as an object; None if it refuses or does not answer."""
        answer = subprocess.run([self.program, "ctl", *words, "--port", self.port], capture_output=True, text=True)
        return json.loads(answer.stdout) if answer.returncode == 0 and answer.stdout.startswith("{") else None

    def look(self):
        """Returns the stage's state; None without an answer. The request goes directly to its port: starting `ctl` for
        each of many readings would take more processor time than the stage."""
        try:
            self.hand = self.hand or Surface(self.port)
            return json.loads(self.hand.ask("/proscenium/status", patience=2))
        except (OSError, RuntimeError):
            # A late answer must not be taken for that of the next request.
            if self.hand:
                self.hand.socket.close()
            self.hand = None
            return None

    @property
    def status(self):
        """The stage's state, once there is one."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise Complaint(f"the stage ended: {self.process.stderr.read()}")
            if has_stage(state := self.look()):
                return state
            time.sleep(0.02)
        raise Complaint(f"there is no stage within {PATIENCE} s; the session is {words(state)}")

    def loop(self, path):
        """Plays a programme in a loop and starts the stream; returns once sound arrives."""
        self.status
        self.player = subprocess.Popen([self.program, "demo", "play", path, "--into", "proscenium", "--loop"], cwd=self.folder,
                                       stdin=subprocess.DEVNULL)
        self.ctl("start")
        end = time.monotonic() + PATIENCE
        while max(self.status["inputPeaks"]) < -60:
            if time.monotonic() > end:
                raise Complaint("no sound comes in")
            time.sleep(0.02)

    def play(self, path, *options, channels=6, lead=4, into="proscenium"):
        """Plays the programme from a period's first frame, `lead` seconds ahead, and requests a start of the stream at
        that frame.

        The stream is also started at once, which shows the periods' boundaries. Raises `Missed` if the frame had passed
        before all was ready; `begun` waits for the start."""
        period = self.status["period"]
        first = self.ctl("start")["frame"]
        self.first = (first + (lead * RATE + period - 1) // period * period) % 2**32
        self.player = subprocess.Popen(
            [self.program, "demo", "play", path, "--into", into, "--at", str(self.first), *options], cwd=self.folder,
            stdin=subprocess.DEVNULL)
        wait_for_ports("player:out_", channels, self.player)
        left = (self.first - self.status["jackFrame"]) % 2**32
        # Half a second for the player's step from its last connection to its first frame, and half a second for the
        # request to reach the session, which does not answer while it waits for a frame.
        if not RATE < left < 2**31:
            raise Missed
        self.start_at(self.first)
        time.sleep(0.5)

    def start_at(self, frame):
        """Requests a start of the stream at a frame of the server's clock; `begun` waits for it."""
        state = self.status
        #: Length that the present stream will have reached at that frame.
        self.former = state["streamFrame"] + (frame - state["jackFrame"]) % 2**32
        self.first = frame
        self.surface = Surface(self.port)
        self.surface.send("/proscenium/start", frame)

    def begun(self):
        """Returns when the stream has begun at the frame requested by `play`, and the stage's state describes it and
        not the stream before."""
        try:
            frame = json.loads(self.surface.answer("/proscenium/start"))["frame"]
        except RuntimeError as refusal:
            if "had passed" in str(refusal) or "did not run the cycle" in str(refusal):
                raise Missed from None
            raise Complaint(str(refusal)) from None
        if frame != self.first:
            raise Complaint(f"the stream started at {frame}, not at {self.first}")
        end = time.monotonic() + PATIENCE
        while self.former / 2 < self.status["streamFrame"] <= self.former:
            if time.monotonic() > end:
                raise Complaint("the state never tells of the stream that has begun")
            time.sleep(0.005)

    def wait_for(self, frames):
        """Waits until the stream is `frames` long."""
        end = time.monotonic() + 2 * PATIENCE
        while (self.look() or {}).get("streamFrame", 0) < frames:
            if time.monotonic() > end or self.process.poll() is not None:
                raise Complaint("the stream stands still")
            time.sleep(0.02)

    def finish(self):
        """Ends the stage, which completes its recordings."""
        self.ctl("quit")
        if self.process.wait(timeout=PATIENCE) != 0:
            said = self.process.stderr.read()[-300:]
            if "frames: the disk was too slow" in said:
                raise Missed(said)
            raise Complaint(f"the stage ended with code {self.process.returncode}: {said}")


def wait_for_ports(name, count, process):
    """Waits, while a process runs, until `count` ports whose names end in `name` and a number are connected."""
    end = time.monotonic() + PATIENCE
    # `jack_lsp -c` names a connected port twice: on its own line, and below the port at the other end.
    while subprocess.run(["jack_lsp", "-c"], capture_output=True, text=True).stdout.count(name) < 2 * count:
        if process.poll() is not None or time.monotonic() > end:
            raise Complaint(f"the ports {name}… are not connected")
        time.sleep(0.02)


def is_beside():
    """Whether other checks run beside this one, so that it may be run again alone."""
    return BESIDE in os.environ


def tries():
    """Returns the permitted number of takes."""
    return TRIES if is_beside() else TRIES_ALONE


def until_whole(label, take):
    """Makes takes until one is undisturbed by the machine: returns (whether it was good, text) of the first such take.
    `take()` returns the same for one take, with None first if the machine disturbed it. If all were disturbed, the
    first is DISTURBED if other checks run at the same time, else False. `label` is the take's name within its
    check."""
    path = os.environ.get(JUDGED)
    for line in pathlib.Path(path).read_text().splitlines() if path and os.path.exists(path) else ():
        known, good, what = json.loads(line)
        if known == label:
            return good, what
    for number in range(1, tries() + 1):
        well, what = take()
        if well is not None:
            break
    else:
        return disturbed(), f"disturbed in all of {number} takes, in the last: {what}"
    if number > 1 and isinstance(what, str):
        what += f" (take {number})"
    # A take that failed beside other checks is made again alone; only then is it judged.
    if path and well:
        with open(path, "a") as judged:
            judged.write(json.dumps([label, bool(well), what]) + "\n")
    return bool(well), what


def disturbed():
    """Returns the result for an error that other load may have caused: DISTURBED if other checks run at the same time,
    else False, a failure."""
    return DISTURBED if is_beside() else False


def tally(title, outcomes):
    """Prints each outcome (label; whether it is good, None if a requirement is missing; text) as it comes, and their
    total; returns the exit status. An outcome whose requirement is missing is printed as a skip, in the form that
    Scripts/outcome reads. A check without any judged outcome fails."""
    counts = {"ok": 0, "FAIL": 0, "skip": 0, "again": 0}
    for label, good, what in outcomes:
        word = "again" if good == DISTURBED else "skip" if good is None else "ok" if good else "FAIL"
        counts[word] += 1
        name = " ".join(f"{title}, {label}".split()).replace(":", "") if good is None else label
        print(f"{word:4}  {name}: {what}", flush=True)
    rest = "".join(f", {counts[word]} {words}" for word, words in (("skip", "skipped"), ("again", "to be taken again, alone")) if counts[word])
    print(f"{title}: {counts['ok']} passed, {counts['FAIL']} failed{rest}")
    if not counts["FAIL"] and counts["again"]:
        return AGAIN
    if counts["ok"] == counts["FAIL"] == 0:
        print(f"FAIL  {title}: nothing was judged")
    return 0 if counts["ok"] and not counts["FAIL"] else 1


def side_by_side(judge, takes, hands=2):
    """Returns `judge`'s results of the takes, in their order; `hands` takes run at once, since each mostly waits."""
    with concurrent.futures.ThreadPoolExecutor(hands) as pool:
        yield from pool.map(lambda take: judge(*take), takes)


def trouble(run):
    """Returns the result of a run inside a sandbox for `until_whole`: (False, text) after a failure, (None, text) if
    the machine was late or the server did not start; None on success."""
    if run.returncode == 0:
        return None
    said = (run.stdout + run.stderr).strip()
    late = run.returncode == 125 or MISSED in said or SLOW_DISK in said
    return None if late else False, said[-900:]


def said_inside(script, program):
    """Runs `perform` of a script inside one sandbox and yields the outcomes that it has written to the file `said` in
    its folder, an object {label: [good, text]}. If the run failed as a whole, yields one outcome."""
    sandbox = pathlib.Path(__file__).resolve().parent.parent / "jack-sandbox"
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([sandbox, "--sync", sys.executable, script, "--inside", program, folder], capture_output=True, text=True)
        if run.returncode != 0:
            yield "session", disturbed() if run.returncode == 125 else False, (run.stdout + run.stderr).strip()[-900:]
            return
        for name, (good, what) in json.loads((pathlib.Path(folder) / "said").read_text()).items():
            yield name, good, what


def alone(script, *options, times=1, hands=1):
    """Returns a `main` that runs `perform` of a script inside `times` sandboxes, `hands` at once, each with a separate
    folder, and reports their results. PROSCENIUM_TURN holds the number of the sandbox, from 0."""
    def main(program):
        sandbox = pathlib.Path(__file__).resolve().parent.parent / "jack-sandbox"

        def perform(turn):
            with tempfile.TemporaryDirectory() as name:
                return subprocess.run([sandbox, *options, sys.executable, script, "--inside", program, name], check=False, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "PROSCENIUM_TURN": str(turn)})
        worst = 0
        for run in side_by_side(perform, [(turn,) for turn in range(times)], hands):
            print(run.stdout, end="", flush=True)
            # Failures take precedence over disturbed checks.
            worst = run.returncode if worst in (0, AGAIN) and run.returncode else worst
        return worst
    return main


def leave(perform, *arguments):
    """Calls `perform` and ends the process at once with its result, as `sys.exit` does, with every JACK client still
    open.

    PipeWire's libjack cancels its audio thread when a client is closed. A callback in Python may then hold the
    interpreter's lock, which is never released; a thread that waits for it waits for ever."""
    faulthandler.dump_traceback_later(STUCK, exit=True)
    try:
        answer = perform(*arguments)
    except BaseException:
        answer = traceback.format_exc()
    if not isinstance(answer, (int, type(None))):
        print(answer, file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(answer if isinstance(answer, int) else 0 if answer is None else 1)


def enter(usage, main, perform):
    """Entry of a script: `main(PROGRAM)`, or, when it calls itself inside a sandbox, `perform(PROGRAM, FOLDER)`, which
    returns an error, or None."""
    if len(sys.argv) == 4 and sys.argv[1] == "--inside":
        leave(perform, sys.argv[2], pathlib.Path(sys.argv[3]))
    if len(sys.argv) != 2:
        sys.exit(usage)
    sys.exit(main(os.path.abspath(sys.argv[1])))

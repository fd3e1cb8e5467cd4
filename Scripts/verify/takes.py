"""What checks on a real JACK server share: a stage that is told what to do through its control port, a programme played into
it on a frame, and takes that are made again where the server itself skipped sound.

A take that the machine disturbed says nothing of the program, and is never left out. Beside other checks TRIES takes are made; if all
are disturbed the check ends with AGAIN, and `Scripts/verify/all` runs it once more at the end, with nothing of its own beside it: what
was judged is kept, what was disturbed has TRIES_ALONE takes, after which it fails."""
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
from portplay import Surface
from session_phase import has_stage, words

RATE = 48000
#: Seconds that anything may take on a machine with much else to do.
PATIENCE = 60
#: Seconds after which what runs inside a sandbox is held to be stuck: it says where, and ends.
STUCK = 14400 if os.environ.get("PROSCENIUM_SOAK") else 600
#: What is said of a take that the machine was too late for.
MISSED = "the machine was late"
#: Set by `Scripts/verify/all` where others run beside this check.
BESIDE = "PROSCENIUM_VERIFY_BESIDE"
#: Names the file that keeps, from one run of a check to its next, what its takes said: a JSON array for each, of label, good and words.
JUDGED = "PROSCENIUM_VERIFY_JUDGED"
#: Takes of which all may be disturbed, beside others and alone.
TRIES, TRIES_ALONE = 3, 12
#: What `tally` and `until_whole` have in the place of good or not where the machine disturbed all takes; and the exit status that says so.
DISTURBED, AGAIN = "disturbed", 75


class Complaint(Exception):
    """What went wrong with a take."""


class Disturbed(Complaint):
    """What other work on the machine may be to blame for: beside other checks it is judged again, alone."""


class Missed(Complaint):
    """The machine was late, and nothing is wrong: what it was late for."""

    def __init__(self, what="the first frame had gone by"):
        super().__init__(f"{MISSED}: {what}")


def stop(process):
    """Kills a process that has not ended."""
    if process.poll() is None:
        process.kill()
    process.wait()


class Program:
    """A program that runs in a folder; killed with its `with` block where it has not ended. `options` are `subprocess.Popen`'s."""

    def __init__(self, words, folder, **options):
        options = {"stderr": subprocess.PIPE, **options}
        self.process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, text=True, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)


class Stage(Program):
    """`proscenium run` of a layout in `folder`, which records into TAKE.wav from its start on; gone with its `with` block."""

    def __init__(self, program, folder, port, take, *options, layout="5.1"):
        self.program, self.folder, self.port, self.player, self.hand = program, folder, str(port), None, None
        super().__init__([program, "run", "--quiet", "--layout", layout, "--start", "ctl", "--record", f"{take}.wav", "--overwrite",
                          "--allow-write", str(folder), "--control", self.port, *options], folder)

    def __exit__(self, *_):
        if self.player:
            stop(self.player)
        super().__exit__()

    def ctl(self, *words):
        """What the stage answers, as an object; None where it refuses or does not answer."""
        answer = subprocess.run([self.program, "ctl", *words, "--port", self.port], capture_output=True, text=True)
        return json.loads(answer.stdout) if answer.returncode == 0 and answer.stdout.startswith("{") else None

    def look(self):
        """What the stage says of its state; None where it does not answer. Asked by its port itself: to start `ctl` for each of many
        looks would take more of the processor than the stage."""
        try:
            self.hand = self.hand or Surface(self.port)
            return json.loads(self.hand.ask("/proscenium/status", patience=2))
        except (OSError, RuntimeError):
            # An answer that comes late is none to the next question.
            if self.hand:
                self.hand.socket.close()
            self.hand = None
            return None

    @property
    def status(self):
        """The stage's state, as soon as there is one."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise Complaint(f"the stage ended: {self.process.stderr.read()}")
            if has_stage(state := self.look()):
                return state
            time.sleep(0.02)
        raise Complaint(f"there is no stage within {PATIENCE} s; the session is {words(state)}")

    def loop(self, path):
        """Has a programme played round and round, and starts the stream; returns once sound comes in."""
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
        """Has the programme played from a period's first frame on, `lead` seconds ahead, and asks for the stream to start there.

        The stream is started at once, too: that tells where periods begin. Raises `Missed` where the frame had gone by before all
        was ready; `begun` waits for it."""
        period = self.status["period"]
        first = self.ctl("start")["frame"]
        self.first = (first + (lead * RATE + period - 1) // period * period) % 2**32
        self.player = subprocess.Popen(
            [self.program, "demo", "play", path, "--into", into, "--at", str(self.first), *options], cwd=self.folder,
            stdin=subprocess.DEVNULL)
        wait_for_ports("player:out_", channels, self.player)
        left = (self.first - self.status["jackFrame"]) % 2**32
        # Half a second for the player's one step from its last connection to its first frame, and half a second for the session to
        # hear what it is asked: while it waits for a frame it answers nothing, which could be asked for instead.
        if not RATE < left < 2**31:
            raise Missed
        self.start_at(self.first)
        time.sleep(0.5)

    def start_at(self, frame):
        """Asks for the stream to start at a frame of the server's clock; `begun` waits for it."""
        state = self.status
        #: How long the stream before will have become.
        self.former = state["streamFrame"] + (frame - state["jackFrame"]) % 2**32
        self.first = frame
        self.surface = Surface(self.port)
        self.surface.send("/proscenium/start", frame)

    def begun(self):
        """Returns when the stream has begun where `play` asked for it, and the stage's state tells of it, and not of the stream before."""
        try:
            frame = json.loads(self.surface.answer("/proscenium/start"))["frame"]
        except RuntimeError as refusal:
            if "had gone by" in str(refusal) or "did not run the cycle" in str(refusal):
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
        """Until the stream is so many frames long."""
        end = time.monotonic() + 2 * PATIENCE
        while (self.look() or {}).get("streamFrame", 0) < frames:
            if time.monotonic() > end or self.process.poll() is not None:
                raise Complaint("the stream stands still")
            time.sleep(0.02)

    def finish(self):
        """Has the stage end and complete its recordings."""
        self.ctl("quit")
        if self.process.wait(timeout=PATIENCE) != 0:
            said = self.process.stderr.read()[-300:]
            if "frames: the disk was too slow" in said:
                raise Missed(said)
            raise Complaint(f"the stage ended with code {self.process.returncode}: {said}")


def wait_for_ports(name, count, process):
    """Until so many ports whose names end in `name` and a number are connected, while a process runs."""
    end = time.monotonic() + PATIENCE
    # Each is listed itself and below the port that it is connected to.
    while subprocess.run(["jack_lsp", "-c"], capture_output=True, text=True).stdout.count(name) < 2 * count:
        if process.poll() is not None or time.monotonic() > end:
            raise Complaint(f"the ports {name}… are not connected")
        time.sleep(0.02)


def is_beside():
    """Whether other checks run beside this one, so that it may ask to be run again alone."""
    return BESIDE in os.environ


def tries():
    """Takes that may be made."""
    return TRIES if is_beside() else TRIES_ALONE


def until_whole(label, take):
    """Makes takes until the machine has left one undisturbed: (whether all was well, words) of the first such take. `take()` answers the same for
    one take, None in the first place where the machine disturbed it. If all were disturbed, the first is DISTURBED beside other checks,
    else False. `label` is the take's name among those of a check."""
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
    if path:
        with open(path, "a") as judged:
            judged.write(json.dumps([label, bool(well), what]) + "\n")
    return bool(well), what


def disturbed():
    """In the place of good or not for what the machine may be to blame for: beside others it is taken again, alone it has failed."""
    return DISTURBED if is_beside() else False


def tally(title, outcomes):
    """Prints each outcome (label; whether it is good, None where something that it needs is not there; what was found) as it comes, and
    their sum; the exit status. What lacks something is skipped, as Scripts/outcome reads it; that nothing was judged is a failure."""
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
    """What `judge` answers of each take, in their order; so many are made at once, for most of each is waiting."""
    with concurrent.futures.ThreadPoolExecutor(hands) as pool:
        yield from pool.map(lambda take: judge(*take), takes)


def trouble(run):
    """What went wrong inside a sandbox, as `until_whole` wants it: whether it failed, or the machine was late (None); None of both where
    all went well."""
    if run.returncode == 0:
        return None
    said = (run.stdout + run.stderr).strip()[-900:]
    return None if run.returncode == 125 or MISSED in said else False, said


def said_inside(script, program):
    """The outcomes that `perform` of a script, inside one sandbox, has written into its folder as `said`: by label, whether it is
    good, and what was found. One outcome where it went wrong as a whole."""
    sandbox = pathlib.Path(__file__).resolve().parent.parent / "jack-sandbox"
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([sandbox, "--sync", sys.executable, script, "--inside", program, folder], capture_output=True, text=True)
        if run.returncode != 0:
            yield "session", disturbed() if run.returncode == 125 else False, (run.stdout + run.stderr).strip()[-900:]
            return
        for name, (good, what) in json.loads((pathlib.Path(folder) / "said").read_text()).items():
            yield name, good, what


def alone(script, *options, times=1, hands=1):
    """A `main` that runs `perform` of a script inside so many sandboxes, `hands` of them at once, each with a folder of its own, and says what
    they said. Which of them it is, from 0 on, stands in PROSCENIUM_TURN."""
    def main(program):
        sandbox = pathlib.Path(__file__).resolve().parent.parent / "jack-sandbox"

        def perform(turn):
            with tempfile.TemporaryDirectory() as name:
                return subprocess.run([sandbox, *options, sys.executable, script, "--inside", program, name], check=False, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "PROSCENIUM_TURN": str(turn)})
        worst = 0
        for run in side_by_side(perform, [(turn,) for turn in range(times)], hands):
            print(run.stdout, end="", flush=True)
            # What failed counts before what is to be judged again.
            worst = run.returncode if worst in (0, AGAIN) and run.returncode else worst
        return worst
    return main


def leave(perform, *arguments):
    """Does what there is to do and ends the process at once, as `sys.exit` of the answer, with every JACK client still open.

    PipeWire's libjack cancels its audio thread where a client is closed. A callback in Python may then hold the interpreter's lock,
    which is never given back; a thread that waits for it waits for ever."""
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
    """The script's own end: `main(PROGRAM)`, or, called by itself inside a sandbox, `perform(PROGRAM, FOLDER)`, which answers
    what went wrong, or None."""
    if len(sys.argv) == 4 and sys.argv[1] == "--inside":
        leave(perform, sys.argv[2], pathlib.Path(sys.argv[3]))
    if len(sys.argv) != 2:
        sys.exit(usage)
    sys.exit(main(os.path.abspath(sys.argv[1])))

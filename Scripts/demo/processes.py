"""Programs started by a ride: each in a separate process group, with default signals, every wait with a timeout, all
ended at exit.

`manners(main)` runs a script: a failure is one line on standard error and an exit status of 3, to distinguish it from a
ride that misses its limits; Ctrl-C, a request to terminate or a closed terminal end every started program within a
second and a half.
"""

import concurrent.futures
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time

#: Timeout for a program's own end, for all killed programs together, and for a computation without processor time,
#: seconds.
PATIENCE, KILLED, IDLE = 1.0, 0.3, 60.0
#: Signals that request an end.
ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_started = []
_links = []
# Held while a program is started, so that none is missed when all are ended. A signal's handler runs in the main
# thread, which may hold it already: it is therefore reentrant, and a signal during a start waits for its end.
_starting = threading.RLock()
_leaving = False
_is_main_starting = False
_asked = None


class Failure(Exception):
    """One line for the user: the error, and where to look. `code` is the exit status: that of a program that ended, or
    3."""

    def __init__(self, message, code=3):
        super().__init__(message)
        # A program ended by a signal has a negative one.
        self.code = code if code and code > 0 else 3


class Late(Failure):
    """This computer was too slow: the only failure that counts as lateness."""


def described(error):
    """Returns the error in one line; for an unforeseen one, with its location."""
    if isinstance(error, Failure):
        return str(error)
    frame = error.__traceback__
    while frame.tb_next:
        frame = frame.tb_next
    return f"{type(error).__name__}: {error} ({os.path.basename(frame.tb_frame.f_code.co_filename)}:{frame.tb_lineno})"


def manners(main):
    """Runs `main` and ends the script with its result."""
    # The parent process may ignore or block signals; programs started from here would inherit that.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    for number in ASKING:
        signal.signal(number, _end_at_once)
    code = 3
    try:
        code = main() or 0
    except Failure as failure:
        code = failure.code
        _say(f"bus: {described(failure)}")
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 3
        if isinstance(leaving.code, str):
            _say(leaving.code)
    except Exception as error:
        _say(f"bus: {described(error)}")
    finally:
        _end_all()
        _unlink()
    _leave(code)


def _say(line):
    print(line.replace("\n", " "), file=sys.stderr, flush=True)


def _end_at_once(number, _frame):
    global _asked
    if _is_main_starting:
        _asked = _asked or number
        return
    # A further signal must not interrupt this; ignored by a handler, because children inherit ignored signals.
    for other in ASKING:
        signal.signal(other, lambda *_: None)
    _end_all()
    _unlink()
    _leave(128 + number)


def _end_all():
    """Ends every started program, and prevents further starts."""
    global _leaving
    with _starting:
        _leaving = True
        running = list(_started)
    end(running)


def _leave(code):
    """Ends this process without waiting for its threads."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            pass
    os._exit(code)


def _unlink():
    for link in _links:
        if os.path.islink(link):
            os.unlink(link)


def forget_later(link):
    """Removes a symbolic link at the end of the script, however it ends."""
    _links.append(link)


def start(command, **more):
    """Starts a program in a separate process group. Handlers of this process are default actions in its children."""
    global _is_main_starting
    is_main = threading.current_thread() is threading.main_thread()
    with _starting:
        if _leaving:
            raise Failure("the ride is ending")
        if is_main:
            _is_main_starting = True
        try:
            child = subprocess.Popen([str(word) for word in command], start_new_session=True, **more)
            _started.append(child)
        finally:
            if is_main:
                _is_main_starting = False
    if is_main and _asked:
        _end_at_once(_asked, None)
    return child


def end(children, patience=PATIENCE):
    """Asks programs to end, and kills them after `patience` seconds, with all their descendants."""
    alive = [child for child in children if child.poll() is None]
    for child in alive:
        _signal(child, signal.SIGTERM)
    until = time.monotonic() + patience
    while any(child.poll() is None for child in alive) and time.monotonic() < until:
        time.sleep(0.02)
    for child in children:
        _signal(child, signal.SIGKILL)
    until = time.monotonic() + KILLED
    for child in children:
        try:
            child.wait(timeout=max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass  # Blocked in the kernel; it ends once it returns.
        if child in _started:
            _started.remove(child)


def _signal(child, number):
    try:
        os.killpg(child.pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def ended(child, what, seconds):
    """Waits for a program that is about to end; returns its exit status."""
    try:
        return child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"{what} did not end within {seconds:g} s") from None


def line_of(child, what, seconds):
    """Returns the next line of a program's (unbuffered, binary) standard output."""
    until, text = time.monotonic() + seconds, b""
    while not text.endswith(b"\n"):
        left = until - time.monotonic()
        if left <= 0 or not select.select([child.stdout], [], [], left)[0]:
            raise Failure(f"{what} said nothing within {seconds:g} s")
        piece = os.read(child.stdout.fileno(), 1)
        if not piece:
            raise Failure(f"{what} ended with code {ended(child, what, 5)} before it was ready")
        text += piece
    return text.decode().strip()


def run(command, what, idle=IDLE, stdout=subprocess.DEVNULL, environment=None, fine=(0,)):
    """Runs a computation to its end: returns its exit status, one of `fine`. On a busy machine it may take long, but
    must not stall."""
    with tempfile.TemporaryFile() as errors:
        child = start(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=errors, env=environment)
        spent, since = -1.0, time.monotonic()
        while True:
            try:
                code = child.wait(timeout=2)
                break
            except subprocess.TimeoutExpired:
                now = processor_seconds(child.pid)
                if now > spent:
                    spent, since = now, time.monotonic()
                elif time.monotonic() - since > idle:
                    end([child])
                    raise Failure(f"{what} stood still for {idle:g} s") from None
        # Its remaining descendants end with it.
        end([child])
        if code not in fine:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines()
            raise Failure(f"{what} failed (code {code}): {lines[-1] if lines else 'it said nothing'}")
        return code


def in_pairs(work, items, done):
    """Calls `work` on each item, two at a time; `done` receives the number of finished ones. The first failure ends
    all."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        tasks = [pool.submit(work, item) for item in items]
        try:
            count, running = 0, set(tasks)
            while running:
                # A signal that another thread receives does not interrupt a wait of the main thread, in which its handler
                # runs: no wait without a timeout.
                finished, running = concurrent.futures.wait(running, 0.2, concurrent.futures.FIRST_COMPLETED)
                for task in finished:
                    task.result()
                    count += 1
                    done(count)
        except BaseException:
            for task in tasks:
                task.cancel()
            _end_all()
            raise


def processor_seconds(session):
    """Returns the processor time of the programs of a session so far, seconds."""
    ticks = 0
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[3] == str(session):
            ticks += sum(int(number) for number in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def wait_until(condition, complaint, seconds):
    """Polls a condition; returns its last value. `complaint` is a text, or a function that returns one."""
    until = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > until:
            raise Failure(complaint() if callable(complaint) else complaint)
        time.sleep(0.1)


class Progress:
    """The current activity: in place on a terminal, else a line every ten seconds."""

    def __init__(self, what):
        self.what, self.state = what, ""
        self.begun = time.monotonic()
        self.in_place = sys.stderr.isatty()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join(timeout=1)
        if self.in_place:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def tell(self, state):
        """Shows the progress as text."""
        self.state = state

    def _run(self):
        while not self._over.wait(0.5 if self.in_place else 10):
            gone = time.monotonic() - self.begun
            words = f"bus: {self.what}{', ' if self.state else ''}{self.state}, {gone:.0f} s so far"
            print(f"\r{words}\x1b[K" if self.in_place else words, end="" if self.in_place else "\n", file=sys.stderr, flush=True)

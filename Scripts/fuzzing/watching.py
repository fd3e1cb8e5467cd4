"""Runs the program within limits of time and memory, and judges its end."""
import os
import pathlib
import signal
import subprocess
import time

#: Permitted exit statuses of the program: success, input, usage, environment, interrupted.
STATUSES = (0, 1, 2, 3, 130)
#: Greatest memory of the program, MB; AddressSanitizer needs two to three times the usual amount.
MEMORY = 2048
ENVIRONMENT = {
    # An excessive allocation fails as in the system: the library gets NULL and reports an error.
    "ASAN_OPTIONS": f"detect_leaks=0:exitcode=99:hard_rss_limit_mb={MEMORY}:allocator_may_return_null=1",
    # A backtrace takes longer than the time limit.
    "SWIFT_BACKTRACE": "enable=no",
}


class Finding(Exception):
    """A crash, a hang, or memory beyond the limit."""


class Running:
    """The running program; its standard error is kept."""

    def __init__(self, program, arguments, folder, stdin=None, environment=None):
        self.arguments = [str(argument) for argument in arguments]
        self.log = pathlib.Path(folder, "stderr.txt")
        self.begun = time.monotonic()
        feed = pathlib.Path(folder, "stdin.bin")
        if stdin is not None:
            feed.write_bytes(stdin)
        with open(self.log, "wb") as log, open(feed if stdin is not None else os.devnull, "rb") as source:
            self.process = subprocess.Popen(
                [program, *self.arguments], cwd=folder, stdin=source, stdout=subprocess.DEVNULL, stderr=log,
                env={**os.environ, **ENVIRONMENT, "HOME": str(folder), **(environment or {})}, start_new_session=True)
        # Kept open, because the program may remove the file.
        self.said = open(self.log, "rb")
        self.status = self.usage = None

    def poll(self):
        """Returns whether it has ended."""
        if self.status is None:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.status, self.usage = os.waitstatus_to_exitcode(status), usage
                self.process.returncode = self.status
        return self.status is not None

    def signal(self, number):
        if not self.poll():
            self.process.send_signal(number)

    def wait(self, seconds):
        """Waits for the end, and judges it. Raises a Finding."""
        end = time.monotonic() + seconds
        while not self.poll():
            if time.monotonic() > end:
                self.process.kill()
                while not self.poll():
                    time.sleep(0.01)
                raise Finding(f"hang: no end after {seconds} s")
            time.sleep(0.005)
        self.judge()
        return self.status

    def judge(self):
        if self.status not in STATUSES:
            raise Finding(f"crash: status {self.status}: {self.last_words()} ({' '.join(self.arguments)[:500]})")
        if self.usage.ru_maxrss > MEMORY * 1024:
            raise Finding(f"memory: {self.usage.ru_maxrss >> 10} MB")

    def last_words(self):
        self.said.seek(0)
        text = self.said.read()[-20_000:].decode(errors="replace").strip().splitlines()
        for line in text:
            if "ERROR: AddressSanitizer" in line or "Fatal error" in line:
                return line[:300]
        return text[-1][:300] if text else "(silent)"

    def memory(self):
        """Returns the resident memory in MB; 0 after the end."""
        try:
            for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
                if line.startswith("VmRSS"):
                    return int(line.split()[1]) >> 10
        except (FileNotFoundError, ProcessLookupError):
            pass
        return 0

    def end(self, seconds=15):
        """Requests its end, and judges it."""
        self.signal(signal.SIGINT)
        return self.wait(seconds)

    def destroy(self):
        self.said.close()
        if not self.poll():
            self.process.kill()
            while not self.poll():
                time.sleep(0.01)


def run(program, arguments, folder, seconds=40, stdin=None, environment=None, interrupt=None):
    """Runs the program to its end; `interrupt`: seconds until a signal ends it, for commands that do not end by
    themselves."""
    running = Running(program, arguments, folder, stdin, environment)
    try:
        if interrupt is not None:
            end = time.monotonic() + interrupt
            while time.monotonic() < end and not running.poll():
                time.sleep(0.01)
            running.signal(signal.SIGINT)
        return running.wait(seconds)
    finally:
        running.destroy()

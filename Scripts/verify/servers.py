"""Servers for checks of the JACK client, each in a separate sandbox: jackd, and PipeWire's JACK. Also a client that
reads the session's ports, metadata and latencies, and neighbours that report latencies or send MIDI."""
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import time

from planted import cache
from portplay import Patchbay
from takes import PATIENCE, Complaint

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
AUDIO, MIDI = b"32 bit float mono audio", b"8 bit raw midi"
IS_INPUT, IS_OUTPUT = 1, 2
CAPTURES, PLAYBACKS = 0, 1
SIGNALS = {"SIGTERM": signal.SIGTERM, "SIGKILL": signal.SIGKILL}
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def until(what, condition, patience=PATIENCE):
    """Waits for an expected state, with the timeout of a busy machine."""
    end = time.monotonic() + patience
    while not (found := condition()):
        if time.monotonic() > end:
            raise Complaint(f"{what}: not within {patience} s")
        time.sleep(0.1)
    return found


class Jackd:
    """jackd with its dummy driver, as in jack-sandbox."""

    name, ears, phones = "jackd", "system:playback_{1,2}", ["system:playback_1", "system:playback_2"]
    #: Requested and actual periods: it takes any.
    periods = {frames: frames for frames in (16, 32, 64, 100, 1000, 1024, 8192)}

    @staticmethod
    def sandbox(rate=48000, period=256, ports=512):
        return [SCRIPTS / "jack-sandbox", "--sync", "--rate", str(rate), "--period", str(period), "--ports", str(ports)]

    def __init__(self):
        self.process, self.running = None, int(os.environ["JACK_SANDBOX_SERVER_PID"])

    def set_period(self, frames):
        subprocess.run(["jack_bufsize", str(frames)], check=False, **QUIET)

    def end(self, number):
        end(self, number)

    def start(self, rate, period, ports=512):
        """Starts a server after the previous one ended; retries while the previous one is still exiting."""
        command = ["jackd", "-r", "-S", "-p", str(ports), "-d", "dummy", "-r", str(rate), "-p", str(period)]

        def answers():
            if self.process is None or self.process.poll() is not None:
                self.process = subprocess.Popen(command, **QUIET)
                self.running = self.process.pid
            return subprocess.run(["timeout", "5", "jack_lsp"], check=False, **QUIET).returncode == 0

        until("jackd answers", answers)


class PipeWire:
    """PipeWire with WirePlumber and a null sink, as in pipewire-sandbox."""

    name, ears, phones = "PipeWire", "system:playback_F[LR]", ["system:playback_FL", "system:playback_FR"]
    #: Requested and actual periods of 0.3.65: the next lower power of two, at most 8192.
    periods = {16: 16, 32: 32, 64: 64, 100: 64, 1000: 512, 1024: 1024, 8192: 8192}

    @staticmethod
    def sandbox(rate=48000, period=256, ports=512):
        return [SCRIPTS / "pipewire-sandbox", "--rate", str(rate), "--quantum", str(period)]

    def __init__(self):
        self.process, self.running = None, int(os.environ["PIPEWIRE_SANDBOX_SERVER_PID"])
        self.manager = None

    def settle(self, key, value):
        """Sets a value of PipeWire's settings metadata."""
        subprocess.run(["pw-metadata", "-n", "settings", "0", key, str(value)], check=False, timeout=PATIENCE, **QUIET)

    def set_period(self, frames):
        self.settle("clock.force-quantum", frames)

    def end(self, number):
        end(self, number)
        if self.manager:
            # It ends by itself after its server; one that remains would hold the devices of the next one.
            self.manager.kill()
            self.manager.wait()

    def start(self, rate, period, ports=512):
        """Starts a server and its session manager after the previous ones ended."""
        conf = pathlib.Path(os.environ["XDG_CONFIG_HOME"]) / "pipewire/pipewire.conf.d/10-null.conf"
        text = re.sub(r"(default\.clock\.rate = )\d+", rf"\g<1>{rate}", conf.read_text())
        conf.write_text(re.sub(r"(default\.clock\.quantum = )\d+", rf"\g<1>{period}", text))
        socket = pathlib.Path(os.environ["XDG_RUNTIME_DIR"]) / "pipewire-0"
        socket.unlink(missing_ok=True)
        log = socket.with_name("pipewire.log")
        with log.open("w") as file:
            self.process = subprocess.Popen(["pipewire"], stdout=file, stderr=file)
        self.running = self.process.pid
        until("pipewire listens, or has ended", lambda: socket.exists() or self.process.poll() is not None)
        if self.process.poll() is not None:
            raise Complaint(f"pipewire ended with {self.process.returncode} at its start: {log.read_text()[-400:]}")
        self.manager = subprocess.Popen(["wireplumber"], **QUIET)
        until("pipewire has a sink", lambda: self.phones[0] in listing())

    def restart_manager(self, pause):
        """Kills the session manager that `start` began, and starts another after `pause` seconds."""
        self.manager.kill()
        self.manager.wait()
        time.sleep(pause)
        self.manager = subprocess.Popen(["wireplumber"], **QUIET)


def end(server, number):
    """Ends the processes of a server by a signal, and waits for their end."""
    os.kill(server.running, number)
    if server.process:
        server.process.wait(timeout=PATIENCE)
    else:
        until(f"the {server.name} of the sandbox ends", lambda: not runs(server.running))


def runs(process):
    """Whether a process runs; False for one that has ended and was not reaped.

    If it is killed, its first thread may end before the others. Until the last one ends, its files stay open and locked.
    """
    place = pathlib.Path(f"/proc/{process}")
    try:
        return (place / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z" or len(list((place / "task").iterdir())) > 1
    except OSError:
        return False


def listing(*words):
    """Returns the output of `jack_lsp`; empty without a server."""
    answer = subprocess.run(["timeout", "5", "jack_lsp", *words], capture_output=True, text=True, check=False)
    return answer.stdout if answer.returncode == 0 else ""


SERVERS = (Jackd, PipeWire)


def few_plugins(folder):
    """Restricts later programs to the three plugins used here, because a scan of all plugins takes long."""
    place = folder / "lv2"
    place.mkdir()
    for bundle in ("fast_lookahead_limiter-swh.lv2", "dpl.lv2", "eg-amp.lv2"):
        (place / bundle).symlink_to(f"/usr/lib/lv2/{bundle}")
    os.environ.update(PROSCENIUM_CACHE=cache(folder / "cache"), LV2_PATH=str(place))


def here():
    """Returns the server of this process's sandbox."""
    return Jackd() if "JACK_SANDBOX_SERVER_PID" in os.environ else PipeWire()


def latencies(prefix):
    """Returns the latencies that `jack_lsp -l` prints for ports whose names begin with `prefix`: {port: {"capture":
    (least, most), "playback": …}}."""
    found, port = {}, None
    for line in listing("-l", prefix).splitlines():
        if match := re.search(r"port (playback|capture) latency = \[ (\d+) (\d+) \]", line):
            found[port][match[1]] = (int(match[2]), int(match[3]))
        elif line and not line[0].isspace():
            port = line.strip()
            found[port] = {}
    return found


class Stranger(Patchbay):
    """A client that inspects the ports of others."""

    PROCESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)

    def __init__(self, name="stranger"):
        super().__init__(name)
        jack = self.jack
        jack.jack_get_ports.restype = ctypes.POINTER(ctypes.c_char_p)
        jack.jack_get_ports.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong]
        jack.jack_port_uuid.restype, jack.jack_port_uuid.argtypes = ctypes.c_uint64, [ctypes.c_void_p]
        jack.jack_port_flags.argtypes = [ctypes.c_void_p]
        jack.jack_port_type.restype, jack.jack_port_type.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
        jack.jack_get_property.argtypes = [ctypes.c_uint64, ctypes.c_char_p] + [ctypes.POINTER(ctypes.c_char_p)] * 2
        jack.jack_port_register.restype = ctypes.c_void_p
        jack.jack_port_register.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_ulong]
        jack.jack_activate.argtypes = jack.jack_recompute_total_latencies.argtypes = [ctypes.c_void_p]
        jack.jack_set_process_callback.argtypes = [ctypes.c_void_p, self.PROCESS, ctypes.c_void_p]

    def names(self, pattern, kind=None, flags=0):
        """Returns the names of the ports that match a pattern, in the server's order."""
        found = self.jack.jack_get_ports(self.client, pattern.encode(), kind, flags)
        names = []
        while found and found[len(names)]:
            names.append(found[len(names)].decode())
        return names

    def port(self, name):
        found = self.jack.jack_port_by_name(self.client, name.encode())
        if not found:
            raise Complaint(f"there is no port {name}")
        return found

    def flags(self, name):
        return self.jack.jack_port_flags(self.port(name))

    def kind(self, name):
        return self.jack.jack_port_type(self.port(name))

    def property(self, name, key):
        """Returns (value, type) of a port's metadata, by the last word of JACK's key; None without one."""
        value, kind = ctypes.c_char_p(), ctypes.c_char_p()
        subject = self.jack.jack_port_uuid(self.port(name))
        key = f"http://jackaudio.org/metadata/{key}".encode()
        if self.jack.jack_get_property(subject, key, ctypes.byref(value), ctypes.byref(kind)) != 0:
            return None
        return value.value.decode(), (kind.value or b"").decode()

    def register(self, name, flags, kind=AUDIO):
        port = self.jack.jack_port_register(self.client, name.encode(), kind, flags, 0)
        if not port:
            raise Complaint(f"no port {name} is left for a neighbour")
        return port

    def activate(self):
        if self.jack.jack_activate(self.client) != 0:
            raise Complaint("a neighbour is not activated")


class Neighbour(Stranger):
    """A source or a sink with one port that reports a latency of some frames.

    On jackd it reports in its callback; on PipeWire directly, because 0.3.65 may stop calling a client that reports in
    the callback."""

    def __init__(self, name, flags, frames):
        super().__init__(name)
        self.frames, self.mode = frames, CAPTURES if flags == IS_OUTPUT else PLAYBACKS
        self.mine = self.register("port", flags)
        self.jack.jack_port_set_latency_range.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
        report = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)
        self.asks = here().name == "jackd"
        if self.asks:
            self.jack.jack_set_latency_callback.argtypes = [ctypes.c_void_p, report, ctypes.c_void_p]
            self.jack.jack_set_latency_callback(
                self.client, self.keep(report(lambda mode, _: self.tell() if mode == self.mode else None)), None)
        # jackd reads latencies only of clients that take part in its cycles.
        self.jack.jack_set_process_callback(self.client, self.keep(self.PROCESS(lambda _frames, _context: 0)), None)
        self.activate()
        self.reports(frames)

    def tell(self):
        both = (ctypes.c_uint32 * 2)(self.frames, self.frames)
        self.jack.jack_port_set_latency_range(self.mine, self.mode, both)

    def reports(self, frames):
        """Changes the reported latency to `frames`."""
        self.frames = frames
        if self.asks:
            self.jack.jack_recompute_total_latencies(self.client)
        else:
            self.tell()


class MIDISender(Stranger):
    """Sends MIDI messages at given frames while `going`; `sent` holds the server's frame of each."""

    def __init__(self, name, messages, gaps):
        """`messages`: bytes of each; `gaps`: frames from one to the next."""
        super().__init__(name)
        jack = self.jack
        port = self.register("out", IS_OUTPUT, MIDI)
        for call in ("jack_port_get_buffer", "jack_midi_event_reserve"):
            getattr(jack, call).restype = ctypes.c_void_p
        jack.jack_port_get_buffer.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
        jack.jack_midi_clear_buffer.argtypes = [ctypes.c_void_p]
        jack.jack_midi_event_write.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_size_t]
        jack.jack_last_frame_time.restype, jack.jack_last_frame_time.argtypes = ctypes.c_uint32, [ctypes.c_void_p]
        jack.jack_port_connected.argtypes = [ctypes.c_void_p]
        self.sent, self.going, self.mine = [], False, port
        state = {"next": None}

        def run(frames, _):
            buffer = jack.jack_port_get_buffer(port, frames)
            jack.jack_midi_clear_buffer(buffer)
            cycle = jack.jack_last_frame_time(self.client)
            if self.going and state["next"] is None:
                state["next"] = cycle + frames
            while state["next"] is not None and len(self.sent) < len(messages) and state["next"] < cycle + frames:
                # Messages due in a lost cycle are sent at the beginning of the next.
                offset = max(0, state["next"] - cycle)
                message = messages[len(self.sent)]
                jack.jack_midi_event_write(buffer, offset, message, len(message))
                self.sent.append(cycle + offset)
                state["next"] += gaps[len(self.sent) % len(gaps)]
            return 0

        jack.jack_set_process_callback(self.client, self.keep(self.PROCESS(run)), None)
        self.activate()

    @property
    def connected(self):
        return self.jack.jack_port_connected(self.mine) > 0

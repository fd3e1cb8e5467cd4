"""A Razor AHRS head tracker on a pseudo-terminal: its handshake and its binary angles, 50 times a second.

Razor_AHRS's protocol by its documentation: `#s` and two digits request `#SYNCH` with those digits; `#ob` selects binary
angles, `#o1` starts the stream; then 12 bytes a frame, yaw, pitch, roll in degrees as little-endian floats, x front,
y right, z down: yaw is positive to the right, pitch up, roll right ear down.
"""

import os
import pty
import select
import struct
import threading
import time
import tty

RATE = 50


class RazorTracker:
    """Answers on a pseudo-terminal at `path`; `yaw_pitch_roll(moment)` returns degrees by our convention, or None while
    silent."""

    def __init__(self, yaw_pitch_roll):
        self._master, self._slave = pty.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._angles = yaw_pitch_roll
        self.streams = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self):
        self._ended.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)

    def _run(self):
        due = time.monotonic()
        pending = b""
        while not self._ended.is_set():
            wait = max(0, due - time.monotonic())
            if select.select([self._master], [], [], wait)[0]:
                got = os.read(self._master, 256)
                pending = self._obey(pending + got)
            if time.monotonic() >= due:
                due += 1 / RATE
                angles = self._angles(time.monotonic()) if self.streams else None
                if angles is not None:
                    yaw, pitch, roll = angles
                    os.write(self._master, struct.pack("<3f", -yaw, pitch, roll))

    def _obey(self, text):
        """Answers the commands at the beginning of `text`; returns the incomplete rest."""
        while b"#" in text:
            text = text[text.index(b"#"):]
            if text.startswith(b"#s"):
                if len(text) < 4:
                    return text
                os.write(self._master, b"#SYNCH" + text[2:4] + b"\r\n")
                text = text[4:]
            elif text.startswith(b"#o"):
                if len(text) < 3:
                    return text
                if text[2:3] in b"01":
                    self.streams = text[2:3] == b"1"
                if text[2:3] in b"e" and len(text) < 4:
                    return text
                text = text[4:] if text[2:3] == b"e" else text[3:]
            elif len(text) < 2:
                return text
            else:
                text = text[1:]
        return b""

"""Sound for a page, compressed by libsndfile: the library by which proscenium itself reads and writes sound files."""

import ctypes
import os
import tempfile

import numpy as np

#: File formats by preference: media type, libsndfile's format. MP3 needs libsndfile 1.1; FLAC can be left out of a
#: build of it, 16-bit WAV cannot.
FORMATS = [("audio/mpeg", 0x230082), ("audio/flac", 0x170002), ("audio/wav", 0x010002)]
#: Commands of sf_command: SFC_SET_COMPRESSION_LEVEL takes a double, SFC_SET_BITRATE_MODE an int, 0 for a constant rate,
#: SFC_SET_CLIPPING its last argument.
_LEVEL, _MODE, _CLIPPING = 0x1301, 0x1305, 0x10C0
#: Bit rate of MP3, kbit/s, from 320 at level 0 to 32 at level 1 (MPEG-1, 32 to 48 kHz).
_RATE, _HIGHEST, _LOWEST = 192, 320, 32
_WRITE = 0x20


class _Info(ctypes.Structure):
    """SF_INFO of sndfile.h."""
    _fields_ = [("frames", ctypes.c_int64), ("samplerate", ctypes.c_int), ("channels", ctypes.c_int), ("format", ctypes.c_int),
                ("sections", ctypes.c_int), ("seekable", ctypes.c_int)]


def _library():
    library = ctypes.CDLL("libsndfile.so.1")
    library.sf_open.restype = ctypes.c_void_p
    library.sf_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(_Info)]
    library.sf_command.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
    library.sf_writef_float.restype = ctypes.c_int64
    library.sf_writef_float.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    library.sf_close.argtypes = [ctypes.c_void_p]
    library.sf_strerror.restype = ctypes.c_char_p
    library.sf_strerror.argtypes = [ctypes.c_void_p]
    return library


def compressed(samples, rate, formats=None):
    """Returns (media type, bytes) in the first of `formats` that this libsndfile writes: MP3 of 192 kbit/s, else FLAC,
    else WAV. `samples`: [frame][channel], clipped at full scale; `rate` in Hz."""
    library = _library()
    block = np.ascontiguousarray(samples, dtype=np.float32)
    for kind, form in formats or FORMATS:
        info = _Info(samplerate=rate, channels=block.shape[1], format=form)
        if not library.sf_format_check(ctypes.byref(info)):
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sound")
            file = library.sf_open(os.fsencode(path), _WRITE, ctypes.byref(info))
            if not file:
                raise ValueError(f"libsndfile does not write {kind}: {library.sf_strerror(None).decode()}")
            library.sf_command(file, _CLIPPING, None, 1)
            if kind == "audio/mpeg":
                mode, level = ctypes.c_int(0), ctypes.c_double((_HIGHEST - _RATE) / (_HIGHEST - _LOWEST))
                library.sf_command(file, _MODE, ctypes.byref(mode), ctypes.sizeof(mode))
                library.sf_command(file, _LEVEL, ctypes.byref(level), ctypes.sizeof(level))
            written = library.sf_writef_float(file, block.ctypes.data, len(block))
            complaint = library.sf_strerror(file).decode()
            if library.sf_close(file) or written != len(block):
                raise ValueError(f"libsndfile wrote {written} of {len(block)} frames of {kind}: {complaint}")
            with open(path, "rb") as made:
                return kind, made.read()
    raise ValueError(f"libsndfile writes none of {', '.join(kind for kind, _ in formats or FORMATS)} at {rate} Hz")

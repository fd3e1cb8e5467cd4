"""Sound files as arrays [frame][channel], float64 in memory, 32-bit float on disk."""

import struct

import numpy as np

#: Channel mask of 7.1.4 in file order: FL FR FC LFE BL BR SL SR TFL TFR TBL TBR.
MASK_7_1_4 = 0x2D63F
#: Channel symbols of 7.1.4 in file order.
CHANNELS_7_1_4 = ["FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR", "TFL", "TFR", "TBL", "TBR"]

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE


def write(path, samples, rate, mask=0):
    """Writes float32 WAVE_FORMAT_EXTENSIBLE; `samples` is [frame][channel] or [frame]."""
    samples = np.asarray(samples, dtype=np.float32)
    if samples.ndim == 1:
        samples = samples[:, None]
    channels = samples.shape[1]
    data = samples.astype("<f4", copy=False).tobytes()
    subformat = struct.pack("<H", _FLOAT) + bytes.fromhex("000000001000800000aa00389b71")
    fmt = struct.pack(
        "<HHIIHHHHI", _EXTENSIBLE, channels, rate, rate * channels * 4, channels * 4, 32, 22, 32, mask) + subformat
    head = b"WAVE" + _chunk(b"fmt ", fmt) + _chunk(b"fact", struct.pack("<I", len(samples)))
    head += b"data" + struct.pack("<I", len(data))
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", len(head) + len(data)) + head)
        file.write(data)


def _chunk(name, body):
    return name + struct.pack("<I", len(body)) + body


def read(path):
    """Reads WAV or RF64, integer or float: (samples [frame][channel] float64, rate)."""
    with open(path, "rb") as file:
        content = file.read()
    if content[:4] not in (b"RIFF", b"RF64") or content[8:12] != b"WAVE":
        raise ValueError(f"{path}: not a WAV file")
    at, form, long_size = 12, None, None
    while at + 8 <= len(content):
        name, size = content[at:at + 4], struct.unpack_from("<I", content, at + 4)[0]
        body = at + 8
        if name == b"ds64":
            long_size = struct.unpack_from("<Q", content, body + 8)[0]
        elif name == b"fmt ":
            form = struct.unpack_from("<HHIIHH", content, body)
            tag = form[0]
            if tag == _EXTENSIBLE:
                tag = struct.unpack_from("<H", content, body + 24)[0]
        elif name == b"data":
            if form is None:
                raise ValueError(f"{path}: no format before the data")
            if size == 0xFFFFFFFF and long_size is not None:
                size = long_size
            return _decode(path, memoryview(content)[body:body + size], tag, form), form[2]
        at = body + size + (size & 1)
    raise ValueError(f"{path}: no data chunk")


def _decode(path, raw, tag, form):
    channels, bits = form[1], form[5]
    frame = channels * bits // 8
    raw = raw[:len(raw) // frame * frame]
    if tag == _FLOAT:
        flat = np.frombuffer(raw, {32: "<f4", 64: "<f8"}[bits]).astype(float)
    elif tag == _PCM and bits == 24:
        bytes3 = np.frombuffer(raw, np.uint8).reshape(-1, 3).astype(np.int32)
        flat = ((bytes3[:, 0] | bytes3[:, 1] << 8 | bytes3[:, 2] << 16) << 8 >> 8) / 2.0**23
    elif tag == _PCM and bits in (16, 32):
        flat = np.frombuffer(raw, f"<i{bits // 8}") / 2.0**(bits - 1)
    else:
        raise ValueError(f"{path}: format {tag} with {bits} bits is not read here")
    return flat.reshape(-1, channels)

"""The sound of the demonstration's page: written without ffmpeg, read back by libsndfile itself."""

import ctypes
import pathlib
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts/demo"))
import page_sound

RATE = 48000
_READ = 0x10


def opened(content):
    """Returns [frame][channel] and the rate of a sound file."""
    library = page_sound._library()
    library.sf_readf_float.restype = ctypes.c_int64
    library.sf_readf_float.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        info = page_sound._Info()
        handle = library.sf_open(file.name.encode(), _READ, ctypes.byref(info))
        if not handle:
            raise ValueError(library.sf_strerror(None).decode())
        samples = np.zeros((info.frames, info.channels), np.float32)
        library.sf_readf_float(handle, samples.ctypes.data, info.frames)
        library.sf_close(handle)
    return samples, info.samplerate


def tones():
    """Returns a second of 440 Hz at the left and 1 kHz at the right, half of full scale; Fortran order, as scipy's
    filters give it."""
    t = np.arange(RATE) / RATE
    return np.asfortranarray(np.stack([0.5 * np.sin(2 * np.pi * 440 * t), 0.5 * np.sin(2 * np.pi * 1000 * t)], 1))


class PageSound(unittest.TestCase):
    def test_each_format_gives_the_sound_back_in_its_place(self):
        # Largest error inside the sound, dB: coding for MP3, rounding to 16 bits for the others.
        for form, bound in zip(page_sound.FORMATS, (-30, -90, -90)):
            with self.subTest(form[0]):
                kind, content = page_sound.compressed(tones(), RATE, [form])
                heard, rate = opened(content)
                self.assertEqual((kind, rate, heard.shape), (form[0], RATE, (RATE, 2)))
                error = np.abs(heard - tones())[2400:-2400].max()
                self.assertLess(20 * np.log10(error), bound)

    def test_mp3_has_192_kbit_a_second(self):
        _, content = page_sound.compressed(np.tile(tones(), (10, 1)), RATE, page_sound.FORMATS[:1])
        self.assertAlmostEqual(len(content) * 8 / 10, 192e3, delta=3e3)

    def test_sound_beyond_full_scale_is_clipped_not_wrapped(self):
        _, content = page_sound.compressed(3 * tones(), RATE, page_sound.FORMATS[2:])
        heard, _ = opened(content)
        self.assertGreater(np.min(heard * np.sign(tones())), -1e-3)
        self.assertGreater(np.abs(heard).max(), 0.999)

    def test_a_format_that_is_not_written_gives_way_to_the_next(self):
        self.assertEqual(page_sound.compressed(tones(), RATE, [("audio/none", 0x7F0000), page_sound.FORMATS[1]])[0], "audio/flac")
        with self.assertRaisesRegex(ValueError, "audio/none"):
            page_sound.compressed(tones(), RATE, [("audio/none", 0x7F0000)])


if __name__ == "__main__":
    unittest.main()

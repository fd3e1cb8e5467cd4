"""Invalid input made from valid input: bytes, texts and numbers, the same for the same seed."""
import struct

#: Numbers that often cause faults.
NUMBERS = ["0", "-0", "1", "-1", "0.5", "1e-45", "1e-30", "1e19", "1e308", "1e999", "-1e308", "nan", "inf", "-inf", "127", "255", "65535",
           "65536", "2147483647", "2147483648", "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808",
           "-9223372036854775809", "18446744073709551616", "0x7fffffffffffffff", "0x1p3", "1e", "--1", "1,5", "\u0663", ""]
TEXTS = NUMBERS + ["on", "off", "none", "auto", "all", "stereo", "5.1", "ambi3", "%s%n%d", "a" * 5000, "\u0000", "\u202e\u0000x", "[" * 600,
                   "{}", "null", "true", "\"", "\\", "/", "..", "\r\n", "\ufeff", "\U0001f600", " ", "=", ",", ":", ";"]
#: Sizes, counts and floating-point values as in files, little-endian.
FIELDS = [struct.pack("<I", n) for n in (0, 1, 2, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE)]
FIELDS += [struct.pack("<Q", n) for n in (0, 1, 1 << 31, 1 << 32, (1 << 62) + 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, (1 << 64) - 8)]
FIELDS += [struct.pack("<f", x) for x in (float("nan"), float("inf"), 1e-45, 1e30)]
FIELDS += [struct.pack("<d", x) for x in (float("nan"), -float("inf"), 1e-320, 1e300)]


def of_bytes(random, seed, most=1 << 20):
    """Returns `seed` with some damage; sometimes none."""
    data = bytearray(seed)
    for _ in range(random.choice((0, 1, 1, 1, 2, 3, 8))):
        place = random.randrange(len(data) + 1)
        # Headers have more effect than the data after them.
        if random.random() < 0.6:
            place = min(place, random.randrange(1, 4) * 64)
        kind = random.randrange(8)
        if kind == 0 and data:
            data[place % len(data)] ^= 1 << random.randrange(8)
        elif kind in (1, 2):
            field = random.choice(FIELDS)
            field = field if random.random() < 0.6 else field[::-1]
            data[place:place + len(field)] = field
        elif kind == 3:
            del data[place:place + random.choice((1, 2, 4, 8, 100, 1 << 20))]
        elif kind == 4:
            data[place:place] = bytes(random.randrange(256) for _ in range(random.choice((1, 4, 8, 60))))
        elif kind == 5 and data:
            begin = random.randrange(len(data))
            data[place:place] = data[begin:begin + random.choice((4, 8, 64, 1000))]
        elif kind == 6:
            data[place:place + 4] = bytes(random.choice((0, 255)) for _ in range(4))
        elif data:
            data[place % len(data)] = random.randrange(256)
    return bytes(data[:most])


def of_text(random, seed):
    """Returns a text with changed words and numbers; sometimes changed bytes."""
    if random.random() < 0.15:
        return of_bytes(random, seed.encode())
    pieces, word = [], ""
    for letter in seed:
        if letter.isalnum() or letter in ".-+_":
            word += letter
        else:
            pieces += [word, letter] if word else [letter]
            word = ""
    pieces.append(word)
    for _ in range(random.choice((1, 1, 2, 4))):
        place = random.randrange(len(pieces))
        kind = random.randrange(5)
        if kind < 2:
            pieces[place] = random.choice(TEXTS)
        elif kind == 2:
            del pieces[place:place + random.choice((1, 3, 20))]
            pieces = pieces or [""]
        elif kind == 3:
            pieces[place:place] = [random.choice(pieces)] * random.choice((1, 2, 50))
        else:
            other = random.randrange(len(pieces))
            pieces[place], pieces[other] = pieces[other], pieces[place]
    return "".join(pieces).encode(errors="surrogatepass")

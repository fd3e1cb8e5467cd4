"""Valid messages of every tracker format, and the program with invalid ones by UDP and over a serial line."""
import os
import pty
import socket
import struct
import time

from . import mutations
from .watching import Finding, Running

_hex = bytes.fromhex

#: A report of AirPods' head tracking.
_AIRPODS = _hex("0100ca9a3b000000000304 4340420f0000000000 00c000c00040000000fe0000 100010001000000000000000 000000040000 000000000800")

#: Formats of datagrams, and their messages.
DATAGRAMS = {
    "osc": [b"/ypr\0\0\0\0,fff\0\0\0\0" + struct.pack(">3f", 30, -5, 2.5),
            b"/quaternion\0,ffff\0\0\0" + struct.pack(">4f", 0.70710677, 0, 0, 0.70710677),
            b"#bundle\0" + struct.pack(">QI", 1, 28) + b"/ypr\0\0\0\0,fff\0\0\0\0" + struct.pack(">3f", 1, 2, 3),
            b"/gyrosc/gyro\0\0\0\0,fff\0\0\0\0" + struct.pack(">3f", 0.1, 0.2, 0.3)],
    "opentrack": [struct.pack("<6d", 0, 0, 0, 30, -5, 2.5)],
    "ximu3": [b"A,1000000,2.5,5.0,30.0\r\nQ,1010000,0.7071,0.0000,0.0000,0.7071\r\n", b"R,5,0,-1,0,1,0,0,0,0,1\r\n",
              _hex("c940420f00000000000000003f0000a0bf000020410000000000000000000080 3f0a"),
              _hex("d1dbdcdbdddbdc0000000000f304353f0000000000000000f304353f0a")],
    "slimevr": [_hex("00000011000000000000000100010000000000003f3504f33f3504f300"),
                _hex("0000000100000000000000020000000000000000 3f3504f33f3504f3"),
                _hex("0000006400000000000000040005000000150300170000001100010000000000000000 3f3504f33f3504f300"),
                _hex("00000015000000000000000902"), b"\0\0\0\x03" + bytes(8) + bytes(60)],
    "hyperimu": [b"1518819953744, 0.1,0.2,9.8, 0.5,-0.25,1.5, 20,-5,-40\r\n"],
    "freepie": [_hex("00020000003fcdccccbd") + bytes(40), _hex("0001000000000000000000002041000000 3f0000803e00000000") + bytes(24)],
    "sony": [b'{"version":2,"device":"WH-1000XM5","rotationVector":[0.012,-0.004,0.31],"quaternion":[0.987,0.006,-0.002,0.155],'
             b'"yprDegrees":[17.84,-0.46,1.37],"gyroscope":[0.01,0.0,-0.02],"accelerometer":null,"resetCounter":0}'],
    "airpods": [_hex("040004001700000010004500 08ac0210013a3e080e1a3a") + _AIRPODS + bytes(2),
                _hex("040004001700000010004300 08ac0210071a3a0e00") + _AIRPODS + bytes(2)],
    "waves-nx": [_hex("00000000412d412d0003")],
    "lines": [b"quat,,,0.7071,0,0,0.7071,0,0,0.5\nrecentre,full\n", b"imu,7,1234567890123,0.01,-0.02,0.03,0.1,0.2,9.81\n",
              b'{"seq":4294967295,"ns":1000000000,"gyro":[0.01,0,0],"acc":[0,0,9.81],"mag":[20,0,-40]}\n', b"device,test\n"],
}
#: Formats of serial lines.
STREAMS = {
    "nvsonic": [b" 0.7071, 0.0000, 0.0000, 0.7071; 0.9659, 0.2588, 0.0000, 0.0000;"],
    "razor": [b"#YPR=30.00,5.00,-3.00\r\n", b"#SYNCH00\r\n#SYNCH01\r\n" + _hex("0000f0410000a040000040c0"),
              b"#A-C=25.6,0.00,256.00\r\n#M-C=1.0,2.0,3.0\r\n#G-C=14.375,28.75,-14.375\r\n"],
    "bno08x-rvc": [_hex("aaaade010092ff25088dfeecffd103000000e7")],
    "witmotion": [_hex("5551000000000008c4097b555200000000c205c4093b"), _hex("555014021d0c2238150356555300000000 0040c409b5")],
    "witmotion-fused": [_hex("5559825a00000000825a66")],
    "ximu3": DATAGRAMS["ximu3"], "airpods": DATAGRAMS["airpods"], "lines": DATAGRAMS["lines"],
    "teapot": [_hex("24022d41000000002d4100050d0a")],
    "hatire": [_hex("aaaa07000000f0410000a040000040c00000000000000000000000005555")],
    "xsens": [_hex("faff361a1060040001e24020 10103f80000000000000000000000000 00001b")],
    "polhemus": [b"02   20.40 -61.06  30.01-150.70 -42.08 156.93\r\n"],
}
STREAMS["auto"] = [message for messages in STREAMS.values() for message in messages]


def message(random, seeds):
    """Returns a damaged message of `seeds`; sometimes several in sequence."""
    data = b"".join(mutations.of_bytes(random, random.choice(seeds)) for _ in range(random.choice((1, 1, 1, 2, 5))))
    return data if random.random() < 0.98 else data * 400


def free_port():
    """Returns a UDP port that was free a moment ago."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listen(rig, random, folder, tracker, device, send, seconds=4):
    """Runs `track` with invalid messages for some seconds, valid ones between them, and ends it by a signal."""
    arguments = ["track", "--head", tracker, "--device", device, "--format", "ndjson", "--rate", "20"]
    running = Running(rig.program, arguments, folder)
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if running.poll():
                running.judge()
                raise Finding(f"it ended by itself: {running.last_words()}")
            for _ in range(20):
                send()
            if running.memory() > rig.memory:
                raise Finding(f"memory: {running.memory()} MB")
            time.sleep(0.005)
        running.end()
    finally:
        running.destroy()


def datagrams(rig, random, folder):
    """Runs `track` with two trackers by UDP, of any two formats."""
    formats = [random.choice(sorted(DATAGRAMS)) for _ in range(2)]
    ports = [free_port() for _ in formats]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        def send():
            which = random.randrange(2)
            data = message(random, DATAGRAMS[formats[which]] if random.random() < 0.9 else DATAGRAMS["osc"])[:65_507]
            try:
                sender.sendto(data, ("127.0.0.1", ports[which]))
            except ConnectionRefusedError:
                pass
        variants = {"ximu3": ["ximu3", "ximu3-fused"]}
        words = [f"{random.choice(variants.get(name, [name]))}:{port}" for name, port in zip(formats, ports)]
        listen(rig, random, folder, words[0], words[1], send)


def serial(rig, random, folder):
    """Runs `track` with a tracker on a serial line whose other end is this runner."""
    name = random.choice(sorted(STREAMS))
    ours, theirs = pty.openpty()
    os.set_blocking(ours, False)
    path = os.ttyname(theirs)
    try:
        def send():
            try:
                os.read(ours, 65_536)
            except OSError:
                pass
            try:
                os.write(ours, message(random, STREAMS[name])[:2000])
            except OSError:
                pass
        listen(rig, random, folder, f"serial:{path},{name}", "none", send)
    finally:
        os.close(theirs)
        os.close(ours)

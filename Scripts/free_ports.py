"""Ports of this machine that are free, for UDP and TCP both.

A program that must be told a port before it opens it leaves a gap between the choice and the opening. In that gap the port is safe
from the system, which hands out others by itself, and from processes that choose by this module: each choice is held, under a name in
the kernel, until the process that made it ends. Where a program can be given port 0 and asked afterwards, that is better.
"""

import pathlib
import random
import socket

#: Names that hold the ports of this process.
_held = []


def _candidates():
    """Ports that the system does not hand out by itself, in no order."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    ports = list(range(10_000, max(first, 12_000)))
    random.SystemRandom().shuffle(ports)
    return ports


def free_ports(count):
    """As many ports, all different."""
    ports = []
    for port in _candidates():
        if len(ports) == count:
            return ports
        name = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            name.bind(f"\0proscenium-port-{port}")
            for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
                with socket.socket(socket.AF_INET, kind) as trial:
                    trial.bind(("127.0.0.1", port))
        except OSError:
            # Another process has chosen it, or has it open.
            name.close()
            continue
        _held.append(name)
        ports.append(port)
    if len(ports) == count:
        return ports
    raise OSError(f"{count} free ports are wanted, and there are {len(ports)}")

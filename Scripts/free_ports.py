"""Free ports of this machine, for both UDP and TCP.

A program that needs a port number before it opens the port leaves a gap between choice and opening. In that gap the
system does not assign the port, because it assigns ports from another range, and processes that use this module do not
choose it: each choice is held, as a socket name in the kernel, until the choosing process ends. If a program accepts
port 0 and reports its port, that is better.
"""

import pathlib
import random
import socket

#: Sockets that hold the ports of this process.
_held = []


def _candidates():
    """Returns ports outside the system's own range, in random order."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    ports = list(range(10_000, max(first, 12_000)))
    random.SystemRandom().shuffle(ports)
    return ports


def free_ports(count):
    """Returns `count` different free ports."""
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
            # Another process has chosen or opened this port.
            name.close()
            continue
        _held.append(name)
        ports.append(port)
    if len(ports) == count:
        return ports
    raise OSError(f"{count} free ports are wanted, and there are {len(ports)}")

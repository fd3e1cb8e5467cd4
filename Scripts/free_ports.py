"""UDP ports of this machine that are free, chosen by the system.

Programs that must be told a port before they open it leave a gap between the choice and the opening. It is kept small: the
system hands out ports in no order, so that one just given back is the last it would give to somebody else soon. Where a program
can be given port 0 and asked afterwards, that is better.
"""

import socket


def free_ports(count):
    """As many ports, all different."""
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()

"""Ports of this machine that are free, for UDP and TCP both, chosen by the system.

Programs that must be told a port before they open it leave a gap between the choice and the opening. It is kept small: the
system hands out ports in no order, so that one just given back is the last it would give to another program soon. Where a program
can be given port 0 and asked afterwards, that is better.
"""

import socket


def free_ports(count):
    """As many ports, all different."""
    sockets, ports = [], []
    try:
        while len(ports) < count:
            datagrams, stream = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            sockets += [datagrams, stream]
            datagrams.bind(("127.0.0.1", 0))
            port = datagrams.getsockname()[1]
            try:
                stream.bind(("127.0.0.1", port))
            except OSError:
                # A connection has it, or had it a minute ago. Both stay taken until all are found.
                continue
            ports.append(port)
        return ports
    finally:
        for one in sockets:
            one.close()

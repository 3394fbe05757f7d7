"""Ports of the loopback interface."""

import socket
import zlib


def free_port(folder):
    """One that nobody has, of those that no connection gets by itself. Tests with folders of their own, which may run
    at once, begin at different ones."""
    for port in range(20000 + zlib.crc32(folder.encode()) % 9000, 30000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise AssertionError("every port is taken")

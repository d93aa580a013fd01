"""Runs a command in a network of its own that reaches nothing but itself: unshare -rn python alone.py COMMAND..."""

import fcntl
import os
import socket
import struct
import sys

SET_FLAGS, UP_AND_RUNNING = 0x8914, 0x41  # SIOCSIFFLAGS, IFF_UP | IFF_RUNNING

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
    fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", UP_AND_RUNNING))
os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606 - the command takes the place of this process

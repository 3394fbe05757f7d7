"""What happens in a folder, from inotify: Python has no module for it."""

import ctypes
import os
import select
import struct

_MOVED_TO = 0x80
_CREATE = 0x100
_HEADER = struct.Struct("iIII")  # watch, mask, cookie, length of the name


class FolderEvents:
    """Iterating it waits for files that appear in the folder, and gives their names, until stop()."""

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self._inotify = libc.inotify_init1(os.O_CLOEXEC)
        if self._inotify < 0 or libc.inotify_add_watch(self._inotify, os.fsencode(folder), _MOVED_TO | _CREATE) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), folder)
        self._stopped, self._stop = os.pipe()

    def __iter__(self):
        while True:
            readable, _, _ = select.select([self._inotify, self._stopped], [], [])
            if self._stopped in readable:
                return
            data = os.read(self._inotify, 65536)
            offset = 0
            while offset < len(data):
                length = _HEADER.unpack_from(data, offset)[3]
                offset += _HEADER.size + length
                yield os.fsdecode(data[offset - length:offset].rstrip(b"\0"))

    def stop(self):
        os.write(self._stop, b"\0")

    def close(self):
        """When nobody iterates any more."""
        for descriptor in (self._inotify, self._stopped, self._stop):
            os.close(descriptor)

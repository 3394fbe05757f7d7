"""pack_sources.py ROOT ARCHIVE: all source files below ROOT in one tar that depends on names and contents alone."""

import io
import os
import sys
import tarfile

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
import source_tree  # noqa: E402  (found beside this file, wherever it is run from)


def pack(root, archive):
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(source_tree.walk(root)):
            with open(os.path.join(root, path), "rb") as file:
                content = file.read()
            member = tarfile.TarInfo(path)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


if __name__ == "__main__":
    pack(sys.argv[1], sys.argv[2])

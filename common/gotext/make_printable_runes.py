#!/usr/bin/env python3
"""Writes printable_runes_table.inc: the runes that Go prints as they are, as ranges.

Printable is what is in the categories L, M, N, P and S, and the ASCII space. The table is that of Unicode 15.0, which Go
uses from 1.21 to 1.26. A Python that knows Unicode 14.0 lacks what 15.0 assigned; those ranges are listed here.

    python3 common/gotext/make_printable_runes.py > common/gotext/printable_runes_table.inc
"""

import sys
import unicodedata

ASSIGNED_IN_15_0 = [
    (0x0CF3, 0x0CF3), (0x0ECE, 0x0ECE), (0x10EFD, 0x10EFF), (0x1123F, 0x11241), (0x11B00, 0x11B09),
    (0x11F00, 0x11F10), (0x11F12, 0x11F3A), (0x11F3E, 0x11F59), (0x1342F, 0x1342F), (0x13440, 0x13455),
    (0x1B132, 0x1B132), (0x1B155, 0x1B155), (0x1D2C0, 0x1D2D3), (0x1DF25, 0x1DF2A), (0x1E030, 0x1E06D),
    (0x1E08F, 0x1E08F), (0x1E4D0, 0x1E4F9), (0x1F6DC, 0x1F6DC), (0x1F774, 0x1F776), (0x1F77B, 0x1F77F),
    (0x1F7D9, 0x1F7D9), (0x1FA75, 0x1FA77), (0x1FA87, 0x1FA88), (0x1FAAD, 0x1FAAF), (0x1FABB, 0x1FABD),
    (0x1FABF, 0x1FABF), (0x1FACE, 0x1FACF), (0x1FADA, 0x1FADB), (0x1FAE8, 0x1FAE8), (0x1FAF7, 0x1FAF8),
    (0x2B739, 0x2B739), (0x31350, 0x323AF),
]


def printable(rune):
    if rune == 0x20 or unicodedata.category(chr(rune))[0] in "LMNPS":
        return True
    return any(first <= rune <= last for first, last in ASSIGNED_IN_15_0)


def ranges():
    found = []
    for rune in range(sys.maxunicode + 1):
        if not printable(rune):
            continue
        if found and found[-1][1] == rune - 1:
            found[-1][1] = rune
        else:
            found.append([rune, rune])
    return found


def main():
    version = unicodedata.unidata_version
    if version not in ("14.0.0", "15.0.0"):
        sys.exit("needs a Python with Unicode 14.0 or 15.0, this one has " + version)
    print("// Written by make_printable_runes.py from Unicode 15.0; first and last rune of each printable range.")
    pairs = ["{0x%X, 0x%X}," % tuple(pair) for pair in ranges()]
    for start in range(0, len(pairs), 5):
        print(" ".join(pairs[start:start + 5]))


if __name__ == "__main__":
    main()

"""table_test.py ROWS DOCUMENT: whether the table in DOCUMENT is the one of ROWS, a row a line."""

import sys


def main(rows_path, document_path):
    with open(rows_path, encoding="utf-8") as file:
        wanted = file.read().splitlines()
    with open(document_path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|---")) + 1
    end = next((i for i in range(start, len(lines)) if not lines[i].startswith("|")), len(lines))
    if lines[start:end] != wanted:
        sys.exit(f"the table of {document_path} is to be:\n" + "\n".join(wanted))


if __name__ == "__main__":
    main(*sys.argv[1:])

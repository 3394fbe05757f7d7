"""plant_bug.py SOURCE EDITS OUTPUT: a copy of SOURCE with the edits of the JSON file EDITS.

What an edit looks for must be there exactly once: a mutant of code that has moved on is not quietly no mutant any more.
"""

import json
import sys


def mutated(text, edits, source):
    for edit in edits:
        count = text.count(edit["find"])
        if count != 1:
            raise ValueError(f"{source} has this {count} times instead of once; the mutant has to follow the code:\n{edit['find']}")
        if edit["find"] == edit["replace"]:
            raise ValueError(f"an edit of {source} that changes nothing:\n{edit['find']}")
        text = text.replace(edit["find"], edit["replace"])
    # Failures name the product's source.
    return f'#line 1 "{source}"\n{text}'


def main(source_path, edits_path, output_path):
    with open(edits_path, encoding="utf-8") as file:
        plan = json.load(file)
    with open(source_path, encoding="utf-8") as file:
        text = file.read()
    try:
        text = mutated(text, plan["edits"], plan["source"])
    except ValueError as error:
        sys.exit(f"plant_bug: {error}")
    with open(output_path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])

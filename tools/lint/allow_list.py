"""allowed.txt: the exceptions to the rules, each with its reason.

One entry a line, "#" begins a comment:

    rule | path or glob | reason

An entry without a reason, for a rule that does not exist, or that permits nothing any more, is itself a finding.
"""

import dataclasses
import fnmatch

from source_tree import Finding

PATH = "tools/lint/allowed.txt"
_RULE = "allowed"


@dataclasses.dataclass
class _Entry:
    line: int
    rule: str
    glob: str
    is_used: bool = False


class AllowList:
    """Takes away the findings that are permitted, and remembers which entries were needed."""

    def __init__(self, text, known_rules):
        self._entries = []
        self._findings = []
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip() and not line.lstrip().startswith("#"):
                self._add(number, line, known_rules)

    def _add(self, number, line, known_rules):
        parts = [part.strip() for part in line.split("|", 2)]
        if len(parts) != 3 or not all(parts):
            self._complain(number, "an entry is `rule | path | reason`, and needs all three")
        elif parts[0] not in known_rules:
            self._complain(number, f"there is no rule named {parts[0]}")
        else:
            self._entries.append(_Entry(number, parts[0], parts[1]))

    def _complain(self, number, message):
        self._findings.append(Finding(PATH, number, _RULE, message))

    def filter(self, findings):
        """The findings that no entry permits."""
        return [finding for finding in findings if not self._permits(finding)]

    def _permits(self, finding):
        permitted = False
        for entry in self._entries:
            if entry.rule == finding.rule and fnmatch.fnmatchcase(finding.path, entry.glob):
                entry.is_used = permitted = True
        return permitted

    def findings(self, checked_rules):
        """What is wrong with the list itself, once everything under `checked_rules` was filtered."""
        stale = [
            Finding(PATH, entry.line, _RULE, f"{entry.rule} | {entry.glob} permits nothing any more: remove it")
            for entry in self._entries
            if entry.rule in checked_rules and not entry.is_used
        ]
        return self._findings + stale

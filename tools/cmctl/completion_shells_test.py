"""completion_shells_test.py CMCTL: what bash, zsh and fish offer on a command line. Bash has to be there; a shell that is
not installed is told of as skipped."""

import os
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

PATIENCE = 60  # seconds; for what comes at once on a machine that is not busy

# A line, the words that are offered at its end, and whether files are.
LINES = [
    ("cmctl checkpoint ver", {"verify"}, False),
    ("cmctl get po", {"pods"}, False),
    ("cmctl --root-dir /x get po", {"pods"}, False),
    ("cmctl plugin ", {"probe", "call", "--help"}, False),
    ("cmctl get pods --no", {"--no-headers"}, True),
    # The name of a pod is no verb.
    ("cmctl describe pod get ", {"--help", "--namespace", "--endpoint", "--root-dir"}, True),
    ("cmctl admit --file", {"--filename"}, True),
    ("cmctl none", set(), False),
]

BASH = """
source ./script
COMP_WORDS=($1)
[[ $1 != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_cmctl
printf '%s\\n' "${COMPREPLY[@]}"
"""
# What the completion offers is written into a pipe, out of zsh's own completion system.
ZSH = """PS1=; autoload -Uz compinit; compinit -u -D; source ./script
compadd() { builtin compadd -O found "$@" }; _files() { files=yes }
probe() { found=() files=no; _cmctl; print -r -- "$files $found" >offered }
compdef probe cmctl; bindkey -e; bindkey '^I' complete-word
"""


class CompletionShellsTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def environment(self):
        return {"HOME": self.folder, "PATH": os.environ["PATH"], "TERM": "dumb"}

    def program(self, shell):
        found = shutil.which(shell)
        if found is None:
            self.skipTest(shell + " is not installed")
        with open(os.path.join(self.folder, "script"), "wb") as file:
            file.write(subprocess.run([CMCTL, "completion", shell], stdout=subprocess.PIPE, check=True).stdout)
        return found

    def run_shell(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, timeout=PATIENCE, check=True)
        return done.stdout.decode().splitlines()

    def test_bash(self):
        self.assertIsNotNone(shutil.which("bash"))
        bash = self.program("bash")
        for line, words, _ in LINES:
            with self.subTest(line):
                self.assertEqual({word for word in self.run_shell(bash, "-c", BASH, "bash", line) if word}, words)

    def test_fish(self):
        fish = self.program("fish")
        # The script lies there, too, and is offered as any file.
        for line, words, files in LINES:
            with self.subTest(line):
                offered = set(self.run_shell(fish, "-N", "-c", f"source script; complete -C '{line}'"))
                self.assertEqual(offered, words | ({"script"} if files and line.endswith(" ") else set()))

    def test_zsh(self):
        zsh = self.program("zsh")
        os.mkfifo(os.path.join(self.folder, "offered"))
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve(zsh, [zsh, "-f", "-i"], self.environment())
        self.addCleanup(self.end, child, terminal)
        os.write(terminal, ZSH.encode())
        for line, words, files in LINES:
            with self.subTest(line):
                os.write(terminal, line.encode() + b"\t")
                # Whoever waits too long for the shell is ended, and nothing was offered.
                offered = self.run_shell("timeout", str(PATIENCE - 10), "cat", "offered")[0].split()
                self.assertEqual((offered[0], set(offered[1:])), ("yes" if files else "no", words))
                os.write(terminal, b"\x15")  # the line is left

    @staticmethod
    def end(child, terminal):
        os.close(terminal)
        os.kill(child, 9)
        os.waitpid(child, 0)


if __name__ == "__main__":
    CMCTL = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)

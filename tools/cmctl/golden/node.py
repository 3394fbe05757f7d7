"""A daemon with a plugin and a driver, as programs, and what cmctl says of them with all that changes masked."""

import os
import re
import subprocess
import threading

PATIENCE = 60  # seconds; for what comes at once on a machine that is not busy

MASKS = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "<TIME>"),
    (re.compile(r'("\w*unix_nanos"): ?"\d{19}"'), r'\1: "<NANOS>"'),
    (re.compile(r"wrote \d+ bytes"), "wrote <N> bytes"),
    (re.compile(r'("number"): ?"\d+"'), r'\1: "<N>"'),
    (re.compile(r"\bevent/\d+"), "event/<N>"),
    # An age, in a column or in brackets.
    (re.compile(r"(?<=[ (])\d+(s|m|m\d+s)(?=[ )\n])"), "<AGE>"),
    # Columns are as wide as what is masked was.
    (re.compile(r"(?<=\S) {2,}"), "  "),
    (re.compile(r" +\n"), "\n"),
    # The number of an event, before its details: others may come between.
    (re.compile(r"(?<=  )\d+(?=  \w+=)"), "<N>"),
]


class Node:
    """One root folder and what runs on it."""

    def __init__(self, programs, root):
        self.programs = programs  # daemon, plugin, driver, cmctl: paths
        self.root = root
        self.running = []
        self.daemon = None
        self.environment = {"HOME": root, "PATH": os.environ["PATH"], "USER": "tester",
                            "KUBELET_CM_ENDPOINT": os.path.join(root, "kubelet_cm.sock")}
        os.mkdir(os.path.join(root, "claims"))

    def path(self, *names):
        return os.path.join(self.root, *names)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, program, *arguments):
        """Starts a program, and waits until it says something."""
        process = subprocess.Popen([self.programs[program], *arguments], cwd=self.root, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.running.append(process)
        with limit(process):
            assert process.stdout.readline(), program + " says nothing"
        return process

    def start_daemon(self):
        self.daemon = self.start("daemon", "--root-dir", self.root, "--healthz-port", "0", "--node-name", "node-1",
                                 "--claim-manifest-path", self.path("claims"))

    def end(self, process):
        process.terminate()
        process.wait(PATIENCE)

    def stop(self):
        for process in self.running:
            process.kill()
            process.wait()
            process.stdout.close()

    def cmctl(self, line, standard_input=""):
        """The transcript of one command: what it printed, with errors behind "! ", and its exit code."""
        words = line.replace("<ROOT>", self.root).split()
        done = subprocess.run([self.programs["cmctl"], *words], cwd=self.root, env=self.environment,
                              input=standard_input.encode(), capture_output=True, timeout=PATIENCE, check=False)
        errors = "".join("! " + error + "\n" for error in done.stderr.decode().splitlines())
        return f"$ cmctl {line}\n{self.masked(done.stdout.decode() + errors)}= {done.returncode}\n\n"

    def masked(self, text):
        text = text.replace(self.root, "<ROOT>")
        for mask, instead in MASKS:
            text = mask.sub(instead, text)
        return text

    def watch(self, *words):
        """cmctl with --watch, once it has said its first line."""
        process = subprocess.Popen([self.programs["cmctl"], *words, "--watch"], cwd=self.root, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with limit(process):
            first = process.stdout.readline().decode()
        return process, self.masked(first)

    def wait_for(self, pattern, *words):
        """Until `cmctl WORDS --watch` prints a line with the pattern."""
        process = subprocess.Popen([self.programs["cmctl"], *words, "--watch"], cwd=self.root, env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        with limit(process):
            found = any(re.search(pattern, line.decode()) for line in process.stdout)
        process.kill()
        process.wait()
        process.stdout.close()
        assert found, f"no {pattern} in cmctl {words}"


class limit:
    """Kills a process that is waited for too long, so that reading from it ends."""

    def __init__(self, process):
        self.timer = threading.Timer(PATIENCE, process.kill)

    def __enter__(self):
        self.timer.start()

    def __exit__(self, *_):
        self.timer.cancel()

import os
import subprocess
import sys
import tempfile
import unittest

import source_tree


class SourceTreeTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = os.path.join(folder.name, "root")
        self.archive = os.path.join(folder.name, "sources.tar")

    def write(self, *paths):
        for path in paths:
            os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)
            with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
                file.write(f"in {path}\n")

    def pack(self):
        packer = os.path.join(os.path.dirname(os.path.abspath(source_tree.__file__)), "pack_sources.py")
        subprocess.run([sys.executable, "-B", packer, self.root, self.archive], check=True)
        with open(self.archive, "rb") as file:
            return file.read()

    def test_sources_count_and_what_tools_leave_behind_does_not(self):
        self.write("BUILD", "a/x.cc", "a/data.bin", "a/__pycache__/x.py", ".git/x.py", ".ci/run", "bazel-bin/x.cc", "a/bazel-x/x.cc",
                   "a/golden/state.json", "a/golden/x.cc", "user.bazelrc")
        os.symlink("x.cc", os.path.join(self.root, "a/link.cc"))
        tree = source_tree.SourceTree.of_folder(self.root)
        self.assertEqual(tree.paths(), [".ci/run", "BUILD", "a/bazel-x/x.cc", "a/golden/x.cc", "a/x.cc"])
        self.assertEqual(tree.paths(".py", "x.cc"), ["a/bazel-x/x.cc", "a/golden/x.cc", "a/x.cc"])

    def test_the_archive_holds_the_same_tree(self):
        self.write("BUILD", "a/x.cc")
        self.pack()
        tree = source_tree.SourceTree.of_archive(self.archive)
        self.assertEqual(tree.paths(), ["BUILD", "a/x.cc"])
        self.assertEqual(tree.text("a/x.cc"), "in a/x.cc\n")

    def test_the_archive_depends_on_names_and_contents_alone(self):
        self.write("BUILD", "a/x.cc")
        before = self.pack()
        self.write("a/x.cc", "a/x.bin")
        os.utime(os.path.join(self.root, "BUILD"), (1, 1))
        self.assertEqual(self.pack(), before)
        self.write("a/new.cc")
        self.assertNotEqual(self.pack(), before)


if __name__ == "__main__":
    unittest.main()

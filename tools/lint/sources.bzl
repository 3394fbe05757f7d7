"""source_archive: every source file of this repository, in one file that a test can declare as its input.

A lint test must see the whole tree, new files and new packages included. A filegroup in every package would be easy to
forget, and a test that reads the workspace behind Bazel's back would have to run every time and could not run elsewhere.
So a repository rule packs the tree into @lint_sources//:sources.tar. Bazel watches the folders: the rule runs again when
a file appears, changes or goes, and since the archive depends on nothing but names and contents, the tests that read it
stay cached as long as no source changed. It needs no version control metadata.
"""

# Neither sources nor quiet: Bazel's own links, version control, editors. Other hidden folders hold sources (.ci).
_LEFT_OUT = [".git", ".cache", ".idea", ".vscode", ".clangd"]

def _is_watched_folder(path):
    return not path.basename.startswith("bazel-") and path.basename not in _LEFT_OUT and path.is_dir

def _source_archive_impl(rctx):
    root = rctx.workspace_root
    packer = rctx.path(rctx.attr.packer)
    for entry in root.readdir(watch = "yes"):
        if _is_watched_folder(entry):
            rctx.watch_tree(entry)
        elif not entry.basename.startswith("bazel-") and entry.basename not in _LEFT_OUT:
            rctx.watch(entry)
    python = rctx.which("python3") or fail("lint: python3 is not on PATH; apt-get install python3")
    result = rctx.execute([python, "-B", packer, root, "sources.tar"])
    if result.return_code != 0:
        fail("lint: packing the sources failed:\n" + result.stderr)
    rctx.file("BUILD", "exports_files([\"sources.tar\"], visibility = [\"//visibility:public\"])\n")

source_archive = repository_rule(
    implementation = _source_archive_impl,
    # Bazel then trusts no record of an earlier run: one that names a folder which is gone would be an error.
    local = True,
    attrs = {"packer": attr.label(default = "//tools/lint:pack_sources.py", allow_single_file = True)},
    doc = "All sources of the main repository as //:sources.tar.",
)

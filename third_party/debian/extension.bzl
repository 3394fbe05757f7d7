"""The same repositories for MODULE.bazel (an extension) and for WORKSPACE (a function)."""

load(":libraries.bzl", "LIBRARIES", "repository_name")
load(":library.bzl", "debian_library")

def _declare(library):
    row = LIBRARIES[library]
    debian_library(
        name = repository_name(library),
        archives = getattr(row, "archives", []),
        headers = getattr(row, "headers", []),
        library = library,
        link = getattr(row, "link", []),
        minimum = row.minimum,
        package = row.package,
        pkg_config = row.pkg_config,
        programs = getattr(row, "programs", {}),
        protos = getattr(row, "protos", []),
        shared = getattr(row, "shared", []),
    )

def _debian_libraries_impl(_mctx):
    for library in LIBRARIES:
        _declare(library)

debian_libraries = module_extension(
    implementation = _debian_libraries_impl,
    doc = "Declares a repository for each library; only those that are used are fetched, and so checked.",
)

def workspace_libraries():
    """WORKSPACE's way to the same: a thin module and a repository for each library."""
    for library in LIBRARIES:
        _declare(library)
        native.local_repository(
            name = library,
            path = "third_party/modules/" + library,
        )

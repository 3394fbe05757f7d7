"""cc_library, cc_test and cc_binary as everywhere, with the headers that nearly every file includes precompiled.

    load("//tools/bazel:cc.bzl", "cc_library", "cc_test")

More than half of a compiler's time went into the same headers of the standard library, Abseil and GoogleTest: into reading
them, into the templates that they need themselves, and into those that every source needs, as std::string. The first two are
done once a configuration (tools/bazel/precompiled) and put before every source, the last are in a library. A source still
includes what it uses: clang-tidy reads the products without them.

A target with copts of its own is compiled without, since what is precompiled holds for one set of code
generation flags only.
"""

load(":precompiled.bzl", "PRECOMPILED_COPTS")

_PRECOMPILED = Label("//tools/bazel/precompiled:BUILD")

def _with_precompiled(kind, attributes):
    """Adds the precompiled header of this kind ("products" or "tests") to a rule's attributes."""
    if not attributes.get("srcs") or attributes.get("copts"):
        return attributes
    folder = "/".join([part for part in ["$(BINDIR)", _PRECOMPILED.workspace_root, _PRECOMPILED.package] if part])
    return attributes | {
        "copts": ["-include", "%s/%s.h" % (folder, kind)] + PRECOMPILED_COPTS,
        "deps": attributes.get("deps", []) + [
            _PRECOMPILED.relative(":" + kind),
            _PRECOMPILED.relative(":instances"),  # of templates that the header only declares
        ],
    }

def _kind(attributes):
    return "tests" if attributes.get("testonly") else "products"

def cc_library(**attributes):
    native.cc_library(**_with_precompiled(_kind(attributes), attributes))

def cc_binary(**attributes):
    native.cc_binary(**_with_precompiled(_kind(attributes), attributes))

def cc_test(**attributes):
    native.cc_test(**_with_precompiled("tests", attributes))

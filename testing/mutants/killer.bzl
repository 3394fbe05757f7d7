"""killer_test: a cc_test whose cases can be linked a second time, with a planted bug (mutant.bzl).

    load("//testing/mutants:killer.bzl", "killer_test")

    killer_test(
        name = "device_crash_test",
        size = "small",
        srcs = ["device_crash_test.cc"],
        deps = [...],
    )

is a cc_test; its cases are the library :device_crash_test_cases, which only //testing/mutants sees.
"""

load("//tools/bazel:cc.bzl", "cc_library", "cc_test")

_MAIN = "@googletest//:gtest_main"

def killer_test(name, srcs, deps, **attributes):
    """A test, and its cases as a library.

    Args:
        name: of the test; the library is <name>_cases.
        srcs: the sources of the cases.
        deps: what the cases need; with gtest_main.
        **attributes: of the cc_test.
    """
    cc_library(
        name = name + "_cases",
        testonly = True,
        srcs = srcs,
        visibility = ["//testing/mutants:__pkg__"],
        deps = [dep for dep in deps if dep != _MAIN] + ["@googletest//:gtest"],
        alwayslink = True,
    )
    cc_test(
        name = name,
        deps = [":" + name + "_cases", _MAIN],
        **attributes
    )

"""mutant_test: a planted bug, and the test that has to find it."""

load("//tools/bazel:cc.bzl", "cc_binary", "cc_library")
load(":mutated_source.bzl", "mutated_source")

def mutant_test(name, source, find, replace, killed_by, cases = "*"):
    """Passes when the test `killed_by`, with the bug, fails by an assertion.

    One source is compiled and one program is linked: the mutated object comes before the archive with the original one,
    from which the linker then takes nothing. So both have to define the same symbols.

    Args:
        name: of the bug.
        source: the path of a source of the product.
        find: texts that the source has exactly once.
        replace: what becomes of them.
        killed_by: a killer_test.
        cases: a filter, where one case of the test is enough and all of them take long.
    """
    killer = killed_by + "_cases"
    manual = ["manual"]
    mutated_source(
        name = name + "_source",
        testonly = True,
        find = find,
        killer = killer,
        replace = replace,
        source = source,
        tags = manual,
    )
    cc_library(
        name = name + "_object",
        testonly = True,
        srcs = [":%s_source" % name],
        tags = manual,
        deps = [killer],
        alwayslink = True,
    )
    cc_binary(
        name = name + "_killer",
        testonly = True,
        tags = manual,
        deps = [
            ":%s_object" % name,
            killer,
            "@googletest//:gtest_main",
        ],
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["python_test.sh"],
        args = ["verdict.py", name, "$(rootpath :%s_killer)" % name, "'--gtest_filter=%s'" % cases],
        data = [
            "verdict.py",
            ":%s_killer" % name,
        ],
        # Whether a bug is found does not depend on a sanitizer, and each build of these would cost minutes.
        tags = ["no_san"],
    )

def mutant_rows(mutants):
    """The rows of docs/mutants.md."""
    return [
        "| %s | %s | `%s` | `%s` |" % (name, mutant["bug"], mutant["source"], mutant["killed_by"])
        for name, mutant in mutants.items()
    ]

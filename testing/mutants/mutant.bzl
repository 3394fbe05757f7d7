"""mutant_test: a planted bug, and the scenario that has to find it."""

load("//tools/bazel:cc.bzl", "cc_binary", "cc_library")
load(":mutated_source.bzl", "mutated_source")

_RUN = "//testing/scenarios:run_command"

# Whose headers the sources need: so a change of the bench compiles none of them again.
_PRODUCT = [
    "//deviceplugin:device_manager",
    "//dra:dra_manager",
]
_MAIN = "//testing/scenarios:run_main"
_SCENARIOS = "//testing/scenarios:all"

# Arguments of the run, and how the table says it.
_HOW = {
    "": ([], ""),
    "orders": (["--orders", "200"], "200 orders of threads of "),
    "sweep": (["--sweep"], "crash sweep of "),
}

def mutant_test(name, source, find, replace, scenario, how):
    """Passes when the scenario, played on a kubelet with the bug, is not as it says.

    One source is compiled and one program linked: the mutated object comes before the archive with the original one,
    from which the linker then takes nothing. So both have to define the same symbols.

    Args:
        name: of the bug.
        source: the path of a source of the product.
        find: texts that the source has exactly once.
        replace: what becomes of them.
        scenario: the file, below testing/scenarios and without .textproto.
        how: "", or what else is played of it, a key of _HOW.
    """
    manual = ["manual"]
    mutated_source(
        name = name + "_source",
        testonly = True,
        find = find,
        linked_from = _RUN,
        replace = replace,
        source = source,
        tags = manual,
    )
    cc_library(
        name = name + "_object",
        testonly = True,
        srcs = [":%s_source" % name],
        tags = manual,
        deps = _PRODUCT,
        alwayslink = True,
    )
    cc_binary(
        name = name + "_run",
        testonly = True,
        tags = manual,
        deps = [
            ":%s_object" % name,
            _MAIN,
        ],
    )
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["python_test.sh"],
        args = [
            "verdict.py",
            name,
            "$(rootpath :%s_run)" % name,
            "--quiet",
        ] + _HOW[how][0] + ["testing/scenarios/%s.textproto" % scenario],
        data = [
            "verdict.py",
            ":%s_run" % name,
            _SCENARIOS,
        ],
        # Whether a bug is found does not depend on a sanitizer, and each build of these would cost minutes.
        tags = ["no_san"],
    )

def mutant_rows(mutants):
    """The rows of docs/mutants.md."""
    return [
        "| %s | %s | `%s` | %s`%s` |" % (name, mutant["bug"], mutant["source"], _HOW[mutant.get("how", "")][1], mutant["scenario"])
        for name, mutant in mutants.items()
    ]

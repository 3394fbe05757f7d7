"""release_tarball: the programs and what belongs to them in one reproducible archive, and the flags of a release.

The programs of a release are built as `--config=release` builds them, whatever the command line says, so that
`bazel build //tools/release` is all there is to know.
"""

# As build:release of .bazelrc; release_flags_test compares them.
RELEASE_COPTS = [
    "-O2",
    "-U_FORTIFY_SOURCE",
    "-D_FORTIFY_SOURCE=2",
    "-fstack-protector-strong",
    "-fstack-clash-protection",
    "-fPIE",
    "-Wno-error=array-bounds",
    "-Wno-error=restrict",
    "-Wno-error=stringop-overflow",
    "-Wno-error=stringop-overread",
    "-Wno-error=maybe-uninitialized",
]
RELEASE_LINKOPTS = [
    "-pie",
    "-Wl,-z,relro,-z,now",
    "-Wl,-z,noexecstack",
    "-Wl,-s",
]

_COPT = "//command_line_option:copt"
_LINKOPT = "//command_line_option:linkopt"

def _added(flags, more):
    return flags + [flag for flag in more if flag not in flags]

def _release_transition_impl(settings, _attr):
    return {
        "//command_line_option:compilation_mode": "opt",
        "//command_line_option:strip": "always",
        _COPT: _added(settings[_COPT], RELEASE_COPTS),
        _LINKOPT: _added(settings[_LINKOPT], RELEASE_LINKOPTS),
    }

_release_transition = transition(
    implementation = _release_transition_impl,
    inputs = [_COPT, _LINKOPT],
    outputs = [
        "//command_line_option:compilation_mode",
        "//command_line_option:strip",
        _COPT,
        _LINKOPT,
    ],
)

def _as_released_impl(ctx):
    return [DefaultInfo(files = depset([target[DefaultInfo].files_to_run.executable for target in ctx.attr.programs]))]

as_released = rule(
    implementation = _as_released_impl,
    attrs = {
        "programs": attr.label_list(cfg = _release_transition, mandatory = True),
        "_allowlist_function_transition": attr.label(default = "@bazel_tools//tools/allowlists/function_transition_allowlist"),
    },
    doc = "Programs, built for a release.",
)

def release_tarball(name, out, programs, files, **kwargs):
    """An archive of programs and files.

    Args:
        name: of the target.
        out: the archive's file name.
        programs: name in the archive -> label of one program.
        files: name in the archive -> label of one file.
        **kwargs: of the genrule.
    """
    everything = dict(programs, **files)
    native.genrule(
        name = name,
        srcs = everything.values() + ["//common/version:version.h"],
        outs = [out],
        cmd = " ".join(
            ["$(execpath pack.sh) $@ $(execpath //common/version:version.h)"] +
            ["%s=$(execpath %s)" % (path, everything[path]) for path in sorted(everything)],
        ),
        tools = ["pack.sh"],
        **kwargs
    )

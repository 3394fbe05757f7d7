"""precompiled_header: one header, compiled with the flags of the configuration, for sources to begin with.

What depends on it gets NAME.h.gch among its inputs and begins with "-include NAME.h"; g++ and clang both look for the
.gch beside the name. See cc.bzl, which does that.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain", "use_cpp_toolchain")

# Warnings that change what g++ predefines (-Wvla does) must be the same for the header and for what begins with it.
PRECOMPILED_COPTS = ["-Wvla", "-Winvalid-pch"]

def _compiles_pic(ctx, toolchain, features):
    """Whether this configuration's objects are position independent, as Bazel decides it for a cc_library."""
    if ctx.fragments.cpp.force_pic:
        return True
    return (toolchain.needs_pic_for_dynamic_libraries(feature_configuration = features) and
            ctx.var["COMPILATION_MODE"] != "opt")

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    compiled = ctx.actions.declare_file(ctx.file.hdr.basename + ".gch")
    libraries = cc_common.merge_compilation_contexts(
        compilation_contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps],
    )
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = ctx.file.hdr.path,
        output_file = compiled.path,
        use_pic = _compiles_pic(ctx, toolchain, features),
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
        include_directories = libraries.includes,
        quote_include_directories = libraries.quote_includes,
        system_include_directories = libraries.system_includes,
        preprocessor_defines = libraries.defines,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = ACTION_NAMES.cpp_compile,
        variables = variables,
    )
    kept = [flag for flag in flags if flag not in ("-c", ctx.file.hdr.path)]
    source = ctx.file.hdr.path
    if toolchain.compiler == "clang":
        # clang compares times of the headers with those it saw, and in another clone they differ. It also notes the
        # header's absolute path, which is another one in each sandbox; what it reads from standard input has none.
        kept = ["-Xclang", "-fno-pch-timestamp"] + kept

        # Templates that the headers themselves use are instantiated here and not again in every source: 0.2 s a file.
        kept.append("-fpch-instantiate-templates")
        source = "-"
    compiler = cc_common.get_tool_for_action(feature_configuration = features, action_name = ACTION_NAMES.cpp_compile)
    ctx.actions.run_shell(
        command = 'header=$1; shift; exec "$@" <"$header"',
        arguments = [ctx.file.hdr.path, compiler, "-x", "c++-header"] + kept + PRECOMPILED_COPTS + [source],
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = ACTION_NAMES.cpp_compile,
            variables = variables,
        ),
        inputs = depset([ctx.file.hdr], transitive = [libraries.headers, toolchain.all_files]),
        outputs = [compiled],
        mnemonic = "CppPrecompile",
        progress_message = "Precompiling %{label}",
    )
    return [
        DefaultInfo(files = depset([compiled])),
        CcInfo(compilation_context = cc_common.create_compilation_context(
            headers = depset([compiled]),
        )),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "hdr": attr.label(allow_single_file = [".h"], mandatory = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = use_cpp_toolchain(),
)

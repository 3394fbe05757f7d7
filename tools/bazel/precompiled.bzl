"""precompiled_header: headers, compiled as one with the flags of the configuration, for sources to begin with.

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
    compiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
    first = ctx.files.hdrs[0].path
    libraries = cc_common.merge_compilation_contexts(
        compilation_contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps],
    )
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = first,
        output_file = compiled.path,
        use_pic = _compiles_pic(ctx, toolchain, features),
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
        include_directories = libraries.includes,
        quote_include_directories = depset(["."], transitive = [libraries.quote_includes]),
        system_include_directories = libraries.system_includes,
        preprocessor_defines = libraries.defines,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = ACTION_NAMES.cpp_compile,
        variables = variables,
    )
    kept = [flag for flag in flags if flag not in ("-c", "-o", first, compiled.path)]
    plugin = ctx.file._instantiate
    if toolchain.compiler == "clang":
        # clang compares times of the headers with those it saw, and in another clone they differ.
        kept = ["-Xclang", "-fno-pch-timestamp"] + kept

        # Templates that the headers themselves use are instantiated here and not again in every source: 0.2 s a file.
        # What g++ has no flag for, and a plugin therefore.
        kept.append("-fpch-instantiate-templates")
        plugin = None
    compiler = cc_common.get_tool_for_action(feature_configuration = features, action_name = ACTION_NAMES.cpp_compile)
    ctx.actions.run(
        executable = ctx.file._precompile,
        arguments = [compiled.path, plugin.path if plugin else "", compiler] + [header.path for header in ctx.files.hdrs] +
                    ["--"] + kept + PRECOMPILED_COPTS,
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = ACTION_NAMES.cpp_compile,
            variables = variables,
        ),
        inputs = depset(
            ctx.files.hdrs + ([plugin] if plugin else []),
            transitive = [libraries.headers, toolchain.all_files],
        ),
        tools = [ctx.file._precompile],
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
        "hdrs": attr.label_list(
            allow_files = [".h"],
            mandatory = True,
            doc = "They include nothing of this repository.",
        ),
        "deps": attr.label_list(providers = [CcInfo]),
        "_instantiate": attr.label(default = "//tools/bazel/precompiled:instantiate.cc", allow_single_file = True),
        "_precompile": attr.label(
            default = "//tools/bazel/precompiled:precompile.sh",
            allow_single_file = True,
            cfg = "exec",
        ),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = use_cpp_toolchain(),
)

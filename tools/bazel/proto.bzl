"""cc_grpc_proto: protocol buffers, and their gRPC stubs, as one C++ library.

    load("//tools/bazel:proto.bzl", "cc_grpc_proto")

    cc_grpc_proto(
        name = "echo",
        srcs = ["echo.proto"],
        deps = ["//common/shapes:shapes_proto", "@protobuf//:empty_proto"],
    )

makes
    :echo           cc_library: what C++ code depends on, for "pkg/echo.pb.h" and "pkg/echo.grpc.pb.h"
    :echo_messages  the messages alone, without gRPC: for code that must not reach it ("pkg/echo.pb.h")
    :echo_proto     proto_library: what another .proto that imports this one depends on
"""

def _grpc_cc_sources_impl(ctx):
    info = ctx.attr.proto[ProtoInfo]
    root = "/".join([part for part in [ctx.bin_dir.path, ctx.label.workspace_root] if part])
    headers = []
    sources = []
    for src in info.direct_sources:
        if not src.short_path.startswith(ctx.label.package + "/") and not ctx.label.workspace_root:
            fail("%s lies outside the package of %s" % (src.short_path, ctx.label))
        stem = src.basename.removesuffix(".proto")
        headers.append(ctx.actions.declare_file(stem + ".grpc.pb.h", sibling = src))
        sources.append(ctx.actions.declare_file(stem + ".grpc.pb.cc", sibling = src))

    args = ctx.actions.args()
    args.add(ctx.executable._plugin, format = "--plugin=protoc-gen-grpc=%s")
    args.add(root, format = "--grpc_out=%s")
    args.add_all(info.transitive_proto_path, format_each = "--proto_path=%s")
    args.add_all(info.direct_sources)
    ctx.actions.run(
        executable = ctx.executable._protoc,
        arguments = [args],
        inputs = depset(info.direct_sources, transitive = [info.transitive_sources]),
        tools = [ctx.executable._plugin],
        outputs = headers + sources,
        mnemonic = "GrpcCcSources",
        progress_message = "Generating gRPC stubs of %{label}",
    )
    return [
        DefaultInfo(files = depset(headers + sources)),
        OutputGroupInfo(headers = depset(headers), sources = depset(sources)),
    ]

_grpc_cc_sources = rule(
    implementation = _grpc_cc_sources_impl,
    attrs = {
        "proto": attr.label(mandatory = True, providers = [ProtoInfo]),
        "_plugin": attr.label(
            default = "@grpc//src/compiler:grpc_cpp_plugin",
            executable = True,
            allow_single_file = True,
            cfg = "exec",
        ),
        "_protoc": attr.label(
            default = "@protobuf//:protoc",
            executable = True,
            allow_single_file = True,
            cfg = "exec",
        ),
    },
    doc = "The stubs that gRPC's plugin makes of the services in one proto_library's own files.",
)

def _stub_sources(name, **kwargs):
    """Declares the generated stubs; returns (headers, sources) as the labels of two filegroups."""
    _grpc_cc_sources(name = name, **kwargs)
    common = {key: value for key, value in kwargs.items() if key != "proto"}
    for group in ["headers", "sources"]:
        native.filegroup(
            name = name + "_" + group,
            srcs = [name],
            output_group = group,
            **common
        )
    return [name + "_headers"], [name + "_sources"]

def cc_grpc_proto(name, srcs, deps = [], services = True, testonly = False, visibility = None):
    """Protocol buffers and their services as one C++ library.

    Args:
        name: the cc_library; the proto_library beside it is called <name>_proto.
        srcs: .proto files of this package.
        deps: the proto_library targets of what they import (<other>_proto, @protobuf//:empty_proto).
        services: whether they define services; False leaves gRPC out.
        testonly: as in every rule.
        visibility: as in every rule; holds for all three targets.
    """
    native.proto_library(
        name = name + "_proto",
        srcs = srcs,
        testonly = testonly,
        visibility = visibility,
        deps = deps,
    )
    native.cc_proto_library(
        name = name + "_messages",
        testonly = testonly,
        visibility = visibility,
        deps = [":" + name + "_proto"],
    )
    headers, sources = [], []
    if services:
        headers, sources = _stub_sources(
            name = name + "_stubs",
            proto = ":" + name + "_proto",
            testonly = testonly,
            visibility = ["//visibility:private"],
        )
    native.cc_library(
        name = name,
        srcs = sources,
        hdrs = headers,
        testonly = testonly,
        visibility = visibility,
        deps = [":" + name + "_messages"] + (["@grpc//:grpc++_unsecure"] if services else []),
    )

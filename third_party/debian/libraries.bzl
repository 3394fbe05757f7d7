"""The distribution's libraries that this project links against, in one table.

MODULE.bazel's modules and WORKSPACE's repositories are both made from it, and bazelw installs the packages that it
names (tools/bazel/packages.txt; a lint test compares the two).

    package      the Debian package with headers and archives
    minimum      the oldest version that will do
    pkg_config   where its version is read on systems without dpkg
    archives     lib<NAME>.a to link; a trailing * takes all that match
    shared       lib<NAME>.so to link where the distribution ships no archive
    link         further linker flags that the archives need
    programs     programs to offer as targets: name -> package
    headers      folders of /usr/include to offer as files (for .proto imports)
    protos       .proto files below those folders, importing nothing, to offer as proto_library <stem>_proto
"""

LIBRARIES = {
    "abseil-cpp": struct(
        package = "libabsl-dev",
        minimum = "20220623.1",
        pkg_config = "absl_base",
        archives = ["absl_*"],
        link = ["-lpthread", "-lrt"],
    ),
    "c-ares": struct(
        package = "libc-ares-dev",
        minimum = "1.18.1",
        pkg_config = "libcares",
        archives = ["cares"],
    ),
    "cli11": struct(
        package = "libcli11-dev",
        minimum = "2.1.2",
        pkg_config = "CLI11",
    ),
    "cpp-httplib": struct(
        package = "libcpp-httplib-dev",
        minimum = "0.11.4",
        pkg_config = "cpp-httplib",
        shared = ["cpp-httplib"],
        link = ["-lpthread"],
    ),
    "curl": struct(
        package = "libcurl4-openssl-dev",
        minimum = "7.88.1",
        pkg_config = "libcurl",
        shared = ["curl"],
    ),
    "google_benchmark": struct(
        package = "libbenchmark-dev",
        minimum = "1.7.1",
        pkg_config = "benchmark",
        archives = ["benchmark_main"],
        shared = ["benchmark"],
        link = ["-lpthread"],
    ),
    "googletest": struct(
        package = "libgmock-dev",
        minimum = "1.12.1",
        pkg_config = "gmock",
        archives = ["gtest", "gmock"],
        link = ["-lpthread"],
    ),
    "grpc": struct(
        package = "libgrpc++-dev",
        minimum = "1.51.1",
        pkg_config = "grpc++",
        archives = ["grpc++_unsecure", "grpc_unsecure", "gpr", "address_sorting", "upb"],
        link = ["-lpthread", "-latomic"],
        programs = {"grpc_cpp_plugin": "protobuf-compiler-grpc"},
    ),
    "libdeflate": struct(
        package = "libdeflate-dev",
        minimum = "1.14",
        pkg_config = "libdeflate",
        archives = ["deflate"],
    ),
    "prometheus-cpp": struct(
        package = "prometheus-cpp-dev",
        minimum = "1.0.1",
        pkg_config = "prometheus-cpp-core",
        shared = ["prometheus-cpp-core"],
    ),
    "protobuf": struct(
        package = "libprotobuf-dev",
        minimum = "3.21.12",
        pkg_config = "protobuf",
        archives = ["protobuf"],
        link = ["-lpthread"],
        programs = {"protoc": "protobuf-compiler"},
        headers = ["google/protobuf"],
        protos = [
            "google/protobuf/%s.proto" % stem
            for stem in [
                "any",
                "descriptor",
                "duration",
                "empty",
                "field_mask",
                "source_context",
                "struct",
                "timestamp",
                "wrappers",
            ]
        ],
    ),
    "re2": struct(
        package = "libre2-dev",
        minimum = "20220601",
        pkg_config = "re2",
        archives = ["re2"],
        link = ["-lpthread"],
    ),
    "simdjson": struct(
        package = "libsimdjson-dev",
        minimum = "3.0.1",
        pkg_config = "simdjson",
        shared = ["simdjson"],
    ),
    "yaml-cpp": struct(
        package = "libyaml-cpp-dev",
        minimum = "0.7.0",
        pkg_config = "yaml-cpp",
        archives = ["yaml-cpp"],
    ),
    "zlib": struct(
        package = "zlib1g-dev",
        minimum = "1.2.13",
        pkg_config = "zlib",
        archives = ["z"],
    ),
}

def repository_name(library):
    """The repository that holds what of a library was found on this system."""
    return "debian_" + library.replace("-", "_")

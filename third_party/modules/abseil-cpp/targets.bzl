"""Abseil's public targets, under the labels of its own Bazel build."""

# The distribution's archives are linked as one group, from which the linker takes what is used: one library stands
# behind all the labels, and a label says which header is meant.
def absl_targets(*names):
    for name in names:
        native.cc_library(
            name = name,
            visibility = ["//visibility:public"],
            deps = ["//:abseil"],
        )

"""cc_fuzz_target: a function that must survive any bytes, as a libFuzzer binary and as a test.

    load("//tools/bazel:fuzz.bzl", "cc_fuzz_target")

    cc_fuzz_target(
        name = "parser_fuzzer",
        srcs = ["parser_fuzzer.cc"],   # defines LLVMFuzzerTestOneInput
        corpus = [":golden_files"],
        deps = [":parser"],
    )

makes
    :parser_fuzzer        cc_binary: ./bazelw run --config=fuzz //pkg:parser_fuzzer -- -max_total_time=60 "$PWD/pkg/testdata"
    :parser_fuzzer_test   cc_test: every file of the corpus through the same function, with any compiler and in every run
"""

load("//tools/bazel:cc.bzl", "cc_binary", "cc_test")

def cc_fuzz_target(name, srcs, corpus, deps = [], size = "small"):
    """A fuzz target and the test that runs it over its corpus.

    Args:
        name: the libFuzzer binary; the test is called <name>_test.
        srcs: C++ sources, one of which defines LLVMFuzzerTestOneInput.
        corpus: labels of the files to start from.
        deps: what the sources need.
        size: of the test.
    """
    cc_binary(
        name = name,
        testonly = True,
        srcs = srcs,
        data = corpus,
        linkopts = ["-fsanitize=fuzzer"],
        tags = [
            "fuzz",
            "manual",
        ],
        deps = deps,
    )
    cc_test(
        name = name + "_test",
        size = size,
        srcs = srcs,
        args = ["$(rootpaths %s)" % label for label in corpus],
        data = corpus,
        deps = deps + ["//tools/bazel:fuzz_corpus_main"],
    )

"""Bazel's own module file asks for this extension and its repository; only `bazel mod tidy` would use it."""

def _buildozer_repository_impl(rctx):
    rctx.file("BUILD", 'exports_files(["buildozer.exe"])\n')
    rctx.file("buildozer.exe", "#!/bin/sh\necho 'buildozer is not part of this build' >&2\nexit 1\n", executable = True)

_buildozer_repository = repository_rule(implementation = _buildozer_repository_impl)

def _buildozer_binary_impl(_mctx):
    _buildozer_repository(name = "buildozer_binary")

buildozer_binary = module_extension(implementation = _buildozer_binary_impl)

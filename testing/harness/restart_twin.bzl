"""restart_twin: an integration test a second time, with restarts of what it tests in the middle.

    restart_twin(
        name = "daemon_test_restart",
        test = ":daemon_test",
    )
"""

def restart_twin(name, test, **kwargs):
    """The same program as `test`, in which MaybeRestart() lines (testing/harness/restart_twin.h) kill and start again.

    Args:
        name: <the test's>_restart.
        test: a cc_test.
        **kwargs: as in every test.
    """
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["//testing/harness:restart_twin.sh"],
        args = ["$(rootpath %s)" % test],
        data = [test],
        # A sanitizer has looked at restarts in the tests that are about them.
        tags = ["no_san"],
        **kwargs
    )

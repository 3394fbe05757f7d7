"""restart_twin: an integration test a second time, with restarts of what it tests in the middle.

    restart_twin(
        name = "daemon_test_restart",
        test = ":daemon_test",
    )
"""

def restart_twin(name, test, args = [], data = [], **kwargs):
    """The same program as `test`, in which MaybeRestart() lines (testing/harness/restart_twin.h) kill and start again.

    Args:
        name: <the test's>_restart.
        test: a cc_test; or a script that prints a line "restart twin: ..." where it has restarted something.
        args: of the test.
        data: what these name.
        **kwargs: as in every test.
    """
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["//testing/harness:restart_twin.sh"],
        args = ["$(rootpath %s)" % test] + args,
        data = [test] + data,
        # A sanitizer has looked at restarts in the tests that are about them.
        tags = ["no_san"],
        **kwargs
    )

"""kubelet_scenario_test: a scenario file as a test.

    load("@kubelet_cm//testing/scenarios:scenario.bzl", "kubelet_scenario_test")

    kubelet_scenario_test(
        name = "restart_test",
        src = "restart.textproto",
        sweep = True,
    )
"""

_RUN = Label("//testing/scenarios:run")
_SCRIPT = Label("//testing/scenarios:scenario_test.sh")

def _suffix(version):
    return "as_" + version.replace(".", "_")

def kubelet_scenario_test(name, src, sweep = False, personalities = [], data = [], shard_count = None, size = "small", **kwargs):
    """Plays a scenario on a node in memory, and fails where it is not as the scenario has it.

    Args:
        name: the test; with personalities, the suite of them.
        src: the scenario, a text file of testing/scenarios/scenario.proto.
        sweep: also kills the kubelet at every operation and cuts the power with every disk that may be left.
        personalities: kubelets that the node starts as, in place of the scenario's own: "1.19", "latest".
            Each is a test <name>_as_<version>.
        data: files that the scenario places.
        shard_count: of a sweep.
        size: as in every test.
        **kwargs: as in every test: tags, timeout, visibility.
    """
    tests = []
    for version in personalities or [None]:
        test = name if version == None else "%s_%s" % (name, _suffix(version))
        args = ["$(rootpath %s)" % _RUN, "$(rootpath %s)" % src, "--quiet"]
        if version != None:
            args += ["--as", version]
        if sweep:
            args.append("--sweep")
        native.sh_test(
            name = test,
            size = size,
            srcs = [_SCRIPT],
            args = args,
            data = [_RUN, src] + data,
            shard_count = shard_count,
            **kwargs
        )
        tests.append(test)
    if personalities:
        native.test_suite(
            name = name,
            tests = tests,
            **{key: value for key, value in kwargs.items() if key in ["tags", "visibility"]}
        )

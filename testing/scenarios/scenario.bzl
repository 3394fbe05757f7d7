"""kubelet_scenario_test: a scenario file as a test.

    load("@kubelet_cm//testing/scenarios:scenario.bzl", "kubelet_scenario_test")

    kubelet_scenario_test(
        name = "restart_test",
        src = "restart.textproto",
        sweep = True,
    )
"""

_RUN = Label("//testing/scenarios:run")
_RUN_ON_DAEMON = Label("//testing/scenarios:run_on_daemon")
_SCRIPT = Label("//testing/scenarios:scenario_test.sh")

def _suffix(version):
    return "as_" + version.replace(".", "_")

def _as(version):
    return [] if version == None else ["--as", version]

def _daemon_test(name, src, version, data, tags, **kwargs):
    """<name>_daemon: the scenario against the daemon's program."""
    args = ["$(rootpath %s)" % _RUN_ON_DAEMON, "$(rootpath %s)" % src, "--quiet"] + _as(version)

    # ThreadSanitizer watches this program under load in //testing/kills; what a scenario adds is an order of calls, one
    # after the other.
    native.sh_test(
        name = name + "_daemon",
        size = "small",
        srcs = [_SCRIPT],
        args = args,
        data = [_RUN_ON_DAEMON, src] + data,
        tags = tags + ["no_tsan"],
        **kwargs
    )
    return name + "_daemon"

def _many_runs_test(name, args, data, tags, **kwargs):
    # Many short lives. What a sanitizer has to say of them it says of one.
    native.sh_test(
        name = name,
        size = kwargs.pop("size", "small"),
        srcs = [_SCRIPT],
        args = args,
        data = [_RUN] + data,
        tags = tags + ["no_san"],
        **kwargs
    )
    return name

def kubelet_scenario_test(
        name,
        src,
        sweep = False,
        daemon = False,
        memory = True,
        restarts = False,
        disk_errors = False,
        personalities = [],
        data = [],
        shard_count = None,
        size = "small",
        **kwargs):
    """Plays a scenario on a node in memory, if nothing else is said, and fails where it is not as the scenario has it.

    Args:
        name: the test; with personalities, the suite of them.
        src: the scenario, a text file of testing/scenarios/scenario.proto.
        sweep: kills the kubelet at every operation and cuts the power with every disk that may be left; the test that
            plays the scenario as it stands is <name>_once then.
        daemon: whether <name>_daemon plays it against the daemon's program, too: a process on a real folder, with real
            sockets and a real SIGKILL. False, or the reason why not: what needs another clock or a disk that fails is
            refused.
        memory: False for what needs the daemon: <name>_daemon is the only test then.
        restarts: <name>_restart plays it again and again, each time with a restart of the kubelet after another step.
            Steps with no_restart say where not, and why.
        disk_errors: <name>_disk_errors plays it again and again, each time with another operation of the disk that fails.
        personalities: kubelets that the node starts as, in place of the scenario's own: "1.19", "latest".
            Each is a test <name>_as_<version>.
        data: files that the scenario places.
        shard_count: of a sweep.
        size: as in every test.
        **kwargs: as in every test: tags, timeout, visibility.
    """
    tests = []
    tags = kwargs.pop("tags", [])
    for version in personalities or [None]:
        test = name if version == None else "%s_%s" % (name, _suffix(version))
        args = ["$(rootpath %s)" % _RUN, "$(rootpath %s)" % src, "--quiet"] + _as(version)
        if daemon == True:
            tests.append(_daemon_test(test, src, version, data, tags, **kwargs))
        if not memory:
            continue
        if restarts:
            tests.append(_many_runs_test(test + "_restart", args + ["--restarts"], [src] + data, tags, **kwargs))
        if disk_errors:
            tests.append(_many_runs_test(test + "_disk_errors", args + ["--disk-errors"], [src] + data, tags, **kwargs))
        if sweep:
            _many_runs_test(test, args + ["--sweep"], [src] + data, tags, shard_count = shard_count, size = size, **kwargs)
            tests.append(test)
            test += "_once"

        # Threads of a node in memory run one at a time: ThreadSanitizer has nothing to look at.
        native.sh_test(
            name = test,
            size = size,
            srcs = [_SCRIPT],
            args = args,
            data = [_RUN, src] + data,
            tags = tags + ["no_tsan"],
            **kwargs
        )
        tests.append(test)
    if personalities:
        native.test_suite(
            name = name,
            tests = tests,
            tags = tags,
            **{key: value for key, value in kwargs.items() if key == "visibility"}
        )

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

def _daemon_tests(name, src, version, programs, restarts, data, tags, size, **kwargs):
    """<name>_daemon: the scenario against the daemon's program; with `restarts` <name>_restart, too."""
    args = ["$(rootpath %s)" % _RUN_ON_DAEMON, "$(rootpath %s)" % src, "--quiet"] + _as(version)
    args += ["--program=%s=$(rootpath %s)" % program for program in programs.items()]

    data = [_RUN_ON_DAEMON, src] + programs.values() + data
    tests = [name + "_daemon"]
    if restarts:
        tests.append(_many_runs_test(name + "_restart", args + ["--restarts"], data, tags, size = size, **kwargs))

    # ThreadSanitizer watches this program under load in //testing/kills; what a scenario adds is an order of calls, one
    # after the other.
    native.sh_test(
        name = name + "_daemon",
        size = size,
        srcs = [_SCRIPT],
        args = args,
        data = data,
        tags = tags + ["no_tsan"],
        **kwargs
    )
    return tests

def _many_runs_test(name, args, data, tags, **kwargs):
    # Many short lives. What a sanitizer has to say of them it says of one.
    native.sh_test(
        name = name,
        size = kwargs.pop("size", "small"),
        srcs = [_SCRIPT],
        args = args,
        data = data,
        tags = tags + ["no_san"],
        **kwargs
    )
    return name

def _memory_tests(test, args, plays, data, tags, size, **kwargs):
    """The tests of a scenario in memory: once, and in each of the ways that `plays` has."""
    tests = []
    data = [_RUN] + data
    if plays.restarts:
        tests.append(_many_runs_test(test + "_restart", args + ["--restarts"], data, tags, **kwargs))
    if plays.disk_errors:
        tests.append(_many_runs_test(test + "_disk_errors", args + ["--disk-errors"], data, tags, **kwargs))
    once = test
    if plays.sweep:
        tests.append(_many_runs_test(test, args + ["--sweep"], data, tags, shard_count = plays.shard_count, size = size, **kwargs))
        once += "_once"

    # Threads of a node in memory run one at a time: ThreadSanitizer has nothing to look at.
    native.sh_test(
        name = once,
        size = size,
        srcs = [_SCRIPT],
        args = args,
        data = data,
        tags = tags + ["no_tsan"],
        **kwargs
    )
    return tests + [once]

def kubelet_scenario_test(
        name,
        src,
        sweep = False,
        daemon = False,
        memory = True,
        restarts = False,
        disk_errors = False,
        personalities = [],
        programs = {},
        data = [],
        shard_count = None,
        size = "small",
        **kwargs):
    """Plays a scenario on a node in memory, if nothing else is said, and fails where it is not as the scenario has it.

    Args:
        name: the test; the suite of all tests there are where none has this name: with personalities, with programs and
            without memory.
        src: the scenario, a text file of testing/scenarios/scenario.proto.
        sweep: kills the kubelet at every operation and cuts the power with every disk that may be left; the test that
            plays the scenario as it stands is <name>_once then.
        daemon: whether <name>_daemon plays it against the daemon's program, too: a process on a real folder, with real
            sockets and a real SIGKILL. False, or the reason why not: what needs another clock or a disk that fails is
            refused.
        memory: False for what needs the daemon: nothing is played in memory then.
        restarts: <name>_restart plays it again and again, each time with a restart of the kubelet after another step.
            Steps with no_restart say where not, and why. In memory; against the daemon where it is not played there.
        disk_errors: <name>_disk_errors plays it again and again, each time with another operation of the disk that fails.
        personalities: kubelets that the node starts as, in place of the scenario's own: "1.19", "latest".
            Each is a test <name>_as_<version>.
        programs: plugins and drivers of your own that the scenario has in place of fakes, by the names that it has for them. Such
            a scenario is played against the daemon only, as <name>_daemon.
        data: files that the scenario places, or that programs need.
        shard_count: of a sweep.
        size: as in every test.
        **kwargs: as in every test: tags, timeout, visibility.
    """
    tests = []
    tags = kwargs.pop("tags", [])
    for version in personalities or [None]:
        test = name if version == None else "%s_%s" % (name, _suffix(version))
        args = ["$(rootpath %s)" % _RUN, "$(rootpath %s)" % src, "--quiet"] + _as(version)
        if daemon == True or programs:
            # Twins: in memory, where they take no time, if it is played there. What takes its time is a sweep in memory, or a program.
            twins = restarts and (not memory or programs)
            tests += _daemon_tests(test, src, version, programs, twins, data, tags, size if programs else "small", **kwargs)
        if not memory or programs:
            continue
        plays = struct(restarts = restarts, disk_errors = disk_errors, sweep = sweep, shard_count = shard_count)
        tests += _memory_tests(test, args, plays, [src] + data, tags, size, **kwargs)
    if name not in tests:
        native.test_suite(
            name = name,
            tests = tests,
            tags = tags,
            **{key: value for key, value in kwargs.items() if key == "visibility"}
        )

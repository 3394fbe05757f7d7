"""device_plugin_test: a device plugin of somebody's own, taken through what happens on a node.

    load("@kubelet_cm//testing/scenarios:device_plugin_test.bzl", "device_plugin_test")

    device_plugin_test(
        name = "widget_plugin_test",
        plugin = ":widget_plugin",
        arguments = ["--dir=/var/lib/kubelet/device-plugins"],
        resource = "example.org/widget",
        devices = 2,
    )
"""

_TRY_PLUGIN = Label("//testing/scenarios:try_plugin")
_SCRIPT = Label("//testing/scenarios:scenario_test.sh")

# Scenarios for any plugin, in the order in which they are played.
ANY_PLUGIN = [
    Label("//testing/scenarios:your_plugin/%s.textproto.in" % name)
    for name in [
        "pods_get_devices",
        "kubelet_restarts",
        "kubelet_comes_later",
        "plugin_crashes",
        "plugin_is_updated",
        "plugin_is_away_while_the_kubelet_restarts",
        "node_boots",
        "kubelet_is_upgraded",
        "registration_socket_is_removed",
    ]
]

def _word(text):
    """One of `args`, which Bazel takes apart as a shell does."""
    return "'" + text.replace("'", "'\\''") + "'"

def device_plugin_test(
        name,
        plugin,
        resource,
        devices = 1,
        arguments = [],
        environment = [],
        at_var_lib_kubelet = False,
        restarted = False,
        patience = None,
        size = "medium",
        data = [],
        tags = [],
        **kwargs):
    """Plays every scenario for any plugin against the daemon's program, with the plugin beside it.

    Args:
        name: the test.
        plugin: the plugin's program.
        resource: what it registers: "example.org/widget".
        devices: how many devices it lists, all of them healthy.
        arguments: the program's, word for word; /var/lib/kubelet in them is the kubelet's folder, wherever that is. As in
            every `args`, $(rootpath X) is a path, and $$ a dollar.
        environment: "NAME=value", likewise.
        at_var_lib_kubelet: for a plugin that cannot be told: it sees the folder at /var/lib/kubelet.
        restarted: it may end by itself, and is started again, as a pod of a DaemonSet is.
        patience: how long it may take to register by itself: "90s". 30 seconds are the default.
        size: as in every test. A plugin that is back at once needs seconds; one that takes half a minute each time, minutes.
        data: what else the plugin needs.
        tags: as in every test.
        **kwargs: as in every test: timeout, visibility. Not shard_count: it is one program.
    """
    if "shard_count" in kwargs:
        fail("device_plugin_test %s: it cannot be sharded" % name)
    flags = ["--resource=" + resource, "--devices=%d" % devices]
    flags += ["--env=" + variable for variable in environment]
    flags += ["--at-var-lib-kubelet"] if at_var_lib_kubelet else []
    flags += ["--restarted"] if restarted else []
    flags += ["--patience=" + patience] if patience else []
    native.sh_test(
        name = name,
        size = size,
        srcs = [_SCRIPT],
        args = ["$(rootpath %s)" % _TRY_PLUGIN] +
               ["--scenario=$(rootpath %s)" % scenario for scenario in ANY_PLUGIN] +
               [_word(flag) for flag in flags] + ["--", "$(rootpath %s)" % plugin] + [_word(word) for word in arguments],
        data = [_TRY_PLUGIN, plugin] + ANY_PLUGIN + data,
        # As of the scenarios against the daemon: ThreadSanitizer watches it in //testing/kills.
        tags = tags + ["no_tsan"],
        **kwargs
    )

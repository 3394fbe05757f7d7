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
        data = [],
        tags = [],
        **kwargs):
    """Plays every scenario for any plugin against the daemon's program, with the plugin beside it.

    Args:
        name: the test.
        plugin: the plugin's program.
        resource: what it registers: "example.org/widget".
        devices: how many devices it lists, all of them healthy.
        arguments: the program's; /var/lib/kubelet in them is the kubelet's folder, wherever that is.
        environment: "NAME=value", likewise.
        at_var_lib_kubelet: for a plugin that cannot be told: it sees the folder at /var/lib/kubelet.
        restarted: it may end by itself, and is started again, as a pod of a DaemonSet is.
        patience: how long it may take to register by itself: "90s". 30 seconds are the default.
        data: what else the plugin needs.
        tags: as in every test.
        **kwargs: as in every test: size, timeout, visibility.
    """
    flags = ["--resource=" + resource, "--devices=%d" % devices]
    flags += ["--env=" + variable for variable in environment]
    flags += ["--at-var-lib-kubelet"] if at_var_lib_kubelet else []
    flags += ["--restarted"] if restarted else []
    flags += ["--patience=" + patience] if patience else []
    native.sh_test(
        name = name,
        size = kwargs.pop("size", "small"),
        srcs = [_SCRIPT],
        args = ["$(rootpath %s)" % _TRY_PLUGIN] +
               ["--scenario=$(rootpath %s)" % scenario for scenario in ANY_PLUGIN] +
               flags + ["--", "$(rootpath %s)" % plugin] + arguments,
        data = [_TRY_PLUGIN, plugin] + ANY_PLUGIN + data,
        # As of the scenarios against the daemon: ThreadSanitizer watches it in //testing/kills.
        tags = tags + ["no_tsan"],
        **kwargs
    )

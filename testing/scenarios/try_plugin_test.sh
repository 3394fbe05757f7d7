#!/usr/bin/env bash
# try_plugin_test.sh TRY_PLUGIN SCENARIO PLUGIN: the command line, and plugins that do not do well.
set -euo pipefail

try=$1 scenario=$2 plugin=$3
failed=0

# The exit code, and a text in the output.
check() { # CODE TEXT ARGUMENT...
  local code=0 output wanted=$1 text=$2
  shift 2
  output=$("$try" "--scenario=$scenario" "$@" 2>&1) || code=$?
  if [[ $code -ne $wanted || $output != *"$text"* ]]; then
    printf '%s\n' "try_plugin $*: expected exit code $wanted and \"$text\", got $code and:" "$output" >&2
    failed=1
  fi
}
flags=(--resource example.com/widget --devices 2)
fake=("$plugin" --resource=example.com/widget --devices=2 --socket-dir=/var/lib/kubelet/device-plugins)

check 0 "kubelet_restarts ... passed" "${flags[@]}" -- "${fake[@]}"
check 0 "Register" "${flags[@]}" --log 2 -- "${fake[@]}"
# A wrapper that is not replaced by the plugin.
check 0 "kubelet_restarts ... passed" "${flags[@]}" -- /bin/sh -c '"$0" "$@"; echo over' "${fake[@]}"
check 0 "twice. The plugin registers again" --list
check 2 "a plugin is wanted"
check 2 "is no name as" --resource widget -- "${fake[@]}"
check 2 "there is no scenario \"x\"" "${flags[@]}" --only x -- "${fake[@]}"
check 2 "--wrong" --wrong
check 2 "not expected: /bin/true" "${flags[@]}" /bin/true -- /bin/true
# Its arguments are its own, whatever they look like; --help, too.
check 1 "yours: the program ended with exit code 7; it said:
<[a,b]><two words><--help><--><--log>" "${flags[@]}" -- /bin/sh -c 'printf "<%s>" "$@"; echo; exit 7' sh '[a,b]' 'two words' --help -- --log
check 1 "<hello world>" "${flags[@]}" --env "A=hello world" -- /bin/sh -c 'echo "<$A>"; exit 7'
# One that does not come up in one scenario comes up in none.
check 1 "nothing else is tried
0 passed, 1 failed" "--scenario=$scenario" "${flags[@]}" -- /bin/false
# A name is looked for as a shell does it.
check 1 "the program ended with exit code 1" "${flags[@]}" --log 2 -- false
check 2 "no program \"no_such_plugin\" in the folders of PATH" "${flags[@]}" --log 2 -- no_such_plugin

# One that is not there, one that ends, one that lists something else, one that never registers.
check 1 "No such file or directory" "${flags[@]}" -- /nowhere
check 1 "yours: the program ended with exit code 7; it said:
no widgets" "${flags[@]}" -- /bin/sh -c 'echo no widgets; exit 7'
check 1 "lists 2 devices of example.com/widget, not 3" --resource example.com/widget --devices 3 --patience 1s -- "${fake[@]}"
check 1 "plugin yours does not register example.com/other; the daemon knows example.com/widget; yours said:
serving 2 devices" --resource example.com/other --devices 2 --patience 1s -- "${fake[@]}"
check 1 "plugin yours does not register example.com/widget; the daemon knows nobody" "${flags[@]}" --patience 1s -- /bin/sh -c 'while :; do read -t 1 || :; done'
check 1 "times by itself, and the last time it ended with exit code 1; the daemon knows nobody; yours said:
no widgets" "${flags[@]}" --patience 1s --restarted -- /bin/sh -c 'echo no widgets; exit 1'

# What a plugin finds in its environment and among its arguments is of the node that it is on.
check 1 "device-plugins node /" "${flags[@]}" --env 'WHERE=/var/lib/kubelet/device-plugins' -- \
  /bin/sh -c 'echo "$WHERE $NODE_NAME $1"; test -f "$KUBECONFIG" && test -d "$HOME" && exit 3' sh /var/lib/kubelet
exit "$failed"

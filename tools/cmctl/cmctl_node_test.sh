#!/usr/bin/env bash
# Every verb that talks to a node, against the real daemon, a plugin and a driver.
set -euo pipefail

cmctl=$PWD/$1
daemon=$PWD/$2
plugin=$PWD/$3
driver=$PWD/$4
examples=$PWD/$(dirname "$5")

# Short, for unix sockets.
root=$(mktemp -d /tmp/cmctlnode.XXXXXX)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$root"' EXIT
export KUBELET_CM_ENDPOINT=$root/kubelet_cm.sock HOME=$root
unset XDG_STATE_HOME BUILD_WORKING_DIRECTORY
cd "$root"
mkdir claims
cp "$examples/claim.yaml" claims/

expect() { # EXIT PATTERN COMMAND...
  local want=$1 pattern=$2 out code=0
  shift 2
  out=$("$@" 2>&1) || code=$?
  if ((code != want)) || ! grep -q -- "$pattern" <<<"$out"; then
    printf '%s: exit %d (wanted %d), or no "%s" in:\n%s\n' "$*" "$code" "$want" "$pattern" "$out"
    exit 1
  fi
}

await() { # PATTERN WORDS...: until cmctl says it, as it is told of changes.
  local pattern=$1
  shift
  timeout 60 grep -q -m1 -- "$pattern" < <("$cmctl" "$@" --watch 2>/dev/null) ||
    { echo "no \"$pattern\" from cmctl $*"; exit 1; }
}

start_daemon() {
  coproc DAEMON { exec "$daemon" --root-dir "$root" --healthz-port 0 --node-name node-1 \
    --claim-manifest-path "$root/claims" 2>>"$root/log"; }
  local line
  read -r -t 60 line <&"${DAEMON[0]}" || { echo "the daemon says nothing"; cat "$root/log"; exit 1; }
}

# --- Nobody is there.
expect 6 "^cmctl: no kubelet_cm answers at $root/kubelet_cm.sock: start it with" "$cmctl" get devices
expect 0 '^cmctl [0-9]' "$cmctl" version
expect 6 'no kubelet and no kubelet_cm answers' "$cmctl" podres list

# --- A daemon, and nothing on it.
start_daemon
expect 0 '^kubelet_cm ' "$cmctl" version
expect 0 '"root_dir"' "$cmctl" version -o json
expect 0 'no pods are known' "$cmctl" get pods
expect 0 '"resources": \[\]' "$cmctl" get resources -o json
expect 5 'no pod default/widgets' "$cmctl" explain pod widgets
expect 0 'no plugin has registered' "$cmctl" explain resource example.com/widget

# --- A plugin.
"$plugin" --resource example.com/widget --devices 3 --numa 2 --socket-dir "$root/device-plugins" >/dev/null &
await 'example.com/widget *3 *3 *0 *Connected' get resources example.com/widget
expect 0 '^example.com/widget *dev-0 *Healthy *0 *-$' "$cmctl" get devices
expect 0 '^device/example.com/widget/dev-2$' "$cmctl" get devices -o name
expect 0 'DevicePlugin *connected' "$cmctl" get plugins
expect 0 "$root/device-plugins/fake.sock" "$cmctl" get endpoints
expect 0 'Endpoint: *'"$root" "$cmctl" describe plugin example.com/widget
expect 0 'StateRestored *devices' "$cmctl" get events
expect 0 '^device plugin (v1beta1.DevicePlugin)$' "$cmctl" plugin probe "$root/device-plugins/fake.sock"
expect 0 'device plugins register' "$cmctl" plugin probe "$root/device-plugins/kubelet.sock"
expect 0 'podresources API, v1 (v1.PodResourcesLister)' "$cmctl" plugin probe "$root/pod-resources/kubelet.sock"
expect 0 'control API of kubelet_cm' "$cmctl" plugin probe "$KUBELET_CM_ENDPOINT"
expect 0 '^dev-1 *Healthy *1$' "$cmctl" plugin call device-plugins/fake.sock list
expect 0 'PreStartContainer is required' "$cmctl" plugin call device-plugins/fake.sock options
expect 0 '<redacted>' "$cmctl" plugin call device-plugins/fake.sock allocate dev-0
expect 6 'is not the control socket of a kubelet_cm' "$cmctl" get pods --endpoint "$root/device-plugins/fake.sock"

# --- A pod with devices.
expect 0 '^pod default/widgets admitted$' "$cmctl" admit -f "$examples/pod.yaml"
expect 0 'default *widgets *Admitted *- *example.com/widget=2' "$cmctl" get pods
expect 0 'held by container app of pod default/widgets' "$cmctl" describe resource example.com/widget
expect 0 '^UID: ' "$cmctl" describe pod widgets
expect 0 'env FAKE_DEVICES=<redacted>' "$cmctl" options widgets app
expect 0 'container app of pod default/widgets started' "$cmctl" start widgets app
expect 0 'app (app, running)' "$cmctl" describe pod widgets
expect 0 'exited' "$cmctl" exit widgets app
expect 0 'nothing stands in its way' "$cmctl" explain pod widgets
expect 0 '^Name: *widgets$' xargs -n1 "$cmctl" describe < <("$cmctl" get pods -o name)
expect 0 'container app of pod' xargs -n1 "$cmctl" describe < <("$cmctl" --no-headers -o name get resources)
expect 0 "^Endpoint: *$root" xargs -n1 "$cmctl" describe < <("$cmctl" get plugins -o name)
expect 0 'default *widgets *app *example.com/widget' "$cmctl" podres list
expect 0 '"device_ids"' "$cmctl" podres get widgets -o json
expect 0 '^example.com/widget *dev-' "$cmctl" podres allocatable
expect 5 'pod none in namespace default not found' "$cmctl" podres get none
sed 's/name: widgets/name: more/' "$examples/pod.yaml" >more.yaml
expect 1 '^pod default/more refused: UnexpectedAdmissionError: Allocate failed' "$cmctl" admit -f - <more.yaml
expect 0 'was refused' "$cmctl" explain pod more
expect 0 'PodRefused *default/more' "$cmctl" get events PodRefused
expect 2 'there is no pod in it' "$cmctl" admit -f "$examples/claim.yaml"

# --- A pod with a claim, and no driver.
expect 0 '^pod default/trainer admitted$' "$cmctl" admit -f "$examples/pod-with-claim.yaml"
expect 1 'not prepared: FailedPrepareDynamicResources: .*fake.example.com' "$cmctl" prepare trainer
expect 0 'fake.example.com' "$cmctl" explain pod trainer
expect 5 'no claim default/gpu is known' "$cmctl" claim forget default/gpu --who test

# --- The driver comes.
"$driver" --driver fake.example.com --socket-dir "$root/plugins/fake" --registry "$root/plugins_registry" >/dev/null &
await 'fake.example.com *DRAPlugin *connected' get plugins fake.example.com
expect 0 '^DRA driver, v1 ' "$cmctl" plugin probe "$(echo "$root"/plugins/fake/*.sock)"
expect 0 'type DRAPlugin, name fake.example.com' "$cmctl" plugin probe "$(echo "$root"/plugins_registry/*.sock)"
expect 0 '^pod default/trainer prepared$' "$cmctl" prepare trainer
expect 0 'default *gpu *Prepared *fake.example.com *default/trainer' "$cmctl" get claims
expect 0 'fake.example.com (prepared)' "$cmctl" describe claim gpu
expect 0 'nothing stands in its way' "$cmctl" explain claim gpu
expect 6 'is not stuck' "$cmctl" claim forget gpu --who test
expect 0 '^Name: *gpu$' xargs -n1 "$cmctl" describe < <("$cmctl" get claims -o name)
expect 0 '^cdi ' "$cmctl" options trainer app
expect 0 'claim default/gpu' "$cmctl" podres get trainer
expect 0 'removed' "$cmctl" delete pod trainer

# --- It is killed, and comes back with what it had.
kill -9 "$DAEMON_PID"
wait "$DAEMON_PID" 2>/dev/null || true
expect 6 'no kubelet_cm answers' "$cmctl" get pods
start_daemon
expect 0 'example.com/widget=2' "$cmctl" get pods
await 'Connected' get resources example.com/widget

# --- All of it in an archive, and the end.
expect 0 'wrote ' "$cmctl" bundle -o b.tar.gz --healthz-port 0
tar -xzf b.tar.gz
expect 0 '"format": "devicemanager-v2"' cat kubelet_cm-bundle-*/state/kubelet_internal_checkpoint.json
expect 0 'default' cat kubelet_cm-bundle-*/daemon/pods.json
expect 1 '' grep -r FAKE_DEVICES=dev kubelet_cm-bundle-*
expect 0 '^pod default/widgets removed$' "$cmctl" delete pod widgets
expect 0 '^draining: ' "$cmctl" drain
expect 6 'the node is being drained' "$cmctl" admit -f "$examples/pod.yaml"
kill -TERM "$DAEMON_PID"
wait "$DAEMON_PID"

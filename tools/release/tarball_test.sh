#!/usr/bin/env bash
# The release's archive: what is in it, that its programs run.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  printf '%s\n' "$*"
  exit 1
}

tar --extract --directory="$work" --file="$1"
cd "$work"/kubelet_cm-*
for file in LICENSE README.md bin/cmctl bin/kubelet_cm systemd/kubelet_cm.service; do
  [[ -s $file ]] || fail "$file is missing"
done
version=${PWD##*/kubelet_cm-}
[[ $(bin/kubelet_cm --version) == "kubelet_cm $version" ]] || fail "kubelet_cm is of another version than its folder"
[[ $(bin/cmctl version) == "cmctl $version" ]] || fail "cmctl is of another version than its folder"

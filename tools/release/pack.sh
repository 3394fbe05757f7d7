#!/usr/bin/env bash
# pack.sh TARBALL VERSION_HEADER NAME=FILE...
#
# A gzipped tar of the files under kubelet_cm-<version>/NAME. The same files give the same bytes, whoever packs them, when, and wherever they lie.
set -euo pipefail

tarball=$1 header=$2
shift 2
version=$(sed -n 's/.*kVersion = "\([^"]*\)".*/\1/p' "$header")
[[ -n $version ]] || { echo "pack.sh: $header has no version" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=kubelet_cm-$version
for pair in "$@"; do
  name=${pair%%=*} file=${pair#*=}
  mode=0644
  [[ $name != bin/* ]] || mode=0755
  install -D -m "$mode" "$file" "$work/$top/$name"
done
find "$work/$top" -type d -exec chmod 0755 {} +
tar --directory="$work" --create --file="$work/tar" --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 \
  --numeric-owner "$top"
gzip --no-name --best <"$work/tar" >"$tarball"

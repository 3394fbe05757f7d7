#!/usr/bin/env bash
# pack.sh: the same files give the same bytes, whatever their times, modes and places.
set -euo pipefail

pack=$1 header=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  printf '%s\n' "$*"
  exit 1
}

mkdir "$work/a" "$work/b"
for folder in a b; do
  echo program >"$work/$folder/p"
  echo text >"$work/$folder/t"
done
touch --date=@1000000000 "$work/b/p"
chmod 0600 "$work/b/t"
"$pack" "$work/a.tar.gz" "$header" "bin/p=$work/a/p" "LICENSE=$work/a/t"
(umask 077 && "$pack" "$work/b.tar.gz" "$header" "LICENSE=$work/b/t" "bin/p=$work/b/p")
cmp "$work/a.tar.gz" "$work/b.tar.gz" || fail "two archives of the same files differ"

listing=$(tar --list --verbose --numeric-owner --file="$work/a.tar.gz" | awk '{print $1, $2, $6}')
version=$(sed -n 's/.*kVersion = "\([^"]*\)".*/\1/p' "$header")
[[ $listing == *"-rwxr-xr-x 0/0 kubelet_cm-$version/bin/p"* ]] || fail "no program in: $listing"
[[ $listing == *"-rw-r--r-- 0/0 kubelet_cm-$version/LICENSE"* ]] || fail "no text in: $listing"

echo "no version" >"$work/header"
! "$pack" "$work/c.tar.gz" "$work/header" "LICENSE=$work/a/t" 2>/dev/null || fail "packs without a version"

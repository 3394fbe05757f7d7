#!/usr/bin/env bash
# libraries_test.sh PROGRAM README LIBRARIES: whether a program needs the shared LIBRARIES (names with commas between) and, but
# for libc's and gcc's own, no other; and whether the README names them.
set -euo pipefail

program=$1 readme=$2 libraries=$3
own='(libc|libm|libgcc_s|libstdc\+\+|libatomic|libpthread|librt|libdl|ld-linux[a-z0-9-]*|linux-vdso)\.so[.0-9]*'
failures=0
fail() {
  printf 'FAILED: %s\n' "$*"
  failures=$((failures + 1))
}

needed=$(readelf --wide --dynamic "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
others=$(grep -vxE "$own" <<<"$needed" | sed 's/\.so.*//' | sort || true)
[[ $others == "$(tr , '\n' <<<"$libraries" | sort)" ]] || fail "besides libc's and gcc's own it needs:" $others
section=$(sed -n '/^## A release$/,/^## Reading/p' "$readme")
for library in ${libraries//,/ }; do
  [[ $section == *"$library"* ]] || fail "the README's section \"A release\" does not name $library"
done

loaded=$(ldd "$program")
[[ $loaded != *'not found'* ]] || fail "ldd does not find all that it needs: $loaded"
if [[ -z $libraries ]]; then
  # Not through another library either.
  more=$(awk '{ sub(/.*\//, "", $1); print $1 }' <<<"$loaded" | grep -vxE "$own" || true)
  [[ -z $more ]] || fail "ldd shows" $more
fi
((failures == 0)) || exit 1
echo "as it has to be"

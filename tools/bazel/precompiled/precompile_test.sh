#!/usr/bin/env bash
# precompile_test.sh PRECOMPILE PLUGIN: what precompile.sh makes of a header, with the g++ of this machine.
set -euo pipefail

precompile=$PWD/$1 plugin=$PWD/$2
cd "$TEST_TMPDIR"

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

# A header that nothing is wrong with before its template is instantiated.
mkdir headers
cat >headers/wrong.h <<'END'
template <typename T>
int Size(T) {
  static_assert(sizeof(T) > 1000, "instantiated");
  return 0;
}
inline int Use() { return Size(1); }
END
cat >headers/right.h <<'END'
template <typename T>
int Size(T) {
  return sizeof(T);
}
inline int Use() { return Size(1); }
END
echo 'int main() { return Use() == sizeof(int) ? 0 : 1; }' >main.cc

# A g++ beside which no headers of plugins are.
cat >bare_g++ <<'END'
#!/usr/bin/env bash
if [[ $1 == -print-file-name=plugin ]]; then echo plugin; else exec g++ "$@"; fi
END
chmod +x bare_g++

run_with() { # COMPILER: a source that begins with headers/right.h, precompiled, does what it should
  mkdir -p out
  "$precompile" out/right.h.gch "$plugin" "$1" headers/right.h -- -O1 -I.
  [[ $(ls out) == right.h.gch ]] || fail "left behind: $(ls out)"
  "$1" -O1 -Winvalid-pch -Werror -include out/right.h main.cc -o main
  ./main || fail "compiled wrong by $1"
  rm -r out
}

run_with ./bare_g++ 2>messages
grep -q 'plugin headers are missing' messages || fail "not told that there is no plugin: $(<messages)"
"$precompile" wrong.h.gch "$plugin" ./bare_g++ headers/wrong.h -- -I. 2>messages || fail "instantiated without a plugin: $(<messages)"

if [[ ! -f $(g++ -print-file-name=plugin)/include/gcc-plugin.h ]]; then
  echo "NOT RUN with a plugin: g++'s plugin headers are missing"
  exit 0
fi
run_with g++
if "$precompile" wrong.h.gch "$plugin" g++ headers/wrong.h -- -I. 2>messages; then fail "not instantiated"; fi
grep -q 'static assertion failed: instantiated' messages || fail "another error: $(<messages)"

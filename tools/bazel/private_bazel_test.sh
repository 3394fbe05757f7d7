#!/usr/bin/env bash
# How bazelw unpacks a private Bazel: what it downloads, checks and makes of it. apt and patchelf are stand-ins, the packages are
# made here.
set -euo pipefail

# shellcheck source=tools/bazel/stand_ins.sh
source "${0%/*}/stand_ins.sh"

# A package of a release that apt can download from $machine/mirror.
new_package() { # NAME PATH SCRIPT
  local tree=$machine/packages/$1
  mkdir -p "$tree/DEBIAN" "$tree/${2%/*}" "$machine/mirror"
  printf 'Package: %s\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: none\n' "$1" >"$tree/DEBIAN/control"
  printf '#!/bin/bash\n%s\n' "$3" >"$tree/$2"
  chmod +x "$tree/$2"
  dpkg-deb -Zgzip --build "$tree" "$machine/mirror/$1_1_all.deb" >/dev/null
}

# A machine whose distribution's next release has a Bazel of this VERSION.
new_release() { # VERSION
  new_machine
  rm "$machine/bin/bazel"
  printf 'g++\npatchelf\n' >"$machine/installed"
  stand_in patchelf 'exit 0'
  new_package bazel-bootstrap usr/bin/bazel "if [[ \" \$* \" == *' --version '* ]]; then echo 'bazel $1'; else echo \"private: \$*\"; fi"
  new_package bazel-rules-cc usr/share/bazel/rules/cc/REPO.bazel ''
  new_package openjdk-99-jre-headless usr/lib/jvm/java-99-openjdk-x/bin/java ''
  new_package libperfmark-java usr/share/java/perfmark.jar ''
  new_package libc6 usr/lib/x-linux/ld-linux-x.so.2 ''
  new_package unrelated-thing usr/bin/unrelated ''
  write_lists
  stand_in apt-get "log='$machine/log'; mirror='$machine/mirror'
    echo \"apt-get \$*\" >>\"\$log\"
    case \" \$* \" in
      *' indextargets '*) echo 'http://mirror.invalid Debian' ;;
      *' --print-uris '*) cat '$machine/lists' ;;
      *' download '*)
        while [[ \$1 != download ]]; do shift; done
        shift
        for name in \"\$@\"; do
          [[ ! -e ./\${name}_1_all.deb ]] || { echo \"kept \$name\" >>\"\$log\"; continue; }
          cp \"\$mirror/\${name}_1_all.deb\" .
          echo \"fetched \$name\" >>\"\$log\"
          [[ \$name != libc6 || ! -e '$machine/cut' ]] || { rm '$machine/cut'; exit 100; }
        done ;;
    esac"
}

# What the signed lists say: each package with its size and sum.
write_lists() {
  local file
  for file in "$machine"/mirror/*.deb; do
    printf "'http://mirror.invalid/%s' %s %s SHA256:%s\n" "${file##*/}" "${file##*/}" "$(stat -c %s "$file")" \
      "$(sha256sum "$file" | cut -d' ' -f1)"
  done >"$machine/lists"
}

home() { printf '%s' "$machine/home/.cache/kubelet_cm"; }

test_a_bazel_is_unpacked_and_run_with_what_it_needs() {
  new_release 7.7.1
  bazelw info
  check "runs it" printed 'private: --nosystem_rc --bazelrc=.*/private.bazelrc info'
  check "shows progress" printed 'downloading 5 packages'
  check "leaves out what it does not need" not called 'fetched unrelated-thing'
  check "says where its rules are" grep -q "^common --override_module=rules_cc=$(home)/bazel-7/usr/share/bazel/rules/cc\$" "$(home)/bazel-7/bazelrc"
  check "says where its Java is" grep -q "^startup --server_javabase=$(home)/bazel-7/usr/lib/jvm/java-99-openjdk-x\$" "$(home)/bazel-7/bazelrc"
  check "names every jar" grep -qx "$(home)/bazel-7/usr/share/java/perfmark.jar" "$(home)/bazel-7/usr/share/bazel/bazel_classpath_debian_depends.txt"
  check "keeps no downloads" test ! -e "$(home)/apt"
  : >"$machine/log"
  bazelw info
  check "once" not called .
}

test_only_signed_lists_are_believed() {
  new_release 7.7.1
  touch "$machine/cut" # so that apt's configuration stays
  bazelw info
  check "the lists are signed by Debian" grep -q '^Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg$' "$(home)/apt/sources/bazel.sources"
  check "no other source is read" grep -q '^Dir::Etc::sourcelist "/dev/null";$' "$(home)/apt/apt.conf"
  check "nothing of the system is" grep -q "^Dir::State::status \"$(home)/apt/status\";\$" "$(home)/apt/apt.conf"
}

test_a_package_that_differs_from_the_list_is_refused() {
  new_release 7.7.1
  echo more >>"$machine/mirror/libc6_1_all.deb"
  bazelw info
  check "fails" exited 1
  check "says why" printed 'does not have the sum that the signed list gives'
  check "does not go on" not printed 'private:'
  check "unpacks nothing" test ! -e "$(home)/bazel-7"
}

test_a_download_that_was_cut_goes_on_where_it_was() {
  new_release 7.7.1
  touch "$machine/cut"
  bazelw info
  check "fails" exited 1
  check "says what to do" printed 'run bazelw again to go on with it'
  echo torn >"$(home)/apt/debs/libc6_1_all.deb"
  : >"$machine/log"
  bazelw info
  check "goes on" printed 'private: .*info'
  check "keeps what is whole" called 'kept bazel-bootstrap'
  check "fetches what is torn" called 'fetched libc6'
}

test_half_an_unpacking_is_done_again() {
  new_release 7.7.1
  mkdir -p "$(home)/bazel-7.new/usr/bin" "$(home)/bazel-7/usr/bin"
  touch "$(home)/bazel-7.new/left" "$(home)/bazel-7/usr/bin/bazel"
  bazelw info
  check "runs it" printed 'private: .*info'
  check "nothing is left of it" test ! -e "$(home)/bazel-7/left"
}

test_a_release_with_another_bazel_is_refused() {
  new_release 8.1.0
  bazelw info
  check "fails" exited 1
  check "says what it found" printed 'bazel is not a Bazel 7 (it says: bazel 8.1.0)'
  check "says what to do" printed 'set BAZEL to one, or KUBELET_CM_DEBIAN_SUITE'
}

test_an_old_bazel_on_path_is_passed_over() {
  new_release 7.7.1
  stand_in bazel 'echo "bazel 4.2.3"'
  bazelw info
  check "says so" printed 'is not a Bazel 7 (it says: bazel 4.2.3)'
  check "runs its own" printed 'private: .*info'
}

run_tests

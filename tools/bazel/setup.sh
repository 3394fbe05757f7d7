#!/usr/bin/env bash
# Called by bazelw when something may be missing: installs the distribution packages that the build links against,
# finds or unpacks a Bazel 7, and writes the stamp that lets bazelw skip all of this next time.
#
#   setup.sh ROOT STAMP BAZEL      BAZEL may be empty. In the environment: KUBELET_CM_CACHE, KUBELET_CM_KEY.
#
# One set-up runs at a time; a second one waits for it and then finds the work done. Interrupted at any point, the
# next one goes on: results are made beside their place and moved there when they are whole.
set -euo pipefail

root=$1 stamp=$2 bazel=$3
cache=$KUBELET_CM_CACHE

say() { printf 'bazelw: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# Succeeds when the command is a Bazel 7; says what it is otherwise. Asked in the clone, where bazelisk finds in
# .bazelversion which one it is to be.
is_bazel_7() {
  local version
  version=$(cd "$root" && "$@" --version 2>/dev/null | head -n 1) || version=
  [[ $version == "bazel 7."* ]] && return 0
  say "$1 is not a Bazel 7 (it says: ${version:-nothing})"
  return 1
}

# shellcheck source=tools/bazel/debian_bazel.sh
source "$root/tools/bazel/debian_bazel.sh"

wanted_packages() { tr -s ' \n' '\n' <"$root/tools/bazel/packages.txt"; }

missing_packages() {
  # One line for each that dpkg knows of; those it does not know at all are missing too.
  local installed
  # shellcheck disable=SC2046  # a list of names
  installed=$(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' $(wanted_packages) 2>/dev/null |
    awk '$2 == "installed" { sub(/:.*/, "", $1); print $1 }') || true
  comm -23 <(wanted_packages | sort) <(sort <<<"$installed") | tr '\n' ' '
}

apt_install() { # NAMES
  # shellcheck disable=SC2086  # a list of names
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=600 -q -y install --no-install-recommends $1 >&2
}

# Sets `sudo` to what makes a command run as root; stops, with what an administrator has to run, where nothing does.
become_root() { # LINE
  sudo=()
  ((EUID != 0)) || return 0
  if ! type -P sudo >/dev/null || ! { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
    say "packages are missing, and installing them takes root (no usable sudo here). As root, run:"
    printf '%s\n' "$1"
    exit 1
  fi
  sudo=(sudo)
}

ensure_packages() {
  local missing line sudo
  if ! type -P dpkg-query >/dev/null || ! type -P apt-get >/dev/null; then
    say "this system has no apt-get. The build needs what these Debian 12 packages hold; install their like:"
    say "  $(wanted_packages | tr '\n' ' ')"
    return 0 # What is really missing is named, with the version wanted, when Bazel looks for it.
  fi
  missing=$(missing_packages)
  [[ -n $missing ]] || return 0
  line="apt-get install --no-install-recommends ${missing% }"
  if [[ -n ${KUBELET_CM_NO_INSTALL:-} && $KUBELET_CM_NO_INSTALL != 0 ]]; then
    say "packages are missing, and KUBELET_CM_NO_INSTALL is set. Install them with:"
    printf '%s\n' "$line"
    exit 1
  fi
  become_root "$line"
  say "installing packages: $missing"
  "${sudo[@]}" dpkg --configure -a >&2 || say "dpkg could not finish an earlier, interrupted install; going on"
  if ! apt_install "$missing"; then
    say "trying again with fresh package lists"
    "${sudo[@]}" apt-get -o DPkg::Lock::Timeout=600 -q update >&2 || die "apt-get update failed; see above"
    apt_install "$missing" || die "could not install them; see above. By hand:  $line"
  fi
  missing=$(missing_packages)
  [[ -z $missing ]] || die "apt-get reported success, but these are still not installed: $missing"
}

# Sets `chosen` to the Bazel to run and `rules` to the start-up file that says where its rules are, if it needs one here.
find_bazel() {
  rules=
  if [[ -n ${BAZEL:-} ]]; then
    chosen=$(type -P "$BAZEL") || die "BAZEL is set to $BAZEL, which is not a program"
    is_bazel_7 "$chosen" || die "set BAZEL to a Bazel 7, or unset it"
  elif [[ -n $bazel ]] && is_bazel_7 "$bazel"; then
    chosen=$bazel
  else
    chosen=$private_bazel
    rules=$bazel_home/bazelrc
    private_bazel_works || unpack_private_bazel
    return
  fi
  # Debian's own Bazel says in the system's start-up file where its rules are; any other one is told.
  if [[ ! -e /etc/bazel/bazelrc ]] && type -P apt-get >/dev/null; then
    rules=$rules_home/bazelrc
    [[ -f $rules ]] || unpack_rules
  fi
}

# Writes `bazelrc`, what bazelw tells its Bazel: where results of all clones are kept (.bazelrc cannot name XDG_CACHE_HOME),
# and where the rules are. Clones that take another Bazel have another file.
write_bazelrc() {
  bazelrc=$cache/bazelrc
  [[ $chosen != "$private_bazel" ]] || bazelrc=$cache/private.bazelrc
  {
    printf 'common "--disk_cache=%s/disk"\n' "$cache"
    [[ -z $rules ]] || printf 'import "%s"\n' "$rules"
  } >"$bazelrc.new"
  mv "$bazelrc.new" "$bazelrc"
}

mkdir -p "$cache"
exec 9>"$cache/lock"
if ! flock -n 9; then
  say "another set-up is running; waiting for it"
  flock 9
fi
ensure_packages
find_bazel
write_bazelrc
printf '%s\nbazelrc %s\nrun %s\n' "$KUBELET_CM_KEY" "$bazelrc" "$chosen" >"$stamp.new"
mv "$stamp.new" "$stamp"

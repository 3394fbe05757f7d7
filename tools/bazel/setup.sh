#!/usr/bin/env bash
# Called by bazelw when something is missing: installs the distribution packages that the build links against,
# finds or unpacks a Bazel 7, and writes the stamp that lets bazelw skip all of this next time.
#
#   setup.sh ROOT STAMP BAZEL      BAZEL may be empty. In the environment: KUBELET_CM_CACHE, KUBELET_CM_KEY.
#
# One set-up runs at a time; a second one waits for it and then finds the work done.
set -euo pipefail

root=$1 stamp=$2 bazel=$3
cache=$KUBELET_CM_CACHE
prefix=$cache/bazel-7

say() { printf 'bazelw: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# ---- distribution packages

missing_packages() {
  local name
  for name in $(<"$root/tools/bazel/packages.txt"); do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || printf '%s ' "$name"
  done
}

ensure_packages() {
  local missing line sudo=()
  if ! type -P dpkg-query >/dev/null || ! type -P apt-get >/dev/null; then
    say "this system has no apt-get. The build needs what these Debian 12 packages hold; install their like:"
    say "  $(tr '\n' ' ' <"$root/tools/bazel/packages.txt")"
    return 0 # Going on: what is really missing is named, with the version wanted, when Bazel looks for it.
  fi
  missing=$(missing_packages)
  [[ -n $missing ]] || return 0
  line="apt-get install --no-install-recommends ${missing% }"
  if [[ -n ${KUBELET_CM_NO_INSTALL:-} && $KUBELET_CM_NO_INSTALL != 0 ]]; then
    say "packages are missing and KUBELET_CM_NO_INSTALL is set. Install them with:"
    printf '%s\n' "$line"
    exit 1
  fi
  if ((EUID != 0)); then
    if ! type -P sudo >/dev/null || ! { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      say "packages are missing, and installing them takes root (no usable sudo here). As root, run:"
      printf '%s\n' "$line"
      exit 1
    fi
    sudo=(sudo)
  fi
  say "installing packages: $missing"
  # An install that was interrupted leaves dpkg half-configured; finish that first.
  "${sudo[@]}" dpkg --configure -a >&2
  if ! apt_install "$missing"; then
    say "trying again with fresh package lists"
    "${sudo[@]}" apt-get -o DPkg::Lock::Timeout=600 -q update >&2 || die "apt-get update failed; see above"
    apt_install "$missing" || die "could not install them; see above. By hand: $line"
  fi
  missing=$(missing_packages)
  [[ -z $missing ]] || die "apt-get reported success, but these are still not installed: $missing"
}

apt_install() {
  # shellcheck disable=SC2086  # a list of names
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -q -y \
    install --no-install-recommends $1 >&2
}

# ---- Bazel

version_of() { (cd / && "$@" --version 2>/dev/null) | head -n 1; }

# Prints nothing and succeeds when the command is a Bazel 7; says what it is otherwise.
is_bazel_7() {
  local version
  version=$(version_of "$@") || version=
  [[ $version == "bazel 7."* ]] && return 0
  say "$1 is not a Bazel 7 (it says: ${version:-nothing})"
  return 1
}

private_bazel=$prefix/usr/bin/bazel
private_bazel_works() { [[ -x $private_bazel ]] && is_bazel_7 "$private_bazel" --nosystem_rc "--bazelrc=$prefix/bazelrc"; }

# "URI SIGNED-BY" of the Debian archive that this system uses itself.
debian_mirror() {
  if [[ -n ${KUBELET_CM_DEBIAN_MIRROR:-} ]]; then
    printf '%s\n' "$KUBELET_CM_DEBIAN_MIRROR"
    return
  fi
  apt-get indextargets --format '$(SITE) $(LABEL)' 'Created-By: Packages' 2>/dev/null | awk '$2 == "Debian" { print $1; exit }'
}

write_apt_configuration() { # FOLDER MIRROR SUITE
  local apt=$1
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/sources" "$apt/debs"
  : >"$apt/status"
  cat >"$apt/sources/bazel.sources" <<EOF
Types: deb
URIs: $2
Suites: $3
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
EOF
  cat >"$apt/apt.conf" <<EOF
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$apt/sources";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Sandbox::User "";
EOF
}

# Of the closure of bazel-bootstrap, what running Bazel for C++ takes.
wanted='^(bazel.*|lib.*-java|openjdk-.*-jre-headless|libc6|libgcc-s1|libstdc\+\+6|zlib1g|libabsl.*|libgrpc.*t64|libprotobuf.*t64'
wanted+='|libprotoc.*|libcares2|libre2-.*|libssl3.*|libzstd1|libzstd-jni.*|async-profiler-java|velocity)$'

download_packages() { # FOLDER
  local apt=$1 closure names
  say "looking for Bazel 7 in Debian $suite"
  apt-get -q update >&2 || die "could not read the package lists of Debian $suite from $mirror"
  closure=$(apt-get install --print-uris -qq -y --no-install-recommends bazel-bootstrap | awk '{ sub(/_.*/, "", $2); print $2 }') ||
    die "Debian $suite at $mirror offers no installable bazel-bootstrap; set BAZEL to a Bazel 7, or KUBELET_CM_DEBIAN_SUITE"
  names=$(grep -E "$wanted" <<<"$closure")
  [[ $names == *jre-headless* ]] || die "no Java runtime among what bazel-bootstrap of Debian $suite needs; set BAZEL to a Bazel 7"
  say "downloading $(wc -l <<<"$names") packages (about 190 MB, once), signatures checked by apt"
  # shellcheck disable=SC2086  # a list of names
  (cd "$apt/debs" && apt-get -q download $names >&2) || die "the download failed; run bazelw again to go on with it"
}

# Packages carry paths below / : make them work below PREFIX. $1 holds the files, $prefix is where they will be.
relocate() { # TREE
  local tree=$1 link target interpreter lib file rpath java
  find "$tree" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    target=$(readlink "$link")
    ln -sfnr "$tree$target" "$link"
  done
  interpreter=$(cd "$tree" && echo usr/lib/*/ld-linux*.so.*)
  lib=${interpreter%/*}
  [[ -e $tree/$interpreter ]] || die "no dynamic loader among the downloaded packages; remove $cache and try again"
  java=$(cd "$tree" && echo usr/lib/jvm/java-*-openjdk-*[0-9a-z] | tr ' ' '\n' | grep -E 'java-[0-9]+-' | head -n 1)
  for file in "$tree"/usr/bin/bazel "$tree"/usr/libexec/*/bazel/* "$tree/$java"/bin/* "$tree/$java"/lib/jspawnhelper; do
    [[ -f $file && ! -L $file ]] || continue
    rpath=$(patchelf --print-rpath "$file")
    patchelf --set-interpreter "$prefix/$interpreter" --force-rpath --set-rpath "${rpath:+$rpath:}$prefix/$lib" "$file"
  done
  # The shipped list of jars is short of some that the server needs.
  (cd "$tree" && ls usr/share/java/*.jar) | sed "s|^|$prefix/|" >"$tree/usr/share/bazel/bazel_classpath_debian_depends.txt"
  write_bazelrc "$tree" "$java" >"$tree/bazelrc"
}

# The packaged start-up file with our folder in it. In WORKSPACE mode the same rules are repositories, not modules.
write_bazelrc() { # TREE JAVA
  local rules=$1/etc/bazel/bazelrc
  echo "startup --server_javabase=$prefix/$2"
  grep -Ev '^(try-import|#|$)|host_javabase|sandbox_debug' "$rules" | sed "s|=/usr/|=$prefix/usr/|"
  sed -n "s|^common --override_module=\([a-z_]*\)=/usr/|common:workspace --override_repository=\1=$prefix/usr/|p" "$rules"
}

unpack_private_bazel() {
  local apt=$cache/apt mirror suite=${KUBELET_CM_DEBIAN_SUITE:-forky} deb new=$cache/bazel-7.new
  type -P apt-get >/dev/null ||
    die "no Bazel 7 found, and this is not Debian or its kin: install Bazel 7 (or bazelisk) and put it on PATH, or set BAZEL"
  type -P patchelf >/dev/null || die "patchelf is missing: apt-get install patchelf"
  mirror=$(debian_mirror)
  [[ -n $mirror ]] ||
    die "this system has no Debian package source to take Bazel 7 from: set BAZEL to a Bazel 7, or KUBELET_CM_DEBIAN_MIRROR"
  [[ -r /usr/share/keyrings/debian-archive-keyring.gpg ]] || die "Debian's keys are missing: apt-get install debian-archive-keyring"
  write_apt_configuration "$apt" "$mirror" "$suite"
  export APT_CONFIG=$apt/apt.conf
  rm -f "$apt"/debs/*.FAILED
  download_packages "$apt"
  unset APT_CONFIG
  say "unpacking into $prefix"
  rm -rf "$new" "$prefix"
  mkdir -p "$new"
  for deb in "$apt"/debs/*.deb; do
    dpkg-deb -x "$deb" "$new" || {
      rm -f "$deb"
      die "${deb##*/} is damaged; run bazelw again to fetch it anew"
    }
  done
  relocate "$new"
  mv "$new" "$prefix"
  private_bazel_works || die "Debian $suite no longer ships Bazel 7: set BAZEL to one, or KUBELET_CM_DEBIAN_SUITE"
  rm -rf "$apt"
}

find_bazel() {
  if [[ -n ${BAZEL:-} ]]; then
    type -P "$BAZEL" >/dev/null || die "BAZEL is set to $BAZEL, which is not a program"
    is_bazel_7 "$BAZEL" || die "set BAZEL to a Bazel 7, or unset it"
    chosen=$(type -P "$BAZEL")
  elif [[ -n $bazel ]] && is_bazel_7 "$bazel"; then
    chosen=$bazel
  else
    [[ -z $bazel ]] || say "using a private Bazel 7 instead"
    chosen=$private_bazel
    private_bazel_works || unpack_private_bazel
  fi
}

mkdir -p "$cache"
exec 9>"$cache/lock"
if ! flock -n 9; then
  say "another set-up is running; waiting for it"
  flock 9
fi
ensure_packages
find_bazel
printf '%s\nrun %s\n' "$KUBELET_CM_KEY" "$chosen" >"$stamp.new"
mv "$stamp.new" "$stamp"

# Takes Bazel 7, or only the rules that a Bazel 7 from elsewhere needs, out of Debian's packages. Sourced by setup.sh.
#
# Debian's testing release ships Bazel 7, linked against that release's own C library. Unpacked into a folder of its
# own, with the paths inside pointed at that folder, it runs on older releases and touches nothing of the system.
# apt does the downloading, through a configuration of its own, so that signatures are checked as for any package.
#
# Uses from setup.sh: cache, say, die, is_bazel_7.

bazel_home=$cache/bazel-7
rules_home=$cache/rules
private_bazel=$bazel_home/usr/bin/bazel

private_bazel_works() {
  [[ -x $private_bazel ]] && is_bazel_7 "$private_bazel" --nosystem_rc "--bazelrc=$bazel_home/bazelrc"
}

# What of bazel-bootstrap's closure it takes to run Bazel for C++, as a pattern of package names.
bazel_parts='bazel-.*|lib.*-java|openjdk-.*-jre-headless|libc6|libgcc-s1|libstdc\+\+6|zlib1g|libabsl.*|libgrpc.*t64'
bazel_parts+='|libprotobuf.*t64|libprotoc.*|libcares2|libre2-.*|libssl3.*|libzstd1|libzstd-jni.*|async-profiler-java|velocity'
rules_parts='bazel-rules-.*|bazel-skylib|bazel-features|bazel-platforms'

# The Debian archive that this system itself is installed from.
debian_mirror() {
  if [[ -n ${KUBELET_CM_DEBIAN_MIRROR:-} ]]; then
    printf '%s\n' "$KUBELET_CM_DEBIAN_MIRROR"
    return
  fi
  apt-get indextargets --format '$(SITE) $(LABEL)' 'Created-By: Packages' 2>/dev/null | awk '$2 == "Debian" { print $1; exit }'
}

# An apt configuration that knows the one release, and nothing of what this system has installed.
configure_apt() { # FOLDER SUITE
  local apt=$1 suite=$2 mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  type -P apt-get >/dev/null ||
    die "no Bazel 7 found, and this is not Debian or its kin: install Bazel 7 (or bazelisk) and put it on PATH, or set BAZEL"
  mirror=$(debian_mirror)
  [[ -n $mirror ]] ||
    die "this system has no Debian package source to take Bazel 7 from: set BAZEL to a Bazel 7, or KUBELET_CM_DEBIAN_MIRROR"
  [[ -r $keyring ]] || die "Debian's keys are missing. Install them with:  apt-get install debian-archive-keyring"
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/sources" "$apt/debs"
  : >"$apt/status"
  printf '%s\n' "Types: deb" "URIs: $mirror" "Suites: $suite" "Components: main" "Signed-By: $keyring" \
    >"$apt/sources/bazel.sources"
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

# Fills FOLDER/debs with the packages whose names match, and nothing else. What an earlier try left is used again.
download_packages() { # FOLDER SUITE PARTS
  local apt=$1 suite=$2 parts=$3 chosen quiet=-qq
  [[ ! -t 2 ]] || quiet= # a terminal gets apt's own progress bar
  say "looking for Bazel 7 in Debian $suite"
  APT_CONFIG=$apt/apt.conf apt-get $quiet update >&2 || die "could not read the package lists of Debian $suite; see above"
  # Each line: 'URI' FILE SIZE SHA256:SUM, as the signed lists have them.
  APT_CONFIG=$apt/apt.conf apt-get -o Acquire::ForceHash=sha256 install --print-uris -qq -y \
    --no-install-recommends bazel-bootstrap >"$apt/closure" ||
    die "Debian $suite has no installable bazel-bootstrap: set BAZEL to a Bazel 7, or KUBELET_CM_DEBIAN_SUITE"
  awk -v parts="^($parts)\$" '{ name = $2; sub(/_.*/, "", name); sub(/SHA256:/, "", $4) } name ~ parts { print name, $2, $3, $4 }' \
    "$apt/closure" >"$apt/chosen"
  [[ -s $apt/chosen ]] || die "nothing that bazel-bootstrap of Debian $suite needs looks familiar: set BAZEL to a Bazel 7"
  remove_other_debs "$apt"
  say "downloading $(wc -l <"$apt/chosen") packages ($(awk '{ s += $3 } END { printf "%d MB", s / 1e6 }' "$apt/chosen"), once)"
  chosen=$(cut -d' ' -f1 "$apt/chosen")
  # shellcheck disable=SC2086  # a list of names
  (cd "$apt/debs" && APT_CONFIG=$apt/apt.conf apt-get $quiet download $chosen >&2) ||
    die "the download failed; run bazelw again to go on with it"
  (cd "$apt/debs" && awk '{ print $4 "  " $2 }' ../chosen | sha256sum --check --quiet) >&2 ||
    die "a downloaded package does not have the sum that the signed list gives; run bazelw again"
}

# Leftovers of an interrupted try: other versions, and files that are not whole.
remove_other_debs() { # FOLDER
  local file
  for file in "$1"/debs/*; do
    [[ -e $file ]] || continue
    (cd "$1/debs" && awk -v f="${file##*/}" '$2 == f { print $4 "  " $2 }' ../chosen | sha256sum --check --status 2>/dev/null) ||
      rm -f "$file"
  done
}

unpack_packages() { # FOLDER TREE
  local deb
  rm -rf "$2"
  mkdir -p "$2"
  for deb in "$1"/debs/*.deb; do
    dpkg-deb -x "$deb" "$2" || die "could not unpack ${deb##*/}; is the disk full?"
  done
}

# Points the programs at the loader and the libraries that were unpacked with them. They will lie in $bazel_home.
relocate_programs() { # TREE JAVA
  local tree=$1 java=$2 link interpreter lib file rpath
  find "$tree" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    ln -sfnr "$tree$(readlink "$link")" "$link"
  done
  interpreter=$(cd "$tree" && compgen -G 'usr/lib/*/ld-linux*.so.*' | head -n 1)
  [[ -n $interpreter ]] || die "no dynamic loader among the downloaded packages: set BAZEL to a Bazel 7"
  lib=${interpreter%/*}
  for file in "$tree"/usr/bin/bazel "$tree"/usr/libexec/*/bazel/* "$tree/$java"/bin/* "$tree/$java"/lib/jspawnhelper; do
    [[ -f $file && ! -L $file ]] || continue
    rpath=$(patchelf --print-rpath "$file")
    patchelf --set-interpreter "$bazel_home/$interpreter" --force-rpath --set-rpath "${rpath:+$rpath:}$bazel_home/$lib" "$file"
  done
  # The shipped list of jars is short of some without which the client waits for two minutes.
  (cd "$tree" && compgen -G 'usr/share/java/*.jar') | sed "s|^|$bazel_home/|" \
    >"$tree/usr/share/bazel/bazel_classpath_debian_depends.txt"
}

# The rules that Bazel's own modules ask for: as modules, and as repositories for a build without modules.
rules_flags() { # TREE HOME
  local pair
  for pair in platforms=tools/platforms bazel_features=tools/features bazel_skylib=tools/skylib rules_cc=rules/cc \
    rules_java=rules/java rules_license=rules/license rules_python=rules/python rules_proto=rules/proto; do
    [[ -d $1/usr/share/bazel/${pair#*=} ]] || continue
    echo "common --override_module=${pair%%=*}=$2/usr/share/bazel/${pair#*=}"
    echo "common:workspace --override_repository=${pair%%=*}=$2/usr/share/bazel/${pair#*=}"
  done
}

unpack_private_bazel() {
  local apt=$cache/apt suite=${KUBELET_CM_DEBIAN_SUITE:-forky} new=$cache/bazel-7.new java
  type -P patchelf >/dev/null || die "patchelf is missing. Install it with:  apt-get install patchelf"
  configure_apt "$apt" "$suite"
  download_packages "$apt" "$suite" "bazel-bootstrap.*|$bazel_parts"
  say "unpacking into $bazel_home"
  unpack_packages "$apt" "$new"
  java=$(cd "$new" && compgen -G 'usr/lib/jvm/java-*-openjdk-*/bin' | grep -E 'java-[0-9]+-' | head -n 1) ||
    die "no Java runtime among what bazel-bootstrap of Debian $suite needs: set BAZEL to a Bazel 7"
  java=${java%/bin}
  relocate_programs "$new" "$java"
  {
    echo "startup --server_javabase=$bazel_home/$java"
    echo "startup --install_base=$bazel_home/usr/share/bazel"
    echo "startup --trust_install_base"
    rules_flags "$new" "$bazel_home"
  } >"$new/bazelrc"
  rm -rf "$bazel_home"
  mv "$new" "$bazel_home"
  private_bazel_works || die "Debian $suite no longer ships Bazel 7: set BAZEL to one, or KUBELET_CM_DEBIAN_SUITE"
  rm -rf "$apt"
}

# A Bazel from elsewhere takes its rules from the network; the distribution's do as well, and are signed.
unpack_rules() {
  local apt=$cache/apt suite=${KUBELET_CM_DEBIAN_SUITE:-forky} new=$cache/rules.new
  configure_apt "$apt" "$suite"
  download_packages "$apt" "$suite" "$rules_parts"
  unpack_packages "$apt" "$new"
  rules_flags "$new" "$rules_home" >"$new/bazelrc"
  rm -rf "$rules_home"
  mv "$new" "$rules_home"
  rm -rf "$apt"
}

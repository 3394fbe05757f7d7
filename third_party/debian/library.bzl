"""debian_library: a repository over one library that the distribution installed.

It fails, when it is fetched, if the library is missing or too old: with the library's name, the version wanted and
the command that installs it. What it offers:

    //:library   headers (those of the system's include path) and archives, as one cc_library
    //:<NAME>    a program of the library's packages
    //:headers   the files of the include folders that were asked for
    //:<STEM>_proto   a proto_library for each .proto file that was asked for
"""

_LIBRARY_FOLDERS = ["/usr/lib/{arch}-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"]

def _version_numbers(version):
    """The upstream part of a package's version as a list of numbers: 1:3.21.12-3+b1 becomes [3, 21, 12]."""
    text = version.split(":")[-1].split("-")[0].split("+")[0].split("~")[0]
    return [int(part) for part in text.split(".") if part.isdigit()]

def _install_line(packages):
    return "apt-get install --no-install-recommends " + " ".join(packages)

def _refuse(rctx, why, packages):
    fail("\n\n{library} {minimum} or newer is needed, and {why}.\nInstall it with:  {line}\n".format(
        library = rctx.attr.library,
        minimum = rctx.attr.minimum,
        why = why,
        line = _install_line(packages),
    ))

def _installed_version(rctx):
    """The package's version, or None. dpkg knows best; pkg-config is asked where there is no dpkg."""
    dpkg = rctx.which("dpkg-query")
    if dpkg:
        status = rctx.path("/var/lib/dpkg/info")
        if status.exists:
            for suffix in ["", ":" + _debian_arch(rctx)]:
                control = rctx.path("/var/lib/dpkg/info/" + rctx.attr.package + suffix + ".list")
                if control.exists:
                    rctx.watch(control)
        result = rctx.execute([dpkg, "-W", "-f", "${db:Status-Status} ${Version}", rctx.attr.package])
        words = result.stdout.split(" ")
        return words[1] if result.return_code == 0 and words[0] == "installed" else None
    pkg_config = rctx.which("pkg-config")
    if not pkg_config:
        return None
    result = rctx.execute([pkg_config, "--modversion", rctx.attr.pkg_config])
    return result.stdout.strip() if result.return_code == 0 else None

def _debian_arch(rctx):
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(rctx.os.arch, rctx.os.arch)

def _check_version(rctx):
    installed = _installed_version(rctx)
    if not installed:
        _refuse(rctx, "it is not installed", [rctx.attr.package])
    if _version_numbers(installed) < _version_numbers(rctx.attr.minimum):
        _refuse(rctx, "%s %s is installed" % (rctx.attr.package, installed), [rctx.attr.package])
    return installed

def _library_files(rctx):
    """File name -> path of every library file of the distribution; the first folder that has one wins."""
    arch = {"amd64": "x86_64"}.get(rctx.os.arch, rctx.os.arch)
    files = {}
    for folder in _LIBRARY_FOLDERS:
        path = rctx.path(folder.format(arch = arch))
        if path.exists:
            for entry in path.readdir():
                if entry.basename.endswith(".a") or entry.basename.endswith(".so"):
                    files.setdefault(entry.basename, entry)
    return files

def _link_files(rctx, names, suffix):
    """Symlinks lib/<file> for the libraries named; returns their labels."""
    files = _library_files(rctx)
    found = []
    for name in names:
        wanted = "lib" + name.rstrip("*")
        matching = sorted([
            base
            for base in files
            if (base.startswith(wanted) and base.endswith(suffix) if name.endswith("*") else base == wanted + suffix)
        ])
        if not matching:
            _refuse(rctx, "lib%s%s is nowhere below /usr/lib" % (name, suffix), [rctx.attr.package])
        for base in matching:
            rctx.symlink(files[base], "lib/" + base)
            found.append("lib/" + base)
    return found

def _link_programs(rctx):
    for name, package in rctx.attr.programs.items():
        program = rctx.which(name)
        if not program:
            _refuse(rctx, "its program %s is not installed" % name, [package])
        rctx.symlink(program, name)

def _link_headers(rctx):
    for folder in rctx.attr.headers:
        path = rctx.path("/usr/include/" + folder)
        if not path.exists:
            _refuse(rctx, "/usr/include/%s is missing" % folder, [rctx.attr.package])
        rctx.symlink(path, "include/" + folder)

_BUILD = """package(default_visibility = ["//visibility:public"])

# INSTALLED names the package's version, so that what was compiled against another one is compiled again.
cc_library(
    name = "library",
    additional_linker_inputs = {inputs},
    linkopts = {linkopts},
    textual_hdrs = ["INSTALLED"],
)

filegroup(
    name = "headers",
    srcs = glob(["include/**"], allow_empty = True),
)

exports_files({files})
"""

_PROTO = """
proto_library(
    name = "{name}",
    srcs = ["include/{path}"],
    strip_import_prefix = "/include",
)
"""

def _proto_target(path):
    name = path.split("/")[-1].removesuffix(".proto") + "_proto"
    return _PROTO.format(name = name, path = path)

def _debian_library_impl(rctx):
    version = _check_version(rctx)
    archives = _link_files(rctx, rctx.attr.archives, ".a")
    shared = _link_files(rctx, rctx.attr.shared, ".so")
    _link_programs(rctx)
    _link_headers(rctx)
    linkopts = ["-Wl,--start-group"] + ["$(execpath %s)" % a for a in archives] + ["-Wl,--end-group"] if archives else []
    linkopts += ["-l" + name for name in rctx.attr.shared] + rctx.attr.link
    rctx.file("INSTALLED", "%s %s\n" % (rctx.attr.package, version))
    rctx.file("BUILD", _BUILD.format(
        inputs = repr(archives + shared),
        linkopts = repr(linkopts),
        files = repr(archives + rctx.attr.programs.keys()),
    ) + "".join([_proto_target(path) for path in rctx.attr.protos]))

debian_library = repository_rule(
    implementation = _debian_library_impl,
    attrs = {
        "library": attr.string(mandatory = True),
        "package": attr.string(mandatory = True),
        "minimum": attr.string(mandatory = True),
        "pkg_config": attr.string(mandatory = True),
        "archives": attr.string_list(),
        "shared": attr.string_list(),
        "link": attr.string_list(),
        "programs": attr.string_dict(),
        "headers": attr.string_list(),
        "protos": attr.string_list(),
    },
    local = True,
    doc = "One library of the distribution; see libraries.bzl for the attributes.",
)

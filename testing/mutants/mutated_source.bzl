"""mutated_source: a source of the product with a bug planted into it.

The source is found among those that a program is linked from, by its path: no package has to export its files for this.
"""

_Sources = provider(doc = "Sources that a target is made of, with those of its deps.", fields = ["files"])

def _collect(target, ctx):
    own = ctx.rule.files.srcs if hasattr(ctx.rule.files, "srcs") else []
    deps = getattr(ctx.rule.attr, "deps", [])
    return [_Sources(files = depset(own, transitive = [dep[_Sources].files for dep in deps if _Sources in dep]))]

_collected = aspect(implementation = _collect, attr_aspects = ["deps"])

def _mutated_source(ctx):
    found = [file for file in ctx.attr.linked_from[_Sources].files.to_list() if file.short_path == ctx.attr.source]
    if len(found) != 1:
        fail("%s is not linked from %s" % (ctx.attr.linked_from.label, ctx.attr.source))
    edits = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(edits, json.encode({
        "edits": [{"find": find, "replace": replace} for find, replace in zip(ctx.attr.find, ctx.attr.replace)],
        "source": ctx.attr.source,
    }))
    mutated = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run_shell(
        command = 'exec python3 "$@"',
        arguments = [ctx.file._tool.path, found[0].path, edits.path, mutated.path],
        inputs = [ctx.file._tool, found[0], edits],
        outputs = [mutated],
        mnemonic = "PlantBug",
        progress_message = "Planting a bug into %s" % ctx.attr.source,
    )
    return [DefaultInfo(files = depset([mutated]))]

mutated_source = rule(
    implementation = _mutated_source,
    doc = "The source with each `find`, which it has once, made into its `replace`.",
    attrs = {
        "find": attr.string_list(mandatory = True),
        "linked_from": attr.label(aspects = [_collected], mandatory = True),
        "replace": attr.string_list(mandatory = True),
        "source": attr.string(mandatory = True),
        "_tool": attr.label(allow_single_file = True, default = "//testing/mutants:plant_bug.py"),
    },
)

"""text_file: a file of some lines."""

def _text_file(ctx):
    file = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(file, "\n".join(ctx.attr.lines) + "\n")
    return [DefaultInfo(files = depset([file]), runfiles = ctx.runfiles([file]))]

text_file = rule(
    implementation = _text_file,
    attrs = {"lines": attr.string_list(mandatory = True)},
)

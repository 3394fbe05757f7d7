"""The two kinds of test in this package: of a check's own code, and of this repository by that check."""

def lint_unit_test(name, **kwargs):
    """Runs <name>.py, a unittest."""
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["python_test.sh"],
        args = ["unittest", name],
        data = [":python_sources"],
        **kwargs
    )

def lint_test(name, check, **kwargs):
    """Runs one check of lint.py over all sources of the repository."""
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["python_test.sh"],
        args = ["lint", "--archive", "$(rootpath @lint_sources//:sources.tar)", check],
        data = [
            "allowed.txt",
            ":python_sources",
            "@lint_sources//:sources.tar",
        ],
        **kwargs
    )

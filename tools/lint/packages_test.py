import unittest

import packages
from planting import rules, tree

LIBRARIES = """\
    LIBRARIES = {
        "zlib": struct(package = "zlib1g-dev", minimum = "1"),
        "grpc": struct(package = "libgrpc-dev", minimum = "1", programs = {"plugin": "plugin-package"}),
    }

    def name_of(library):
        return "x_" + library
    """


def found(installed):
    return packages.check(tree({packages.LIBRARIES: LIBRARIES, packages.PACKAGES: installed}))


class PackagesTest(unittest.TestCase):

    def test_every_package_of_a_library_and_its_programs_is_installed(self):
        self.assertEqual(found("zlib1g-dev g++\nlibgrpc-dev plugin-package\n"), [])

    def test_a_package_left_out_is_named(self):
        self.assertIn("lacks zlib1g-dev", found("libgrpc-dev plugin-package")[0].message)
        self.assertIn("lacks plugin-package", found("libgrpc-dev zlib1g-dev")[0].message)

    def test_a_missing_table_is_a_finding(self):
        self.assertEqual(rules(packages.check(tree({}))), [(packages.LIBRARIES, 1, "packages")])


if __name__ == "__main__":
    unittest.main()

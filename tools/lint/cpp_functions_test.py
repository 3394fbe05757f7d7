import unittest

import cpp_functions


def names(text):
    return [function.name for function in cpp_functions.functions(text)]


def parameters(text):
    return {function.name: function.parameters for function in cpp_functions.functions(text)}


class BodiesTest(unittest.TestCase):

    def test_a_body_is_measured_from_signature_to_brace(self):
        (function,) = cpp_functions.functions("\nint f(\n    int a) {\n  return a;\n}\n")
        self.assertEqual((function.name, function.line, function.end, function.lines), ("f", 2, 5, 4))

    def test_namespaces_and_classes_are_looked_into(self):
        self.assertEqual(names("namespace a::b { namespace { class ABSL_LOCKABLE C final : public D<void(int)> {\n"
                               " public: int f() const { return 1; } private: int g(); }; } }"), ["f", "g"])

    def test_lambdas_and_local_classes_belong_to_the_function_around_them(self):
        text = "void f() {\n auto g = [](int a) { return a; };\n struct L { int h() { return 1; } };\n}\nvoid i() {}\n"
        self.assertEqual(names(text), ["f", "i"])

    def test_a_constructor_with_braced_members_has_one_body(self):
        text = "C::C(int a) : a_{a}, b_(std::vector<int>{1, 2}), c_{{}, 3} {\n  Use();\n}\nvoid after() {}\n"
        self.assertEqual(names(text), ["C", "after"])
        self.assertEqual(cpp_functions.functions(text)[0].lines, 3)

    def test_initializers_are_no_functions(self):
        text = ("constexpr int kTable[] = {1, 2};\nstd::vector<int> v{f(1), 2};\nclass C { int a_{0}; std::map<int, int> b_ = {}; };\n"
                "enum class E { kA, kB };\nconst auto& g = *new auto([] { return 1; }());\n")
        self.assertEqual(names(text), [])

    def test_a_test_macro_is_a_function_and_a_mock_method_is_none(self):
        text = ("class M { MOCK_METHOD(int, Add, (int a, (std::map<int, int>) b), (const, override)); };\n"
                "TEST_F(Suite, DoesThis) {\n  EXPECT_CALL(m, Add(_, _)).WillOnce([] { return 1; });\n}\n"
                "INSTANTIATE_TEST_SUITE_P(All, Suite, Values(1), [](const auto& info) { return info.name; });\n")
        self.assertEqual([(f.name, f.lines) for f in cpp_functions.functions(text)], [("TEST_F", 3)])

    def test_operators_destructors_and_specialisations_are_named(self):
        text = ("bool operator<(const A& a, const A& b) { return a.x < b.x; }\nint C::operator()(int a) const { return a; }\n"
                "C::~C() { Stop(); }\ntemplate <> void f<std::vector<int>>(int a) {}\n")
        self.assertEqual([(f.name, f.parameters) for f in cpp_functions.functions(text)],
                         [("operator<", 2), ("operator()", 1), ("~C", 0), ("f", 1)])

    def test_annotations_and_trailing_returns_do_not_confuse(self):
        text = ("void f(int a) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {}\nauto g(int a, int b) -> std::map<int, int> { return {}; }\n"
                "ABSL_DEPRECATED(\"x\") [[nodiscard]] int h() noexcept(true) { return 0; }\nint a_ ABSL_GUARDED_BY(mu_) = 0;\n"
                "struct S f2(int a) { return {}; }\n")
        self.assertEqual(names(text), ["f", "g", "h", "f2"])

    def test_branches_that_open_different_braces_are_taken_once(self):
        text = "#ifdef A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}\n#if B\nvoid g() {}\n#else\nvoid h() {}\n#endif\nvoid i() {}\n"
        self.assertEqual(names(text), ["f", "g", "h", "i"])

    def test_a_macro_without_semicolon_does_not_swallow_a_namespace(self):
        self.assertEqual(names("PUSH_WARNINGS(4251)\nnamespace n {\nvoid f() {}\n}\n"), ["f"])

    def test_braces_in_strings_and_comments_do_not_count(self):
        self.assertEqual(names('void f() { g("}", \'{\', R"({)"); /* { */ }  // {\nvoid h() {}\n'), ["f", "h"])


class ParametersTest(unittest.TestCase):

    def test_commas_in_templates_defaults_and_callbacks_do_not_count(self):
        self.assertEqual(parameters("int f(std::map<int, std::pair<int, int>> a, int b = g(1, 2), std::function<void(int, int)> c = {},"
                                    " Options o = {.a = 1, .b = 2});"), {"f": 4})

    def test_declarations_constructors_and_definitions_count_alike(self):
        self.assertEqual(parameters("class C { C(int a, int b); explicit D(int a); };\nC::E(int a, int b, int c) : a_(a) {}"),
                         {"C": 2, "D": 1, "E": 3})

    def test_none_and_void_are_no_parameters(self):
        self.assertEqual(parameters("void f(); void g(void); void h(int shift = 1 << 4, int y = 2);"), {"f": 0, "g": 0, "h": 2})

    def test_variables_aliases_and_calls_in_initializers_are_no_declarations(self):
        self.assertEqual(parameters("using F = void(int, int); typedef int G(int);\nint x = f(1, 2, 3); static_assert(a(1, 2));\n"
                                    "std::function<void(int, int)> callback_;"), {})


if __name__ == "__main__":
    unittest.main()

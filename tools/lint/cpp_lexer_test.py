import unittest

import cpp_lexer


def kinds(text):
    return [(token.kind, token.text) for token in cpp_lexer.tokens(text)]


class TokensTest(unittest.TestCase):

    def test_comments_and_strings_hide_each_other(self):
        self.assertEqual(kinds('"// no comment" // "no string"\n/* \' */ x'),
                         [("string", '"// no comment"'), ("comment", '// "no string"'), ("comment", "/* ' */"), ("name", "x")])

    def test_a_raw_string_ends_at_its_own_delimiter(self):
        self.assertEqual(kinds('R"x( )" }{ // )x" ;'), [("string", 'R"x( )" }{ // )x"'), ("punctuation", ";")])

    def test_a_digit_separator_does_not_begin_a_character(self):
        self.assertEqual(kinds("1'000 + 'a' + '\\''"),
                         [("number", "1'000"), ("punctuation", "+"), ("char", "'a'"), ("punctuation", "+"), ("char", "'\\''")])

    def test_a_directive_takes_its_continuation_lines(self):
        found = cpp_lexer.tokens('#define A { \\\n  { "//"\nint x;')
        self.assertEqual([token.kind for token in found], ["directive", "name", "name", "punctuation"])
        self.assertEqual(found[1].line, 3)

    def test_a_comment_goes_on_after_a_continued_line(self):
        self.assertEqual([token.kind for token in cpp_lexer.tokens("// a \\\n b }\nx")], ["comment", "name"])

    def test_lines_are_counted_through_multi_line_tokens(self):
        self.assertEqual(cpp_lexer.tokens('/*\n\n*/ R"(\n)" x')[-1].line, 4)

    def test_what_makes_no_sense_still_ends(self):
        for text in ('"open', "'", "/* open", 'R"(open', "\\", "#", "\x00@`"):
            cpp_lexer.tokens(text)


class CodeOnlyTest(unittest.TestCase):

    def test_lines_and_columns_stay(self):
        text = 'a("sleep") /* absl::Now() */ b;\n// c\nd'
        code = cpp_lexer.code_only(text)
        self.assertEqual(len(code), len(text))
        self.assertEqual(code.split(), ["a(", ")", "b;", "d"])

    def test_an_include_is_code_and_a_string_in_a_macro_is_not(self):
        self.assertIn('"x/y.h"', cpp_lexer.code_only('#include "x/y.h"\n'))
        self.assertNotIn("text", cpp_lexer.code_only('#define X f("text")\n'))


if __name__ == "__main__":
    unittest.main()

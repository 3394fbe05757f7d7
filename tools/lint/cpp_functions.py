"""Finds the functions of a C++ file: where they begin and end, and how many parameters they and the declarations take.

Not a parser. It follows braces, and decides from the words before an opening brace what it opens: a namespace, a class,
a function's body or an initializer. A lambda and a local class belong to the function around them. TEST(...) {...} is a
function; what a macro's definition holds is not looked at.
"""

import re
import typing

import cpp_lexer


class Function(typing.NamedTuple):
    name: str
    line: int  # where its signature begins
    end: int  # where its body ends; `line` of a declaration
    parameters: int

    @property
    def lines(self):
        return self.end - self.line + 1


_OPENING = {"(": ")", "[": "]", "{": "}", "[[": "]]"}
_CLOSING = frozenset(_OPENING.values())
_CLASS_KEYS = frozenset(("class", "struct", "union", "enum"))
# Names before a "(" that are not the name of a function.
_NOT_A_FUNCTION = frozenset(("alignas", "decltype", "explicit", "noexcept", "requires", "__attribute__", "sizeof", "throw",
                             "if", "while", "for", "switch", "return"))
_NO_DECLARATION = frozenset(("using", "typedef", "static_assert", "extern", "asm", "concept"))


def is_macro(name):
    """Whether this is a macro's name, which is all capitals; a lone letter is a template's or test's class."""
    return re.fullmatch(r"[A-Z][A-Z0-9_]*[A-Z0-9_]", name) is not None


def _one_branch_where_braces_differ(tokens):
    """`tokens` without directives and comments. Where the branches of an #if open and close braces differently, as in
    two signatures of one body, only the first branch is kept: all of them together would not balance."""
    kept = []
    open_ifs = []  # [braces opened and not closed since the #if or #else, is this branch left out]
    for token in tokens:
        if token.kind == "directive":
            word = re.match(r"#\s*(\w*)", token.text).group(1)
            if word in ("if", "ifdef", "ifndef"):
                open_ifs.append([0, False])
            elif word in ("else", "elif", "elifdef", "elifndef") and open_ifs:
                open_ifs[-1] = [open_ifs[-1][0], open_ifs[-1][0] != 0]
            elif word == "endif" and open_ifs:
                balance, left_out = open_ifs.pop()
                if open_ifs and not left_out:
                    open_ifs[-1][0] += balance
            continue
        if token.kind == "comment" or any(left_out for _, left_out in open_ifs):
            continue
        kept.append(token)
        if open_ifs and token.text in "{}":
            open_ifs[-1][0] += 1 if token.text == "{" else -1
    return kept


class _Parser:
    """One pass over a file's tokens; `functions` is the result."""

    def __init__(self, tokens):
        self._tokens = tokens
        self._position = 0
        self.functions = []

    def parse_scope(self):
        """A namespace's or class's contents, up to and including its "}" or the end of the file."""
        head = []  # The tokens of the statement at hand.
        while self._position < len(self._tokens):
            token = self._tokens[self._position]
            self._position += 1
            if token.text == "}" and token.kind == "punctuation":
                return
            if token.text == ";":
                self._declaration(head)
                head = []
            elif token.text == "{":
                head = self._brace(head, token)
            elif token.text in ("(", "[", "[["):
                head.append(token)
                head += self._group(token)
            elif token.text == ":" and head and head[-1].text in ("public", "protected", "private"):
                head = []
            else:
                head.append(token)

    def _brace(self, head, brace):
        """Goes past the braces that were just opened; returns what the statement's head is after them."""
        kind = _what_opens(head)
        if kind == "scope":
            self.parse_scope()
            return []
        first_line = (head[0] if head else brace).line
        body = self._group(brace)
        if kind == "function":
            name, parameters = _signature(head)
            self.functions.append(Function(name, first_line, body[-1].line if body else brace.line, parameters))
            return []
        return head + [brace] + body if kind == "initializer" else []

    def _group(self, opening):
        """The tokens after `opening` up to and including the one that closes it."""
        start = self._position
        expected = [_OPENING[opening.text]]
        while expected and self._position < len(self._tokens):
            token = self._tokens[self._position]
            self._position += 1
            if token.kind != "punctuation":
                continue
            if token.text in _OPENING:
                # "[[" opens an attribute, or two subscripts: a[[] {...}()].
                expected += ["]", "]"] if token.text == "[[" else [_OPENING[token.text]]
            elif token.text == "]]":
                for _ in range(2):
                    if expected and expected[-1] in ("]", "]]"):
                        expected.pop()
            elif token.text == expected[-1] or token.text in _CLOSING and token.text in expected:
                # An unmatched opening inside is forgiven: what closes the outer one wins.
                while expected.pop() != token.text:
                    pass
        return self._tokens[start:self._position]

    def _declaration(self, head):
        if not head or head[0].text in _NO_DECLARATION:
            return
        signature = _signature(head)
        if signature and not is_macro(signature[0]):
            self.functions.append(Function(signature[0], head[0].line, head[0].line, signature[1]))


def _top_level(head):
    """Pairs of (index, token) outside every bracket and every template's arguments."""
    depth = angles = 0
    after_operator = False
    for index, token in enumerate(head):
        text = token.text if token.kind == "punctuation" else ""
        if text in _CLOSING:
            depth -= 1
            continue
        if depth == 0:
            if text == "<" and index and not after_operator and (head[index - 1].kind == "name"):
                angles += 1
                continue
            if text == ">" and angles:
                angles -= 1
                continue
            if not angles:
                yield index, token
        if text in _OPENING:
            depth += 1
        after_operator = token.text == "operator" or (after_operator and token.kind == "punctuation" and text != "(")


def _without_template(head):
    """The head after a leading template<...>, attributes, and macros that stand for either: PUSH_WARNINGS(1) void f()."""
    top = list(_top_level(head))
    first = 0
    while first < len(top):
        text = top[first][1].text
        following = [token for _, token in top[first + 1:first + 3]]
        if text in ("template", "[[", "inline", "static"):
            first += 1
        elif is_macro(text) and len(following) == 2 and following[0].text == "(" and (
                following[1].kind == "name" or following[1].text == "[["):
            first += 2
        else:
            break
    return head[top[first][0]:] if first < len(top) else []


def _what_opens(head):
    """What a "{" after these tokens opens: scope, function, initializer (the statement goes on after it) or other."""
    head = _without_template(head)
    if not head:
        return "other"
    top = list(_top_level(head))
    if any(token.text == "namespace" for _, token in top):
        return "scope"
    if head[0].text == "extern" and len(head) == 2 and head[1].kind == "string":
        return "scope"
    if head[0].text in _CLASS_KEYS and not _returns_a_class(head, top):
        return "other" if head[0].text == "enum" else "scope"
    if any(token.text == "=" and not _is_operator(head, index) for index, token in top):
        return "initializer"
    parameters = _parameters_at(head, top)
    if parameters is None:
        return "initializer"
    if _initializes_a_member(head, top, parameters):
        return "initializer"
    return "function"


def _is_operator(head, index):
    return index > 0 and any(token.text == "operator" for token in head[max(0, index - 3):index])


def _returns_a_class(head, top):
    """Whether `struct X f() {` is meant: a parameter list right before the brace, and no base class."""
    if any(token.text == ":" for _, token in top):
        return False
    position = _parameters_at(head, top)
    return position is not None and not is_macro(head[position - 1].text)


def _initializes_a_member(head, top, parameters):
    """Whether the brace belongs to `: member_{`, in a constructor's list of initializers."""
    colon = next((index for index, token in top if index > parameters and token.text == ":"), None)
    if colon is None:
        return False
    return head[-1].kind == "name" or head[-1].text == ">"


def _parameters_at(head, top):
    """The index of the "(" that begins the parameters, or None when this is no function."""
    for index, token in top:
        if token.text == "=" and not _is_operator(head, index):
            return None
        if token.text != "(" or index == 0:
            continue
        before = head[index - 1]
        if before.text == "operator":
            continue  # operator()(...): the next one.
        if _is_operator(head, index):
            return index
        if before.kind == "name" and before.text not in _NOT_A_FUNCTION:
            if is_macro(before.text) and index > 1 and _more_follows(head, top, index):
                continue  # An annotation such as ABSL_GUARDED_BY(mu_), or an attribute.
            return index
        if before.text == ">":
            return index  # A specialisation: void f<int>(...).
    return None


def _more_follows(head, top, index):
    """Whether the macro's "(" at `index` is followed by another top-level "(", or stands behind a declared name."""
    return any(later > index and token.text == "(" for later, token in top) or head[index - 2].kind == "name"


def _signature(head):
    """(name, number of parameters), or None when the statement declares no function."""
    head = _without_template(head)
    top = list(_top_level(head))
    opening = _parameters_at(head, top)
    if opening is None:
        return None
    name = [token.text for index, token in top if index < opening][-1]  # f of f<int>(...).
    for index in range(max(0, opening - 4), opening):
        if head[index].text == "operator":
            name = "".join(token.text for token in head[index:opening])
    if opening > 1 and head[opening - 2].text == "~":
        name = "~" + name
    return name, _count_parameters(head, opening)


def _count_parameters(head, opening):
    depth = angles = commas = 0
    words = 0
    for index in range(opening + 1, len(head)):
        text = head[index].text if head[index].kind == "punctuation" else ""
        if depth == 0 and text == ")":
            break
        words += 1
        if text in _OPENING:
            depth += 1
        elif text in _CLOSING:
            depth -= 1
        elif text == "<" and head[index - 1].kind == "name":
            angles += 1
        elif text == ">" and angles:
            angles -= 1
        elif text == "," and not depth and not angles:
            commas += 1
    if words == 0 or (words == 1 and head[opening + 1].text == "void"):
        return 0
    return commas + 1


def functions(text):
    """Every function with a body, and every declaration with a parameter list, in the order of the file."""
    parser = _Parser(_one_branch_where_braces_differ(cpp_lexer.tokens(text)))
    while parser._position < len(parser._tokens):  # A "}" too many ends a scope; what follows still counts.
        parser.parse_scope()
    return parser.functions

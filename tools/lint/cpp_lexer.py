"""C++ text cut into tokens, as far as the lint needs it: what is a comment, a string, a directive, and what is code."""

import re
import typing


class Token(typing.NamedTuple):
    kind: str  # comment, string, char, directive, number, name or punctuation
    text: str
    line: int  # of its first character


# "<<" and "<=" are one token so that a lone "<" can open a template's arguments; ">" always stands alone for the same
# reason. A raw string's end repeats the delimiter of its beginning.
_PATTERN = re.compile(
    r"""
    (?P<space>[ \t\r\f\v]+|\\\n)
  | (?P<newline>\n)
  | (?P<comment>//(?:[^\\\n]|\\.|\\\n)*|/\*.*?(?:\*/|\Z))
  | (?P<string>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z)|(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"?)
  | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'?)
  | (?P<number>\.?[0-9](?:'?[0-9a-zA-Z_.]|(?<=[eEpP])[+-])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<hash>\#)
  | (?P<punctuation>::|->|<<|<=|&&|\|\||==|!=|\.\.\.|\[\[|\]\]|.)
    """, re.VERBOSE | re.DOTALL)
# A directive ends with its line, unless that is continued; comments and strings in it belong to it.
_DIRECTIVE = re.compile(r'(?:\\\r?\n|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|(?!//)[^\n])*', re.DOTALL)


def tokens(text):
    """All tokens of `text`, comments included. Never fails: what makes no sense becomes punctuation."""
    result = []
    line = 1
    position = 0
    line_is_empty = True  # Nothing but white space and comments so far, so that "#" begins a directive.
    while position < len(text):
        match = _PATTERN.match(text, position)
        kind = match.lastgroup if match.lastgroup != "delimiter" else "string"
        position = match.end()
        if kind == "newline":
            line += 1
            line_is_empty = True
            continue
        value = match.group()
        if kind == "hash" and line_is_empty:
            kind, value = "directive", _DIRECTIVE.match(text, match.start()).group()
            position = match.start() + len(value)
        if kind != "space":
            result.append(Token("punctuation" if kind == "hash" else kind, value, line))
            line_is_empty = line_is_empty and kind == "comment"
        line += value.count("\n")
    return result


_LITERALS = re.compile(r'/\*.*?(?:\*/|\Z)|//[^\n]*|"(?:[^"\\\n]|\\.)*"?', re.DOTALL)


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def code_only(text):
    """`text` with comments and the contents of strings blanked: same lines, same columns, nothing but code.

    What stands between the quotes of an #include stays, since that is code.
    """
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    pieces = []
    done = 0
    for token in tokens(text):
        start = text.index(token.text, max(done, starts[token.line - 1]))
        pieces.append(_blank(text[done:start]))
        done = start + len(token.text)
        if token.kind in ("comment", "string", "char"):
            pieces.append(_blank(token.text))
        elif token.kind == "directive" and not re.match(r"#\s*include", token.text):
            pieces.append(_LITERALS.sub(lambda match: _blank(match.group()), token.text))
        else:
            pieces.append(token.text)
    return "".join(pieces) + _blank(text[done:])

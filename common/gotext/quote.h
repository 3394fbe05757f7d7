// Go's strconv.Quote, the %q of its format strings: text between double quotes in which everything a terminal would not
// show is escaped.
//
// Printable runes stand as they are; \a \b \f \n \r \t \v \" and \\ are short; other control characters and bytes that
// are not UTF-8 become \x and two digits, further runes \u and four or \U and eight. Printable means Unicode 15.0, as
// in Go 1.21 to 1.26: exact for these; other Go versions differ only on runes that Unicode assigned before or after.
//
// Pure functions.
#ifndef KUBELET_CM_COMMON_GOTEXT_QUOTE_H_
#define KUBELET_CM_COMMON_GOTEXT_QUOTE_H_

#include <string>
#include <string_view>

namespace kubelet_cm {

// Whether Go prints `rune` as it is: letters, marks, numbers, punctuation, symbols, and of the spaces only U+0020.
bool IsPrintableRune(char32_t rune);

// `text` as a Go string literal, with the quotes.
std::string GoQuote(std::string_view text);

// One byte as encoding/json names it in "invalid character ..." errors: between single quotes, a byte of 0x80 and above
// read as the Latin-1 character of that number.
std::string GoQuoteByte(char byte);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_QUOTE_H_

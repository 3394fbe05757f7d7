// How texts that drivers send are shown in errors: in the manner of Go's verbs, and cut when they are long. Pure
// functions, for any thread.
#ifndef KUBELET_CM_DRA_PLUGIN_SHOWN_TEXT_H_
#define KUBELET_CM_DRA_PLUGIN_SHOWN_TEXT_H_

#include <string>
#include <string_view>

#include "absl/types/span.h"

namespace kubelet_cm::dra {

// The first 256 bytes, and "..." for the rest.
std::string Shown(std::string_view text);

// Of an error that a driver words: the first 4096 bytes.
std::string LongShown(std::string_view text);

// %q of a text, and of a list: ["a" "b"]. Of a long list the first 16, and ... for the rest.
std::string ShownQuoted(std::string_view text);
std::string ShownQuotedList(absl::Span<const std::string> texts);

// %v of a list: [a b].
std::string ShownList(absl::Span<const std::string> texts);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_SHOWN_TEXT_H_

// Lists of strings in claims, and Go's sets.Set[string], which is a map to empty structs: decoded and encoded.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CHECKPOINT_STRING_LISTS_H_
#define KUBELET_CM_DRA_CHECKPOINT_STRING_LISTS_H_

#include <string>

#include "common/gotext/json_decoder.h"
#include "common/gotext/json_string.h"
#include "dra/checkpoint/claim_state.h"

namespace kubelet_cm::dra {

void DecodeStringSet(JsonDecoder& decoder, JsonValue value, StringSet* out);
// A []string.
void DecodeStringList(JsonDecoder& decoder, JsonValue value, StringList* out);

// Append JSON, null for nil.
void AppendStringSet(const StringSet& set, ControlEscapes escapes, std::string* out);
void AppendStringList(const StringList& list, ControlEscapes escapes, std::string* out);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_STRING_LISTS_H_

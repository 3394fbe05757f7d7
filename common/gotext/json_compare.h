// Looking into JSON values and comparing them, as tests and tools want it.
//
// Pure functions.
#ifndef KUBELET_CM_COMMON_GOTEXT_JSON_COMPARE_H_
#define KUBELET_CM_COMMON_GOTEXT_JSON_COMPARE_H_

#include <optional>
#include <string>
#include <string_view>

#include "common/gotext/json_document.h"

namespace kubelet_cm {

// The member of exactly this name, the first if there are several; nothing for what is no object.
std::optional<JsonValue> FindJson(JsonValue object, std::string_view name);

// The text of the member of this name, "" if there is none or it is no string.
std::string JsonText(JsonValue object, std::string_view name);

// Whether two values are equal: members in any order, strings as they read, numbers as they are spelt.
bool SameJson(JsonValue a, JsonValue b);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_JSON_COMPARE_H_

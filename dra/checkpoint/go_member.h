// The member of a JSON object that Go would decode into a field.
#ifndef KUBELET_CM_DRA_CHECKPOINT_GO_MEMBER_H_
#define KUBELET_CM_DRA_CHECKPOINT_GO_MEMBER_H_

#include <optional>
#include <string_view>

#include "common/gotext/json_decoder.h"
#include "common/gotext/json_document.h"

namespace kubelet_cm::dra {

// The last one whose name fits, as the last one counts; nothing if there is none or `object` is no object.
inline std::optional<JsonMember> FindGoMember(JsonValue object, std::string_view field) {
  std::optional<JsonMember> found;
  for (const JsonMember member : object.members()) {
    if (FieldMatches(field, member.key.text())) found.emplace(member);
  }
  return found;
}

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_GO_MEMBER_H_

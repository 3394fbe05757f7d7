#include "kubelet_cm/manifest/manifest_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_error.h"

namespace kubelet_cm {

absl::Status ErrorAtPlace(const ManifestPlace& place, std::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat("line ", place.line, ", column ", place.column, ": ", std::string(message)));
}

ManifestPlace ManifestText::PlaceOf(int64_t offset) const {
  if (is_source_) {
    const std::string_view before =
        std::string_view(json_).substr(0, static_cast<size_t>(std::clamp<int64_t>(offset, 0, std::ssize(json_))));
    const size_t line_start = before.rfind('\n') + 1;  // 0 in the first line
    return {.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
            .column = 1 + static_cast<int>(before.size() - line_start)};
  }
  const auto after = std::upper_bound(marks_.begin(), marks_.end(), offset,
                                      [](int64_t wanted, const Mark& mark) { return wanted < mark.offset; });
  return after == marks_.begin() ? ManifestPlace{} : std::prev(after)->place;
}

absl::Status ManifestText::ErrorAt(int64_t offset, std::string_view message) const {
  return ErrorAtPlace(PlaceOf(offset), message);
}

absl::Status ManifestText::WithPlace(const absl::Status& error) const {
  const auto offset = JsonErrorOffset(error);
  if (!offset.has_value()) return error;
  // Go counts what it has read, the wrong byte included.
  return ErrorAt(*offset - 1, std::string_view(error.message().data(), error.message().size()));
}

}  // namespace kubelet_cm

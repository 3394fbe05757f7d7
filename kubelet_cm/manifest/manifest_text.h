// ManifestText: one document of a manifest as JSON, and where in the source each of its values stood, so that an error
// can be found by who wrote it. A plain value.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_MANIFEST_TEXT_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_MANIFEST_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace kubelet_cm {

// Both from 1.
struct ManifestPlace {
  int line = 1;
  int column = 1;

  friend bool operator==(const ManifestPlace&, const ManifestPlace&) = default;
};

class ManifestText {
 public:
  // A value that begins at `offset` of the JSON text.
  struct Mark {
    int64_t offset;
    ManifestPlace place;
  };

  // The source itself is JSON.
  explicit ManifestText(std::string json) : json_(std::move(json)), is_source_(true) {}
  // Made from another text. `marks` ascend by offset.
  ManifestText(std::string json, std::vector<Mark> marks) : json_(std::move(json)), marks_(std::move(marks)) {}

  const std::string& json() const { return json_; }

  // Of the value that begins at an offset of json(), or at the last one before it.
  ManifestPlace PlaceOf(int64_t offset) const;

  // InvalidArgument: "line 3, column 5: message".
  absl::Status ErrorAt(int64_t offset, std::string_view message) const;
  // The same for an error of JsonDocument or JsonDecoder on json(); others are returned as they are.
  absl::Status WithPlace(const absl::Status& error) const;

 private:
  std::string json_;
  bool is_source_ = false;
  std::vector<Mark> marks_;
};

// "line 3, column 5: message".
absl::Status ErrorAtPlace(const ManifestPlace& place, std::string_view message);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_MANIFEST_TEXT_H_

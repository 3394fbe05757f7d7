#include "common/filesystem/crash_places.h"

#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm {

std::vector<CrashPlace> CrashPlaces(const std::vector<FileOperation>& trace, const std::vector<CrashMoment>& moments,
                                    size_t torn_at, absl::FunctionRef<bool(const FileOperation&)> is_call) {
  CHECK(trace.size() == moments.size()) << "a moment for each operation";
  std::vector<CrashPlace> places;
  for (size_t i = 0; i < trace.size(); ++i) {
    const bool is_last = i + 1 == trace.size();
    const bool changes_elsewhere = is_call(trace[i]) || is_last || moments[i].outside != moments[i + 1].outside;
    if (!changes_elsewhere && moments[i].disk == moments[i + 1].disk) continue;
    const std::string name = absl::StrCat("operation ", i + 1, " (", trace[i].ToString(), ")");
    Fault stop = {.nth = i + 1, .effect = FaultEffect::kStopBefore};
    places.push_back({.stop = stop, .name = absl::StrCat("before ", name), .operation = i});
    for (stop.bytes_written = torn_at; stop.bytes_written < trace[i].bytes; stop.bytes_written += torn_at) {
      places.push_back(
          {.stop = stop, .name = absl::StrCat("after ", stop.bytes_written, " bytes of ", name), .operation = i});
    }
    places.push_back({.stop = {.nth = i + 1, .effect = FaultEffect::kStopAfter},
                      .name = absl::StrCat("after ", name),
                      .operation = i,
                      .last_of_its_kind = changes_elsewhere});
  }
  return places;
}

}  // namespace kubelet_cm

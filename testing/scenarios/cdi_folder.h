// CdiFolder: where the DRA drivers of a node write for container runtimes what the devices are that containers get: a
// CDI file for each claim that is prepared, "<driver>-<claim's uid>.json". It is on a tmpfs, which a boot empties.
//
// Thread-safe, as its file system is; one claim of a driver at a time.
#ifndef KUBELET_CM_TESTING_SCENARIOS_CDI_FOLDER_H_
#define KUBELET_CM_TESTING_SCENARIOS_CDI_FOLDER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/filesystem/file_system.h"
#include "dra/claim/claim_object.h"
#include "dra/plugin/dra_client.h"
#include "testing/fakes/scripted_driver.h"

namespace kubelet_cm::scenarios {

// By the names of the node: what is below is gone with a boot.
inline constexpr char kTmpfs[] = "/var/run";
inline constexpr char kCdiFolder[] = "/var/run/cdi";

// What a boot makes of a tmpfs: every file below is removed, folders stay. `folder`: where kTmpfs is in `files`.
absl::Status EmptyTmpfs(FileSystem& files, const std::string& folder);

class CdiFolder {
 public:
  // `files` outlives the object. `folder`: where kCdiFolder is in them; it is made when there is something to write.
  CdiFolder(FileSystem& files, std::string folder);

  // Lets a fake driver that gets these options write here. The object outlives the driver.
  void WriteFor(const std::string& driver, fakes::ScriptedDriver::Options* options);

 private:
  void Write(const std::string& driver, const dra::ClaimId& claim, const std::vector<dra::ClaimDevice>& devices);

  FileSystem& files_;
  const std::string folder_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_CDI_FOLDER_H_

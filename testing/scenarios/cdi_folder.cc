#include "testing/scenarios/cdi_folder.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/gotext/json_writer.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/put_file.h"

namespace kubelet_cm::scenarios {
namespace {

// Of names "kind=device", which are of one kind.
std::string SpecOf(const std::vector<std::string>& names) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  json.Key("cdiVersion");
  json.String("0.6.0");
  json.Key("kind");
  json.String(names.front().substr(0, names.front().find('=')));
  json.Key("devices");
  json.BeginArray();
  for (const std::string& name : names) {
    const std::string device = name.substr(name.find('=') + 1);
    json.BeginObject();
    json.Key("name");
    json.String(device);
    json.Key("containerEdits");
    json.Raw("{}");
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text;
}

}  // namespace

absl::Status EmptyTmpfs(FileSystem& files, const std::string& folder) {
  const absl::StatusOr<std::vector<std::string>> names = files.List(folder);
  if (absl::IsNotFound(names.status())) return absl::OkStatus();  // nobody has written there
  RETURN_IF_ERROR(names.status());
  for (const std::string& name : *names) {
    const std::string path = JoinPath(folder, name);
    ASSIGN_OR_RETURN(const FileStat stat, files.Lstat(path));
    RETURN_IF_ERROR(stat.kind == FileKind::kFolder ? EmptyTmpfs(files, path) : files.Unlink(path));
  }
  return absl::OkStatus();
}

CdiFolder::CdiFolder(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}

void CdiFolder::WriteFor(const std::string& driver, fakes::ScriptedDriver::Options* options) {
  options->write = [this, driver](const dra::ClaimId& claim, const std::vector<dra::ClaimDevice>& devices) {
    Write(driver, claim, devices);
  };
}

void CdiFolder::Write(const std::string& driver, const dra::ClaimId& claim,
                      const std::vector<dra::ClaimDevice>& devices) {
  std::vector<std::string> names;
  for (const dra::ClaimDevice& device : devices) {
    names.insert(names.end(), device.cdi_device_ids.begin(), device.cdi_device_ids.end());
  }
  const std::string path = JoinPath(folder_, absl::StrCat(driver, "-", claim.uid, ".json"));
  if (!names.empty()) {
    const absl::Status written = PutFile(files_, path, SpecOf(names));
    CHECK(written.ok()) << written;
    return;
  }
  const absl::Status removed = files_.Unlink(path);
  CHECK(removed.ok() || absl::IsNotFound(removed)) << removed;
}

}  // namespace kubelet_cm::scenarios

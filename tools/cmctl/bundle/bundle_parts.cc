#include "tools/cmctl/bundle/bundle_parts.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "tools/cmctl/bundle/redaction.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/node/answer_text.h"
#include "tools/cmctl/node/event_listing.h"
#include "tools/cmctl/node/node_connections.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr size_t kMostStateBytes = size_t{256} << 20;
constexpr size_t kMostNames = 10'000;  // of a folder that are listed

constexpr char kDevicePlugins[] = "device-plugins";

std::string_view KindText(FileKind kind) {
  switch (kind) {
    case FileKind::kRegular:
      return "file";
    case FileKind::kFolder:
      return "folder";
    case FileKind::kSymlink:
      return "link";
    case FileKind::kSocket:
      return "socket";
    case FileKind::kOther:
      return "other";
  }
  return "";
}

}  // namespace

void BundleParts::Miss(const std::string& what, const absl::Status& why) {
  missing_.push_back(absl::StrCat(what, ": ", Printable(std::string(why.message()))));
}

void BundleParts::AddState(const std::string& root) {
  AddStateFile(JoinPath(root, kDevicePlugins), "kubelet_internal_checkpoint");
  AddStateFile(root, "dra_manager_state");
  AddStateFile(root, "dra_health_state");
  std::string listing;
  AddFolder(root, &listing);
  for (const char* folder : {kDevicePlugins, "plugins", "plugins_registry", "pod-resources"}) {
    AddFolder(JoinPath(root, folder), &listing);
  }
  parts_.push_back({"folders.txt", listing});
}

void BundleParts::AddStateFile(const std::string& folder, const std::string& name) {
  absl::StatusOr<std::string> bytes = ReadFile(environment_.file_system, JoinPath(folder, name), kMostStateBytes);
  if (!bytes.ok()) return Miss(absl::StrCat("state/", name), bytes.status());
  parts_.push_back({absl::StrCat("state/", name, ".json"), RedactedState(name, *std::move(bytes))});
}

void BundleParts::AddFolder(const std::string& folder, std::string* listing) {
  absl::StrAppend(listing, Printable(folder), ":\n");
  const absl::StatusOr<std::vector<std::string>> names = environment_.file_system.List(folder);
  if (!names.ok()) {
    absl::StrAppend(listing, "  ", Printable(std::string(names.status().message())), "\n");
    return;
  }
  size_t listed = 0;
  for (const std::string& name : *names) {
    if (++listed > kMostNames) {
      absl::StrAppend(listing, "  ... ", names->size(), " in all\n");
      return;
    }
    const absl::StatusOr<FileStat> stat = environment_.file_system.Lstat(JoinPath(folder, name));
    if (!stat.ok()) continue;  // it has gone meanwhile
    absl::StrAppend(listing,
                    absl::StrFormat("  %-6s %04o %10d %s ", std::string(KindText(stat->kind)), stat->mode, stat->size,
                                    absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", stat->modified, absl::UTCTimeZone())),
                    Printable(name), "\n");
  }
}

template <typename Message>
void BundleParts::AddAnswer(const std::string& name, const absl::StatusOr<Message>& answer) {
  if (!answer.ok()) return Miss(name, answer.status());
  const absl::StatusOr<std::string> text = AnswerText(*answer, "json");
  if (!text.ok()) return Miss(name, text.status());
  parts_.push_back({name, *text});
}

void BundleParts::AddAnswers(ControlClient& daemon) {
  AddAnswer("daemon/version.json", daemon.Version());
  AddAnswer("daemon/pods.json", daemon.ListPods());
  AddAnswer("daemon/resources.json", daemon.NodeResources());
  AddAnswer("daemon/plugins.json", daemon.ListPlugins());
  AddAnswer("daemon/claims.json", daemon.ListClaims());
  AddEvents(daemon);
}

void BundleParts::AddEvents(ControlClient& daemon) {
  const absl::StatusOr<std::vector<v1::Event>> events = KeptEvents(daemon, "");
  if (!events.ok()) return Miss("daemon/events.jsonl", events.status());
  std::string lines;
  for (const v1::Event& event : *events) {
    const absl::StatusOr<std::string> json = AnswerJson(event);
    if (json.ok()) absl::StrAppend(&lines, *json, "\n");
  }
  parts_.push_back({"daemon/events.jsonl", lines});
}

void BundleParts::AddPodResources(const std::string& root) {
  const std::string path = JoinPath(root, "pod-resources/kubelet.sock");
  const absl::StatusOr<FileStat> stat = environment_.file_system.Stat(path);
  if (!stat.ok()) return Miss("podresources", stat.status());
  const auto client = environment_.node->PodResources(path);
  if (!client.ok()) return Miss("podresources", client.status());
  AddAnswer("podresources/list.json", (*client)->List());
  AddAnswer("podresources/allocatable.json", (*client)->Allocatable());
}

void BundleParts::AddPages(const std::string& address, int port) {
  const std::pair<const char*, const char*> pages[] = {{"/metrics", "metrics.txt"},
                                                       {"/healthz?verbose", "healthz.txt"},
                                                       {"/statusz", "statusz.txt"},
                                                       {"/configz", "configz.json"},
                                                       {"/flagz", "flagz.txt"}};
  for (const auto& [path, name] : pages) {
    const absl::StatusOr<std::string> page = environment_.node->Page(address, port, path);
    if (page.ok()) {
      parts_.push_back({absl::StrCat("pages/", name), *page});
    } else {
      Miss(absl::StrCat("pages/", name), page.status());
    }
  }
}

}  // namespace kubelet_cm::cmctl

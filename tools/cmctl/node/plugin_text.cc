#include "tools/cmctl/node/plugin_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/gotext/json_writer.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/response_view.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/checkpoint/text_table.h"
#include "tools/cmctl/node/answer_text.h"

namespace kubelet_cm::cmctl {
namespace {

std::string YesNo(bool yes) { return yes ? "yes" : "no"; }

std::string NodesOf(const ::v1beta1::Device& device) {
  std::vector<int64_t> nodes;
  for (const auto& node : device.topology().nodes()) nodes.push_back(node.id());
  std::sort(nodes.begin(), nodes.end());
  return absl::StrJoin(nodes, ",");
}

template <typename Message>
absl::Status WriteAnswer(std::string_view key, const std::optional<Message>& answer, JsonWriter* writer) {
  writer->Key(key);
  if (!answer.has_value()) {
    writer->Null();
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::string json, AnswerJson(*answer));
  writer->Raw(json);
  return absl::OkStatus();
}

}  // namespace

std::string OptionsText(const ::v1beta1::DevicePluginOptions& options) {
  return absl::StrCat("PreStartContainer is required: ", YesNo(options.pre_start_required()),
                      "\nGetPreferredAllocation is available: ", YesNo(options.get_preferred_allocation_available()),
                      "\n");
}

std::string DevicesText(const ::v1beta1::ListAndWatchResponse& list) {
  TextTable table{.headings = {"DEVICE", "HEALTH", "NUMA"}};
  for (const ::v1beta1::Device& device : list.devices()) {
    table.rows.push_back({device.id(), device.health(), NodesOf(device)});
  }
  std::sort(table.rows.begin(), table.rows.end());
  return table.ToString();
}

std::string AllocationText(const ::v1beta1::AllocateResponse& response, bool secrets) {
  std::string text;
  for (const ::v1beta1::ContainerAllocateResponse& container : response.container_responses()) {
    for (const ResponseItem& item : ResponseItems(container.SerializeAsString())) {
      absl::StrAppend(&text, ItemText(item, secrets), "\n");
    }
  }
  return text.empty() ? "the answer is empty\n" : text;
}

::v1beta1::AllocateResponse WithoutSecrets(::v1beta1::AllocateResponse response) {
  for (auto& container : *response.mutable_container_responses()) {
    for (auto& [name, value] : *container.mutable_envs()) value = kRedacted;
  }
  return response;
}

std::string ReportText(const SocketReport& report) {
  std::string text;
  if (report.services.empty()) text = "something that speaks gRPC answers, and none of the services of a node\n";
  for (const KnownService& service : report.services) {
    absl::StrAppend(&text, service.meaning, " (", service.name, ")\n");
  }
  if (report.registration.has_value()) {
    const auto& info = *report.registration;
    absl::StrAppend(&text, "\ntype ", Printable(info.type()), ", name ", Printable(info.name()), ", endpoint ",
                    info.endpoint().empty() ? "this socket" : Printable(info.endpoint()), ", versions ",
                    Printable(absl::StrJoin(info.supported_versions(), ",")), "\n");
  }
  if (report.options.has_value()) absl::StrAppend(&text, "\n", OptionsText(*report.options));
  if (report.devices.has_value()) absl::StrAppend(&text, "\n", DevicesText(*report.devices));
  for (const std::string& problem : report.problems) absl::StrAppend(&text, "problem: ", Printable(problem), "\n");
  return text;
}

absl::StatusOr<std::string> ReportJson(const SocketReport& report) {
  std::string json;
  JsonWriter writer(&json);
  writer.BeginObject();
  writer.Key("services");
  writer.BeginArray();
  for (const KnownService& service : report.services) {
    writer.BeginObject();
    writer.Key("name");
    writer.String(service.name);
    writer.Key("meaning");
    writer.String(service.meaning);
    writer.EndObject();
  }
  writer.EndArray();
  RETURN_IF_ERROR(WriteAnswer("registration", report.registration, &writer));
  RETURN_IF_ERROR(WriteAnswer("options", report.options, &writer));
  RETURN_IF_ERROR(WriteAnswer("devices", report.devices, &writer));
  writer.Key("problems");
  writer.BeginArray();
  for (const std::string& problem : report.problems) writer.String(problem);
  writer.EndArray();
  writer.EndObject();
  return json;
}

}  // namespace kubelet_cm::cmctl

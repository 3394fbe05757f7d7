#include "testing/scenarios/story.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/text_format.h"
#include "testing/scenarios/dies_at.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

using proto::Step;

std::string Words(std::string kind) {
  std::replace(kind.begin(), kind.end(), '_', ' ');
  return kind;
}

// The name of the field that the step has.
std::string KindOf(const Step& step) {
  const auto* field = Step::GetDescriptor()->FindFieldByNumber(step.kind_case());
  return field == nullptr ? "" : field->name();
}

// The step's fields on one line.
std::string FieldsOf(const Step& step) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  const auto* field = Step::GetDescriptor()->FindFieldByNumber(step.kind_case());
  std::string fields;
  if (field != nullptr) printer.PrintToString(Step::GetReflection()->GetMessage(step, field), &fields);
  while (!fields.empty() && fields.back() == ' ') fields.pop_back();
  return fields;
}

std::string Limits(const google::protobuf::RepeatedPtrField<proto::Quantity>& limits) {
  return absl::StrJoin(limits, " and ", [](std::string* out, const proto::Quantity& limit) {
    absl::StrAppend(out, limit.count(), " of ", limit.resource());
  });
}

std::string DescribeAdmit(const proto::Admit& admit) {
  std::vector<std::string> wants;
  if (admit.limits_size() > 0) wants.push_back(Limits(admit.limits()));
  for (const proto::Container& container : admit.containers()) {
    if (container.limits_size() > 0)
      wants.push_back(absl::StrCat(Limits(container.limits()), " for ", container.name()));
  }
  if (admit.claims_size() > 0) wants.push_back(absl::StrCat("claim ", absl::StrJoin(admit.claims(), ", ")));
  return absl::StrCat("pod ", admit.pod(), " asks for ", wants.empty() ? "admission" : absl::StrJoin(wants, ", "));
}

std::string DescribeStart(const proto::StartPlugin& start) {
  std::string text = absl::StrCat("plugin ", PluginNameOf(start), " starts");
  const int devices = std::max(start.count(), start.devices_size());
  if (devices > 0) absl::StrAppend(&text, " with ", devices, devices == 1 ? " device" : " devices");
  return text;
}

std::string DescribeUnlink(const proto::UnlinkSocket& unlink) {
  if (unlink.whose_case() == proto::UnlinkSocket::kKubelet) return "the socket at which plugins register is unlinked";
  const bool of_plugin = unlink.whose_case() == proto::UnlinkSocket::kPlugin;
  return absl::StrCat("the socket of ", of_plugin ? "plugin " : "driver ",
                      of_plugin ? unlink.plugin() : unlink.driver(), " is unlinked");
}

std::string DescribeKind(const Step& step) {
  switch (step.kind_case()) {
    case Step::kStartPlugin:
      return DescribeStart(step.start_plugin());
    case Step::kStopPlugin:
      return absl::StrCat("plugin ", step.stop_plugin().plugin(),
                          step.stop_plugin().how() == proto::StopPlugin::CRASH ? " crashes" : " stops");
    case Step::kRegisterPlugin:
      return absl::StrCat("plugin ", step.register_plugin().plugin(), " registers");
    case Step::kUnlinkSocket:
      return DescribeUnlink(step.unlink_socket());
    case Step::kStartDriver:
      return absl::StrCat("driver ", step.start_driver().driver(), " starts");
    case Step::kStopDriver:
      return absl::StrCat("driver ", step.stop_driver().driver(), " stops");
    case Step::kDriverSocket:
      return absl::StrCat("driver ", step.driver_socket().driver(), " listens",
                          step.driver_socket().listens() ? "" : " no more", " at its socket");
    case Step::kAddClaim:
      return absl::StrCat("claim ", step.add_claim().claim(), " is there, of ",
                          absl::StrJoin(step.add_claim().drivers(), " and "));
    case Step::kAdmit:
      return DescribeAdmit(step.admit());
    case Step::kPrepare:
      return absl::StrCat("the claims of pod ", step.prepare().pod(), " are prepared");
    case Step::kRemovePod:
      return absl::StrCat("pod ", step.remove_pod().pod(),
                          step.remove_pod().force() ? " is removed by force" : " goes");
    case Step::kKill:
      return "the kubelet is killed";
    case Step::kRestart:
      return step.restart().as_version().empty() ? "a kubelet starts"
                                                 : absl::StrCat("a kubelet ", step.restart().as_version(), " starts");
    case Step::kPowerCut:
      return "the power is cut";
    case Step::kReboot:
      return "the machine boots";
    case Step::kMendDisk:
      return "the disk works again";
    case Step::kAdvance:
      return absl::StrCat(step.advance().by(), " pass");
    case Step::kJumpClock:
      return absl::StrCat("the wall clock is set ", step.jump_clock().by(),
                          step.jump_clock().backwards() ? " back" : " forward");
    case Step::kSettle:
      return "everything settles";
    default:
      return absl::StrCat(Words(KindOf(step)), ": ", FieldsOf(step));
  }
}

}  // namespace

std::string Describe(const Step& step) {
  if (!step.has_dies_at()) return DescribeKind(step);
  return absl::StrCat(DescribeKind(step), "; the kubelet dies ", Describe(step.dies_at()));
}

bool Story::passed() const {
  return std::all_of(steps.begin(), steps.end(), [](const StoryStep& step) { return step.failures.empty(); });
}

std::string StoryText(const Story& story) {
  std::string text = absl::StrCat(story.name, ", as kubelet ", story.version, "\n", story.teaches, "\n\n");
  for (const StoryStep& step : story.steps) {
    const std::string number = step.number > 0 ? absl::StrCat(step.number) : "";
    absl::StrAppend(&text,
                    absl::StrFormat("%4s  %8s  %s\n", number,
                                    absl::FormatDuration(absl::Trunc(step.at, absl::Milliseconds(100))), step.text));
    for (const std::string& line : step.log) absl::StrAppend(&text, "                  | ", line, "\n");
    for (const std::string& failure : step.failures)
      absl::StrAppend(&text, "                ", "FAILED: ", failure, "\n");
  }
  return text;
}

std::string FailureText(const Story& story) {
  std::string text;
  for (const StoryStep& step : story.steps) {
    for (const std::string& failure : step.failures) {
      const std::string place =
          step.line > 0 ? absl::StrCat(story.file, ":", step.line, ": step ", step.number) : story.file;
      absl::StrAppend(&text, place, " (as kubelet ", story.version, "; ", step.text, "):\n    ", failure, "\n");
    }
  }
  return text;
}

}  // namespace kubelet_cm::scenarios

// What the words in a scenario's fields mean to the code: file operations, errors, file names, methods of fakes.
//
// Pure functions.
#ifndef KUBELET_CM_TESTING_SCENARIOS_SCENARIO_WORDS_H_
#define KUBELET_CM_TESTING_SCENARIOS_SCENARIO_WORDS_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/filesystem/fault_plan.h"
#include "dra/api/dra_api.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

// Of an absolute path or of "devices" and "claims"; nothing for another text.
std::optional<std::string> PathOfFile(std::string_view file);

std::optional<FileOp> FileOpOf(std::string_view name);
// "ENOSPC" and the like.
std::optional<int> ErrnoOfName(std::string_view name);
// gRPC's names: "UNAVAILABLE". Empty is kInternal.
std::optional<absl::StatusCode> CodeOfName(std::string_view name);
// Of a DRA driver: "v1", "v1beta1".
std::optional<dra::DraApi> DriverApiOfName(std::string_view name);
// Of a service for health: "v1", "v1alpha1".
std::optional<dra::DraHealthApi> HealthApiOfName(std::string_view name);
// Not negative.
std::optional<absl::Duration> DurationOf(std::string_view text);

// As in the protocols: "Allocate", "NodePrepareResources".
std::string_view MethodOf(proto::PluginFault::Call call);
std::string_view MethodOf(proto::DriverFault::Call call);
bool IsPluginMethod(std::string_view name);
bool IsDriverMethod(std::string_view name);

// The plugin that is meant: its own name, or its resource's.
const std::string& PluginNameOf(const proto::StartPlugin& plugin);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_SCENARIO_WORDS_H_

#include "dra/driver_calls.h"

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/strings/str_cat.h"
#include "common/cdi/cdi_annotation.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "dra/parallel_work.h"

namespace kubelet_cm::dra {
namespace {

using Batch = CallBatches::value_type;

std::vector<ClaimRef> RefsOf(const Batch& batch) {
  std::vector<ClaimRef> refs;
  for (const PlannedCall& call : batch.second) refs.push_back({call.claim, call.handles, call.cdi_device_ids});
  return refs;
}

absl::Status WriteNewest(const DraParts& parts, uint64_t number) {
  const absl::Status written = parts.checkpoint.WaitDurable(number);
  if (written.ok()) return written;
  return Reworded(written, absl::StrCat("checkpoint ResourceClaim state: ", written.message()));
}

absl::Status StorePart(const DraParts& parts, const PlannedCall& call, std::vector<ClaimDevice> devices) {
  uint64_t number = 0;
  {
    MutexLock lock(&parts.state.mu);
    RETURN_IF_ERROR(parts.state.table.StorePart(call, std::move(devices)));
    number = parts.state.Newest();
  }
  return WriteNewest(parts, number);
}

// The RPC.
ClaimResults Ask(const DraParts& parts, DraCall call, const Batch& batch, const std::string& pod_name) {
  const std::vector<ClaimRef> refs = RefsOf(batch);
  const CallWording wording = {.words = parts.rules.words, .driver = batch.first, .pod_name = pod_name};
  absl::StatusOr<std::shared_ptr<DraClient>> client = parts.drivers.Find(batch.first);
  if (!client.ok()) {
    const absl::Status error = CannotCall(call, client.status(), wording);
    return {std::vector<ClaimResult>(refs.size(), ClaimResult{.status = error}), error};
  }
  const bool prepares = call == DraCall::kPrepare;
  std::vector<std::string> claims;
  for (const ClaimRef& ref : refs) claims.push_back(ref.id.Key());
  parts.log.V(4).Info(prepares ? "Calling NodePrepareResources rpc" : "Calling NodeUnprepareResources rpc",
                      {{"driverName", batch.first}, {"claims", claims}});
  const absl::Duration limit = parts.rules.call_timeout;
  ClaimResults results =
      JudgeAnswers(call, refs, prepares ? (*client)->Prepare(refs, limit) : (*client)->Unprepare(refs, limit), wording);
  parts.log.V(4).Info(prepares ? "Done calling NodePrepareResources rpc" : "Done calling NodeUnprepareResources rpc",
                      {{"driverName", batch.first}, {"claims", claims}, {"err", results.error}});
  return results;
}

// As 1.27: a call for each handle, and the state is written after each.
ClaimResults AskByHandle(const DraParts& parts, const Batch& batch, const std::string& pod_name) {
  ClaimResults results;
  for (const PlannedCall& planned : batch.second) {
    ClaimResult& result = results.claims.emplace_back();
    std::vector<ResourceHandle> handles = planned.handles;
    if (handles.empty()) handles.emplace_back();
    for (const ResourceHandle& handle : handles) {
      PlannedCall call = planned;
      call.handles = {handle};
      ClaimResults answer = Ask(parts, DraCall::kPrepare, {batch.first, {std::move(call)}}, pod_name);
      results.error.Update(answer.error);
      result.status = answer.claims[0].status;
      if (!result.status.ok()) break;
      std::vector<ClaimDevice>& devices = answer.claims[0].devices;
      std::move(devices.begin(), devices.end(), std::back_inserter(result.devices));
      result.status = StorePart(parts, planned, result.devices);
      results.error.Update(result.status);
    }
  }
  return results;
}

// Where containers get annotations, devices that make none fail a prepare that its driver thinks went well.
void CheckAnnotations(const Batch& batch, ClaimResults& results) {
  for (size_t i = 0; i < results.claims.size(); ++i) {
    ClaimResult& result = results.claims[i];
    if (!result.status.ok()) continue;
    std::vector<std::string> ids;
    for (const ClaimDevice& device : result.devices) {
      ids.insert(ids.end(), device.cdi_device_ids.begin(), device.cdi_device_ids.end());
    }
    if (ids.empty()) continue;
    result.status = MakeCdiAnnotation(batch.first, batch.second[i].claim.uid, ids).status();
    results.error.Update(result.status);
  }
}

absl::Status Store(ClaimTable& table, DraCall call, const PlannedCall& planned, ClaimResult result) {
  const bool failed = !result.status.ok();
  if (call == DraCall::kUnprepare) {
    return failed ? table.FailUnprepare(planned, result.status) : table.FinishUnprepare(planned);
  }
  return failed ? table.FailPrepare(planned, result.status) : table.StorePrepared(planned, std::move(result.devices));
}

ClaimResults AnswerOf(const DraParts& parts, DraCall call, const Batch& batch, const std::string& pod_name) {
  const bool by_handle = call == DraCall::kPrepare && parts.rules.writes_each_handle;
  ClaimResults results = by_handle ? AskByHandle(parts, batch, pod_name) : Ask(parts, call, batch, pod_name);
  if (call == DraCall::kPrepare && parts.rules.annotations.has_value()) CheckAnnotations(batch, results);
  return results;
}

absl::Status Keep(const DraParts& parts, DraCall call, const Batch& batch, ClaimResults results) {
  absl::Status error = results.error;
  uint64_t number = 0;
  {
    MutexLock lock(&parts.state.mu);
    for (size_t i = 0; i < batch.second.size(); ++i) {
      error.Update(Store(parts.state.table, call, batch.second[i], std::move(results.claims[i])));
    }
    number = parts.state.Newest();
  }
  if (parts.rules.intent_first || !error.ok()) return error;
  return WriteNewest(parts, number);
}

// The claims do not count as prepared.
void KeepDevices(const DraParts& parts, const Batch& batch, ClaimResults results) {
  MutexLock lock(&parts.state.mu);
  for (size_t i = 0; i < batch.second.size(); ++i) {
    ClaimResult& result = results.claims[i];
    if (!result.status.ok() || result.devices.empty()) continue;
    const absl::Status kept = parts.state.table.StorePart(batch.second[i], std::move(result.devices));
    if (!kept.ok()) parts.log.V(4).Info("Devices of a claim are not kept", {{"err", kept}});
  }
}

absl::Status CallDriver(const DraParts& parts, DraCall call, const Batch& batch, const std::string& pod_name) {
  return Keep(parts, call, batch, AnswerOf(parts, call, batch, pod_name));
}

absl::Status CallAll(const DraParts& parts, DraCall call, const CallPlan& plan) {
  std::vector<const Batch*> batches;
  for (const Batch& batch : plan.calls) batches.push_back(&batch);
  std::vector<absl::Status> outcomes(batches.size());
  RunInParallel(parts.threads, batches.size(), parts.rules.parallel_calls,
                [&](size_t i) { outcomes[i] = CallDriver(parts, call, *batches[i], plan.pod_name); });
  absl::Status first;
  for (const absl::Status& outcome : outcomes) first.Update(outcome);
  return first;
}

// A batch for each claim and driver; by claim.
std::vector<Batch> ClaimByClaim(const CallPlan& plan) {
  absl::btree_map<std::pair<std::string, std::string>, const PlannedCall*> sorted;
  for (const auto& [driver, calls] : plan.calls) {
    for (const PlannedCall& call : calls) sorted[{call.claim.Key(), driver}] = &call;
  }
  std::vector<Batch> single;
  for (const auto& [key, call] : sorted) single.push_back({call->driver, {*call}});
  return single;
}

// As kubelets until 1.30: one after the other, and each answer is kept, up to the first failure.
absl::Status CallUntilFailure(const DraParts& parts, DraCall call, const CallPlan& plan) {
  const std::vector<Batch> batches =
      parts.rules.one_claim_a_call ? ClaimByClaim(plan) : std::vector<Batch>(plan.calls.begin(), plan.calls.end());
  for (const Batch& batch : batches) RETURN_IF_ERROR(CallDriver(parts, call, batch, plan.pod_name));
  return absl::OkStatus();
}

// As kubelets since 1.31: one after the other up to the first failure, and then nothing has succeeded; though the
// devices of those that have answered are known.
absl::Status CallAllOrNone(const DraParts& parts, DraCall call, const CallPlan& plan) {
  std::vector<ClaimResults> answered;
  absl::Status failure;
  for (const Batch& batch : plan.calls) {
    failure = answered.emplace_back(AnswerOf(parts, call, batch, plan.pod_name)).error;
    if (!failure.ok()) break;
  }
  auto batch = plan.calls.begin();
  for (ClaimResults& results : answered) {
    const Batch& asked = *batch++;
    if (failure.ok()) {
      RETURN_IF_ERROR(Keep(parts, call, asked, std::move(results)));
    } else if (call == DraCall::kPrepare) {
      KeepDevices(parts, asked, std::move(results));
    }
  }
  return failure;
}

void DropUnprepared(const DraParts& parts, const CallPlan& plan) {
  MutexLock lock(&parts.state.mu);
  for (const auto& [driver, calls] : plan.calls) {
    for (const PlannedCall& planned : calls) parts.state.table.DropUnprepared(planned.claim);
  }
}

}  // namespace

absl::Status CallDrivers(const DraParts& parts, DraCall call, const CallPlan& plan) {
  absl::Status outcome;
  if (!parts.rules.stops_at_failure) {
    outcome = CallAll(parts, call, plan);
  } else {
    outcome = parts.rules.all_or_none ? CallAllOrNone(parts, call, plan) : CallUntilFailure(parts, call, plan);
  }
  parts.state.EndAttempt(plan.attempt,
                         outcome.ok() ? absl::InternalError("internal error: a driver was not called") : outcome);
  if (call == DraCall::kPrepare && !outcome.ok() && !parts.rules.intent_first) DropUnprepared(parts, plan);
  return outcome;
}

}  // namespace kubelet_cm::dra

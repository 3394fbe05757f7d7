// FakeSliceClient: an API server's ResourceSlices in memory: drivers that have some, and a script of what fails.
//
//   FakeSliceClient slices(threads);
//   slices.Publish("gpu.example.com");
//   slices.FailDeletes({absl::UnavailableError("down"), absl::UnauthenticatedError("who?")});  // the next two
//   ... the driver goes ...
//   ASSERT_OK(slices.WaitForDeletes(3));
//
// It outlives kubelets: a test gives it to the next one. Thread-safe; `threads` outlives it.
#ifndef KUBELET_CM_TESTING_FAKES_FAKE_SLICE_CLIENT_H_
#define KUBELET_CM_TESTING_FAKES_FAKE_SLICE_CLIENT_H_

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/plugin/slice_client.h"

namespace kubelet_cm::fakes {

class FakeSliceClient : public dra::SliceClient {
 public:
  struct Delete {
    std::optional<std::string> driver_name;  // nothing: all
    MonotonicTime at;
  };
  static constexpr absl::Duration kPatience = absl::Seconds(30);

  explicit FakeSliceClient(Threads& threads, std::string node_name = "node");

  // The driver has slices.
  void Publish(const std::string& driver);
  std::set<std::string> Published() const;

  // What the next calls answer, one each; after them they are answered as usual.
  void FailNodeChecks(std::vector<absl::Status> errors);
  void FailDeletes(std::vector<absl::Status> errors);
  // Every call fails, until it is given OK.
  void FailAll(absl::Status error);
  // Deletes that come from now on are recorded and wait, for ever if need be, until they are let go.
  void HoldDeletes();
  void LetDeletesGo();

  size_t NodeChecks() const;
  // All calls of DeleteSlices that have come, whatever was answered.
  std::vector<Delete> Deletes() const;
  // kDeadlineExceeded when there are not that many within `limit`.
  absl::Status WaitForDeletes(size_t count, absl::Duration limit = kPatience) const;

  // Slices with models, each under its name.
  void PutModelSlice(dra::ModelSlice slice);
  std::vector<dra::ModelSlice> ModelSlices() const;
  // The next calls about them, lists included.
  void FailModelCalls(std::vector<absl::Status> errors);
  // "list", "create driver", "update name", "delete name", in the order in which they came; failed ones included.
  std::vector<std::string> ModelCalls() const;
  // Waits until `count` of those that begin with `part` have been answered. kDeadlineExceeded after `limit`.
  absl::Status WaitForModelCalls(const std::string& part, size_t count, absl::Duration limit = kPatience) const;

  absl::StatusOr<std::string> CheckNode(absl::Duration timeout) override;
  absl::Status DeleteSlices(const dra::SliceSelector& which, absl::Duration timeout) override;
  absl::StatusOr<std::vector<dra::ModelSlice>> ListModelSlices(absl::Duration timeout) override;
  absl::Status CreateModelSlice(const dra::ModelSlice& slice, absl::Duration timeout) override;
  absl::Status UpdateModelSlice(const dra::ModelSlice& slice, absl::Duration timeout) override;
  absl::Status DeleteModelSlice(const std::string& name, absl::Duration timeout) override;

 private:
  size_t CountModelCalls(const std::string& part) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status BeginModelCall(std::string call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status NextError(std::deque<absl::Status>& errors) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const Clock& clock_;
  const std::string node_name_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::set<std::string> published_ ABSL_GUARDED_BY(mu_);
  std::deque<absl::Status> node_errors_ ABSL_GUARDED_BY(mu_);
  std::deque<absl::Status> delete_errors_ ABSL_GUARDED_BY(mu_);
  absl::Status error_of_all_ ABSL_GUARDED_BY(mu_);
  bool holding_ ABSL_GUARDED_BY(mu_) = false;
  size_t node_checks_ ABSL_GUARDED_BY(mu_) = 0;
  std::vector<Delete> deletes_ ABSL_GUARDED_BY(mu_);
  std::map<std::string, dra::ModelSlice> model_slices_ ABSL_GUARDED_BY(mu_);
  std::deque<absl::Status> model_errors_ ABSL_GUARDED_BY(mu_);
  std::vector<std::string> model_calls_ ABSL_GUARDED_BY(mu_);
  int last_version_ ABSL_GUARDED_BY(mu_) = 0;  // of a slice with a model
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_FAKE_SLICE_CLIENT_H_

// FakeKubeletRegistration: a kubelet's registration socket that remembers who registered, for tests of plugins.
//
// It serves all APIs at once and calls nobody back. Thread-safe.
#ifndef KUBELET_CM_TESTING_FAKES_FAKE_KUBELET_REGISTRATION_H_
#define KUBELET_CM_TESTING_FAKES_FAKE_KUBELET_REGISTRATION_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/filesystem/file_system.h"
#include "common/threads/threads.h"
#include "common/unixsocket/server.h"
#include "grpcpp/impl/service_type.h"

namespace kubelet_cm::fakes {

// One Register call. The service is what the plugin called: "v1beta1.Registration" or "deviceplugin.Registration".
struct Registration {
  std::string service = {};
  std::string version = {};
  std::string endpoint = {};
  std::string resource_name = {};
  bool pre_start_required = false;
  bool get_preferred_allocation_available = false;

  friend bool operator==(const Registration&, const Registration&) = default;
};

std::ostream& operator<<(std::ostream& out, const Registration& registration);

class FakeKubeletRegistration {
 public:
  // Serving at `path` when it returns, until it is destroyed; the socket stays. `threads` outlives it.
  static absl::StatusOr<std::unique_ptr<FakeKubeletRegistration>> New(Threads& threads, FileSystem& files,
                                                                      const std::string& path);
  ~FakeKubeletRegistration();
  FakeKubeletRegistration(const FakeKubeletRegistration&) = delete;
  FakeKubeletRegistration& operator=(const FakeKubeletRegistration&) = delete;

  // What Register answers from now on.
  void SetAnswer(absl::Status answer);

  std::vector<Registration> registrations() const;
  // The n-th registration, from 1. kDeadlineExceeded when it has not come within `limit` by the clock of the threads.
  absl::StatusOr<Registration> WaitFor(int n, absl::Duration limit = absl::Seconds(30)) const;

 private:
  class Book;

  explicit FakeKubeletRegistration(Threads& threads);

  const std::unique_ptr<Book> book_;
  std::vector<std::unique_ptr<grpc::Service>> services_;
  std::unique_ptr<UnixSocketServer> server_;  // uses all of the above
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_FAKE_KUBELET_REGISTRATION_H_

// NodeDraClient: the DraClient of drivers whose service is v1alpha3.Node, which is the API v1alpha4 or v1alpha3. Made
// by ConnectDriver.
//
// With v1alpha3 it asks about each of a claim's resource handles. A driver that does not know the batched calls is
// asked one by one, as of v1alpha2, from then on; whatever goes wrong there is the claim's.
#ifndef KUBELET_CM_DRA_PLUGIN_NODE_DRA_CLIENT_H_
#define KUBELET_CM_DRA_PLUGIN_NODE_DRA_CLIENT_H_

#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/threads/mutex.h"
#include "dra/api/dra_api.h"
#include "dra/api/v1alpha3.grpc.pb.h"
#include "dra/plugin/dra_client.h"
#include "dra/plugin/driver_connection.h"

namespace kubelet_cm::dra {

class NodeDraClient : public DraClient {
 public:
  // `api` is kV1Alpha4 or kV1Alpha3. Without `remembers`, the batched calls are tried each time, as by 1.28.
  NodeDraClient(DraApi api, std::shared_ptr<DriverConnection> connection, bool remembers = true);

  absl::StatusOr<ClaimAnswers> Prepare(Claims claims, absl::Duration timeout) override;
  absl::StatusOr<ClaimAnswers> Unprepare(Claims claims, absl::Duration timeout) override;
  absl::StatusOr<bool> WaitForConnectionChange(bool known) override;
  void Disconnect() override;

 private:
  // Whether `status` says that the driver wants to be asked one by one.
  bool WantsSingularCalls(const absl::Status& status);
  bool is_singular() const;

  const DraApi api_;
  const bool remembers_;
  const std::shared_ptr<DriverConnection> connection_;
  const std::unique_ptr<::v1alpha3::Node::Stub> stub_;
  const std::unique_ptr<DraClient> singular_;  // null for v1alpha4
  mutable Mutex mu_;
  bool is_singular_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_NODE_DRA_CLIENT_H_

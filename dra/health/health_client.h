// HealthClient: the seam between the health monitor and one instance of a driver.
//
//  - GrpcHealthClient (grpc_health_client.h): over the driver's connection, for each API there is.
//  - FakeHealthClient (fake_health_client.h, tests only): in memory.
#ifndef KUBELET_CM_DRA_HEALTH_HEALTH_CLIENT_H_
#define KUBELET_CM_DRA_HEALTH_HEALTH_CLIENT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dra/health/health_report.h"

namespace kubelet_cm::dra {

// One NodeWatchResources. Read by one thread; Cancel from any. Destroyed by the reading thread.
class HealthStream {
 public:
  HealthStream() = default;
  HealthStream(const HealthStream&) = delete;
  HealthStream& operator=(const HealthStream&) = delete;
  // Cancels the stream when it has not ended.
  virtual ~HealthStream() = default;

  // Blocks for the next message; the first call opens the stream. An error is how it ended, the same at every later
  // call: kOutOfRange "EOF" when the driver ended it properly, kCancelled after Cancel or when the driver is
  // disconnected, kUnimplemented from a driver that tells nothing of health.
  virtual absl::StatusOr<HealthReports> Read() = 0;

  // Read returns soon. Does not wait; a second call does nothing.
  virtual void Cancel() = 0;
};

// Thread-safe. Outlives its streams.
class HealthClient {
 public:
  HealthClient() = default;
  HealthClient(const HealthClient&) = delete;
  HealthClient& operator=(const HealthClient&) = delete;
  virtual ~HealthClient() = default;

  // Does not block. Never null: what goes wrong is told by the first Read.
  virtual std::unique_ptr<HealthStream> Watch() = 0;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_HEALTH_CLIENT_H_

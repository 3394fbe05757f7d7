// ModelClient: the seam between the publisher of slices and one instance of a driver of 1.30, which says what it has.
//
//  - GrpcModelClient (grpc_model_client.h): over the driver's connection.
//  - FakeModelClient (fake_model_client.h, tests only): in memory.
#ifndef KUBELET_CM_DRA_SLICES_MODEL_CLIENT_H_
#define KUBELET_CM_DRA_SLICES_MODEL_CLIENT_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "dra/plugin/slice_client.h"

namespace kubelet_cm::dra {

// All that a driver has, as one message says.
using ResourceModels = std::vector<ResourceModel>;

// One NodeListAndWatchResources. Read by one thread; Cancel from any. Destroyed by the reading thread.
class ModelStream {
 public:
  ModelStream() = default;
  ModelStream(const ModelStream&) = delete;
  ModelStream& operator=(const ModelStream&) = delete;
  // Cancels the stream when it has not ended.
  virtual ~ModelStream() = default;

  // Blocks for the next message; the first call opens the stream. An error is how it ended, the same at every later
  // call: kOutOfRange when the driver ended it properly, kCancelled after Cancel or when the driver is disconnected,
  // kUnimplemented from a driver that publishes nothing, kResourceExhausted for a message that a kubelet does not take.
  virtual absl::StatusOr<ResourceModels> Read() = 0;

  // Read returns soon. Does not wait; a second call does nothing.
  virtual void Cancel() = 0;
};

// Thread-safe. Outlives its streams.
class ModelClient {
 public:
  ModelClient() = default;
  ModelClient(const ModelClient&) = delete;
  ModelClient& operator=(const ModelClient&) = delete;
  virtual ~ModelClient() = default;

  // Does not block. Never null: what goes wrong is told by the first Read.
  virtual std::unique_ptr<ModelStream> Watch() = 0;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_SLICES_MODEL_CLIENT_H_

// PluginClient: the seam between the device manager and one connected device plugin.
//
//  - GrpcPluginClient (grpc_plugin_client.h) and LegacyPluginClient (legacy_plugin_client.h): over a unix socket; made
//  by
//    ConnectPlugin (connect_plugin.h).
//  - FakePlugin (fake_plugin_client.h, tests only): in memory, also under SeededThreads.
//
// Everything is in terms of v1beta1; plugins that speak an older API are translated. Every call has a time limit, and
// blocks until it is answered, the limit is over (kDeadlineExceeded) or the client is disconnected (kCancelled). Errors
// have the code and the message that the plugin sent; PluginEndpoint words them as the kubelet does.
#ifndef KUBELET_CM_DEVICEPLUGIN_ENDPOINT_PLUGIN_CLIENT_H_
#define KUBELET_CM_DEVICEPLUGIN_ENDPOINT_PLUGIN_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "deviceplugin/api/v1beta1.pb.h"

namespace kubelet_cm::deviceplugin {

// A message of ListAndWatch; never null. Shared, so that it can lie wherever it was made: one of 10,000 devices is
// 50,000 small pieces.
using ListMessage = std::shared_ptr<const v1beta1::ListAndWatchResponse>;

// One open ListAndWatch. Read by one thread; Cancel from any. Destroyed by the reading thread, before its client.
class DeviceStream {
 public:
  DeviceStream() = default;
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;
  // Cancels the stream when it has not ended.
  virtual ~DeviceStream() = default;

  // Blocks for the next message. An error is how the stream ended, the same at every later call: kOutOfRange "EOF" when
  // the plugin ended it properly, kCancelled after Cancel and Disconnect.
  virtual absl::StatusOr<ListMessage> Read() = 0;

  // Read returns soon. Does not wait; a second call does nothing.
  virtual void Cancel() = 0;
};

// What every implementation returns for a stream that the plugin ended properly: io.EOF in a kubelet's log.
inline absl::Status EndOfStream() { return absl::OutOfRangeError("EOF"); }

// Thread-safe. Destroyed when no call is in flight and no stream is left: Disconnect() makes that happen.
class PluginClient {
 public:
  using DeviceIds = absl::Span<const std::string>;

  PluginClient() = default;
  PluginClient(const PluginClient&) = delete;
  PluginClient& operator=(const PluginClient&) = delete;
  virtual ~PluginClient() = default;

  virtual absl::StatusOr<v1beta1::DevicePluginOptions> GetOptions(absl::Duration timeout) = 0;

  // One container request. The answer is as the plugin gave it, be it empty.
  virtual absl::StatusOr<v1beta1::AllocateResponse> Allocate(DeviceIds ids, absl::Duration timeout) = 0;

  // One container request: which `size` of `available`, `must_include` among them, would the plugin like best?
  virtual absl::StatusOr<v1beta1::PreferredAllocationResponse> GetPreferredAllocation(DeviceIds available,
                                                                                      DeviceIds must_include,
                                                                                      int32_t size,
                                                                                      absl::Duration timeout) = 0;

  virtual absl::Status PreStartContainer(DeviceIds ids, absl::Duration timeout) = 0;

  // Never null: what goes wrong is told by the first Read.
  virtual std::unique_ptr<DeviceStream> ListAndWatch() = 0;

  // Every call and stream in flight ends soon, with kCancelled, and later ones fail at once. Does not wait; a second
  // call does nothing.
  virtual void Disconnect() = 0;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ENDPOINT_PLUGIN_CLIENT_H_

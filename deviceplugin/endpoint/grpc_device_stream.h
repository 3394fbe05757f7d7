// GrpcDeviceStream: a DeviceStream over a gRPC stream of any API's messages.
#ifndef KUBELET_CM_DEVICEPLUGIN_ENDPOINT_GRPC_DEVICE_STREAM_H_
#define KUBELET_CM_DEVICEPLUGIN_ENDPOINT_GRPC_DEVICE_STREAM_H_

#include <google/protobuf/arena.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/status/grpc_status.h"
#include "common/unixsocket/calls_in_flight.h"
#include "deviceplugin/endpoint/plugin_client.h"
#include "grpcpp/support/sync_stream.h"

namespace kubelet_cm::deviceplugin {

// `Message` is what the plugin sends; `convert` makes a v1beta1 message of it. Messages lie in arenas of their own,
// where making and freeing their pieces costs little.
template <typename Message>
class GrpcDeviceStream : public DeviceStream {
 public:
  using Convert = ListMessage (*)(std::shared_ptr<const Message>);

  GrpcDeviceStream(CallsInFlight::Context context, std::unique_ptr<grpc::ClientReader<Message>> reader, Convert convert)
      : context_(std::move(context)), reader_(std::move(reader)), convert_(convert) {}

  // gRPC wants a stream read to its end, which is near once it is cancelled.
  ~GrpcDeviceStream() override {
    Cancel();
    while (GrpcDeviceStream::Read().ok()) {
    }
  }

  absl::StatusOr<ListMessage> Read() override {
    if (!ended_.ok()) return ended_;
    // Small while the plugin has nothing to say, which may be for ever.
    google::protobuf::ArenaOptions sizes;
    sizes.max_block_size = kArenaBlockBytes;
    auto arena = std::make_shared<google::protobuf::Arena>(sizes);
    auto* const message = google::protobuf::Arena::CreateMessage<Message>(arena.get());
    if (reader_->Read(message)) return convert_(std::shared_ptr<const Message>(std::move(arena), message));
    ended_ = FromGrpcStatus(reader_->Finish());
    if (ended_.ok()) ended_ = EndOfStream();
    return ended_;
  }

  void Cancel() override { context_->TryCancel(); }

 private:
  static constexpr size_t kArenaBlockBytes = 256 << 10;

  const CallsInFlight::Context context_;
  const std::unique_ptr<grpc::ClientReader<Message>> reader_;
  const Convert convert_;
  absl::Status ended_;  // OK while it has not; the reading thread's
};

// A stream that could not even be opened.
class FailedDeviceStream : public DeviceStream {
 public:
  explicit FailedDeviceStream(absl::Status why) : why_(std::move(why)) {}

  absl::StatusOr<ListMessage> Read() override { return why_; }
  void Cancel() override {}

 private:
  const absl::Status why_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ENDPOINT_GRPC_DEVICE_STREAM_H_

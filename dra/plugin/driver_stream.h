// DriverStream: one stream of messages that a driver sends: what the clients of all streaming calls share.
//
//   DriverStream<Response> stream(connection, [&](grpc::ClientContext* context) { return stub.Watch(context, request);
//   }); while (absl::StatusOr<Response> message = stream.Read(); message.ok()) ...
//
// Read by one thread, which destroys it, too; Cancel from any.
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_STREAM_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_STREAM_H_

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/status/grpc_status.h"
#include "common/unixsocket/calls_in_flight.h"
#include "dra/plugin/driver_connection.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/sync_stream.h"

namespace kubelet_cm::dra {

template <typename Response>
class DriverStream {
 public:
  using Reader = grpc::ClientReader<Response>;
  using Open = std::function<std::unique_ptr<Reader>(grpc::ClientContext* context)>;

  // In flight on `connection` from now on; `open` is called by the first Read. Messages of more than `max_bytes` are
  // not taken, though the channel may be able to.
  DriverStream(DriverConnection& connection, Open open, size_t max_bytes = std::numeric_limits<size_t>::max())
      : open_(std::move(open)), max_bytes_(max_bytes) {
    absl::StatusOr<CallsInFlight::Context> context = connection.calls().Begin(absl::InfiniteDuration());
    ended_ = context.status();
    if (context.ok()) context_ = *std::move(context);
  }
  // Cancels the stream when it has not ended.
  ~DriverStream() {
    if (reader_ != nullptr && ended_.ok()) Drain();
  }
  DriverStream(const DriverStream&) = delete;
  DriverStream& operator=(const DriverStream&) = delete;

  // Blocks for the next message. An error is how it ended, the same at every later call: kOutOfRange "EOF" when the
  // driver ended it properly, kCancelled after Cancel or when the driver is disconnected, kResourceExhausted for a
  // message that is too long, and else what the driver says.
  absl::StatusOr<Response> Read() {
    if (!ended_.ok()) return ended_;
    if (reader_ == nullptr) reader_ = open_(context_.get());
    Response response;
    if (!reader_->Read(&response)) {
      ended_ = FromGrpcStatus(reader_->Finish());
      if (ended_.ok()) ended_ = absl::OutOfRangeError("EOF");
      return ended_;
    }
    if (response.ByteSizeLong() <= max_bytes_) return response;
    Drain();
    ended_ = DriverConnection::TooLarge(response.ByteSizeLong());
    return ended_;
  }

  // Read returns soon. Does not wait; a second call does nothing.
  void Cancel() {
    if (context_ != nullptr) context_->TryCancel();
  }

 private:
  // gRPC wants a stream read to its end, which is near once it is cancelled.
  void Drain() {
    Cancel();
    Response response;
    while (reader_->Read(&response)) {
    }
    static_cast<void>(reader_->Finish());  // why it ends is known
  }

  const Open open_;
  const size_t max_bytes_;
  CallsInFlight::Context context_;  // null when it could not be opened
  // The reading thread's.
  std::unique_ptr<Reader> reader_;  // null before the first Read
  absl::Status ended_;              // OK while it has not
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_STREAM_H_

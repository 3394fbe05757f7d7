// ServedService: a gRPC service of a test on a real unix socket, and a connection to it. Tests only.
#ifndef KUBELET_CM_DRA_PLUGIN_SERVED_SERVICE_H_
#define KUBELET_CM_DRA_PLUGIN_SERVED_SERVICE_H_

#include <memory>
#include <vector>

#include "common/filesystem/posix_file_system.h"
#include "common/status/check.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/server.h"
#include "common/unixsocket/short_temp_dir.h"
#include "dra/plugin/driver_call_metrics.h"
#include "dra/plugin/driver_connection.h"

namespace kubelet_cm::dra {

class ServedService {
 public:
  // The services outlive it.
  explicit ServedService(const std::vector<grpc::Service*>& services) : services_(services) { Serve(); }

  void Stop() { server_.reset(); }
  void Serve() {
    auto server = UnixSocketServer::New(files_, services_, {.path = folder_.File("d.sock")});
    CHECK(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  std::shared_ptr<DriverConnection> Connect(const DriverCallMetrics* metrics = nullptr,
                                            int max_receive_bytes = 4 << 20) const {
    const auto channel = UnixSocketChannel(folder_.File("d.sock"), {.max_receive_bytes = max_receive_bytes});
    CHECK(channel.ok()) << channel.status();
    return std::make_shared<DriverConnection>(*channel, CallMeter{.metrics = metrics, .driver_name = "d"});
  }

 private:
  const std::vector<grpc::Service*> services_;
  PosixFileSystem files_;
  ShortTempDir folder_;
  std::unique_ptr<UnixSocketServer> server_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_SERVED_SERVICE_H_

// EchoService: the other end of the tests of sockets.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_TESTDATA_ECHO_SERVICE_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_TESTDATA_ECHO_SERVICE_H_

#include "common/unixsocket/testdata/echo.grpc.pb.h"

namespace kubelet_cm::testdata {

// Has no state; called by threads of gRPC.
class EchoService : public Echo::Service {
 public:
  grpc::Status Say(grpc::ServerContext* context, const EchoMessage* request, EchoMessage* response) override;
  grpc::Status Authority(grpc::ServerContext* context, const google::protobuf::Empty* request,
                         EchoMessage* response) override;
  grpc::Status Chat(grpc::ServerContext* context, grpc::ServerReaderWriter<EchoMessage, EchoMessage>* stream) override;
};

}  // namespace kubelet_cm::testdata

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_TESTDATA_ECHO_SERVICE_H_

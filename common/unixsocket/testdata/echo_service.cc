#include "common/unixsocket/testdata/echo_service.h"

#include <string>

namespace kubelet_cm::testdata {

grpc::Status EchoService::Say(grpc::ServerContext*, const EchoMessage* request, EchoMessage* response) {
  response->set_text(request->text());
  return grpc::Status::OK;
}

grpc::Status EchoService::Authority(grpc::ServerContext* context, const google::protobuf::Empty*,
                                    EchoMessage* response) {
  const grpc::string_ref authority = context->ExperimentalGetAuthority();
  response->set_text(std::string(authority.data(), authority.size()));
  return grpc::Status::OK;
}

grpc::Status EchoService::Chat(grpc::ServerContext*, grpc::ServerReaderWriter<EchoMessage, EchoMessage>* stream) {
  EchoMessage message;
  while (stream->Read(&message)) stream->Write(message);
  return grpc::Status::OK;
}

}  // namespace kubelet_cm::testdata

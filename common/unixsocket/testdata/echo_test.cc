// What cc_grpc_proto makes can be compiled, linked and used.
#include "common/unixsocket/testdata/echo.grpc.pb.h"
#include "common/unixsocket/testdata/echo.pb.h"
#include "gtest/gtest.h"

namespace kubelet_cm::testdata {
namespace {

TEST(CcGrpcProtoTest, MessagesSurviveTheWire) {
  EchoMessage sent;
  sent.set_text("hello");
  EchoMessage received;
  ASSERT_TRUE(received.ParseFromString(sent.SerializeAsString()));
  EXPECT_EQ(received.text(), "hello");
}

TEST(CcGrpcProtoTest, ServiceHasItsWireName) { EXPECT_STREQ(Echo::service_full_name(), "kubelet_cm.testdata.Echo"); }

}  // namespace
}  // namespace kubelet_cm::testdata

#include "common/unixsocket/grpc_lifetime.h"

#include <grpc/grpc.h>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(GrpcLifetimeTest, GrpcOutlivesItsLastUser) {
  EXPECT_EQ(grpc_is_initialized(), 0);
  KeepGrpc();
  KeepGrpc();
  grpc_init();
  grpc_shutdown_blocking();
  EXPECT_NE(grpc_is_initialized(), 0);
}

}  // namespace
}  // namespace kubelet_cm

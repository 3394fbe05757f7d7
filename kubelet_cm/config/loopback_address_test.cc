#include "kubelet_cm/config/loopback_address.h"

#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

TEST(LoopbackAddressTest, TellsAddressesApart) {
  EXPECT_EQ(KindOfAddress("127.0.0.1"), AddressKind::kLoopback);
  EXPECT_EQ(KindOfAddress("127.9.8.7"), AddressKind::kLoopback);
  EXPECT_EQ(KindOfAddress("::1"), AddressKind::kLoopback);
  EXPECT_EQ(KindOfAddress("0.0.0.0"), AddressKind::kOther);
  EXPECT_EQ(KindOfAddress("::"), AddressKind::kOther);
  EXPECT_EQ(KindOfAddress("10.0.0.127"), AddressKind::kOther);
}

TEST(LoopbackAddressTest, NamesAreNoAddresses) {
  for (const char* text : {"", "localhost", "127.0.0", "127.0.0.1:80", "::1%lo", "127.1"}) {
    EXPECT_EQ(KindOfAddress(text), AddressKind::kNone) << text;
  }
}

}  // namespace
}  // namespace kubelet_cm::config

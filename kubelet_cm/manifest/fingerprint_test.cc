#include "kubelet_cm/manifest/fingerprint.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

// Landon Noll's values.
TEST(FingerprintTest, IsFnv1aOf128Bits) {
  EXPECT_EQ(Fingerprint(""), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(Fingerprint("a"), "d228cb696f1a8caf78912b704e4a8964");
  EXPECT_EQ(Fingerprint("foobar"), "343e1662793c64bf6f0d3597ba446f18");
}

}  // namespace
}  // namespace kubelet_cm

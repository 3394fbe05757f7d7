#include "dra/plugin/structured_message.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

TEST(StructuredMessageTest, EverythingCrossesOver) {
  StructuredHandle handle;
  handle.vendor_class_parameters = "{\"a\":1}";
  handle.node_name = "node-1";
  handle.results.Set({StructuredResult{.vendor_request_parameters = "{}", .named_resource = "gpu-0"}});
  const auto message = ToMessage(handle);
  EXPECT_EQ(message.vendor_class_parameters().raw(), "{\"a\":1}");
  EXPECT_EQ(message.node_name(), "node-1");
  ASSERT_EQ(message.results_size(), 1);
  EXPECT_EQ(message.results(0).vendor_request_parameters().raw(), "{}");
  EXPECT_EQ(message.results(0).allocation_result_model().named_resources().name(), "gpu-0");
}

TEST(StructuredMessageTest, EmptyPartsAreThereAndWhatIsNilIsNot) {
  StructuredHandle handle;
  handle.results.Set({StructuredResult{}});
  const auto message = ToMessage(handle);
  EXPECT_TRUE(message.has_vendor_claim_parameters());
  EXPECT_FALSE(message.vendor_claim_parameters().has_raw());
  EXPECT_TRUE(message.has_node_name());
  EXPECT_TRUE(message.results(0).has_allocation_result_model());
  EXPECT_FALSE(message.results(0).allocation_result_model().has_named_resources());
}

}  // namespace
}  // namespace kubelet_cm::dra

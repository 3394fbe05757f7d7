#include "dra/checkpoint/structured_handle.h"

#include "common/gotext/json_document.h"
#include "common/status/check.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

StructuredHandle Decoded(std::string_view json) {
  const auto document = JsonDocument::Parse(json);
  CHECK(document.ok()) << document.status();
  JsonDecoder decoder;
  StructuredHandle handle;
  PartBudget budget;
  DecodeStructuredHandle(decoder, budget, document->root(), &handle);
  CHECK(decoder.status().ok()) << decoder.status();
  return handle;
}

std::string Written(const StructuredHandle& handle) {
  std::string out;
  JsonWriter writer(&out);
  WriteStructuredHandle(handle, writer);
  return out;
}

std::string Dumped(const StructuredHandle& handle) {
  return GoDumpText([&](GoDump& dump) { dump.Typed("x", handle); });
}

TEST(StructuredHandleTest, KeepsVendorsJsonAsItWasSpelt) {
  const StructuredHandle handle = Decoded(R"({"vendorClassParameters":{"a": 1},"vendorClaimParameters":null})");
  EXPECT_EQ(handle.vendor_class_parameters, R"({"a": 1})");
  EXPECT_EQ(handle.vendor_claim_parameters, std::nullopt);
}

TEST(StructuredHandleTest, WritesVendorsJsonCompactAndStructsAlways) {
  EXPECT_EQ(Written(Decoded(R"({"vendorClassParameters":{"a": "<"}})")),
            R"({"vendorClassParameters":{"a":"\u003c"},"vendorClaimParameters":null,"results":null})");
}

TEST(StructuredHandleTest, WritesWhatItReads) {
  const std::string json =
      R"({"vendorClassParameters":null,"vendorClaimParameters":[1],"nodeName":"n","results":)"
      R"([{"vendorRequestParameters":null,"namedResources":{"name":"gpu-0"}},{"vendorRequestParameters":"x"}]})";
  EXPECT_EQ(Written(Decoded(json)), json);
}

TEST(StructuredHandleTest, DumpsNilAndSetParts) {
  EXPECT_EQ(Dumped({}),
            "(x){VendorClassParameters:(runtime.RawExtension){Raw:([]uint8)<nil> Object:(runtime.Object)<nil>} "
            "VendorClaimParameters:(runtime.RawExtension){Raw:([]uint8)<nil> Object:(runtime.Object)<nil>} "
            "NodeName:(string) Results:([]v1alpha2.DriverAllocationResult)<nil>}");
  const std::string dump =
      Dumped(Decoded(R"({"results":[{"namedResources":{"name":"g"}},{"vendorRequestParameters":1}]})"));
  EXPECT_TRUE(dump.ends_with(
      "Results:([]v1alpha2.DriverAllocationResult)[{VendorRequestParameters:(runtime.RawExtension){Raw:([]uint8)<nil> "
      "Object:(runtime.Object)<nil>} AllocationResultModel:(v1alpha2.AllocationResultModel){NamedResources:"
      "(*v1alpha2.NamedResourcesAllocationResult){Name:(string)g}}} {VendorRequestParameters:(runtime.RawExtension)"
      "{Raw:([]uint8)[49] Object:(runtime.Object)<nil>} AllocationResultModel:(v1alpha2.AllocationResultModel)"
      "{NamedResources:(*v1alpha2.NamedResourcesAllocationResult)<nil>}}]}"))
      << dump;
}

}  // namespace
}  // namespace kubelet_cm::dra

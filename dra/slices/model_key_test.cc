#include "dra/slices/model_key.h"

#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

TEST(QuantityKeyTest, QuantitiesOfOneValueAreTheSame) {
  EXPECT_EQ(QuantityKey("1024Mi"), QuantityKey("1Gi"));
  EXPECT_EQ(QuantityKey("1000m"), QuantityKey("1"));
  EXPECT_EQ(QuantityKey("1.50"), QuantityKey("1500m"));
  EXPECT_EQ(QuantityKey("+0.5k"), QuantityKey("5e2"));
  EXPECT_EQ(QuantityKey("1000n"), QuantityKey("1u"));
  EXPECT_EQ(QuantityKey("1E"), QuantityKey("1e18"));
  EXPECT_EQ(QuantityKey("-0"), QuantityKey("0.00Ki"));
}

TEST(QuantityKeyTest, QuantitiesOfOtherValuesAreNot) {
  EXPECT_NE(QuantityKey("1k"), QuantityKey("1Ki"));
  EXPECT_NE(QuantityKey("1"), QuantityKey("-1"));
  EXPECT_NE(QuantityKey("15"), QuantityKey("1.5"));
  EXPECT_NE(QuantityKey("1m"), QuantityKey("1M"));
  EXPECT_NE(QuantityKey("0"), QuantityKey("1n"));
}

TEST(QuantityKeyTest, WhatIsNoQuantityIsOnlyTheSameAsItself) {
  for (const char* text :
       {"", "-", ".", "x", "1x", "1 ", "1.2.3", "Ki", "1e", "1e9999", "1234567890123456789", "1Ui"}) {
    EXPECT_EQ(QuantityKey(text), std::string("?") + text);
  }
}

ResourceModel WithQuantity(const std::string& quantity) {
  ResourceModel model;
  auto& instance = *model.mutable_named_resources()->add_instances();
  instance.set_name("gpu-0");
  auto& attribute = *instance.add_attributes();
  attribute.set_name("memory");
  attribute.mutable_attribute_value()->mutable_quantity()->set_string(quantity);
  return model;
}

TEST(ModelKeyTest, AModelIsTheSameWhateverItsQuantitiesAreWrittenIn) {
  EXPECT_EQ(ModelKey(WithQuantity("1024Mi")), ModelKey(WithQuantity("1Gi")));
  EXPECT_NE(ModelKey(WithQuantity("1Gi")), ModelKey(WithQuantity("2Gi")));
}

TEST(ModelKeyTest, ANameOrAnAttributeMoreMakesAnotherModel) {
  ResourceModel renamed = WithQuantity("1");
  renamed.mutable_named_resources()->mutable_instances(0)->set_name("gpu-1");
  EXPECT_NE(ModelKey(renamed), ModelKey(WithQuantity("1")));
  ResourceModel larger = WithQuantity("1");
  larger.mutable_named_resources()->mutable_instances(0)->add_attributes()->set_name("more");
  EXPECT_NE(ModelKey(larger), ModelKey(WithQuantity("1")));
}

TEST(ModelKeyTest, ATextIsNotTheQuantityOfThatText) {
  ResourceModel text = WithQuantity("1");
  auto& value = *text.mutable_named_resources()->mutable_instances(0)->mutable_attributes(0)->mutable_attribute_value();
  value.clear_quantity();
  value.set_string("1");
  EXPECT_NE(ModelKey(text), ModelKey(WithQuantity("1")));
}

}  // namespace
}  // namespace kubelet_cm::dra

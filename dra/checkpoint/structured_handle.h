// The structured data of a resource handle, which only Kubernetes 1.30 had: its shape, and how Go decodes, dumps and
// encodes it.
//
// Plain values and pure functions.
#ifndef KUBELET_CM_DRA_CHECKPOINT_STRUCTURED_HANDLE_H_
#define KUBELET_CM_DRA_CHECKPOINT_STRUCTURED_HANDLE_H_

#include <optional>
#include <string>

#include "checkpointmanager/checksum/go_dump.h"
#include "common/gotext/go_slice.h"
#include "common/gotext/json_decoder.h"
#include "common/gotext/json_writer.h"
#include "dra/checkpoint/part_budget.h"

namespace kubelet_cm::dra {

// JSON that a driver's vendor gave, as it was spelt; nothing for nil. Go's runtime.RawExtension.
using RawJson = std::optional<std::string>;

// One request's share of the allocation.
struct StructuredResult {
  RawJson vendor_request_parameters;
  std::optional<std::string> named_resource;  // nothing: a model of another kind, or none

  friend bool operator==(const StructuredResult&, const StructuredResult&) = default;
};

struct StructuredHandle {
  RawJson vendor_class_parameters;
  RawJson vendor_claim_parameters;
  std::string node_name;
  GoSlice<StructuredResult> results;

  friend bool operator==(const StructuredHandle&, const StructuredHandle&) = default;
};

void DecodeStructuredHandle(JsonDecoder& decoder, PartBudget& budget, JsonValue value, StructuredHandle* out);

// Found by GoDump::Value.
void PrintGo(GoDump& dump, const StructuredResult& result);
void PrintGo(GoDump& dump, const StructuredHandle& handle);

void WriteStructuredHandle(const StructuredHandle& handle, JsonWriter& writer);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_STRUCTURED_HANDLE_H_

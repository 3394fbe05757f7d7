// The bytes of one pod's file: a PodRecord with the boot that it was written in, checksummed.
//
// Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_PODS_POD_CODEC_H_
#define KUBELET_CM_KUBELET_CM_PODS_POD_CODEC_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kubelet_cm/pods/pod_record.h"

namespace kubelet_cm {

struct StoredRecord {
  PodRecord record;
  std::string boot_id;
};

// Of a pod that is past its admission. Reason and message are not kept.
std::string EncodePodRecord(const PodRecord& record, std::string_view boot_id);

// DataLoss for bytes that EncodePodRecord did not make.
absl::StatusOr<StoredRecord> DecodePodRecord(std::string_view bytes);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_PODS_POD_CODEC_H_

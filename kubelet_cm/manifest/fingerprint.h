// A number for a text, to tell texts apart and to make uids of: FNV-1a of 128 bits as 32 hexadecimal digits, the length
// of the uids that kubelets make for static pods. Not for secrets: who wants to can make two texts of one fingerprint.
//
// A pure function.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_FINGERPRINT_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_FINGERPRINT_H_

#include <string>
#include <string_view>

namespace kubelet_cm {

std::string Fingerprint(std::string_view text);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_FINGERPRINT_H_

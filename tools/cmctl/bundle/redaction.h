// State files without what plugins and drivers may keep secret in them: for people who were not meant to read the
// node's secrets, such as the readers of a bug report.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_BUNDLE_REDACTION_H_
#define KUBELET_CM_TOOLS_CMCTL_BUNDLE_REDACTION_H_

#include <string>

namespace kubelet_cm::cmctl {

// What `cmctl checkpoint show -o json --show-response` says of the file, with "<redacted>" for the values of
// environment variables and annotations, the answers' own bytes and the drivers' opaque data. Of a file that is not
// recognised only what is wrong with it. Indented.
std::string RedactedState(const std::string& file_name, std::string bytes);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_BUNDLE_REDACTION_H_

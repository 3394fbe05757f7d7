// What the settings are, for whoever looks into a running daemon: the bodies of /configz and /flagz. Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_OPTION_PAGES_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_OPTION_PAGES_H_

#include <string>

#include "kubelet_cm/config/daemon_options.h"

namespace kubelet_cm::config {

// JSON as the kubelet's page: {"kubeletconfig": <a KubeletConfiguration>}, with what is honoured of one.
std::string ConfigzJson(const DaemonOptions& options);

// Text in the form of the kubelet's page: a line "name=value" for each flag, sorted; the values are those in effect.
std::string FlagzText(const DaemonOptions& options);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_OPTION_PAGES_H_

// A device checkpoint's content as tables, and as facts for comparing.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_TABLES_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_TABLES_H_

#include "common/personality/personality.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "tools/cmctl/checkpoint/state_file.h"
#include "tools/cmctl/checkpoint/text_table.h"

namespace kubelet_cm::cmctl {

// A row for each entry and NUMA node. Wide: the answers of the plugins, in numbers.
TextTable EntryTable(const deviceplugin::DeviceContent& content, DeviceFormat format, bool wide);
// A row for each resource. Wide: its devices by name.
TextTable RegisteredTable(const deviceplugin::DeviceContent& content, bool wide);

Facts DeviceFacts(const deviceplugin::DeviceContent& content, const FactDetail& detail, bool secrets);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_TABLES_H_

// The device manager's checkpoint, kubelet_internal_checkpoint, in any format.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_STATE_FILE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_STATE_FILE_H_

#include <string>
#include <vector>

#include "deviceplugin/checkpoint/device_reader.h"
#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

class DeviceStateFile : public StateFile {
 public:
  // `file` is what ReadDevices made of the bytes.
  DeviceStateFile(std::string bytes, deviceplugin::DeviceFile file);

  std::string ContentJson(const ResponseView& responses) const override;
  std::vector<TextTable> Tables(bool wide) const override;
  std::string ResponseText(bool secrets) const override;
  std::string Summary() const override;
  std::vector<FileProblem> BrokenInvariants() const override;
  std::vector<const Personality*> Writers() const override;
  KubeletView ViewOf(const Personality& kubelet) const override;
  std::vector<std::string> Advice(const Personality* kubelet, std::string_view version) const override;
  FactDetail detail() const override;
  Facts FactsAt(const FactDetail& detail, bool secrets) const override;
  absl::StatusOr<Rewritten> ConvertTo(std::string_view format) const override;
  absl::StatusOr<Rewritten> Salvage() const override;

 private:
  const std::vector<deviceplugin::DeviceEntry>& entries() const;
  bool HasDevices() const;

  std::string bytes_;
  deviceplugin::DeviceFile file_;
  DeviceFormat format_;  // guessed if there is none
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_STATE_FILE_H_

// A node for measurements of the device manager: a real folder on the real disk, a real socket for the plugin, and pods
// that hold devices already when the manager starts.
//
//   DeviceBenchNode node(1000);
//   node.StartStack();
//   node.RunPlugin(8 * 1000 + 64);
//   node.Admit(node.NewPod());
//
// Anything that goes wrong ends the program. One thread steers the node; Admit may be called from many.
#ifndef KUBELET_CM_TOOLS_BENCH_DEVICE_BENCH_NODE_H_
#define KUBELET_CM_TOOLS_BENCH_DEVICE_BENCH_NODE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/node/pod.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "deviceplugin/device_stack.h"
#include "testing/fakes/fake_device_plugin.h"
#include "tools/bench/bench_machine.h"

namespace kubelet_cm {

class DeviceBenchNode {
 public:
  static constexpr char kResource[] = "example.com/gpu";
  static constexpr size_t kDevicesPerPod = 8;

  // The first `pods` pods are active, and the state file says that each holds 8 devices (SampleContent).
  explicit DeviceBenchNode(size_t pods);
  ~DeviceBenchNode();

  void StartStack();
  // Without sockets: the manager alone.
  std::unique_ptr<deviceplugin::DeviceManager> NewManager();
  deviceplugin::DeviceManager& manager() { return stack_->manager(); }

  // A plugin that is registered with the stack, with the first `devices` devices; returns when they are there.
  void RunPlugin(size_t devices);
  fakes::FakeDevicePlugin& plugin() { return *plugin_; }
  // Returns when the manager shows so many devices, and so many healthy ones.
  void AwaitCapacity(int64_t capacity, int64_t allocatable);

  // An active pod that asks for one device.
  Pod NewPod();
  void Admit(const Pod& pod);
  // What the pods held is free again, durably.
  void Remove(const std::vector<Pod>& pods);
  void Flush();

  // A file of /proc/self.
  std::string ReadProcessFile(const std::string& name);

  BenchMachine& machine() { return machine_; }

 private:
  BenchMachine machine_;
  size_t last_pod_ = 0;
  std::unique_ptr<deviceplugin::DeviceStack> stack_;
  std::unique_ptr<fakes::FakeDevicePlugin> plugin_;
};

// The id of a device, as SampleContent has it, and a list of the first `count`, on 2 NUMA nodes in turn.
std::string BenchDeviceId(size_t number);
v1beta1::ListAndWatchResponse BenchDevices(size_t count);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_DEVICE_BENCH_NODE_H_

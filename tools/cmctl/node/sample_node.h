// The answers of a daemon on a node with two resources, a claim and five pods; some texts in them are hostile.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_SAMPLE_NODE_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_SAMPLE_NODE_H_

namespace kubelet_cm::cmctl {

inline constexpr char kPods[] = R"(
pods {
  pod { uid: "uid-web" namespace: "default" name: "web" }
  state: POD_STATE_PREPARED source: "api" since_unix_nanos: 1789999940000000000 claims: "gpus"
  containers { name: "setup" kind: "init" devices { resource: "example.com/nic" device_id: "n0" } }
  containers {
    name: "app" kind: "app" running: true claims: "gpu"
    devices { resource: "example.com/widget" device_id: "dev-0" numa_nodes: 0 numa_nodes: 1 }
    devices { resource: "example.com/widget" device_id: "dev-1" numa_nodes: 1 }
    allocated_resources_status {
      name: "example.com/widget"
      resources { resource_id: "dev-0" health: "Healthy" }
      resources { resource_id: "dev-1" health: "Unhealthy" message: "fan\033[31m" }
    }
  }
}
pods {
  pod { uid: "uid-big" namespace: "default" name: "big" }
  state: POD_STATE_REFUSED source: "api" reason: "UnexpectedAdmissionError" since_unix_nanos: 1789999000000000000
  message: "Allocate failed due to requested number of devices unavailable for example.com/widget. Requested: 9, Available: 0, which is unexpected"
}
pods { pod { uid: "uid-old" } state: POD_STATE_RESTORED source: "state-file" }
pods {
  pod { uid: "uid-job" namespace: "batch" name: "job" } state: POD_STATE_TERMINATING source: "folder"
  since_unix_nanos: 1789700000000000000
}
pods {
  pod { uid: "uid-new" namespace: "batch" name: "new" } state: POD_STATE_ADMITTING source: "api"
  since_unix_nanos: 1789990000000000000
}
)";

inline constexpr char kResources[] = R"(
resources {
  name: "example.com/nic" capacity: 1
  devices {
    id: "n0" health: "Unknown"
    holders { pod { uid: "uid-web" namespace: "default" name: "web" } container: "setup" }
  }
}
resources {
  name: "example.com/widget" capacity: 3 allocatable: 2 allocated: 2 connected: true
  devices {
    id: "dev-0" health: "Healthy" numa_nodes: 0 numa_nodes: 1
    holders { pod { uid: "uid-web" namespace: "default" name: "web" } container: "app" }
  }
  devices { id: "dev-1" health: "Unhealthy" numa_nodes: 1 holders { pod { uid: "uid-old" } container: "main" } }
  devices { id: "dev\n2" health: "Healthy" }
}
)";

inline constexpr char kPlugins[] = R"(
plugins { type: "DevicePlugin" name: "example.com/nic" state: "disconnected" message: "its plugin is gone; the resource is kept for five minutes" }
plugins {
  type: "DevicePlugin" name: "example.com/widget" endpoint: "/r/device-plugins/fake.sock" state: "connected" primary: true
}
plugins {
  type: "DRAPlugin" name: "drv.example.com" endpoint: "/r/plugins/drv/dra.sock" versions: "v1.DRAPlugin"
  versions: "v1beta1.DRAPlugin" state: "connected" primary: true registration_socket: "/r/plugins_registry/drv-reg.sock"
}
plugins { state: "failed" registration_socket: "/r/plugins_registry/x.sock" message: "no\033]0;title\007" }
)";

inline constexpr char kClaims[] = R"(
claims {
  namespace: "default" name: "gpus" uid: "c-1" state: "Prepared"
  pods { uid: "uid-web" namespace: "default" name: "web" }
  drivers {
    name: "drv.example.com" prepared: true
    devices { pool: "node-1" device: "gpu-0" requests: "gpu" cdi_devices: "example.com/gpu=0" }
  }
}
claims {
  namespace: "batch" name: "old" uid: "c-2" state: "Unpreparing" drivers { name: "gone.example.com" prepared: true }
  stuck: "driver gone.example.com: DRA driver gone.example.com is not registered"
}
)";

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_SAMPLE_NODE_H_

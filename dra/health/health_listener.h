// HealthListener: asks the drivers that register for their devices' health, where they and the kubelet agreed on how.
#ifndef KUBELET_CM_DRA_HEALTH_HEALTH_LISTENER_H_
#define KUBELET_CM_DRA_HEALTH_HEALTH_LISTENER_H_

#include "dra/health/health_monitor.h"
#include "dra/plugin/driver_listener.h"

namespace kubelet_cm::dra {

// Thread-safe. The manager does not make one where ResourceHealthStatus is off.
class HealthListener : public DriverListener {
 public:
  // `monitor` outlives the listener.
  explicit HealthListener(HealthMonitor& monitor) : monitor_(monitor) {}

  void OnRegistered(const RegisteredDriver& driver) override;
  void OnDeregistered(const RegisteredDriver& driver) override;

 private:
  HealthMonitor& monitor_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_HEALTH_LISTENER_H_

// DriverListener: who hears of the instances of drivers that come and go: the monitor of their devices' health.
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_LISTENER_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_LISTENER_H_

#include <memory>
#include <optional>
#include <string>

#include "dra/api/dra_api.h"
#include "dra/plugin/driver_connection.h"
#include "dra/plugin/driver_list.h"

namespace kubelet_cm::dra {

struct RegisteredDriver {
  DriverInstanceId id = 0;
  std::string driver_name = {};
  std::string endpoint = {};
  std::optional<DraHealthApi> health = {};  // nothing: its health is not asked for
  // What its calls go through, until it is disconnected; null for a driver that is not behind a socket.
  std::shared_ptr<DriverConnection> connection = {};
};

// Called one call at a time, with no lock held, on the thread that registers or deregisters, or on that of somebody
// else who does so at that moment. It may look drivers up. What it does is short: registration waits for it.
class DriverListener {
 public:
  DriverListener() = default;
  DriverListener(const DriverListener&) = delete;
  DriverListener& operator=(const DriverListener&) = delete;
  virtual ~DriverListener() = default;

  virtual void OnRegistered(const RegisteredDriver& driver) = 0;
  // After OnRegistered for the same id, and once. The connection is being ended, or has been.
  virtual void OnDeregistered(const RegisteredDriver& driver) = 0;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_LISTENER_H_

#include "dra/health/health_listener.h"

#include "dra/health/grpc_health_client.h"

namespace kubelet_cm::dra {

void HealthListener::OnRegistered(const RegisteredDriver& driver) {
  if (!driver.health.has_value() || driver.connection == nullptr) return;
  monitor_.AddInstance({.id = driver.id, .driver_name = driver.driver_name, .endpoint = driver.endpoint},
                       NewGrpcHealthClient(*driver.health, driver.connection));
}

void HealthListener::OnDeregistered(const RegisteredDriver& driver) { monitor_.RemoveInstance(driver.id); }

}  // namespace kubelet_cm::dra

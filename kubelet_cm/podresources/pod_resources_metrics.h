// PodResourcesMetrics: how often the podresources API was asked, and failed. Names and texts are upstream's.
#ifndef KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_METRICS_H_
#define KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_METRICS_H_

#include <string_view>

#include "common/metrics/registry.h"

namespace kubelet_cm::podresources {

// Thread-safe.
class PodResourcesMetrics {
 public:
  enum class Call { kList, kGetAllocatable, kGet };

  explicit PodResourcesMetrics(MetricsRegistry& metrics);

  // Of version "v1".
  void CountCall(Call call);
  void CountError(Call call);
  // Of version "v1alpha1", which has List alone.
  void CountOldList();

 private:
  struct Counters {
    CounterFamily calls;
    CounterFamily errors;
  };
  static Counters CountersOf(MetricsRegistry& metrics, std::string_view name, std::string_view method);
  Counters& Of(Call call);

  CounterFamily total_;
  Counters list_;
  Counters get_allocatable_;
  Counters get_;
};

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_METRICS_H_

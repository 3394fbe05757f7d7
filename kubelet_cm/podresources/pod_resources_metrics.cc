#include "kubelet_cm/podresources/pod_resources_metrics.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace kubelet_cm::podresources {
namespace {

constexpr char kVersionLabel[] = "server_api_version";

}  // namespace

PodResourcesMetrics::Counters PodResourcesMetrics::CountersOf(MetricsRegistry& metrics, std::string_view name,
                                                              std::string_view method) {
  const std::string what =
      absl::StrCat("[ALPHA] Number of requests to the PodResource ", std::string(method), " endpoint");
  constexpr char kBroken[] = "Broken down by server api version.";
  return {
      metrics.AddCounter({.name = absl::StrCat("kubelet_pod_resources_endpoint_requests_", std::string(name)),
                          .help = absl::StrCat(what, ". ", kBroken),
                          .labels = {kVersionLabel}}),
      metrics.AddCounter({.name = absl::StrCat("kubelet_pod_resources_endpoint_errors_", std::string(name)),
                          .help = absl::StrCat(what, " which returned error. ", kBroken),
                          .labels = {kVersionLabel}}),
  };
}

PodResourcesMetrics::PodResourcesMetrics(MetricsRegistry& metrics)
    : total_(metrics.AddCounter({.name = "kubelet_pod_resources_endpoint_requests_total",
                                 .help = "[ALPHA] Cumulative number of requests to the PodResource endpoint. Broken "
                                         "down by server api version.",
                                 .labels = {kVersionLabel}})),
      list_(CountersOf(metrics, "list", "List")),
      get_allocatable_(CountersOf(metrics, "get_allocatable", "GetAllocatableResources")),
      get_(CountersOf(metrics, "get", "Get")) {}

PodResourcesMetrics::Counters& PodResourcesMetrics::Of(Call call) {
  switch (call) {
    case Call::kList:
      return list_;
    case Call::kGetAllocatable:
      return get_allocatable_;
    case Call::kGet:
      break;
  }
  return get_;
}

void PodResourcesMetrics::CountCall(Call call) {
  total_.With({"v1"}).Increment();
  Of(call).calls.With({"v1"}).Increment();
}

void PodResourcesMetrics::CountError(Call call) { Of(call).errors.With({"v1"}).Increment(); }

void PodResourcesMetrics::CountOldList() { total_.With({"v1alpha1"}).Increment(); }

}  // namespace kubelet_cm::podresources

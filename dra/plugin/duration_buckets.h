// The buckets of all durations of DRA, as upstream's histograms have them. A pure function, for any thread.
#ifndef KUBELET_CM_DRA_PLUGIN_DURATION_BUCKETS_H_
#define KUBELET_CM_DRA_PLUGIN_DURATION_BUCKETS_H_

#include <vector>

namespace kubelet_cm::dra {

// Upper bounds in seconds: 15 from 0.1 to 40, each larger than the one before by the same factor.
std::vector<double> DraDurationBuckets();

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DURATION_BUCKETS_H_

#include "dra/plugin/duration_buckets.h"

#include <cmath>

namespace kubelet_cm::dra {

std::vector<double> DraDurationBuckets() {
  constexpr int kBuckets = 15;
  constexpr double kFirst = 0.1;
  constexpr double kLast = 40;
  std::vector<double> bounds;
  for (int i = 0; i < kBuckets; ++i) bounds.push_back(kFirst * std::pow(kLast / kFirst, i / (kBuckets - 1.0)));
  bounds.back() = kLast;
  return bounds;
}

}  // namespace kubelet_cm::dra

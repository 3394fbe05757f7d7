// HealthFeed: what a fake DRA driver says of its devices' health.
#ifndef KUBELET_CM_TESTING_FAKES_HEALTH_FEED_H_
#define KUBELET_CM_TESTING_FAKES_HEALTH_FEED_H_

#include "dra/health/health_report.h"
#include "testing/fakes/message_feed.h"

namespace kubelet_cm::fakes {

using HealthFeed = MessageFeed<dra::HealthReports>;

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_HEALTH_FEED_H_

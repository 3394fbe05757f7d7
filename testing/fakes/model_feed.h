// ModelFeed: what a fake DRA driver says that it has.
#ifndef KUBELET_CM_TESTING_FAKES_MODEL_FEED_H_
#define KUBELET_CM_TESTING_FAKES_MODEL_FEED_H_

#include "dra/slices/model_client.h"
#include "testing/fakes/message_feed.h"

namespace kubelet_cm::fakes {

using ModelFeed = MessageFeed<dra::ResourceModels>;

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_MODEL_FEED_H_

// FakeModelClient: a ModelClient of a fake driver, in memory, also under SeededThreads. Tests only.
#ifndef KUBELET_CM_DRA_SLICES_FAKE_MODEL_CLIENT_H_
#define KUBELET_CM_DRA_SLICES_FAKE_MODEL_CLIENT_H_

#include <memory>

#include "dra/slices/model_client.h"
#include "testing/fakes/model_feed.h"

namespace kubelet_cm::dra {

class FakeModelClient : public ModelClient {
 public:
  // `feed` outlives the client.
  explicit FakeModelClient(fakes::ModelFeed& feed) : feed_(feed) {}

  std::unique_ptr<ModelStream> Watch() override { return std::make_unique<Stream>(feed_); }

 private:
  class Stream : public ModelStream {
   public:
    explicit Stream(fakes::ModelFeed& feed) : feed_(feed), id_(feed.Open(0)) {}
    ~Stream() override { feed_.Forget(id_); }

    absl::StatusOr<ResourceModels> Read() override { return feed_.Next(id_); }
    void Cancel() override { feed_.End(id_, absl::CancelledError("the stream is cancelled")); }

   private:
    fakes::ModelFeed& feed_;
    const fakes::ModelFeed::StreamId id_;
  };

  fakes::ModelFeed& feed_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_SLICES_FAKE_MODEL_CLIENT_H_

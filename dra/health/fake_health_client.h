// FakeHealthClient: a HealthClient of a fake driver, in memory, also under SeededThreads. Tests only.
#ifndef KUBELET_CM_DRA_HEALTH_FAKE_HEALTH_CLIENT_H_
#define KUBELET_CM_DRA_HEALTH_FAKE_HEALTH_CLIENT_H_

#include <memory>

#include "dra/health/health_client.h"
#include "testing/fakes/health_feed.h"

namespace kubelet_cm::dra {

class FakeHealthClient : public HealthClient {
 public:
  // `feed` outlives the client.
  explicit FakeHealthClient(fakes::HealthFeed& feed) : feed_(feed) {}

  std::unique_ptr<HealthStream> Watch() override { return std::make_unique<Stream>(feed_); }

 private:
  class Stream : public HealthStream {
   public:
    explicit Stream(fakes::HealthFeed& feed) : feed_(feed), id_(feed.Open(0)) {}
    ~Stream() override { feed_.Forget(id_); }

    absl::StatusOr<HealthReports> Read() override { return feed_.Next(id_); }
    void Cancel() override { feed_.End(id_, absl::CancelledError("the stream is cancelled")); }

   private:
    fakes::HealthFeed& feed_;
    const fakes::HealthFeed::StreamId id_;
  };

  fakes::HealthFeed& feed_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_FAKE_HEALTH_CLIENT_H_

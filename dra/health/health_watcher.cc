#include "dra/health/health_watcher.h"

#include <utility>

namespace kubelet_cm::dra {

HealthRetry HealthRetryOf(const Personality& kubelet) {
  return {.also_unimplemented = kubelet.dra_offer.health_unasked};
}

HealthWatcher::HealthWatcher(Dependencies dependencies, HealthSource source, std::unique_ptr<HealthClient> client,
                             HealthRetry retry)
    : deps_(dependencies),
      source_(std::move(source)),
      client_(std::move(client)),
      retry_(retry),
      stopped_(deps_.threads, "health of a driver to be told no more"),
      thread_(deps_.threads.Start("dra-health", [this] { Run(); })) {}

HealthWatcher::~HealthWatcher() {
  Stop();
  thread_.reset();
}

void HealthWatcher::Stop() {
  stopped_.Notify();
  MutexLock lock(&mu_);
  if (stream_ != nullptr) stream_->Cancel();
}

bool HealthWatcher::SetStream(HealthStream* stream) {
  MutexLock lock(&mu_);
  // Either Stop sees the stream, or this sees that it was called.
  stream_ = stream;
  return !stopped_.HasBeenNotified();
}

void HealthWatcher::Run() {
  while (!stopped_.HasBeenNotified()) {
    deps_.log.V(4).Info("Attempting to start WatchResources health stream",
                        {{"pluginName", source_.driver_name}, {"endpoint", source_.endpoint}});
    const absl::Status ended = ReadStream();
    if (stopped_.HasBeenNotified()) return;
    deps_.observer.OnStreamEnded(source_);
    LogEnd(ended);
    if (absl::IsUnimplemented(ended) && !retry_.also_unimplemented) return;
    if (stopped_.WaitFor(retry_.delay)) return;
  }
}

absl::Status HealthWatcher::ReadStream() {
  const std::unique_ptr<HealthStream> stream = client_->Watch();
  absl::Status ended;
  if (!SetStream(stream.get())) ended = absl::CancelledError("stopped");
  bool is_first = true;
  while (ended.ok()) {
    absl::StatusOr<HealthReports> reports = stream->Read();
    if (!reports.ok()) {
      ended = reports.status();
    } else if (stopped_.HasBeenNotified()) {
      ended = absl::CancelledError("stopped");
    } else {
      if (is_first) {
        deps_.log.V(2).Info("Successfully started WatchResources health stream",
                            {{"pluginName", source_.driver_name}, {"endpoint", source_.endpoint}});
      }
      is_first = false;
      deps_.observer.OnReports(source_, *std::move(reports));
    }
  }
  SetStream(nullptr);
  return ended;
}

void HealthWatcher::LogEnd(const absl::Status& ended) {
  if (absl::IsOutOfRange(ended)) {
    deps_.log.V(4).Info("Stream ended with EOF", {{"pluginName", source_.driver_name}});
  } else if (!absl::IsCancelled(ended) && !absl::IsDeadlineExceeded(ended) && !absl::IsUnimplemented(ended)) {
    deps_.log.Error(ended, "Error receiving from WatchResources stream",
                    {{"pluginName", source_.driver_name}, {"endpoint", source_.endpoint}});
  }
  deps_.log.V(2).Info("WatchResources health stream has ended",
                      {{"pluginName", source_.driver_name}, {"endpoint", source_.endpoint}, {"error", ended}});
}

}  // namespace kubelet_cm::dra

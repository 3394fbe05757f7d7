#include "dra/slices/model_watcher.h"

#include <utility>

namespace kubelet_cm::dra {

ModelWatcher::ModelWatcher(Dependencies dependencies, ModelSource source, std::unique_ptr<ModelClient> client)
    : deps_(dependencies),
      source_(std::move(source)),
      client_(std::move(client)),
      stopped_(deps_.threads, "what a driver has to be told no more"),
      thread_(deps_.threads.Start("dra-models", [this] { Run(); })) {}

ModelWatcher::~ModelWatcher() {
  Stop();
  thread_.reset();
}

void ModelWatcher::Stop() {
  stopped_.Notify();
  MutexLock lock(&mu_);
  if (stream_ != nullptr) stream_->Cancel();
}

bool ModelWatcher::SetStream(ModelStream* stream) {
  MutexLock lock(&mu_);
  // Either Stop sees the stream, or this sees that it was called.
  stream_ = stream;
  return !stopped_.HasBeenNotified();
}

void ModelWatcher::Run() {
  deps_.log.Info("Starting to monitor node resources of the plugin", {{"driverName", source_.driver_name}});
  const std::string reason = Listen();
  deps_.log.Info("Stopping to monitor node resources of the plugin",
                 {{"driverName", source_.driver_name}, {"reason", reason}});
}

std::string ModelWatcher::Listen() {
  while (!stopped_.HasBeenNotified()) {
    deps_.log.V(5).Info("Calling NodeListAndWatchResources", {{"driverName", source_.driver_name}});
    const absl::Status ended = ReadStream();
    if (stopped_.HasBeenNotified()) break;
    if (absl::IsUnimplemented(ended)) {
      Take({});
      return "plugin does not support node resource reporting";
    }
    if (absl::IsOutOfRange(ended)) {
      if (!has_spoken_) Take({});
      return "plugin has closed the stream";
    }
    // It is cancelled when the kubelet goes.
    if (!absl::IsCancelled(ended)) {
      deps_.log.Error(ended, "Reading node resources from gRPC stream failed", {{"driverName", source_.driver_name}});
    }
    if (stopped_.WaitFor(kRetry)) break;
  }
  return "plugin has unregistered";
}

absl::Status ModelWatcher::ReadStream() {
  const std::unique_ptr<ModelStream> stream = client_->Watch();
  absl::Status ended;
  if (!SetStream(stream.get())) ended = absl::CancelledError("stopped");
  while (ended.ok()) {
    absl::StatusOr<ResourceModels> models = stream->Read();
    if (!models.ok()) {
      ended = models.status();
    } else if (stopped_.HasBeenNotified()) {
      ended = absl::CancelledError("stopped");
    } else {
      Take(*std::move(models));
    }
  }
  SetStream(nullptr);
  return ended;
}

void ModelWatcher::Take(ResourceModels models) {
  if (models.size() > kMaxModels) {
    deps_.log.Error("Ignoring node resources of the plugin beyond the limit",
                    {{"driverName", source_.driver_name}, {"numResources", models.size()}, {"limit", kMaxModels}});
    return;
  }
  deps_.log.V(5).Info("Driver resources updated",
                      {{"driverName", source_.driver_name}, {"numResources", models.size()}});
  has_spoken_ = true;
  deps_.observer.OnModels(source_, std::move(models));
}

}  // namespace kubelet_cm::dra

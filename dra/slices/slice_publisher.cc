#include "dra/slices/slice_publisher.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "dra/slices/slice_plan.h"

namespace kubelet_cm::dra {
namespace {

// The time limit of each call to the API server.
constexpr absl::Duration kCallTimeout = absl::Seconds(10);
constexpr absl::Duration kFirstBackoff = absl::Seconds(1);
constexpr absl::Duration kLongestBackoff = absl::Minutes(5);
constexpr int64_t kLongestJitterPercent = 20;

absl::Status While(std::string_view what, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(std::string(what), " node resource slice: ", status.message()));
}

}  // namespace

SlicePublisher::SlicePublisher(Dependencies dependencies)
    : deps_(dependencies),
      changed_(deps_.threads.NewCondition("ResourceSlices to be looked at")),
      backoff_(kFirstBackoff),
      thread_(deps_.threads.Start("slice-publisher", [this] { Run(); })) {}

SlicePublisher::~SlicePublisher() {
  absl::btree_map<DriverInstanceId, std::unique_ptr<ModelWatcher>> watchers;
  {
    MutexLock lock(&mu_);
    watchers.swap(watchers_);
    stopping_ = true;
  }
  changed_->NotifyAll();
  for (const auto& [id, watcher] : watchers) watcher->Stop();
  watchers.clear();
  thread_.reset();
}

void SlicePublisher::AddInstance(ModelSource source, std::unique_ptr<ModelClient> client) {
  deps_.log.V(2).Info("Adding plugin", {{"driverName", source.driver_name}});
  const DriverInstanceId id = source.id;
  {
    MutexLock lock(&mu_);
    drivers_[source.driver_name] = {.instance = id};
  }
  auto watcher = std::make_unique<ModelWatcher>(
      ModelWatcher::Dependencies{.threads = deps_.threads, .log = deps_.log, .observer = *this}, std::move(source),
      std::move(client));
  MutexLock lock(&mu_);
  CHECK(watchers_.emplace(id, std::move(watcher)).second) << "instance " << id << " is there already";
}

void SlicePublisher::RemoveInstance(DriverInstanceId id) {
  std::unique_ptr<ModelWatcher> watcher;
  {
    MutexLock lock(&mu_);
    const auto found = watchers_.find(id);
    if (found == watchers_.end()) return;
    watcher = std::move(found->second);
    watchers_.erase(found);
    const auto driver =
        std::find_if(drivers_.begin(), drivers_.end(), [&](const auto& entry) { return entry.second.instance == id; });
    if (driver != drivers_.end()) {
      drivers_.erase(driver);
      has_news_ = true;
    }
  }
  deps_.log.V(2).Info("Removing plugin", {{"driverName", watcher->source().driver_name}});
  changed_->NotifyAll();
}

void SlicePublisher::OnModels(const ModelSource& source, ResourceModels models) {
  {
    MutexLock lock(&mu_);
    const auto driver = drivers_.find(source.driver_name);
    if (driver == drivers_.end() || driver->second.instance != source.id) return;  // another one took its place
    driver->second.models = std::move(models);
    has_news_ = true;
  }
  changed_->NotifyAll();
}

void SlicePublisher::Run() {
  while (AwaitWork()) Finish(Publish());
}

bool SlicePublisher::AwaitWork() {
  MutexLock lock(&mu_);
  while (!stopping_ && !has_news_ && deps_.threads.clock().MonotonicNow() < next_look_) {
    changed_->WaitUntil(&mu_, next_look_);
  }
  has_news_ = false;
  return !stopping_;
}

void SlicePublisher::Finish(bool done) {
  absl::Duration pause = kResync;
  if (!done) {
    pause = backoff_ * (100 + deps_.random.Between(0, kLongestJitterPercent)) / 100;
    backoff_ = std::min(2 * backoff_, kLongestBackoff);
  } else {
    backoff_ = kFirstBackoff;
  }
  next_look_ = deps_.threads.clock().MonotonicNow() + pause;
}

bool SlicePublisher::Publish() {
  // Before it is asked who is there: whoever comes in between is there.
  const absl::StatusOr<std::vector<ModelSlice>> slices = deps_.slices.ListModelSlices(kCallTimeout);
  if (!slices.ok()) {
    deps_.log.Error(slices.status(), "Listing ResourceSlices failed, will retry");
    return false;
  }
  std::set<std::string> drivers = Drivers();
  for (const ModelSlice& slice : *slices) drivers.insert(slice.driver_name);
  bool done = true;
  for (const std::string& driver : drivers) {
    const std::optional<ResourceModels> models = ModelsOf(driver);
    if (!models.has_value()) continue;
    const absl::Status published = PublishDriver(*slices, driver, *models);
    if (published.ok()) continue;
    if (!CheckGoingOn().ok()) return false;
    deps_.log.Error(published, "Processing the ResourceSlices of a driver failed, will retry",
                    {{"driverName", driver}});
    done = false;
  }
  return done;
}

absl::Status SlicePublisher::PublishDriver(absl::Span<const ModelSlice> slices, const std::string& driver,
                                           const ResourceModels& models) {
  const SlicePlan plan = PlanSlices(slices, driver, models);
  for (const ModelSlice& slice : plan.updates) {
    RETURN_IF_ERROR(CheckGoingOn());
    deps_.log.V(5).Info("Reusing existing node resource slice", {{"slice", slice.name}});
    RETURN_IF_ERROR(While("update", deps_.slices.UpdateModelSlice(slice, kCallTimeout)));
  }
  for (const ModelSlice& slice : plan.creations) {
    RETURN_IF_ERROR(CheckGoingOn());
    deps_.log.V(5).Info("Creating new node resource slice", {{"driverName", driver}});
    RETURN_IF_ERROR(While("create", deps_.slices.CreateModelSlice(slice, kCallTimeout)));
  }
  for (const std::string& name : plan.deletions) {
    RETURN_IF_ERROR(CheckGoingOn());
    deps_.log.V(5).Info("Deleting obsolete node resource slice", {{"slice", name}});
    const absl::Status deleted = deps_.slices.DeleteModelSlice(name, kCallTimeout);
    if (!absl::IsNotFound(deleted)) RETURN_IF_ERROR(While("delete", deleted));
  }
  return absl::OkStatus();
}

std::optional<ResourceModels> SlicePublisher::ModelsOf(const std::string& driver) {
  MutexLock lock(&mu_);
  const auto found = drivers_.find(driver);
  if (found == drivers_.end()) return ResourceModels();
  return found->second.models;
}

std::set<std::string> SlicePublisher::Drivers() {
  MutexLock lock(&mu_);
  std::set<std::string> drivers;
  for (const auto& [driver, state] : drivers_) drivers.insert(driver);
  return drivers;
}

absl::Status SlicePublisher::CheckGoingOn() {
  MutexLock lock(&mu_);
  return stopping_ ? absl::CancelledError("the publisher stops") : absl::OkStatus();
}

}  // namespace kubelet_cm::dra

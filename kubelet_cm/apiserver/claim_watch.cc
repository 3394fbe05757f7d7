#include "kubelet_cm/apiserver/claim_watch.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/apiserver/api_error.h"
#include "kubelet_cm/apiserver/url_text.h"
#include "kubelet_cm/apiserver/watch_lines.h"

namespace kubelet_cm::apiserver {
namespace {

// The server ends a watch after so long, which spreads new ones over time.
constexpr int64_t kShortestWatchSeconds = 300;
constexpr int64_t kLongestWatchSeconds = 600;
// Then the client does, in case the server does not.
constexpr absl::Duration kWatchGrace = absl::Seconds(30);

}  // namespace

ClaimWatch::ClaimWatch(Dependencies dependencies)
    : deps_(dependencies),
      stopping_(deps_.threads, "claim watch stopping"),
      thread_(deps_.threads.Start("claim watch", [this] { Run(); })) {}

ClaimWatch::~ClaimWatch() {
  {
    MutexLock lock(&mu_);
    stopped_ = true;
    if (stream_ != nullptr) stream_->Cancel();
  }
  stopping_.Notify();
  thread_.reset();
}

bool ClaimWatch::synced() const {
  MutexLock lock(&mu_);
  return synced_;
}

std::optional<dra::ClaimObject> ClaimWatch::Find(const std::string& key) const {
  MutexLock lock(&mu_);
  const auto found = claims_.find(key);
  if (!synced_ || found == claims_.end()) return std::nullopt;
  return found->second;
}

size_t ClaimWatch::size() const {
  MutexLock lock(&mu_);
  return claims_.size();
}

void ClaimWatch::Run() {
  while (!stopping_.HasBeenNotified()) {
    const MonotonicTime begun = deps_.threads.clock().MonotonicNow();
    const absl::Status status = Step();
    if (status.ok()) {
      static_cast<void>(stopping_.WaitUntil(begun + kLeastStep));
      continue;
    }
    if (stopping_.HasBeenNotified()) return;
    // What the server says itself may mean that the version is of no use; else the watch goes on where it was.
    const bool broken_off = absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
    if (HttpCodeOf(status).has_value() || !broken_off) version_.reset();
    const absl::Duration delay = DelayAfter(status);
    Report(status, delay);
    static_cast<void>(stopping_.WaitFor(delay));
  }
}

absl::Duration ClaimWatch::DelayAfter(const absl::Status& error) {
  if (absl::IsPermissionDenied(error) || absl::IsUnimplemented(error) || absl::IsResourceExhausted(error)) {
    return kRefusedDelay;
  }
  return retry_.Next(deps_.random);
}

void ClaimWatch::Report(const absl::Status& error, absl::Duration delay) {
  const std::string text(error.message());
  if (text == std::exchange(last_error_, text)) {
    deps_.log.V(4).Info("Still no watch of ResourceClaims", {{"err", error}, {"retryIn", delay}});
    return;
  }
  deps_.log.Warning("Could not watch the ResourceClaims of the API server, will retry",
                    {{"err", error}, {"retryIn", delay}});
}

absl::Status ClaimWatch::Step() {
  if (!version_.has_value()) RETURN_IF_ERROR(List());
  return Watch();
}

absl::Status ClaimWatch::List() {
  const CallLimits limits{.deadline = deps_.threads.clock().MonotonicNow() + kListTimeout, .max_bytes = kMaxPageBytes};
  Claims claims;
  ClaimPage page;
  do {
    std::string rest = absl::StrCat("resourceclaims?limit=", kPageSize);
    if (!page.next.empty()) absl::StrAppend(&rest, "&continue=", UrlEscape(page.next));
    ASSIGN_OR_RETURN(const ResourceApi::Answer answer, deps_.api.Get(rest, limits));
    ASSIGN_OR_RETURN(page, ParseClaimPage(answer.body, answer.api));
    if (page.unusable > 0) {
      deps_.log.Warning("ResourceClaims of the API server that cannot be used",
                        {{"number", page.unusable}, {"first", page.first_error}});
    }
    for (dra::ClaimObject& claim : page.claims) claims.insert_or_assign(claim.id.Key(), std::move(claim));
    if (claims.size() > kMaxClaims) {
      return absl::ResourceExhaustedError(absl::StrCat("more than ", kMaxClaims, " ResourceClaims"));
    }
  } while (!page.next.empty() && !stopping_.HasBeenNotified());
  version_ = page.resource_version;
  const size_t number = claims.size();
  Replace(std::move(claims));
  deps_.log.V(2).Info("Listed the ResourceClaims of the API server",
                      {{"number", number}, {"resourceVersion", *version_}});
  return absl::OkStatus();
}

void ClaimWatch::Replace(Claims claims) {
  MutexLock lock(&mu_);
  claims_.swap(claims);
  synced_ = true;
}

absl::Status ClaimWatch::Watch() {
  const Clock& clock = deps_.threads.clock();
  const int64_t seconds = deps_.random.Between(kShortestWatchSeconds, kLongestWatchSeconds);
  ASSIGN_OR_RETURN(const std::string group, deps_.api.Path({.deadline = clock.MonotonicNow() + kListTimeout}));
  const std::string path =
      absl::StrCat(group, "resourceclaims?watch=1&allowWatchBookmarks=true&resourceVersion=", UrlEscape(*version_),
                   "&timeoutSeconds=", seconds);
  const std::string from = *version_;
  const MonotonicTime begun = clock.MonotonicNow();
  const std::unique_ptr<HttpStream> stream = deps_.api.server().OpenWatch(path, absl::Seconds(seconds) + kWatchGrace);
  if (!SetStream(stream.get())) return absl::CancelledError("stopping");
  absl::Status status = deps_.api.server().StartWatch(*stream, path);
  if (status.ok()) status = ReadEvents(*stream, ApiOfPath(group));
  SetStream(nullptr);
  if (IsUnknownPath(status)) deps_.api.ForgetPath(group);
  const bool worked = version_ != from || clock.MonotonicNow() - begun >= kLeastStep;
  if (worked) retry_.Reset();
  if (status.ok() && !worked) return absl::UnavailableError("a watch of ResourceClaims ended at once");
  return status;
}

absl::Status ClaimWatch::ReadEvents(HttpStream& stream, dra::ClaimApi api) {
  WatchLines lines(kMaxEventBytes);
  last_error_.clear();
  while (true) {
    ASSIGN_OR_RETURN(const std::string bytes, stream.Read());
    if (bytes.empty()) return absl::OkStatus();
    lines.Add(bytes);
    while (const auto line = lines.Next()) {
      ASSIGN_OR_RETURN(const ClaimEvent event, ParseClaimEvent(*line, api));
      RETURN_IF_ERROR(Apply(event));
    }
    RETURN_IF_ERROR(lines.CheckLength());
  }
}

absl::Status ClaimWatch::Apply(const ClaimEvent& event) {
  if (!event.error.ok()) {
    deps_.log.Warning("A ResourceClaim of the API server that cannot be used", {{"err", event.error}});
  }
  if (!event.resource_version.empty()) version_ = event.resource_version;
  if (!Store(event)) return absl::ResourceExhaustedError(absl::StrCat("more than ", kMaxClaims, " ResourceClaims"));
  deps_.log.V(5).Info("Heard of the ResourceClaims of the API server",
                      {{"claim", event.claim.id.Key()}, {"resourceVersion", event.resource_version}});
  return absl::OkStatus();
}

bool ClaimWatch::Store(const ClaimEvent& event) {
  MutexLock lock(&mu_);
  if (event.kind == ClaimEvent::Kind::kPut) claims_.insert_or_assign(event.claim.id.Key(), event.claim);
  if (event.kind == ClaimEvent::Kind::kGone) claims_.erase(event.claim.id.Key());
  if (claims_.size() <= kMaxClaims) return true;
  synced_ = false;
  claims_.clear();
  return false;
}

bool ClaimWatch::SetStream(HttpStream* stream) {
  MutexLock lock(&mu_);
  if (!stopped_) stream_ = stream;
  return !stopped_;
}

}  // namespace kubelet_cm::apiserver

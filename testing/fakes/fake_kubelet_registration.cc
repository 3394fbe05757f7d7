#include "testing/fakes/fake_kubelet_registration.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "common/threads/mutex.h"
#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "deviceplugin/api/v1beta1.grpc.pb.h"

namespace kubelet_cm::fakes {

// What was registered, and what is answered.
class FakeKubeletRegistration::Book {
 public:
  explicit Book(Threads& threads) : clock_(threads.clock()), added_(threads.NewCondition("a registration")) {}

  grpc::Status Add(Registration registration) {
    MutexLock lock(&mu_);
    registrations_.push_back(std::move(registration));
    added_->NotifyAll();
    return ToUnknownGrpcStatus(answer_);
  }

  void SetAnswer(absl::Status answer) {
    MutexLock lock(&mu_);
    answer_ = std::move(answer);
  }

  std::vector<Registration> registrations() const {
    MutexLock lock(&mu_);
    return registrations_;
  }

  absl::StatusOr<Registration> WaitFor(size_t n, absl::Duration limit) const {
    const MonotonicTime deadline = clock_.MonotonicNow() + limit;
    MutexLock lock(&mu_);
    while (registrations_.size() < n && added_->WaitUntil(&mu_, deadline)) {
    }
    if (registrations_.size() >= n) return registrations_[n - 1];
    return absl::DeadlineExceededError(
        absl::StrCat("only ", registrations_.size(), " registrations within ", absl::FormatDuration(limit)));
  }

 private:
  const Clock& clock_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> added_;
  absl::Status answer_ ABSL_GUARDED_BY(mu_);
  std::vector<Registration> registrations_ ABSL_GUARDED_BY(mu_);
};

namespace {

template <typename Book>
class NewService : public ::v1beta1::Registration::Service {
 public:
  explicit NewService(Book& book) : book_(book) {}
  grpc::Status Register(grpc::ServerContext*, const ::v1beta1::RegisterRequest* request, ::v1beta1::Empty*) override {
    const ::v1beta1::DevicePluginOptions& options = request->options();
    return book_.Add({.service = ::v1beta1::Registration::service_full_name(),
                      .version = request->version(),
                      .endpoint = request->endpoint(),
                      .resource_name = request->resource_name(),
                      .pre_start_required = options.pre_start_required(),
                      .get_preferred_allocation_available = options.get_preferred_allocation_available()});
  }

 private:
  Book& book_;
};

template <typename Book>
class LegacyService : public ::deviceplugin::Registration::Service {
 public:
  explicit LegacyService(Book& book) : book_(book) {}
  grpc::Status Register(grpc::ServerContext*, const ::deviceplugin::RegisterRequest* request,
                        ::deviceplugin::Empty*) override {
    return book_.Add({.service = ::deviceplugin::Registration::service_full_name(),
                      .version = request->version(),
                      .endpoint = request->endpoint(),
                      .resource_name = request->resource_name()});
  }

 private:
  Book& book_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Registration& registration) {
  return out << registration.service << " " << registration.version << " " << registration.endpoint << " "
             << registration.resource_name << (registration.pre_start_required ? " pre-start" : "")
             << (registration.get_preferred_allocation_available ? " preferred" : "");
}

absl::StatusOr<std::unique_ptr<FakeKubeletRegistration>> FakeKubeletRegistration::New(Threads& threads,
                                                                                      FileSystem& files,
                                                                                      const std::string& path) {
  auto kubelet = absl::WrapUnique(new FakeKubeletRegistration(threads));
  kubelet->services_.push_back(std::make_unique<NewService<Book>>(*kubelet->book_));
  kubelet->services_.push_back(std::make_unique<LegacyService<Book>>(*kubelet->book_));
  ASSIGN_OR_RETURN(
      kubelet->server_,
      UnixSocketServer::New(files, {kubelet->services_[0].get(), kubelet->services_[1].get()}, {.path = path}));
  return kubelet;
}

FakeKubeletRegistration::FakeKubeletRegistration(Threads& threads) : book_(std::make_unique<Book>(threads)) {}

FakeKubeletRegistration::~FakeKubeletRegistration() = default;

void FakeKubeletRegistration::SetAnswer(absl::Status answer) { book_->SetAnswer(std::move(answer)); }

std::vector<Registration> FakeKubeletRegistration::registrations() const { return book_->registrations(); }

absl::StatusOr<Registration> FakeKubeletRegistration::WaitFor(int n, absl::Duration limit) const {
  return book_->WaitFor(static_cast<size_t>(n), limit);
}

}  // namespace kubelet_cm::fakes

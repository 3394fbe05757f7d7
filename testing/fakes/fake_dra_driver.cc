#include "testing/fakes/fake_dra_driver.h"

#include <utility>

#include "common/filesystem/path.h"
#include "common/pluginregistration/plugin_type.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/server.h"
#include "testing/fakes/driver_service.h"
#include "testing/fakes/health_service.h"

namespace kubelet_cm::fakes {
namespace {

// For handlers to return after their session was closed; they do at once.
constexpr absl::Duration kGrace = absl::Seconds(5);

::pluginregistration::PluginInfo InfoOf(const FakeDraDriver::Options& options, const std::string& endpoint) {
  ::pluginregistration::PluginInfo info;
  info.set_type(std::string(kDraPluginType));
  info.set_name(options.driver_name);
  info.set_endpoint(endpoint);
  for (const std::string& version : options.supported_versions) info.add_supported_versions(version);
  if (!options.supported_versions.empty()) return info;
  const std::string service(dra::ServiceName(options.api));
  info.add_supported_versions(service.empty() ? "1.0.0" : service);
  for (const dra::DraHealthApi api : options.health_apis) {
    info.add_supported_versions(std::string(dra::ServiceName(api)));
  }
  return info;
}

}  // namespace

struct FakeDraDriver::Incarnation {
  ScriptedDriver::SessionId session;
  std::vector<std::unique_ptr<grpc::Service>> services;
  std::unique_ptr<grpc::Service> registration;
  std::unique_ptr<UnixSocketServer> server;
  std::unique_ptr<UnixSocketServer> registration_server;  // null without a registration folder
};

FakeDraDriver::FakeDraDriver(Dependencies dependencies, Options options)
    : threads_(dependencies.threads),
      files_(dependencies.files),
      options_(std::move(options)),
      driver_(threads_, options_.driver),
      health_(threads_),
      wake_(threads_, "a fake driver to die"),
      down_(threads_.NewCondition("a fake driver to be down")) {
  driver_.OnDeath([this](ScriptedDriver::SessionId session) {
    {
      MutexLock lock(&mu_);
      dead_ = session;
    }
    wake_.Set();
  });
  thread_ = threads_.Start("fake-driver", [this] { BuryTheDead(); });
}

FakeDraDriver::~FakeDraDriver() {
  {
    MutexLock lock(&mu_);
    ending_ = true;
  }
  wake_.Set();
  thread_.reset();
  Stop();
}

std::string FakeDraDriver::socket_path() const { return JoinPath(options_.folder, options_.socket_name); }

std::string FakeDraDriver::registration_path() const {
  if (options_.registration_folder.empty()) return "";
  return JoinPath(options_.registration_folder, options_.driver_name + "-reg.sock");
}

bool FakeDraDriver::serving() const {
  MutexLock lock(&mu_);
  return incarnation_ != nullptr;
}

std::unique_ptr<FakeDraDriver::Incarnation> FakeDraDriver::Replace(std::unique_ptr<Incarnation> next) {
  MutexLock lock(&mu_);
  incarnation_.swap(next);
  if (next != nullptr) ++being_ended_;
  return next;
}

void FakeDraDriver::End(std::unique_ptr<Incarnation> incarnation) {
  if (incarnation == nullptr) return;
  const absl::Status why = absl::UnavailableError("Socket closed");
  script().CloseSession(incarnation->session, why);
  health_.CloseSession(incarnation->session, why);
  if (incarnation->registration_server != nullptr) incarnation->registration_server->Shutdown(kGrace);
  incarnation->server->Shutdown(kGrace);
  MutexLock lock(&mu_);
  --being_ended_;
  down_->NotifyAll();
}

absl::Status FakeDraDriver::WaitUntilDown(absl::Duration limit) const {
  const MonotonicTime deadline = threads_.clock().MonotonicNow() + limit;
  MutexLock lock(&mu_);
  const auto is_down = [this]()
                           ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return incarnation_ == nullptr && being_ended_ == 0; };
  while (!is_down() && down_->WaitUntil(&mu_, deadline)) {
  }
  if (is_down()) return absl::OkStatus();
  return absl::DeadlineExceededError("the fake driver is still there");
}

absl::Status FakeDraDriver::Start() {
  Kill();
  auto next = std::make_unique<Incarnation>();
  next->session = script().OpenSession();
  next->services.push_back(NewDriverService(options_.api, driver_, next->session));
  for (const dra::DraHealthApi api : options_.health_apis) {
    next->services.push_back(NewHealthService(api, health_, next->session));
  }
  std::vector<grpc::Service*> services;
  for (const auto& service : next->services) services.push_back(service.get());
  next->registration = NewDriverRegistration(InfoOf(options_, socket_path()), driver_, next->session);
  ASSIGN_OR_RETURN(next->server, UnixSocketServer::New(files_, services, {.path = socket_path()}));
  if (!options_.registration_folder.empty()) {
    ASSIGN_OR_RETURN(next->registration_server,
                     UnixSocketServer::New(files_, {next->registration.get()}, {.path = registration_path()}));
  }
  End(Replace(std::move(next)));
  wake_.Set();
  return absl::OkStatus();
}

void FakeDraDriver::Kill() { End(Replace(nullptr)); }

void FakeDraDriver::Stop() {
  std::unique_ptr<Incarnation> last = Replace(nullptr);
  if (last == nullptr) return;
  if (last->registration_server != nullptr) files_.Unlink(registration_path()).IgnoreError();
  End(std::move(last));
  files_.Unlink(socket_path()).IgnoreError();
}

void FakeDraDriver::BuryTheDead() {
  while (true) {
    std::unique_ptr<Incarnation> dead;
    {
      MutexLock lock(&mu_);
      if (ending_) return;
      if (incarnation_ != nullptr && dead_ == incarnation_->session) {
        dead.swap(incarnation_);
        ++being_ended_;
      }
    }
    End(std::move(dead));
    wake_.Wait();
  }
}

}  // namespace kubelet_cm::fakes

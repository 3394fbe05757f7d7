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

constexpr size_t kOwnSocket = 0;  // of a life's servers

::pluginregistration::PluginInfo InfoOf(const FakeDraDriver::Options& options, dra::DraApi api,
                                        const std::string& endpoint) {
  ::pluginregistration::PluginInfo info;
  info.set_type(std::string(kDraPluginType));
  info.set_name(options.driver_name);
  info.set_endpoint(endpoint);
  for (const std::string& version : options.supported_versions) info.add_supported_versions(version);
  if (!options.supported_versions.empty()) return info;
  const std::string service(dra::ServiceName(api));
  if (!service.empty()) info.add_supported_versions(service);
  // 1.31 has the API of a service's name, and still wants a version.
  if (service.empty() || api == dra::DraApi::kV1Alpha4) info.add_supported_versions("1.0.0");
  for (const dra::DraHealthApi health : options.health_apis) {
    info.add_supported_versions(std::string(dra::ServiceName(health)));
  }
  return info;
}

}  // namespace

FakeDraDriver::FakeDraDriver(Dependencies dependencies, Options options)
    : threads_(dependencies.threads),
      files_(dependencies.files),
      options_(std::move(options)),
      api_(options_.api),
      driver_(threads_, options_.driver),
      health_(threads_),
      models_(threads_),
      lives_(threads_,
             [this](ScriptedDriver::SessionId session, const absl::Status& why) {
               script().CloseSession(session, why);
               health_.CloseSession(session, why);
               models_.CloseSession(session, why);
             }),
      wake_(threads_, "a fake driver to die") {
  driver_.OnDeath([this](ScriptedDriver::SessionId session) {
    options_.on_death();
    lives_.Died(session);
    wake_.Set();
  });
  thread_ = threads_.Start("fake-driver", [this] { BuryTheDead(); });
}

FakeDraDriver::~FakeDraDriver() {
  ending_ = true;
  wake_.Set();
  thread_.reset();
  Stop();
}

std::string FakeDraDriver::socket_path() const {
  return options_.one_socket ? registration_path() : JoinPath(options_.folder, options_.socket_name);
}

std::string FakeDraDriver::registration_path() const {
  if (options_.registration_folder.empty()) return "";
  return JoinPath(options_.registration_folder, options_.driver_name + "-reg.sock");
}

absl::StatusOr<std::unique_ptr<UnixSocketServer>> FakeDraDriver::NewServer() {
  std::vector<grpc::Service*> served;
  if (listens_) served = services_;
  if (options_.one_socket) served.push_back(registration_);
  if (served.empty()) return nullptr;
  return UnixSocketServer::New(
      files_, served, {.path = socket_path(), .accept_with = &threads_, .accepted = [this] { ++connections_; }});
}

absl::Status FakeDraDriver::Start() {
  Kill();
  auto next = std::make_unique<ServedLives::Life>();
  next->session = script().OpenSession();
  services_.clear();
  const auto add = [&](std::unique_ptr<grpc::Service> service) {
    next->services.push_back(std::move(service));
    return next->services.back().get();
  };
  const dra::DraApi api = api_;
  services_.push_back(add(NewDriverService(api, driver_, next->session, options_.tells_models ? &models_ : nullptr)));
  for (const dra::DraHealthApi health : options_.health_apis) {
    services_.push_back(add(NewHealthService(health, health_, next->session)));
  }
  const bool can_be_found = !registration_path().empty();
  registration_ = can_be_found ? add(NewDriverRegistration(InfoOf(options_, api, socket_path()), driver_, next->session,
                                                           [this, life = next->session] { registered_ = life; }))
                               : nullptr;
  next->servers.emplace_back();
  ASSIGN_OR_RETURN(next->servers[kOwnSocket], NewServer());
  if (can_be_found && !options_.one_socket) {
    ASSIGN_OR_RETURN(std::unique_ptr<UnixSocketServer> server,
                     UnixSocketServer::New(files_, {registration_}, {.path = registration_path()}));
    next->servers.push_back(std::move(server));
  }
  lives_.End(lives_.Replace(std::move(next)));
  wake_.Set();
  return absl::OkStatus();
}

absl::Status FakeDraDriver::Listen(bool listens) {
  if (listens == listens_) return absl::OkStatus();
  if (script().IsHolding()) return absl::FailedPreconditionError("a call to the driver is held");
  listens_ = listens;
  if (!serving()) return absl::OkStatus();
  health_.EndAll(ServedLives::SocketClosed());
  models_.EndAll(ServedLives::SocketClosed());
  lives_.ReplaceServer(kOwnSocket, nullptr).reset();
  if (options_.one_socket) registered_ = kNobody;
  ASSIGN_OR_RETURN(std::unique_ptr<UnixSocketServer> server, NewServer());
  lives_.ReplaceServer(kOwnSocket, std::move(server));
  return absl::OkStatus();
}

void FakeDraDriver::Kill() { lives_.End(lives_.Replace(nullptr)); }

void FakeDraDriver::Stop() {
  std::unique_ptr<ServedLives::Life> last = lives_.Replace(nullptr);
  if (last == nullptr) return;
  if (!registration_path().empty()) files_.Unlink(registration_path()).IgnoreError();
  lives_.End(std::move(last));
  files_.Unlink(socket_path()).IgnoreError();
}

void FakeDraDriver::BuryTheDead() {
  while (!ending_) {
    lives_.BuryTheDead();
    wake_.Wait();
  }
}

}  // namespace kubelet_cm::fakes

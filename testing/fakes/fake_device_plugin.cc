#include "testing/fakes/fake_device_plugin.h"

#include <utility>

#include "common/filesystem/path.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "common/unixsocket/server.h"
#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "deviceplugin/api/v1beta1.grpc.pb.h"
#include "grpcpp/client_context.h"
#include "testing/fakes/plugin_service.h"

namespace kubelet_cm::fakes {
namespace {

using deviceplugin::PluginApi;

// Inside Register a kubelet dials back.
constexpr absl::Duration kRegisterTimeout = absl::Seconds(30);

bool IsSameSocket(const std::optional<FileStat>& a, const FileStat& b) {
  return a.has_value() && a->inode == b.inode && a->modified == b.modified;
}

absl::Status RegisterWith(const std::shared_ptr<grpc::Channel>& kubelet, const FakeDevicePlugin::Options& options) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(kRegisterTimeout));
  if (options.api == PluginApi::kV1Beta1) {
    ::v1beta1::RegisterRequest request;
    request.set_version(std::string(ApiVersion(options.api)));
    request.set_endpoint(options.socket_name);
    request.set_resource_name(options.resource_name);
    *request.mutable_options() = options.plugin.options;
    ::v1beta1::Empty response;
    return FromGrpcStatus(::v1beta1::Registration::NewStub(kubelet)->Register(&context, request, &response));
  }
  ::deviceplugin::RegisterRequest request;
  request.set_version(std::string(ApiVersion(options.api)));
  request.set_endpoint(options.socket_name);
  request.set_resource_name(options.resource_name);
  ::deviceplugin::Empty response;
  return FromGrpcStatus(::deviceplugin::Registration::NewStub(kubelet)->Register(&context, request, &response));
}

}  // namespace

FakeDevicePlugin::FakeDevicePlugin(Dependencies dependencies, Options options)
    : threads_(dependencies.threads),
      files_(dependencies.files),
      options_(std::move(options)),
      plugin_(threads_, options_.plugin),
      lives_(threads_, [this](ScriptedPlugin::SessionId session,
                              const absl::Status& why) { plugin_.CloseSession(session, why); }),
      wake_(threads_, "work for a fake plugin") {
  plugin_.OnDeath([this](ScriptedPlugin::SessionId session) {
    options_.on_death();
    lives_.Died(session);
    wake_.Set();
  });
  thread_ = threads_.Start("fake-plugin", [this] { LookAfterItself(); });
}

FakeDevicePlugin::~FakeDevicePlugin() {
  {
    MutexLock lock(&mu_);
    ending_ = true;
  }
  wake_.Set();
  thread_.reset();
  Stop();
}

std::string FakeDevicePlugin::socket_path() const { return JoinPath(options_.folder, options_.socket_name); }

int FakeDevicePlugin::registrations() const {
  MutexLock lock(&mu_);
  return registrations_;
}

absl::Status FakeDevicePlugin::Start() {
  Kill();
  auto next = std::make_unique<ServedLives::Life>();
  next->session = plugin_.OpenSession();
  next->services.push_back(NewPluginService(options_.api, plugin_, next->session));
  ASSIGN_OR_RETURN(std::unique_ptr<UnixSocketServer> server,
                   UnixSocketServer::New(files_, {next->services.back().get()}, {.path = socket_path()}));
  next->servers.push_back(std::move(server));
  lives_.End(lives_.Replace(std::move(next)));
  wake_.Set();
  return absl::OkStatus();
}

void FakeDevicePlugin::Kill() { lives_.End(lives_.Replace(nullptr)); }

void FakeDevicePlugin::Stop() {
  std::unique_ptr<ServedLives::Life> last = lives_.Replace(nullptr);
  if (last == nullptr) return;
  feed().EndAll(absl::OutOfRangeError("EOF"));
  lives_.End(std::move(last), absl::UnavailableError("the plugin is stopping"));
  files_.Unlink(socket_path()).IgnoreError();  // a kubelet that starts has removed it
}

absl::Status FakeDevicePlugin::Restart() { return Start(); }

absl::Status FakeDevicePlugin::Register(const std::string& kubelet_socket) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> kubelet, DialUnixSocket(kubelet_socket));
  RETURN_IF_ERROR(RegisterWith(kubelet, options_));
  MutexLock lock(&mu_);
  ++registrations_;
  return absl::OkStatus();
}

void FakeDevicePlugin::Follow(const std::string& kubelet_socket, absl::Duration interval) {
  {
    MutexLock lock(&mu_);
    kubelet_socket_ = kubelet_socket;
    interval_ = interval;
  }
  wake_.Set();
}

void FakeDevicePlugin::LookAfterItself() {
  while (true) {
    std::string kubelet_socket;
    absl::Duration interval;
    {
      MutexLock lock(&mu_);
      if (ending_) return;
      kubelet_socket = kubelet_socket_;
      interval = interval_;
    }
    lives_.BuryTheDead();
    if (!kubelet_socket.empty()) FollowKubelet(kubelet_socket);
    wake_.WaitFor(interval);
  }
}

void FakeDevicePlugin::FollowKubelet(const std::string& kubelet_socket) {
  const absl::StatusOr<FileStat> kubelet = files_.Stat(kubelet_socket);
  if (!kubelet.ok() || !serving()) return;  // it is restarting; or the plugin is dead
  const bool kubelet_is_new = !IsSameSocket(registered_with_, *kubelet);
  const bool socket_is_gone = !files_.Stat(socket_path()).ok();
  if (!kubelet_is_new && !socket_is_gone && registered_as_ == lives_.session()) return;
  if (socket_is_gone && !Start().ok()) return;
  const std::optional<ScriptedPlugin::SessionId> registering = lives_.session();
  if (!Register(kubelet_socket).ok()) return;
  registered_with_ = *kubelet;
  registered_as_ = registering;
}

}  // namespace kubelet_cm::fakes

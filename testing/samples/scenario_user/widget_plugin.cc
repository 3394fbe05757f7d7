// widget_plugin FOLDER COUNT: our device plugin, as it goes onto nodes. It has COUNT widgets, serves on
// FOLDER/widgets.sock, and registers with the kubelet whenever that makes its socket FOLDER/kubelet.sock.
#include <grpcpp/grpcpp.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>

#include "deviceplugin/api/v1beta1.grpc.pb.h"

namespace {

constexpr char kResource[] = "example.org/widget";

class Widgets final : public v1beta1::DevicePlugin::Service {
 public:
  explicit Widgets(int count) : count_(count) {}

  grpc::Status GetDevicePluginOptions(grpc::ServerContext*, const v1beta1::Empty*,
                                      v1beta1::DevicePluginOptions*) override {
    return grpc::Status::OK;
  }

  grpc::Status ListAndWatch(grpc::ServerContext*, const v1beta1::Empty*,
                            grpc::ServerWriter<v1beta1::ListAndWatchResponse>* stream) override {
    v1beta1::ListAndWatchResponse widgets;
    for (int i = 0; i < count_; ++i) {
      v1beta1::Device& widget = *widgets.add_devices();
      widget.set_id("widget-" + std::to_string(i));
      widget.set_health("Healthy");
    }
    stream->Write(widgets);
    // Widgets never change: the stream stays open, silent, until nobody serves any more.
    std::unique_lock<std::mutex> lock(mu_);
    ended_.wait(lock, [this] { return end_; });
    return grpc::Status::OK;
  }

  grpc::Status Allocate(grpc::ServerContext*, const v1beta1::AllocateRequest* request,
                        v1beta1::AllocateResponse* response) override {
    for (const auto& container : request->container_requests()) {
      std::string ids;
      for (const std::string& id : container.devices_ids()) ids += (ids.empty() ? "" : ",") + id;
      (*response->add_container_responses()->mutable_envs())["WIDGETS"] = ids;
    }
    return grpc::Status::OK;
  }

  void End() {
    const std::lock_guard<std::mutex> lock(mu_);
    end_ = true;
    ended_.notify_all();
  }

 private:
  const int count_;
  std::mutex mu_;
  std::condition_variable ended_;
  bool end_ = false;
};

// One life of the server: a kubelet that starts removes the sockets that it finds.
class Serving {
 public:
  Serving(const std::string& folder, int count) : widgets_(count) {
    const std::string socket = folder + "/widgets.sock";
    unlink(socket.c_str());
    server_ = grpc::ServerBuilder()
                  .AddListeningPort("unix:" + socket, grpc::InsecureServerCredentials())
                  .RegisterService(&widgets_)
                  .BuildAndStart();
  }
  ~Serving() {
    widgets_.End();
    if (server_ != nullptr) server_->Shutdown();
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  void Register(const std::string& kubelet) const {
    grpc::ChannelArguments local;
    local.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
    const auto channel = grpc::CreateCustomChannel("unix:" + kubelet, grpc::InsecureChannelCredentials(), local);
    v1beta1::RegisterRequest request;
    request.set_version("v1beta1");
    request.set_endpoint("widgets.sock");
    request.set_resource_name(kResource);
    v1beta1::Empty response;
    grpc::ClientContext context;
    const grpc::Status registered = v1beta1::Registration::NewStub(channel)->Register(&context, request, &response);
    std::cout << "register: " << (registered.ok() ? "OK" : registered.error_message()) << std::endl;
  }

 private:
  Widgets widgets_;
  std::unique_ptr<grpc::Server> server_;
};

// Files that come into a folder.
class FolderWatch {
 public:
  explicit FolderWatch(const std::string& folder) : events_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    ok_ = events_ >= 0 && inotify_add_watch(events_, folder.c_str(), IN_CREATE | IN_MOVED_TO) >= 0;
  }
  ~FolderWatch() { close(events_); }
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  bool ok() const { return ok_; }
  // Waits for files, or a signal. Whether one of this name has come.
  bool HasCome(const std::string& name) {
    pollfd watch = {.fd = events_, .events = POLLIN, .revents = 0};
    if (poll(&watch, 1, -1) <= 0) return false;
    bool has_come = false;
    alignas(inotify_event) char buffer[4096];
    for (ssize_t size = 0; (size = read(events_, buffer, sizeof(buffer))) > 0;) {
      for (const char* at = buffer; at < buffer + size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(at);
        has_come = has_come || (event->len > 0 && name == event->name);
        at += sizeof(inotify_event) + event->len;
      }
    }
    return has_come;
  }

 private:
  const int events_;
  bool ok_ = false;
};

volatile std::sig_atomic_t stopped = 0;

bool IsThere(const std::string& path) {
  struct stat found = {};
  return stat(path.c_str(), &found) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "widget_plugin FOLDER COUNT\n";
    return 2;
  }
  const std::string folder = argv[1];
  const std::string kubelet = folder + "/kubelet.sock";
  struct sigaction stop = {};
  stop.sa_handler = [](int) { stopped = 1; };
  sigaction(SIGTERM, &stop, nullptr);

  FolderWatch watch(folder);  // before the first look, so that no kubelet is missed
  if (!watch.ok()) {
    std::cerr << folder << " cannot be watched\n";
    return 1;
  }
  std::unique_ptr<Serving> serving;
  for (bool has_come = true; stopped == 0; has_come = watch.HasCome("kubelet.sock")) {
    if (!has_come || !IsThere(kubelet)) continue;
    serving.reset();
    serving = std::make_unique<Serving>(folder, std::atoi(argv[2]));
    serving->Register(kubelet);  // or it is what a dead kubelet has left, and the next one makes its own
  }
  return 0;
}

// FakeDraDriver: a DRA driver on real unix sockets, of any API version, whose behaviour a test scripts.
//
//   FakeDraDriver driver({threads, files}, {.folder = plugins, .registration_folder = registry, .api = DraApi::kV1});
//   ASSERT_OK(driver.Start());
//   driver.script().At(DriverMethod::kPrepare, 1, {.act = DriverAct::kDie});
//
// script() (driver_script.h) says what goes wrong at which call and what was asked; it outlives deaths: calls are
// counted over all incarnations, and a claim that one of them prepared is prepared for the next, unless
// ForgetPrepared() comes between. health() (health_feed.h) is what it says of its devices' health, if it has a service
// for that, and models() (model_feed.h) what it says that it has, if it does.
#ifndef KUBELET_CM_TESTING_FAKES_FAKE_DRA_DRIVER_H_
#define KUBELET_CM_TESTING_FAKES_FAKE_DRA_DRIVER_H_

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/filesystem/file_system.h"
#include "common/threads/event.h"
#include "common/threads/threads.h"
#include "common/unixsocket/server.h"
#include "dra/api/dra_api.h"
#include "testing/fakes/driver_script.h"
#include "testing/fakes/health_feed.h"
#include "testing/fakes/model_feed.h"
#include "testing/fakes/scripted_driver.h"
#include "testing/fakes/served_lives.h"

namespace kubelet_cm::fakes {

// Thread-safe, but for Start, Listen, Kill and Stop: one at a time. Destroyed as by Stop().
class FakeDraDriver {
 public:
  struct Dependencies {
    Threads& threads;   // of a RealClock
    FileSystem& files;  // the real one
  };

  struct Options {
    std::string driver_name = "fake.example.com";
    std::string folder = {};  // where its socket is
    std::string socket_name = "dra.sock";
    std::string registration_folder = {};  // where it can be found as "<driver_name>-reg.sock"; empty: nowhere
    bool one_socket = false;               // it is called at the socket at which it is found, too
    dra::DraApi api = dra::DraApi::kV1;
    std::vector<dra::DraHealthApi> health_apis = {};  // none: it tells nothing of health
    bool tells_models = false;                        // of v1alpha3, by NodeListAndWatchResources
    // Empty: the services of the APIs, and "1.0.0" for v1alpha4 and those before, whose kubelets want a version.
    std::vector<std::string> supported_versions = {};
    ScriptedDriver::Options driver = {};
    // Told first when the script lets it die, on the thread of the fatal call. A process of its own ends here.
    std::function<void()> on_death = [] {};
  };

  FakeDraDriver(Dependencies dependencies, Options options);
  ~FakeDraDriver();
  FakeDraDriver(const FakeDraDriver&) = delete;
  FakeDraDriver& operator=(const FakeDraDriver&) = delete;

  DriverScript& script() { return driver_.script(); }
  HealthFeed& health() { return health_; }
  ModelFeed& models() { return models_; }
  std::set<std::string> PreparedClaims() const { return driver_.PreparedClaims(); }
  // The machine boots: nothing is prepared any more.
  void ForgetPrepared() { driver_.ForgetPrepared(); }
  const std::string& name() const { return options_.driver_name; }
  std::string socket_path() const;
  std::string registration_path() const;  // empty if there is none

  // What it speaks from the next Start on.
  void Speak(dra::DraApi api) { api_ = api; }
  // Serves; an incarnation that is still there is killed first.
  absl::Status Start();
  // Ends as a driver that was asked to: the sockets go.
  void Stop();
  // Ends as a driver that crashed: calls are cut, the sockets stay.
  void Kill();
  // Whether it listens at its own socket, now and from the next Start on. One that does not lives on, with all that it
  // has prepared, and can be found; what was connected is not any more. FailedPrecondition while a call is held, which
  // nothing could end. Of one socket, which is made anew: whether it serves there more than its registration.
  absl::Status Listen(bool listens);
  // That were made to its socket.
  int connections() const { return connections_; }
  // Whether a kubelet has said that it registered the driver, at the socket by which it is found now. One that did so
  // at the socket before may still be about to forget it.
  bool registered() const { return serving() && lives_.session() == registered_; }
  bool serving() const { return lives_.session().has_value(); }
  // Waits until no incarnation serves and none is still ending, as one does for a while after DriverAct::kDie.
  // kDeadlineExceeded after `limit`.
  absl::Status WaitUntilDown(absl::Duration limit = DriverScript::kPatience) const {
    return lives_.WaitUntilDown(limit);
  }

 private:
  static constexpr ScriptedDriver::SessionId kNobody = 0;

  // At socket_path(); null if nothing is served there.
  absl::StatusOr<std::unique_ptr<UnixSocketServer>> NewServer();
  // The thread that takes down the servers of incarnations that died.
  void BuryTheDead();

  Threads& threads_;
  FileSystem& files_;
  const Options options_;
  std::atomic<dra::DraApi> api_;
  ScriptedDriver driver_;
  HealthFeed health_;
  ModelFeed models_;
  bool listens_ = true;  // now, and from the next Start on
  std::atomic<int> connections_ = 0;
  std::atomic<ScriptedDriver::SessionId> registered_ = kNobody;  // the life whose present socket is registered
  std::vector<grpc::Service*> services_;                         // while it listens, of the life that serves
  grpc::Service* registration_ = nullptr;                        // of that life; null if it cannot be found
  ServedLives lives_;
  Event wake_;
  std::atomic<bool> ending_ = false;
  std::unique_ptr<Thread> thread_;  // uses all of the above
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_FAKE_DRA_DRIVER_H_

// kubelet_cm: the device stack of a Kubernetes node as one process. Everything but the process itself is in
// kubelet_cm/daemon.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/folderwatch/inotify_watches.h"
#include "common/log/line_logger.h"
#include "common/random/real_random.h"
#include "common/status/status_macros.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "kubelet_cm/config/command_line.h"
#include "kubelet_cm/config/default_root.h"
#include "kubelet_cm/config/kubelet_config.h"
#include "kubelet_cm/daemon/daemon.h"
#include "kubelet_cm/daemon/greeting.h"
#include "kubelet_cm/life/service_notifier.h"
#include "kubelet_cm/life/stop_request.h"
#include "kubelet_cm/life/stop_signals.h"
#include "kubelet_cm/life/system_facts.h"
#include "kubelet_cm/life/watchdog.h"

namespace kubelet_cm {
namespace {

constexpr int kFailure = 1;
constexpr int kCorruptState = 3;
constexpr int kAlreadyRunning = 4;
constexpr absl::Duration kStopLimit = absl::Milliseconds(1800);

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? "" : value;
}

std::string WorkingFolder() {
  const std::unique_ptr<char, decltype(&std::free)> folder(getcwd(nullptr, 0), &std::free);
  return folder == nullptr ? "/" : folder.get();
}

config::Surroundings LookAround() {
  // `bazel run` starts programs elsewhere, and says where its caller was.
  const std::string caller = Environment("BUILD_WORKING_DIRECTORY");
  return {.home = Environment("HOME"),
          .xdg_state_home = Environment("XDG_STATE_HOME"),
          .working_folder = caller.empty() ? WorkingFolder() : caller,
          .host_name = life::HostName()};
}

int ExitCodeOf(const absl::Status& error) {
  switch (error.code()) {
    case absl::StatusCode::kDataLoss:
      return kCorruptState;
    case absl::StatusCode::kUnavailable:
      return kAlreadyRunning;
    default:
      return kFailure;
  }
}

// Until somebody asks for the end.
absl::Status Serve(Threads& threads, Logger& log, Daemon& daemon, life::StopRequest& stop) {
  const life::ServiceEnvironment service{.notify_socket = Environment("NOTIFY_SOCKET"),
                                         .watchdog_usec = Environment("WATCHDOG_USEC"),
                                         .watchdog_pid = Environment("WATCHDOG_PID")};
  ASSIGN_OR_RETURN(const std::unique_ptr<life::ServiceNotifier> systemd,
                   life::ServiceNotifier::New(service.notify_socket));
  if (const absl::Status told = systemd->Ready("serving"); !told.ok()) log.Error(told, "Failed to tell systemd");
  std::unique_ptr<life::Watchdog> watchdog;
  if (const auto interval = life::WatchdogInterval(service, getpid()); interval.has_value()) {
    watchdog =
        std::make_unique<life::Watchdog>(threads, log,
                                         life::Watchdog::Settings{.interval = *interval,
                                                                  .check = [&daemon] { return daemon.Health(); },
                                                                  .alive = [&systemd] { return systemd->Alive(); }});
  }
  stop.Wait();
  if (const absl::Status told = systemd->Stopping(); !told.ok()) log.Error(told, "Failed to tell systemd");
  return absl::OkStatus();
}

// Ends the process. Calls that hang are waited for until kStopLimit, and no longer: what was answered is written.
[[noreturn]] void Stop(Threads& threads, Logger& log, Daemon& daemon, absl::Status served) {
  Notification stopped(threads, "the daemon's end");
  const std::unique_ptr<Thread> stopping = threads.Start("shutdown", [&] {
    served.Update(daemon.Shutdown());
    stopped.Notify();
  });
  if (!stopped.WaitFor(kStopLimit)) {
    log.Warning("Stopped without waiting for plugins any longer");
    std::_Exit(0);
  }
  if (served.ok()) std::_Exit(0);
  log.Error(served, "Failed to stop in order");
  std::_Exit(kFailure);
}

int Main(const std::vector<std::string>& arguments) {
  life::HoldStopSignals();
  umask(S_IRWXO | S_IWGRP);
  RealClock clock;
  RealRandom random;
  PosixFileSystem files;
  InotifyWatches watches(clock);
  const config::Surroundings surroundings = LookAround();
  const config::CommandLine line = config::ReadCommandLine(arguments, surroundings, files);
  if (line.exit_code.has_value()) {
    (*line.exit_code == 0 ? std::cout : std::cerr) << line.output;
    return *line.exit_code;
  }
  LineLogger log(clock, {.format = line.options.log_format,
                         .verbosity = line.options.verbosity,
                         .process_id = getpid(),
                         .zone = absl::LocalTimeZone(),
                         .write = WriteToStandardError});
  RealThreads threads(clock, &log);
  config::LogLeftovers(log, line.options.config_file, line.leftovers);
  life::StopRequest stop(threads, kStopLimit, [&log] {
    log.Warning("Stopped without waiting for the start any longer");
    std::_Exit(0);
  });
  const absl::StatusOr<std::unique_ptr<life::StopSignals>> signals = life::StopSignals::New(threads, [&](int signal) {
    log.Info("Stopping", {{"signal", signal}});
    stop.Ask();
  });
  if (!signals.ok()) {
    std::cerr << "kubelet_cm: " << signals.status().message() << "\n";
    return kFailure;
  }
  const absl::StatusOr<std::unique_ptr<Daemon>> daemon = Daemon::New(
      {.files = files, .watches = watches, .threads = threads, .random = random, .log = log, .process_id = getpid()},
      line.options);
  stop.SetStarted();
  if (!daemon.ok()) {
    std::cerr << "kubelet_cm: " << daemon.status().message() << "\n";
    return ExitCodeOf(daemon.status());
  }
  const absl::StatusOr<std::string> default_root =
      config::DefaultRootDir(surroundings.xdg_state_home, surroundings.home);
  std::cout << RenderGreeting({.paths = (*daemon)->paths(),
                               .http_port = (*daemon)->http_port(),
                               .restored = (*daemon)->restored(),
                               .default_root = line.options.root_dir == default_root.value_or("")})
            << std::flush;
  Stop(threads, log, **daemon, Serve(threads, log, **daemon, stop));
}

}  // namespace
}  // namespace kubelet_cm

int main(int argc, char** argv) { return kubelet_cm::Main({argv + 1, argv + argc}); }

// ForeignProgram: somebody's own plugin or driver as a process beside a daemon, with all that it starts itself. It
// outlives daemons; it is killed with the object.
//
// For one thread.
#ifndef KUBELET_CM_TESTING_SCENARIOS_FOREIGN_PROGRAM_H_
#define KUBELET_CM_TESTING_SCENARIOS_FOREIGN_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/threads/threads.h"
#include "testing/harness/child_process.h"
#include "testing/scenarios/output_lines.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

class ForeignProgram {
 public:
  // Where it lives.
  struct Surroundings {
    std::string root;        // what is /var/lib/kubelet to it
    std::string home;        // a folder of its own, for HOME and TMPDIR
    std::string kubeconfig;  // of an API server
    std::string node_name;
  };

  // `path` is what is started. `threads` is of a RealClock and outlives the object.
  ForeignProgram(Threads& threads, const proto::Program& program, const std::string& path,
                 const Surroundings& surroundings);

  // Where it does not run.
  absl::Status Start();
  // SIGKILL; it is gone when this returns.
  absl::Status Kill();
  // SIGTERM, and waits for its end. One that takes no notice of it for half a minute is an error, and gets SIGKILL.
  absl::Status Terminate();
  bool is_up() const { return wanted_; }

  // Starts it again if it has ended by itself and is one of those. An error says how it ended, of one that is not, and
  // what it said last.
  absl::Status Tend();
  // It is where it belongs: ends are counted from here.
  void IsWell() { ends_ = 0; }
  // How often it has ended by itself since, and how: "ended 3 times by itself, ...". Empty: it did not.
  std::string Ends() const;
  absl::Duration patience() const { return patience_; }
  // What it wrote since this was asked last, line by line.
  std::vector<std::string> TakeOutput();
  // The last lines of all, of one that is started again those before its last end where there are none since.
  std::string LastWords() const;

 private:
  absl::Status Launch();
  absl::Status AwaitEnd(absl::Duration limit);
  void Listen();

  Threads& threads_;
  const bool restarted_;
  const bool own_mounts_;
  const absl::Duration patience_;
  harness::ChildProcess::Options command_;
  bool wanted_ = false;       // it was started, and nobody has ended it
  MonotonicTime not_before_;  // it is started again
  bool waits_ = false;        // until then
  int ends_ = 0;              // by itself
  std::string last_end_;
  std::string words_at_end_;
  std::unique_ptr<harness::ChildProcess> process_;
  uint64_t taken_ = 0;  // of its output
  OutputLines lines_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_FOREIGN_PROGRAM_H_

// ForeignPrograms: the plugins and drivers of a scenario that are programs of somebody's own: which of them runs, and
// whether the daemon sees them as it should.
//
// For one thread.
#ifndef KUBELET_CM_TESTING_SCENARIOS_FOREIGN_PROGRAMS_H_
#define KUBELET_CM_TESTING_SCENARIOS_FOREIGN_PROGRAMS_H_

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/personality/personality.h"
#include "common/threads/threads.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "testing/scenarios/foreign_program.h"
#include "testing/scenarios/program_settling.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

class ForeignPrograms {
 public:
  // Paths by the names that scenarios have for them.
  using Paths = std::map<std::string, std::string>;

  // `threads` outlives the object.
  ForeignPrograms(Threads& threads, ForeignProgram::Surroundings surroundings, Paths paths);

  // Whether the step is about a program, or about one of before.
  bool Has(const proto::StartPlugin& start) const;
  bool Has(const proto::StartDriver& start) const;
  bool Has(const std::string& plugin_or_driver) const { return programs_.contains(plugin_or_driver); }

  absl::Status Start(const proto::StartPlugin& start);
  absl::Status Start(const proto::StartDriver& start);
  absl::Status Stop(const std::string& name, proto::StopPlugin::How how);
  absl::Status KillAll();
  // Those that stay away are not expected at the next one.
  void KubeletIsGone();

  // Starts those again that may end by themselves. An error: one has ended that should not have.
  absl::Status Tend();
  // As Tend; an error of those, too, that are started again and have ended since all were seen as they are.
  absl::Status LookForEnds();
  bool anybody_is_up() const;
  // Nothing, or what the daemon does not see as it is. An error as of Tend. How many devices there are is looked at
  // where the scenario says it.
  absl::StatusOr<std::string> Unseen(const DaemonWords& daemon, const Personality& kubelet);
  // The longest that one of them may take; nothing where there is none.
  std::optional<absl::Duration> patience() const;
  // As the daemon saw them last: plugins with their resource, and drivers.
  const std::map<std::string, std::string>& connected_plugins() const { return connected_plugins_; }
  const std::set<std::string>& connected_drivers() const { return connected_drivers_; }
  // What all have written since, each line after its program's name.
  std::vector<std::string> TakeOutput();
  std::string LastWords() const;

 private:
  struct Entry {
    std::string resource = {};  // of a plugin
    std::optional<::v1beta1::ListAndWatchResponse> lists = {};
    bool is_driver = false;
    bool stays_away = false;
    bool expected = false;                         // to be connected with the daemon that runs
    std::unique_ptr<ForeignProgram> program = {};  // never null
  };

  // Which is not up, and has its program: the one that the step names, or that of before. Nothing is there of one whose
  // program is not known.
  absl::StatusOr<Entry*> ThatMayStart(const std::string& name, const proto::Program* program);
  static absl::Status Run(Entry& entry);
  static std::string NotRegistered(const std::string& what, const Entry& entry,
                                   const ::kubeletcm::v1::ListPluginsResponse& listed);

  Threads& threads_;
  const ForeignProgram::Surroundings surroundings_;
  const Paths paths_;
  std::map<std::string, Entry> programs_;  // by the plugin's or driver's name
  std::map<std::string, std::string> connected_plugins_;
  std::set<std::string> connected_drivers_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_FOREIGN_PROGRAMS_H_

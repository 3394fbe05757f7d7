#include "testing/scenarios/foreign_program.h"

#include <csignal>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

using harness::ChildProcess;

constexpr char kKubeletFolder[] = "/var/lib/kubelet";
constexpr absl::Duration kPause = absl::Milliseconds(200);  // before one that has ended is started again
constexpr absl::Duration kGrace = absl::Seconds(30);        // after SIGTERM, as pods have it
constexpr size_t kLastWords = 4000;

constexpr char kUnshare[] = "/usr/bin/unshare";
// What a shell does in mounts of its own that is given a folder, a program and its arguments: puts the folder at
// /var/lib/kubelet and becomes the program.
constexpr char kMounts[] =
    R"(mount -t tmpfs none /var/lib && mkdir /var/lib/kubelet && mount --bind "$0" /var/lib/kubelet && exec "$@")";

// How one gets mounts that nobody else sees. Whoever is not allowed to be root among his own may be root anyway.
absl::StatusOr<std::vector<std::string>> WayToOwnMounts(Threads& threads) {
  const std::vector<std::string> ways[] = {{"--user", "--map-root-user", "--mount"}, {"--mount"}};
  for (const std::vector<std::string>& way : ways) {
    std::vector<std::string> tried = way;
    tried.push_back("/bin/true");
    ASSIGN_OR_RETURN(const auto tries, ChildProcess::Start(threads, {.program = kUnshare, .arguments = tried}));
    if (tries->AwaitExit() && tries->end() == ChildProcess::End{}) return way;
  }
  return absl::FailedPreconditionError(
      "this system gives nobody here mounts of his own, and so no program sees the kubelet's folder at "
      "/var/lib/kubelet");
}

ChildProcess::Options CommandOf(const proto::Program& program, const std::string& path,
                                const ForeignProgram::Surroundings& surroundings) {
  const auto placed = [&](const std::string& text) {
    return program.at_var_lib_kubelet() ? text : absl::StrReplaceAll(text, {{kKubeletFolder, surroundings.root}});
  };
  ChildProcess::Options command{
      .program = path,
      .environment = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                      absl::StrCat("HOME=", surroundings.home), absl::StrCat("TMPDIR=", surroundings.home),
                      absl::StrCat("KUBECONFIG=", surroundings.kubeconfig),
                      absl::StrCat("NODE_NAME=", surroundings.node_name)}};
  if (program.at_var_lib_kubelet()) {
    command.program = kUnshare;  // Launch knows the way
    command.arguments = {"/bin/sh", "-c", kMounts, surroundings.root, path};
  }
  for (const std::string& argument : program.arguments()) command.arguments.push_back(placed(argument));
  for (const std::string& variable : program.environment()) command.environment.push_back(placed(variable));
  return command;
}

absl::Duration PatienceOf(const proto::Program& program) {
  return DurationOf(program.patience()).value_or(absl::Seconds(30));
}

std::string WordsOf(const ChildProcess::End& end) {
  return end.signal != 0 ? absl::StrCat("was killed by signal ", end.signal)
                         : absl::StrCat("ended with exit code ", end.code);
}

}  // namespace

ForeignProgram::ForeignProgram(Threads& threads, const proto::Program& program, const std::string& path,
                               const Surroundings& surroundings)
    : threads_(threads),
      restarted_(program.restarted()),
      own_mounts_(program.at_var_lib_kubelet()),
      patience_(PatienceOf(program)),
      command_(CommandOf(program, path, surroundings)) {}

absl::Status ForeignProgram::Start() {
  if (wanted_) return absl::FailedPreconditionError(absl::StrCat(command_.program, " runs already"));
  ends_ = 0;
  return Launch();
}

absl::Status ForeignProgram::Launch() {
  Listen();
  lines_.EndLine();
  ChildProcess::Options command = command_;
  if (own_mounts_) {
    ASSIGN_OR_RETURN(const std::vector<std::string> way, WayToOwnMounts(threads_));
    command.arguments.insert(command.arguments.begin(), way.begin(), way.end());
  }
  ASSIGN_OR_RETURN(process_, ChildProcess::Start(threads_, command));
  taken_ = 0;
  wanted_ = true;
  waits_ = false;
  return absl::OkStatus();
}

absl::Status ForeignProgram::AwaitEnd(absl::Duration limit) {
  const testing::AssertionResult ended = process_->AwaitExit(limit);
  return ended ? absl::OkStatus() : absl::DeadlineExceededError(ended.message());
}

absl::Status ForeignProgram::Kill() {
  if (!std::exchange(wanted_, false)) return absl::OkStatus();
  process_->Signal(SIGKILL);
  return AwaitEnd(ChildProcess::kPatience);
}

absl::Status ForeignProgram::Terminate() {
  if (!std::exchange(wanted_, false)) return absl::OkStatus();
  process_->Signal(SIGTERM);
  const absl::Status ended = AwaitEnd(kGrace);
  if (!ended.ok()) process_->Signal(SIGKILL);
  return ended;
}

absl::Status ForeignProgram::Tend() {
  if (!wanted_ || !process_->end().has_value()) return absl::OkStatus();
  if (!restarted_) {
    return absl::AbortedError(absl::StrCat("the program ", WordsOf(*process_->end()), "; it said:\n", LastWords()));
  }
  const MonotonicTime now = threads_.clock().MonotonicNow();
  if (!std::exchange(waits_, true)) {
    not_before_ = now + kPause;
    words_at_end_ = LastWords();
    last_end_ = WordsOf(*process_->end());
    ++ends_;
  }
  return now < not_before_ ? absl::OkStatus() : Launch();
}

std::string ForeignProgram::Ends() const {
  if (ends_ == 0) return "";
  return absl::StrCat("ended ", ends_, ends_ == 1 ? " time" : " times", " by itself, and the last time it ", last_end_);
}

void ForeignProgram::Listen() {
  if (process_ != nullptr) lines_.Add(process_->OutputFrom(taken_));
}

std::vector<std::string> ForeignProgram::TakeOutput() {
  Listen();
  return lines_.Take();
}

std::string ForeignProgram::LastWords() const {
  const std::string output = process_ == nullptr ? "" : process_->output();
  if (output.empty() && ends_ > 0) return words_at_end_;
  return output.size() <= kLastWords ? output : output.substr(output.size() - kLastWords);
}

}  // namespace kubelet_cm::scenarios

#include "tools/cmctl/checkpoint/verify.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "tools/cmctl/checkpoint/input_file.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

int Worse(int a, int b) {
  constexpr int kOrder[] = {kOk, kNotReadable, kNotFound, kFailed, kCorrupt, kUsage};
  const auto rank = [&](int code) { return std::find(std::begin(kOrder), std::end(kOrder), code) - kOrder; };
  return rank(a) < rank(b) ? b : a;
}

class Verification {
 public:
  Verification(const VerifyOptions& options, const Personality* kubelet, const ToolEnvironment& environment)
      : options_(options), kubelet_(kubelet), environment_(environment), palette_(environment.colours) {}

  int Verify(const std::string& path) {
    const OpenedFile opened = OpenStateFile(path, environment_);
    if (opened.file == nullptr) return opened.exit_code;
    path_ = DisplayName(path);
    return Judge(*opened.file);
  }

 private:
  int Judge(const StateFile& file) {
    const FileVerdict& verdict = file.verdict();
    if (!verdict.verifiable) return Say("cannot be verified", verdict.problems, kFailed);
    const bool accepted = kubelet_ != nullptr && file.ViewOf(*kubelet_).accepts;
    if (!verdict.valid && !accepted) return Say(palette_.Bad("corrupt"), verdict.problems, kCorrupt);
    if (options_.invariants) {
      const std::vector<FileProblem> broken = file.BrokenInvariants();
      if (!broken.empty()) return Say(palette_.Bad("inconsistent"), broken, kCorrupt);
    }
    if (kubelet_ != nullptr) {
      const KubeletView view = file.ViewOf(*kubelet_);
      if (!view.accepts) {
        Line(absl::StrCat(palette_.Bad("not readable"), " by kubelet ", options_.kubelet_version, ": ", view.error));
        return kNotReadable;
      }
    }
    Line(absl::StrCat(palette_.Good("valid"), ": ", verdict.format, ", ", file.Summary()));
    return kOk;
  }

  int Say(const std::string& word, const std::vector<FileProblem>& problems, int code) {
    for (const FileProblem& problem : problems) {
      const std::string place = problem.offset.has_value() ? absl::StrCat(" (at byte ", *problem.offset, ")") : "";
      Line(absl::StrCat(word, ": ", problem.text, place));
    }
    return code;
  }

  void Line(const std::string& text) { environment_.out << path_ << ": " << text << "\n"; }

  const VerifyOptions& options_;
  const Personality* const kubelet_;
  const ToolEnvironment& environment_;
  const Palette palette_;
  std::string path_;
};

}  // namespace

int RunVerify(const VerifyOptions& options, const ToolEnvironment& environment) {
  const Personality* kubelet = nullptr;
  if (!options.kubelet_version.empty()) {
    const auto parsed = ParsePersonality(options.kubelet_version);
    if (!parsed.ok()) {
      Complain(environment, "--kubelet-version", std::string(parsed.status().message()));
      return kUsage;
    }
    kubelet = *parsed;
  }
  Verification verification(options, kubelet, environment);
  int code = kOk;
  for (const std::string& file : options.files) code = Worse(code, verification.Verify(file));
  return code;
}

}  // namespace kubelet_cm::cmctl

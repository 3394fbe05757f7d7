#include "tools/cmctl/checkpoint/explain.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "tools/cmctl/checkpoint/input_file.h"
#include "tools/cmctl/checkpoint/kubelet_text.h"
#include "tools/cmctl/checkpoint/recognition.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr size_t kLineWidth = 110;
constexpr char kEndOfInput[] = "unexpected end of JSON input";

class Explanation {
 public:
  Explanation(const ExplainOptions& options, const StateFile& file, const ToolEnvironment& environment)
      : options_(options),
        name_(DisplayName(options.file)),
        file_(file),
        environment_(environment),
        palette_(environment.colours) {}

  void Print(const Personality* kubelet) {
    What();
    Problems();
    Savable();
    Kubelets();
    if (kubelet != nullptr) AskedAbout(*kubelet);
    Advice(kubelet);
  }

 private:
  void What() {
    const FileVerdict& verdict = file_.verdict();
    std::string head = absl::StrCat(name_, ": ", verdict.what);
    if (!verdict.format.empty()) absl::StrAppend(&head, ", format ", verdict.format);
    environment_.out << palette_.Strong(head) << "\n\n";
    if (verdict.valid && verdict.stored_checksum.has_value()) {
      Paragraph(absl::StrCat("The file is ", palette_.Good("valid"), ": its checksum ", *verdict.stored_checksum,
                             " is that of its content. It holds ", file_.Summary(), "."));
    } else if (verdict.valid) {
      Paragraph(absl::StrCat("The file is ", palette_.Good("valid"), "; it has no checksum that could say more. It ",
                             "holds ", file_.Summary(), "."));
    } else if (!verdict.verifiable) {
      Paragraph(absl::StrCat("The file is JSON; whether its checksum is right cannot be told. It holds ",
                             file_.Summary(), "."));
    } else {
      Paragraph(absl::StrCat("The file is ", palette_.Bad("corrupt"), "."));
      if (verdict.decoded) Paragraph(absl::StrCat("What it says all the same: ", file_.Summary(), "."));
    }
  }

  void Problems() {
    std::vector<FileProblem> problems = file_.verdict().problems;
    if (file_.verdict().decoded) {
      for (FileProblem& problem : file_.BrokenInvariants()) problems.push_back(std::move(problem));
    }
    if (problems.empty()) return;
    Heading("What is wrong");
    for (const FileProblem& problem : problems) {
      std::string text = problem.text;
      if (text.find(kEndOfInput) != std::string::npos) text += ": the file is cut off";
      if (problem.offset.has_value()) absl::StrAppend(&text, " (at byte ", *problem.offset, " of the file)");
      Item(text);
    }
  }

  void Kubelets() {
    const std::vector<const Personality*> writers = file_.Writers();
    if (writers.empty()) return;
    Heading("Kubelets");
    Item(absl::StrCat(file_.verdict().valid ? "written by: " : "seems to be written by: ", KubeletRanges(writers)));
    std::vector<const Personality*> readers;
    std::vector<Others> others;
    for (const Personality& row : AllPersonalities()) {
      const KubeletView view = file_.ViewOf(row);
      if (view.accepts) {
        readers.push_back(&row);
        continue;
      }
      AddOther(row, view, &others);
    }
    Item(absl::StrCat("read by: ", KubeletRanges(readers)));
    for (const Others& other : others) {
      const std::string error = other.newest_error.empty() ? "" : absl::StrCat(" (\"", other.newest_error, "\")");
      Item(absl::StrCat(KubeletRanges(other.kubelets), ": ", other.effect, error));
    }
  }

  // Kubelets that do not accept the file, to the same effect.
  struct Others {
    std::string effect;
    std::string newest_error;
    std::vector<const Personality*> kubelets;
  };

  static void AddOther(const Personality& kubelet, const KubeletView& view, std::vector<Others>* others) {
    auto same = std::find_if(others->begin(), others->end(), [&](const Others& o) { return o.effect == view.effect; });
    if (same == others->end()) same = others->insert(same, {view.effect, "", {}});
    same->kubelets.push_back(&kubelet);
    same->newest_error = view.has_such_file ? view.error : "";
  }

  void Savable() {
    if (file_.verdict().valid || file_.verdict().decoded) return;
    const auto salvaged = file_.Salvage();
    if (!salvaged.ok()) return;
    Heading("What repair would save");
    Item(absl::StrCat(RecogniseStateFile("", salvaged->bytes)->Summary(), ", as ", salvaged->format));
    for (const std::string& lost : salvaged->lost) Item(absl::StrCat("lost: ", lost));
  }

  void AskedAbout(const Personality& kubelet) {
    Heading(absl::StrCat("Kubelet ", options_.kubelet_version));
    const KubeletView view = file_.ViewOf(kubelet);
    if (view.accepts) {
      Item("reads this file");
      return;
    }
    if (view.has_such_file) Item(absl::StrCat("does not read this file: ", view.error));
    Item(view.effect);
  }

  void Advice(const Personality* kubelet) {
    const std::vector<std::string> advice = file_.Advice(kubelet, options_.kubelet_version);
    Heading("What to do");
    if (advice.empty()) {
      Item(kubelet == nullptr ? "Nothing, for the kubelets that read it. Before another version starts on it, ask: "
                                "--kubelet-version VERSION"
                              : "Nothing.");
    }
    int number = 0;
    for (const std::string& sentence : advice) {
      Wrapped(absl::StrCat("  ", ++number, ". "), absl::StrReplaceAll(sentence, {{"{FILE}", name_}}));
    }
  }

  void Heading(const std::string& text) { environment_.out << "\n" << palette_.Strong(text) << "\n"; }
  void Paragraph(const std::string& text) { Wrapped("", text); }
  void Item(const std::string& text) { Wrapped("  - ", text); }

  // Lines of words; the first begins with `lead`, the others as far to the right.
  void Wrapped(const std::string& lead, const std::string& text) {
    std::string line = lead;
    bool empty = true;
    for (const absl::string_view word : absl::StrSplit(text, ' ')) {
      if (!empty && line.size() + 1 + word.size() > kLineWidth) {
        environment_.out << line << "\n";
        line.assign(lead.size(), ' ');
        empty = true;
      }
      absl::StrAppend(&line, empty ? "" : " ", word);
      empty = false;
    }
    environment_.out << line << "\n";
  }

  const ExplainOptions& options_;
  const std::string name_;
  const StateFile& file_;
  const ToolEnvironment& environment_;
  const Palette palette_;
};

}  // namespace

int RunExplain(const ExplainOptions& options, const ToolEnvironment& environment) {
  const Personality* kubelet = nullptr;
  if (!options.kubelet_version.empty()) {
    const auto parsed = ParsePersonality(options.kubelet_version);
    if (!parsed.ok()) {
      Complain(environment, "--kubelet-version", std::string(parsed.status().message()));
      return kUsage;
    }
    kubelet = *parsed;
  }
  const OpenedFile opened = OpenStateFile(options.file, environment);
  if (opened.file == nullptr) return opened.exit_code;
  Explanation(options, *opened.file, environment).Print(kubelet);
  return kOk;
}

}  // namespace kubelet_cm::cmctl

#include "tools/cmctl/checkpoint/diff.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "tools/cmctl/checkpoint/input_file.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

FactDetail WhatBothCanSay(const FactDetail& a, const FactDetail& b) {
  return {.numa_nodes = a.numa_nodes && b.numa_nodes,
          .responses = a.responses && b.responses,
          .registered = a.registered && b.registered,
          .legacy_parts = a.legacy_parts && b.legacy_parts,
          .handles = a.handles && b.handles,
          .named_devices = a.named_devices && b.named_devices,
          .share_ids = a.share_ids && b.share_ids,
          .skip_lists = a.skip_lists && b.skip_lists};
}

// A file to compare, or the code to exit with.
OpenedFile OpenForDiff(const std::string& path, const ToolEnvironment& environment) {
  OpenedFile opened = OpenStateFile(path, environment);
  if (opened.file == nullptr) return opened;
  const FileVerdict& verdict = opened.file->verdict();
  if (!verdict.decoded) {
    Complain(environment, path, absl::StrCat("cannot be read: ", verdict.problems.front().text));
    return {nullptr, kCorrupt};
  }
  if (!verdict.valid && verdict.verifiable) {
    environment.err << DisplayName(path) << ": warning: " << verdict.problems.front().text << "\n";
  }
  return opened;
}

// By the text, and where both have it by what is not shown.
int PrintDifferences(const Facts& a, const Facts& b, const ToolEnvironment& environment) {
  const Palette palette(environment.colours);
  std::set<std::string> texts;
  for (const auto& [text, hidden] : a) texts.insert(text);
  for (const auto& [text, hidden] : b) texts.insert(text);
  bool same = true;
  for (const std::string& text : texts) {
    const auto in_a = a.find(text);
    const auto in_b = b.find(text);
    if (in_a != a.end() && in_b != b.end() && in_a->second == in_b->second) continue;
    same = false;
    if (in_b == b.end()) {
      environment.out << palette.Bad("- " + text) << "\n";
    } else if (in_a == a.end()) {
      environment.out << palette.Good("+ " + text) << "\n";
    } else {
      environment.out << palette.Strong("~ " + text) << " (the values differ)\n";
    }
  }
  return same ? kOk : kDifferent;
}

}  // namespace

int RunDiff(const DiffOptions& options, const ToolEnvironment& environment) {
  if (options.a == "-" && options.b == "-") {
    Complain(environment, "-", "can be only one of the two");
    return kUsage;
  }
  const OpenedFile a = OpenForDiff(options.a, environment);
  if (a.file == nullptr) return a.exit_code;
  const OpenedFile b = OpenForDiff(options.b, environment);
  if (b.file == nullptr) return b.exit_code;
  if (a.file->verdict().what != b.file->verdict().what) {
    Complain(
        environment, options.b,
        absl::StrCat("is ", b.file->verdict().what, ", and ", DisplayName(options.a), " is ", a.file->verdict().what));
    return kUsage;
  }
  const FactDetail detail = WhatBothCanSay(a.file->detail(), b.file->detail());
  return PrintDifferences(a.file->FactsAt(detail, options.show_secrets), b.file->FactsAt(detail, options.show_secrets),
                          environment);
}

}  // namespace kubelet_cm::cmctl

#include "testing/scenarios/foreign_checks.h"

#include "absl/strings/str_cat.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {

void CheckProgram(const proto::Program& program, const TextPlace& place) {
  place.Needs("name", program.name());
  if (!program.patience().empty() && !DurationOf(program.patience()).has_value()) {
    place.Complain("patience", "is no duration as \"90s\"");
  }
  for (int i = 0; i < program.environment_size(); ++i) {
    if (program.environment(i).find('=') == std::string::npos) place.Complain("environment", "is no NAME=value", i);
  }
}

void NeedsFake(const TextPlace& place, const std::string& field, const std::string& name,
               const std::set<std::string>& programs) {
  if (!programs.contains(name)) return;
  place.Complain(field, absl::StrCat("\"", name, "\" is a program: only fakes do as they are told, and tell of it"));
}

}  // namespace kubelet_cm::scenarios

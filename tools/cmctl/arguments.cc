#include "tools/cmctl/arguments.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

using Words = std::vector<std::string>;

bool IsFlag(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// "--output" of "--output=json", "-o" of "-ojson".
std::string FlagName(const std::string& word) {
  return word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

// Whether the next word is its value.
bool TakesNext(const CLI::Option& option, const std::string& word) {
  return option.get_items_expected_max() > 0 && word == FlagName(word);
}

const CLI::App* Below(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->check_name(name)) return verb;
  }
  return nullptr;
}

// The flag of that name that some verb below has.
const CLI::Option* FlagBelow(const CLI::App& app, const std::string& name) {
  const CLI::Option* option = app.get_option_no_throw(name);
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (option == nullptr) option = FlagBelow(*verb, name);
  }
  return option;
}

void AddFlagsBelow(const CLI::App& app, Words* names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names->push_back("--" + name);
  }
  for (const CLI::App* verb : app.get_subcommands({})) AddFlagsBelow(*verb, names);
}

Words VerbsOf(const CLI::App& app) {
  Words names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

// How many letters have to be put in, taken out or changed to make the one from the other.
size_t Distance(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  for (size_t i = 0; i < row.size(); ++i) row[i] = i;
  for (size_t i = 0; i < from.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < to.size(); ++j) {
      const size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// " (did you mean NAME?)"; nothing if none of the names is near.
std::string Hint(const std::string& word, const Words& names) {
  std::string nearest;
  size_t least = (word.size() + 1) / 2 + 1;
  for (const std::string& name : names) {
    const size_t distance = name.starts_with(word) ? 1 : Distance(word, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest.empty() ? "" : absl::StrCat(" (did you mean ", nearest, "?)");
}

absl::Status NoSuchFlag(const CLI::App& app, const std::string& name) {
  Words names;
  AddFlagsBelow(app, &names);
  return absl::InvalidArgumentError(absl::StrCat("there is no flag ", Printable(name), Hint(name, names)));
}

absl::Status NoSuchVerb(const CLI::App& app, const std::string& name) {
  const Words verbs = VerbsOf(app);
  return absl::InvalidArgumentError(absl::StrCat(Printable(name), Hint(name, verbs), " is none of ",
                                                 app.get_parent() == nullptr ? "the verbs" : app.get_name() + "'s",
                                                 ": ", absl::StrJoin(verbs, ", ")));
}

absl::Status VerbMissing(const CLI::App& app) {
  return absl::InvalidArgumentError(
      absl::StrCat(app.get_parent() == nullptr ? "say what to do" : app.get_name() + " what?",
                   app.get_parent() == nullptr ? ": " : " One of ", absl::StrJoin(VerbsOf(app), ", ")));
}

// Every flag is one of the verb's.
absl::Status CheckFlags(const CLI::App& verb, const Words& words, size_t begin) {
  for (size_t i = begin; i < words.size() && words[i] != "--"; ++i) {
    if (!IsFlag(words[i])) continue;
    const CLI::Option* const option = verb.get_option_no_throw(FlagName(words[i]));
    if (option == nullptr) return NoSuchFlag(verb, FlagName(words[i]));
    if (TakesNext(*option, words[i])) ++i;
  }
  return absl::OkStatus();
}

// "pod/default/web" in two words, where a kind of things is wanted and is one of the verbs.
Words Split(const CLI::App& group, Words words, size_t at) {
  const size_t slash = words[at].find('/');
  if (group.get_parent() == nullptr || slash == std::string::npos) return words;
  const std::string kind = words[at].substr(0, slash);
  if (Below(group, kind) == nullptr) return words;
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words[at].substr(slash + 1));
  words[at] = kind;
  return words;
}

}  // namespace

absl::StatusOr<Words> ArrangeArguments(const CLI::App& app, const Words& typed) {
  const CLI::App* verb = &app;
  Words words = typed;
  Words before;  // flags that stood before their verb, with their values
  Words arranged;
  size_t at = 0;
  for (; at < words.size() && !verb->get_subcommands({}).empty(); ++at) {
    if (IsFlag(words[at])) {
      const std::string name = FlagName(words[at]);
      // The help of a verb that has others below it.
      if (verb->get_option_no_throw(name) != nullptr) return typed;
      const CLI::Option* const option = FlagBelow(*verb, name);
      if (option == nullptr) return NoSuchFlag(*verb, name);
      before.push_back(words[at]);
      if (TakesNext(*option, words[at]) && at + 1 < words.size()) before.push_back(words[++at]);
      continue;
    }
    words = Split(*verb, std::move(words), at);
    const CLI::App* const below = Below(*verb, words[at]);
    if (below == nullptr) return NoSuchVerb(*verb, words[at]);
    arranged.push_back(words[at]);
    verb = below;
  }
  if (!verb->get_subcommands({}).empty()) return VerbMissing(*verb);
  const size_t flags = arranged.size();
  arranged.insert(arranged.end(), before.begin(), before.end());
  arranged.insert(arranged.end(), words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  RETURN_IF_ERROR(CheckFlags(*verb, arranged, flags));
  return arranged;
}

}  // namespace kubelet_cm::cmctl

// Whether a tree is a KubeletConfiguration: every field that the kind has is of its type. What is wrong is said with
// its place in the text; all of it, not the first only.
//
// Pure value code.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_CONFIG_CHECK_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_CONFIG_CHECK_H_

#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "absl/status/status.h"
#include "kubelet_cm/config/config_tree.h"

namespace kubelet_cm::config {

// What is wrong with a file, by place.
class ConfigProblems {
 public:
  // `path` names the field: "logging.verbosity".
  void Add(ManifestPlace at, std::string_view path, std::string_view message);

  bool empty() const { return problems_.empty(); }
  // kInvalidArgument with a line for each of the first ten, in the order of the text; OK when there are none.
  absl::Status ToStatus() const;

 private:
  std::set<std::tuple<int, int, std::string>> problems_;  // line, column, text
};

struct ConfigFindings {
  // Paths of fields that are set and that this project has nothing to do with; of objects their fields.
  std::set<std::string> not_honoured = {};
  // Paths of what the kind does not have.
  std::set<std::string> unknown = {};
};

// Null counts as not set, as in Go. `root` is a map.
ConfigFindings CheckKubeletConfig(const ConfigNode& root, ConfigProblems* problems);

// `the string "x"`, `the number 5`, `a list`: what stands there, for messages.
std::string WhatItIs(const ConfigNode& node);

// A whole number; false for anything else, fractions and what is beyond 64 bits included. 1e3 is one, as in JSON.
bool WholeNumber(const ConfigNode& node, int64_t* value);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_CONFIG_CHECK_H_

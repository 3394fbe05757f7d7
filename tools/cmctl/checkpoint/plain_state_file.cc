#include "tools/cmctl/checkpoint/plain_state_file.h"

#include "absl/strings/str_cat.h"
#include "common/gotext/json_error.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

class UnknownFile : public PlainStateFile {
 public:
  explicit UnknownFile(const absl::Status& error) {
    verdict_.what = "not a state file of the kubelet's that is known";
    if (error.ok()) {
      verdict_.problems.push_back(
          {"not-recognised", "JSON, but of none of the known formats and without a checksum", {}});
    } else {
      verdict_.problems.push_back({"not-readable", std::string(error.message()), JsonErrorOffset(error)});
    }
    summary_ = "nothing that is understood";
    advice_ = {
        "Check that this is the right file. The kubelet's are kubelet_internal_checkpoint (in its folder "
        "device-plugins), dra_manager_state and dra_health_state (in its root folder).",
        "If it is and is damaged beyond recognition, drain the node, remove the file, and restart the kubelet.",
    };
  }
};

}  // namespace

std::string PlainStateFile::ContentJson(const ResponseView& /*responses*/) const { return content_; }

std::vector<TextTable> PlainStateFile::Tables(bool /*wide*/) const { return tables_; }

KubeletView PlainStateFile::ViewOf(const Personality& kubelet) const {
  KubeletView view;
  // The table of versions has no row that begins with this file: the whole row counts.
  view.has_such_file = since_minor_ > 0 && kubelet.last.minor >= since_minor_;
  view.accepts = view.has_such_file && verdict_.valid;
  if (view.accepts) return view;
  view.error = view.has_such_file ? verdict_.problems.empty() ? "" : verdict_.problems.front().text
                                  : "kubelets keep no such file";
  view.effect = view.has_such_file ? "logs the error and starts without it" : "does not look at the file";
  return view;
}

std::vector<std::string> PlainStateFile::Advice(const Personality* /*kubelet*/, std::string_view /*version*/) const {
  return advice_;
}

Facts PlainStateFile::FactsAt(const FactDetail& /*detail*/, bool /*secrets*/) const {
  Facts facts;
  for (const TextTable& table : tables_) {
    for (const auto& row : table.rows) {
      std::string line;
      for (const std::string& cell : row) absl::StrAppend(&line, line.empty() ? "" : " ", Printable(cell));
      facts[line];
    }
  }
  if (tables_.empty()) facts["the content"] = content_;
  return facts;
}

absl::StatusOr<Rewritten> PlainStateFile::ConvertTo(std::string_view format) const {
  return absl::InvalidArgumentError(
      absl::StrCat("cannot become ", Abseil(format), ": it is ", verdict_.what, ", which has one format only"));
}

absl::StatusOr<Rewritten> PlainStateFile::Salvage() const {
  return absl::InvalidArgumentError(absl::StrCat("cannot be repaired: it is ", verdict_.what));
}

std::unique_ptr<StateFile> UnknownStateFile(const absl::Status& error) { return std::make_unique<UnknownFile>(error); }

}  // namespace kubelet_cm::cmctl

#include "tools/cmctl/checkpoint/claim_state_file.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/legacy_codec.h"
#include "tools/cmctl/checkpoint/claim_advice.h"
#include "tools/cmctl/checkpoint/claim_rewriting.h"
#include "tools/cmctl/checkpoint/claim_salvage.h"
#include "tools/cmctl/checkpoint/claim_tables.h"
#include "tools/cmctl/checkpoint/kubelet_text.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

bool Mentions(std::string_view bytes, std::string_view word) { return bytes.find(word) != std::string_view::npos; }

// Of a file that is cut off or no JSON: by the words in it.
DraFormat GuessFormat(std::string_view bytes) {
  if (Mentions(bytes, "\"Data\"")) {
    if (Mentions(bytes, "skipNodeOperations")) return DraFormat::k137;
    return Mentions(bytes, "ShareID") ? DraFormat::k135 : DraFormat::k131;
  }
  if (Mentions(bytes, "\"structuredData\"")) return DraFormat::k130;
  return Mentions(bytes, "\"ResourceHandles\"") ? DraFormat::k128 : DraFormat::k127;
}

// The newest whose kubelets could have written the file. What 1.28 and 1.30 write alike goes by the older name.
DraFormat FormatOf(const dra::DraReading& reading) {
  const bool alike = reading.newest_writer == DraFormat::k130 && reading.oldest_writer < DraFormat::k130;
  return alike ? DraFormat::k128 : reading.newest_writer;
}

}  // namespace

ClaimStateFile::ClaimStateFile(std::string bytes, dra::DraReading reading)
    : bytes_(std::move(bytes)),
      reading_(std::move(reading)),
      format_(reading_.stage == dra::DraStage::kUnmarshal ? GuessFormat(bytes_) : FormatOf(reading_)) {
  verdict_.format = std::string(FormatName(format_));
  verdict_.what = "DRA manager state (dra_manager_state)";
  verdict_.valid = reading_.valid();
  // A second problem is one of the list inside.
  verdict_.decoded = reading_.valid() || (reading_.stage == dra::DraStage::kChecksum && reading_.problems.size() == 1);
  verdict_.stored_checksum = reading_.stored_checksum;
  verdict_.computed_checksum = reading_.computed_checksum;
  verdict_.problems = ShownProblems(reading_.problems);
}

std::string ClaimStateFile::ContentJson(const ResponseView& /*responses*/) const {
  if (!verdict_.decoded) return "null";
  std::string json = "{\"claims\":";
  if (is_legacy()) {
    dra::AppendLegacyClaims(reading_.legacy_claims, format_, ControlEscapes::kShort, &json);
  } else {
    dra::AppendClaims(reading_.claims, format_, ControlEscapes::kShort, &json);
  }
  return json + "}";
}

std::vector<TextTable> ClaimStateFile::Tables(bool wide) const {
  if (!verdict_.decoded) return {};
  return {ClaimTable(reading_.claims, wide)};
}

std::string ClaimStateFile::Summary() const {
  std::set<std::string_view> pods;
  size_t devices = 0;
  for (const dra::ClaimState& claim : reading_.claims) {
    if (claim.pod_uids.has_value()) pods.insert(claim.pod_uids->begin(), claim.pod_uids->end());
    if (!claim.driver_state.has_value()) continue;
    for (const auto& [driver, state] : *claim.driver_state) devices += state.devices.size();
  }
  return absl::StrCat(Counted(reading_.claims.size(), "claim", "claims"), " of ", Counted(pods.size(), "pod", "pods"),
                      ", ", Counted(devices, "prepared device", "prepared devices"));
}

std::vector<FileProblem> ClaimStateFile::BrokenInvariants() const { return ClaimInvariants(reading_.claims); }

std::vector<const Personality*> ClaimStateFile::Writers() const {
  const DraFormat oldest = verdict_.decoded ? reading_.oldest_writer : format_;
  const DraFormat newest = verdict_.decoded ? reading_.newest_writer : format_;
  return KubeletsWhere([&](const Personality& row) {
    return row.dra_writes.has_value() && oldest <= *row.dra_writes && *row.dra_writes <= newest;
  });
}

KubeletView ClaimStateFile::ViewOf(const Personality& kubelet) const {
  KubeletView view;
  const dra::DraReading reading = dra::ReadDraCheckpointAs(kubelet, bytes_);
  view.has_such_file = reading.stage != dra::DraStage::kNotRead;
  view.accepts = reading.valid();
  if (view.accepts) return view;
  view.error = view.has_such_file ? dra::DraStartError(kubelet, reading) : "this version keeps no state of claims";
  view.effect = view.has_such_file ? "refuses to start"
                                   : "does not look at the file: claims that are prepared are unknown to it, and "
                                     "nothing unprepares them";
  return view;
}

std::vector<std::string> ClaimStateFile::Advice(const Personality* kubelet, std::string_view version) const {
  if (!verdict_.valid) return AdviceOnCorruptClaims();
  if (kubelet == nullptr || ViewOf(*kubelet).accepts) return {};
  return AdviceOnUnreadClaims(*kubelet, version, Writers());
}

FactDetail ClaimStateFile::detail() const {
  return {.legacy_parts = is_legacy(),
          .handles = format_ == DraFormat::k128 || format_ == DraFormat::k130,
          .named_devices = !is_legacy(),
          .share_ids = reading_.newest_writer >= DraFormat::k135,
          .skip_lists = reading_.newest_writer >= DraFormat::k137};
}

Facts ClaimStateFile::FactsAt(const FactDetail& detail, bool /*secrets*/) const {
  Facts facts = ClaimFacts(reading_.claims, detail);
  if (detail.legacy_parts) facts.merge(LegacyFacts(reading_.legacy_claims, detail));
  return facts;
}

absl::StatusOr<Rewritten> ClaimStateFile::ConvertTo(std::string_view format) const {
  const absl::StatusOr<DraFormat> wanted = ParseDraFormat(format);
  if (!wanted.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("cannot become ", Abseil(format), ": ", wanted.status().message()));
  }
  return RewriteClaims(reading_, *wanted);
}

absl::StatusOr<Rewritten> ClaimStateFile::Salvage() const {
  if (!verdict_.decoded) return SalvageClaims(bytes_, format_);
  Rewritten rewritten = RewriteClaims(reading_, format_);
  if (!verdict_.valid) {
    rewritten.lost.insert(rewritten.lost.begin(),
                          "nothing that can be seen, but the checksum was wrong, so nothing vouches for the content");
  }
  return rewritten;
}

}  // namespace kubelet_cm::cmctl

#include "tools/cmctl/checkpoint/claim_salvage.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_document.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/dra_salvage.h"
#include "dra/checkpoint/legacy_codec.h"
#include "tools/cmctl/checkpoint/claim_rewriting.h"

namespace kubelet_cm::cmctl {
namespace {

// What stands behind the first `mark`.
std::optional<std::string_view> Behind(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + mark.size());
}

// The object at the start of `text`; nothing if it does not end.
std::optional<std::string_view> FirstObject(std::string_view text) {
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (in_string) {
      if (text[i] == '\\')
        ++i;
      else
        in_string = text[i] != '"';
    } else if (text[i] == '"') {
      in_string = true;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}' && --depth == 0) {
      return text.substr(0, i + 1);
    }
  }
  return std::nullopt;
}

struct Pieces {
  std::vector<std::string_view> claims;
  bool cut_off = false;  // in the middle of one
  bool ended = false;    // the list's closing bracket was met
};

Pieces SplitList(std::string_view list) {
  Pieces pieces;
  while (!list.empty()) {
    const size_t next = list.find_first_of("{]");
    if (next == std::string_view::npos) return pieces;
    if (list[next] == ']') {
      pieces.ended = true;
      return pieces;
    }
    const auto claim = FirstObject(list.substr(next));
    if (!claim.has_value()) {
      pieces.cut_off = true;
      return pieces;
    }
    pieces.claims.push_back(*claim);
    list.remove_prefix(next + claim->size());
  }
  return pieces;
}

dra::LegacyClaimList DecodePieces(const Pieces& pieces, DraFormat format, std::vector<std::string>* lost) {
  std::vector<dra::LegacyClaim> claims;
  size_t number = 0;
  for (const std::string_view piece : pieces.claims) {
    ++number;
    const auto document = JsonDocument::Parse(piece);
    dra::LegacyClaim claim;
    const absl::Status status =
        document.ok() ? dra::DecodeLegacyClaim(document->root(), format, &claim) : document.status();
    if (status.ok()) {
      claims.push_back(std::move(claim));
    } else {
      lost->push_back(absl::StrCat("claim number ", number, " of the list: ", status.message()));
    }
  }
  if (pieces.cut_off) lost->push_back(absl::StrCat("claim number ", number + 1, " of the list: the file ends in it"));
  if (!pieces.ended) lost->push_back("all claims behind it: the file ends before its list does");
  dra::LegacyClaimList list;
  list.Set(std::move(claims));
  return list;
}

// In its own format, because the newest cannot hold all of it.
void SalvageLegacy(std::string_view bytes, DraFormat format, Rewritten* rewritten) {
  const auto list = Behind(bytes, "\"entries\":[");
  const Pieces pieces = list.has_value() ? SplitList(*list) : Pieces();
  if (!list.has_value()) rewritten->lost.emplace_back("every claim: no list of claims is left in the file");
  const dra::LegacyClaimList claims = DecodePieces(pieces, format, &rewritten->lost);
  rewritten->bytes = dra::EncodeLegacy(claims, format, EscapesOf(format));
}

}  // namespace

Rewritten SalvageClaims(std::string_view bytes, DraFormat format) {
  Rewritten rewritten{std::string(FormatName(format)), "", {}};
  if (format < DraFormat::k131) {
    SalvageLegacy(bytes, format, &rewritten);
    if (format == DraFormat::k128) {
      rewritten.lost.emplace_back(
          "which of 1.28, 1.29 and 1.30 wrote it: this is for 1.28 and 1.29, --to dra-1.30 for 1.30");
    }
    rewritten.lost.emplace_back("the checksum's word: nothing vouches for the claims that were saved");
    return rewritten;
  }
  const dra::DraSalvage salvage = dra::SalvageDra(bytes);
  for (const CheckpointProblem& problem : salvage.problems) {
    const std::string place = problem.offset.has_value() ? absl::StrCat(" (at byte ", *problem.offset, ")") : "";
    rewritten.lost.push_back(problem.text + place);
  }
  rewritten.bytes = dra::EncodeClaims(salvage.claims, format, EscapesOf(format)).bytes;
  return rewritten;
}

}  // namespace kubelet_cm::cmctl

#include "tools/cmctl/checkpoint/claim_salvage.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_string.h"
#include "dra/checkpoint/claim_codec.h"
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

// How long the character at the start of a JSON string's body is; 0 where the string ends, rightly or not.
size_t CharacterWidth(std::string_view body) {
  if (body[0] == '"' || static_cast<unsigned char>(body[0]) < 0x20) return 0;
  if (body[0] != '\\') return 1;
  if (body.size() < 2 || std::string_view("\"\\/bfnrtu").find(body[1]) == std::string_view::npos) return 0;
  if (body[1] != 'u') return 2;
  const std::string_view digits = body.substr(2, 4);
  const auto is_digit = [](char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); };
  return digits.size() == 4 && std::all_of(digits.begin(), digits.end(), is_digit) ? 6 : 0;
}

// The part of a JSON string's body, perhaps cut off, that is right.
std::string_view RightPart(std::string_view body) {
  size_t end = 0;
  while (end < body.size()) {
    const size_t width = CharacterWidth(body.substr(end));
    if (width == 0) break;
    end += width;
  }
  return body.substr(0, end);
}

// The JSON in which the list of claims stands, as far as it is there, from behind the list's bracket.
std::optional<std::string> ListText(std::string_view bytes, DraFormat format) {
  if (format < DraFormat::k131) {
    const auto list = Behind(bytes, "\"entries\":[");
    return list.has_value() ? std::optional<std::string>(*list) : std::nullopt;
  }
  const auto body = Behind(bytes, "\"Data\":\"");
  if (!body.has_value()) return std::nullopt;
  std::string inner;
  AppendUnquotedJson(RightPart(*body), &inner);
  const auto list = Behind(inner, "\"ClaimInfoStateList\":[");
  return list.has_value() ? std::optional<std::string>(*list) : std::nullopt;
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

// Decodes with `decode` what can be, into a list.
template <typename List, typename Decode>
List DecodePieces(const Pieces& pieces, Decode decode, std::vector<std::string>* lost) {
  std::vector<typename List::value_type> claims;
  size_t number = 0;
  for (const std::string_view piece : pieces.claims) {
    ++number;
    const auto document = JsonDocument::Parse(piece);
    typename List::value_type claim;
    const absl::Status status = document.ok() ? decode(document->root(), &claim) : document.status();
    if (status.ok()) {
      claims.push_back(std::move(claim));
    } else {
      lost->push_back(absl::StrCat("claim number ", number, " of the list: ", status.message()));
    }
  }
  if (pieces.cut_off) lost->push_back(absl::StrCat("claim number ", number + 1, " of the list: the file ends in it"));
  if (!pieces.ended) lost->push_back("all claims behind it: the file ends before its list does");
  List list;
  list.Set(std::move(claims));
  return list;
}

}  // namespace

Rewritten SalvageClaims(std::string_view bytes, DraFormat format) {
  Rewritten rewritten{std::string(FormatName(format)), "", {}};
  const std::optional<std::string> text = ListText(bytes, format);
  const Pieces pieces = text.has_value() ? SplitList(*text) : Pieces();
  if (!text.has_value()) rewritten.lost.emplace_back("every claim: no list of claims is left in the file");
  if (format < DraFormat::k131) {
    const auto decode = [&](JsonValue value, dra::LegacyClaim* out) {
      return dra::DecodeLegacyClaim(value, format, out);
    };
    const auto claims = DecodePieces<dra::LegacyClaimList>(pieces, decode, &rewritten.lost);
    rewritten.bytes = dra::EncodeLegacy(claims, format, EscapesOf(format));
  } else {
    const auto decode = [&](JsonValue value, dra::ClaimState* out) { return dra::DecodeClaim(value, format, out); };
    const auto claims = DecodePieces<dra::ClaimList>(pieces, decode, &rewritten.lost);
    rewritten.bytes = dra::EncodeClaims(claims, format, EscapesOf(format)).bytes;
  }
  rewritten.lost.emplace_back("the checksum's word: nothing vouches for the claims that were saved");
  return rewritten;
}

}  // namespace kubelet_cm::cmctl

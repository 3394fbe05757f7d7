#include "common/gotext/json_scanner.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/gotext/byte_scan.h"
#include "common/gotext/json_error.h"
#include "common/gotext/json_string.h"
#include "common/gotext/quote.h"
#include "simdjson.h"

namespace kubelet_cm {
namespace {

constexpr std::string_view kWantsValue = "looking for beginning of value";
constexpr std::string_view kWantsKey = "looking for beginning of object key string";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The first byte at or behind `from` that ends or interrupts a string, the text's size if there is none. Sets `ascii`
// to false if a byte before it is not ASCII.
size_t FindStringStop(std::string_view text, size_t from, bool* ascii) {
  uint64_t high_bits = 0;
  size_t i = from;
  for (; i + WideBlock::kWidth <= text.size(); i += WideBlock::kWidth) {
    const WideBlock block(text.data() + i);
    const uint64_t stop = ReadStop::Match(block);
    if (stop != 0) {
      // Only what lies before the stop counts.
      high_bits |= block.HighBit() & ((stop & -stop) - 1);
      *ascii = *ascii && high_bits == 0;
      return i + WideBlock::First(stop);
    }
    high_bits |= block.HighBit();
  }
  for (; i < text.size() && !ReadStop::Match(text[i]); ++i) high_bits |= static_cast<uint8_t>(text[i]) & 0x80u;
  *ascii = *ascii && high_bits == 0;
  return i;
}

}  // namespace

JsonScanner::JsonScanner(std::string_view text, JsonTape* tape) : text_(text), tape_(tape) {}

absl::Status JsonScanner::Scan() {
  if (text_.size() > kMaxJsonBytes) {
    return absl::ResourceExhaustedError(absl::StrCat("read JSON: ", text_.size(), " bytes, more than ", kMaxJsonBytes));
  }
  tape_->text = text_;
  // At least what a state file has, so that it need not grow: devices have a value in 20 bytes, claims in 11. Memory
  // that is not used is not touched.
  tape_->nodes.reserve(text_.size() / 10 + 8);
  SkipSpace();
  while (!done_) {
    if (!ScanValue() || (value_complete_ && !FinishValue())) return std::move(error_);
  }
  return absl::OkStatus();
}

bool JsonScanner::ScanValue() {
  if (AtEnd()) return UnexpectedEnd();
  value_complete_ = true;
  switch (text_[pos_]) {
    case '"':
      return ScanString();
    case '{':
      return OpenObject();
    case '[':
      return OpenArray();
    case 't':
      return ScanLiteral("true", JsonKind::kTrue);
    case 'f':
      return ScanLiteral("false", JsonKind::kFalse);
    case 'n':
      return ScanLiteral("null", JsonKind::kNull);
    default:
      return ScanNumber();
  }
}

bool JsonScanner::OpenObject() {
  if (!Open(JsonKind::kObject)) return false;
  if (AtEnd()) return UnexpectedEnd();
  if (text_[pos_] == '}') {
    Close();
    return true;
  }
  value_complete_ = false;
  return ScanKey();
}

bool JsonScanner::OpenArray() {
  if (!Open(JsonKind::kArray)) return false;
  if (AtEnd()) return UnexpectedEnd();
  if (text_[pos_] == ']') {
    Close();
    return true;
  }
  value_complete_ = false;
  ++tape_->nodes.back().count;
  return true;
}

bool JsonScanner::Open(JsonKind kind) {
  if (open_.size() == kMaxJsonDepth) return Unexpected("exceeded max depth");
  open_.push_back(static_cast<uint32_t>(tape_->nodes.size()));
  AddNode(kind, pos_, 0);
  ++pos_;
  SkipSpace();
  return true;
}

void JsonScanner::Close() {
  JsonNode& node = tape_->nodes[open_.back()];
  open_.pop_back();
  node.end = static_cast<uint32_t>(++pos_);
  node.link = static_cast<uint32_t>(tape_->nodes.size());
}

bool JsonScanner::FinishValue() {
  while (!open_.empty()) {
    SkipSpace();
    if (AtEnd()) return UnexpectedEnd();
    JsonNode& container = tape_->nodes[open_.back()];
    const bool object = static_cast<JsonKind>(container.kind) == JsonKind::kObject;
    const char c = text_[pos_];
    if (c == ',') {
      ++pos_;
      SkipSpace();
      if (object) return ScanKey();
      ++container.count;
      return true;
    }
    if (c != (object ? '}' : ']')) return Unexpected(object ? "after object key:value pair" : "after array element");
    Close();
  }
  return FinishTop();
}

bool JsonScanner::FinishTop() {
  done_ = true;
  SkipSpace();
  return AtEnd() || Unexpected("after top-level value");
}

bool JsonScanner::ScanKey() {
  if (AtEnd()) return UnexpectedEnd();
  if (text_[pos_] != '"') return Unexpected(kWantsKey);
  ++tape_->nodes[open_.back()].count;
  if (!ScanString()) return false;
  SkipSpace();
  if (AtEnd()) return UnexpectedEnd();
  if (text_[pos_] != ':') return Unexpected("after object key");
  ++pos_;
  SkipSpace();
  return true;
}

bool JsonScanner::ScanString() {
  const size_t begin = pos_;
  bool ascii = true;
  const size_t stop = FindStringStop(text_, begin + 1, &ascii);
  if (stop == text_.size() || text_[stop] != '"') return ScanStringWithEscapes();
  if (!ascii && !simdjson::validate_utf8(text_.data() + begin, stop - begin)) return ScanStringWithEscapes();
  pos_ = stop + 1;
  AddNode(JsonKind::kString, begin, pos_);
  return true;
}

bool JsonScanner::ScanStringWithEscapes() {
  const size_t begin = pos_++;
  while (true) {
    pos_ += FindStop<ReadStop>(text_.data() + pos_, text_.size() - pos_);
    if (AtEnd()) return UnexpectedEnd();
    if (text_[pos_] == '"') break;
    if (text_[pos_] != '\\') return Unexpected("in string literal");
    if (!ScanEscape()) return false;
  }
  ++pos_;
  AddNode(JsonKind::kEscapedString, begin, pos_, tape_->unescaped.size());
  const size_t before = tape_->unescaped_text.size();
  AppendUnquotedJson(text_.substr(begin + 1, pos_ - begin - 2), &tape_->unescaped_text);
  tape_->unescaped.push_back({before, tape_->unescaped_text.size() - before});
  return true;
}

bool JsonScanner::ScanEscape() {
  ++pos_;
  const char letter = Current();
  if (letter != 'u') {
    if (std::string_view("\"\\/bfnrt").find(letter) == std::string_view::npos) {
      return Unexpected("in string escape code");
    }
    ++pos_;
    return true;
  }
  ++pos_;
  for (int digit = 0; digit < 4; ++digit, ++pos_) {
    if (!IsHexDigit(Current())) return Unexpected("in \\u hexadecimal character escape");
  }
  return true;
}

bool JsonScanner::ScanNumber() {
  const size_t begin = pos_;
  if (Current() == '-') {
    ++pos_;
    if (!IsDigit(Current())) return Unexpected("in numeric literal");
  } else if (!IsDigit(Current())) {
    return Unexpected(kWantsValue);
  }
  if (Current() == '0') {
    ++pos_;
  } else {
    while (IsDigit(Current())) ++pos_;
  }
  if (Current() == '.') {
    ++pos_;
    if (!ScanDigits("after decimal point in numeric literal")) return false;
  }
  if (Current() == 'e' || Current() == 'E') {
    ++pos_;
    if (Current() == '+' || Current() == '-') ++pos_;
    if (!ScanDigits("in exponent of numeric literal")) return false;
  }
  AddNode(JsonKind::kNumber, begin, pos_);
  return true;
}

bool JsonScanner::ScanDigits(std::string_view complaint) {
  if (!IsDigit(Current())) return Unexpected(complaint);
  while (IsDigit(Current())) ++pos_;
  return true;
}

bool JsonScanner::ScanLiteral(std::string_view word, JsonKind kind) {
  const size_t begin = pos_++;
  for (const char wanted : word.substr(1)) {
    if (Current() != wanted) {
      return Unexpected(absl::StrCat("in literal ", absl::string_view(word.data(), word.size()), " (expecting '",
                                     std::string(1, wanted), "')"));
    }
    ++pos_;
  }
  AddNode(kind, begin, pos_);
  return true;
}

void JsonScanner::SkipSpaces() {
  while (!AtEnd() && IsSpace(text_[pos_])) ++pos_;
}

void JsonScanner::AddNode(JsonKind kind, size_t begin, size_t end, size_t link) {
  tape_->nodes.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end), static_cast<uint32_t>(link),
                          static_cast<uint32_t>(kind), 0});
}

bool JsonScanner::Unexpected(std::string_view context) {
  const size_t offset = AtEnd() ? pos_ : pos_ + 1;
  error_ = JsonError(absl::StrCat("invalid character ", GoQuoteByte(Current()), " ",
                                  absl::string_view(context.data(), context.size())),
                     static_cast<int64_t>(offset));
  return false;
}

bool JsonScanner::UnexpectedEnd() {
  error_ = JsonError("unexpected end of JSON input", static_cast<int64_t>(text_.size()));
  return false;
}

}  // namespace kubelet_cm

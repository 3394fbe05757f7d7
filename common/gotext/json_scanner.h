// Checks the syntax of a JSON text by the rules of Go's encoding/json, to the letter of its error texts, and lays the
// document out as a JsonTape.
//
// The project reads other input with libraries; this is written by hand because no library has Go's rules. simdjson
// 3.0.1, the distribution's, refuses what Go accepts (bytes that are not UTF-8, unpaired surrogate escapes, numbers
// that fit neither 64 bits nor a double, nesting deeper than it was told), reads "-0" as 0, which Go refuses for an
// unsigned field, and drops what Go's errors name: where a value stood and how a number was spelt. Since the kubelet's
// verdict on a damaged file must be told exactly, a second scanner with Go's rules would have to stand behind it
// anyway; this one alone reads a checkpoint of 5 MB in less time than simdjson with a new parser, and there are no two
// readers to disagree. simdjson does what it does soundly: it validates UTF-8, and the tests hold this scanner against
// it.
//
// No recursion: what is open is kept in a list of bounded length.
#ifndef KUBELET_CM_COMMON_GOTEXT_JSON_SCANNER_H_
#define KUBELET_CM_COMMON_GOTEXT_JSON_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "common/gotext/json_tape.h"

namespace kubelet_cm {

// As in Go; one more is an error.
inline constexpr size_t kMaxJsonDepth = 10000;

// Some four hundred thousand containers with devices. The tape takes up to 8 bytes for each byte of text (as in
// [0,0,0]), so this also bounds the memory that a hostile file costs.
inline constexpr size_t kMaxJsonBytes = size_t{256} << 20;

// One scan of one text; made for it and thrown away.
class JsonScanner {
 public:
  // Fills `tape`, which the caller owns and which then refers to `text`.
  JsonScanner(std::string_view text, JsonTape* tape);
  JsonScanner(const JsonScanner&) = delete;
  JsonScanner& operator=(const JsonScanner&) = delete;

  // InvalidArgument with Go's text and JsonErrorOffset (json_error.h) for what Go refuses; ResourceExhausted for a text
  // longer than kMaxJsonBytes.
  absl::Status Scan();

 private:
  // Each of these starts at pos_, moves it behind what it read, and returns false after setting error_.
  bool ScanValue();
  bool ScanKey();
  bool ScanString();
  bool ScanStringWithEscapes();
  bool ScanEscape();
  bool ScanNumber();
  bool ScanDigits(std::string_view complaint);
  bool ScanLiteral(std::string_view word, JsonKind kind);
  bool Open(JsonKind kind);
  bool OpenObject();
  bool OpenArray();

  // Behind a value: closes what ends here and stops before the next value, or at the end with done_ set.
  bool FinishValue();
  bool FinishTop();
  void Close();

  void SkipSpace() {
    // Kubelets write none.
    if (AtEnd() || static_cast<uint8_t>(text_[pos_]) > ' ') return;
    SkipSpaces();
  }
  void SkipSpaces();
  bool AtEnd() const { return pos_ == text_.size(); }
  // The byte at pos_. At the end Go's scanner is given a space to see whether a number was complete.
  char Current() const { return AtEnd() ? ' ' : text_[pos_]; }

  void AddNode(JsonKind kind, size_t begin, size_t end, size_t link = 0);
  bool Unexpected(std::string_view context);
  bool UnexpectedEnd();

  const std::string_view text_;
  JsonTape* const tape_;
  size_t pos_ = 0;
  // Whether a value just read left something to be closed or continued (false right behind an opening bracket).
  bool value_complete_ = false;
  bool done_ = false;
  std::vector<uint32_t> open_;  // the nodes of the arrays and objects around pos_
  absl::Status error_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_JSON_SCANNER_H_

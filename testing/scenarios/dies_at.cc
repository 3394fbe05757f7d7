#include "testing/scenarios/dies_at.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "re2/re2.h"
#include "testing/scenarios/named_points.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr std::string_view kRegister = "Register";

// Calls of which a node in memory has edges.
bool HasEdges(const std::string& call) {
  return call == kRegister || IsPluginMethod(call) || call == MethodOf(proto::DriverFault::NODE_PREPARE_RESOURCES) ||
         call == MethodOf(proto::DriverFault::NODE_UNPREPARE_RESOURCES);
}

std::string Nth(int32_t nth) {
  if (nth <= 1) return "";
  const bool teen = nth % 100 / 10 == 1;
  const int32_t last = teen ? 0 : nth % 10;
  return absl::StrCat(nth, last == 1 ? "st " : last == 2 ? "nd " : last == 3 ? "rd " : "th ");
}

void CheckPoint(const proto::DiesAt& dies_at, const TextPlace& place) {
  if (!NamedPointOf(dies_at.point()).has_value()) {
    place.Complain("point", absl::StrCat("there is no such point; these are known: ", NamesOfPoints()));
  }
  if (dies_at.after()) place.Complain("after", "a point says by itself what has been done");
}

// With the call or the operation that its point stands for.
proto::DiesAt Spelled(const proto::DiesAt& dies_at) {
  const std::optional<NamedPoint> point = NamedPointOf(dies_at.point());
  if (!point.has_value()) return dies_at;
  proto::DiesAt spelled;
  spelled.set_call(std::string(point->call));
  spelled.set_op(std::string(point->op));
  spelled.set_path(std::string(point->path));
  spelled.set_after(point->after);
  spelled.set_nth(dies_at.nth());
  return spelled;
}

}  // namespace

void CheckDiesAt(const proto::DiesAt& dies_at, const TextPlace& place) {
  const int ways =
      (dies_at.call().empty() ? 0 : 1) + (dies_at.op().empty() ? 0 : 1) + (dies_at.point().empty() ? 0 : 1);
  if (ways != 1) place.Complain("call", "DiesAt needs one of call, op and point");
  if (!dies_at.point().empty()) CheckPoint(dies_at, place);
  if (!dies_at.call().empty() && !HasEdges(dies_at.call())) {
    place.Complain("call", "is no call of which it is known when it is sent and when it is answered");
  }
  if (!dies_at.op().empty() && !FileOpOf(dies_at.op()).has_value()) place.Complain("op", "is no file operation");
  if (!RE2(dies_at.path(), RE2::Quiet).ok()) place.Complain("path", "is no regular expression");
  if (!dies_at.path().empty() && dies_at.op().empty()) place.Complain("path", "goes with op");
  if (dies_at.nth() < 0) place.Complain("nth", "operations and calls are counted from 1");
  if (dies_at.written() < 0) place.Complain("written", "a count is not negative");
  if (dies_at.written() > 0 && (dies_at.after() || !dies_at.op().starts_with("write"))) {
    place.Complain("written", "goes with a write that does not take effect as a whole");
  }
}

Fault FaultOf(const proto::DiesAt& place) {
  const proto::DiesAt dies_at = Spelled(place);
  Fault fault{.nth = static_cast<uint64_t>(std::max(1, dies_at.nth())),
              .effect = dies_at.after() ? FaultEffect::kStopAfter : FaultEffect::kStopBefore,
              .bytes_written = static_cast<size_t>(dies_at.written())};
  if (dies_at.call().empty()) {
    fault.ops = {*FileOpOf(dies_at.op())};
    fault.path_pattern = dies_at.path();
    // A large file changes places with the one that it replaces.
    if (!place.point().empty() && fault.ops.front() == FileOp::kRename) fault.ops.push_back(FileOp::kExchange);
  } else {
    fault.ops = {FileOp::kStat};
    fault.path_pattern = absl::StrCat("^/call/.*/", dies_at.call(), dies_at.after() ? "/answered$" : "/sent$");
  }
  return fault;
}

std::optional<std::string> CallBeforeWhich(const proto::DiesAt& dies_at) {
  const proto::DiesAt place = Spelled(dies_at);
  if (place.call().empty() || place.after()) return std::nullopt;
  return place.call();
}

std::string Describe(const proto::DiesAt& dies_at) {
  if (const std::optional<NamedPoint> point = NamedPointOf(dies_at.point()); point.has_value()) {
    const std::string nth = dies_at.nth() > 1 ? absl::StrCat("the ", Nth(dies_at.nth())) : "";
    return absl::StrCat("at ", nth, dies_at.point(), " (", std::string(point->meaning), ")");
  }
  if (!dies_at.call().empty()) {
    const std::string call = absl::StrCat(dies_at.nth() > 1 ? "the " : "", Nth(dies_at.nth()), dies_at.call());
    return dies_at.after() ? absl::StrCat("when ", call, " has been answered")
                           : absl::StrCat("before ", call, " is sent");
  }
  const std::string where = dies_at.path().empty() ? "" : absl::StrCat(" of ", dies_at.path());
  const std::string op = absl::StrCat("the ", Nth(dies_at.nth()), dies_at.op(), where);
  if (dies_at.after()) return absl::StrCat("after ", op);
  if (dies_at.written() == 0) return absl::StrCat("before ", op);
  return absl::StrCat("in ", op, ", of which ", dies_at.written(), " bytes arrive");
}

}  // namespace kubelet_cm::scenarios

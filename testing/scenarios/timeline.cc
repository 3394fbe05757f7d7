#include "testing/scenarios/timeline.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr int kNameWidth = 230;
constexpr int kColumn = 46;
constexpr int kLane = 26;
constexpr int kTop = 34;
constexpr int kBar = 16;
constexpr size_t kMostColumns = 16;  // of a drawing: what a page has room for

// What is so in a lane after each step: a text (empty where nothing is), by column.
struct Lane {
  std::string name;
  std::string kind;  // a class of the style sheet
  std::vector<std::string> cells;
};

std::string Escaped(const std::string& text) {
  std::string clean;
  for (const char c : text) clean.push_back(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  return absl::StrReplaceAll(clean, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

std::string TimeOf(absl::Duration at) { return absl::FormatDuration(absl::Trunc(at, absl::Milliseconds(100))); }

// The lanes that steps mention, each in its kind's order.
class Lanes {
 public:
  explicit Lanes(const Story& story) : steps_(story.steps.size()) {
    for (size_t i = 0; i < steps_; ++i) {
      const Picture& picture = story.steps[i].after;
      Put("", "kubelet", "kubelet", i, picture.kubelet);
      for (const auto& [plugin, resource] : picture.plugins) Put("plugin ", "plugin", plugin, i, resource);
      for (const std::string& driver : picture.drivers) Put("driver ", "driver", driver, i, "up");
      for (const auto& [pod, devices] : picture.held) {
        for (const std::string& device : devices) Put("", "device", device, i, pod);
      }
      for (const auto& [claim, pods] : picture.claims) {
        Put("claim ", "claim", claim, i, pods.empty() ? "nobody" : absl::StrJoin(pods, ", "));
      }
    }
  }

  std::vector<Lane> InOrder() const {
    std::vector<Lane> ordered;
    for (const char* kind : {"kubelet", "plugin", "driver", "device", "claim"}) {
      for (const auto& [key, lane] : lanes_) {
        if (key.first == kind) ordered.push_back(lane);
      }
    }
    return ordered;
  }

 private:
  void Put(const std::string& prefix, const std::string& kind, const std::string& name, size_t column,
           const std::string& text) {
    Lane& lane = lanes_[{kind, name}];
    lane.name = prefix + name;
    lane.kind = kind;
    lane.cells.resize(steps_);
    std::string& cell = lane.cells[column];
    // A device that two pods hold is what one looks for.
    cell = cell.empty() ? text : absl::StrCat(cell, " + ", text);
  }

  const size_t steps_;
  std::map<std::pair<std::string, std::string>, Lane> lanes_;
};

// The columns of one drawing: a long story has several, below each other, so that it can be printed.
struct Columns {
  size_t first = 0;
  size_t end = 0;

  int Left(size_t column) const { return kNameWidth + static_cast<int>(column - first) * kColumn; }
};

std::string Bars(const Lane& lane, int y, const Columns& columns) {
  std::string svg;
  for (size_t from = columns.first; from < columns.end;) {
    size_t to = from + 1;
    while (to < columns.end && lane.cells[to] == lane.cells[from]) ++to;
    const std::string text = Escaped(lane.cells[from]);
    if (!text.empty()) {
      const int width = static_cast<int>(to - from) * kColumn - 4;
      const bool twice = lane.kind == "device" && lane.cells[from].find(" + ") != std::string::npos;
      absl::StrAppend(&svg, "<g><title>", Escaped(lane.name), ": ", text, "</title><rect class=\"",
                      twice ? "twice" : lane.kind, "\" x=\"", columns.Left(from) + 2, "\" y=\"", y, "\" width=\"",
                      width, "\" height=\"", kBar, "\" rx=\"3\"/><svg x=\"", columns.Left(from) + 2, "\" y=\"", y,
                      "\" width=\"", width, "\" height=\"", kBar, "\"><text class=\"in\" x=\"5\" y=\"12\">", text,
                      "</text></svg></g>\n");
    }
    from = to;
  }
  return svg;
}

std::string MarkOf(KubeletEvent event) {
  if (event == KubeletEvent::kEnded) return "ended";
  return event == KubeletEvent::kStarted ? "started" : "refused";
}

// What is seen at a glance of a step: side by side over the width of its column.
std::vector<std::string> MarksOf(const StoryStep& step) {
  if (!step.failures.empty()) return {"failed"};
  std::vector<std::string> marks;
  for (const KubeletEvent event : step.kubelet) marks.push_back(MarkOf(event));
  return marks;
}

std::string Marks(const Story& story, int height, const Columns& columns) {
  std::string svg;
  for (size_t i = columns.first; i < columns.end; ++i) {
    const StoryStep& step = story.steps[i];
    const int middle = columns.Left(i) + kColumn / 2;
    const std::vector<std::string> marks = MarksOf(step);
    for (size_t m = 0; m < marks.size(); ++m) {
      const int from = kColumn * static_cast<int>(m) / static_cast<int>(marks.size());
      const int to = kColumn * static_cast<int>(m + 1) / static_cast<int>(marks.size());
      absl::StrAppend(&svg, "<rect class=\"", marks[m], "\" x=\"", columns.Left(i) + from, "\" y=\"0\" width=\"",
                      to - from, "\" height=\"", height, "\"/>\n");
    }
    absl::StrAppend(&svg, "<g><title>", Escaped(step.text), "</title><text class=\"number\" x=\"", middle,
                    "\" y=\"14\">", step.number > 0 ? absl::StrCat(step.number) : "&#183;", "</text></g>\n");
    if (i > 0 && step.at != story.steps[i - 1].at) {
      absl::StrAppend(&svg, "<text class=\"time\" x=\"", middle, "\" y=\"27\">", Escaped(TimeOf(step.at)), "</text>\n");
    }
  }
  return svg;
}

std::string Writes(const Story& story, int y, const Columns& columns) {
  std::string svg = absl::StrCat("<text class=\"name\" x=\"4\" y=\"", y + 12, "\">files written</text>\n");
  for (size_t i = columns.first; i < columns.end; ++i) {
    if (story.steps[i].writes == 0) continue;
    absl::StrAppend(&svg, "<text class=\"write\" x=\"", columns.Left(i) + kColumn / 2, "\" y=\"", y + 12, "\">",
                    story.steps[i].writes, "</text>\n");
  }
  return svg;
}

std::string Drawing(const Story& story, const std::vector<Lane>& lanes, const Columns& columns) {
  const int height = kTop + (static_cast<int>(lanes.size()) + 1) * kLane;
  const int width = columns.Left(columns.end) + 4;
  std::string svg = absl::StrCat("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", width, " ", height,
                                 "\" width=\"", width, "\" role=\"img\" aria-label=\"timeline\">\n");
  absl::StrAppend(&svg, Marks(story, height, columns));
  int y = kTop;
  for (const Lane& lane : lanes) {
    absl::StrAppend(&svg, "<line class=\"lane\" x1=\"0\" x2=\"", width, "\" y1=\"", y + kBar + 4, "\" y2=\"",
                    y + kBar + 4, "\"/><text class=\"name\" x=\"4\" y=\"", y + 12, "\">", Escaped(lane.name),
                    "</text>\n", Bars(lane, y, columns));
    y += kLane;
  }
  absl::StrAppend(&svg, Writes(story, y, columns), "</svg>\n");
  return svg;
}

std::string Drawings(const Story& story) {
  const std::vector<Lane> lanes = Lanes(story).InOrder();
  std::string all;
  for (size_t first = 0; first < story.steps.size(); first += kMostColumns) {
    const Columns columns = {first, std::min(first + kMostColumns, story.steps.size())};
    absl::StrAppend(&all, "<div class=\"drawing\">\n", Drawing(story, lanes, columns), "</div>\n");
  }
  return all;
}

std::string Words(const Story& story) {
  std::string rows;
  for (const StoryStep& step : story.steps) {
    absl::StrAppend(&rows, "<tr", step.failures.empty() ? "" : " class=\"bad\"", "><td>",
                    step.number > 0 ? absl::StrCat(step.number) : "", "</td><td>",
                    step.line > 0 ? absl::StrCat(step.line) : "", "</td><td>", Escaped(TimeOf(step.at)), "</td><td>",
                    Escaped(step.text));
    if (!step.log.empty()) absl::StrAppend(&rows, "<details><summary>the kubelet's log</summary><pre>");
    for (const std::string& line : step.log) absl::StrAppend(&rows, Escaped(line), "\n");
    if (!step.log.empty()) absl::StrAppend(&rows, "</pre></details>");
    for (const std::string& failure : step.failures) {
      absl::StrAppend(&rows, "<div class=\"failure\">", Escaped(failure), "</div>");
    }
    absl::StrAppend(&rows, "</td></tr>\n");
  }
  return rows;
}

constexpr char kStyle[] = R"(
body { font: 14px/1.45 system-ui, sans-serif; margin: 2em; color: #222; background: #fff; }
h1 { font-size: 1.4em; margin: 0 0 .2em; }
.outcome { font-weight: 600; } .bad .failure, .no { color: #b00020; font-weight: 600; } .yes { color: #1b6e3a; }
.drawing { overflow-x: auto; border: 1px solid #ccc; margin: 1em 0; }
svg text { font: 11px system-ui, sans-serif; fill: #222; }
svg .number, svg .time, svg .write { text-anchor: middle; } svg .number { font-weight: 600; }
svg .time { font-size: 9px; fill: #555; } svg .lane { stroke: #e4e4e4; }
svg .kubelet { fill: #c9d8f0; stroke: #5b7fb9; } svg .plugin { fill: #d5ecd4; stroke: #5f9e5c; }
svg .driver { fill: #e5dcf3; stroke: #8a6db8; } svg .device { fill: #fbe7c0; stroke: #c69a3a; }
svg .claim { fill: #d3eef0; stroke: #4a9aa2; } svg .twice { fill: #ffb3b3; stroke: #b00020; stroke-width: 2; }
svg .ended { fill: #222; opacity: .14; } svg .started { fill: #5b7fb9; opacity: .16; }
svg .refused { fill: #e08a00; opacity: .3; } svg .failed { fill: #b00020; opacity: .22; }
table { border-collapse: collapse; } td, th { padding: .15em .7em; text-align: left; vertical-align: top; }
tr { border-top: 1px solid #eee; } tr.bad { background: #fdecee; }
@page { size: landscape; margin: 10mm; }
@media print { body { margin: 0; } .drawing { overflow: visible; border: 0; break-inside: avoid; }
  .drawing > svg { max-width: 100%; height: auto; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } tr { break-inside: avoid; } }
)";

}  // namespace

std::string TimelineHtml(const Story& story, const std::string& disturbed_by) {
  const std::string title = Escaped(absl::StrCat(story.name, story.version.empty() ? "" : ", as kubelet ",
                                                 story.version, disturbed_by.empty() ? "" : ": ", disturbed_by));
  return absl::StrCat("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>", title,
                      "</title>\n<style>", kStyle, "</style>\n</head>\n<body>\n<h1>", title, "</h1>\n<p>",
                      Escaped(story.teaches), "</p>\n<p class=\"outcome ",
                      story.passed() ? "yes\">passed" : "no\">failed", "</p>\n", Drawings(story),
                      "<p>A column is a step. Dark: the kubelet ended; blue: one started; orange: one refused to "
                      "start; red: not as expected, or a device that two pods "
                      "hold.</p>\n<table>\n<tr><th>step</th><th>line</th><th>time</th><th>what "
                      "happened</th></tr>\n",
                      Words(story), "</table>\n</body>\n</html>\n");
}

}  // namespace kubelet_cm::scenarios

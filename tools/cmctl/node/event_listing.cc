#include "tools/cmctl/node/event_listing.h"

#include <memory>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/state_json.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/node/answer_text.h"
#include "tools/cmctl/node/daemon_connection.h"
#include "tools/cmctl/node/node_listing.h"
#include "tools/cmctl/node/row_printer.h"

namespace kubelet_cm::cmctl {
namespace {

v1::WatchRequest RequestFor(const std::string& kind, bool until_now) {
  v1::WatchRequest request;
  request.set_from_start(true);
  request.set_until_now(until_now);
  if (!kind.empty()) request.add_kinds(kind);
  return request;
}

// Whether it is the number of an event, or what -o name prints of it; else it is a kind.
bool IsNumber(const std::string& name, uint64_t* number) {
  constexpr std::string_view kKind = "event/";
  return absl::SimpleAtoi(Abseil(name.starts_with(kKind) ? std::string_view(name).substr(kKind.size()) : name), number);
}

absl::StatusOr<std::vector<v1::Event>> OneEvent(ControlClient& daemon, uint64_t number) {
  ASSIGN_OR_RETURN(std::vector<v1::Event> events, KeptEvents(daemon, ""));
  for (v1::Event& event : events) {
    if (event.number() == number) return std::vector<v1::Event>{std::move(event)};
  }
  return absl::NotFoundError(absl::StrCat("no event ", number, " is kept"));
}

class EventPrinter {
 public:
  EventPrinter(const EventOptions& options, const ToolEnvironment& environment)
      : options_(options), environment_(environment) {}

  absl::Status Print(const std::vector<v1::Event>& events) {
    for (const v1::Event& event : events) {
      if (event.lost() == 0) continue;
      environment_.err << "cmctl: " << Counted(event.lost(), "event is", "events are")
                       << " not kept any more, before number " << event.number() << "\n";
    }
    if (options_.output == "json" || options_.output == "yaml") return PrintMessages(events);
    const Listing listing = ListEvents(events, options_.output == "wide");
    if (options_.output == "name") {
      for (const ListedItem& item : listing.items) environment_.out << Printable(item.name) << "\n";
      environment_.out.flush();
      return absl::OkStatus();
    }
    if (rows_ == nullptr) rows_ = std::make_unique<RowPrinter>(environment_.out, listing.headings, options_.headings);
    std::vector<std::vector<std::string>> rows;
    for (const ListedItem& item : listing.items) rows.push_back(item.cells);
    if (!rows.empty()) rows_->Print(rows);
    return absl::OkStatus();
  }

 private:
  absl::Status PrintMessages(const std::vector<v1::Event>& events) {
    for (const v1::Event& event : events) {
      ASSIGN_OR_RETURN(const std::string json, AnswerJson(event));
      environment_.out << (options_.output == "yaml" ? "---\n" + YamlOf(json) : json + "\n");
    }
    environment_.out.flush();
    return absl::OkStatus();
  }

  const EventOptions& options_;
  const ToolEnvironment& environment_;
  std::unique_ptr<RowPrinter> rows_;
};

}  // namespace

absl::StatusOr<std::vector<v1::Event>> KeptEvents(ControlClient& daemon, const std::string& kind) {
  const std::unique_ptr<EventStream> stream = daemon.Watch(RequestFor(kind, true));
  std::vector<v1::Event> events;
  absl::StatusOr<v1::Event> event = stream->Next();
  for (; event.ok(); event = stream->Next()) events.push_back(*std::move(event));
  if (!absl::IsOutOfRange(event.status())) return event.status();
  return events;
}

int PrintEvents(ControlClient& daemon, const EventOptions& options, const ToolEnvironment& environment) {
  EventPrinter printer(options, environment);
  uint64_t number = 0;
  const bool one = IsNumber(options.kind, &number);
  // One event is told, and does not change.
  if (!options.watch || one) {
    const absl::StatusOr<std::vector<v1::Event>> events =
        one ? OneEvent(daemon, number) : KeptEvents(daemon, options.kind);
    if (!events.ok()) return Complain(environment, "", events.status());
    const absl::Status printed = printer.Print(*events);
    if (!printed.ok()) return Complain(environment, "", printed);
    if (events->empty()) environment.err << "no events are known\n";
    return kOk;
  }
  const std::unique_ptr<EventStream> stream = daemon.Watch(RequestFor(options.kind, false));
  absl::StatusOr<v1::Event> event = stream->Next();
  for (; event.ok(); event = stream->Next()) {
    const absl::Status printed = printer.Print({*event});
    if (!printed.ok()) return Complain(environment, "", printed);
  }
  return Complain(environment, "the watch has ended", event.status());
}

}  // namespace kubelet_cm::cmctl

#include "tools/cmctl/node/get.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/node/answer_text.h"
#include "tools/cmctl/node/event_listing.h"
#include "tools/cmctl/node/node_answer.h"
#include "tools/cmctl/node/row_printer.h"

namespace kubelet_cm::cmctl {
namespace {

// Not all that changes is an event: lists are looked at anew this often.
constexpr absl::Duration kLookAnew = absl::Seconds(2);

// State is written at every change, and shows in no list.
constexpr char kStateWritten[] = "StateWritten";

bool IsTable(const GetOptions& options) { return options.output == "table" || options.output == "wide"; }

bool Same(std::vector<std::string> before, const std::vector<std::string>& now, std::optional<size_t> age_column) {
  if (age_column.has_value()) before[*age_column] = now[*age_column];
  return before == now;
}

// Prints one list: whole the first time, then what has changed in it.
class ListPrinter {
 public:
  ListPrinter(const GetOptions& options, const ToolEnvironment& environment)
      : options_(options), environment_(environment) {}

  absl::Status Print(const NodeAnswer& answer) {
    if (IsTable(options_)) {
      PrintRows(answer.listing);
    } else if (options_.output == "name") {
      PrintNames(answer.listing);
    } else {
      return PrintMessage(*answer.message);
    }
    return absl::OkStatus();
  }

  bool printed() const { return printed_; }

 private:
  void PrintRows(const Listing& listing) {
    if (rows_ == nullptr) {
      rows_ = std::make_unique<RowPrinter>(environment_.out, listing.headings, !options_.no_headers);
    }
    std::vector<std::vector<std::string>> changed;
    std::map<std::string, std::vector<std::string>> now;
    for (const ListedItem& item : listing.items) {
      const auto before = last_.find(item.name);
      if (before == last_.end() || !Same(before->second, item.cells, listing.age_column)) changed.push_back(item.cells);
      now[item.name] = item.cells;
    }
    for (auto& [name, cells] : last_) {
      if (now.contains(name)) continue;
      cells[listing.state_column] = "Gone";
      changed.push_back(cells);
    }
    if (!changed.empty()) rows_->Print(changed);
    printed_ = printed_ || !changed.empty();
    last_ = std::move(now);
  }

  void PrintNames(const Listing& listing) {
    std::map<std::string, std::vector<std::string>> now;
    for (const ListedItem& item : listing.items) {
      if (!last_.contains(item.name)) environment_.out << Printable(item.name) << "\n";
      now[item.name] = {};
    }
    environment_.out.flush();
    printed_ = printed_ || !now.empty();
    last_ = std::move(now);
  }

  absl::Status PrintMessage(const google::protobuf::Message& message) {
    const auto text = options_.watch ? AnswerJson(message) : AnswerText(message, options_.output);
    if (!text.ok()) return text.status();
    if (*text != last_text_) environment_.out << *text << (options_.watch ? "\n" : "") << std::flush;
    printed_ = true;
    last_text_ = *text;
    return absl::OkStatus();
  }

  const GetOptions& options_;
  const ToolEnvironment& environment_;
  std::unique_ptr<RowPrinter> rows_;
  std::map<std::string, std::vector<std::string>> last_;
  std::string last_text_;
  bool printed_ = false;
};

int GetList(ControlClient& daemon, const GetOptions& options, const ToolEnvironment& environment) {
  const NodeQuestion question{.kind = options.kind,
                              .name = options.name,
                              .namespace_name = options.namespace_name,
                              .wide = options.output == "wide"};
  std::unique_ptr<EventStream> events;
  ListPrinter printer(options, environment);
  while (true) {
    // Before the list, so that nothing happens between them.
    if (options.watch && events == nullptr) events = daemon.Watch({}, kLookAnew);
    const absl::StatusOr<NodeAnswer> answer = AskNode(daemon, question, environment.clock.WallNow());
    // Of a watch, what is asked for may come later, or come back.
    const bool wait = options.watch && absl::IsNotFound(answer.status());
    if (!answer.ok() && !wait) return Complain(environment, "", answer.status());
    if (answer.ok()) {
      const absl::Status printed = printer.Print(*answer);
      if (!printed.ok()) return Complain(environment, "", printed);
    }
    if (events == nullptr) break;
    absl::StatusOr<v1::Event> event = events->Next();
    while (event.ok() && event->kind() == kStateWritten) event = events->Next();
    if (absl::IsDeadlineExceeded(event.status())) {
      events.reset();
      continue;
    }
    if (!event.ok()) return Complain(environment, "the watch has ended", event.status());
  }
  if (!printer.printed()) environment.err << "no " << options.kind << " are known\n";
  return kOk;
}

}  // namespace

int RunGet(const GetOptions& options, const ToolEnvironment& environment) {
  if (options.watch && options.output == "yaml") {
    return Complain(environment, "", absl::InvalidArgumentError("a watch is told as table, wide, name or json"));
  }
  return WithDaemon(options.connection, environment, [&](ControlClient& daemon) {
    if (options.kind != "events") return GetList(daemon, options, environment);
    return PrintEvents(
        daemon,
        {.kind = options.name, .output = options.output, .watch = options.watch, .headings = !options.no_headers},
        environment);
  });
}

}  // namespace kubelet_cm::cmctl

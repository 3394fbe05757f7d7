#include "testing/scenarios/calls_under_way.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace kubelet_cm::scenarios {

void CallsUnderWay::Start(const std::string& what, const std::string& pod, std::function<Reply()> call) {
  auto slot = std::make_unique<Slot>();
  auto body = [&slot = *slot, call = std::move(call)] {
    Reply reply = call();
    MutexLock lock(&slot.mu);
    slot.reply = std::move(reply);
  };
  std::unique_ptr<Thread> thread = threads_.Start(absl::StrCat(what, " ", pod), std::move(body));
  calls_.push_back({.what = what, .pod = pod, .slot = std::move(slot), .thread = std::move(thread)});
}

std::vector<CallsUnderWay::Answer> CallsUnderWay::TakeAnswers() {
  std::vector<Answer> answers;
  std::vector<Call> waiting;
  for (Call& call : calls_) {
    std::optional<Reply> reply;
    {
      MutexLock lock(&call.slot->mu);
      reply = call.slot->reply;
    }
    if (reply.has_value()) {
      call.thread.reset();
      answers.push_back({.what = call.what, .pod = call.pod, .reply = *std::move(reply)});
    } else {
      waiting.push_back(std::move(call));
    }
  }
  calls_ = std::move(waiting);
  return answers;
}

std::vector<std::string> CallsUnderWay::WaitForTheCut() {
  std::vector<std::string> pods;
  for (Call& call : calls_) {
    call.thread.reset();
    pods.push_back(call.pod);
  }
  calls_.clear();
  return pods;
}

}  // namespace kubelet_cm::scenarios

#include "testing/fakes/fake_dra_client.h"

namespace kubelet_cm::fakes {
namespace {

ScriptedDriver::Claims IdsOf(dra::DraClient::Claims claims) {
  ScriptedDriver::Claims ids;
  for (const dra::ClaimRef& claim : claims) ids.push_back(claim.id);
  return ids;
}

}  // namespace

FakeDraClient::FakeDraClient(Threads& threads, ScriptedDriver& driver)
    : clock_(threads.clock()),
      driver_(driver),
      session_(driver.script().OpenSession()),
      disconnected_(threads, "end of a driver's client") {}

FakeDraClient::~FakeDraClient() { Disconnect(); }

absl::StatusOr<dra::ClaimAnswers> FakeDraClient::Prepare(Claims claims, absl::Duration timeout) {
  driver_.TellTimeLimit(timeout);
  return driver_.Prepare(session_, IdsOf(claims), clock_.MonotonicNow() + timeout);
}

absl::StatusOr<dra::ClaimAnswers> FakeDraClient::Unprepare(Claims claims, absl::Duration timeout) {
  driver_.TellTimeLimit(timeout);
  return driver_.Unprepare(session_, IdsOf(claims), clock_.MonotonicNow() + timeout);
}

absl::StatusOr<bool> FakeDraClient::WaitForConnectionChange(bool known) {
  if (!known && !disconnected_.HasBeenNotified()) return true;
  disconnected_.Wait();
  return absl::CancelledError("CANCELLED");
}

void FakeDraClient::Disconnect() {
  driver_.script().CloseSession(session_, absl::CancelledError("CANCELLED"));
  disconnected_.Notify();
}

}  // namespace kubelet_cm::fakes

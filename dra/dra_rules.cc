#include "dra/dra_rules.h"

namespace kubelet_cm::dra {
namespace {

CallWords WordsOf(int minor) {
  if (minor >= 34) return CallWords::kNewest;
  if (minor >= 31) return CallWords::kUntil133;
  if (minor == 30) return CallWords::kUntil130;
  if (minor >= 28) return CallWords::kUntil129;
  return minor == 27 ? CallWords::kUntil127 : CallWords::kUntil126;
}

}  // namespace

DraRules RulesOf(const Personality& kubelet) {
  DraRules rules;
  if (&kubelet == &LatestPersonality()) return rules;
  const int minor = kubelet.first.minor;
  rules.trust_devices = false;
  rules.parallel_calls = 1;
  rules.names.extended_resources = minor >= 34;
  rules.names.verbatim_requests = true;
  rules.words = WordsOf(minor);
  rules.guards_unpreparing = minor >= 37;
  rules.unprepare_asks = minor >= 37 ? UnprepareAsks::kIfNoneIsKnown : UnprepareAsks::kAlways;
  rules.stops_at_prepared = minor == 34 || minor == 35;
  rules.inverts_is_error = 32 <= minor && minor <= 35;
  rules.checks_uids = minor >= 34;
  rules.looks_at_all_first = minor >= 34;
  rules.stops_at_failure = true;
  rules.all_or_none = minor >= 31;
  rules.keeps_references = minor >= 31;
  rules.appends_devices = 31 <= minor && minor <= 35;
  rules.optional_node_operations = minor >= 37;
  rules.ignores_skipping = minor < 37;
  rules.pod_group_claims = minor >= 36;
  rules.health_messages = minor >= 36;
  if (minor >= 31) return rules;
  rules.intent_first = false;
  rules.reconciles = false;
  rules.names.only_used = true;
  rules.names.any_use_is_of_all = minor <= 27;
  rules.names.from_template_name = minor <= 27;
  rules.cdi_devices = minor >= 27;
  rules.annotations = minor <= 27 ? AnnotationKey::kClaimsDriver : AnnotationKey::kDriver;
  rules.fetches_known_claims = minor >= 28;
  rules.restored_is_prepared = minor == 27 || minor == 28;
  rules.fetches_to_unprepare = minor == 27;
  rules.writes_each_handle = minor == 27;
  rules.one_claim_a_call = minor <= 27;
  rules.publishes_models = minor == 30;
  if (minor == 27) rules.call_timeout = absl::Seconds(10);
  if (minor == 26) rules.call_timeout = absl::InfiniteDuration();
  return rules;
}

}  // namespace kubelet_cm::dra
